#!/usr/bin/env python3
"""Storms of cancel requests, wrong passwords, kills and connections, on a server of `mtsql
--listen`.

CANCELS=n, GUESSES=n, KILLS=n and STATEMENTS=n make them longer. SEED=n changes them.
`test_connections` prints the server's memory ten times.
"""
import contextlib
import os
import random
import socket
import struct
import subprocess
import sys
import threading
import time

from listening import HANG_S, Raw, errors, fields, listening, rows
from cases import check, run, same
from command import shell
from waiting import until
import psycopg

CANCELS, GUESSES, KILLS, STATEMENTS, SEED = (int(os.environ.get(name, default)) for name, default in (("CANCELS", "200"), ("GUESSES", "60"), ("KILLS", "3"), ("STATEMENTS", "3000"), ("SEED", "1")))
TABLE = "CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts')"
KEPT_KIB = 16 << 10  # how much the memory of a server may grow in a run of many connections


def logged_in(s):
    """Returns a connection, with the number and key that cancel its statements."""
    c = Raw(s)
    c.key = dict(c.until()).get("K")
    return c


def cancel(s, key):
    with socket.create_connection(("127.0.0.1", s.port), timeout=HANG_S) as c:
        c.sendall(struct.pack("!II", 8 + len(key), 1234 << 16 | 5678) + key)
        with contextlib.suppress(OSError):
            c.recv(1)


def together(*functions):
    """Runs functions at the same time. The first error of one is the test's."""
    failed = []

    def guarded(f):
        try:
            f()
        except Exception as e:  # the caller shows it
            failed.append(e)
    threads = [threading.Thread(target=guarded, args=(f,)) for f in functions]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failed:
        raise failed[0]


def test_cancels(folder):
    """Cancel requests at random moments. A statement then fails as a whole, and its session goes on."""
    statements = ["SELECT count(*), max(v) FROM t", "SELECT a % 7, count(*) FROM generate_series(1, 200) a, generate_series(1, 200) b GROUP BY 1", "SELECT * FROM t ORDER BY v DESC LIMIT 300", "COPY (SELECT * FROM t LIMIT 300) TO STDOUT", "SELECT pg_sleep(0.02)", "BEGIN; UPDATE t SET v = v + 0; ROLLBACK", "CHECK TABLE t"]
    with listening(f"{folder}/s") as s:
        with Raw(s) as c:
            c.until()
            same("the table", errors(c.query(TABLE)) + errors(c.query("INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '1 min', 'h' || i % 7, i FROM generate_series(1, 3000) i")), [])
        clients, sent, kept = [logged_in(s) for _ in range(8)], [0], [3000]
        lock = threading.Lock()

        def works(c, seed):
            rng, n = random.Random(seed), 0
            while sent[0] < CANCELS:
                inserts, n = rng.random() < 0.2, n + 1
                sql = f"INSERT INTO t SELECT '2025-01-01'::timestamptz + {n} * interval '1 hour' + i * interval '1 s', 'w{seed}', i FROM generate_series(1, 50) i" if inserts else rng.choice(statements)
                found = c.query(sql)
                if found[-1][0] != "Z":
                    raise AssertionError(f"{sql}: the session ended: {found[-1:]}")
                if set(errors(found)) - {"57014"}:
                    raise AssertionError(f"{sql}: {[fields(body) for kind, body in found if kind == 'E']}")
                if found[-1][1] != b"I" and errors(c.query("ROLLBACK")) not in ([], ["57014"]):
                    raise AssertionError("ROLLBACK failed")
                if inserts and not errors(found):
                    with lock:
                        kept[0] += 50

        def cancels():
            rng = random.Random(SEED)
            try:
                while sent[0] < CANCELS:
                    cancel(s, rng.choice(clients).key)
                    sent[0] += 1
                    time.sleep(rng.random() * 0.01)
            finally:
                sent[0] = CANCELS
        together(cancels, *(lambda c=c, i=i: works(c, SEED * 8 + i) for i, c in enumerate(clients)))
        for c in clients:
            c.query("ROLLBACK")  # a late request may cancel it
            same("each session goes on", rows(c.query("SELECT 6 * 7")), [[b"42"]])
        same("rows of the statements that succeeded", rows(clients[0].query("SELECT count(*) FROM t"))[0][0], str(kept[0]).encode())
        same("CHECK TABLE finds nothing", rows(clients[0].query("CHECK TABLE t")), [])
        for c in clients:
            c.socket.close()


def test_full(folder):
    """A server with the largest number of clients still takes cancel requests."""
    with listening(f"{folder}/s", "--trust", "--max-connections", "1") as s:
        with logged_in(s) as c:
            with Raw(s) as other:
                same("no place", errors(other.until()), ["53300"])
            c.send("Q", b"SELECT pg_sleep(1000)\0")
            time.sleep(0.2)
            cancel(s, c.key)
            same("cancelled", errors(c.until()), ["57014"])


def test_guesses(folder):
    """Clients with wrong passwords occupy every place of a login. Clients with the password get in.
    """
    users = f"{folder}/users"
    shell("--user-add", "ann", "--users", users, text="right\n")
    with listening(f"{folder}/s", "--users", users, "--max-connections", "4") as s:
        left, said, ended = [GUESSES], set(), threading.Event()
        silent = [Raw(s, greet=False) for _ in range(150)]

        def guesses():
            while not ended.is_set():
                left[0] -= 1
                try:
                    psycopg.connect(s.dsn("ann", password="wrong")).close()
                    said.add("came in")
                except psycopg.OperationalError as e:
                    said.add("refused" if "authentication failed" in str(e) else "no place" if "too many clients" in str(e) else str(e))

        def logs_in():
            try:
                count = 0
                while left[0] > 0 or not count:
                    with psycopg.connect(s.dsn("ann", password="right")) as c:
                        count += c.execute("SELECT 1").fetchone()[0]
            finally:
                ended.set()
        together(logs_in, *[guesses] * 20)
        same("what the others got", said - {"no place"}, {"refused"})
        for c in silent:
            c.socket.close()


def test_not_reading(folder):
    """Clients ask for many rows, and read none. Others read and write, and the places become free.
    """
    with listening(f"{folder}/s", "--trust", "--max-connections", "6") as s:
        with Raw(s) as c:
            c.until()
            same("the table", errors(c.query(TABLE)) + errors(c.query("INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '1 s', 'h', i FROM generate_series(1, 200000) i")), [])
        stuck = []
        for sql in ("SELECT * FROM t, generate_series(1, 50)", "COPY t TO STDOUT", "INSERT INTO t SELECT '2025-01-01'::timestamptz + i * interval '1 s', repeat('x', 100), i FROM generate_series(1, 100000) i RETURNING *"):
            c = Raw(s)
            c.until()
            c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            c.send("Q", sql.encode() + b"\0")
            c.take(5)
            stuck.append(c)
        with Raw(s) as c:
            c.until()
            same("another writes", errors(c.query("SET lock_timeout = '20s'; INSERT INTO t VALUES ('2026-01-01', 'y', 1)")), [])
            same("and reads", rows(c.query("SELECT v FROM t WHERE host = 'y'")), [[b"1"]])
        for c in stuck:
            c.socket.close()

        def all_free():
            clients = [Raw(s) for _ in range(6)]
            free = [c.kinds()[-1:] for c in clients]
            for c in clients:
                c.socket.close()
            return free == ["Z"] * 6
        check("the places become free", until(all_free))


def test_kills(folder):
    """kill -9 while clients write. All that was acknowledged is there, and each transaction is
    whole or not there.
    """
    acknowledged, lock = [0], threading.Lock()
    for kill in range(KILLS):
        with contextlib.suppress(AssertionError), listening(f"{folder}/s") as s:
            with Raw(s) as c:
                c.until()
                if kill == 0:
                    c.query(TABLE)

            def writes(n, s=s, kill=kill):
                with Raw(s) as c, contextlib.suppress(OSError):
                    c.until()
                    for i in range(100000):
                        found = c.query(f"INSERT INTO t SELECT '2024-01-01'::timestamptz + {i} * interval '1 min' + j * interval '1 s', 'h{kill}-{n}', j FROM generate_series(1, 10) j")
                        if not found or found[-1][0] != "Z" or errors(found):
                            return
                        with lock:
                            acknowledged[0] += 10

            def kills(s=s, kill=kill):
                before = acknowledged[0]
                until(lambda: acknowledged[0] > before + 100)
                time.sleep(random.Random(SEED + kill).random() * 0.3)
                s.process.kill()
            together(kills, *(lambda n=n: writes(n) for n in range(4)))
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        count = int(rows(c.query("SELECT count(*) FROM t"))[0][0])
        check(f"{count} rows, {acknowledged[0]} acknowledged", count >= acknowledged[0] > 0)
        check("at most what ran when it was killed besides", count <= acknowledged[0] + KILLS * 4 * 10)
        same("whole transactions", rows(c.query("SELECT host, date_trunc('minute', ts) FROM t GROUP BY 1, 2 HAVING count(*) <> 10")), [])
        same("CHECK TABLE finds nothing", rows(c.query("CHECK TABLE t")), [])


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as f:
        return int(f.read().split("VmRSS:")[1].split()[0])


def test_connections(folder):
    """Many statements in a hundredth as many connections do not let memory grow."""
    per, done = 100, 0
    with listening(f"{folder}/s") as s:
        with Raw(s) as c:
            c.until()
            c.query(TABLE)
        seen = []
        for n in range(STATEMENTS // per):
            with Raw(s) as c:
                c.until()
                for i in range(per):
                    # as many rows at the end as at the beginning
                    sql = ("INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '1 s', 'h', i FROM generate_series(1, 20) i", "SELECT host, count(*), sum(v) FROM t GROUP BY 1", "SELECT nosuch", "BEGIN; UPDATE t SET v = v + 1; COMMIT", "DELETE FROM t", "SELECT relname FROM pg_class LIMIT 3",
                           "CREATE TEMP TABLE x AS SELECT 1 AS a; DROP TABLE x", "PREPARE p AS SELECT $1::int + 1; EXECUTE p (1); DEALLOCATE p", "COPY (SELECT i FROM generate_series(1, 30) i) TO STDOUT", "SELECT 1")[i % 10]
                    found = errors(c.query(sql))
                    if found != ["42703"] * (sql == "SELECT nosuch"):
                        raise AssertionError(f"{sql}: {found}")
                    done += 1
            if (n + 1) % max(STATEMENTS // per // 10, 1) == 0:
                seen.append(resident_kib(s.process.pid))
                print(f"{done} statements: {seen[-1]} KiB", flush=True)
        same("statements", done, STATEMENTS // per * per)
        if "asan" not in os.environ.get("BUILD", "") and "tsan" not in os.environ.get("BUILD", ""):
            check(f"memory after each tenth: {seen}", seen[-1] < seen[1] + KEPT_KIB)


def test_tls(folder):
    """TLS: no renegotiation, and nothing older than 1.2."""
    cert, key = f"{folder}/cert.pem", f"{folder}/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-out", cert, "-keyout", key], check=True, capture_output=True)
    with listening(f"{folder}/s", "--trust", "--tls-cert", cert, "--tls-key", key) as s:
        connect = ["openssl", "s_client", "-starttls", "postgres", "-connect", f"127.0.0.1:{s.port}"]
        p = subprocess.run([*connect, "-tls1_2", "-legacy_renegotiation"], input="R\n", capture_output=True, text=True, timeout=HANG_S)
        check("TLS 1.2", "Protocol  : TLSv1.2" in p.stdout, p.stdout[-800:] + p.stderr)
        check("renegotiation is refused", "RENEGOTIATING" in p.stdout + p.stderr and "no renegotiation" in p.stderr, p.stdout[-800:] + p.stderr)
        for minor, name in ((0, "SSLv3"), (1, "TLS 1.0"), (2, "TLS 1.1")):
            hello = bytes([3, minor]) + bytes(range(32)) + b"\0" + bytes.fromhex("0008002f0035c013c014") + b"\1\0"
            hello = b"\1" + struct.pack("!I", len(hello))[1:] + hello
            with Raw(s, greet=False) as c:
                c.socket.sendall(struct.pack("!II", 8, 80877103))
                same("TLS is offered", c.take(1), b"S")
                c.socket.sendall(bytes([22, 3, minor]) + struct.pack("!H", len(hello)) + hello)
                with contextlib.suppress(ConnectionError):
                    check(f"{name} gets an alert, or nothing", c.take(1) in (b"\x15", None))
        for half in (b"", b"\x16\3\1", b"\x16\3\1\1\0" + bytes(100)):
            with Raw(s, greet=False) as c:
                c.socket.sendall(struct.pack("!II", 8, 80877103))
                c.take(1)
                c.socket.sendall(half)
        with psycopg.connect(s.dsn(sslmode="require")) as c:
            same("a client", c.execute("SELECT 1").fetchone(), (1,))


sys.exit(run(globals(), os.environ.get("ONLY", "")))

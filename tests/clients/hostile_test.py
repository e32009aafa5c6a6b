#!/usr/bin/env python3
"""Clients that send damaged messages, half a message, or nothing more; and a thousand clients at
once.

MESSAGES=n sends n damaged messages (default 20000). SEED=n changes them. With a build under
sanitizers (SAN=1), a fault ends the test.
"""
import contextlib
import os
import random
import resource
import socket
import struct
import sys
import threading

from listening import HANG_S, Raw, errors, listening, rows, text
from cases import check, run, same
from waiting import until

MESSAGES, SEED = int(os.environ.get("MESSAGES", "20000")), int(os.environ.get("SEED", "1"))
TABLE = "CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts')"
SQL = ["SELECT 1", "SELECT $1::int + $2::int8", "SELECT $1::text, $2::numeric, $3::timestamptz, $4::int[], $5::bytea", "SELECT * FROM t ORDER BY ts LIMIT 5", "INSERT INTO t VALUES ('2024-01-01', 'a', $1)", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "SELECT", "", "COPY t FROM STDIN",
       "COPY t FROM STDIN (FORMAT binary)", "COPY (SELECT * FROM t LIMIT 3) TO STDOUT", "SELECT nosuch", "SELECT 'ä' AS \"é\"; SELECT 2", "FETCH 1 FROM c", "DECLARE c CURSOR FOR SELECT * FROM t", "SET TimeZone = 'UTC'", "SELECT typname, oid FROM pg_type LIMIT 3", "MERGE INTO t USING (SELECT 1) s ON false WHEN MATCHED THEN DELETE"]
START = (("user", "tester"), ("options", "-c statement_timeout=200 -c lock_timeout=20 -c work_mem=16MB"))


def message(kind, body=b""):
    return kind.encode() + struct.pack("!I", len(body) + 4) + body


def start(parameters=START, version=0x30000):
    body = struct.pack("!I", version) + b"".join(k.encode() + b"\0" + v.encode() + b"\0" for k, v in parameters) + b"\0"
    return struct.pack("!I", len(body) + 4) + body


def value(rng):
    return rng.choice([None, b"1", b"-7", b"2024-01-01", b"\0\0\0\1", bytes(8), b"{1,2}", b"x" * 40, rng.randbytes(rng.randrange(20)), b"\0\2\0\0\0\0\0\0\0\1\0\2"])


def bind(rng):
    formats, results, values = ([rng.choice((0, 1, 1, 2)) for _ in range(rng.choice((0, 0, 1, 2, 5)))] for _ in range(2)), None, [value(rng) for _ in range(rng.choice((0, 1, 1, 2, 2, 5)))]
    formats, results = formats
    body = text(rng.choice(("", "", "p"))) + text(rng.choice(("", "", "s"))) + struct.pack(f"!H{len(formats)}H", len(formats), *formats) + struct.pack("!H", len(values))
    for v in values:
        body += struct.pack("!i", -1) if v is None else struct.pack("!i", len(v)) + v
    return body + struct.pack(f"!H{len(results)}H", len(results), *results)


def whole(rng):
    """A message as a client could send it."""
    kind = rng.choice("QQPPPBBBDDEEECHSSdcf")
    types = [rng.choice((0, 16, 20, 23, 25, 1007, 1184, 1700, 17, 2249, 99999)) for _ in range(rng.choice((0, 0, 1, 2, 5)))]
    body = {"Q": lambda: text(rng.choice(SQL)), "P": lambda: text(rng.choice(("", "", "s"))) + text(rng.choice(SQL)) + struct.pack(f"!H{len(types)}I", len(types), *types), "B": lambda: bind(rng),
            "D": lambda: rng.choice((b"S", b"P")) + text(rng.choice(("", "s", "p"))), "C": lambda: rng.choice((b"S", b"P")) + text(rng.choice(("", "s", "p"))), "E": lambda: text(rng.choice(("", "", "p"))) + struct.pack("!I", rng.choice((0, 1, 2, 2**31))),
            "d": lambda: rng.choice((b"2024-01-02\tb\t3\n", b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\0\3\0\0\0\x08" + bytes(8), b"\xff\xff", rng.randbytes(9))), "f": lambda: text("no")}.get(kind, bytes)()
    return message(kind, body)


def damaged(rng, m):
    """The same, with a fault: changed bytes, a length that lies, an end that is missing or repeated."""
    data = bytearray(m)
    how = rng.randrange(8)
    if how < 3:
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if how == 2:
            data[1:5] = struct.pack("!I", len(data) - 1)
    elif how == 3:
        data[1:5] = struct.pack("!I", rng.choice((0, 3, 4, len(data) + 3, 2**31 - 1, 2**32 - 1, 2**20)))
    elif how == 4:
        body = data[5:rng.randrange(5, len(data) + 1)]
        data = bytearray(message(chr(data[0]), bytes(body)))
    elif how == 5:
        at = rng.randrange(5, len(data) + 1)
        data = bytearray(message(chr(data[0]), bytes(data[5:at] + data[rng.randrange(5, len(data) + 1):])))
    elif how == 6:
        data = bytearray(message(chr(rng.randrange(256)) if rng.random() < 0.2 else rng.choice("PBDECHSQdcfFpX"), bytes(data[5:]))) if data[0] < 128 else data
    else:
        data += data[:rng.randrange(len(data) + 1)]
    return bytes(data)


def drained(c):
    """Reads to the end of the connection."""
    with contextlib.suppress(OSError):
        while c.recv(65536):
            pass


def conversation(port, rng, most):
    """Makes one connection with up to `most` messages. Returns how many were sent."""
    n = rng.randrange(1, most + 1)
    first = start() if rng.random() < 0.95 else damaged(rng, b"\0" + start())[1:]
    parts = [whole(rng) if rng.random() < 0.6 else damaged(rng, whole(rng)) for _ in range(n)]
    with socket.create_connection(("127.0.0.1", port), timeout=HANG_S) as c, contextlib.suppress(ConnectionError):
        reader = threading.Thread(target=drained, args=(c,))
        reader.start()
        try:
            c.sendall(first + b"".join(parts) + message("c") + message("S") + (message("X") if rng.random() < 0.5 else b""))
            c.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        reader.join(HANG_S)
        check("the connection ends", not reader.is_alive())
    return n + 1


def ready(s):
    with Raw(s) as c:
        return c.until()[-1:] and c.query("SELECT 7") and True


def test_damaged_messages(folder):
    with listening(f"{folder}/s") as s:
        with Raw(s) as c:
            c.until()
            c.query(TABLE)

        def work(seed):
            rng, sent = random.Random(seed), 0
            while sent < MESSAGES // 4 and s.process.poll() is None:
                sent += conversation(s.port, rng, 60)
        threads = [threading.Thread(target=work, args=(SEED * 4 + i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        same("the server lives", s.process.poll(), None)
        check("and answers", ready(s))
        with Raw(s) as c:
            c.until()
            same("CHECK TABLE finds nothing", rows(c.query("CHECK TABLE t")), [])


def broken_off(port, data):
    """Sends data, and breaks the connection off."""
    c = socket.create_connection(("127.0.0.1", port), timeout=HANG_S)
    c.sendall(data)
    c.settimeout(0.05)
    with contextlib.suppress(OSError):
        while c.recv(65536):
            pass
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    c.close()


def test_vanishing(folder):
    """Clients vanish in the middle of a message, of COPY and of a transaction. Their places and
    locks become free.
    """
    query, copy = message("Q", text("SELECT 1")), message("Q", text("COPY t FROM STDIN"))
    halves = [b"", start()[:3], start()[:20], start() + query[:1], start() + query[:4], start() + query[:7], start() + message("P", text("") + text("SELECT 1") + b"\0\0")[:9], start() + message("Q", text("BEGIN; INSERT INTO t VALUES (now(), 'x', 1)")),
              start() + copy, start() + copy + message("d", b"2024-01-01\tx\t1\n"), start() + copy + message("d", b"2024-01-01\tx\t1\n2024")[:-3], start() + message("Q", text("COPY (SELECT repeat('x', 1000) FROM generate_series(1, 100000)) TO STDOUT"))]
    with listening(f"{folder}/s", "--trust", "--max-connections", "4") as s:
        with Raw(s) as c:
            c.until()
            c.query(TABLE)
        for _ in range(3):
            for half in halves:
                broken_off(s.port, half)

        def writes():
            with Raw(s) as c, contextlib.suppress(OSError):
                return "Z" in c.kinds() and errors(c.query("SET lock_timeout = '1s'; INSERT INTO t VALUES (now(), 'y', 1)")) == []
        check("a place and the writer's lock are free", until(writes))
        with Raw(s) as c:
            c.until()
            same("nothing of them was kept", rows(c.query("SELECT count(*) FROM t WHERE host = 'x'"))[0][0], b"0")


def test_thousand(folder):
    """1,000 connections at once: each is served, or gets the error that there are too many."""
    n, (soft, hard) = 1000, resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 3 * n:
        print(f"SKIP only {hard} open files")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 3 * n), hard))
    for most in (n, 50):
        with listening(f"{folder}/s{most}", "--trust", "--max-connections", str(most)) as s:
            every = [Raw(s) for _ in range(n)]
            greeted = [c.until() for c in every]
            served = [c for c, found in zip(every, greeted) if found and found[-1][0] == "Z"]
            same(f"served of {most}", len(served), most)
            same("the others", {tuple(errors(found)) for found in greeted if not found or found[-1][0] != "Z"}, set() if most == n else {("53300",)})
            for c in served:
                c.send("Q", b"SELECT 6 * 7\0")
            same("answers", {rows(c.until())[0][0] for c in served}, {b"42"})
            memory = int(open(f"/proc/{s.process.pid}/status", encoding="utf-8").read().split("VmRSS:")[1].split()[0])
            if most == n and "asan" not in os.environ.get("BUILD", ""):
                check(f"{memory // n} KiB a connection", memory < n * 1024)
            for c in every:
                c.socket.close()
            check("places become free", until(lambda: ready(s)))


sys.exit(run(globals()))

#!/usr/bin/env python3
"""The messages of PostgreSQL's protocol, one by one: `mtsql --listen`."""
import contextlib
import pathlib
import random
import signal
import struct
import subprocess
import sys
import threading
import time

from listening import Listening, Raw, errors, fields, listening, rows, text
from cases import check, run, same
from command import shell

COUNT = "SELECT count(*) FROM t"
TABLE = "CREATE TABLE t (ts timestamptz TIME NOT NULL, v int MEASURE) USING rows"


def parse(sql, name="", types=()):
    return text(name) + text(sql) + struct.pack(f"!H{len(types)}I", len(types), *types)


def bind(values=(), portal="", name="", formats=(), results=()):
    body = text(portal) + text(name) + struct.pack(f"!H{len(formats)}H", len(formats), *formats) + struct.pack("!H", len(values))
    for v in values:
        body += struct.pack("!i", -1) if v is None else struct.pack("!i", len(v)) + v
    return body + struct.pack(f"!H{len(results)}H", len(results), *results)


def execute(portal="", most=0):
    return text(portal) + struct.pack("!I", most)


def run_extended(c, sql, values=(), sync=True, **more):
    c.send("P", parse(sql))
    c.send("B", bind(values, **more))
    c.send("D", b"P\0")
    c.send("E", execute())
    if sync:
        c.send("S")
    return c.until() if sync else None


def one(messages):
    return rows(messages)[0][0]


def test_start(folder):
    """The greeting, the protocol's versions, and packets of other protocols."""
    with listening(f"{folder}/s") as s:
        with Raw(s) as c:
            greeting = dict.fromkeys("RSKZ")
            found = c.until()
            same("kinds of the greeting", sorted({k for k, _ in found}), sorted(greeting))
            same("the length of the key", [len(b) for k, b in found if k == "K"], [8])
            parameters = dict(b.rstrip(b"\0").split(b"\0") for k, b in found if k == "S" and b.rstrip(b"\0").count(b"\0") == 1)
            same("encoding", parameters[b"client_encoding"], b"UTF8")
        with Raw(s, version=0x30002) as c:
            same("the longer key of 3.2", [len(b) for k, b in c.until() if k == "K"], [36])
        with Raw(s, version=0x30009, parameters=(("user", "a"), ("_pq_.new", "1"))) as c:
            answers = [b for k, b in c.until() if k == "v"]
            same("a newer protocol", answers, [struct.pack("!II", 0x30002, 1) + b"_pq_.new\0"])
        with Raw(s, version=0x20000) as c:
            same("protocol 2", errors(c.until()), ["0A000"])
        with Raw(s, parameters=()) as c:
            same("no user", errors(c.until()), ["28000"])
        with Raw(s, parameters=(("user", "a"), ("database", "nosuch"))) as c:
            same("no such database", errors(c.until()), ["3D000"])
        with Raw(s, parameters=(("user", "a"), ("options", "-c TimeZone=Europe/Berlin --extra_float_digits=0"))) as c:
            c.until()
            same("options", one(c.query("SHOW TimeZone")), b"Europe/Berlin")
        with Raw(s, parameters=(("user", "a"), ("options", "-x"))) as c:
            same("wrong options", errors(c.until()), ["42601"])
        with Raw(s, parameters=(("user", "a"), ("nosuch", "1"))) as c:
            same("an unknown setting", errors(c.until()), ["42704"])
        for what, packet in (("TLS", 80877103), ("GSS", 80877104)):
            with Raw(s, greet=False) as c:
                c.packet(struct.pack("!I", packet))
                same(f"{what} is not offered", c.take(1), b"N")
        for junk in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\4", b"\0\0\0\7\0\0\0", b"\xff" * 64, struct.pack("!II", 9, 0x30000) + b"x"):
            with Raw(s, greet=False) as c:
                c.socket.sendall(junk)
                c.socket.shutdown(1)
                check(f"junk {junk[:8]!r} ends the connection", c.kinds() in ("", "E"))
        with Raw(s) as c:
            check("the server goes on", c.until()[-1][0] == "Z")


def test_simple_query(folder):
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        same("several statements", "".join(k for k, _ in c.query("SELECT 1; SELECT 2")), "TDCTDCZ")
        same("nothing", "".join(k for k, _ in c.query(" ; ")), "IZ")
        same("a row without columns", rows(c.query("SELECT")), [[]])
        answers = c.query("SELECT 'ä', nosuch")
        same("a position counts characters", [fields(b)["P"] for k, b in answers if k == "E"], ["13"])
        c.query(TABLE)
        answers = c.query("INSERT INTO t VALUES ('2024-01-01', 1); SELECT 1/0")
        same("one transaction", (errors(answers), one(c.query(COUNT))), (["22012"], b"0"))
        same("states", [c.query(q)[-1][1] for q in ("BEGIN", "SELECT 1/0", "SELECT 1", "ROLLBACK")], [b"T", b"E", b"E", b"I"])
        same("a setting that clients follow", [b for k, b in c.query("SET TimeZone = 'UTC'; SET application_name = 'x'") if k == "S"], [b"application_name\0x\0"])
        same("and back", [b for k, b in c.query("BEGIN; SET LOCAL application_name = 'y'; ROLLBACK") if k == "S"], [])
        same("a warning", [fields(b)["S"] for k, b in c.query("COMMIT") if k == "N"], ["WARNING"])
        c.send("Q", b"SELECT 1")
        same("a text without its end", errors(c.until()), ["08P01"])
        c.send("F", b"")
        same("a function call", errors(c.until()), ["0A000"])
        c.send("d", b"x")
        c.send("c")
        same("data outside of COPY", one(c.query("SELECT 5")), b"5")
        c.send("z")
        same("an unknown message ends the connection", (errors(c.until()), c.receive()), (["08P01"], None))


def test_extended_query(folder):
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        c.query(TABLE)
        same("one statement", "".join(k for k, _ in run_extended(c, "SELECT 1")), "12TDCZ")
        same("no rows to describe", "".join(k for k, _ in run_extended(c, TABLE.replace(" t ", " u "))), "12nCZ")
        same("nothing", "".join(k for k, _ in run_extended(c, "")), "12nIZ")
        same("described, changes a table", "".join(k for k, _ in run_extended(c, "INSERT INTO t VALUES ('2024-01-02', 7) RETURNING v")), "12TDCZ")
        for name in ("p", "q"):
            c.send("P", parse(f"SELECT '{name}'", name))
            c.send("B", bind((), name=name, portal=name))
        c.send("D", b"Pp\0")
        c.send("E", execute("q"))
        c.send("D", b"Pq\0")
        c.send("E", execute("p"))
        c.send("D", b"Pp\0")
        c.send("E", execute("nosuch"))
        c.send("S")
        same("one portal is described, another one runs", c.kinds(), "1212TDCTDCTEZ")
        c.send("P", parse("SELECT $1 + 1, $2::text", "s", (23,)))
        c.send("D", b"Ss\0")
        c.send("S")
        answers = c.until()
        same("types of parameters", [b for k, b in answers if k == "t"], [struct.pack("!HII", 2, 23, 25)])
        c.send("B", bind((b"41", None), name="s"))
        c.send("E", execute())
        c.send("S")
        same("a NULL", rows(c.until()), [[b"42", None]])
        c.send("B", bind((struct.pack("!i", 41), b"x"), name="s", formats=(1, 0), results=(1, 0)))
        c.send("E", execute())
        c.send("S")
        same("binary", rows(c.until()), [[struct.pack("!i", 42), b"x"]])
        for what, message, code in (("the wrong number of values", bind((b"1",), name="s"), "08P01"), ("no such statement", bind((), name="nosuch"), "26000"),
                                    ("a wrong binary value", bind((b"\0", b"x"), name="s", formats=(1, 0)), "22P03"), ("a wrong text", bind((b"x", b"x"), name="s"), "22P02"),
                                    ("a wrong format", bind((b"1", b"x"), name="s", formats=(7,)), "08P01"), ("half a message", b"\0s", "08P01")):
            c.send("B", message)
            c.send("E", execute())
            c.send("S")
            same(what, errors(c.until()), [code])
        c.send("P", parse("SELECT 1", "s"))
        c.send("S")
        same("the name is taken", errors(c.until()), ["42P05"])
        c.send("C", b"Ss\0")
        c.send("D", b"Ss\0")
        c.send("S")
        same("a closed statement", "".join(k for k, _ in c.until()), "3EZ")
        for run_it in (lambda: run_extended(c, 'DEALLOCATE "d"'), lambda: c.query("DEALLOCATE PREPARE D;")):
            c.send("P", parse("SELECT 1", "d"))
            c.send("S")
            c.until()
            same("DEALLOCATE closes it", [b for k, b in run_it() if k == "C"], [b"DEALLOCATE\0"])
            c.send("D", b"Sd\0")
            c.send("S")
            same("it is gone", errors(c.until()), ["26000"])
        same("DEALLOCATE of none", errors(c.query("DEALLOCATE d")), ["26000"])
        c.send("E", execute("nosuch"))
        c.send("E", execute("nosuch"))
        c.send("S")
        same("messages up to Sync are skipped", "".join(k for k, _ in c.until()), "EZ")


def test_portals(folder):
    """Rows in parts, also beside other statements."""
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        c.query("BEGIN")
        c.send("P", parse("SELECT i FROM generate_series (1, 2500) i"))
        c.send("B", bind(portal="p"))
        c.send("E", execute("p", 3))
        c.send("H")
        same("three rows", c.kinds("s"), "12DDDs")
        c.send("P", parse("SELECT 7"))
        c.send("B", bind())
        c.send("E", execute())
        c.send("E", execute("p", 2))
        c.send("S")
        same("another statement between", [r[0] for r in rows(c.until())], [b"7", b"4", b"5"])
        same("a simple query between", one(c.query("SELECT 8")), b"8")
        c.send("E", execute("p"))
        c.send("E", execute("p"))
        c.send("S")
        same("the rest", len(rows(c.until())), 2495)
        c.query("COMMIT")
        c.send("E", execute("p"))
        c.send("S")
        same("a portal ends with its transaction", errors(c.until()), ["34000"])
        c.query("BEGIN; DECLARE d CURSOR FOR SELECT 1 AS one")
        c.send("D", b"Pd\0")
        c.send("S")
        same("a cursor is described", c.kinds(), "TZ")


def test_pipelines(folder):
    """The messages up to Sync are one transaction."""
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        c.query(TABLE)
        insert = "INSERT INTO t VALUES (now(), 1)"
        for sql in (insert, insert, "SELECT 1/0", insert):
            run_extended(c, sql, sync=False)
        c.send("S")
        same("an error undoes all", (errors(c.until()), one(c.query(COUNT))), (["22012"], b"0"))
        for sql in (insert, insert, COUNT):
            run_extended(c, sql, sync=False)
        c.send("S")
        answers = c.until()
        same("all are committed", (rows(answers), answers[-1][1], one(c.query(COUNT))), ([[b"2"]], b"I", b"2"))
        for sql in (insert, "BEGIN", insert):
            run_extended(c, sql, sync=False)
        c.send("S")
        same("BEGIN in a pipeline", c.until()[-1][1], b"T")
        c.query("ROLLBACK")
        same("a statement that can't be in a transaction", errors(run_extended(c, "VACUUM t")), [])


def test_copy(folder):
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        c.query(TABLE)
        copy = b"COPY t FROM STDIN\0"
        c.send("Q", copy)
        same("columns", c.receive(), ("G", struct.pack("!bHHH", 0, 2, 0, 0)))
        c.send("d", b"2024-01-01\t1\n2024-01-")
        c.send("H")
        c.send("d", b"02\t2\n")
        c.send("c")
        same("rows in parts", [b for k, b in c.until() if k == "C"], [b"COPY 2\0"])
        c.send("Q", copy)
        c.receive()
        c.send("d", b"2024-01-03\t3\n")
        c.send("f", b"no more\0")
        answers = c.until()
        same("the client gives up", [fields(b)["M"] for k, b in answers if k == "E"], ["COPY from stdin failed: no more"])
        c.send("Q", copy)
        c.receive()
        c.send("d", b"bad\n" * 1000)
        c.send("d", b"bad\n" * 1000)
        c.send("c")
        same("a wrong row", errors(c.until()), ["22007"])
        same("nothing was kept", one(c.query(COUNT)), b"2")
        c.send("Q", copy)
        c.receive()
        c.send("Q", copy)
        same("another message", errors(c.until()), ["08P01"])
        answers = c.query("COPY (SELECT E'a\\nb', 1 UNION ALL SELECT 'c', 2) TO STDOUT (FORMAT csv)")
        same("a message for each row", [b for k, b in answers if k == "d"], [b'"a\nb",1\n', b"c,2\n"])
        same("no rows", "".join(k for k, _ in c.query("COPY (SELECT 1 WHERE false) TO STDOUT")), "HcCZ")
        c.send("P", parse("COPY t FROM STDIN"))
        c.send("B", bind())
        c.send("E", execute())
        c.send("S")
        same("by an extended query", c.kinds("G"), "12G")
        c.send("d", b"2024-01-05\t5\n")
        c.send("c")
        c.send("S")
        same("Sync ends it", c.kinds(), "CZ")
        c.send("Q", copy)
        c.receive()
        c.send("d", b"2024-01-06\t6\n")
        c.socket.close()
        with Raw(s) as other:
            other.until()
            same("a client that vanishes in a COPY leaves nothing", one(other.query(COUNT)), b"3")


def test_cancel(folder):
    with listening(f"{folder}/s") as s, Raw(s) as c:
        key = next(b for k, b in c.until() if k == "K")
        for secret, wanted in ((b"\0\0\0\0", []), (key[4:], ["57014"])):
            c.send("Q", b"SELECT pg_sleep (%s)\0" % (b"0.2" if not wanted else b"60"))
            time.sleep(0.1)
            with Raw(s, greet=False) as other:
                other.packet(struct.pack("!I", 80877102) + key[:4] + secret)
                same("no answer", other.receive(), None)
            same(f"with the key {secret == key[4:]}", errors(c.until()), wanted)


def test_many(folder):
    """Clients beside each other, and one too many."""
    with listening(f"{folder}/s", "--trust", "--max-connections", "20") as s:
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(Raw(s)) for _ in range(20)]
            for c in clients:
                c.until()
            with Raw(s) as more:
                same("one too many", errors(more.until()), ["53300"])
            clients[0].query(TABLE)

            def writes(c, n):
                for i in range(5):
                    answers = c.query(f"INSERT INTO t VALUES ('2024-01-01'::timestamptz + interval '{n * 5 + i} min', 1)")
                    check("an INSERT beside others", not errors(answers), answers)

            threads = [threading.Thread(target=writes, args=(c, n)) for n, c in enumerate(clients)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            same("all rows", one(clients[3].query(COUNT)), b"100")
            clients[1].query("BEGIN; INSERT INTO t VALUES (now(), 1)")
            same("readers don't wait for a writer", one(clients[2].query(COUNT)), b"100")
            same("writers do", errors(clients[2].query("SET lock_timeout = '100ms'; INSERT INTO t VALUES (now(), 1)")), ["55P03"])


def test_stop(folder):
    """SIGTERM: idle clients go at once, running statements may end."""
    s = Listening(f"{folder}/s", "--trust")
    with Raw(s) as idle, Raw(s) as busy:
        idle.until()
        busy.until()
        busy.send("Q", b"SELECT pg_sleep (1)\0")
        time.sleep(0.2)
        s.process.send_signal(signal.SIGTERM)
        same("an idle client", errors(idle.until()), ["57P01"])
        answers = busy.until()
        same("a running statement ends", "".join(k for k, _ in answers), "TDCZ")
        same("and then its client", errors(busy.until()), ["57P01"])
        same("exit status", s.stop(), 0)


def test_timeouts(folder):
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        same("statement_timeout", errors(c.query("SET statement_timeout = '50ms'; SELECT pg_sleep (10)")), ["57014"])
        c.query("SET idle_in_transaction_session_timeout = '100ms'")
        time.sleep(0.3)
        same("only in a transaction", one(c.query("SELECT 1")), b"1")
        c.query("BEGIN")
        same("an idle transaction", errors(c.until()), ["25P03"])


def test_restricted(folder):
    """Clients read no files and load no code."""
    with listening(f"{folder}/s") as s, Raw(s) as c:
        c.until()
        for sql in ("COPY (SELECT 1) TO '/tmp/x'", "SELECT * FROM '/etc/passwd'", "LOAD 'example'", "CREATE EXTENSION example"):
            same(sql, errors(c.query(sql)), ["42501"])


def test_junk(folder):
    """Random messages end with an error or with the connection, and the server goes on."""
    rng = random.Random(7)
    with listening(f"{folder}/s") as s:
        for _ in range(60):
            with Raw(s) as c, contextlib.suppress(OSError):
                c.until()
                for _ in range(rng.randrange(1, 8)):
                    body = rng.choice([rng.randbytes(rng.randrange(40)), bind((rng.randbytes(3),), formats=(rng.randrange(3),)), parse("SELECT $1::int"), execute(), b"S\0", text("SELECT 1")])
                    c.send(rng.choice("PBDECHQSdcf"), body[:rng.randrange(len(body) + 1)] if rng.random() < 0.3 else body)
                c.send("c")
                c.send("S")
                c.socket.shutdown(1)
                c.until("\0")
        for n in (0xffffffff, 0x7fffffff, 3, 0):
            with Raw(s) as c:
                c.until()
                c.socket.sendall(b"Q" + struct.pack("!I", n))
                same(f"a message of {n} bytes", errors(c.until()) if n != 0x7fffffff else ["08P01"], ["08P01"])
        with Raw(s) as c:
            check("the server goes on", c.until()[-1][0] == "Z")


def test_address(folder):
    """Addresses where others could log in without a password are refused."""
    for what, options, wanted in (("TCP without users", ("--listen", "127.0.0.1:0"), "a TCP address needs --users"), ("trust for all", ("--listen", "0.0.0.0:0", "--trust"), "--trust is only for loopback addresses"),
                                  ("no port", ("--listen", "here:x", "--trust"), "invalid address"), ("no certificate", ("--listen", "0", "--trust", "--tls-cert", f"{folder}/no"), "could not load"),
                                  ("no users", ("--listen", "0", "--users", f"{folder}/no"), "could not read file"), ("an option alone", ("--trust",), "needs --listen"),
                                  ("two tasks", ("--listen", "0", "--maintain"), "cannot be used with other actions"), ("a wrong number", ("--listen", "0", "--max-connections", "0"), "between 1 and")):
        p = shell(*options, f"{folder}/s")
        check(what, p.returncode in (1, 2) and wanted in p.stderr, (p.returncode, p.stderr))
    p = shell("--listen", "0", "--trust")
    check("no target", p.returncode == 1 and "needs a target" in p.stderr, p.stderr)
    place = pathlib.Path(folder) / "open"
    place.mkdir(mode=0o755)
    p = shell("--listen", f"unix:{place}", f"{folder}/s")
    check("a folder that others can use", p.returncode == 1 and "accessible to other users" in p.stderr, p.stderr)
    with listening(f"{folder}/s", "-q", address=f"unix:{folder}/mine") as s:
        same("the folder's mode", (pathlib.Path(folder) / "mine").stat().st_mode & 0o777, 0o700)
        p = shell("--listen", f"unix:{folder}/mine", f"{folder}/s")
        check("another server is there", p.returncode == 2 and "another server listens" in p.stderr, p.stderr)
        s.stop(signal.SIGKILL)
        s.process.returncode = 0
    with listening(f"{folder}/s", "-q", address=f"unix:{folder}/mine") as s:
        check("the socket of a killed server is replaced", "accepting connections" in s.line, s.line)


def test_systemd(folder):
    """A socket that systemd opened, and the notice that the server is ready."""
    script = f"""
import os, socket, sys
ready = socket.socket (socket.AF_UNIX, socket.SOCK_DGRAM)
ready.bind ("{folder}/notify")
s = socket.socket ()
s.bind (("127.0.0.1", 0))
s.listen ()
pid = os.fork ()
if not pid:
    os.dup2 (s.fileno (), 3)
    os.set_inheritable (3, True)
    os.environ.update (LISTEN_PID=str (os.getpid ()), LISTEN_FDS="1", NOTIFY_SOCKET="{folder}/notify")
    os.execv (sys.argv[1], [sys.argv[1], "-X", "--listen", "1", "--trust", "{folder}/s"])
print (ready.recv (100).decode (), flush=True)
os.kill (pid, 15)
print (ready.recv (100).decode (), os.waitpid (pid, 0)[1])
"""
    from paths import MTSQL
    p = subprocess.run([sys.executable, "-c", script, MTSQL], capture_output=True, text=True, timeout=60)
    check("READY, STOPPING, and the exit status", "READY=1\n" in p.stdout and "STOPPING=1 0" in p.stdout and "127.0.0.1:" in p.stdout, p.stdout + p.stderr)


sys.exit(run(globals()))

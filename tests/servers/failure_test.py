#!/usr/bin/env python3
"""A connection that is cut at every point of the protocol. There is one clear error, which names
anything half-written, and the next statement works. The connections go through a proxy (proxy.py).
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import pymongo

from checks import HANG_S, MTSQL, check, environment, finish, mtsql, same
from fake import CUT, SILENCE, Fake, batch, empty_collection, error, keeping
from proxy import Gate, Proxy
from server import Server, chosen, database
from terminal import Terminal

POINTS = 5  # the number of cuts in each direction of each scenario
ROWS = 700
CREATE = "CREATE TABLE {} (ts timestamptz TIME PERIOD '1 s', name text DIMENSION, v bigint MEASURE NOT NULL) USING nested WITH (levels = 'ts, name')"
LOST = re.compile(r"^(?:ERROR:  08\d\d\d: |mtsql: error: )(?!connection to server was lost$)", re.M)


def points(total):
    """Returns the places to cut at: the first bytes of messages, and evenly spaced ones."""
    return sorted({1, 2, 15, 16, 17, *(round(total * i / POINTS) for i in range(1, POINTS))})


def cut_runs(proxy, arguments):
    """Yields for each cut: (its place, whether the run reached it, the result)."""
    proxy.plan()
    whole = mtsql(*arguments())
    assert whole.returncode == 0, whole.stderr
    totals = dict(proxy.passed)
    for direction, total in totals.items():
        for n in points(total):
            args = arguments()
            proxy.plan(direction, n)
            yield f"{direction} {n} of {total}", mtsql(*args)


def rows(folder, count):
    path = os.path.join(folder, f"{count}.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{1600000000 + i % 7},name {i},{i}\n" for i in range(count))
    return path


def clear_error(what, r):
    """Checks that the driver repeated the command, or that there is one error about a lost
    connection.
    """
    if r.returncode == 0:
        return check(f"{what}: silent success", not r.stderr, r.stderr)
    same(f"{what}: exit", r.returncode, 2)
    found = LOST.findall(r.stderr)
    return check(f"{what}: one clear error", len(found) == 1, r.stderr)


def test_query(proxy, uri, through):
    query = "-v", "VERBOSITY=verbose", "-Atc", "SELECT ts, v FROM filled ORDER BY v"
    wanted = mtsql(uri, *query).stdout
    failed = 0
    for where, r in cut_runs(proxy, lambda: (through, *query)):
        clear_error(f"query, {where}", r)
        failed += r.returncode != 0
        check(f"query, {where}: rows are right as far as they go", wanted.startswith(r.stdout) and (r.returncode or r.stdout == wanted), r.stdout[-200:])
    check("query: most cuts are noticed", failed > POINTS, str(failed))


def test_load(proxy, uri, through, folder):
    path = rows(folder, 200)
    mtsql(uri, "-c", CREATE.format("loaded"))
    state = {"before": 0}

    def arguments():
        return through, "-v", "VERBOSITY=verbose", "-c", f"COPY loaded FROM '{path}' WITH (EPOCH 's')"

    for where, r in cut_runs(proxy, arguments):
        clear_error(f"load, {where}", r)
        count = int(mtsql(uri, "-Atc", "SELECT count(*) FROM loaded").stdout)
        if not state["before"]:
            state["before"] = 200  # the rows that the run without a cut loaded
        added = count - state["before"]
        fine = added == 200 if r.returncode == 0 else added == 0 or "could not be undone" in r.stderr
        check(f"load, {where}: all or nothing", fine, f"{added} rows more, exit {r.returncode}\n{r.stderr}")
        state["before"] = count
    check("load: the catalog's tables still answer", mtsql(uri, "-c", "\\d loaded").returncode == 0)


def test_ddl(proxy, uri, through):
    names = iter(range(1000))
    intents = pymongo.MongoClient(uri).get_default_database()["_mtsql_catalog"]
    last = []

    def arguments():
        last[:] = [f"made{next(names)}"]
        return through, "-v", "VERBOSITY=verbose", "-c", CREATE.format(last[0])

    for where, r in cut_runs(proxy, arguments):
        clear_error(f"create, {where}", r)
        same(f"create, {where}: no intent is left", list(intents.find({"kind": "intent"})), [])
        again = mtsql(uri, "-c", CREATE.format(last[0]))
        done = "already exists" in again.stderr
        check(f"create, {where}: there wholly or not at all", again.returncode == 0 or (done and r.returncode == 0), again.stderr)
        works = mtsql(uri, "-Atc", f"INSERT INTO {last[0]} VALUES ('2020-01-01', 'x', 1)", "-c", f"SELECT count(*) FROM {last[0]}")
        same(f"create, {where}: the table works", works.stdout, "INSERT 0 1\n1\n")


def test_terminal(proxy, uri, through):
    """The statement fails, the shell connects again, and the next statement works with the same
    settings.
    """
    proxy.plan()
    t = Terminal(through)
    t.until("=> ")
    t.send("SET extra_float_digits = 0;\n")
    t.until("=> ")
    t.send("\\pset pager off\n")
    t.until("=> ")
    proxy.plan("down", 20000)
    t.send("SELECT ts, name, v FROM filled ORDER BY v;\n")
    shown = t.until("Attempting reset: ") + t.until("=> ")
    check("terminal: lost", "connection to the server was lost" in shown.lower(), shown)
    check("terminal: connected again", "Succeeded." in shown, shown)
    t.send("SHOW extra_float_digits;\n")
    shown = t.until("(1 row)")
    check("terminal: the next statement works", " 0" in shown, shown)
    proxy.plan("up", 10, refuse=True)
    t.send("SELECT 1;\n")
    shown = t.until("Attempting reset: ") + t.until("=> ")
    check("terminal: can't connect again", "Failed." in shown, shown)
    proxy.plan()
    t.send("SELECT 7 AS x;\n")
    check("terminal: a later statement connects by itself", "7" in t.until("(1 row)"))
    t.send("\\q\n")
    t.end()


class Slow(Gate):
    """A proxy that delays each new connection by a second while it holds something back."""

    def carry(self, client):
        if self.held.is_set() and not self.go.is_set():
            time.sleep(1)
        super().carry(client)


def test_late_insert(uri, port):
    """A cancelled INSERT arrives at the server after newer connections. It is undone, because mtsql
    waits for its answer first.
    """
    gate = Slow(port)
    gate.hold("up", b"too late")
    t = Terminal(uri.replace(f":{port}/", f":{gate.port}/"))
    t.until("=> ")
    t.send("INSERT INTO filled VALUES ('2020-01-01', 'too late', 1);\n")
    check("late insert: is on its way", gate.held.wait(HANG_S))
    t.send("\x03")
    check("late insert: cancelled", "canceling statement due to user request" in t.until("=> "))
    time.sleep(3)
    gate.go.set()
    t.send("SELECT count(*) FROM filled WHERE name = 'too late';\n")
    check("late insert: isn't there", re.search(r"^ +0\r?$", t.until("(1 row)"), re.M))
    t.send("\\q\n")
    t.end()


def test_start():
    r = mtsql("mongodb://127.0.0.1:1/x", "-c", "SELECT 1")
    same("nobody listens: exit", r.returncode, 2)
    same("nobody listens: error", r.stderr, 'mtsql: error: connection to server at "127.0.0.1", port 1 failed: Connection refused\n'
                                            "HINT:  Is the server running on that host and accepting connections?\n")
    r = mtsql("mongodb://no.such.host.invalid/x", "-c", "SELECT 1")
    same("no such host: exit", r.returncode, 2)
    check("no such host: error", 'could not translate host name "no.such.host.invalid" to address: ' in r.stderr, r.stderr)
    with Fake({"hello": lambda f, c: CUT, "isMaster": lambda f, c: CUT, "ismaster": lambda f, c: CUT}) as fake:
        r = mtsql(fake.uri, "-c", "SELECT 1")
        same("hangs up on hello: exit", r.returncode, 2)
        check("hangs up on hello: one error", r.stderr.count("error:") == 1, r.stderr)


def test_slow():
    """A server that takes the connection and says nothing."""
    with Fake({k: lambda f, c: SILENCE for k in ("hello", "isMaster", "ismaster")}) as fake:
        r = mtsql(fake.uri + "?connectTimeoutMS=300", "-c", "SELECT 1")
        same("slow: exit", r.returncode, 2)
        check("slow: one error that says so", r.stderr.count("error:") == 1 and "timeout" in r.stderr, r.stderr)


def test_server_killed():
    """The server is killed during a load. The error names what can't be undone."""
    server = Server("secantus", own=True)
    with server as at:
        uri = f"{at}/killed"
        p = subprocess.Popen([MTSQL, "-X", "-v", "VERBOSITY=verbose", uri, "-c", CREATE.format("t").replace("USING nested WITH (levels = 'ts, name')", "USING rows"),
                              "-c", "COPY t FROM STDIN WITH (FORMAT csv, EPOCH 's')"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        db = pymongo.MongoClient(uri).get_default_database()
        line = b"1600000000,some name,1\n"
        while p.poll() is None and not db["t"].count_documents({}):
            p.stdin.write(line * 5000)
            p.stdin.flush()
        for pid in server.processes():
            os.kill(pid, signal.SIGKILL)
        try:
            p.stdin.write(line * 200000)
        except BrokenPipeError:
            pass
        _, err = p.communicate(timeout=HANG_S)
        err = err.decode()
        same("killed: exit", p.returncode, 2)
        check("killed: one clear error", len(LOST.findall(err)) == 1, err)
        check("killed: says what may remain", 'WARNING:  the statement could not be undone completely: documents of it may remain in "t"' in err, err)


def test_server_gone():
    """The server ends while a session is idle for so long that the driver checks the connection."""
    server = Server("secantus", own=True)
    with server as at:
        stop = f"\\! kill -9 {' '.join(map(str, server.processes()))}; sleep 0.7"
        p = subprocess.Popen([MTSQL, "-X", f"{at}/gone?heartbeatFrequencyMS=500"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        try:
            _, err = p.communicate(f"CREATE TABLE t (a integer);\n{stop}\nSELECT count(*) FROM t;\n".encode(), timeout=HANG_S)
        except subprocess.TimeoutExpired:
            p.kill()
            err = b"nothing, for ever"
        check("gone: says why", b"Connection refused" in err, err.decode())


def test_cursor_not_found():
    def more(fake, command):
        return error(43, "CursorNotFound", "cursor id 99 not found")

    def aggregate(fake, command):
        return batch("test.events", [{"n": 1}] * 101, cursor=99) if command["aggregate"] == "events" else empty_collection(fake, command)

    with Fake({"aggregate": aggregate, "getMore": more}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "--aggregate", "events", "[]")
        same("expired cursor: exit", r.returncode, 3)
        check("expired cursor: error", "ERROR:  34000: cursor id 99 not found" in r.stderr, r.stderr)
        same("expired cursor: what came is printed", r.stdout.count("\n"), 101)


def test_unknown_outcome():
    """The answer of a write is lost. The statement fails with 08007, and is undone over the next
    connection.
    """
    cuts = iter([CUT])

    with Fake({**keeping(), "insert": lambda f, c: next(cuts, {"n": 1, "ok": 1.0})}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "-c", CREATE.format("t"), "-c", "INSERT INTO t VALUES ('2020-01-01', 'x', 1)")
        same("unknown outcome: exit", r.returncode, 2)
        check("unknown outcome: error", "ERROR:  08007: connection to the server was lost" in r.stderr and "not known" in r.stderr, r.stderr)
        check("unknown outcome: undone", [c["delete"] for c in fake.named("delete") if c["delete"] != "_mtsql_catalog"] == ["t"], str(fake.named("delete")))


def main():
    test_start()
    test_slow()
    test_server_killed()
    test_server_gone()
    test_cursor_not_found()
    test_unknown_outcome()
    with tempfile.TemporaryDirectory(prefix="mtsql-failure-") as folder, database(chosen(), "failure") as uri:
        port = int(re.search(r":(\d+)/", uri)[1])
        proxy = Proxy(port)
        through = uri.replace(f":{port}/", f":{proxy.port}/")
        r = mtsql(uri, "-c", CREATE.format("filled").replace("USING nested WITH (levels = 'ts, name')", "USING rows"), "-c",
                  f"COPY filled FROM '{rows(folder, ROWS)}' WITH (EPOCH 's')")
        assert r.returncode == 0, r.stderr
        test_query(proxy, uri, through)
        test_load(proxy, uri, through, folder)
        test_ddl(proxy, uri, through)
        test_terminal(proxy, uri, through)
        test_late_insert(uri, port)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

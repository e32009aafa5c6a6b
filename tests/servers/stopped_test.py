#!/usr/bin/env python3
"""A real server that is stopped (SIGSTOP), and goes on later. Ctrl-C and statement_timeout return
the prompt. The session goes on when the server does, and the cancelled changes are not there. The
connection's own limits end no wait, since each is longer than a test may take. If a server is a
PostgreSQL behind another process, one case stops PostgreSQL alone.

    stopped_test.py [SERVER]
"""
import os
import signal
import sys

from checks import HANG_S, check, finish, mtsql, same, still, until
from proxy import Proxy
from server import CANNOT, Server, chosen, with_database
from terminal import Terminal

PATIENT = f"?connectTimeoutMS={2000 * HANG_S}&serverSelectionTimeoutMS={2000 * HANG_S}"
COLUMNS = "(ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE)"
SETUP = (f"CREATE TABLE plain {COLUMNS} USING rows", f"CREATE TABLE packed {COLUMNS} USING rows", "ALTER TABLE packed ADD LAYOUT days USING per_day",
         *[f"INSERT INTO {t} SELECT '2020-01-01'::timestamptz + make_interval(secs => i), 'a', i FROM generate_series(1, 300) i" for t in ("plain", "packed")])
STATEMENTS = ("SELECT count(*), sum(v) FROM plain", "SELECT k, sum(v) FROM packed GROUP BY k", "INSERT INTO plain VALUES ('2021-01-01', 'b', 1)",
              "INSERT INTO packed VALUES ('2021-01-01', 'b', 1)", "DELETE FROM plain WHERE v = 7", "UPDATE packed SET v = 0 WHERE v = 7",
              f"CREATE TABLE another {COLUMNS} USING rows", "\\d", "EXPLAIN ANALYZE SELECT count(*) FROM plain")
WHOLE = "SELECT count(*), sum(v) FROM plain"


def stat(path):
    """Returns the state and the parent of a process or a thread, or ("X", 0) if it has ended."""
    try:
        with open(path, encoding="utf-8") as f:
            state, parent = f.read().rpartition(")")[2].split()[:2]
            return state, int(parent)
    except OSError:
        return "X", 0


def children(pid):
    return [int(p) for p in os.listdir("/proc") if p.isdigit() and stat(f"/proc/{p}/stat")[1] == pid]


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
        return f.read().strip()


def stands(pid):
    """Returns whether all threads are stopped. A thread that waits for its turn can go on for a
    while after the signal.
    """
    try:
        return all(stat(f"/proc/{pid}/task/{t}/stat")[0] in "TZX" for t in os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return True


class Stopped:
    """Processes, and all processes that they started."""

    def __init__(self, pids, port):
        self.roots, self.proxy, self.still = pids, Proxy(port), []

    def halt(self, pid):
        try:
            os.kill(pid, signal.SIGSTOP)
        except ProcessLookupError:
            return
        self.still.append(pid)
        until(lambda: stands(pid))
        for child in children(pid):
            self.halt(child)

    def stop(self):
        """Stops the processes. Returns when the server has a command to answer, and can't."""
        for pid in self.roots:
            self.halt(pid)
        self.proxy.plan()

    def go_on(self):
        while self.still:
            try:
                os.kill(self.still.pop(), signal.SIGCONT)
            except ProcessLookupError:
                pass

    def asked(self):
        until(lambda: self.proxy.passed["up"] > 0)


def prompt(t):
    shown = t.until("\nmtsql")
    t.until("=> ")
    return shown


def one(stopped, target, statement, late, which):
    what = f"{which}{'timeout' if late else 'Ctrl-C'} {statement[:30]}"
    t = Terminal(target)
    t.until("=> ")
    if late:
        t.send("SET statement_timeout = '1s';\n")
        prompt(t)
    stopped.stop()
    try:
        t.send(statement + ("\n" if statement.startswith("\\") else ";\n"))
        stopped.asked()
        if not late:
            t.send("\x03")
        shown = prompt(t)
        check(f"{what}: error", f"ERROR:  canceling statement due to {'statement timeout' if late else 'user request'}" in shown, shown)
        check(f"{what}: one error", shown.count("ERROR:") == 1, shown)
    finally:
        stopped.go_on()
    t.send("RESET statement_timeout;\n")
    prompt(t)
    t.send(WHOLE + ";\n")
    shown = prompt(t)
    check(f"{what}: the session goes on", "(1 row)" in shown, shown)
    stopped.stop()
    try:
        t.send("\\q\n")
        same(f"{what}: exit", t.end(), 0)
    finally:
        stopped.go_on()


def content(uri):
    r = mtsql("-qAt", uri, "-c", "SELECT count(*), sum(v) FROM plain", "-c", "SELECT count(*), sum(v) FROM packed")
    return r.stdout + r.stderr


def each(pids, direct, which):
    host = direct.removeprefix("mongodb://").rpartition("@")[2].partition("/")[0]
    stopped = Stopped(pids, int(host.partition(":")[2]))
    way = direct.replace(host, f"127.0.0.1:{stopped.proxy.port}")
    for late in (False, True):
        for statement in STATEMENTS:
            one(stopped, way.partition("?")[0] + PATIENT, statement, late, which)


def unfinished(uri):
    """Returns the intents of statements that did not end."""
    r = mtsql(uri, "--aggregate", "_mtsql_catalog", '[{"$match": {"kind": "intent"}}]')
    return r.stdout + r.stderr


def main():
    server = Server(chosen(), own=True)
    with server as uri:
        pids = server.processes()
        if not pids:
            print("SKIP its processes aren't ours to stop")
            return CANNOT
        behind = [pid for pid in pids if name_of(pid) == "postgres"]
        direct = with_database(uri, "stopped")
        made = mtsql(direct, *[a for s in SETUP for a in ("-c", s)])
        assert made.returncode == 0, made.stderr
        before = content(direct)
        each(pids, direct, "")
        if behind:
            each(behind, direct, "PostgreSQL, ")
        still(lambda: content(direct))
        same("nothing of it stays", content(direct), before)
        still(lambda: unfinished(direct))
        same("nothing is to be repaired", unfinished(direct), "")
    return finish()


if __name__ == "__main__":
    sys.exit(main())

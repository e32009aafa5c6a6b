#!/usr/bin/env python3
"""A real server that stands still (SIGSTOP), and goes on later: Ctrl-C and statement_timeout give the prompt back, the session
goes on with the server, and what was cancelled isn't there afterwards. No limit of the connection's ends the wait: each is
longer than a test may take.

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


class Stopped:
    def __init__(self, server, port):
        self.pids, self.proxy = server.processes(), Proxy(port)

    def signal(self, number):
        for pid in self.pids:
            os.kill(pid, number)

    def stop(self):
        """Returns when the server has something to answer, and can't."""
        self.signal(signal.SIGSTOP)
        self.proxy.plan()

    def asked(self):
        until(lambda: self.proxy.passed["up"] > 0)


def prompt(t):
    shown = t.until("\nmtsql")
    t.until("=> ")
    return shown


def one(stopped, target, statement, late):
    what = f"{'timeout' if late else 'Ctrl-C'} {statement[:30]}"
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
        stopped.signal(signal.SIGCONT)
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
        stopped.signal(signal.SIGCONT)


def content(uri):
    r = mtsql("-qAt", uri, "-c", "SELECT count(*), sum(v) FROM plain", "-c", "SELECT count(*), sum(v) FROM packed")
    return r.stdout + r.stderr


def main():
    server = Server(chosen(), own=True)
    with server as uri:
        if not server.processes():
            print("SKIP its processes aren't ours to stop")
            return CANNOT
        direct = with_database(uri, "stopped")
        host, _, rest = direct.removeprefix("mongodb://").rpartition("@")[2].partition("/")
        stopped = Stopped(server, int(host.partition(":")[2]))
        target = direct.replace(host, f"127.0.0.1:{stopped.proxy.port}").partition("?")[0] + PATIENT
        made = mtsql(direct, *[a for s in SETUP for a in ("-c", s)])
        assert made.returncode == 0, made.stderr
        before = content(direct)
        for late in (False, True):
            for statement in STATEMENTS:
                one(stopped, target, statement, late)
        still(lambda: content(direct))
        same("nothing of it stays", content(direct), before)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Statistics of a table in a store. Other sessions see those of each INSERT. Kills and ROLLBACK
leave the right ones.
"""
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run, same
from command import MTSQL, shell

SETUP = "CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION, v int MEASURE) USING rows;"
ROWS = "SELECT reltuples FROM pg_class WHERE relname = 't'"
# Plans rely on these numbers: the time after all rows, and a column without NULL.
NEW = "SELECT count(*), count(k) FROM t WHERE ts >= '2030-01-01+00'"


class Session:
    """A shell that stays open."""

    def __init__(self, target):
        self.p = subprocess.Popen([MTSQL, "-XqAt", target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, sql):
        self.p.stdin.write(f"{sql};\n\\echo done\n")
        self.p.stdin.flush()
        return "".join(iter(self.p.stdout.readline, "done\n"))

    def end(self, kill=False):
        if kill:
            os.kill(self.p.pid, signal.SIGKILL)
        self.p.stdin.close()
        self.p.wait()
        self.p.stdout.close()


def store(folder):
    target = os.path.join(folder, "s.mts")
    p = shell("-q", target, text=SETUP)
    same("made", (p.returncode, p.stderr), (0, ""))
    return target


def test_other_sessions(folder):
    target = store(folder)
    a, b = Session(target), Session(target)
    for n in range(1, 5):
        (a, b)[n % 2].ask(f"INSERT INTO t VALUES ('{2020 + n}-01-01+00', 'x', {n})")
        same(f"after {n} rows", [x.ask(ROWS) for x in (a, b)], [f"{n}\n"] * 2)
    same("none yet", b.ask(NEW), "0|0\n")
    a.ask("INSERT INTO t VALUES ('2031-01-01+00', NULL, 5)")
    same("a later time, and NULL", b.ask(NEW), "1|0\n")
    a.ask("DELETE FROM t WHERE v < 3")
    same("after DELETE", b.ask(ROWS), "3\n")
    b.ask("TRUNCATE t")
    a.ask("INSERT INTO t VALUES ('2022-01-01+00', 'x', 1)")
    same("after TRUNCATE", [x.ask(ROWS) for x in (a, b)], ["1\n"] * 2)
    b.ask("ALTER TABLE t RENAME TO u; CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION, v int MEASURE) USING rows")
    same("another table", a.ask(ROWS), "-1\n")
    same("the renamed one", a.ask(ROWS.replace("'t'", "'u'")), "1\n")
    a.end()
    b.end()


def test_undone(folder):
    target = store(folder)
    a, b = Session(target), Session(target)
    a.ask("BEGIN; INSERT INTO t VALUES ('2024-01-01+00', 'x', 1)")
    same("in the block", a.ask(ROWS), "1\n")
    same("outside", b.ask(ROWS), "-1\n")
    a.ask("SAVEPOINT p; INSERT INTO t VALUES ('2034-01-01+00', 'x', 2); ROLLBACK TO p; COMMIT")
    same("rolled back to the savepoint", [x.ask(ROWS) for x in (a, b)], ["1\n"] * 2)
    a.ask("BEGIN; INSERT INTO t VALUES ('2034-01-01+00', 'x', 2); ROLLBACK")
    b.ask("INSERT INTO t VALUES ('2035-01-01+00', NULL, 3)")
    same("after ROLLBACK", [x.ask(ROWS) for x in (a, b)], ["2\n"] * 2)
    same("rows", a.ask(NEW), "1|0\n")
    a.end()
    b.end()


def test_killed(folder):
    target = store(folder)
    for n in range(1, 4):
        a = Session(target)
        for _ in range(70):
            a.ask(f"INSERT INTO t VALUES ('{2028 + n}-01-01+00', NULL, 1)")
        a.end(kill=True)
        p = shell("-XqAt", target, text=f"{ROWS};{NEW};")
        same(f"after kill {n}", p.stdout, f"{70 * n}\n{70 * (n - 1)}|0\n")
    check("read-only", shell("-XqAt", "--read-only", target, text=ROWS + ";").stdout == "210\n")


sys.exit(run(globals()))

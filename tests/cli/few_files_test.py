#!/usr/bin/env python3
"""Statements with little memory and much temporary data need few open files.

With work_mem = '64kB' each statement writes some hundred times as much as it may hold. The process
may open 40 files. Several threads read a stored table, if there are several processors.
"""
import os
import resource
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from cases import run, same  # noqa: E402
from command import shell  # noqa: E402

FILES = 40
ROWS, KEYS = 200_000, 50_000
SERIES = f"generate_series(1, {ROWS}) i"
TEXTS = f"SELECT md5(i::text) AS k, i FROM {SERIES}"
FEWER = f"SELECT md5((i % {KEYS})::text) AS k, i FROM {SERIES}"
HALF = f"SELECT md5(i::text) AS k FROM generate_series({ROWS // 2 + 1}, {ROWS + ROWS // 2}) i"

# Statements, and their rows.
QUERIES = {
    "sort": (
        "SELECT count(*), bool_and(k > before) FROM"
        f" (SELECT k, lag(k) OVER () AS before FROM (SELECT k FROM ({TEXTS}) x ORDER BY k) y) z",
        f"{ROWS}|t",
    ),
    "sort of long rows": (
        "SELECT sum(n) FROM (SELECT length(t) AS n FROM"
        f" (SELECT repeat(k, 100) AS t FROM ({TEXTS}) x WHERE i <= 5000) y ORDER BY t) z",
        f"{5000 * 3200}",
    ),
    "window": (
        f"SELECT count(*), max(r), sum(s) FROM (SELECT rank() OVER (ORDER BY k) AS r,"
        f" count(*) OVER (PARTITION BY i % 3) - {ROWS // 3} AS s FROM ({TEXTS}) x) y",
        f"{ROWS}|{ROWS}|{2 * (ROWS // 3 + 1)}",
    ),
    "group": (
        "SELECT count(*), min(n), max(n) FROM"
        f" (SELECT k, count(*) AS n FROM ({FEWER}) x GROUP BY k) y",
        f"{KEYS}|{ROWS // KEYS}|{ROWS // KEYS}",
    ),
    "distinct": (f"SELECT count(*) FROM (SELECT DISTINCT k FROM ({FEWER}) x) y", f"{KEYS}"),
    "distinct values": (f"SELECT count(DISTINCT k) FROM ({FEWER}) x", f"{KEYS}"),
    "join": (f"SELECT count(*) FROM ({TEXTS}) x JOIN ({HALF}) y USING (k)", f"{ROWS // 2}"),
    "full join": (
        f"SELECT count(*), count(x.k), count(y.k) FROM ({TEXTS}) x FULL JOIN ({HALF}) y USING (k)",
        f"{ROWS + ROWS // 2}|{ROWS}|{ROWS}",
    ),
    "union": (
        f"SELECT count(*) FROM (SELECT k FROM ({TEXTS}) x UNION {HALF}) y",
        f"{ROWS + ROWS // 2}",
    ),
    "except": (f"SELECT count(*) FROM (SELECT k FROM ({TEXTS}) x EXCEPT {HALF}) y", f"{ROWS // 2}"),
    "many at once": (
        "SELECT count(*), min(n), max(n) FROM (SELECT a.k, count(*) AS n"
        f" FROM ({FEWER}) a JOIN ({TEXTS}) b USING (k) GROUP BY k ORDER BY k) c"
        f" JOIN ({TEXTS}) d USING (k)",
        f"{KEYS - 1}|{ROWS // KEYS}|{ROWS // KEYS}",
    ),
}


def answers(statements, *args):
    texts = (a for s in ("SET work_mem = '64kB'", *statements) for a in ("-c", s))
    limit = (resource.RLIMIT_NOFILE, (FILES, FILES))
    p = shell("-qAt", *args, *texts, preexec_fn=lambda: resource.setrlimit(*limit))
    return p.stdout, p.stderr


def test_few_files():
    for what, (sql, rows) in QUERIES.items():
        same(what, answers([sql]), (rows + "\n", ""))


def test_threads(folder):
    place = os.path.join(folder, "store")
    made = [f"CREATE TABLE t (k text, i int); INSERT INTO t {TEXTS}"]
    same("load", answers(made, place), ("", ""))
    groups = "SELECT count(*), sum(n) FROM (SELECT k, count(*) AS n FROM t GROUP BY k) x"
    same("group", answers([groups], place), (f"{ROWS}|{ROWS}\n", ""))
    for what in ("sort", "window", "join"):
        sql, rows = QUERIES[what]
        stored = sql.replace(f"({TEXTS})", "t")
        same(stored, answers([stored], place), (rows + "\n", ""))


if __name__ == "__main__":
    sys.exit(run(globals()))

#!/usr/bin/env python3
"""Measures one small statement inside a process: mtsql (latency.c) beside SQLite and DuckDB, in one
run.

    latency.py [--build DIR] [--runs N] [--output FILE]

The times are medians of N runs, from the statement's text to the last row's values. The peers run
within Python, so their times include some microseconds of Python's for each call. mtsql's rows are
formatted as text. The last statements are planned on layouts with four levels of nested documents.
"""
import argparse
import os
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time

from page import wrapped

TEN = ("!CREATE TABLE ten (id int DIMENSION, name text DIMENSION, v double precision MEASURE, ts timestamptz TIME)",
       "!INSERT INTO ten SELECT g, 'n' || g, g * 1.5, timestamptz '2020-01-01 00:00+00' + g * interval '1 minute' FROM generate_series (1, 10) g",
       "!CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s', iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE) "
       "USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts')",
       "!ALTER TABLE calls ADD LAYOUT by_time USING nested WITH (levels = 'ts, vCmdid, iResult, vAppid', presum = 'ts, vCmdid')",
       "!INSERT INTO calls SELECT timestamptz '2020-01-01 00:00+00' + g * interval '1 minute', 'r' || g % 2, 'c' || g % 3, 'a' || g % 2, g FROM generate_series (1, 10) g")
SAME = ("SELECT 1",
        "SELECT * FROM ten",
        "SELECT id, name, v FROM ten WHERE id > 3 AND name LIKE 'n%' ORDER BY v DESC LIMIT 5",
        "SELECT name, count(*), sum(v), avg(v) FROM ten WHERE ts >= '2020-01-01' GROUP BY name HAVING count(*) > 0 ORDER BY 3 DESC",
        "SELECT a.id, b.name FROM ten a JOIN ten b ON a.id = b.id WHERE a.v > 2",
        "SELECT id, rank() OVER (ORDER BY v) FROM ten",
        "WITH big AS (SELECT * FROM ten WHERE v > 3) SELECT name FROM big WHERE id IN (SELECT id FROM ten WHERE v < 9)")
LEVELS = ("SELECT ts, count(*) FROM calls GROUP BY ts",
          "SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' AND ts >= '2020-01-01' GROUP BY ts, vCmdid HAVING sum(totalCount) > 0 ORDER BY 1, 2")


def ours(build, folder, runs):
    out = subprocess.run([f"{build}/latency", os.path.join(folder, "store"), str(runs)], input="\n".join(TEN + SAME + LEVELS) + "\n", text=True, check=True, stdout=subprocess.PIPE).stdout
    return [(float(p), float(a), int(n)) for p, a, n, _ in (line.split("\t") for line in out.splitlines())]


def peer(execute, runs):
    execute("CREATE TABLE ten (id int, name text, v double precision, ts timestamp)")
    for g in range(1, 11):
        execute(f"INSERT INTO ten VALUES ({g}, 'n{g}', {g * 1.5}, '2020-01-01 00:{g:02}:00')")
    found = []
    for sql in SAME:
        times, rows = [], []
        for _ in range(runs):
            start = time.perf_counter()
            rows = execute(sql).fetchall()
            times.append((time.perf_counter() - start) * 1e3)
        found.append((statistics.median(times), len(rows)))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=1001)
    parser.add_argument("--output")
    args = parser.parse_args()
    import duckdb
    folder = tempfile.mkdtemp(prefix="latency-")
    try:
        mine = ours(os.path.abspath(args.build), folder, args.runs)
        lite, duck = peer(sqlite3.connect(":memory:", cached_statements=0).execute, args.runs), peer(duckdb.connect(":memory:", config={"threads": 1}).execute, args.runs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    lines = ["# One statement in a process", "",
             f"Milliseconds, medians of {args.runs} runs, tables of ten rows, made by `make bench-latency`. SQLite {sqlite3.sqlite_version} and DuckDB {duckdb.__version__} (1 thread) are called from Python.", "",
             "| statement | planned | to the last row | goal | SQLite | ratio | DuckDB | ratio |", "|---|---|---|---|---|---|---|---|"]
    for i, sql in enumerate(SAME + LEVELS):
        plan, all_ms, rows = mine[i]
        goal = "planned in 1" if i >= len(SAME) else "0.3"
        met = "yes" if (plan if i >= len(SAME) else all_ms) < (1 if i >= len(SAME) else 0.3) else "NO"
        line = f"| `{sql.replace('|', chr(92) + '|')}` | {plan:.3f} | {all_ms:.3f} | {goal}: {met} |"
        if i < len(SAME):
            if not rows == lite[i][1] == duck[i][1]:
                raise SystemExit(f"{sql}: {rows}, {lite[i][1]} and {duck[i][1]} rows")
            line += "".join(f" {ms:.3f} | {all_ms / ms:.2f} |" for ms, _ in (lite[i], duck[i]))
        else:
            line += " | | | |"
        lines.append(line)
    print("\n".join(lines))
    if args.output:
        with open(args.output, "w", encoding="utf-8") as f:
            f.write(wrapped("\n".join(lines)) + "\n")


if __name__ == "__main__":
    main()

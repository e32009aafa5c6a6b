#!/usr/bin/env python3
"""Measures how long Ctrl-C and statement_timeout take.

    bench/cancel.py [--build build] [--runs 3] [--after 1.0] [NAME …]

For each statement of a list, it prints the time from the signal to the next statement's answer, and
the time by which the timeout is exceeded: in milliseconds, the median and the worst of some runs.
tests/torture/cancel_list.py runs the same list, and asserts no times.
"""
import argparse
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = "generate_series(1, 30000000)"
CHAIN = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "

# name, statements before it, the statement, which takes more than some seconds
STATEMENTS = [
    ("series", [], f"SELECT count(*) FROM {ROWS} a, generate_series(1, 1000) b"),
    ("sort spilled", ["SET work_mem = '1MB'"], f"SELECT g FROM (SELECT md5(g::text) AS g FROM {ROWS} g) s ORDER BY g OFFSET 29999999"),
    ("group spilled", ["SET work_mem = '1MB'"], f"SELECT count(*) FROM (SELECT md5(g::text) AS m, count(*) FROM {ROWS} g GROUP BY 1) s"),
    ("join spilled", ["SET work_mem = '1MB'"], f"SELECT count(*) FROM {ROWS} a JOIN {ROWS} b ON a * 7 = b * 3"),
    ("distinct", [], f"SELECT count(DISTINCT md5(g::text)) FROM {ROWS} g"),
    ("window", [], f"SELECT sum(r) FROM (SELECT row_number() OVER (PARTITION BY g % 7 ORDER BY md5(g::text)) AS r FROM {ROWS} g) s"),
    ("string_agg", [], f"SELECT length(string_agg(md5(g::text), ',' ORDER BY g DESC)) FROM generate_series(1, 8000000) g"),
    ("array_agg", [], "SELECT cardinality(array_agg(g)) FROM generate_series(1, 8000000) g"),
    ("percentile", ["SET work_mem = '1GB'"], f"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY g * 7 % 1000003) FROM {ROWS} g"),
    ("regex", [], "SELECT count(*) FROM generate_series(1, 100) g WHERE repeat('a', 40000 + g) ~ 'a*[de]'"),
    ("regexp_replace", [], "SELECT length(regexp_replace(repeat('ab ', 3000000 + g), '(a)(b) ', '\\2\\1 ', 'g')) FROM generate_series(1, 1000) g"),
    ("regexp_split", [], "SELECT count(*) FROM generate_series(1, 1000) g, regexp_split_to_table(repeat('ab ', 300000), ' +') s"),
    ("replace", [], "SELECT sum(length(replace(repeat('ab ', 10000000 + g), 'b', 'cc'))) FROM generate_series(1, 1000) g"),
    ("numeric", [], "SELECT sum(exp(ln((g % 1000 + 1)::numeric))) FROM generate_series(1, 30000000) g"),
    ("jsonb", [], "SELECT count(*) FROM generate_series(1, 10000) g WHERE (SELECT jsonb_agg(x + g) FROM generate_series(1, 10000) x) @> '[1]'"),
    ("recursive", [], CHAIN + "SELECT sum(n) FROM r"),
    ("with", [], CHAIN + "SELECT count(*) FROM r a JOIN r b USING (n)"),
    ("lateral", [], "SELECT count(*) FROM generate_series(1, 100000) a, LATERAL (SELECT count(*) FROM generate_series(1, a * 10) b) l"),
    ("output", [], f"SELECT g, md5(g::text) FROM {ROWS} g"),
    ("insert", ["CREATE TABLE t (a bigint, b text)"], f"INSERT INTO t SELECT g, md5(g::text) FROM {ROWS} g"),
    ("planning", [], "WITH " + ", ".join([f"c{i} AS MATERIALIZED (SELECT {'+'.join(['a'] * 20)} AS a FROM " + (f"c{i - 1} x" if i else "(VALUES (1)) v (a)") + ")" for i in range(5000)]) + " SELECT a FROM c4999"),
    ("sleep", [], "SELECT pg_sleep(100)"),
]


def spawn(build, folder, before, statement, timeout=None):
    """Starts the shell, which prints `started` before the statement and `over` after it."""
    words = [str(build / "mtsql"), "-X", "-q", "-v", "ON_ERROR_STOP=0", str(folder / "store")]
    if timeout:
        before = [*before, f"SET statement_timeout = '{timeout}ms'"]
    script = "".join(f"{s};\n" for s in before) + "\\warn started\n" + statement + ";\n\\warn over\nSELECT 'goes on' AS w \\gset\n\\warn :w\n"
    (folder / "script.sql").write_text(script)
    return subprocess.Popen([*words, "-f", str(folder / "script.sql")], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def until(process, word, seen):
    for line in process.stderr:
        seen.append(line)
        if line.strip() == word:
            return time.monotonic()
    return None


def one_run(build, before, statement, after, timeout=None):
    """Returns the delay in milliseconds, and the shell's output. The delay is None if the statement
    ended by itself.
    """
    with tempfile.TemporaryDirectory(prefix="cancel-") as name:
        p, seen = spawn(build, pathlib.Path(name), before, statement, timeout), []
        started = until(p, "started", seen)
        if timeout:
            due = started + timeout / 1000
        else:
            time.sleep(after)
            due = time.monotonic()
            p.send_signal(signal.SIGINT)
        over = until(p, "over", seen)
        seen.append(p.stderr.read())
        p.wait()
        said = "".join(seen)
        return (over - due) * 1000 if over and "canceling statement" in said else None, said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--after", type=float, default=1.0)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    build = (ROOT / args.build).resolve()
    print(f"{'statement':16} {'Ctrl-C ms':>10} {'worst':>8} {'timeout ms':>11} {'worst':>8}")
    for name, before, statement in STATEMENTS:
        if args.names and name not in args.names:
            continue
        columns = []
        for timeout in (None, int(args.after * 1000)):
            times = [one_run(build, before, statement, args.after, timeout)[0] for _ in range(args.runs)]
            times = [t for t in times if t is not None]
            columns += [f"{statistics.median(times):.0f}", f"{max(times):.0f}"] if times else ["ended", "-"]
        print(f"{name:16} {columns[0]:>10} {columns[1]:>8} {columns[2]:>11} {columns[3]:>8}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

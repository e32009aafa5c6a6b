#!/usr/bin/env python3
"""pgbench with a script of its own, by each of its protocols, and with clients that write at once."""
import glob
import pathlib
import re
import subprocess
import sys

from listening import HANG_S, free_of_libpq, listening
from cases import check, run, same
import psycopg

PGBENCH = next(iter(sorted(glob.glob("/usr/lib/postgresql/15/bin/pgbench"))), None)
READS = "\\set h random(0, 9)\nSELECT sum(v) FROM t WHERE host = 'h' || :h;\n"
WRITES = "\\set id random(1, 1000)\nBEGIN;\nUPDATE account SET n = n + 1 WHERE id = :client_id;\nINSERT INTO log VALUES (:client_id, :id);\nEND;\n"
READS_ROW = "\\set id random(0, 9)\nSELECT n AS found FROM account WHERE id = :id \\gset\n\\if :found < 0\nSELECT 1 / 0;\n\\endif\nSELECT count(*) FROM account WHERE n = :found;\n"


def pgbench(s, *options):
    p = subprocess.run([PGBENCH, "-h", "127.0.0.1", "-p", str(s.port), "-U", "tester", *options, "s"], capture_output=True, text=True, env=free_of_libpq(), timeout=HANG_S)
    check(f"pgbench {options}: {p.stderr}{p.stdout}", p.returncode == 0)
    found = re.search(r"transactions actually processed: (\d+)", p.stdout)
    return int(found.group(1)) if found else 0


def bench(s, folder, script, *options):
    path = pathlib.Path(folder) / "script.sql"
    path.write_text(script)
    return pgbench(s, "-n", "-f", str(path), *options)


def test_scripts(folder):
    if not PGBENCH:
        print("SKIP no pgbench 15")
        return
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        c.execute("CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts')")
        c.execute("INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '1 min', 'h' || i % 10, i FROM generate_series (0, 9999) i")
        c.execute("CREATE TABLE account (id int PRIMARY KEY, n int); CREATE TABLE log (id int, n int); INSERT INTO account SELECT i, 0 FROM generate_series (0, 9) i")
        for protocol in ("simple", "extended", "prepared"):
            same(f"reads, {protocol}", bench(s, folder, READS, "-M", protocol, "-c", "4", "-j", "2", "-t", "25"), 100)
            same(f"\\gset and \\if, {protocol}", bench(s, folder, READS_ROW, "-M", protocol, "-t", "20"), 20)
        for protocol in ("simple", "prepared"):
            same(f"writes, {protocol}", bench(s, folder, WRITES, "-M", protocol, "-c", "4", "-j", "2", "-t", "10"), 40)
        same("no change was lost", c.execute("SELECT (SELECT sum(n) FROM account), (SELECT count(*) FROM log)").fetchone(), (80, 80))
        same("a connection for each transaction", bench(s, folder, "SELECT 1;\n", "-C", "-t", "30"), 30)


def test_own_scripts(folder):
    """pgbench's tables and its built-in scripts."""
    if not PGBENCH:
        print("SKIP no pgbench 15")
        return
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        pgbench(s, "-i", "-q")
        same("accounts", c.execute("SELECT count(*), sum(abalance) FROM pgbench_accounts").fetchone(), (100000, 0))
        for script in ("tpcb-like", "simple-update", "select-only"):
            same(script, pgbench(s, "-n", "-b", script, "-M", "prepared", "-c", "3", "-t", "5"), 15)
        sums = c.execute("SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(delta) FROM pgbench_history), (SELECT count(*) FROM pgbench_history)").fetchone()
        same("no change was lost", (sums[0], sums[2]), (sums[1], 30))


sys.exit(run(globals()))

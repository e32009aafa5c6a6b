#!/usr/bin/env python3
"""Kills the command in the middle of transactions of several statements (SIGKILL, at random moments): each transaction is whole in all tables and
layouts, or didn't happen, and what was acknowledged is there. Usage: transaction_kill.py [KILLS]"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MTSQL = os.environ.get("MTSQL", str(ROOT / os.environ.get("BUILD", "build") / "mtsql"))
SETUP = """
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k', presum = 'ts');
CREATE TABLE total (n bigint);
INSERT INTO total VALUES (0);
"""


def transaction(i):
    """Adds row i to t and to the total, by way of rows that are taken back."""
    return f"""BEGIN;
INSERT INTO t VALUES ('2020-01-01 00:00+00'::timestamptz + {i} * interval '1 minute', 'k{i % 3}', {i});
CREATE TABLE made_{i % 2} (n bigint);
INSERT INTO made_{i % 2} VALUES ({i});
SAVEPOINT s;
DELETE FROM t;
UPDATE total SET n = -1;
ROLLBACK TO s;
UPDATE total SET n = n + (SELECT n FROM made_{i % 2});
DROP TABLE IF EXISTS made_{(i + 1) % 2};
{"UPDATE t SET n = n;" if i % 7 == 0 else ""}
COMMIT;
\\echo {i}
"""


def run(store, sql):
    p = subprocess.run([MTSQL, "-X", "-q", "-t", "--csv", store], input=sql, capture_output=True, text=True)
    if p.returncode:
        sys.exit(f"{sql[:200]}: {p.stderr}")
    return [line.split(",") for line in p.stdout.splitlines() if line]


def check(store, when, acknowledged):
    answers = [run(store, f"SET layout = '{layout}'; SELECT count(*), max(n), sum(n) FROM t;")[0] for layout in ("rows", "packed")]
    total = run(store, "SELECT n FROM total;")
    if answers[0] != answers[1] or len(total) != 1 or (answers[0][2] or "0") != total[0][0]:
        sys.exit(f"{when}: half a transaction is there: {answers}, total {total}")
    count, last = int(answers[0][0]), int(answers[0][1] or 0)
    if count != last or last < acknowledged:
        sys.exit(f"{when}: {count} rows up to {last}, acknowledged were {acknowledged}")
    if last and run(store, f"SELECT n FROM made_{last % 2};") != [[str(last)]]:
        sys.exit(f"{when}: the table that transaction {last} made isn't there, or another")
    return last


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    seed = int(os.environ.get("SEED", time.time()))
    random.seed(seed)
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory(prefix="mtsql-transactions-") as folder:
        store, out = f"{folder}/store", pathlib.Path(folder) / "out"
        run(store, SETUP)
        last = 0
        for n in range(kills):
            with open(out, "w") as f:
                writer = subprocess.Popen([MTSQL, "-X", "-q", store], stdin=subprocess.PIPE, stdout=f, stderr=subprocess.DEVNULL, text=True)
                writer.stdin.write("".join(transaction(last + 1 + i) for i in range(100)))
                writer.stdin.flush()
                time.sleep(random.uniform(0.02, 0.5))
                writer.kill()
                if writer.wait() != -9:
                    sys.exit(f"kill {n}: the writer ended by itself")
            lines = out.read_text().split("\n")[:-1]
            last = check(store, f"kill {n}", int(lines[-1]) if lines else last)
    print(f"{kills} kills amidst {last} transactions: each whole, in all tables and layouts")
    if last < kills / 2:
        sys.exit("hardly anything was committed: the test says nothing")


main()

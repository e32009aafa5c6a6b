#!/usr/bin/env python3
"""Kills the command (SIGKILL, at random moments) during transactions of several statements. Each
transaction must be done in all tables and layouts, or in none. What was acknowledged must be there.

    transaction_kill.py [KILLS]
"""
import pathlib
import sys
import tempfile

from kills import mtsql, rows, seeded, writer_killed

SETUP = """
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k', presum = 'ts');
CREATE TABLE total (n bigint);
INSERT INTO total VALUES (0);
"""


def transaction(i):
    """Adds row i to t and to the total. On the way it adds rows, and takes them back."""
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


def check(store, when, acknowledged):
    answers = [rows(store, f"SET layout = '{layout}'; SELECT count(*), max(n), sum(n) FROM t;")[0] for layout in ("rows", "packed")]
    total = rows(store, "SELECT n FROM total;")
    if answers[0] != answers[1] or len(total) != 1 or (answers[0][2] or "0") != total[0][0]:
        sys.exit(f"{when}: half a transaction is there: {answers}, total {total}")
    count, last = int(answers[0][0]), int(answers[0][1] or 0)
    if count != last or last < acknowledged:
        sys.exit(f"{when}: {count} rows up to {last}, acknowledged were {acknowledged}")
    if last and rows(store, f"SELECT n FROM made_{last % 2};") != [[str(last)]]:
        sys.exit(f"{when}: the table that transaction {last} made isn't there, or another")
    return last


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    rng = seeded()
    with tempfile.TemporaryDirectory(prefix="mtsql-transactions-") as folder:
        store = f"{folder}/store"
        mtsql(store, SETUP)
        last = 0
        for n in range(kills):
            killed = writer_killed(store, "".join(transaction(last + 1 + i) for i in range(1000)), pathlib.Path(folder), rng, (0, 0.3), rng.randrange(3))
            if killed.code != -9:
                sys.exit(f"kill {n}: the writer ended by itself: {killed.problems}")
            last = check(store, f"kill {n}", int(killed.acknowledged[-1]) if killed.acknowledged else last)
    print(f"{kills} kills amidst {last} transactions: each whole, in all tables and layouts")
    if last < kills / 2:
        sys.exit("hardly anything was committed: the test says nothing")


main()

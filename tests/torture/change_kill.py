#!/usr/bin/env python3
"""Kills the command (SIGKILL, at random moments) during UPDATE and DELETE. Each statement must be
done in every layout, or in none.

    change_kill.py [KILLS]
"""
import pathlib
import sys
import tempfile

from kills import in_layouts, mtsql, rows, seeded, writer_killed

ROWS = 6000
LAYOUTS = ["rows", "packed", "day", "slot"]
SETUP = f"""
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
CREATE LAYOUT by_slot AS '{{ "keeps": "sums", "key": ["k"], "stores": [ {{ "collection": "slots", "write": "push", "root": {{ "is": "document",
   "bind": [ {{"trunc": "day", "at": "day", "encoding": "date"}}, {{"column": "k"}} ],
   "sub": {{ "is": "slots", "at": "m", "bind": [ {{"part": "minute", "of": "day"}} ], "agg": {{ "n": "c", "measures": {{ "n": "n" }} }} }} }} }} ] }}';
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k', presum = 'ts');
ALTER TABLE t ADD LAYOUT day USING per_day;
ALTER TABLE t ADD LAYOUT slot USING by_slot;
"""
# At any time, all rows have the same n. Half of the rows come and go.
CHANGES = ["UPDATE t SET n = n + 1;", "DELETE FROM t WHERE k IN ('k0', 'k2');",
           "INSERT INTO t SELECT ts, CASE k WHEN 'k1' THEN 'k0' ELSE 'k2' END, n FROM t WHERE (SELECT count(*) FROM t) = %d;" % (ROWS // 2)]


def check(store, when):
    answers = in_layouts(store, LAYOUTS, "SELECT count(*), sum(n) FROM t")
    extremes = rows(store, "SELECT min(n), max(n) FROM t;")[0]
    if len(set(answers)) != 1:
        sys.exit(f"{when}: the layouts differ: {dict(zip(LAYOUTS, answers))}")
    count, total = map(int, answers[0].split("|"))
    if count not in (ROWS, ROWS // 2) or extremes[0] != extremes[1] or total != count * int(extremes[0]):
        sys.exit(f"{when}: half a statement is there: {count} rows, n from {extremes[0]} to {extremes[1]}, {total} together")
    return int(extremes[0]), count


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    rng = seeded()
    with tempfile.TemporaryDirectory(prefix="mtsql-changes-") as folder:
        store = f"{folder}/store"
        lines = "\n".join(f"2020-01-{1 + i // 1440:02d} {i // 60 % 24:02d}:{i % 60:02d}:00+00,k{j},1" for i in range(ROWS // 4) for j in range(4))
        with open(f"{folder}/rows.csv", "w") as f:
            f.write(lines + "\n")
        mtsql(store, SETUP + f"COPY t FROM '{folder}/rows.csv' WITH (FORMAT csv);")
        states = {check(store, "after loading")}
        for n in range(kills):
            start = rng.randrange(len(CHANGES))
            killed = writer_killed(store, "\n\\echo done\n".join((CHANGES[start:] + CHANGES[:start]) * 300), pathlib.Path(folder), rng, (0, 0.3), rng.randrange(3))
            if killed.code != -9:
                sys.exit(f"kill {n}: the writer ended by itself: {killed.problems}")
            states.add(check(store, f"kill {n}"))
    print(f"{kills} kills, {len(states)} states met: every statement whole, in {len(LAYOUTS)} layouts")
    if len(states) < kills / 4:
        sys.exit("hardly anything was changed: the test says nothing")


main()

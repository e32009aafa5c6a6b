#!/usr/bin/env python3
"""The layout from which a server's first rows are read: rows if an index has their order, otherwise
the layout that is cheapest to read as a whole.
"""
import sys

from checks import check, finish
from server import chosen, database
import mtsql

SETUP = ["CREATE TABLE calls (ts timestamptz TIME PERIOD '1 s' NOT NULL, app text DIMENSION NOT NULL, n int MEASURE NOT NULL, ms double precision MEASURE NOT NULL) USING rows",
         "INSERT INTO calls SELECT timestamptz '2024-05-01 00:00+00' + i * interval '1 second', repeat ('application ', 12) || i % 5, i * 7919 % 10007, i FROM generate_series(1, 2000) i",
         "ALTER TABLE calls ADD LAYOUT packed USING per_day", "ANALYZE calls"]
NEWEST, LARGEST = "SELECT ts, n FROM calls ORDER BY ts DESC LIMIT 3", "SELECT ts, n FROM calls ORDER BY n DESC LIMIT 3"
# statement, its layout
CASES = [(NEWEST, "rows"), (LARGEST, "packed"), ("SELECT ts, n FROM calls ORDER BY ts DESC, n LIMIT 3", "packed"), ("SELECT ts, n FROM calls ORDER BY ms DESC LIMIT 3", "packed"),
         ("SELECT ts, n FROM calls ORDER BY ts DESC LIMIT 1500", "packed")]


def main():
    with database(chosen(), "first_rows") as target:
        asked = SETUP + [f"EXPLAIN {sql}" for sql, _ in CASES] + ["CREATE INDEX ON calls (n)", f"EXPLAIN {LARGEST}", NEWEST, LARGEST, "SET layout = packed", NEWEST, LARGEST]
        got = mtsql.run(asked, target)
    for r in got:
        r.must()
    for r, (sql, layout) in zip(got[len(SETUP):], CASES + [("", ""), (f"{LARGEST}, by an index", "rows")]):
        plan = "\n".join(row[0] for row in r.rows or [])
        check(sql or "CREATE INDEX", not layout or f"-> {layout} on calls" in plan, plan)
    check("the rows are the same", [r.rows for r in got[-5:-3]] == [r.rows for r in got[-2:]], f"{got[-5].rows} {got[-4].rows} {got[-2].rows} {got[-1].rows}")
    return finish()


sys.exit(main())

#!/usr/bin/env python3
"""\\compare on a server. The page has the documents, marks and rows that it has in process. It
leaves out what the server read, which is not known.
"""
import os
import sys
import tempfile

from checks import check, finish, mtsql, same
from comparison import Page
from server import chosen, database

SETUP = ["CREATE TABLE power (time timestamptz TIME PERIOD '1 min' NOT NULL, house text DIMENSION NOT NULL, room text DIMENSION NOT NULL, watts bigint MEASURE NOT NULL) USING rows",
         "ALTER TABLE power ADD LAYOUT packed USING nested WITH (cluster_by = 'house', levels = 'time, room', presum = 'time')", "ALTER TABLE power ADD LAYOUT daily USING per_day",
         "INSERT INTO power SELECT t, h, r, 7 FROM generate_series(timestamptz '2024-05-01', '2024-05-01 00:19', '1 minute') t, unnest(ARRAY['north', 'south']) h, unnest(ARRAY['attic', 'bath']) r"]
# the second query has stages that only mtsql runs
QUERIES = ["SELECT house, sum(watts) FROM power GROUP BY house ORDER BY house", "SELECT reverse(room), max(watts) FROM power WHERE house = 'north' GROUP BY 1 ORDER BY 1"]


def page(target, folder, query):
    file = os.path.join(folder, "p.html")
    r = mtsql(target, "-c", f"\\compare {file} {query}")
    same(f"{query}: no error", (r.returncode, r.stdout, r.stderr), (0, "", ""))
    with open(file, encoding="utf-8") as f:
        return Page(f.read())


def main():
    with tempfile.TemporaryDirectory() as folder, database(chosen(), "compare") as uri:
        local = os.path.join(folder, "s.mts")
        for target in (local, uri):
            r = mtsql("-q", *[a for s in SETUP for a in ("-c", s)], target)
            same("it is made", (r.returncode, r.stderr), (0, ""))
        for query in QUERIES:
            here, there = page(local, folder, query), page(uri, folder, query)
            same(f"{query}: the layouts", list(there.lines), ["rows", "packed", "daily"])
            for layout in here.lines:
                shown = [[(x["path"], x["classes"]) for x in p.lines[layout]] for p in (here, there)]
                same(f"{query}: {layout}: what is marked", shown[1], shown[0])
                same(f"{query}: {layout}: the fields", there.codes[layout], here.codes[layout])
            rows = [p.text.partition("The result")[2].partition("Times are")[0].split() for p in (here, there)]
            same(f"{query}: the rows", rows[1], rows[0])
            same(f"{query}: the figures", [[name for name, _ in row] for row in there.costs if row], [["time", "stored"]] * 3)
            check(f"{query}: what is not known is left out", "Bytes read" not in there.text and "Bytes read" in here.text)
        out = mtsql("-At", uri, "-c", f"\\compare {QUERIES[0]}").stdout.splitlines()
        same("the table", [(line.split("|")[0], line.split("|")[4], line.split("|")[6:]) for line in out], [(name, "", ["5", "2"]) for name in ("rows", "packed", "daily")])
    return finish()


sys.exit(main())

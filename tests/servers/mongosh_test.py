#!/usr/bin/env python3
"""EXPLAIN's pipelines, pasted into the real mongosh, give the documents that mtsql gets for the
same pipeline.
"""
import json
import sys

from checks import check, finish
from pasting import command, documents, normal, paste, piped, raw
from server import chosen, database
import mtsql

SETUP = [
    """CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, "vCmd.id" text DIMENSION FIELD 'cmd' NOT NULL, n bigint MEASURE NOT NULL,
       ms double precision MEASURE, price numeric MEASURE) USING rows""",
    "ALTER TABLE calls ADD LAYOUT by_day USING per_day",
    "ALTER TABLE calls ADD LAYOUT by_time USING nested WITH (levels = 'ts, iResult, vCmd.id', presum = 'ts, iResult')",
    r"""INSERT INTO calls VALUES ('2015-04-11 18:32:00+00', '0', 'a', 1, 1.5, 9.99), ('2015-04-11 18:32:00+00', '0', 'a', 2, 'NaN', 12345678901234567890.123), ('2015-04-11 18:33:00+00', '', 'b"c\d', 9007199254740993, -0.0, 0.10),
       ('2015-04-12 00:00:00+00', '-502', '$cmd', 4, 'Infinity', NULL), ('2015-04-12 23:59:00+00', '应用', E'tab\t''q''\nline', 5, NULL, 1e-7), ('2015-05-01 00:00:00+00', 'x/y', '${e}', -6, 1e300, -1)""",
]
STATEMENTS = [
    'SELECT * FROM calls ORDER BY ts, n',
    "SELECT iResult, count(*), sum(n), avg(n), min(ms), max(ms) FROM calls GROUP BY iResult ORDER BY 1",
    "SELECT ts, sum(n) FROM calls WHERE ts >= '2015-04-11 18:33+00' AND ts < '2015-04-30' GROUP BY ts",
    """SELECT count(*) FROM calls WHERE "vCmd.id" = '$cmd' OR "vCmd.id" LIKE '%''q''%' OR "vCmd.id" = 'b"c\\d'""",
    """SELECT "vCmd.id" || '/' || iResult, upper(iResult) FROM calls WHERE iResult IN ('应用', 'x/y', '0') AND "vCmd.id" NOT LIKE '$%'""",
    "SELECT date_trunc('hour', ts, 'Asia/Kolkata'), count(*) FROM calls GROUP BY 1",
    "SELECT extract(hour FROM ts AT TIME ZONE 'America/New_York'), extract(dow FROM ts), sum(price) FROM calls GROUP BY 1, 2",
    "SELECT time_bucket('15 minutes', ts), count(ms), sum(ms) FROM calls WHERE ms < 'NaN' GROUP BY 1",
    "SELECT n FROM calls WHERE n >= 9007199254740992 OR price > 12345678901234567890.1 OR ms = 'Infinity'",
    "SELECT n + 1, n / 2, n % 3, -n, price * 2, ms / 4 FROM calls WHERE n > 0 AND ms IS NOT NULL",
    "SELECT count(*) FILTER (WHERE n > 2), count(DISTINCT iResult), sum(n) FROM calls",
    "SELECT CASE WHEN iResult = '' THEN 'none' ELSE iResult END AS r, max(n) FROM calls GROUP BY 1 HAVING max(n) > 1",
    "SELECT iResult, n FROM calls UNION ALL SELECT \"vCmd.id\", n FROM calls WHERE n < 3",
    "SELECT DISTINCT iResult FROM calls ORDER BY iResult DESC NULLS LAST LIMIT 3 OFFSET 1",
    "SELECT 1 + 1, 'it''s', '2015-01-01'::timestamptz",
]


def plans(target):
    """(statement, layout, cut, the text to paste, the collection, the pipeline) of each legal cut."""
    found = mtsql.run([f"EXPLAIN (FORMAT JSON) {s}" for s in STATEMENTS], target)
    ways = []
    for s, a in zip(STATEMENTS, found):
        plan = json.loads("\n".join(r[0] for r in a.must()))[0]
        legal = [(c["layout"], c["cut"]) for c in plan["candidates"] if c["legal"]] if "UNION" not in s else []
        ways += [(s, layout, cut) for layout, cut in legal or [(None, None)]]
    asked = []
    for s, layout, cut in ways:
        asked += [f"SET layout = '{layout}'" if layout else "RESET layout", f"SET cut = '{cut}'" if cut else "RESET cut", f"EXPLAIN {s}", f"EXPLAIN (FORMAT JSON) {s}"]
    answers = mtsql.run(asked, target)
    for i, way in enumerate(ways):
        text, plan = ("\n".join(r[0] for r in a.must()) for a in answers[4 * i + 2:4 * i + 4])
        plan = json.loads(plan)[0]
        yield *way, piped(text), plan["collection"], plan["pipeline"]


def main():
    mongosh = command()
    with database(chosen(), "mongosh") as target:
        for a in mtsql.run(SETUP, target):
            a.must()
        ways = list(plans(target))
        pasted = paste(mongosh, target, [w[3] for w in ways])
        pasted += ["[]"] * (len(ways) - len(pasted))
        for (s, layout, cut, text, collection, pipeline), line in zip(ways, pasted):
            lines = raw(target, collection, pipeline)
            try:
                here, there = (normal(documents(t)) for t in ("[" + ",".join(lines) + "]", line))
            except ValueError:
                here, there = lines, [line]
            check(s, here == there and here, f"   layout {layout}, cut {cut}\n{text}\n   mongosh {str(there)[:600]}\n   mtsql   {str(here)[:600]}")
    return finish()


sys.exit(main())

#!/usr/bin/env python3
"""EXPLAIN (HYPOTHETICAL …) beside layouts that are built. Documents and bytes must be within 20%.
The cut must be the same, at about the same cost.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import cases
import mtsql

ROWS = 20000
# many apps with a long tail of longer names, NULLs, all types of measures
SETUP = f"""CREATE TABLE t (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION, app text DIMENSION NOT NULL, code integer DIMENSION NOT NULL,
   n bigint MEASURE NOT NULL, x double precision MEASURE, d numeric MEASURE);
INSERT INTO t SELECT timestamptz '2024-02-27 00:00+00' + (g / 5) * interval '1 min', 'host-' || g % 7, repeat('app', 1 + length(k::text)) || k, g % 11,
   g, CASE WHEN g % 4 > 0 THEN sqrt(g) END, g::numeric / 8
   FROM (SELECT g, (1000 / (1 + g * 7919 % 1009))::int AS k FROM generate_series(1, {ROWS}) g) s;"""
LAYOUTS = [
    "per_day", "per_day WITH (bucket = '1 hour', time_encoding = 'date')", "rows WITH (time_encoding = 'date')", "latest", "latest WITH (key = 'host')",
    "nested WITH (levels = 'ts, host, app, code', presum = 'ts, host')", "nested WITH (cluster_by = 'app', levels = 'ts, code, host', presum = 'ts', nonnull = true)",
    "nested WITH (cluster_by = 'host, day', levels = 'hour, app, code, ts', presum = 'hour, app')", "nested WITH (levels = 'code, app, ts, host', presum = 'code', time_encoding = 'epoch_ms')",
    "nested WITH (cluster_by = 'code', levels = 'day, hour, host, app', presum = 'day, hour', raw_values = false, nonnull = true)",
    "nested WITH (cluster_by = 'app, host, code', levels = 'ts', raw_values = false)", "nested WITH (levels = 'ts, host, app, code', flush_levels = 1000)",
    "nested WITH (levels = 'ts, host, app, code', partition_by = 'day')",
]
QUERY = "SELECT host, sum(n) FROM t GROUP BY 1"


def run(store, *statements):
    p = subprocess.run([mtsql.MTSQL, "-X", "-A", "-q", *[w for s in statements for w in ("-c", s)], store], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       timeout=120)
    assert p.returncode == 0, (statements, p.stderr)
    return p.stdout


def chosen(plan):
    """Returns (the cut, its cost) of the layout x, if it can answer."""
    m = re.search(r"-> x(?: \(hypothetical\))? on t, cut at (\S+)  \(cost=(\d+)", plan)
    return m and (m.group(1), float(m.group(2)))


def near(guess, real, what):
    assert real * 0.8 - 1 <= guess <= real * 1.2 + 1, (what, guess, real)


def compare(store, layout):
    add = f"ALTER TABLE t ADD LAYOUT x USING {layout}"
    guess = run(store, f"EXPLAIN (HYPOTHETICAL $${add}$$) {QUERY}")
    documents, size = map(float, re.search(r"Hypothetical: x on t, about (\d+) documents, (\d+) bytes", guess).groups())
    run(store, add, "ANALYZE t")
    try:
        real = run(store, f"EXPLAIN {QUERY}")
        row = re.search(r'"x" .*, (\d+) documents?, (\d+) (bytes|kB|MB)', run(store, r"\d+ t"))
        near(documents, float(row[1]), "documents")
        near(size, float(row[2]) * {"bytes": 1, "kB": 1 << 10, "MB": 1 << 20}[row[3]], "bytes")
        if chosen(real):
            assert chosen(guess) and chosen(guess)[0] == chosen(real)[0], (guess, real)
            near(chosen(guess)[1], chosen(real)[1], "cost")
    finally:
        run(store, "ALTER TABLE t DROP LAYOUT x")


def main():
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "t.mts")
        run(store, SETUP)
        for layout in LAYOUTS:
            cases.run_one(layout, compare, {"store": store, "layout": layout})
    return cases.finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Joins as $lookup give the same rows as in process: if few rows find partners by an index, if
require_full_pushdown leaves no other way, and if pushdown_off forbids it.
"""
import itertools
import os
import random
import sys
import tempfile

from checks import check, finish
from server import chosen, database
import mtsql

SETUP = ["CREATE TABLE a (id int DIMENSION, name text DIMENSION, ts timestamptz TIME, v double precision MEASURE, n numeric MEASURE) USING rows",
         "CREATE TABLE b (id int DIMENSION, k text DIMENSION, ts timestamptz TIME PERIOD '60 s', w double precision MEASURE) USING rows",
         "CREATE TABLE packed (id int DIMENSION, ts timestamptz TIME PERIOD '60 s', w bigint MEASURE) USING per_day",
         "INSERT INTO a VALUES (1, 'x', '2020-01-01', 1, 1.50), (2, 'y', '2020-01-02', 2, 2), (NULL, 'z', '2020-01-03', 'NaN', NULL), (7, NULL, '2020-01-04', NULL, 1.5), (1, 'x', '2020-01-01', 1, 3)",
         "INSERT INTO b SELECT g % 50, 'k' || g % 3, timestamptz '2020-01-01 00:00+00' + g * interval '1 minute', g % 9 FROM generate_series (1, 400) g",
         "INSERT INTO b VALUES (NULL, 'r', '2020-01-01', 5), (1, NULL, '2020-01-01', 'NaN'), (2, 'x', '2020-01-02', NULL)",
         "INSERT INTO packed SELECT id, ts, count(*) FROM b WHERE id IS NOT NULL GROUP BY id, ts",
         "CREATE TABLE lists (id int, ks int[], ts timestamptz TIME) USING rows",
         "INSERT INTO lists VALUES (1, '{}', '2020-01-01'), (2, '{1,2}', '2020-01-01'), (3, '{2}', '2020-01-01'), (4, NULL, '2020-01-01'), (5, '{NULL}', '2020-01-01')",
         "CREATE TABLE c (id int DIMENSION, name text DIMENSION, ts timestamptz TIME) USING rows",
         "INSERT INTO c SELECT g, 'n' || g % 40, timestamptz '2020-01-01 00:00+00' + g * interval '1 minute' FROM generate_series (1, 80) g",
         "CREATE INDEX ON b (id)", "ANALYZE a", "ANALYZE b", "ANALYZE c", "ANALYZE packed"]

# statement, whether it uses $lookup by itself
CASES = [
    ("SELECT a.name, b.w FROM a JOIN b ON a.id = b.id", True),
    ("SELECT a.name, b.w FROM b JOIN a ON a.id = b.id WHERE b.k <> 'k1'", True),
    ("SELECT a.name, b.k, b.w FROM a LEFT JOIN b ON a.id = b.id AND b.w > a.v", True),
    ("SELECT a.name, count(b.id), sum(b.w), count(*) FROM b RIGHT JOIN a ON a.id = b.id AND b.ts > a.ts GROUP BY a.name", True),
    ("SELECT a.name, b.w FROM a JOIN b ON a.id = b.id + 1", False),
    ("SELECT a.name, b.w FROM b LEFT JOIN a ON a.id = b.id", False),
    ("SELECT a.name, b.w FROM a FULL JOIN b ON a.id = b.id", False),
    ("SELECT a.name, b.k FROM a JOIN b ON a.ts = b.ts", False),
    ("SELECT a.name, p.w FROM a JOIN packed p ON a.id = p.id", False),
    ("SELECT a.name, p.n FROM a JOIN (SELECT id, count(*) AS n FROM packed GROUP BY id) p USING (id)", False),
    ("SELECT x.name, y.name FROM a x LEFT JOIN a y ON x.n = y.n", False),
    ("SELECT x.name, y.name FROM a x LEFT JOIN a y ON x.v = y.v AND x.name = y.name", False),
    ("SELECT x.name, y.name, b.w FROM a x JOIN b ON x.id = b.id LEFT JOIN a y ON y.id = b.id", True),
    ("SELECT x.id, y.id FROM lists x LEFT JOIN lists y ON x.ks = y.ks", False),  # for an array, a server finds its elements, and for an empty one nothing
    ("SELECT c.id, b.w FROM c JOIN b ON c.id = b.id", False),
    ("SELECT c.id, b.w FROM c JOIN b ON c.id = b.id WHERE c.name = 'n7'", True),  # few rows are left
    ("SELECT c.name, b.w FROM b RIGHT JOIN c ON c.id = b.id WHERE c.ts < '2020-01-01 00:03+00'", True),
    ("SELECT c.id, b.w FROM c JOIN b ON c.id = b.id WHERE c.name <> 'n7'", False),
    ("SELECT count(*) FROM (SELECT id FROM c WHERE name = 'n7' UNION ALL SELECT id FROM c) x JOIN b ON x.id = b.id", False),
    ("SELECT count(*) FROM a x, a y, b WHERE x.v <= y.v AND y.id = b.id", False),
    ("SELECT name FROM a WHERE EXISTS (SELECT FROM b WHERE b.id = a.id AND b.w > a.v)", True),
    ("SELECT name FROM a WHERE NOT EXISTS (SELECT FROM b WHERE b.id = a.id)", True),
    ("SELECT name, EXISTS (SELECT FROM b WHERE b.id = a.id AND b.k = 'k1') FROM a", True),
    ("SELECT a.name FROM a LEFT JOIN packed p ON a.name IS NOT NULL", False),  # not a field of the other side
    ("SELECT name FROM a WHERE NOT EXISTS (SELECT FROM packed p WHERE p.id = a.id)", False),
    ("SELECT name FROM a WHERE n IN (SELECT w FROM b WHERE b.id = a.id)", True),
]
FULL = [sql for sql, _ in CASES if "FULL" not in sql and "x.n = y.n" not in sql]  # DocumentDB takes 1.5 and 1.50 for different


def made(rng):
    """Returns a join that a server can do."""
    right = rng.choice(["b", "packed"])
    on = rng.sample(["l.id = r.id", "l.ts = r.ts", "l.v < r.w", "r.w <> 3", "l.name IS NOT NULL", "r.id IN (1, 2, 7)", "l.id >= r.id"], rng.randint(1, 3))
    where = rng.choice(["", " WHERE r.w > 1", " WHERE l.v IS NULL OR l.v > 1", " WHERE r.id IS NULL"])
    if rng.random() < 0.4:
        exists = f"{rng.choice(['', 'NOT '])}EXISTS (SELECT FROM {right} r WHERE {' AND '.join(on)})"
        return f"SELECT l.name, l.v FROM a l WHERE {exists}{rng.choice(['', ' OR l.v > 1', ' AND l.id > 1'])}"
    return f"SELECT l.name, l.v, r.id, r.w, r.ts FROM a l {rng.choice(['JOIN', 'LEFT JOIN'])} {right} r ON {' AND '.join(on)}{where}"


def same(a, b):
    return a.error is None and b.error is None and sorted(a.rows, key=repr) == sorted(b.rows, key=repr)


def main():
    rng = random.Random(8)
    random_joins = [made(rng) for _ in range(25)]
    asked = SETUP + [s for sql, _ in CASES for s in (sql, f"EXPLAIN {sql}")] + random_joins + ["SET require_full_pushdown = on"] + FULL + random_joins + ["RESET require_full_pushdown", "SET pushdown_off = '*'"] + random_joins
    with tempfile.TemporaryDirectory() as folder:
        expected = mtsql.run(asked, os.path.join(folder, "store"))
    with database(chosen(), "lookup") as target:
        got = mtsql.run(asked, target)
    for a in got[:len(SETUP)] + expected[:len(SETUP)]:
        a.must()
    at = len(SETUP)
    for sql, looks_up in CASES:
        plan = "\n".join(r[0] for r in got[at + 1].must())
        check(f"EXPLAIN {sql}", ("$lookup" in plan) == looks_up, f"{plan}\n   expected {'a' if looks_up else 'no'} $lookup")
        at += 2
    plans = set(range(len(SETUP) + 1, at, 2))
    for i, sql in itertools.islice(enumerate(asked), len(SETUP), None):
        if i not in plans:
            check(sql, same(expected[i], got[i]), f"   in process {expected[i].error or expected[i].rows}\n   there {got[i].error or got[i].rows}")
    return finish()


sys.exit(main())

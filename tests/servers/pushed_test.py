#!/usr/bin/env python3
"""Computations that mtsql does in process unless require_full_pushdown is on. The server must give
the same rows, over random values. A difference prints the statement.
"""
import os
import random
import sys

from checks import check, finish
from server import chosen, database
import mtsql

GROUPS = 40
TABLE = "CREATE TABLE v (k integer, x double precision, i integer, t text, ts timestamptz, n numeric) USING rows"
SPECIAL = ["(1001, 'NaN', 'NaN')", "(1001, 1, 1)", "(1002, 'Infinity', 'Infinity')", "(1003, '-Infinity', '-Infinity')", "(1004, NULL, NULL)", "(1005, 0, 0.00)", "(1006, 0, 0)", "(1006, 0, 0.000)",
           "(1007, 1, 0.0000000001)", "(1008, 1, 1e-20)", "(1008, 1, 1e-12)", "(1009, 1, 1e20)", "(1009, 1, 2e20)", "(1010, 1, 123456789012.12345678901)", "(1010, 1, 123456789012.12345678902)"]
TEXTS = ["", "a", "A", "ab", "aB", "Ab.c", "b c", "é", "É", "ſ", "s", "S", "K", "k", "\u212a", "kß", "x\ny", "a1", "A_1", "%"]
PATTERNS = ["a", "^A", "b$", "^[a-c]", "[^k]", "[^s-u]$", "s", "K", "(a|B)c?", "a.c", "^(ab|S)$", "x+y", "x.y", "[A-Z]1", r"\.", "k.*", "^s?$", "[0-9]"]
IN_ORDER = ["percentile_cont(0.3) WITHIN GROUP (ORDER BY x {0})", "percentile_cont(ARRAY[0, 0.25, NULL, 0.9, 1]) WITHIN GROUP (ORDER BY x {0})", "percentile_disc(0.3) WITHIN GROUP (ORDER BY x {0})",
            "percentile_disc(ARRAY[0, 0.25, NULL, 0.9, 1]) WITHIN GROUP (ORDER BY x {0}) FILTER (WHERE i > 3)", "percentile_disc(0.7) WITHIN GROUP (ORDER BY i {0})",
            "percentile_disc(ARRAY[[0, 0.25], [0.9, 1]]) WITHIN GROUP (ORDER BY t {0})", "percentile_disc(ARRAY[0.5, 0.7]) WITHIN GROUP (ORDER BY ts {0})", "percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY i {0})"]


def numeric(r):
    decimals, digits = r.choice([0, 1, 2, 2, 4, 8, 12]), str(r.randrange(10 ** r.choice([1, 3, 9, 14])))
    digits = digits.zfill(decimals + 1)
    return r.choice(["", "", "-"]) + digits[:len(digits) - decimals] + ("." + digits[-decimals:] if decimals else "")


def row(r, k):
    quoted = lambda t: "'" + t + "'"
    return (f"({k}, {r.choice(['NULL', quoted('NaN'), quoted('-Infinity'), str(r.random() * 100), str(r.randrange(5))])}, {r.choice(['NULL', str(r.randrange(-5, 20))])}, "
            f"{r.choice(['NULL', *map(quoted, TEXTS)])}, {r.choice(['NULL', quoted(f'2024-01-0{r.randrange(1, 9)}')])}, {r.choice(['NULL', *[numeric(r) for _ in range(9)]])})")


def statements():
    for value in ("avg(n), count(n)", *(f.format(order) for f in IN_ORDER for order in ("", "DESC"))):
        yield f"SELECT k, {value} FROM v GROUP BY k ORDER BY k"
        yield f"SELECT {value} FROM v WHERE k < 0"
    yield "SELECT k FROM v GROUP BY k HAVING avg(n) > 10 ORDER BY k"
    for p in PATTERNS:
        for op in ("~*", "!~*", "~", "!~"):
            yield f"SELECT k, t FROM v WHERE t {op} '{p}' ORDER BY k, t"


def main():
    seed = int(os.environ.get("SEED", "1"))
    r, asked = random.Random(seed), list(statements())
    rows = [row(r, k) for k in range(GROUPS) for _ in range(r.choice([1, 2, 3, 7, 12]))] + [f"(-7, NULL, NULL, '{t}', NULL, NULL)" for t in TEXTS]
    with database(chosen(), "pushed") as target:
        made = mtsql.run([TABLE, "INSERT INTO v VALUES " + ", ".join(rows), "INSERT INTO v (k, x, n) VALUES " + ", ".join(SPECIAL)], target)
        for a in made:
            a.must()
        here, there = (mtsql.run([f"SET require_full_pushdown = {full}", *asked], target)[1:] for full in ("off", "on"))
    for sql, mine, theirs in zip(asked, here, there):
        same = mine.error is None and mine.rows == theirs.rows
        different = [pair for pair in zip(mine.rows or [], theirs.rows or []) if pair[0] != pair[1]]
        check(f"seed {seed}: {sql}", same, f"   in process {mine.error or len(mine.rows)}, on the server {theirs.error or len(theirs.rows)}: {different[:3]}")
    return finish()


sys.exit(main())

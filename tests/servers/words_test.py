#!/usr/bin/env python3
"""Operators that a server computes in other words (averages, percentiles, patterns, parts and texts
of times, gaps). They give the rows that they give in process. A server may, must, or must not run
the random statements.
"""
import os
import random
import sys

from checks import check, finish
from server import chosen, database
import mtsql

STATEMENTS = {"secantus": 60}
LETTERS = ["a", "b", "A", "B", "x", "é", "ß", "日", "%", "_", "\\", ".", "*", "\n", " ", "$", "^", "(", "|", ")", "[", "+"]
FLOATS = ["'NaN'", "'Infinity'", "'-Infinity'", "NULL", "NULL", "1e300", "0.1", "-0.25", "2"]


def quoted(text):
    return "E'" + text.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n") + "'"


def text(rng, most):
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(0, most)))


def row(rng, i):
    time = f"'{rng.choice([1583, 1899, 1970, 2024, 9998])}-{rng.randint(1, 12)}-{rng.randint(1, 28)} {rng.randint(0, 23)}:{rng.randint(0, 59)}:{rng.randint(0, 59)}.{rng.randint(0, 999):03}'"
    return "({})".format(", ".join(map(str, [
        i, f"'g{rng.randint(0, 9) if i else 99}'", rng.choice([*FLOATS, round(rng.uniform(-9, 9), 2)]), rng.choice(["NULL", rng.randint(-5, 5), rng.randint(-2**31, 2**31 - 1)]),
        rng.choice(["NULL", rng.randint(-5, 5), 2**62, -2**63]), quoted(text(rng, 6)) if i % 5 else "NULL", quoted(text(rng, 3)), time if i % 7 else "NULL"])))


def setup(rng):
    return ["CREATE TABLE w (id int, g text, f float8, i int, b bigint, s text, t text NOT NULL, d timestamptz) USING rows",
            "INSERT INTO w VALUES " + ", ".join(row(rng, i) for i in range(120))]


def aggregate(rng):
    some = rng.choice(["", "", f" FILTER (WHERE i > {rng.randint(-3, 3)})"])
    share = rng.choice([0, 1, 0.5, 0.25, 0.95, round(rng.random(), 3)])
    return rng.choice([f"avg({rng.choice('ib')})", f"avg(i - {rng.randint(0, 3)})", f"percentile_cont({share}) WITHIN GROUP (ORDER BY {rng.choice('fib')})",
                       f"percentile_disc({share}) WITHIN GROUP (ORDER BY {rng.choice('fibstd')})", f"median({rng.choice('fibs')})", "count(*)"]) + some


def pattern(rng):
    words = lambda: "".join(rng.choice("abAéx日 -") for _ in range(rng.randint(1, 3)))
    either = "|".join(words() for _ in range(rng.randint(1, 3)))
    if rng.random() < 0.3:
        return rng.choice(["LIKE", "NOT LIKE", "ILIKE"]), "".join(rng.choice(["a", "b", "é", "%", "_", "."]) for _ in range(rng.randint(0, 5)))
    return rng.choice(["~", "~", "!~", "~*"]), rng.choice([f"^({either})$", f"({either})", f"^(?:{either})x?", f"{either}", "a.b", "[ab]+", "^a?b", "[^ab]$", "(a|b)?x", "^.*b.?$", r"\.", "[a-z]+[A-Z]", "a$|b",
                                                           "[é]", "a{2}", r"\w", "x+?", "b$|^a", "(a(b|x)|é)"])


def gaps(rng):
    first, keys, by = rng.randint(1, 11), *rng.choice([("", ""), ("g, ", ", 2")])
    fills = rng.sample(["count(*)", "locf(max(i))", "locf(min(s))", "interpolate(avg(f))", "interpolate(max(f))", "interpolate(max(i))", "locf(avg(b), 7.5)", "locf(avg(i))", "locf(max(i), NULL, true)"], rng.randint(1, 3))
    zone = rng.choice(["", "", ", 'Europe/Berlin'"])
    where = f"d >= '2024-{first}-01' AND d < '2024-{first}-01'::timestamptz + interval '{rng.randint(1, 40)} days'{rng.choice(['', ' AND i > 0', ' AND id < 0'])}"
    return f"SELECT time_bucket_gapfill('{rng.choice(['1 day', '7 days', '36 hours', '1 month'])}', d{zone}), {keys}{', '.join(fills)} FROM w WHERE {where} GROUP BY 1{by}"


def statement(rng):
    time = rng.choice(["to_char(d, 'YYYY-MM-DD')", "to_char(d, 'hh24:mi:ss,ms \"h\" dd.mm.yyyy')", "to_char(d, 'Mon')", f"extract({rng.choice(['year', 'quarter', 'month', 'isodow', 'dow', 'hour', 'week', 'second'])} FROM d)"])
    value, (op, of) = rng.choice(["s", "t", "upper(s)", "lower(t)", "s || t", "coalesce(s, t)"]), pattern(rng)
    key = rng.choice(["g", "g", time, f"{value} {op} {quoted(of)}"])
    where = rng.choice(["", f" WHERE {value} {op} {quoted(of)}", f" WHERE id % 3 = {rng.randint(0, 3)}", f" WHERE NOT ({value} {op} {quoted(of)}) OR id < 9"])
    return rng.choice([gaps(rng), f"SELECT {key}, {aggregate(rng)}, {aggregate(rng)} FROM w{where} GROUP BY 1", f"SELECT {aggregate(rng)} FROM w{where}", f"SELECT DISTINCT {time} FROM w{where}", f"SELECT id, {time} FROM w{where}",
                       f"SELECT g FROM w{where} GROUP BY g HAVING avg(i) > {rng.randint(-99, 99)}", f"SELECT id, avg({rng.choice('ib')}) OVER (PARTITION BY g ORDER BY id ROWS {rng.randint(0, 3)} PRECEDING) FROM w{where}"])


def rows(answer):
    return answer.error or sorted(answer.rows, key=repr)


def main():
    server, seed = chosen(), os.environ.get("SEED", "1")
    rng = random.Random(seed)
    made = setup(rng)
    asked = [statement(rng) for _ in range(int(os.environ.get("STATEMENTS", STATEMENTS.get(server, 150))))]
    here = mtsql.run(made + asked)[len(made):]
    with database(server, "words") as target:
        there = mtsql.run([*made, *asked, "SET require_full_pushdown = on", *asked, "RESET require_full_pushdown", "SET pushdown_off = '*'", *asked], target)[len(made):]
    whole = 0
    for i, sql in enumerate(asked):
        free, forced, fetched = there[i], there[len(asked) + 1 + i], there[2 * len(asked) + 3 + i]
        refused = forced.error and "require_full_pushdown is on" in forced.error
        whole += not refused
        check(sql, rows(free) == rows(here[i]), f"   in process {here[i].error or here[i].rows}\n   there {free.error or free.rows}")
        check(f"{sql}, not there", rows(fetched) == rows(here[i]), f"   in process {here[i].error or here[i].rows}\n   fetched {fetched.error or fetched.rows}")
        check(f"{sql}, wholly there", refused or rows(forced) == rows(here[i]), f"   in process {here[i].error or here[i].rows}\n   there {forced.error or forced.rows}")
    check("most run wholly there", whole > len(asked) * 0.5, f"   {whole} of {len(asked)}")
    print(f"NOTE seed {seed}: {whole} of {len(asked)} run wholly on the server")
    return finish()


sys.exit(main())

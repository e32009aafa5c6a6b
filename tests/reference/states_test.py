#!/usr/bin/env python3
"""The functions of states that depend on time, beside small exact implementations: random series in
random order, on two layouts, and states of buckets that rollup merges.

    states_test.py [--cases N] [--seed S]
"""
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import randoms
from cases import check, finish
from paths import MTSQL
from state_models import Series, candle, moments, per

TABLE = """CREATE TABLE t (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, v double precision MEASURE, w double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts');"""
START = 1577836800  # 2020-01-01
MARK = "------"
COUNTER = ["delta", "time_delta", "rate", "idelta_left", "idelta_right", "irate_left", "irate_right", "num_resets", "num_changes", "num_elements",
           "first_val", "last_val", "slope", "corr"]
GAUGE = [n for n in COUNTER if n != "num_resets"]


def same(got, expected):
    if not got or expected is None:
        return not got and expected is None
    return math.isclose(float(got), float(expected), rel_tol=1e-9, abs_tol=1e-6)


CANDLE = "open(c), high(c), low(c), close(c), extract(epoch FROM high_time(c)), extract(epoch FROM low_time(c)), volume(c), vwap(c)"
MOMENTS = "num_vals(s), average(s), variance(s, 'population'), skewness(s, 'population'), kurtosis(s, 'population')"
STATES = "counter_agg(ts, v) AS a, gauge_agg(ts, v) AS g, time_weight('LOCF', ts, v) AS l, time_weight('linear', ts, v) AS i, candlestick_agg(ts, v, w) AS c, stats_agg(v) AS s"
NAMES = COUNTER + GAUGE + ["extrapolated", "of gauge", "LOCF", "linear", "average", "average linear"] + CANDLE.split(", ") + MOMENTS.split("), ")
MERGED = ", ".join(f"rollup({n}) AS {n}" for n in "aglics")


def asked(states, bounds):
    """Returns the question over a FROM item that has a row of states for each key."""
    start, end = bounds
    columns = [f"{n}(a)" for n in COUNTER] + [f"{n}(g)" for n in GAUGE]
    columns += [f"extrapolated_delta(with_bounds({n}, to_timestamp({start}), to_timestamp({end})))" for n in "ag"]
    columns += ["integral(l)", "integral(i)", "average(l)", "average(i)", CANDLE, MOMENTS]
    return f"SELECT k, {', '.join(columns)} FROM ({states}) AS u ORDER BY k;"


def expected(rows, bounds):
    points = [(t, v) for t, v, _ in rows if v is not None]
    if not points:
        return [None] * (len(COUNTER) + len(GAUGE) + 2 + 4 + 8 + 5)
    counter, gauge = Series(points, True), Series(points, False)
    length = gauge.points[-1][0] - gauge.points[0][0]
    areas = gauge.area(False), gauge.area(True)
    return ([counter.values()[n] for n in COUNTER] + [gauge.values()[n] for n in GAUGE] + [counter.extrapolated(*bounds), gauge.extrapolated(*bounds)] +
            list(areas) + [per(a, length) for a in areas] + candle(rows) + moments([v for _, v in points]))


def series(rng):
    """Returns rows (time, value, volume) of a key. Most seconds have at most one."""
    kind, v, rows = rng.choice(["counter", "walk", "few", "null"]), 0, []
    for i in range(rng.choice([1, 2, 3, 10, 60])):
        t = START + rng.randrange(600) if kind == "walk" else START + i * rng.choice([1, 5, 10])
        v = 0 if rng.random() < 0.1 else v + rng.choice([0, 1, 2.5, 7]) if kind == "counter" else rng.choice([-3, 0, 0.25, 4, 1000])
        rows.append((t, None if rng.random() < (0.9 if kind == "null" else 0.1) else Fraction(v), rng.choice([None, 1, 2]) if kind == "few" else rng.choice([0, 1, 3])))
    return rows


def ask(statements):
    """Returns the answers, each a list of rows."""
    with tempfile.TemporaryDirectory(prefix="mtsql-states-") as folder:
        r = subprocess.run([MTSQL, os.path.join(folder, "t.mts"), "-XAtq", "-v", "ON_ERROR_STOP=1"], input="\n".join(statements), capture_output=True, text=True)
    rows = [[line.split("|") for line in part.strip().split("\n")] for part in r.stdout.split(MARK)[1:]]
    return rows if r.returncode == 0 else None, r.stderr


def try_case(rng, case):
    keys = {f"k{i}": series(rng) for i in range(rng.randint(1, 4))}
    rows = [(t, k, v, w) for k, s in keys.items() for t, v, w in s]
    rng.shuffle(rows)
    bounds = START - rng.choice([0, 3, 1000]), START + 601 + rng.choice([0, 5, 1000])
    cells = [[f"to_timestamp({t})", f"'{k}'"] + ["NULL" if x is None else str(float(x)) for x in (v, w)] for t, k, v, w in rows]
    direct = f"SELECT k, {STATES} FROM t GROUP BY k"
    buckets = f"SELECT k, {STATES} FROM t GROUP BY k, time_bucket('{rng.choice([1, 7, 60, 90, 600])} s', ts)"
    asks = {"rows": direct, "packed": direct, "rollup": f"SELECT k, {MERGED} FROM ({buckets}) AS b GROUP BY k", "stored": f"SELECT k, {MERGED} FROM stored GROUP BY k"}
    statements = [TABLE, "SET TimeZone = 'UTC';", "INSERT INTO t VALUES " + ", ".join(f"({', '.join(c)})" for c in cells) + ";", f"CREATE TABLE stored AS {buckets};"]
    for name, states in asks.items():
        statements += [f"SET layout = '{name}';" if states == direct else "RESET layout;", f"\\echo {MARK}", asked(states, bounds)]
    answers, said = ask(statements)
    if not check(f"case {case}: answers", answers is not None and len(answers) == len(asks), said):
        return 0
    for name, answer in zip(asks, answers):
        check(f"case {case} {name}: keys", [r[0] for r in answer] == sorted(keys), str(answer))
        for got in answer:
            right = expected(keys[got[0]], bounds)
            wrong = [(NAMES[i], a, b and float(b)) for i, (a, b) in enumerate(zip(got[1:], right)) if not same(a, b)]
            check(f"case {case} {name} {got[0]}", len(got) == len(right) + 1 and not wrong, str(wrong[:5]))
    return sum(map(len, answers))


def main():
    args = randoms.options("cases", 60).parse_args()
    rows = sum(try_case(random.Random(f"{args.seed}.{i}"), i) for i in range(args.cases))
    print(f"NOTE seed {args.seed}: {rows} rows of answers")
    return finish()


sys.exit(main())

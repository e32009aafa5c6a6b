#!/usr/bin/env python3
"""The functions of states that depend on time, against small exact implementations: random series, in random order, on two layouts; states of buckets, merged by rollup.

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

TABLE = """CREATE TABLE t (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, v double precision MEASURE, w double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts');"""
EPOCH = 946684800  # 2000-01-01
START = 1577836800  # 2020-01-01
MARK = "------"
COUNTER = ["delta", "time_delta", "rate", "idelta_left", "idelta_right", "irate_left", "irate_right", "num_resets", "num_changes", "num_elements",
           "first_val", "last_val", "slope", "corr"]
GAUGE = [n for n in COUNTER if n != "num_resets"]


def per(change, seconds):
    return change / seconds if seconds else None


def line(points):
    """The slope and the correlation of the line of least squares."""
    n = len(points)
    mx, my = (sum(p[i] for p in points) / n for i in (0, 1))
    sxx, syy = sum((x - mx) ** 2 for x, _ in points), sum((y - my) ** 2 for _, y in points)
    sxy = sum((x - mx) * (y - my) for x, y in points)
    return (sxy / sxx if sxx else None), (float(sxy) / math.sqrt(sxx * syy) if sxx and syy else None)


class Series:
    """Points in the order of time, one a time: the smallest number."""

    def __init__(self, points, counter):
        self.points = sorted({t: min(v for u, v in points if u == t) for t, _ in points}.items())
        self.counter = counter
        self.grown, total = [], Fraction(0)
        for (t, v), before in zip(self.points, [None] + self.points[:-1]):
            total += before[1] if counter and before and v < before[1] else 0
            self.grown.append((t, v + total))

    def change(self, a, b):
        return b[1] if self.counter and b[1] < a[1] else b[1] - a[1]

    def values(self):
        p, g = self.points, self.grown
        delta, time = g[-1][1] - g[0][1], p[-1][0] - p[0][0]
        left, right = (p[0], p[min(1, len(p) - 1)]), (p[max(len(p) - 2, 0)], p[-1])
        slope, corr = line(g)
        pairs = list(zip(p, p[1:]))
        return {"delta": delta, "time_delta": time, "rate": per(delta, time), "idelta_left": self.change(*left), "idelta_right": self.change(*right),
                "irate_left": per(self.change(*left), left[1][0] - left[0][0]), "irate_right": per(self.change(*right), right[1][0] - right[0][0]),
                "num_resets": sum(b[1] < a[1] for a, b in pairs), "num_changes": sum(b[1] != a[1] for a, b in pairs), "num_elements": len(p),
                "first_val": p[0][1], "last_val": p[-1][1], "slope": slope, "corr": corr}

    def extrapolated(self, start, end):
        """Prometheus' increase()."""
        p = self.points
        if len(p) < 2:
            return None
        delta, covered = self.grown[-1][1] - self.grown[0][1], Fraction(p[-1][0] - p[0][0])
        each = covered / (len(p) - 1)
        before, after = Fraction(p[0][0] - start), end - p[-1][0] - Fraction(1, 1000)
        if delta > 0 and p[0][1] >= 0:
            before = min(before, covered * p[0][1] / delta)
        near = each * 11 / 10
        return delta * (covered + (before if before < near else each / 2) + (after if after < near else each / 2)) / covered

    def area(self, linear):
        return sum((a[1] + b[1]) / 2 * (b[0] - a[0]) if linear else a[1] * (b[0] - a[0]) for a, b in zip(self.points, self.points[1:]))


def same(got, expected):
    if not got or expected is None:
        return not got and expected is None
    return math.isclose(float(got), float(expected), rel_tol=1e-9, abs_tol=1e-6)


def candle(rows):
    rows = [(t, v, w) for t, v, w in rows if v is not None]
    if not rows:
        return [None] * 8
    opened, closed = min(rows, key=lambda r: r[:2]), max(rows, key=lambda r: r[:2])
    high, low = max(rows, key=lambda r: (r[1], -r[0])), min(rows, key=lambda r: (r[1], r[0]))
    traded = all(w is not None for _, _, w in rows)
    volume = sum(w for *_, w in rows) if traded else None
    return [opened[1], high[1], low[1], closed[1], high[0], low[0], volume,
            sum(v * w for _, v, w in rows) / volume if volume else None]


def moments(values):
    """The average, variance, skewness and kurtosis of a population."""
    if not values:
        return [None] * 5
    n, mean = len(values), Fraction(sum(values)) / len(values)
    s2, s3, s4 = (sum((v - mean) ** k for v in values) / n for k in (2, 3, 4))
    return [n, mean, s2, float(s3) / float(s2) ** 1.5 if s2 else None, s4 / s2 ** 2 if s2 else None]


CANDLE = "open(c), high(c), low(c), close(c), extract(epoch FROM high_time(c)), extract(epoch FROM low_time(c)), volume(c), vwap(c)"
MOMENTS = "num_vals(s), average(s), variance(s, 'population'), skewness(s, 'population'), kurtosis(s, 'population')"
STATES = "counter_agg(ts, v) AS a, gauge_agg(ts, v) AS g, time_weight('LOCF', ts, v) AS l, time_weight('linear', ts, v) AS i, candlestick_agg(ts, v, w) AS c, stats_agg(v) AS s"
NAMES = COUNTER + GAUGE + ["extrapolated", "of gauge", "LOCF", "linear", "average", "average linear"] + CANDLE.split(", ") + MOMENTS.split("), ")
MERGED = ", ".join(f"rollup({n}) AS {n}" for n in "aglics")


def asked(states, bounds):
    """The question over a FROM item with a row of states for each key."""
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
    """Rows (time, value, volume) of a key, at most one a second but for a few."""
    kind, v, rows = rng.choice(["counter", "walk", "few", "null"]), 0, []
    for i in range(rng.choice([1, 2, 3, 10, 60])):
        t = START + rng.randrange(600) if kind == "walk" else START + i * rng.choice([1, 5, 10])
        v = 0 if rng.random() < 0.1 else v + rng.choice([0, 1, 2.5, 7]) if kind == "counter" else rng.choice([-3, 0, 0.25, 4, 1000])
        rows.append((t, None if rng.random() < (0.9 if kind == "null" else 0.1) else Fraction(v), rng.choice([None, 1, 2]) if kind == "few" else rng.choice([0, 1, 3])))
    return rows


def ask(statements):
    """The answers, each a list of rows."""
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

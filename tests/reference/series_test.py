#!/usr/bin/env python3
"""The functions of time series beside series.py: random series with NULLs, equal times and values,
falls, and several partitions, in several layouts. Every second series is for lttb and asap_smooth.

    series_test.py [--series N] [--seed S] [--engine SERVER]
"""
import math
import os
import random
import sys
from fractions import Fraction

ROOT = os.path.dirname(os.path.abspath(__file__)) + "/.."
sys.path[:0] = [ROOT + "/reference", ROOT + "/lib", ROOT + "/oracle", ROOT + "/servers"]
import mtsql
import randoms
import series

CHUNK = 25
LAYOUTS = ["rows", "per_day", "nested WITH (cluster_by = 'host', levels = 'ts')"]
UNITS = {"1 second": 1, "1 minute": 60, "250 ms": Fraction(1, 4), "1 day": 86400}
START = 1_714_521_600_000  # 2024-05-01


class Row:
    def __init__(self, host, number, ms, v):
        self.host, self.number, self.ms, self.v = host, number, ms, v
        self.ts = Fraction(ms, 1000)

    def sql(self):
        return f"('epoch'::timestamptz + interval '{self.ms} ms', '{self.host}', {self.number}, {'NULL' if self.v is None else repr(float(self.v))})"


def random_series(rng):
    """Returns rows of several hosts, in the order of their times, and of their numbers if times are
    equal.
    """
    rows, same = [], Fraction(rng.uniform(-5, 5))
    values = rng.choice([lambda: Fraction(rng.randint(-3, 3)), lambda: Fraction(rng.randint(-40, 40), 4), lambda: Fraction(rng.uniform(-1e6, 1e6)), lambda: same])
    steps = rng.choice([[1000], [0, 1, 500, 1000, 90_000], [60_000, 86_400_000]])
    empty = rng.choice([0, 0, 0.1, 0.5, 1])
    for host in "abc"[:rng.choice([1, 2, 3])]:
        ms = START + rng.randrange(10**9)
        for number in range(rng.choice([1, 2, 5, 12, 30])):
            ms += rng.choice(steps)
            rows.append(Row(host, len(rows), ms, None if rng.random() < empty else values()))
    return rows


def frames(rows, kind, size):
    """Returns the values of each row's frame."""
    v = [r.v for r in rows]
    if kind == "all":
        return [v for _ in rows]
    if kind == "default":  # up to the last row with the same time
        return [[o.v for o in rows if o.ms <= r.ms] for r in rows]
    return [v[max(0, i - size):i + 1] for i in range(len(rows))]


def questions(rng):
    """Returns (call, frame, function from the rows of a partition to the results) of all functions,
    with random parameters.
    """
    unit, seconds = rng.choice(list(UNITS.items()))
    n, period, cycle = rng.randint(1, 5), rng.randint(1, 4), rng.randint(2, 4)
    alpha, beta, gamma = (Fraction(rng.randint(1, 8), 8) for _ in range(3))
    values, times = (lambda rows: [r.v for r in rows]), (lambda rows: [r.ts for r in rows])
    yield "difference(v)", "", lambda rows: series.difference(values(rows))
    yield "non_negative_difference(v)", "", lambda rows: series.not_negative(series.difference(values(rows)))
    yield f"seasonal_difference(v, {period})", "", lambda rows: series.difference(values(rows), period)
    yield "derivative(v, ts)", "", lambda rows: series.derivative(values(rows), times(rows))
    yield f"derivative(v, ts, '{unit}')", "", lambda rows: series.derivative(values(rows), times(rows), seconds)
    yield "non_negative_derivative(v, ts)", "", lambda rows: series.not_negative(series.derivative(values(rows), times(rows)))
    yield f"non_negative_derivative(v, ts, '{unit}')", "", lambda rows: series.not_negative(series.derivative(values(rows), times(rows), seconds))
    yield "elapsed(ts)", "", lambda rows: series.elapsed(times(rows))
    yield f"elapsed(ts, '{unit}')", "", lambda rows: series.elapsed(times(rows), seconds)
    yield "cumulative_sum(v)", "", lambda rows: series.cumulative_sum(values(rows))
    yield f"moving_average(v, {n})", "", lambda rows: series.moving_average(values(rows), n)
    yield f"exponential_moving_average(v, {float(alpha)})", "", lambda rows: series.exponential_moving_average(values(rows), alpha)
    yield (f"holt_winters(v, {cycle}, {float(alpha)}, {float(beta)}, {float(gamma)})", "",
           lambda rows: series.holt_winters(values(rows), cycle, alpha, beta, gamma))
    size = rng.randint(1, 6)
    for score in (series.zscore, series.modified_zscore):
        name = "zscore" if score is series.zscore else "modified_zscore"
        yield f"{name}(v)", "all", lambda rows, s=score: s(values(rows), frames(rows, "all", 0))
        yield f"{name}(v)", "default", lambda rows, s=score: s(values(rows), frames(rows, "default", 0))
        yield f"{name}(v)", f"ROWS {size} PRECEDING", lambda rows, s=score: s(values(rows), frames(rows, "rows", size))


def over(frame):
    order = "" if frame == "all" else "ORDER BY ts" if frame == "default" else f"ORDER BY ts, number {frame}"
    return f"OVER (PARTITION BY host {order})"


def near(got, wanted, scale):
    if got is None or wanted is None:
        return got is None and wanted is None
    return abs(Fraction(float(got)) - wanted) <= Fraction(1, 10**9) * max(abs(wanted), scale)


def wrong_rows(rows, asked, answer):
    """Returns the difference in one answer, or None."""
    if answer.error is not None:
        return answer.error
    if len(answer.rows) != len(rows):
        return f"{len(answer.rows)} rows of {len(rows)}"
    largest = max((abs(r.v) for r in rows if r.v is not None), default=0)
    wanted = {}
    for host in {r.host for r in rows}:
        of_host = [r for r in rows if r.host == host]
        for i, (call, _, computed) in enumerate(asked):
            wanted.update({(r.number, i): x for r, x in zip(of_host, computed(of_host))})
    for number, *got in answer.rows:
        for i, value in enumerate(got):
            # the difference of large numbers has their error; a score has the scale of the values
            scale = Fraction(1, 10**4) if "score" in asked[i][0] else largest * Fraction(1, 10**3)
            if not near(value, wanted[int(number), i], scale):
                w = wanted[int(number), i]
                return f"row {number}, {asked[i][0]} {over(asked[i][1])}: {value}, not {None if w is None else float(w)}"
    return None


def statements(rng, number):
    rows, asked = random_series(rng), list(questions(rng))
    calls = ", ".join(f"{call} {over(frame)}" for call, frame, _ in asked)
    shuffled = rng.sample(rows, len(rows))
    sql = [f"CREATE TABLE s{number} (ts timestamptz TIME, host text DIMENSION, number int MEASURE, v double precision MEASURE) USING {rng.choice(LAYOUTS)}",
           f"INSERT INTO s{number} VALUES " + ", ".join(r.sql() for r in shuffled),
           f"SELECT number, {calls} FROM s{number}"]
    return sql, rows, asked


def reduced(rng, number):
    """Returns a series with a period, noise, outliers, gaps, and points that do not count, and the
    queries that choose fewer points.
    """
    length, noise, period = rng.choice([1, 2, 3, 10, 40, 150, 300]), rng.choice([0, 0.1, 1]), rng.randint(2, 40)
    steps = rng.choice([[60_000], [0, 1000, 90_000], [1, 7, 1000, 10**7]])
    whole = rng.random() < 0.3
    ms, points = START, []
    for i in range(length):
        ms += rng.choice(steps)
        v = 10 * math.sin(2 * math.pi * i / period) + rng.gauss(0, 10 * noise) + (80 if rng.random() < 0.01 else 0)
        points.append((ms, Fraction(round(v) if whole else v)))
    skipped = [(ms, v) for ms in (START, START + 1000) for v in ("NULL", "'NaN'", "'-Infinity'") if rng.random() < 0.3]
    rows = [(ms, repr(float(v))) for ms, v in points] + skipped
    rng.shuffle(rows)
    asked = [(f, rng.choice([2, 3, 5, 10, 60, 150, 1000])) for f in ("lttb", "asap_smooth")]
    sql = [f"CREATE TABLE r{number} (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE) USING {rng.choice(LAYOUTS)}",
           f"INSERT INTO r{number} VALUES " + ", ".join(f"('epoch'::timestamptz + interval '{ms} ms', 'a', {v})" for ms, v in rows)]
    sql += [f"SELECT round(extract(epoch FROM time) * 1000)::bigint, value FROM unnest((SELECT {f}(ts, v, {n}) FROM r{number}))" for f, n in asked]
    return sql, sorted(points), asked


def wrong_points(points, asked, answers):
    for (f, n), answer in zip(asked, answers):
        if answer.error is not None:
            return answer.error
        got = [(int(ms), Fraction(float(v))) for ms, v in answer.rows]
        bad = (series.wrong_lttb if f == "lttb" else series.wrong_asap)(points, n, got)
        if bad:
            return f"{f}, {n}: {bad}"
    return None


def trial(rng, number):
    """Returns the statements of a series, and a function that checks their answers."""
    if number % 2:
        sql, points, asked = reduced(rng, number)
        return sql, lambda answers: wrong_points(points, asked, answers[2:])
    sql, rows, asked = statements(rng, number)
    return sql, lambda answers: wrong_rows(rows, asked, answers[2])


def main():
    args = randoms.options("series", 600, engine="tables").parse_args()
    wrong = 0
    with randoms.on_server(args.engine, "series") as uri:
        for first in range(0, args.series, CHUNK):
            tried = [trial(random.Random(f"{args.seed}/{i}"), i) for i in range(first, min(first + CHUNK, args.series))]
            with randoms.place("series", uri, first) as target:
                answers = iter(mtsql.run([s for sql, _ in tried for s in sql], target))
            for i, (sql, judge) in enumerate(tried, first):
                own = [next(answers) for _ in sql]
                bad = next((a.error for a in own[:2] if a.error), None) or judge(own)
                if bad:
                    wrong += 1
                    print(f"FAIL series {i}: {bad}\n   " + ";\n   ".join(s[:2000] for s in sql))
    return randoms.closing(args.seed, args.series, wrong, f"{args.series} series")


sys.exit(main())

"""Random statements with time-series functions, for timeseries.py. Each has the same question in
DuckDB's words, or a model of its answer, or both.
"""
import math
import os
import re
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
import series
from points import START, TIMES, Row, bucket, instant, stamp
from state_models import Series, candle, moments, per

ZONE = "+00"
HOUR = "time_bucket(interval '1 hour', ts)"
LONG = 172_800  # seconds, longer than the rows of a table


class Question:
    """sql: {t} is the table. duck: the same for DuckDB, or None. model: a function that returns the
    rows; or, if `judges`, a function that returns what is wrong with rows (`loose`: layouts may
    differ). reads: how often the table is read. may_fail: the model has answers only, no errors.
    """

    def __init__(self, sql, duck=None, model=None, reads=1, slack=1e-7, relative=1e-9, judges=False, loose=False, may_fail=False):
        self.sql, self.duck, self.model, self.reads = sql, duck, model, reads
        self.slack, self.relative, self.judges, self.loose, self.may_fail = slack, relative, judges, loose, may_fail


def finite(values):
    return all(v is None or math.isfinite(v) for v in values)


def known(values):
    return [v for v in values if v is not None]


def rank(v):
    """Returns a key in PostgreSQL's order, where NaN is the greatest."""
    return (v != v, 0 if v != v else v)


def document_rank(v):
    """Returns a key in MongoDB's order, where NULL and NaN come before all numbers."""
    return (0, 0) if v is None else (1, 0) if v != v else (2, v)


def total(values):
    v = known(values)
    return sum(v) if v else None


def mean(values):
    v = known(values)
    return None if not v else sum(v) / len(v) if isinstance(v[0], float) else float(Fraction(sum(v), len(v)))


class Within:
    """Bounds of a value, in place of the value."""

    def __init__(self, low, high):
        self.low, self.high = float(low), float(high)

    def has(self, value):
        return isinstance(value, float) and self.low <= value <= self.high

    def __repr__(self):
        return f"{self.low} to {self.high}"


class Aggregate:
    """sql, the same for DuckDB (or None), and a function from rows to the result (or None)."""

    def __init__(self, sql, duck, rows):
        self.sql, self.duck, self.rows = sql, duck, rows


def simple(rng, x):
    """Returns an aggregate whose gaps can be filled."""
    of = lambda f: lambda rows: f([getattr(r, x) for r in rows])
    return rng.choice([
        Aggregate("count(*)", "count(*)", len), Aggregate(f"count({x})", f"count({x})", of(lambda v: len(known(v)))), Aggregate(f"sum({x})", f"sum({x})", of(total)), Aggregate(f"avg({x})", f"avg({x})", of(mean)),
        Aggregate(f"min({x})", f"min({x})", of(lambda v: min(known(v), key=rank, default=None))), Aggregate(f"max({x})", f"max({x})", of(lambda v: max(known(v), key=rank, default=None))),
        Aggregate(f"first({x}, ts)", None, lambda rows: getattr(min(rows, key=lambda r: (r.ts, document_rank(getattr(r, x)))), x)),
        Aggregate(f"last({x}, ts)", None, lambda rows: getattr(max(rows, key=lambda r: (r.ts, document_rank(getattr(r, x)))), x))])


def richer(rng, x, y, calm):
    """Returns an aggregate that DuckDB has, too. The second key of its lists decides ties. calm:
    all numbers are finite.
    """
    p = rng.choice([0, 0.1, 0.25, 0.5, 0.9, 1])
    # For one value, or equal values, DuckDB gives NaN in place of NULL. For infinities, its
    # percentiles and deviations differ from PostgreSQL's.
    total_of = lambda of: f"CASE WHEN isnan({of}{{filter}}) THEN NULL ELSE {of}{{filter}} END" if calm else None
    between = f"quantile_cont({x}::double, {{}})" if calm else None
    return rng.choice([
        Aggregate(f"percentile_cont({p}) WITHIN GROUP (ORDER BY {x})", between and between.format(p), None), Aggregate(f"percentile_disc({p}) WITHIN GROUP (ORDER BY {x})", f"quantile_disc({x}, {p})", None),
        Aggregate(f"median({x})", between and between.format(0.5), None), Aggregate(f"min_by(ts, {x})", f"list(CASE WHEN {x} IS NOT NULL THEN ts END ORDER BY {x}, ts){{filter}}[1]", None),
        Aggregate(f"max_by(k, {x})", f"list(CASE WHEN {x} IS NOT NULL THEN k END ORDER BY {x} DESC NULLS LAST, k DESC){{filter}}[1]", None), Aggregate("arg_max(k, ts)", "list(k ORDER BY ts DESC, k DESC){filter}[1]", None), Aggregate("arg_min(k, ts)", "list(k ORDER BY ts, k){filter}[1]", None),
        Aggregate(f"stddev_pop({x})", f"stddev_pop({x})" if calm else None, None), Aggregate(f"var_samp({x})", f"var_samp({x})" if calm else None, None), Aggregate("count(DISTINCT k)", "count(DISTINCT k)", None),
        Aggregate(f"corr({x}, {y})", total_of(f"corr({x}, {y})"), None), Aggregate(f"regr_slope({y}, {x})", total_of(f"regr_slope({y}, {x})"), None), Aggregate(f"min({x})", f"min({x})", None), Aggregate(f"sum({x})", f"sum({x})", None),
        Aggregate("max(ts)", "max(ts)", None)])


# ---- where rows come from ----


class Source:
    """An item of FROM: rows with ts, k, perhaps g, and numbers. `unique`: no two rows have the same
    k and ts.
    """

    def __init__(self, rng, table, unique=None):
        self.rng, self.keys, self.numbers = rng, [c for c, t in table.columns if t == "text"], [c for c, _ in table.columns if c in "vw"]
        self.sql, self.rows, self.unique = "{t}", table.rows, False
        if rng.random() < 0.35 if unique is None else unique:
            self.group(table)
        self.number = rng.choice(self.numbers)

    def group(self, table):
        """Returns a source of sums and extremes of buckets, which levels above the records may have."""
        rng, (name, seconds) = self.rng, self.rng.choice([t for t in TIMES if t[1] >= table.step])
        keys = ["k"] if rng.random() < 0.6 or "g" not in self.keys else ["k", "g"]
        where, rows = condition(rng, self) if rng.random() < 0.3 else (None, table.rows)
        sums = [(f"count({c})", lambda v: len(known(v))) if rng.random() < 0.2 else (f"sum({c})", total) if rng.random() < 0.7 else (f"max({c})", lambda v: max(known(v), key=rank, default=None)) for c in self.numbers]
        columns = ", ".join(f"{s} AS {c}" for c, (s, _) in zip(self.numbers, sums))
        self.sql = (f"(SELECT time_bucket(interval '{name}', ts) AS ts, {', '.join(keys)}, {columns} FROM {{t}}{' WHERE ' + where if where else ''} GROUP BY {', '.join(str(i + 1) for i in range(len(keys) + 1))}) AS s")
        groups = grouped(rows, lambda r: (bucket(r.ts, 1000 * seconds), *[getattr(r, k) for k in keys]))
        self.rows = []
        for (ts, k, *g), own in groups.items():
            found = {c: f([getattr(r, c) for r in own]) for c, (_, f) in zip(self.numbers, sums)}
            self.rows.append(Row(ts, k, g[0] if g else None, found.get("v"), found.get("w")))
        self.keys, self.unique = keys, keys == ["k"]

    def calm(self):
        return all(finite([r.v, r.w]) for r in self.rows)

    def other(self):
        return self.rng.choice(self.numbers)

    def real(self):
        """Returns the number as double precision, which two-step aggregates take."""
        return f"{self.number}::double precision" if self.number == "w" else self.number

    def of(self, rows):
        return [(Fraction(r.ts, 1000), Fraction(getattr(r, self.number))) for r in rows if getattr(r, self.number) is not None]


def grouped(rows, key):
    out = {}
    for r in rows:
        out.setdefault(key(r), []).append(r)
    return out


def times(rng):
    a = START + rng.choice([0, 1, 10, 600, 3600, 40000]) * 1000
    return a, a + rng.choice([0, 1, 30, 600, 7200, 90000]) * 1000


def condition(rng, source):
    """Returns SQL, and the rows of the source for which it is true."""
    a, b = times(rng)
    choices = [(f"ts >= {instant(a)}", lambda r: r.ts >= a), (f"ts < {instant(b)}", lambda r: r.ts < b), (f"ts >= {instant(a)} AND ts < {instant(b)}", lambda r: a <= r.ts < b), ("k = 'a'", lambda r: r.k == "a"),
               ("k IN ('a', 'c')", lambda r: r.k in "ac"), ("k <> 'b'", lambda r: r.k != "b"), (f"ts > {instant(a)} OR k = 'b'", lambda r: r.ts > a or r.k == "b")]
    if "g" in source.keys:
        choices += [("g = 'x'", lambda r: r.g == "x"), ("g IS NULL OR g <> 'x'", lambda r: r.g != "x")]
    for x in source.numbers:
        value = lambda r, x=x: getattr(r, x)
        choices += [(f"{x} > 1", lambda r, v=value: v(r) is not None and (v(r) != v(r) or v(r) > 1)), (f"{x} IS NOT NULL", lambda r, v=value: v(r) is not None)]
    sql, holds = rng.choice(choices)
    return sql, [r for r in source.rows if holds(r)]


def filtered(rng, source, chance=0.5):
    """Returns WHERE, and the rows that pass."""
    if rng.random() > chance:
        return "", source.rows
    sql, rows = condition(rng, source)
    return f" WHERE {sql}", rows


# ---- aggregates of groups ----


def groups_of(rng, source):
    """Returns keys of GROUP BY: the SQL of each, and a function from a row to its printed key."""
    name, seconds = rng.choice(TIMES)
    by = {"k": lambda r: r.k, "g": lambda r: r.g, f"time_bucket(interval '{name}', ts)": lambda r: stamp(bucket(r.ts, 1000 * seconds))}
    chosen = rng.sample([k for k in by if k != "g" or "g" in source.keys], rng.choice([0, 1, 1, 2]))
    return chosen, lambda r: tuple(by[k](r) for k in chosen)


def aggregates(rng, table):
    source = Source(rng, table)
    where, rows = filtered(rng, source)
    keys, key = groups_of(rng, source)
    columns = [simple(rng, source.number) if rng.random() < 0.5 else richer(rng, source.number, source.other(), source.calm()) for _ in range(rng.choice([1, 2, 3]))]
    having = f" HAVING count(*) > {rng.choice([1, 2, 5])}" if keys and rng.random() < 0.2 else ""
    sql, duck, computed = list(keys), list(keys), []
    for a in columns:
        chosen, of = (condition(rng, source) if rng.random() < 0.25 and having == "" else (None, None))
        kept = {id(r) for r in of} if chosen else None
        computed.append((a, kept))
        sql.append(a.sql + (f" FILTER (WHERE {chosen})" if chosen else ""))
        duck.append(with_filter(a.duck, f" FILTER (WHERE {chosen})" if chosen else "") if a.duck else None)
    group = " GROUP BY " + ", ".join(keys) if keys else ""
    text = lambda columns: f"SELECT {', '.join(columns)} FROM {source.sql}{where}{group}{having}"
    in_duck = None if None in duck else text(duck)

    def model():
        groups = grouped(rows, key) if keys else {(): rows}
        least = int(having.split()[-1]) if having else 0
        return [(*k, *[one(a, [r for r in own if kept is None or id(r) in kept]) for a, kept in computed]) for k, own in groups.items() if len(own) > least or not having]
    if keys and rng.random() < 0.2:  # in a total order
        limit = f" ORDER BY {', '.join(str(i + 1) for i in range(len(keys)))} LIMIT {rng.choice([1, 3])}"
        return Question(text(sql) + limit, in_duck and in_duck + limit, slack=1e-6)
    return Question(text(sql), in_duck, model if all(a.rows for a in columns) else None, slack=1e-6)


def one(a, rows):
    return a.rows(rows) if rows or a.sql.startswith("count") else None


def with_filter(duck, chosen):
    return duck.replace("{filter}", chosen) if "{filter}" in duck else duck + chosen


# ---- two-step aggregates ----

COUNTER = ["delta", "time_delta", "rate", "idelta_left", "idelta_right", "irate_left", "irate_right", "num_changes", "num_elements", "first_val", "last_val", "slope", "corr", "num_resets"]


def counters(rng, source):
    counter = rng.random() < 0.6
    names = rng.sample([n for n in COUNTER if counter or n != "num_resets"], 3)
    a, b = START // 1000 - rng.choice([3600, 7200]), START // 1000 + LONG

    def values(rows):
        points = source.of(rows)
        if not points:
            return [None] * 4
        s = Series(points, counter)
        found = s.values()
        return [found[n] for n in names] + [s.extrapolated(a, b)]
    calls = [f"{n}({{s}})" for n in names] + [f"extrapolated_delta(with_bounds({{s}}, {instant(a * 1000)}, {instant(b * 1000)}))"]
    return f"{'counter' if counter else 'gauge'}_agg(ts, {source.real()})", calls, values


def weights(rng, source):
    linear, unit = rng.random() < 0.5, rng.choice(["second", "minute"])

    def values(rows):
        points = source.of(rows)
        if not points:
            return [None] * 4
        s = Series(points, False)
        area = s.area(linear)
        return [area / (60 if unit == "minute" else 1), per(area, s.points[-1][0] - s.points[0][0]), s.points[0][1], s.points[-1][1]]
    return f"time_weight('{'linear' if linear else 'LOCF'}', ts, {source.real()})", [f"integral({{s}}, '{unit}')", "average({s})", "first_val({s})", "last_val({s})"], values


def candles(rng, source):
    volume = source.other()
    read = ["open", "high", "low", "close", "high_time", "low_time", "volume", "vwap"]
    chosen = rng.sample(range(8), 4)

    def values(rows):
        exact = lambda x: None if x is None else Fraction(x)
        found = candle([(r.ts, exact(getattr(r, source.number)), exact(getattr(r, volume))) for r in rows])
        found[4:6] = [None if t is None else stamp(t) for t in found[4:6]]
        return [found[i] for i in chosen]
    return f"candlestick_agg(ts, {source.real()}, {volume}::double precision)", [f"{read[i]}({{s}})" for i in chosen], values


def summaries(rng, source):
    calls = ["num_vals({s})", "average({s})", "variance({s}, 'population')", "skewness({s}, 'population')", "kurtosis({s}, 'population')"]
    return f"stats_agg({source.real()})", calls, lambda rows: moments([v for _, v in source.of(rows)]) if source.of(rows) else [None] * 5


def ranked(v, p, error):
    """Returns the numbers whose rank is p of all, within the error."""
    n = len(v)
    return Within(v[max(math.floor(p * n - error), 0)], v[min(math.ceil(p * n + error), n - 1)])


def percentiles(rng, source):
    p, (buckets, error) = rng.choice([0, 0.2, 0.5, 0.99, 1]), rng.choice([(200, 0.001), (500, 0.1)])

    def values(rows):
        v = sorted(v for _, v in source.of(rows))
        if not v:
            return [None] * 3
        one, slack = v[min(int(p * len(v)), len(v) - 1)], Fraction(error) * Fraction(1000001, 1000000)
        return [len(v), float(sum(v) / len(v)), Within(one - abs(one) * slack, one + abs(one) * slack)]
    return f"uddsketch({buckets}, {error}, {source.real()})", ["num_vals({s})", "mean({s})", f"approx_percentile({p}, {{s}})"], values


def digests(rng, source):
    p = rng.choice([0, 0.2, 0.5, 0.99, 1])

    def values(rows):
        v = sorted(v for _, v in source.of(rows))
        return [len(v), float(sum(v) / len(v)), v[0], v[-1], ranked(v, p, max(1, 6 * len(v) / 100))] if v else [None] * 5
    return f"tdigest(100, {source.real()})", ["num_vals({s})", "mean({s})", "min_val({s})", "max_val({s})", f"approx_percentile({p}, {{s}})"], values


def different(rng, source):
    def values(rows):
        n = len({r.ts for r in rows})
        return [Within(n * 0.9 - 1, n * 1.1 + 1) if rows else None]
    return "hyperloglog(4096, ts)", ["distinct_count({s})"], values


def counts(rng, source):
    def values(rows):
        return [Within(sum(r.k == "a" for r in rows), len(rows)) if rows else None]
    return "count_min_sketch(k, 0.01, 0.01)", ["approx_count('a', {s})"], values


def pairs(rng, source):
    """stats_agg of two variables, beside sums of exact fractions."""
    y, x = source.number, source.other()
    exact = lambda v: None if v is None else Fraction(v)

    def values(rows):
        points = [(Fraction(getattr(r, x)), Fraction(getattr(r, y))) for r in rows if getattr(r, x) is not None and getattr(r, y) is not None]
        if not points:
            return [None] * 6
        n = len(points)
        mx, my = (sum(p[i] for p in points) / n for i in (0, 1))
        sxx, syy, sxy = sum((a - mx) ** 2 for a, _ in points), sum((b - my) ** 2 for _, b in points), sum((a - mx) * (b - my) for a, b in points)
        slope = exact(sxy / sxx) if sxx else None
        return [n, float(mx), float(my), slope, None if slope is None else my - slope * mx, sxy / n]
    calls = ["num_vals({s})", "average_x({s})", "average_y({s})", "slope({s})", "intercept({s})", "covariance({s}, 'population')"]
    return f"stats_agg({y}::double precision, {x}::double precision)", calls, values


def extremes(rng, source):
    n, largest = rng.choice([1, 2, 5]), rng.random() < 0.5

    def values(rows):
        v = sorted((r.ts for r in rows), reverse=largest)[:n]
        return ["{" + ",".join(f'"{stamp(t)}{ZONE}"' for t in v) + "}" if v else None]
    return f"{'max' if largest else 'min'}_n(ts, {n})", ["into_array({s})"], values


def frequencies(rng, source):
    def values(rows):
        count = sum(r.k == "a" for r in rows)
        return [Fraction(count, len(rows)) if rows and count else 0 if rows else None] * 2
    return "freq_agg(0.01, k)", ["min_frequency({s}, 'a')", "max_frequency({s}, 'a')"], values


def alive(rows, live, end):
    """Returns the ranges in which a heartbeat counts, in seconds."""
    ranges = []
    for ms in sorted({r.ts for r in rows}):
        a, b = ms // 1000, min(ms // 1000 + live, end)
        if ranges and a <= ranges[-1][1]:
            ranges[-1][1] = max(b, ranges[-1][1])
        else:
            ranges.append([a, b])
    return ranges


def told(source, rows):
    """Returns times with the states of state_agg."""
    values = [(r.ts, getattr(r, source.number)) for r in rows if getattr(r, source.number) is not None]
    return sorted({(ts, "high" if v != v or v > 1 else "low") for ts, v in values})


def beats(rng, source):
    start, live = START // 1000 - 7200, rng.choice([1, 5, 60, 4000])

    def values(rows):
        if not rows:
            return [None] * 5
        end = start + LONG
        ranges = alive(rows, live, end)
        up = sum(b - a for a, b in ranges)
        gaps = len(ranges) - 1 + (ranges[0][0] > start) + (ranges[-1][1] < end)
        return [float(up), float(LONG - up), len(ranges), gaps, any(a <= START // 1000 < b for a, b in ranges)]
    calls = ["extract(epoch FROM uptime({s}))", "extract(epoch FROM downtime({s}))", "num_live_ranges({s})", "num_gaps({s})", f"live_at({{s}}, {instant(START)})"]
    return f"heartbeat_agg(ts, {instant(start * 1000)}, '{LONG} s', '{live} s')", calls, values


def states(rng, source):
    """Returns times at which a number is above another, or not. Two different states at one time
    are an error.
    """
    x, at, compact = source.number, START + rng.choice([0, 5, 100, 5000]) * 1000, rng.random() < 0.4

    def values(rows):
        points = told(source, rows)
        low = sum(min(b[0], at + 60_000) - max(a[0], at) for a, b in zip(points, points[1:]) if a[1] == "low" and b[0] > at and a[0] < at + 60_000)
        if compact:
            return [dict(lasted(points)).get(s, 0.0) for s in ("high", "low")]
        return [dict(lasted(points)).get("high", 0.0), low / 1000, next((s for t, s in reversed(points) if t <= at), None)]
    calls = ["extract(epoch FROM duration_in({s}, 'high'))", f"extract(epoch FROM duration_in({{s}}, 'low', {instant(at)}, '1 min'))", f"state_at({{s}}, {instant(at)})"]
    if compact:
        calls = [f"extract(epoch FROM duration_in({{s}}, '{s}'))" for s in ("high", "low")]
    return f"{'compact_' if compact else ''}state_agg(ts, CASE WHEN {x} > 1 THEN 'high' WHEN {x} <= 1 THEN 'low' END)", calls, values


KINDS = [counters, counters, weights, candles, summaries, pairs, percentiles, digests, different, counts, extremes, frequencies, beats, states]
NUMERIC = (counters, weights, candles, summaries, pairs, percentiles, digests)


def two_steps(rng, table):
    source = Source(rng, table)
    where, rows = filtered(rng, source)
    keys = rng.choice([[], ["k"], ["k"], ["g"] if "g" in source.keys else ["k"]])
    kinds = rng.sample(KINDS, rng.choice([1, 1, 2]))
    made = [kind(rng, source) for kind in kinds]
    chosen, of = condition(rng, source) if rng.random() < 0.2 else (None, rows)
    kept = {id(r) for r in of} & {id(r) for r in rows}
    filter_ = f" FILTER (WHERE {chosen})" if chosen else ""
    rolled, named = rng.random() < 0.5, [f"s{i}" for i in range(len(made))]
    having = " HAVING count(*) > 2" if not rolled and keys and rng.random() < 0.15 else ""
    group = lambda k: " GROUP BY " + ", ".join(k) if k else ""
    states_sql = ", ".join(f"{call}{filter_} AS {n}" for (call, _, _), n in zip(made, named))
    overlapping = False
    if rolled:
        name, seconds = rng.choice(TIMES)
        finer = keys + [f"time_bucket(interval '{name}', ts)"]
        if "g" in source.keys and "g" not in keys and rng.random() < 0.2:
            finer, overlapping = finer + ["g"], True
        inner = f"SELECT {', '.join(keys + [f'min(ts) AS ts, {states_sql}'])} FROM {source.sql}{where}{group(finer)}"
        if seconds < 3600 and rng.random() < 0.3:  # states of states
            merged = ", ".join(f"rollup({n}) AS {n}" for n in named)
            inner = f"SELECT {', '.join(keys + [merged])} FROM ({inner}) AS m{group(keys + [HOUR])}"
        calls = [c.replace("{s}", f"rollup({n})") for (_, calls, _), n in zip(made, named) for c in calls]
        sql = f"SELECT {', '.join(keys + calls)} FROM ({inner}) AS i{group(keys)}"
    elif rng.random() < 0.5 or having:
        calls = [c.replace("{s}", n) for (_, calls, _), n in zip(made, named) for c in calls]
        inner = f"SELECT {', '.join(keys + [states_sql])} FROM {source.sql}{where}{group(keys)}{having}"
        sql = f"SELECT {', '.join(keys + calls)} FROM ({inner}) AS i"
    else:
        calls = [c.replace("{s}", call + filter_) for call, calls, _ in made for c in calls]
        sql = f"SELECT {', '.join(keys + calls)} FROM {source.sql}{where}{group(keys)}"
    numeric, lines = any(k in NUMERIC for k in kinds), "slope(" in sql or "corr(" in sql

    def model():
        groups = grouped(rows, lambda r: tuple(getattr(r, k) for k in keys)) if keys else {(): rows}
        return [(*k, *[float(x) if isinstance(x, Fraction) else x for _, _, values in made for x in values([r for r in own if id(r) in kept])]) for k, own in groups.items() if not having or len(own) > 2]
    return Question(sql, None, model if source.calm() or not numeric else None, slack=1e-3 if lines else 1e-5, relative=1e-6 if lines else 1e-9, may_fail=states in kinds or overlapping)


def at_time(ms, a, b):
    return (ms, a[1] + (b[1] - a[1]) * (ms - a[0]) / (b[0] - a[0]))


def interpolated(buckets, width, linear):
    """Returns the integral (per second) and the average of each bucket of one series, up to its
    edges. buckets: {start: points in seconds}.
    """
    starts = sorted(buckets)
    for before, start, after in zip([None] + starts, starts, starts[1:] + [None]):
        p, end = list(buckets[start]), start + width
        edges = [] if before is None or p[0][0] == start else [at_time(start, buckets[before][-1], p[0]) if linear else (start, buckets[before][-1][1])]
        ends = [(end, p[-1][1])] if not linear else [] if after is None else [at_time(end, p[-1], buckets[after][0])]
        all_points = edges + p + ends
        area = sum((a[1] + b[1]) / 2 * (b[0] - a[0]) if linear else a[1] * (b[0] - a[0]) for a, b in zip(all_points, all_points[1:]))
        yield start, area, per(area, all_points[-1][0] - all_points[0][0])


def neighbours(rng, table):
    """Asks for states of buckets, read with the states beside them."""
    source = Source(rng, table)
    where, rows = filtered(rng, source)
    name, seconds = rng.choice(TIMES)
    over, method = "OVER (PARTITION BY k ORDER BY b)", rng.choice(["LOCF", "linear"])
    weighted = rng.random() < 0.7
    call, reads = (f"time_weight('{method}', ts, {source.real()})", ["interpolated_integral", "interpolated_average"]) if weighted else (f"{rng.choice(['counter', 'gauge'])}_agg(ts, {source.real()})", ["interpolated_delta", "interpolated_rate"])
    columns = [f"{f}(s, b, '{name}', lag(s) {over}, lead(s) {over})" for f in reads]

    def model():
        out = []
        for k, own in grouped([r for r in rows if getattr(r, source.number) is not None], lambda r: r.k).items():
            buckets = {b // 1000: Series(source.of(some), False).points for b, some in grouped(own, lambda r: bucket(r.ts, 1000 * seconds)).items()}
            out += [(k, stamp(b * 1000), float(area), None if average is None else float(average)) for b, area, average in interpolated(buckets, seconds, method == "linear")]
        return out
    inner = f"SELECT k, time_bucket(interval '{name}', ts) AS b, {call} AS s FROM {source.sql}{where} GROUP BY 1, 2 HAVING count({source.number}) > 0"
    return Question(f"SELECT k, b, {', '.join(columns)} FROM ({inner}) AS i", None, model if weighted and source.calm() else None, slack=1e-5)


def sets(rng, table):
    """Asks for functions that give a set for each state."""
    source = Source(rng, table)
    where, rows = filtered(rng, source)
    n, largest, live = rng.choice([1, 2, 5]), rng.random() < 0.5, rng.choice([1, 5, 60, 4000])
    groups = grouped(rows, lambda r: r.k)
    kind = rng.choice(["newest", "ranges", "timeline", "values"])
    if kind == "newest":
        call, columns, of = f"{'max' if largest else 'min'}_n_by(ts, k, {n})", "value, data", "into_values(s, NULL::text)"
        model = lambda: [(k, stamp(t), k) for k, own in groups.items() for t in sorted((r.ts for r in own), reverse=largest)[:n]]
    elif kind == "ranges":
        start = START // 1000 - 7200
        call, columns, of = f"heartbeat_agg(ts, {instant(start * 1000)}, '{LONG} s', '{live} s')", "r.start, r.end", "live_ranges(s) AS r"
        model = lambda: [(k, stamp(a * 1000), stamp(b * 1000)) for k, own in groups.items() for a, b in alive(own, live, start + LONG)]
    else:
        call = f"state_agg(ts, CASE WHEN {source.number} > 1 THEN 'high' WHEN {source.number} <= 1 THEN 'low' END)"
        columns, of = ("state, start_time, end_time", "state_timeline(s)") if kind == "timeline" else ("state, extract(epoch FROM duration)", "into_values(s)")
        model = lambda: [(k, *row) for k, own in groups.items() for row in (periods(told(source, own)) if kind == "timeline" else lasted(told(source, own)))]
    return Question(f"SELECT k, {columns} FROM (SELECT k, {call} AS s FROM {source.sql}{where} GROUP BY k) AS i, {of}", None, model, may_fail=True)


def periods(times_of):
    """Returns (state, start, end) of the ranges in which the state is the same."""
    out = []
    for t, s in times_of:
        if not out or out[-1][0] != s:
            out.append([s, t, t])
            if len(out) > 1:
                out[-2][2] = t
        out[-1][2] = t
    return [(s, stamp(a), stamp(b)) for s, a, b in out]


def lasted(times_of):
    out = {s: 0 for _, s in times_of}
    for (a, s), (b, _) in zip(times_of, times_of[1:]):
        out[s] += b - a
    return [(s, ms / 1000) for s, ms in out.items()]


# ---- windows ----


INSIDE = "INTERVAL '5 s' FOLLOWING"


def window_calls(rng, x):
    """Returns (mtsql's call, DuckDB's or None). {w}: the window, whose order of rows is total. {o}:
    the text within its parentheses.
    """
    n, unit = rng.randint(1, 4), rng.choice(["1 s", "1 min"])
    seconds = 60 if unit == "1 min" else 1
    change, step = f"({x} - lag({x}) OVER ({{o}}))", "(epoch(ts) - lag(epoch(ts)) OVER ({o}))"
    rows = f"ROWS {rng.choice(['1 PRECEDING', 'UNBOUNDED PRECEDING', 'BETWEEN 1 PRECEDING AND 2 FOLLOWING', 'BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'BETWEEN 3 PRECEDING AND 1 PRECEDING'])}"
    close = f"RANGE BETWEEN INTERVAL '{rng.choice(['0 s', '5 s', '10 min'])}' PRECEDING AND {rng.choice(['CURRENT ROW', INSIDE])}"
    both = [f"lag({x}, {n}) OVER ({{o}})", f"lead({x}) OVER ({{o}})", f"first_value({x}) OVER ({{o}} {rows})", f"last_value({x}) OVER ({{o}} {rows})", "row_number() OVER ({o})", "rank() OVER (PARTITION BY k ORDER BY ts)"]
    both += [f"{f}({x}) OVER ({{o}} {rows})" for f in ("sum", "avg", "min", "max", "count")] + [f"{f}({x}) OVER (PARTITION BY k ORDER BY ts {close})" for f in ("sum", "min", "max", "count", "avg")]
    own = [(f"difference({x}) OVER ({{o}})", change), (f"non_negative_difference({x}) OVER ({{o}})", f"CASE WHEN {change} >= 0 THEN {change} END"),
           (f"seasonal_difference({x}, {n}) OVER ({{o}})", f"{x} - lag({x}, {n}) OVER ({{o}})"), (f"derivative({x}, ts, '{unit}') OVER ({{o}})", f"{change} / nullif({step}, 0) * {seconds}"),
           (f"non_negative_derivative({x}, ts) OVER ({{o}})", f"CASE WHEN {change} / nullif({step}, 0) >= 0 THEN {change} / nullif({step}, 0) END"), (f"elapsed(ts, '{unit}') OVER ({{o}})", f"{step} / {seconds}"),
           (f"cumulative_sum({x}) OVER ({{o}})", f"sum({x}) OVER ({{o}} ROWS UNBOUNDED PRECEDING)"),
           (f"moving_average({x}, {n}) OVER ({{o}})", f"CASE WHEN count({x}) OVER ({{o}} ROWS {n - 1} PRECEDING) = {n} THEN avg({x}) OVER ({{o}} ROWS {n - 1} PRECEDING) END"),
           (f"zscore({x}) OVER ({{o}})", None), (f"modified_zscore({x}) OVER ({{o}})", None), (f"exponential_moving_average({x}, 0.5) OVER ({{o}})", None), (f"holt_winters({x}, 2, 0.5, 0.25, 0.5) OVER ({{o}})", None)]
    return [(s, s) for s in rng.sample(both, 2)] + rng.sample(own, 2)


def windows(rng, table):
    source = Source(rng, table)
    where, _ = filtered(rng, source)
    columns = source.keys + source.numbers
    order = f"PARTITION BY k ORDER BY ts, {', '.join(c for c in columns if c != 'k')}"
    calls = rng.sample(window_calls(rng, source.number), rng.randint(1, 3))
    text = lambda calls: f"SELECT ts, {', '.join(columns + [c.replace('{o}', order) for c in calls])} FROM {source.sql}{where}"
    in_duck = None if any(d is None for _, d in calls) else text([d for _, d in calls])
    return Question(text([c for c, _ in calls]), in_duck, slack=1e-6)


def windows_of_groups(rng, table):
    """Functions of windows over aggregates of the same block."""
    source = Source(rng, table, False)
    where, _ = filtered(rng, source)
    name, _ = rng.choice(TIMES)
    key = f"time_bucket(interval '{name}', ts)"
    x = f"{rng.choice(['sum', 'max'])}({source.number})"
    calls = rng.sample([c for c in window_calls(rng, x) if "PRECEDING" not in c[0]] or [("lag(count(*)) OVER ({o})",) * 2], 1)
    written = [[re.sub(r"\bts\b", key, c[i].replace("{o}", "PARTITION BY k ORDER BY ts")) if c[i] else None for c in calls] for i in (0, 1)]
    text = lambda calls: f"SELECT k, {key}, {x}, {', '.join(calls)} FROM {source.sql}{where} GROUP BY k, {key}"
    return Question(text(written[0]), None if None in written[1] else text(written[1]), slack=1e-6)


# ---- gaps ----


def locf(cells):
    """Returns the last row's value, in gaps only. cells: (time, whether there is a row, its value).
    """
    out, last = [], None
    for _, there, value in cells:
        last = value if there else last
        out.append(last)
    return out


def line(cells):
    """Returns values on the line between the rows on both sides, in gaps only."""
    out, rows = [], [(t, value) for t, there, value in cells if there]
    for t, there, value in cells:
        before, after = max((r for r in rows if r[0] < t), default=(0, None), key=lambda r: r[0]), min((r for r in rows if r[0] > t), default=(0, None), key=lambda r: r[0])
        if not there and before[1] is not None and after[1] is not None:
            value = Fraction(before[1]) + Fraction(after[1] - before[1]) * (t - before[0]) / (after[0] - before[0])
        out.append(value)
    return out


def few_buckets(rng, step, a, b):
    return rng.choice([t for t in TIMES if t[1] >= step and (b - a) / 1000 / t[1] < 400] or [TIMES[-1]])


def kept(cells):
    return [value for *_, value in cells]


def filled(rows, keys, columns, buckets, start):
    """Returns the rows of each group, in each of the buckets and outside of them. columns:
    (aggregate, how gaps are filled). start: the start of a time's bucket. Without keys there is one
    group.
    """
    groups = grouped(rows, lambda r: tuple(getattr(r, k) for k in keys)) or ({} if keys else {(): []})
    out = []
    for key, own in groups.items():
        of = grouped(own, lambda r: start(r.ts))
        at = sorted(set(of) | set(buckets))
        filled_in = [fill([(b, b in of, a.rows(of[b]) if b in of else None) for b in at]) for a, fill in columns]
        out += [(stamp(b), *key, *[float(c[i]) if isinstance(c[i], Fraction) else c[i] for c in filled_in]) for i, b in enumerate(at)]
    return out


def gap_columns(rng, source):
    """Returns (aggregate, how it is filled, the SQL function that fills it or None)."""
    out = []
    for _ in range(rng.choice([1, 2, 3])):
        a = simple(rng, source.number)
        fills = [(kept, None), (locf, "locf")]
        if a.sql.split("(")[0] in ("sum", "min", "max") and source.number == "v" and "count(" not in source.sql:
            fills.append((line, "interpolate"))
        out.append((a, *rng.choice(fills)))
    return out


def gaps(rng, table):
    """Asks for time_bucket_gapfill with its own start and finish, or with those of WHERE."""
    source = Source(rng, table)
    a, b = times(rng)
    b = b if b > a else a + 1000
    name, seconds = few_buckets(rng, table.step, a, b)
    keys = rng.choice([[], ["k"]])
    columns = gap_columns(rng, source)
    by_where = rng.random() < 0.4
    where = f" WHERE ts >= {instant(a)} AND ts < {instant(b)}" if by_where else ""
    call = f"time_bucket_gapfill('{name}', ts{'' if by_where else f', {instant(a)}, {instant(b)}'})"
    written = [f"{f}({c.sql})" if f else c.sql for c, _, f in columns]
    sql = f"SELECT {', '.join([call + ' AS b', *keys, *written])} FROM {source.sql}{where} GROUP BY {', '.join(['b', *keys])}"
    rows = [r for r in source.rows if a <= r.ts < b] if by_where else source.rows
    special = any(f == "interpolate" for *_, f in columns) and not finite(getattr(r, source.number) for r in rows)
    width = 1000 * seconds
    model = lambda: filled(rows, keys, [(c, fill) for c, fill, _ in columns], range(bucket(a, width), b, width), lambda ms: bucket(ms, width))
    return Question(sql, None, None if special else model, slack=1e-6)


def constant(value):
    """Asks for FILL with a constant, which also replaces NULL."""
    return lambda cells: [value if v is None else v for *_, v in cells]


def sample_by(rng, table):
    source = Source(rng, table)
    where, rows = filtered(rng, source, 0.4)
    keys = rng.choice([[], ["k"]])
    name, seconds = few_buckets(rng, table.step, min((r.ts for r in rows), default=START), max((r.ts for r in rows), default=START))
    width, columns, fill = 1000 * seconds, gap_columns(rng, source), rng.random() < 0.6
    words = {None: "NULL", "locf": "PREV", "interpolate": "LINEAR"}
    how = [(c, constant(-1), "-1") if rng.random() < 0.2 and c.sql.split("(")[0] in ("sum", "count", "max") else (c, f, words[w]) for c, f, w in columns]
    sql = f"SELECT ts, {', '.join(keys + [c.sql for c, *_ in how])} FROM {source.sql}{where} SAMPLE BY '{name}'"
    bounds, align, shift = "", rng.choice(["", "", " ALIGN TO CALENDAR", " ALIGN TO FIRST OBSERVATION", f" ALIGN TO CALENDAR WITH OFFSET '00:0{rng.randint(0, 2)}'"]), 0
    a, b = times(rng)
    if "OFFSET" in align:
        shift = 60_000 * int(align[-2])
    elif "FIRST" in align:
        shift = min((r.ts for r in rows), default=0)
    elif "ts" not in where and b > a and (b - a) / width < 400 and rng.random() < 0.3:
        bounds, rows = f" FROM {instant(a)} TO {instant(b)}", [r for r in rows if a <= r.ts < b]
    sql += bounds + (f" FILL ({', '.join(w for *_, w in how)})" if fill else "") + align
    special = any(w == "LINEAR" for *_, w in how) and not finite(getattr(r, source.number) for r in rows)
    start = lambda ms: bucket(ms - shift, width) + shift if "FIRST" not in align else (ms - shift) // width * width + shift

    def model():
        if not rows and (not fill or keys or not bounds):
            return []
        if fill:
            first, last = (start(a), b) if bounds else (start(min(r.ts for r in rows)), max(r.ts for r in rows) + 1)
            return filled(rows, keys, [(c, f) for c, f, _ in how], range(first, last, width), start)
        groups = grouped(rows, lambda r: (stamp(start(r.ts)), *[getattr(r, k) for k in keys]))
        return [(*key, *[c.rows(own) for c, *_ in how]) for key, own in groups.items()]
    return Question(sql, None, None if special else model, slack=1e-6, reads=2 if fill or "FIRST" in align else 1)


# ---- newest rows, and rows before others ----


def latest_on(rng, table):
    source = Source(rng, table)
    where, rows = filtered(rng, source)
    groups = grouped(rows, lambda r: r.k)
    newest = {k: [r for r in own if r.ts == max(o.ts for o in own)] for k, own in groups.items()}
    columns = ["k", "ts"] + (source.numbers if all(len(own) == 1 for own in newest.values()) else [])
    read = lambda r, c: stamp(r.ts) if c == "ts" else getattr(r, c)
    return Question(f"SELECT {', '.join(columns)} FROM {source.sql}{where} LATEST ON ts PARTITION BY k", None, lambda: [tuple(read(own[0], c) for c in columns) for own in newest.values()])


def asof(rng, table):
    """Pairs each row of one source with the nearest row of another. No two rows are equally near.
    """
    left, right = Source(rng, table), Source(rng, table, True)
    while not right.unique:
        right = Source(rng, table, True)
    where, rows = filtered(rng, left)
    sign, outer, near, limit = rng.choice([">=", ">=", ">", "<=", "<"]), rng.random() < 0.5, rng.random() < 0.3, rng.choice([None, None, 0, 5, 60, 600])
    x = right.number
    side = f"(SELECT * FROM {left.sql}{where}) AS a"
    text = lambda near, limit: (f"SELECT a.k, a.ts, b.ts, b.{x} FROM {side} ASOF {near}{'LEFT ' if outer else ''}JOIN (SELECT * FROM {right.sql}) AS b ON a.k = b.k AND a.ts {sign} b.ts{limit}")
    sql = text("NEAREST " if near else "", "" if limit is None else f" TOLERANCE '{limit} s'")

    def partner(r):
        before = max((o for o in right.rows if o.k == r.k and (o.ts < r.ts or o.ts == r.ts and "=" in sign)), key=lambda o: o.ts, default=None)
        after = min((o for o in right.rows if o.k == r.k and (o.ts > r.ts or o.ts == r.ts and "=" in sign)), key=lambda o: o.ts, default=None)
        first, second = (before, after) if ">" in sign else (after, before)
        if near and second and (not first or abs(second.ts - r.ts) < abs(first.ts - r.ts)):
            first = second
        return first if first and (limit is None or abs(first.ts - r.ts) <= 1000 * limit) else None

    def model():
        pairs = [(r, partner(r)) for r in rows]
        return [(r.k, stamp(r.ts), None if p is None else stamp(p.ts), None if p is None else getattr(p, x)) for r, p in pairs if p or outer]
    return Question(sql, text("", "") if not near and limit is None else None, model, reads=3 if near else 2)


def around(rng, table):
    """Asks for an aggregate of the rows near each row of another source: by a window over both, and
    by a sub-select for each row.
    """
    left, right = Source(rng, table), Source(rng, table)
    where, rows = filtered(rng, left)
    before, after, x = rng.choice([0, 5, 600]), rng.choice([0, 1, 60]), right.number
    f, of = rng.choice([("count", lambda v: len(known(v))), ("sum", total), ("max", lambda v: max(known(v), key=rank, default=None)), ("avg", mean)])
    if rng.random() < 0.5:
        frame = f"RANGE BETWEEN INTERVAL '{before} s' PRECEDING AND INTERVAL '{after} s' FOLLOWING"
        both = f"SELECT true AS own, k, ts, NULL AS x FROM {left.sql}{where} UNION ALL SELECT false, k, ts, {x} FROM {right.sql}"
        sql = f"SELECT k, ts, x FROM (SELECT own, k, ts, {f}(x) FILTER (WHERE NOT own) OVER (PARTITION BY k ORDER BY ts {frame}) AS x FROM ({both}) AS u) AS w WHERE own"
    else:
        near = rng.choice([f"b.ts BETWEEN a.ts - INTERVAL '{before} s' AND a.ts + INTERVAL '{after} s'", f"a.ts - b.ts <= INTERVAL '{before} s' AND b.ts - a.ts <= INTERVAL '{after} s'",
                           f"b.ts + INTERVAL '{before} s' >= a.ts AND a.ts >= b.ts - INTERVAL '{after} s'"])
        sql = f"SELECT k, ts, (SELECT {f}({x}) FROM (SELECT * FROM {right.sql}) AS b WHERE b.k = a.k AND {near}) FROM (SELECT * FROM {left.sql}{where}) AS a"

    def model():
        return [(r.k, stamp(r.ts), of([getattr(o, x) for o in right.rows if o.k == r.k and r.ts - 1000 * before <= o.ts <= r.ts + 1000 * after])) for r in rows]
    return Question(sql, sql, model, reads=2, slack=1e-6)


def bound(seconds):
    return "CURRENT ROW" if not seconds else f"'{abs(seconds)} s' {'PRECEDING' if seconds < 0 else 'FOLLOWING'}"


def window_join(rng, table):
    """Aggregates of the rows near each row of another source, perhaps with the rows of the last time before."""
    left, right = Source(rng, table), Source(rng, table)
    where, rows = filtered(rng, left)
    low, high = sorted(rng.choice([-3600, -600, -60, -5, 0, 0, 1, 60, 600]) for _ in range(2))
    x, prevails, keyed, only = right.number, rng.random() < 0.5, rng.random() < 0.8, rng.random() < 0.3
    of = lambda f: lambda own: f([getattr(r, x) for r in own])
    f, one = rng.choice([(f"count(b.{x})", of(lambda v: len(known(v)))), (f"sum(b.{x})", of(total)), (f"max({x}2)", of(lambda v: max(known(v), key=rank, default=None))), (f"avg(b.{x})", of(mean))])
    a, b = f"(SELECT * FROM {left.sql}{where}) AS a", f"(SELECT *, {x} AS {x}2 FROM {right.sql}) AS b"
    on = " AND ".join(["a.k = b.k"] * keyed + [f"b.{x} IS NOT NULL"] * only)
    words = "EXCLUDE PREVAILING" if not prevails else rng.choice(["", "INCLUDE PREVAILING"])
    sql = f"SELECT a.k, a.ts, count(*), {f} FROM {a} WINDOW JOIN {b}{' ON ' + on if on else ''} RANGE BETWEEN {bound(low)} AND {bound(high)} {words}"
    start = f"a.ts + INTERVAL '{low} s'"
    since = f"coalesce((SELECT max(ts) FROM {b} WHERE b.ts <= {start}{' AND ' + on if on else ''}), {start})" if prevails else start
    lateral = f"SELECT a.k, a.ts, w.n, w.x FROM {a}, LATERAL (SELECT count(*) AS n, {f} AS x FROM {b} WHERE b.ts >= {since} AND b.ts <= a.ts + INTERVAL '{high} s'{' AND ' + on if on else ''}) AS w"

    def near(r):
        fits = [o for o in right.rows if (o.k == r.k or not keyed) and not (only and getattr(o, x) is None)]
        since = max((o.ts for o in fits if prevails and o.ts <= r.ts + 1000 * low), default=r.ts + 1000 * low)
        return [o for o in fits if since <= o.ts <= r.ts + 1000 * high]

    def model():
        return [(r.k, stamp(r.ts), len(own), one(own)) for r in rows for own in [near(r)]]
    return Question(sql, lateral if not prevails else None, model, reads=3 if prevails else 2, slack=1e-6)


# ---- fewer points ----


def points(rng, table):
    source = Source(rng, table)
    where, rows = filtered(rng, source, 0.3)
    call, n = rng.choice(["lttb", "asap_smooth"]), rng.choice([2, 3, 5, 10, 40])
    known_points = sorted((r.ts, Fraction(getattr(r, source.number))) for r in rows if getattr(r, source.number) is not None and math.isfinite(getattr(r, source.number)))
    judge = series.wrong_lttb if call == "lttb" else series.wrong_asap

    def wrong(answer):
        got = [(int(ms), Fraction(float(v))) for ms, v in answer]
        return judge(known_points, n, got) if known_points else None if not got else "points of nothing"
    sql = f"SELECT round(extract(epoch FROM time) * 1000)::bigint, value FROM unnest((SELECT {call}(ts, {source.real()}, {n}) FROM {source.sql}{where}))"
    return Question(sql, None, wrong, judges=True, slack=1e-6)


MAKERS = [aggregates] * 3 + [two_steps] * 5 + [neighbours, neighbours, sets, windows_of_groups] + [windows] * 3 + [gaps, gaps, sample_by, sample_by, latest_on, asof, asof, around, window_join, points]


def make_question(rng, table):
    return rng.choice(MAKERS)(rng, table)

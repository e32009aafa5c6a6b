"""Tables of random points for timeseries.py: equal times, times out of order, NULLs, NaN, infinities, negative numbers and counters that fall, and layouts that hold them."""
import datetime
import math

START = 1_709_164_799_000  # a second before 2024-02-29
TIMES = [("1 s", 1), ("5 s", 5), ("7 s", 7), ("1 min", 60), ("10 min", 600), ("1 hour", 3600)]


def stamp(ms):
    """Returns a timestamptz in UTC as mtsql prints it, without the zone."""
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=ms)
    return at.strftime("%Y-%m-%d %H:%M:%S") + (f".{ms % 1000:03}".rstrip("0") if ms % 1000 else "")


def instant(ms):
    return f"timestamptz '{stamp(ms)}+00'"


def bucket(ms, width):
    """Returns the start of the bucket of this many milliseconds. Buckets begin on a Monday."""
    monday = 946_857_600_000
    return (ms - monday) // width * width + monday


class Row:
    def __init__(self, ts, k, g, v, w):
        self.ts, self.k, self.g, self.v, self.w = ts, k, g, v, w

    def value(self, column):
        return stamp(self.ts) if column == "ts" else getattr(self, column)

    def literal(self, column):
        x = getattr(self, column)
        if column == "ts":
            return instant(x)
        return "NULL" if x is None else f"'{x}'" if isinstance(x, str) or isinstance(x, float) and not math.isfinite(x) else repr(x)


class Table:
    """columns: (name, type) in order. layouts: (name, text after USING), beside rows. step: seconds
    between times. counts: the meaning of w.
    """

    def __init__(self, columns, layouts, rows, step, counts=False):
        self.columns, self.layouts, self.rows, self.step, self.counts = columns, layouts, rows, step, counts

    def definition(self):
        role = {"ts": f" TIME PERIOD '{self.step} s' NOT NULL", "v": " MEASURE", "w": " MEASURE COUNTER NOT NULL" if self.counts else " MEASURE"}
        columns = [f"{c} {t}{role.get(c) or ' DIMENSION' + ('' if self.nullable(c) else ' NOT NULL')}" for c, t in self.columns]
        return f"CREATE TABLE t ({', '.join(columns)}) USING rows"

    def nullable(self, column):
        return any(getattr(r, column) is None for r in self.rows)

    def insert(self, rows):
        values = ["(" + ", ".join(r.literal(c) for c, _ in self.columns) + ")" for r in rows]
        return [f"INSERT INTO t VALUES {', '.join(values)}"] if values else []

    def create_plain(self):
        return [self.definition(), *self.insert(self.rows)]

    def create(self, on_server):
        """Returns the statements that make the table. Half of the rows come before the layouts. A
        server can't add NaN to the sums of `minute`.
        """
        half, odd = len(self.rows) // 2, any(r.v is not None and not math.isfinite(r.v) for r in self.rows)
        layouts = [(n, u) for n, u in self.layouts if not (on_server and odd and u.startswith("minute"))]
        before, after = self.insert(self.rows[:half]), self.insert(self.rows[half:])
        return [self.definition(), *before, *[f"ALTER TABLE t ADD LAYOUT {n} USING {u}" for n, u in layouts], *after, "ANALYZE t"]


KEEP = "keep = 'sum(w), counter_agg(ts, v), gauge_agg(ts, v), time_weight(''LOCF'', ts, v), time_weight(''linear'', ts, v), stats_agg(v)'"
ROLLUPS = [("r_k", f"rollup WITH (bucket = '1 hour, 1 minute', by = 'k', {KEEP})"), ("r_all", f"rollup WITH (bucket = '10 seconds', {KEEP})")]
PACKED = [*ROLLUPS, ("n_k", "nested WITH (cluster_by = 'k', levels = 'ts, g', presum = 'ts')"),
          ("n_hour", "nested WITH (cluster_by = 'hour, k', levels = 'minute, ts, g', presum = 'minute, ts', nonnull = true)"),
          ("n_group", "nested WITH (levels = 'g, ts, k', presum = 'g, ts', flush_levels = 7)"),
          ("n_days", "nested WITH (cluster_by = 'k, g', levels = 'minute, ts', presum = 'minute', partition_by = 'day')"),
          ("n_sums", "nested WITH (cluster_by = 'k', levels = 'ts, g', presum = 'ts', raw_values = false, nonnull = true)"),
          ("n_minutes", "nested WITH (cluster_by = 'g', levels = 'minute, k', presum = 'minute', raw_values = false)"),
          ("newest", "latest WITH (key = 'k')"),
          ("series", "timeseries"), ("months", "rows WITH (partition_by = 'month')")]
# These layouts keep no NULL of a dimension.
WHOLE = [("p_day", "per_day"), ("p_hour", "per_day WITH (bucket = '1 hour')"), ("newest_of", "latest WITH (key = 'k, g', tie = 'v')")]
SECONDS = [(ROLLUPS[0][0], ROLLUPS[0][1].replace("sum(w), ", "")), ("m_fields", "minute"), ("m_array", "minute WITH (values = 'array')"), ("n_k", "nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts')"),
           ("n_minute", "nested WITH (cluster_by = 'k', levels = 'minute, ts', presum = 'minute', nonnull = true)"), ("newest", "latest WITH (key = 'k')"), ("series", "timeseries")]
EVENTS = [("h_flat", "daily_metrics"), ("h_deep", "daily_metrics WITH (style = 'hierarchical', padded = false)"), ("h_parts", "daily_metrics WITH (style = 'hierarchical', partition_by = 'month')"),
          ("n_k", "nested WITH (cluster_by = 'k', levels = 'hour, ts', presum = 'hour, ts', raw_values = false)")]


def values(rng):
    """Returns the values v of a series."""
    kind, level = rng.choice(["counter", "sawtooth", "gauge", "few", "odd", "same"]), [0.0]

    def one():
        if kind == "counter":
            level[0] = 0.0 if rng.random() < 0.15 else level[0] + rng.choice([0, 0.5, 1, 2.25, 100])
            return level[0]
        if kind == "sawtooth":  # falls at every sample
            level[0] = level[0] - 0.25 if level[0] else 64.0
            return level[0]
        if kind == "odd":
            return rng.choice([math.nan, math.inf, -math.inf, 1.5, -2.0, 0.0, -0.0, 1e6])
        return rng.choice([-3.5, -0.25, 0.0, 1.0, 2.75, 40.0]) if kind == "gauge" else rng.choice([1.0, 2.0]) if kind == "few" else 7.0
    return one


def make_rows(rng, step, unique):
    count = rng.choice([0, 1, 2, 5]) if rng.random() < 0.15 else rng.choice([12, 30, 60])
    span = rng.choice([20, 60, 600, 3 * 3600, 90000]) // step * step or step
    empty, no_group = rng.choice([0, 0, 0.15, 0.6]), rng.choice([0, 0, 0.2])
    first = START // 1000 // step * step * 1000
    series, rows, seen = {k: values(rng) for k in "abc"[:rng.choice([1, 2, 3])]}, [], set()
    for _ in range(count):
        ts, k = first + rng.randrange(0, span + 1, step) * 1000, rng.choice(list(series))
        if not (unique and (ts, k) in seen):
            seen.add((ts, k))
            rows.append(Row(ts, k, None if rng.random() < no_group else rng.choice(["x", "y"]), None, None if rng.random() < empty else rng.choice([0, 1, -3, 7, 10**6])))
    for r in sorted(rows, key=lambda r: r.ts):
        r.v = None if rng.random() < empty else series[r.k]()
    return rows


def make_table(rng):
    kind = rng.choice(["full", "full", "full", "seconds", "events"])
    some = lambda layouts: rng.sample(layouts, min(len(layouts), rng.choice([2, 3, 4])))
    if kind == "seconds":
        return Table([("ts", "timestamptz"), ("k", "text"), ("v", "double precision")], some(SECONDS), [r for r in make_rows(rng, 1, True) if r.v is not None], 1)
    if kind == "events":
        rows = make_rows(rng, 60, False)
        for r in rows:
            r.w, r.v = rng.choice([1, 2, 7, 10**6]), None
        return Table([("ts", "timestamptz"), ("k", "text"), ("w", "bigint")], some(EVENTS), rows, 60, counts=True)
    rows = make_rows(rng, 1, False)
    return Table([("ts", "timestamptz"), ("k", "text"), ("g", "text"), ("v", "double precision"), ("w", "bigint")], some(PACKED + (WHOLE if all(r.g for r in rows) else [])), rows, 1)

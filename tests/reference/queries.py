"""Random queries over a model. Each has its SQL, and its evaluation in Python over decoded rows."""
import datetime
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from model import iso, quote

ZONES = ["UTC", "Asia/Kolkata", "Asia/Tokyo", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
BUCKETS = {"10 seconds": 10_000, "15 minutes": 900_000, "90 minutes": 5_400_000, "1 hour": 3_600_000, "6 hours": 21_600_000, "1 day": 86_400_000, "7 days": 604_800_000}
BUCKET_ORIGIN = 946_857_600_000  # 2000-01-03, a Monday


# ---- time ----


def at(ms):
    return EPOCH + datetime.timedelta(milliseconds=ms)


def to_ms(t):
    return (t - EPOCH) // datetime.timedelta(milliseconds=1)


def date_trunc(unit, ms, zone="UTC"):
    local = at(ms).astimezone(ZoneInfo(zone))
    if unit in ("second", "minute", "hour"):
        keep = {"second": {}, "minute": {"second": 0}, "hour": {"minute": 0, "second": 0}}[unit]
        offset = local.utcoffset()
        naive = local.replace(tzinfo=None, microsecond=0, **keep)
        return to_ms((naive - offset).replace(tzinfo=datetime.timezone.utc))
    day = local.replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        day -= datetime.timedelta(days=day.weekday())
    elif unit == "month":
        day = day.replace(day=1)
    elif unit == "year":
        day = day.replace(month=1, day=1)
    return to_ms(day.replace(tzinfo=ZoneInfo(zone)).astimezone(datetime.timezone.utc))


def time_bucket(width, ms):
    return (ms - BUCKET_ORIGIN) // width * width + BUCKET_ORIGIN


def extract(field, ms, zone):
    local = at(ms).astimezone(ZoneInfo(zone))
    return {"hour": local.hour, "dow": local.isoweekday() % 7, "day": local.day, "month": local.month, "minute": local.minute}[field]


# ---- pieces of a query: (SQL, function of a row giving the value, kind of the value) ----


def literal(column, v):
    if v is None:
        return "NULL"
    return quote(v) if column.type == "text" else repr(v)


def key_expr(rng, m):
    """Returns a group key."""
    r = rng.random()
    if r < 0.45 and m.dims:
        d = rng.choice(m.dims)
        return d.name, lambda row: row[d.name], "text" if d.type == "text" else "int"
    if r < 0.6:
        unit = rng.choice(["minute", "hour", "day", "day", "week", "month", "year"])
        return f"date_trunc('{unit}', ts)", lambda row: date_trunc(unit, row["ts"]), "ts"
    if r < 0.72:
        unit, zone = rng.choice(["hour", "day", "week", "month"]), rng.choice(ZONES)
        return f"date_trunc('{unit}', ts, '{zone}')", lambda row: date_trunc(unit, row["ts"], zone), "ts"
    if r < 0.86:
        name = rng.choice(list(BUCKETS))
        return f"time_bucket('{name}', ts)", lambda row: time_bucket(BUCKETS[name], row["ts"]), "ts"
    if r < 0.94:
        field = rng.choice(["hour", "dow", "day", "month", "minute"])
        return f"extract({field} FROM ts)", lambda row: extract(field, row["ts"], "UTC"), "num"
    return "ts", lambda row: row["ts"], "ts"


def dim_filter(rng, d):
    pool = [v for v in d.pool if v is not None] or ["none"]
    v, w = rng.choice(pool), rng.choice(pool)
    form = rng.choice(["=", "=", "<>", "IN", "NOT IN", "IS NULL", "IS NOT NULL", "<", "OR"] + (["LIKE"] if d.type == "text" else []))
    n = d.name
    if form in ("=", "<>", "<"):
        test = {"=": lambda x: x == v, "<>": lambda x: x != v, "<": lambda x: (x.encode() < v.encode()) if d.type == "text" else x < v}[form]
        return f"{n} {form} {literal(d, v)}", lambda r: None if r[n] is None else test(r[n])
    if form in ("IN", "NOT IN"):
        wanted = form == "IN"
        return f"{n} {form} ({literal(d, v)}, {literal(d, w)})", lambda r: None if r[n] is None else (r[n] in (v, w)) == wanted
    if form == "LIKE":
        prefix = v[:1].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return f"{n} LIKE {quote(prefix + '%')}", lambda r: None if r[n] is None else r[n].startswith(v[:1])
    if form == "OR":
        return f"({n} = {literal(d, v)} OR {n} IS NULL)", lambda r: r[n] is None or r[n] == v
    return f"{n} {form}", lambda r: (r[n] is None) == (form == "IS NULL")


def some_time(rng, m):
    """Returns a time near the rows, often on a boundary of some unit."""
    times = [r["ts"] for r in m.rows] or [1_428_777_120_000]
    t = rng.choice(times)
    grid = rng.choice([1, 1000, 60_000, 60_000, 3_600_000, 3_600_000, 86_400_000])
    return t // grid * grid + rng.choice([0, 0, 0, grid])


def time_filter(rng, m):
    low = some_time(rng, m)
    high = low + rng.choice([60_000, 3_600_000, 5_400_000, 86_400_000, 2 * 86_400_000])
    form = rng.choice([">=", "<", "range", "range", "between", ">", "<=", "<>"])
    if form == "range":
        return f"ts >= '{iso(low)}' AND ts < '{iso(high)}'", lambda r: low <= r["ts"] < high
    if form == "between":
        return f"ts BETWEEN '{iso(low)}' AND '{iso(high)}'", lambda r: low <= r["ts"] <= high
    test = {">=": lambda t: t >= low, "<": lambda t: t < low, ">": lambda t: t > low, "<=": lambda t: t <= low, "<>": lambda t: t != low}[form]
    return f"ts {form} '{iso(low)}'", lambda r: test(r["ts"])


def measure_filter(rng, c):
    v = rng.choice([0, 1, 10, 500])
    return f"{c.name} > {v}", lambda r: None if r[c.name] is None else r[c.name] > v


def any_filter(rng, m, measures=0.1):
    r = rng.random()
    if r < measures:
        return measure_filter(rng, rng.choice(m.measures))
    if r < 0.45 or not m.dims:
        return time_filter(rng, m)
    return dim_filter(rng, rng.choice(m.dims))


# ---- aggregates: evaluated over rows; on a layout of sums a row counts n times ----


def count_of(rows):
    return sum(r.get("n", 1) for r in rows)


def sum_of(rows, get):
    values = [get(r) for r in rows]
    values = [v for v in values if v is not None]
    return sum(values) if values else None


def variance_of(values, sample):
    n = len(values)
    if n <= sample:
        return None
    total = sum(map(Fraction, values))
    return (sum(Fraction(v) ** 2 for v in values) - total ** 2 / n) / (n - sample)


def further_agg(rng, m, c):
    """Returns aggregates that no stored pre-aggregate answers. Bound columns alone answer some of
    them.
    """
    d = rng.choice(m.dims)
    order = (lambda v: v.encode()) if d.type == "text" else (lambda v: v)
    kind = "text" if d.type == "text" else "int"
    values = lambda rows, name: [r[name] for r in rows if r[name] is not None]
    form = rng.choice(["first", "last", "var dim", "var measure", "bool", "strings", "mode", "percentile", "pairs"])
    if form in ("first", "last"):
        pick, at_time = (min, max)[form == "last"], lambda r: (r["ts"], r[d.name] is not None, order(r[d.name]) if r[d.name] is not None else 0)
        return f"{form}({d.name}, ts)", lambda rows: pick(rows, key=at_time)[d.name] if rows else None, kind
    if form == "var dim":
        what, length = rng.choice(["var_pop", "var_samp"]), f"length({d.name}::text)"
        return f"{what}({length})", lambda rows: variance_of([len(str(v)) for v in values(rows, d.name)], what == "var_samp"), "approx"
    if form == "var measure" and c.type != "double precision":
        what = rng.choice(["var_pop", "var_samp"])
        return f"{what}({c.name})", lambda rows: variance_of(values(rows, c.name), what == "var_samp"), "approx"
    if form == "bool":
        sql, test = dim_filter(rng, d)
        every = rng.random() < 0.5
        return (f"{'bool_and' if every else 'bool_or'}({sql})",
                lambda rows: (lambda found: (all if every else any)(found) if found else None)([x for x in map(test, rows) if x is not None]), "bool")
    if form == "strings":
        text = lambda v: str(v).encode()
        return f"string_agg(DISTINCT {d.name}::text, ';')", lambda rows: b";".join(sorted({text(v) for v in values(rows, d.name)})).decode() if values(rows, d.name) else None, "text"
    if form == "mode":
        def mode(rows):
            found = values(rows, d.name)
            return min(set(found), key=lambda v: (-found.count(v), order(v))) if found else None
        return f"mode() WITHIN GROUP (ORDER BY {d.name})", mode, kind
    if form == "pairs":
        return f"regr_count(1, {'1' if d.type == 'text' else d.name})", lambda rows: len(rows) if d.type == "text" else len(values(rows, d.name)), "int"
    def discrete(rows):
        found = sorted(values(rows, c.name))
        return found[max(0, -(-len(found) // 2) - 1)] if found else None
    return f"percentile_disc(0.5) WITHIN GROUP (ORDER BY {c.name})", discrete, "float" if c.type == "double precision" else "num"


def case_agg(rng, m, c, kind):
    """Returns an aggregate of a CASE over a measure. If a cell determines its conditions, sums
    answer it.
    """
    (sql, test), otherwise = any_filter(rng, m, 0), rng.choice(["", " ELSE 0", " ELSE NULL"])
    value = lambda r: r[c.name] if test(r) else 0 if otherwise == " ELSE 0" else None
    number = lambda rows: sum(r.get("n", 1) for r in rows if value(r) is not None)
    what = rng.choice(["sum", "sum", "avg", "count"] if m.counts else ["sum"])
    results = {"sum": (lambda rows: sum_of(rows, value), kind), "count": (number, "int"),
               "avg": (lambda rows: Fraction(sum_of(rows, value)) / number(rows) if number(rows) else None, "approx")}
    return (f"{what}(CASE WHEN {sql} THEN {c.name}{otherwise} END)", *results[what])


def agg_expr(rng, m):
    """Returns (SQL, function of rows, kind). The caller adds FILTER."""
    c, sums = rng.choice(m.measures), m.keeps == "sums"
    form = rng.choice(["count(*)"] * 3 + ["sum"] * 3 + ["case"] + (["avg"] if sums else ["avg", "count", "min", "max", "linear", "distinct", "min ts", "max ts", "min dim", "further", "further"]))
    kind = "float" if c.type == "double precision" else "num"
    get = lambda r: r[c.name]
    if form == "count(*)":
        return "count(*)", lambda rows: count_of(rows), "int"
    if form == "sum":
        return f"sum({c.name})", lambda rows: sum_of(rows, get), kind
    if form == "avg":
        def avg(rows):
            n = sum(r.get("n", 1) for r in rows if get(r) is not None)
            return Fraction(sum_of(rows, get)) / n if n else None
        return f"avg({c.name})", avg, "approx"
    if form == "count":
        return f"count({c.name})", lambda rows: sum(get(r) is not None for r in rows), "int"
    if form in ("min", "max"):
        pick = min if form == "min" else max
        return f"{form}({c.name})", lambda rows: pick((get(r) for r in rows if get(r) is not None), default=None), kind
    if form == "case":
        return case_agg(rng, m, c, kind)
    if form == "linear":
        a, b = rng.choice([2, 3, -1]), rng.choice([0, 1, 10])
        return f"sum({a} * {c.name} + {b})", lambda rows: sum_of(rows, lambda r: None if get(r) is None else a * get(r) + b), kind
    if form == "distinct":
        d = rng.choice(m.dims)
        return f"count(DISTINCT {d.name})", lambda rows: len({r[d.name] for r in rows if r[d.name] is not None}), "int"
    if form == "min dim":
        d = rng.choice(m.dims)
        order = (lambda v: v.encode()) if d.type == "text" else (lambda v: v)
        return f"min({d.name})", lambda rows: min((r[d.name] for r in rows if r[d.name] is not None), key=order, default=None), "text" if d.type == "text" else "int"
    if form == "further":
        return further_agg(rng, m, c)
    pick = min if form == "min ts" else max
    return f"{form[:3]}(ts)", lambda rows: pick((r["ts"] for r in rows), default=None), "ts"


class Query:
    def __init__(self, sql, kinds, keys, evaluate):
        self.sql, self.kinds, self.keys, self.evaluate = sql, kinds, keys, evaluate


def make_aggregate(rng, m):
    keys = [key_expr(rng, m) for _ in range(rng.choice([0, 1, 1, 2]))]
    aggs = []
    for _ in range(rng.randint(1, 3)):
        sql, fn, kind = agg_expr(rng, m)
        if rng.random() < 0.15:
            fsql, test = any_filter(rng, m, 0 if m.keeps == "sums" else 0.15)
            aggs.append((f"{sql} FILTER (WHERE {fsql})", lambda rows, fn=fn, test=test: fn([r for r in rows if test(r)]), kind))
        else:
            aggs.append((sql, fn, kind))
    filters = [any_filter(rng, m, 0 if m.keeps == "sums" else 0.08) for _ in range(rng.choice([0, 0, 1, 1, 2]))]
    sql = "SELECT " + ", ".join(s for s, _, _ in keys + aggs) + " FROM t"
    if filters:
        sql += " WHERE " + " AND ".join(s for s, _ in filters)
    if keys:
        sql += " GROUP BY " + ", ".join(str(i + 1) for i in range(len(keys)))

    def evaluate(rows):
        rows = [r for r in rows if all(test(r) for _, test in filters)]
        groups = {} if keys else {(): rows}
        for r in rows if keys else []:
            groups.setdefault(tuple(fn(r) for _, fn, _ in keys), []).append(r)
        return [k + tuple(fn(g) for _, fn, _ in aggs) for k, g in groups.items()]

    return Query(sql, [k for _, _, k in keys + aggs], len(keys), evaluate)


def make_rows_query(rng, m):
    columns = [c for c in m.columns if rng.random() < 0.7] or m.columns
    filters = [any_filter(rng, m, 0.2) for _ in range(rng.choice([0, 1, 2]))]
    sql = "SELECT " + ", ".join(c.name for c in columns) + " FROM t" + (" WHERE " + " AND ".join(s for s, _ in filters) if filters else "")
    kinds = ["ts" if c.role == "time" else "text" if c.type == "text" else "float" if c.type == "double precision" else "num" if c.type == "numeric" else "int" for c in columns]
    return Query(sql, kinds, None, lambda rows: [tuple(r[c.name] for c in columns) for r in rows if all(test(r) for _, test in filters)])


def make_query(rng, m):
    return make_rows_query(rng, m) if m.keeps == "records" and rng.random() < 0.08 else make_aggregate(rng, m)


# ---- comparing ----


def parse_cell(kind, text):
    if text is None or kind == "text":
        return text
    if kind == "int":
        return int(text)
    if kind == "bool":
        return text == "t"
    if kind in ("num", "approx"):
        return Fraction(text)
    if kind == "float":
        return float(text)
    return to_ms(datetime.datetime.fromisoformat(text))


def equal(kind, a, b):
    if a is None or b is None:
        return a is None and b is None
    if kind == "approx":
        return abs(float(a) - float(b)) <= 1e-12 * max(1.0, abs(float(b)))
    return a == b


def differences(query, text_rows, expected):
    """Returns '' if the answer is right, or what is wrong with it."""
    got = [tuple(parse_cell(k, v) for k, v in zip(query.kinds, r)) for r in text_rows]
    if len(got) != len(expected):
        return f"{len(got)} rows, expected {len(expected)}: got {sample(got)} expected {sample(expected)}"
    order = (lambda r: repr(plain(r))) if query.keys is None else (lambda r: repr([None if x is None else str(x) for x in r[:query.keys]]))
    for g, e in zip(sorted(got, key=order), sorted(expected, key=order)):
        if len(g) != len(query.kinds) or not all(equal(k, a, b) for k, a, b in zip(query.kinds, g, e)):
            return f"got {plain(g)}, expected {plain(e)}"
    return ""


def plain(row):
    return tuple(float(v) if isinstance(v, (Fraction, Decimal)) or type(v) is int else v for v in row)


def sample(rows):
    return [plain(r) for r in rows[:3]]

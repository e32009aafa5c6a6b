"""Random documents of counters in the published shapes (docs/lemma.md, section 6), as other
software leaves them.

They are half filled, or made beforehand (zeros, nulls, empty sub-documents, slots of times that do
not exist). Keys may have zeros before them. Numbers are of every BSON type. There are unknown
fields, and an _id and fields that disagree. Each shape gives the statements that declare table t,
and the documents by collection. The rows are made first.
"""
import calendar
import datetime

from bson import Decimal128, Int64, ObjectId

from model import Column, Model

UTC = datetime.timezone.utc
# leap days, ends of years and of months of every length, days on which clocks change in some zone
DAYS = ["2012-02-28", "2012-02-29", "2012-03-01", "2011-12-31", "2012-01-01", "2012-03-25", "2012-10-28", "2012-11-04", "2013-02-28", "2012-04-30"]
METRICS = ["metric-1", "m/2", "100%", "\u00fc \u03b2", "a.b$c", "0"]
SERIES = [("bits", "mem", "1499f25476f6e905ca13a6f6f9e97b32"), ("bits", "mem", "00ff"), ("virtual", "mem", "00ff"), ("ops", "net", "10")]


class Filler:
    """Makes the parts of a document beside the counted numbers."""

    def __init__(self, rng, beyond=False, several=()):
        self.rng, self.several, self.mode, self.padded = rng, several, rng.choice(["sparse", "zeros", "nulls", "some", "empty"]), rng.random() < 0.5
        self.beyond = beyond and rng.random() < 0.5  # also slots of times that do not exist

    def number(self, v):
        return self.rng.choice([int, Int64, float, lambda x: Decimal128(str(x))])(v)

    def key(self, n, width):
        return f"{n:0{width}d}" if self.padded and width else str(n)

    def unused(self, counted, keys):
        """Returns the slots of `keys` that counted nothing."""
        if self.mode in ("sparse", "empty"):
            return {}
        keys = self.rng.sample(keys, len(keys) // 3) if self.mode == "some" else keys
        return {k: self.nothing(counted) for k in keys}

    def nothing(self, counted):
        if self.mode == "nulls":
            return self.rng.choice([None, {}, {"t": None, "n": None}]) if counted else None
        if self.several:
            return {n: self.number(0) for n in self.several}
        return {"t": self.number(0), "n": self.rng.choice([0, 0.0])} if counted else self.number(0)

    def slots(self, filled, first, count, width, make, counted):
        """Returns {key: slot} of `count` slots from `first` on. filled: the counted numbers, by
        slot number.
        """
        keys = [self.key(i, width) for i in range(first, first + count)]
        return {**self.unused(counted, keys), **{self.key(i, width): make(v) for i, v in filled.items()}}

    def below(self, filled, count, each, make_inner):
        """Returns {outer: {inner}}, where inner has `each` slots of `filled`."""
        out = {}
        for i in range(count):
            inner = make_inner(i, {k: v for k, v in filled.items() if k // each == i})
            if inner or self.mode == "empty":
                out[i] = inner
        return out


def added(filled, each, add):
    out = {}
    for k, v in filled.items():
        out[k // each] = add(out[k // each], v) if k // each in out else v
    return out


def minutes(rng, value):
    """Returns {(day, minute): value}, more often at the ends of days and hours than elsewhere."""
    days = rng.sample(DAYS, rng.randint(1, 4))
    return {(rng.choice(days), rng.choice([0, 59, 60, 1380, 1439, rng.randrange(1440)])): value() for _ in range(rng.randint(1, 12))}


def by_day(rows):
    """Returns [(day, {minute: value})], and a day without counted numbers."""
    days = {d: {m: v for (of, m), v in rows.items() if of == d} for d, _ in rows}
    return list(days.items()) + [(d, {}) for d in DAYS if d not in days][:1]


def at(day, minute=0):
    return datetime.datetime.fromisoformat(day).replace(tzinfo=UTC) + datetime.timedelta(minutes=minute)


def ms(day, minute):
    return int(at(day, minute).timestamp()) * 1000


# ---- daily_metrics ----


class Hits:
    """Counters of a day, hour and minute by metric. `fields`: the numbers that each slot counts,
    one or several.
    """

    def __init__(self, rng, fields):
        self.rng, self.fields = rng, fields
        value = lambda: tuple(rng.choice([1, 2, 7, 3_000_000_000]) for _ in fields)
        self.rows = {metric: minutes(rng, value) for metric in rng.sample(METRICS, 3)}

    def model(self, layout=None):
        names = self.fields
        columns = [Column("ts", "timestamptz", "time", True), Column("metric", "text", "dim", True, pool=METRICS)]
        columns += [Column(n, "bigint", "measure", False, counter=True) for n in names]
        rows = [{"metric": metric, "ts": ms(d, m), **dict(zip(names, v))} for metric, r in self.rows.items() for (d, m), v in r.items()]
        return Model(columns, 60_000, layout or {"keeps": "sums", "stores": [{}]}, rows, False, counts=False)

    def slot(self, f):
        return lambda v: f.number(v[0]) if len(self.fields) == 1 else {n: f.number(x) for n, x in zip(self.fields, v)}

    @staticmethod
    def add(x, y):
        return tuple(a + b for a, b in zip(x, y))

    def copies(self, f, counted, style):
        """The same numbers by day, hour and minute."""
        make = self.slot(f)
        hours = added(counted, 60, self.add)
        total = added(counted, 1440, self.add)
        if style == "flat":
            minute = f.slots(counted, 0, 1440, 4, make, False)
        else:
            inner = lambda h, c: f.slots(c if style == "minute of day" else {m % 60: v for m, v in c.items()}, h * 60 if style == "minute of day" else 0, 60,
                                         4 if style == "minute of day" else 2, make, False)
            minute = {f.key(h, 2): x for h, x in f.below(counted, 24, 60, inner).items()}
        if not counted and f.mode in ("sparse", "empty"):
            return self.rng.choice([{}, {"hourly": {}, "minute": {}}, {"daily": None}])
        return {"daily": make(total[0]) if total else f.nothing(False), "hourly": f.slots(hours, 0, 24, 2, make, False), "minute": minute}


def daily_metrics(rng):
    h = Hits(rng, ["hits"] if rng.random() < 0.7 else ["hits", "bytes"])
    style, trust = rng.choice(["flat", "minute of hour", "minute of day"]), rng.choice(["id", "fields"])
    docs = []
    for metric, rows in h.rows.items():
        for day, counted in by_day(rows):
            f = Filler(rng, several=h.fields if len(h.fields) > 1 else ())
            doc = {"_id": day.replace("-", "") + "/" + (metric if trust == "id" else f"x{len(docs)}"),
                   "metadata": {"date": at(day if trust == "fields" or rng.random() < 0.5 else "2000-10-10"), "metric" if trust == "fields" else rng.choice(["metric", "measure"]): metric}}
            doc.update(h.copies(f, counted, style))
            docs.append({**doc, "site": {"name": "x"}} if rng.random() < 0.3 else doc)
    with_ = f"collection = 'c', trust = '{trust}'" + ("" if style == "flat" else f", style = 'hierarchical', inner_key = '{style}'")
    m = h.model()
    return m, [m.create_table().replace("USING x", f"USING daily_metrics WITH ({with_})")], {"c": docs}


def many_metrics(rng):
    """A document of a day has all metrics. Their names are keys."""
    h, days = Hits(rng, ["hits"]), {}
    for metric, rows in h.rows.items():
        for day, counted in by_day(rows):
            days.setdefault(day, {})[metric] = h.copies(Filler(rng), counted, "flat")
    agg = {"measures": {"hits": ""}, "zero": "absent"}
    part = lambda at, unit: {"is": "map", "at": at, "bind": [{"part": unit, "of": "day", "encoding": "text"}], "agg": agg}
    store = {"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "at": "day", "encoding": {"format": "%Y-%m-%d"}}], "sub": {
        "is": "map", "at": "metrics", "bind": [{"column": "metric"}], "alt": [{"is": "scalar", "at": "daily", "agg": agg}, part("hourly", "hour"), part("minute", "minute")]}}}
    m = h.model({"keeps": "sums", "key": ["metric"], "stores": [store]})
    return m, [m.create_layout(), m.create_table()], {"c": [{"_id": ObjectId(), "day": day, "metrics": x} for day, x in days.items()]}


def slots(rng):
    """Days as arrays: a null or a 0 is nothing, and an array ends where it wants."""
    h, docs = Hits(rng, ["hits"]), []

    def array(filled, count, f):
        out = [f.nothing(False) if f.mode != "empty" else None] * (count if f.mode in ("zeros", "nulls") else max(filled, default=-1) + 1)
        for i, v in filled.items():
            out[i] = f.number(v[0])
        return out
    for metric, rows in h.rows.items():
        for day, counted in by_day(rows):
            f = Filler(rng)
            docs.append({"day": at(day), "metric": metric, "h": array(added(counted, 60, h.add), 24, f), "m": array(counted, 1440, f)})
    agg = {"measures": {"hits": ""}, "zero": "absent"}
    part = lambda at, unit: {"is": "slots", "at": at, "bind": [{"part": unit, "of": "day"}], "agg": agg}
    store = {"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "at": "day", "encoding": "date"}, {"column": "metric"}],
                                         "alt": [part("h", "hour"), part("m", "minute")]}}
    m = h.model({"keeps": "sums", "key": ["metric"], "stores": [store]})
    return m, [m.create_layout(), m.create_table()], {"c": docs}


# ---- mms ----


def cell(rng, v):
    return {"t": rng.choice([int, Int64, float])(v[0]), "n": rng.choice([int, Int64, float])(v[1])}


def add_cells(x, y):
    return x[0] + y[0], x[1] + y[1]


def months_of(rng, key, days, beyond):
    """Documents of a month: by hour, with days counted from 1, and by day, counted from 0. Both may
    have a 31st in any month, which counted nothing.
    """
    f, last = Filler(rng, beyond), calendar.monthrange(int(key[:4]), int(key[4:6]))[1]
    f.padded, make, count = False, lambda v: cell(rng, v), 31 if f.beyond else last
    hours = {str(d): f.slots(added(days.get(d, {}), 60, add_cells), 0, 24, 0, make, True) for d in range(1, count + 1) if d in days or f.mode not in ("sparse", "some")}
    totals = {d - 1: added(c, 1440, add_cells)[0] for d, c in days.items() if c}
    return {"_id": key, "d": hours}, {"_id": key, "d": f.slots(totals, 0, count, 0, make, True)}


def mms(rng):
    style, months, beyond = rng.choice(["flat", "hierarchical"]), rng.random() < 0.5, rng.random() < 0.5
    value = lambda: (rng.choice([0, 5, -5, 1444]), rng.randint(1, 3))
    series = {s: minutes(rng, value) for s in rng.sample(SERIES, 3)}
    docs, of_months = [], {}
    for s, rows in series.items():
        for day, counted in by_day(rows):
            f = Filler(rng, beyond)
            f.padded, make = False, lambda v: cell(rng, v)
            if style == "flat":
                mn = f.slots(counted, 0, 1440 + f.beyond, 0, make, True)
            else:
                mn = {str(h): x for h, x in f.below(counted, 24, 60, lambda h, c: f.slots(c, h * 60, 60, 0, make, True)).items()}
            doc = {"_id": "-".join((day.replace("-", ""),) + s), "cid": ObjectId(), "d": day.replace("-", ""), "g": s[1], "i": s[0]}
            if not months:
                total = added(counted, 1440, add_cells)
                doc.update(dy=make(total[0]) if total else f.nothing(True), hy=f.slots(added(counted, 60, add_cells), 0, 24, 0, make, True))
            docs.append({**doc, "mn": mn})
            of_months.setdefault("-".join((day[:7].replace("-", ""),) + s), {})[int(day[8:])] = counted
    both = [months_of(rng, key, days, beyond) for key, days in of_months.items()] if months else []
    names = ["item", "grp", "host"]
    columns = [Column("ts", "timestamptz", "time", True)]
    columns += [Column(n, "text", "dim", True, pool=sorted({s[i] for s in SERIES})) for i, n in enumerate(names)] + [Column("total", "bigint", "measure", True)]
    rows = [{**dict(zip(names, s)), "ts": ms(d, m), "total": v[0], "n": v[1]} for s, r in series.items() for (d, m), v in r.items()]
    m = Model(columns, 60_000, {"keeps": "sums", "stores": [{}]}, rows, False)
    with_ = f"collection = 'c', style = '{style}'" + (", months = true, hours_collection = 'h', days_collection = 'd'" if months else "")
    return m, [m.create_table().replace("USING x", f"USING mms WITH ({with_})")], {"c": docs, **({"h": [a for a, _ in both], "d": [b for _, b in both]} if months else {})}


SHAPES = [daily_metrics, daily_metrics, mms, mms, many_metrics, slots]

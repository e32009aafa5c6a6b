"""Random tables, descriptors and rows for the property test."""
import datetime
import json
from decimal import Decimal

UNITS = {"ms": 1, "second": 1000, "minute": 60_000, "hour": 3_600_000, "day": 86_400_000, "week": 604_800_000,
         "30 seconds": 30_000, "5 minutes": 300_000, "15 minutes": 900_000, "6 hours": 21_600_000, "12 hours": 43_200_000}
MULTIPLES = {"second": ["30 seconds"], "minute": ["5 minutes", "15 minutes"], "hour": ["6 hours", "12 hours"]}
TEXTS = ["a", "b", "eu", "", "a.b", "$x", "${y}", "it's", 'say "no"', "back\\slash", "tab\there", "line\nfeed", "\u00fcn\u00ef", "zero\u200bwidth", "NULL", "None", "0", "00", "-1",
         "wx8fdfb5a9e7f64f", "100%", "a%2eb", "_id", " pad ", "\u5e94\u7528", "x" * 300, "a,b", "a:b", "{\"k\":1}"]
# Days on which clocks change in some zone, a year's end and a leap day, all in UTC.
DAYS = ["2015-03-29", "2015-10-25", "2015-11-01", "2015-03-08", "2015-04-05", "2015-12-31", "2016-02-28", "2015-06-20", "1969-12-31", "2000-02-28", "2024-02-29"]


class Column:
    def __init__(self, name, sql_type, role, not_null, counter=False, pool=None, field=None):
        self.name, self.type, self.role, self.not_null, self.counter, self.pool, self.field = name, sql_type, role, not_null, counter, pool, field

    def sql(self, period_ms):
        role = {"time": "TIME" + (f" PERIOD '{period_ms} ms'" if period_ms and period_ms % 1000 else f" PERIOD '{period_ms // 1000} s'" if period_ms else ""),
                "dim": "DIMENSION", "measure": "MEASURE" + (" COUNTER" if self.counter else "")}[self.role]
        return f"{self.name} {self.type} {role}" + (f" FIELD '{self.field}'" if self.field else "") + (" NOT NULL" if self.not_null else "")


class Model:
    """A table with one layout (x), its rows, and the values that queries may use."""

    def __init__(self, columns, period_ms, layout, rows, unique, counts=True):
        self.columns, self.period_ms, self.layout, self.rows, self.unique = columns, period_ms, layout, rows, unique
        self.counts = counts  # a layout of sums that stores the number of records
        self.by_name = {c.name: c for c in columns}
        self.dims = [c for c in columns if c.role == "dim"]
        self.measures = [c for c in columns if c.role == "measure"]
        self.keeps = layout["keeps"]
        self.store = layout["stores"][0]

    def create_layout(self):
        return f"CREATE LAYOUT x AS {quote(json.dumps(self.layout))}"

    def create_table(self):
        return f"CREATE TABLE t ({', '.join(c.sql(self.period_ms) for c in self.columns)}) USING x"

    def logical_rows(self):
        """Returns the rows as the layout keeps them: as loaded, or summed by key and period."""
        if self.keeps == "records":
            return self.rows
        out = {}
        for r in self.rows:
            t = r["ts"] // self.period_ms * self.period_ms
            key = tuple(r[d.name] for d in self.dims) + (t,)
            into = out.setdefault(key, {**{d.name: r[d.name] for d in self.dims}, "ts": t, "n": 0, **{m.name: None for m in self.measures}})
            into["n"] += 1
            for m in self.measures:
                if r[m.name] is not None:
                    into[m.name] = (into[m.name] or 0) + r[m.name]
        return list(out.values())


def quote(s):
    return "'" + s.replace("'", "''") + "'"


def iso(ms):
    t = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=ms)
    return t.strftime("%Y-%m-%d %H:%M:%S") + (f".{ms % 1000:03d}" if ms % 1000 else "") + "+00"


def json_line(row, columns):
    return json.dumps({c.name: iso(row["ts"]) if c.role == "time" and row["ts"] is not None else row[c.name] for c in columns}, ensure_ascii=False, default=float)


def value_list(row, columns):
    """Returns the row for VALUES."""
    literal = lambda v: "NULL" if v is None else quote(v) if isinstance(v, str) else str(v)
    return "(" + ", ".join(quote(iso(row["ts"])) if c.role == "time" else literal(row[c.name]) for c in columns) + ")"


# ---- columns ----


def make_columns(rng):
    columns = [Column("ts", "timestamptz", "time", True)]
    for i in range(rng.randint(1, 3)):
        t = rng.choice(["text", "text", "text", "bigint", "integer"])
        not_null = rng.random() < 0.6
        pool = rng.sample(TEXTS, rng.randint(2, 6)) if t == "text" else rng.sample([0, 1, 2, 7, 10, 42, 100, 65535], rng.randint(2, 5))
        field = rng.choice([None, None, None, None, f"f{i}", f"in.f{i}"])
        columns.append(Column(f"d{i}", t, "dim", not_null, pool=pool + ([] if not_null else [None]), field=field))
    for i in range(rng.randint(1, 3)):
        columns.append(Column(f"m{i}", rng.choice(["bigint", "double precision", "integer", "numeric"]), "measure", rng.random() < 0.6))
    return columns


# ---- descriptors ----


class Builder:
    """Builds a descriptor level by level. It counts field names, so that no document has one twice.
    """

    def __init__(self, rng, columns, period_ms, keeps):
        self.rng, self.columns, self.period_ms, self.keeps = rng, columns, period_ms, keeps
        self.dims = [c for c in columns if c.role == "dim"]
        self.measures = [c for c in columns if c.role == "measure"]
        self.unique = False  # records must be unique by dimensions and time
        self.time_done = False
        self.arrays = 0  # levels of parallel arrays up to now

    def chance(self, p):
        return self.rng.random() < p

    def measure_agg(self, m, code):
        paths = {"sum": code}
        for what in ("min", "max"):
            if self.keeps == "records" and self.chance(0.3):
                paths[what] = code + what
        if self.chance(0.5) and not m.not_null:
            paths["nonnull"] = code + "c"
        if len(paths) == 1 and self.chance(0.7):
            return code
        if m.type in ("bigint", "integer") and self.chance(0.3):
            paths["as"] = self.rng.choice(["int32", "int64", "double"])
        return paths

    def agg(self, must_count=False):
        out = {}
        if must_count or self.chance(0.85):
            out["n"] = "c" if self.chance(0.8) else {"at": "c", "as": self.rng.choice(["int32", "int64", "double"])}
        out["measures"] = {m.name: self.measure_agg(m, str(i)) for i, m in enumerate(self.measures) if must_count or self.chance(0.85)}
        if not out["measures"]:
            del out["measures"]
        return out if out else {"n": "c"}

    def time_encoding(self):
        choices = ["date", "epoch_ms", {"kind": "epoch_ms", "as": "double"}, {"format": "%Y-%m-%dT%H:%M:%S.%LZ"}]
        if self.period_ms and self.period_ms % 1000 == 0:
            choices += ["epoch_s", {"kind": "epoch_s", "as": "double"}, {"kind": "epoch_s", "as": "int64"}, {"format": "%Y-%m-%d %H:%M:%S"}]
        return self.rng.choice(choices)

    def dim_level(self, dim, name):
        kinds = ["list", "list", "map"] if dim.not_null else ["list"]
        kind = self.rng.choice(kinds)
        b = {"column": dim.name}
        if kind == "list":
            b["at"] = "d"
        elif dim.type != "text":
            b["encoding"] = "text" if self.chance(0.6) else {"kind": "text", "pad": 5}
        return {"is": kind, "at": name, "bind": [b]}

    def exact_time_level(self, name):
        return {"is": "list", "at": name, "bind": [{"column": "ts", "at": "t", "encoding": self.time_encoding()}]}

    def part_level(self, unit, of, name):
        kind = self.rng.choice({"ms": ["list"], "month": ["list", "map"]}.get(unit, ["list", "map", "slots", "slots"]))
        b = {"part": unit, "of": of}
        if kind == "list":
            b.update(at="p")
        elif kind == "map":
            b["encoding"] = "text" if self.chance(0.5) else {"kind": "text", "pad": 2}
        if self.chance(0.2):
            b["base"] = 1
        return {"is": kind, "at": name, "bind": [b]}

    def copy_levels(self, unit):
        """Returns the makers of the levels below a root that has the time's unit, or no time. Sets
        time_done.
        """
        self.time_done = self.keeps == "sums" or self.chance(0.6)
        if not self.time_done:
            return []
        if unit in ("year", "month", "day", "hour") and self.period_ms and self.chance(0.6):
            return self.part_levels(unit)[1]
        return [self.exact_time_level]

    def time_levels(self):
        """Returns (truncated time for the root or None, the makers of the levels). Sets time_done
        if the levels give the time.
        """
        style = self.rng.choice(["raw", "exact", "trunc+exact", "trunc+raw", "parts", "parts"])
        if style == "parts" and not self.period_ms or style.endswith("raw") and self.keeps == "sums":
            style = "exact"
        self.time_done = not style.endswith("raw")
        if style == "raw":
            return None, []
        if style == "exact":
            return None, [self.exact_time_level]
        if style.startswith("trunc"):
            unit = self.rng.choice(["minute", "hour", "day", "week", "month", "year"])
            return unit, [self.exact_time_level] if style.endswith("exact") else []
        return self.part_levels()

    def part_levels(self, first=None):
        chain = ["day", "hour", "minute", "second", "ms"]
        first = first or self.rng.choice(["year", "month", "day", "day", "hour"])
        chain = {"year": ["year", "month"], "month": ["month"]}.get(first, []) + chain
        at = chain.index(first)
        makers, unit = [], first
        while UNITS.get(unit, 10**12) > self.period_ms or self.period_ms % UNITS.get(unit, 10**12):
            step = at + 1
            if step + 1 < len(chain) and self.chance(0.3) and chain[step] != "day":
                step += 1  # minute of the day, second of the hour
            finer = chain[step]
            multiples = [m for m in MULTIPLES.get(finer, []) if UNITS[m] < UNITS.get(unit, 10**12) and UNITS.get(unit, 0) % UNITS[m] == 0]
            if multiples and self.chance(0.15):  # a quarter of an hour, then its minutes
                multiple = self.rng.choice(multiples)
                makers.append(lambda name, u=multiple, o=unit: self.part_level(u, o, name))
                unit, at = multiple, step - 1
                continue
            makers.append(lambda name, u=finer, o=unit: self.part_level(u, o, name))
            unit, at = finer, step
        return first, makers

    def raw(self, in_record, last):
        """Returns the records of the last level. in_record: the columns that no level binds."""
        codes = {m.name: str(i) for i, m in enumerate(self.measures)}
        columns = {}
        for c in in_record + self.measures:
            at = codes.get(c.name, c.name)
            text = c.role == "dim" and c.type != "text" and self.chance(0.3)
            columns[c.name] = {"at": at, "encoding": self.time_encoding()} if c.role == "time" else {"at": at, "encoding": "text"} if text else at
        many = self.chance(0.6) or "agg" in last or bool(in_record)  # a record that is the element itself has the aggregates' names
        if last["is"] in ("map", "slots") and not many:
            self.unique = True
            if len(columns) == 1 and self.measures[0].not_null and self.chance(0.5) and "agg" not in last:
                return {"columns": {self.measures[0].name: ""}}
        return {"at": "" if many and is_bare(last) and self.chance(0.4) else "v", "many": True, "columns": columns} if many else {"columns": columns}


def trunc_binding(b, unit):
    fmt = {"year": "%Y", "month": "%Y%m", "day": "%Y-%m-%d", "hour": "%Y%m%d %H", "minute": "%Y%m%dT%H:%M"}
    encodings = ["date", "epoch_s", {"kind": "epoch_s", "as": "double"}, "epoch_ms"]
    if unit in fmt:
        encodings.append({"format": fmt[unit]})
    return {"trunc": unit, "at": b.rng.choice(["u", "meta.u"]), "encoding": b.rng.choice(encodings)}


def make_levels(b, makers, dims):
    """Makes the levels. Time levels keep their order. Dimensions' levels go anywhere between."""
    todo = [("time", m) for m in makers]
    for d in dims:
        todo.insert(b.rng.randint(0, len(todo)), ("dim", d))
    levels = [m(b.rng.choice(["_", "k", "x.y"])) if kind == "time" else b.dim_level(m, b.rng.choice(["_", "k"])) for kind, m in todo]
    for n in levels:
        if n["at"] == "k":
            continue
        # a level that is the parent's own value can't have siblings, so each level gets its own
        # name
        n["at"] = n["at"] if n["at"] != "" else "_"
    return levels


def clash(node, child):
    """Returns whether a child's field name is one of the node's own."""
    used = {p.get("at", p.get("column", "")).split(".")[0] for p in node.get("bind", []) if "at" in p or "column" in p}
    return child["at"].split(".")[0] in used


def is_bare(node):
    """Returns whether an entry of a map, or a slot, has only the values of the levels below it."""
    return node["is"] in ("map", "slots") and "agg" not in node


def chain(b, nodes):
    for parent, child in zip(nodes, nodes[1:]):
        if clash(parent, child):
            child["at"] = "z"
        if is_bare(parent) and b.chance(0.7):
            child["at"] = ""
        parent["sub"] = child


def add_order(b, node):
    """Puts some of a node's fields first."""
    if "agg" in node and node["is"] not in ("pairs", "arrays") and b.chance(0.1):
        names = [x.get("at", "").split(".")[0] for x in node.get("bind", []) + [node.get("sub", {})]] + ["c"]
        names = [n for n in dict.fromkeys(names) if n]
        b.rng.shuffle(names)
        node["order"] = names
    for child in [node["sub"]] if "sub" in node else node.get("alt", []):
        add_order(b, child)


def renamed(node, names):
    """Gives each path of a leaf (bindings, sums and one record) the next name."""
    for x in node.get("bind", []):
        x["at"] = next(names)
    agg = node.get("agg", {})
    if "n" in agg:
        agg["n"] = next(names) if isinstance(agg["n"], str) else {**agg["n"], "at": next(names)}
    for m, paths in agg.get("measures", {}).items():
        stored = {} if isinstance(paths, str) else {k: next(names) if k != "as" else v for k, v in paths.items()}
        agg["measures"][m] = stored or next(names)
    for c, at in node.get("raw", {}).get("columns", {}).items():
        node["raw"]["columns"][c] = next(names) if isinstance(at, str) else {**at, "at": next(names)}


def add_flat(b, node):
    """Turns some lists without levels below into pairs or parallel arrays."""
    below = [node["sub"]] if "sub" in node else node.get("alt", [])
    for child in below:
        add_flat(b, child)
    if below or node["is"] != "list" or not b.chance(0.5):
        return
    if "raw" in node:
        node.pop("agg", None)
        node["raw"] = {"columns": node["raw"]["columns"]}
    node["is"] = b.rng.choice(["pairs", "arrays"])
    if node["is"] == "pairs":
        positions = iter(range(100))
        renamed(json.loads(json.dumps(node)), map(str, positions))
        count = next(positions)
        renamed(node, map(str, b.rng.sample(range(count), count)))
    else:
        b.arrays += 1
        renamed(node, (f"a{b.arrays}{i}" for i in range(100)))
        if b.chance(0.4):
            node["at"] = ""


def add_aggs(b, nodes):
    for i, n in enumerate(nodes):
        last = i == len(nodes) - 1
        if b.keeps == "sums":
            if last or b.chance(0.5):
                n["agg"] = b.agg(must_count=True)
        elif b.chance(0.8) and not (n["is"] == "document" and last):
            n["agg"] = b.agg()


def add_alternative(b, root, unit):
    """Adds a redundant coarse copy beside the main branch."""
    bound = {x.get("column") for x in root.get("bind", [])}
    if "sub" not in root or not all(d.name in bound for d in b.dims) or not b.chance(0.5):
        return
    agg = b.agg(must_count=True)
    coarse = {"is": "scalar", "at": "tot", "agg": agg}
    if unit == "day" and b.chance(0.7):
        coarse = {"is": "map", "at": "hy", "bind": [{"part": "hour", "of": "day", "encoding": {"kind": "text", "pad": 2}}], "agg": agg}
    elif unit in ("month", "year") and b.chance(0.7):
        coarse = {"is": b.rng.choice(["slots", "map"]), "at": "dy", "bind": [{"part": "day" if unit == "month" else "month", "of": unit, "base": b.rng.choice([0, 1])}], "agg": agg}
        if coarse["is"] == "map":
            coarse["bind"][0]["encoding"] = "text"
    root["alt"] = [coarse, root.pop("sub")]
    root.pop("agg", None)


def add_copy(b, root, unit, dims):
    """Adds all records again, with other levels in another order."""
    if "sub" not in root or b.keeps != "records" or not b.chance(0.25):
        return
    dims = list(dims)
    b.rng.shuffle(dims)
    done = b.time_done
    makers = b.copy_levels(unit)
    in_record = [dims.pop() for _ in range(b.rng.randint(0, len(dims)))] if b.chance(0.3) else []
    nodes = make_levels(b, makers, dims) or [{"is": "scalar", "at": "s"}]
    add_aggs(b, nodes)
    chain(b, nodes)
    nodes[-1]["raw"] = b.raw(([] if b.time_done else [b.columns[0]]) + in_record, nodes[-1])
    nodes[0]["at"], b.time_done = "again", done
    root["alt"] = [root.pop("sub"), nodes[0]]
    b.rng.shuffle(root["alt"])
    root.pop("agg", None)


def compose_id(b, root, store):
    """Makes an id of all columns that the root binds. Some of them are read from the id, with or
    without a copy in a field.
    """
    binds = list(root.get("bind", []))
    dims = {d.name: d for d in b.dims}
    if not binds or any("column" in x and not dims[x["column"]].not_null for x in binds):
        return
    b.rng.shuffle(binds)
    parts = [b.rng.choice(["m-", ":", "/"])] if b.chance(0.3) or len(binds) == 1 else []
    for i, x in enumerate(binds):
        if i:
            parts.append(b.rng.choice(["/", "-", ".", "--", ":x", "^", "]", "\\", " "]))
        if "trunc" in x:
            formats = {"year": "%Y", "month": "%Y%m", "day": "%Y-%m-%d", "hour": "%Y%m%d %H", "minute": "%d.%m.%Y %H:%M"}
            fmt = formats.get(x["trunc"], "")
            parts.append({"trunc": x["trunc"], "encoding": {"format": fmt} if fmt and b.chance(0.7) else b.rng.choice(["epoch_s", "epoch_ms"])})
        else:
            d = dims[x["column"]]
            parts.append({"column": d.name, **({} if d.type == "text" else {"encoding": b.rng.choice(["text", {"kind": "text", "pad": 4}])})})
    if b.chance(0.2):
        parts.append(b.rng.choice([".json", "$"]))
    store["id"] = parts
    add_escape(b, store, parts, dims)
    for x in root["bind"]:
        if b.chance(0.7):
            x["from"] = "id"
            if b.chance(0.5):
                x.pop("encoding", None)
                x.pop("at", None)


def add_escape(b, store, parts, dims):
    """Makes ids without escapes, if the dimensions' values keep them one-to-one."""
    texts = [i for i, p in enumerate(parts) if not isinstance(p, str) and "column" in p and dims[p["column"]].type not in ("integer", "bigint")]
    stops = {parts[i + 1][0] for i in texts if i + 1 < len(parts)} if len(texts) > 1 else set()
    values = [str(v) for i in texts for v in dims[parts[i]["column"]].pool]
    behind = [p for p in parts[texts[0]:] if not isinstance(p, str)] if len(texts) == 1 else []
    negative = any("column" in p and dims[p["column"]].type in ("integer", "bigint") and any(v < 0 for v in dims[p["column"]].pool) for p in behind)
    if not negative and not any(s in v for s in stops for v in values) and b.chance(0.7):
        store["escape"] = "none"


def make_layout(rng, columns, period_ms):
    keeps = "sums" if period_ms and rng.random() < 0.2 else "records"
    if keeps == "sums":
        for m in (c for c in columns if c.role == "measure"):
            m.not_null = True
    stores, unique = [], False
    for name in ["c", "c_too"] if rng.random() < 0.15 else ["c"]:
        store, alone = make_store(rng, columns, period_ms, keeps, name)
        stores.append(store)
        unique = unique or alone
    layout = {"keeps": keeps, "stores": stores}
    if keeps == "sums":
        dims = [c for c in columns if c.role == "dim"]
        layout["key"] = [d.name for d in dims]
        for d in dims:
            d.not_null, d.pool = True, [v for v in d.pool if v is not None]
    return layout, unique


def make_store(rng, columns, period_ms, keeps, name):
    """Returns a store, and whether its records must be unique by dimensions and time."""
    b = Builder(rng, columns, period_ms, keeps)
    unit, makers = b.time_levels()
    rest = list(b.dims)
    rng.shuffle(rest)
    at_root = [rest.pop() for _ in range(rng.randint(0, len(rest)))]
    in_record = [rest.pop() for _ in range(rng.randint(0, len(rest)))] if keeps == "records" and rng.random() < 0.2 else []
    root = {"is": "document", "bind": [{"column": d.name, **({"at": f"k.{d.name}"} if rng.random() < 0.15 else {})} for d in at_root]}
    if unit:
        root["bind"].insert(rng.randint(0, len(root["bind"])), trunc_binding(b, unit))
    if not root["bind"]:
        del root["bind"]
    nodes = [root] + make_levels(b, makers, rest)
    if len(nodes) == 1 and keeps == "sums":
        nodes.append({"is": "scalar", "at": "s"})
    add_aggs(b, nodes)
    chain(b, nodes)
    if keeps == "records":
        extra = ([] if b.time_done else [columns[0]]) + in_record
        nodes[-1]["raw"] = b.raw(extra, nodes[-1])
    single = len(nodes) == 1 and not nodes[0].get("raw", {}).get("many")
    if len(nodes) > 1 and rng.random() < 0.5:
        root["range"] = {"min": "min_t", "max": "max_t", "exact": rng.random() < 0.7 and keeps == "records", "encoding": b.time_encoding()}
    add_alternative(b, root, unit)
    add_copy(b, root, unit, [d for d in b.dims if d not in at_root])
    add_flat(b, root)
    add_order(b, root)
    store = {"collection": name, "root": root, "write": "insert" if single else "pack"}
    if not single and rng.random() < 0.5:
        store.update(repeats=True, flush_levels=rng.choice([3, 10, 50, 1000]))
    elif not single and rng.random() < 0.5:
        compose_id(b, root, store)
    return store, b.unique


# ---- rows ----


def make_rows(rng, columns, period_ms, unique):
    day = datetime.datetime.fromisoformat(rng.choice(DAYS) + "T00:00:00+00:00")
    start = int(day.timestamp()) * 1000 + rng.choice([0, 0, -6 * 3_600_000, 17 * 3_600_000])
    span = rng.choice([600_000, 2 * 3_600_000, 86_400_000, 3 * 86_400_000, 40 * 86_400_000])
    step = period_ms or rng.choice([1, 250, 1000, 7000])
    start = start // step * step
    count = rng.choice([0, 1, 20, 80, 200, 400]) if rng.random() < 0.3 else rng.randint(40, 250)
    few = [start + rng.randrange(0, max(1, span // step)) * step for _ in range(rng.choice([5, 20, 100]))]
    out, seen = [], set()
    for _ in range(count):
        row = {}
        for c in columns:
            if c.role == "time":
                row[c.name] = rng.choice(few) if rng.random() < 0.7 else start + rng.randrange(0, max(1, span // step)) * step
            elif c.role == "dim":
                row[c.name] = rng.choice(c.pool)
            elif not c.not_null and rng.random() < 0.2:
                row[c.name] = None
            elif c.type == "numeric":
                row[c.name] = rng.choice([Decimal(0), Decimal("-2.5"), Decimal(rng.randint(-1000, 10**12)) / 8])
            elif c.type == "double precision":
                row[c.name] = rng.choice([0.0, 1.0, -2.5, 0.25, 1024.0, rng.randint(-1000, 1000) / 8])
            else:
                row[c.name] = rng.choice([0, 1, -3, 10, rng.randint(-1000, 100000)])
        key = tuple(row[c.name] for c in columns if c.role != "measure")
        if unique and key in seen:
            continue
        seen.add(key)
        out.append(row)
        if not unique and rng.random() < 0.1:
            out.append(dict(row))
    return out


# ---- counters: the same sums by minute, hour and day ----


def text_part(rng, unit, of, base=0):
    return {"part": unit, "of": of, "encoding": {"kind": "text", "pad": rng.choice([0, 2, 4])}, **({"base": base} if base else {})}


def by_minute(rng, at, agg):
    style = rng.choice(["flat", "hour", "minute of day", "slots"])
    if style == "slots":
        return {"is": "slots", "at": at, "bind": [{"part": "minute", "of": "day"}], "agg": agg}
    if style == "flat":
        return {"is": "map", "at": at, "bind": [text_part(rng, "minute", "day")], "agg": agg}
    inner = text_part(rng, "minute", "day" if style == "minute of day" else "hour")
    return {"is": "map", "at": at, "bind": [text_part(rng, "hour", "day")], "sub": {"is": "map", "at": "", "bind": [inner], "agg": agg}}


def counters_store(rng, name, unit, fmt, dims, root):
    """Returns a store whose documents are found by an id of the unit and the dimensions. Columns
    that are not in a field are in the id only.
    """
    stop, kept = rng.choice("/-.:"), rng.random()
    parts = [{"trunc": unit, "encoding": {"format": fmt}}] + [x for d in dims for x in (stop, {"column": d.name})]
    bind = [{"trunc": unit, **({"from": "id"} if kept < 0.7 else {"at": "u", "encoding": "date"})}]
    bind += [{"column": d.name, **({"from": "id"} if kept < 0.4 else {"from": "id", "at": f"m.{d.name}"} if kept < 0.7 else {"at": f"m.{d.name}"})} for d in dims]
    return {"collection": name, "write": "inc", "id": parts, "root": {"is": "document", "bind": bind, **root}}


def make_counters(rng):
    """Makes a layout like the published ones of counters: copies in one document, or hours and days
    in documents of a month.
    """
    counts = rng.random() < 0.5
    columns = [Column("ts", "timestamptz", "time", True)]
    columns += [Column(f"d{i}", "text", "dim", True, pool=rng.sample(TEXTS, rng.randint(2, 5))) for i in range(rng.randint(1, 3))]
    columns.append(Column("m0", "bigint", "measure", True, counter=not counts))
    dims = [c for c in columns if c.role == "dim"]
    agg = {"n": "n", "measures": {"m0": "t"}} if counts else {"measures": {"m0": ""}, "zero": "absent"}
    stores = [counters_store(rng, "c", "day", rng.choice(["%Y%m%d", "%Y-%m-%d"]), dims, {"sub": by_minute(rng, "mn", agg)})]
    if rng.random() < 0.5:
        hours = {"is": "map", "at": "hy", "bind": [text_part(rng, "hour", "day")], "agg": agg}
        stores[0]["root"]["alt"] = [{"is": "scalar", "at": "dy", "agg": agg}, hours, stores[0]["root"].pop("sub")]
    else:
        day = lambda base, below: {"sub": {"is": "map", "at": "d", "bind": [text_part(rng, "day", "month", base)], **below}}
        hour = {"is": "map", "at": "", "bind": [text_part(rng, "hour", "day")], "agg": agg}
        stores.append(counters_store(rng, "c_hours", "month", "%Y%m", dims, day(1, {"sub": hour})))
        stores.append(counters_store(rng, "c_days", "month", rng.choice(["%Y%m", "%Y%m%d"]), dims, day(0, {"agg": agg})))
    rows = make_rows(rng, columns, 60_000, False)
    for r in rows:
        r["m0"] = abs(r["m0"]) + 1 if not counts else r["m0"]
    return Model(columns, 60_000, {"keeps": "sums", "key": [d.name for d in dims], "stores": stores}, rows, False, counts)


# ---- partitions ----


def partition_layout(rng, layout):
    """Adds partitions by day or month, if no document of a store has a longer time."""
    for store in layout["stores"]:
        units = {b.get("trunc", b.get("part")) for b in store["root"].get("bind", [])}
        if units & {"week", "year"}:
            continue
        store["partition"] = "month" if "month" in units else rng.choice(["day", "month"])


def collections(store, rows):
    """Returns where the documents of the rows should be: (collection, first ms, end)."""
    if "partition" not in store:
        return [(store["collection"], None, None)]
    fmt, out = {"day": "%Y_%m_%d", "month": "%Y_%m"}[store["partition"]], {}
    for t in (r["ts"] for r in rows):
        at = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=t)
        start = at.replace(hour=0, minute=0, second=0, microsecond=0, day=1 if store["partition"] == "month" else at.day)
        end = (start + datetime.timedelta(days=32)).replace(day=1) if store["partition"] == "month" else start + datetime.timedelta(days=1)
        bounds = [(x - datetime.datetime(1970, 1, 1)) // datetime.timedelta(milliseconds=1) for x in (start, end)]
        out[f"{store['collection']}_{start.strftime(fmt)}"] = bounds
    return [(name, *bounds) for name, bounds in sorted(out.items())]


def make_model(rng):
    if rng.random() < 0.12:
        m = make_counters(rng)
    else:
        columns = make_columns(rng)
        period_ms = rng.choice([0, 1000, 60_000, 60_000, 300_000, 3_600_000])
        layout, unique = make_layout(rng, columns, period_ms)
        m = Model(columns, period_ms, layout, make_rows(rng, columns, period_ms, unique), unique)
    if rng.random() < 0.25:
        partition_layout(rng, m.layout)
    return m

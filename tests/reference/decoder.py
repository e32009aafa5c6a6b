"""The reference decoder: a descriptor and documents become records, by docs/lemma.md alone.

It shares no code with mtsql. Read it beside that page. Times are whole milliseconds since
1970-01-01 UTC. Other values are int, float, str, bool, Decimal, None.

    records (table, layout, store, docs)   every record of a layout that keeps records
    sums (table, layout, store, docs)      {(key columns…, time): {"n": …, measure: sum}} of a layout
                                           that keeps sums
    check (table, layout, store, docs)     the differences between stored numbers and ranges and the
                                           records below them
"""
import calendar
import datetime
import math
import re
from decimal import Decimal

import bson
from bson import Decimal128

UNIT_MS = {"ms": 1, "second": 1000, "minute": 60_000, "hour": 3_600_000, "day": 86_400_000, "week": 604_800_000}
MOST = {"integer": 1 << 31, "bigint": 1 << 63}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Malformed(Exception):
    """The document does not have the layout's shape."""


class NoSuchTime(Malformed):
    """A part of the time that its unit does not have, such as the 31st of June."""


class Table:
    """columns: {name: type}; time: the time column's name; fields: {name: stored name}; period_ms: 0 for none."""

    def __init__(self, columns, time=None, fields=None, period_ms=0):
        self.columns, self.time, self.period_ms = columns, time, period_ms
        self.fields = {c: (fields or {}).get(c, c) for c in columns}


# ---- values ----


def number(v):
    if isinstance(v, Decimal128):
        return v.to_decimal()
    if isinstance(v, bool) or not isinstance(v, (int, float)):
        raise Malformed(f"not a number: {v!r}")
    return v


def typed(sql_type, v):
    """Returns a stored native value as a value of the column's type."""
    if v is None:
        return None
    if sql_type == "text":
        if not isinstance(v, str):
            raise Malformed(f"not text: {v!r}")
        return v
    if sql_type in ("bigint", "integer"):
        n = number(v)
        if n != int(n):
            raise Malformed(f"not an integer: {v!r}")
        if not -MOST[sql_type] <= n < MOST[sql_type]:
            raise Malformed(f"too large for {sql_type}: {v!r}")
        return int(n)
    if sql_type == "double precision":
        return float(number(v))
    if sql_type == "numeric":
        return Decimal(str(number(v)))
    if sql_type == "boolean":
        if not isinstance(v, bool):
            raise Malformed(f"not a boolean: {v!r}")
        return v
    if sql_type == "timestamptz":
        return instant("date", v)
    raise ValueError(sql_type)


def from_text(sql_type, s):
    if not isinstance(s, str):
        raise Malformed(f"not text: {s!r}")
    if sql_type == "text":
        return s
    if sql_type in ("bigint", "integer"):
        return int(s)
    if sql_type == "double precision":
        return float(s)
    if sql_type == "numeric":
        return Decimal(s)
    if sql_type == "boolean":
        return {"t": True, "true": True, "f": False, "false": False}[s]
    if sql_type == "timestamptz":
        return round((datetime.datetime.fromisoformat(s) - EPOCH).total_seconds() * 1000)
    raise ValueError(sql_type)


def encoding_of(binding):
    """Returns (kind, options) of a binding or a raw column."""
    e = binding.get("encoding", "native")
    if isinstance(e, str):
        return e, {}
    return e.get("kind", "format" if "format" in e else "native"), e


FORMAT_FIELDS = {"%Y": ("year", 4), "%m": ("month", 2), "%d": ("day", 2), "%H": ("hour", 2), "%M": ("minute", 2), "%S": ("second", 2), "%L": ("ms", 3)}


def by_format(fmt, s):
    pattern, names = "", []
    for piece in re.findall(r"%.|[^%]+", fmt):
        if piece in FORMAT_FIELDS:
            name, width = FORMAT_FIELDS[piece]
            names.append(name)
            pattern += r"(\d{%d})" % width
        else:
            pattern += re.escape(piece)
    m = re.fullmatch(pattern, s) if isinstance(s, str) else None
    if not m:
        raise Malformed(f"not a time by {fmt}: {s!r}")
    f = dict(zip(names, map(int, m.groups())))
    t = datetime.datetime(f["year"], f.get("month", 1), f.get("day", 1), f.get("hour", 0), f.get("minute", 0), f.get("second", 0))
    return calendar.timegm(t.timetuple()) * 1000 + f.get("ms", 0)


def instant(kind, v, options=None):
    """Returns a stored instant, in a time encoding, in milliseconds."""
    if v is None:
        return None
    if kind in ("date", "native"):
        if isinstance(v, bson.DatetimeMS):
            return int(v)
        if not isinstance(v, datetime.datetime):
            raise Malformed(f"not a date: {v!r}")
        t = v if v.tzinfo else v.replace(tzinfo=datetime.timezone.utc)
        return (t - EPOCH) // datetime.timedelta(milliseconds=1)
    if kind == "epoch_s":
        return math.floor(Decimal(str(number(v))) * 1000)
    elif kind == "epoch_ms":
        ms = Decimal(str(number(v)))
    elif kind == "format":
        return by_format(options["format"], v)
    elif kind == "text":
        return from_text("timestamptz", v)
    else:
        raise ValueError(kind)
    if ms != int(ms):
        raise Malformed(f"not whole milliseconds: {v!r}")
    return int(ms)


def at_path(value, path):
    """Returns (found, value) under a dotted path. The empty path is the value itself."""
    if path == "":
        return True, value
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            return False, None
        value = value[name]
    return True, value


# ---- time: an interval [start, start + grain), or an exact instant ----


def unit_ms(unit):
    """Returns the length of a fixed unit. "5 minutes" is five of one."""
    n, _, one = unit.rpartition(" ")
    return int(n) * UNIT_MS[one.removesuffix("s")] if n else UNIT_MS[unit]


def unit_start(unit, ms):
    """Returns the start of the unit (UTC) that contains ms."""
    if unit == "epoch":
        return 0
    if unit in ("month", "year"):
        t = EPOCH + datetime.timedelta(milliseconds=ms)
        t = t.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        if unit == "year":
            t = t.replace(month=1)
        return (t - EPOCH) // datetime.timedelta(milliseconds=1)
    shift = 3 * UNIT_MS["day"] if unit == "week" else 0  # 1970-01-01 was a Thursday
    return (ms + shift) // unit_ms(unit) * unit_ms(unit) - shift


def unit_next(unit, start):
    if unit == "month":
        t = EPOCH + datetime.timedelta(milliseconds=start)
        t = t.replace(year=t.year + t.month // 12, month=t.month % 12 + 1)
        return (t - EPOCH) // datetime.timedelta(milliseconds=1)
    if unit == "year":
        t = EPOCH + datetime.timedelta(milliseconds=start)
        return (t.replace(year=t.year + 1) - EPOCH) // datetime.timedelta(milliseconds=1)
    return start + unit_ms(unit)


class Cell:
    """The column values and the time that the bindings down to this cell give."""

    def __init__(self, columns=None, start=None, end=None, exact=None):
        self.columns, self.start, self.end, self.exact = dict(columns or {}), start, end, exact

    def copy(self):
        return Cell(self.columns, self.start, self.end, self.exact)

    def narrow(self, start, end):
        if self.start is not None and not (self.start <= start and end <= self.end):
            raise NoSuchTime(f"time parts disagree: {start} is outside [{self.start}, {self.end})")
        self.start, self.end = start, end


def bind(table, cell, binding, raw):
    """Adds one binding's value to a cell. raw: the stored value, or None if it is missing."""
    kind, options = encoding_of(binding)
    if "column" in binding:
        name = binding["column"]
        if table.columns[name] == "timestamptz":
            value = instant(kind, raw, options)
        else:
            value = None if raw is None else from_text(table.columns[name], raw) if kind == "text" else typed(table.columns[name], raw)
        if name == table.time:
            cell.exact = value
        cell.columns[name] = value
    elif "trunc" in binding:
        start = instant(kind, raw, options)
        if start is None:
            raise Malformed("a truncated time is missing")
        if unit_start(binding["trunc"], start) != start:
            raise Malformed(f"{start} isn't the start of a {binding['trunc']}")
        cell.narrow(start, unit_next(binding["trunc"], start))
    else:
        if raw is None:
            raise Malformed("a part of the time is missing")
        if isinstance(raw, str) and not re.fullmatch(r"\d+", raw):
            raise Malformed(f"not a number: {raw!r}")
        n = (int(raw) if isinstance(raw, str) else int(number(raw))) - binding.get("base", 0)
        if n < 0:
            raise NoSuchTime(f"a part below its base: {raw!r}")
        of_start = unit_start(binding["of"], cell.start if cell.start is not None else 0)
        if binding["part"] == "month" and n > 11:
            raise NoSuchTime(f"no month: {raw!r}")
        start, end = of_start, 0
        if binding["part"] == "month":
            for _ in range(n):
                start = unit_next("month", start)
            end = unit_next("month", start)
        else:
            start = of_start + n * unit_ms(binding["part"])
            end = start + unit_ms(binding["part"])
        if binding["of"] != "epoch" and start >= unit_next(binding["of"], of_start):
            raise NoSuchTime(f"a part beyond its unit: {raw!r}")
        cell.narrow(start, end)


# ---- composed ids ----


def id_parts(store, doc_id):
    """Returns [(part of the store's id, its text)] of a composed id."""
    if not isinstance(doc_id, str):
        raise Malformed(f"an id that is no text: {doc_id!r}")
    out, rest, spec = [], doc_id.encode(), store["id"]
    for i, part in enumerate(spec):
        if isinstance(part, str):
            if not rest.startswith(part.encode()):
                raise Malformed(f"no {part!r} where it should be in {doc_id!r}")
            rest = rest[len(part.encode()):]
            continue
        stop = spec[i + 1].encode()[:1] if i + 1 < len(spec) else None
        end = len(rest) if stop is None else rest.find(stop)
        if end < 0:
            raise Malformed(f"no {spec[i + 1]!r} in {doc_id!r}")
        escapes = {b"%25": b"%"}
        if stop:
            escapes[b"%%%02X" % stop[0]] = stop
        out.append((part, re.sub(rb"%[0-9A-F]{2}", lambda m: escapes.get(m[0], m[0]), rest[:end]).decode()))
        rest = rest[end:]
    if rest:
        raise Malformed(f"more than the parts in {doc_id!r}")
    return out


def is_text_part(table, part):
    """Returns whether a part can be any text. Then only the other parts show where it ends."""
    if isinstance(part, str) or "part" in part:
        return False
    number = "column" in part and table.columns[part["column"]] in MOST
    return not number and encoding_of(part)[0] in ("native", "text")


def plain_id_parts(table, store, doc_id):
    """Returns the same for an id without escapes, by a regular expression."""
    spec = store["id"]
    texts = [i for i, part in enumerate(spec) if is_text_part(table, part)]
    stops = "".join(re.escape(spec[i + 1][0]) for i in texts if i + 1 < len(spec)) if len(texts) > 1 else ""
    pattern = ""
    for i, part in enumerate(spec):
        if isinstance(part, str):
            pattern += re.escape(part)
        elif i in texts:
            pattern += f"([^{stops}]*)" if stops else "(.*)"
        elif encoding_of(part)[0] == "format":
            fmt = encoding_of(part)[1]["format"]
            pattern += "(" + "".join(r"[0-9]{%d}" % FORMAT_FIELDS[x][1] if x in FORMAT_FIELDS else re.escape(x) for x in re.findall(r"%.|[^%]+", fmt)) + ")"
        else:
            pattern += "([0-9]+)" if len(texts) == 1 and i > texts[0] else "(-?[0-9]+)"
    m = re.fullmatch(pattern, doc_id, re.S) if isinstance(doc_id, str) else None
    if not m:
        raise Malformed(f"not composed as the id says: {doc_id!r}")
    return list(zip([part for part in spec if not isinstance(part, str)], m.groups()))


def same_part(a, b):
    names = ("column", "trunc", "part", "of")
    return [a.get(n) for n in names] == [b.get(n) for n in names] and a.get("base", 0) == b.get("base", 0)


def from_id(table, store, doc_id, binding):
    """Returns the binding as if it were in a field, and that field's value."""
    parts = plain_id_parts(table, store, doc_id) if store.get("escape") == "none" else id_parts(store, doc_id)
    part, text = next((p, t) for p, t in parts if same_part(p, binding))
    kind, _ = encoding_of(part)
    is_text = "column" in part and table.columns[part["column"]] == "text" or kind == "format"
    if is_text:
        return {**binding, "encoding": part.get("encoding", "native")}, text
    if not re.fullmatch(r"-?[0-9]+", text):
        raise Malformed(f"no number in {doc_id!r}: {text!r}")
    return {**binding, "encoding": kind if kind.startswith("epoch") else "native"}, int(text)


def binding_source(node, index, binding):
    default = {"map": "key", "slots": "index"}.get(node["is"], "field") if index == 0 else "field"
    return binding.get("from", default)


def default_at(table, binding):
    return table.fields[binding["column"]] if "column" in binding else binding.get("trunc", binding.get("part"))


def cells(table, store, node, parent_value, parent_cell):
    """Yields the cells of a node inside its parent's value: (cell, value)."""
    if node["is"] == "document":
        entries = [(None, None, parent_value)]
    else:
        found, v = at_path(parent_value, node.get("at", ""))
        if not found or v is None:
            return
        if node["is"] in ("pairs", "arrays"):
            v = flat_cells(table, node, v)
        if node["is"] == "scalar":
            entries = [(None, None, v)]
        elif node["is"] == "map":
            if not isinstance(v, dict):
                raise Malformed(f"not a sub-document under {node.get('at', '')!r}")
            raw = node.get("raw", {})
            alone = list(raw.get("columns", {}).values()) == [""] and not raw.get("many")  # then null is no record, as in slots
            entries = [(k, None, x) for k, x in v.items() if not (alone and x is None)]
        else:
            if not isinstance(v, list):
                raise Malformed(f"not an array under {node.get('at', '')!r}")
            entries = [(None, i, x) for i, x in enumerate(v) if not (node["is"] == "slots" and x is None)]
    for key, index, value in entries:
        cell = parent_cell.copy()
        try:
            bind_all(table, store, node, cell, key, index, value)
        except NoSuchTime:
            if node["is"] in ("map", "slots") and nothing(node, value):
                continue
            raise
        yield cell, value


def flat_paths(table, node):
    """Returns the paths of a cell of pairs or of arrays."""
    out = [b.get("at", default_at(table, b)) for b in node.get("bind", [])]
    if "agg" in node:
        n, measures = agg_paths(node["agg"])
        out += [p for p in [n] + [m.get(k) for m in measures.values() for k in ("sum", "min", "max", "nonnull")] if p is not None]
    return out + [c if isinstance(c, str) else c["at"] for c in node.get("raw", {}).get("columns", {}).values()]


def flat_cells(table, node, v):
    """Returns pairs or parallel arrays as a list of sub-documents."""
    paths = flat_paths(table, node)
    if node["is"] == "pairs":
        if not isinstance(v, list) or not all(isinstance(x, list) and len(x) == len(paths) for x in v):
            raise Malformed(f"not an array of arrays of {len(paths)} under {node.get('at', '')!r}")
        return [{str(i): value for i, value in enumerate(x)} for x in v]
    if not isinstance(v, dict):
        raise Malformed(f"not a sub-document under {node.get('at', '')!r}")
    arrays = [v.get(p) for p in paths]
    if all(a is None for a in arrays):
        return []
    if not all(isinstance(a, list) and len(a) == len(arrays[0]) for a in arrays):
        raise Malformed(f"not arrays of one length: {paths}")
    return [dict(zip(paths, values)) for values in zip(*arrays)]


def bind_all(table, store, node, cell, key, index, value):
    for i, b in enumerate(node.get("bind", [])):
        source = binding_source(node, i, b)
        if source == "id":
            bind(table, cell, *from_id(table, store, value.get("_id"), b))
            continue
        raw = key if source == "key" else index if source == "index" else at_path(value, b.get("at", default_at(table, b)))[1]
        bind(table, cell, b, raw)


def nothing(node, value):
    """Returns whether a cell of sums counted nothing, nor any cell below it."""
    if value is None:
        return True
    if "raw" in node:
        return False
    stored = []
    if "agg" in node:
        n, measures = agg_paths(node["agg"])
        stored = [p for p in [n] + [m.get("sum") for m in measures.values()] if p is not None]
    if stored != [""] and not all(c.get("at") == "" for c in children(node)) and not isinstance(value, dict):
        return False
    if any(at_path(value, p)[1] not in (None, 0, Decimal128("0")) for p in stored):
        return False
    return all(nothing_at(c, at_path(value, c.get("at", ""))[1]) for c in children(node))


def nothing_at(node, value):
    if node["is"] == "scalar" or value is None:
        return nothing(node, value)
    if node["is"] == "map":
        return isinstance(value, dict) and all(re.fullmatch("[0-9]+", k) and nothing(node, v) for k, v in value.items())
    return isinstance(value, list) and all(nothing(node, v) for v in value)


# ---- records ----


def raw_columns(table, raw, record, cell):
    row = dict(cell.columns)
    for name, spec in raw["columns"].items():
        spec = {"at": spec} if isinstance(spec, str) else spec
        kind, options = encoding_of(spec)
        stored = at_path(record, spec["at"])[1]
        if table.columns[name] == "timestamptz":
            row[name] = instant(kind, stored, options)
        elif kind == "text" and stored is not None:
            row[name] = from_text(table.columns[name], stored)
        else:
            row[name] = typed(table.columns[name], stored)
    return row


def exact_time(table, cell, row):
    """Puts the time into a row if an interval holds exactly one possible time."""
    if table.time and table.time not in row:
        if cell.start is None:
            row[table.time] = None
            return
        grain = cell.end - cell.start
        if grain != 1 and (not table.period_ms or table.period_ms % grain):
            raise Malformed("the way's grain doesn't say the time")
        row[table.time] = cell.start


def cell_records(table, node, value, cell):
    raw = node["raw"]
    found, under = at_path(value, raw.get("at", ""))
    if not found or under is None and raw.get("many"):
        return
    if raw.get("many") and not isinstance(under, list):
        raise Malformed("records that are no array")
    for record in under if raw.get("many") else [under]:
        row = raw_columns(table, raw, record, cell)
        exact_time(table, cell, row)
        yield row


def has_raw(node):
    return "raw" in node or any(has_raw(c) for c in children(node))


def children(node):
    return [node["sub"]] if "sub" in node else node.get("alt", [])


def walk_records(table, store, node, parent_value, parent_cell):
    """Yields every record in a node's cells. Among alternatives, the first that holds records
    counts.
    """
    for cell, value in cells(table, store, node, parent_value, parent_cell):
        yield from below(table, store, node, value, cell)


def below(table, store, node, value, cell):
    if "raw" in node:
        yield from cell_records(table, node, value, cell)
        return
    for child in children(node):
        if has_raw(child):
            yield from walk_records(table, store, child, value, cell)
            return


def records(table, store, docs):
    out = []
    for d in docs:
        out.extend(walk_records(table, store, store["root"], d, Cell()))
    return out


# ---- sums ----


def agg_paths(agg):
    """Returns (path of n or None, {measure: {sum, min, max, nonnull}})."""
    n = agg.get("n")
    n = n["at"] if isinstance(n, dict) else n
    return n, {m: ({"sum": p} if isinstance(p, str) else p) for m, p in agg.get("measures", {}).items()}


def stored_numbers(agg, value):
    """Returns (n or None, {measure: {what: number or None}}), or None if the cell has no sample."""
    n_path, measures = agg_paths(agg)
    n = at_path(value, n_path)[1] if n_path is not None else None
    n = int(number(n)) if n is not None else 0 if n_path is not None else None
    out = {m: {w: at_path(value, p)[1] for w, p in paths.items() if w in ("sum", "min", "max", "nonnull")} for m, paths in measures.items()}
    out = {m: {w: None if v is None else number(v) for w, v in ws.items()} for m, ws in out.items()}
    if n is not None and n == 0:
        return None
    if n is None and agg.get("zero") == "absent" and all(not ws.get("sum") for ws in out.values()):
        return None
    return n, out


def walk_sums(table, store, node, parent_value, parent_cell):
    for cell, value in cells(table, store, node, parent_value, parent_cell):
        deeper = children(node)
        if deeper:
            yield from walk_sums(table, store, deeper[-1], value, cell)
        elif "agg" in node:
            numbers = stored_numbers(node["agg"], value)
            if numbers:
                yield cell, numbers


def sums(table, store, docs, key):
    """Returns {(key values…, time): {"n": …, measure: sum}} from the deepest pre-aggregates of the
    last alternative.
    """
    out = {}
    for d in docs:
        for cell, (n, measures) in walk_sums(table, store, store["root"], d, Cell()):
            row = dict(cell.columns)
            exact_time(table, cell, row)
            k = tuple(row.get(c) for c in key) + (row.get(table.time),)
            into = out.setdefault(k, {"n": None})
            if n is not None:
                into["n"] = (into["n"] or 0) + n
            for m, ws in measures.items():
                if ws.get("sum") is not None:
                    into[m] = (into.get(m) or 0) + ws["sum"]
    return out


# ---- pre-sums against what lies below ----


def expected_numbers(rows, measure):
    values = [r[measure] for r in rows if r.get(measure) is not None]
    return {"sum": sum(values), "min": min(values, default=None), "max": max(values, default=None), "nonnull": len(values)}


def check_agg(agg, value, rows, where):
    n_path, measures = agg_paths(agg)
    if n_path is not None and (at_path(value, n_path)[1] or 0) != len(rows):
        yield f"{where}: n is {at_path(value, n_path)[1]}, and there are {len(rows)} records"
    for m, paths in measures.items():
        expected = expected_numbers(rows, m)
        for what, path in paths.items():
            if what == "as":
                continue
            stored = at_path(value, path)[1]
            stored = None if stored is None else number(stored)
            if (stored or 0) != (expected[what] or 0) if what in ("sum", "nonnull") else stored != expected[what]:
                yield f"{where}: {what}({m}) is {stored}, and the records give {expected[what]}"


def check_range(table, node, value, rows, where):
    r = node["range"]
    kind, options = encoding_of(r)
    kind = "date" if kind == "native" else kind
    low, high = (instant(kind, at_path(value, r[k])[1], options) for k in ("min", "max"))
    times = [row[table.time] for row in rows if row[table.time] is not None]
    if times and (low is None or high is None or low > min(times) or high < max(times)):
        yield f"{where}: the range [{low}, {high}] doesn't hold [{min(times)}, {max(times)}]"
    elif times and r.get("exact") and (low != min(times) or high != max(times)):
        yield f"{where}: the range [{low}, {high}] isn't [{min(times)}, {max(times)}]"


def check_node(table, store, node, parent_value, parent_cell, where):
    for cell, value in cells(table, store, node, parent_value, parent_cell):
        here = f"{where}/{node['is']}{sorted(cell.columns.items(), key=str)}"
        if has_raw(node):
            rows = list(below(table, store, node, value, cell))
            if "agg" in node:
                yield from check_agg(node["agg"], value, rows, here)
            if "range" in node:
                yield from check_range(table, node, value, rows, here)
        copies = [sorted(walk_records(table, store, child, value, cell), key=lambda r: repr(sorted(r.items()))) for child in node.get("alt", []) if has_raw(child)]
        if any(c != copies[0] for c in copies[1:]):
            yield f"{here}: two copies of the records differ"
        for child in children(node):
            yield from check_node(table, store, child, value, cell, here)
            if "alt" in node and has_raw(node) and not has_raw(child):
                yield from check_copy(table, store, child, value, cell, rows, here)


def check_copy(table, store, node, parent_value, parent_cell, rows, where):
    """Compares the cells of a redundant copy without records with the records of another copy."""
    for cell, value in cells(table, store, node, parent_value, parent_cell):
        inside = [r for r in rows if all(r[c] == v for c, v in cell.columns.items()) and (cell.start is None or cell.start <= r[table.time] < cell.end)]
        here = f"{where}/{node['is']}{sorted(cell.columns.items(), key=str)}"
        if "agg" in node:
            yield from check_agg(node["agg"], value, inside, here)
        for child in children(node):
            yield from check_copy(table, store, child, value, cell, inside, here)


def check(table, store, docs):
    """Returns the differences between stored pre-aggregates or ranges and the records below them,
    as sentences.
    """
    return [s for d in docs for s in check_node(table, store, store["root"], d, Cell(), str(d.get("_id")))]

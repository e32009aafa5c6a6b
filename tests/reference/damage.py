"""Damages documents as other software might have written them: other types, missing levels, arrays for maps, keys that aren't numbers, deep nesting, names twice."""
import copy

import bson
from bson import Binary, Code, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
from bson.datetime_ms import DatetimeMS


def nest(depth, inner, as_list):
    for _ in range(depth):
        inner = [inner] if as_list else {"_": inner}
    return inner


VALUES = [
    None, True, False, 0, 1, -1, 2**31 - 1, -2**31, Int64(2**63 - 1), Int64(-2**63), Int64(253402300800), Int64(1 << 53), 0.5, -0.0, 1e18, 1e300, float("nan"), float("inf"), float("-inf"),
    Decimal128("NaN"), Decimal128("-Infinity"), Decimal128("1E+6144"), Decimal128("0.1"), Decimal128("-0"), Decimal128("9999999999999999999999999999999999"), Decimal128("1E-6176"), Decimal128("7"),
    "", "x", "0", "-1", "00", "1e3", "7.5", "20200101", "2020-01-01", "\u00fc\u0000\u00fc", "%", "%2", "9" * 40, "x" * 70_000,
    [], {}, [1], [[]], [None], [{}], {"": 1}, {"a.b": 1}, {"$x": 1}, {"0": 1}, {"00": {}}, {"d": 1}, nest(60, 1, False), nest(60, 1, True),
    DatetimeMS(0), DatetimeMS(1), DatetimeMS(-2**63), DatetimeMS(2**63 - 1), DatetimeMS(253402300800000), DatetimeMS(-62135596800001), DatetimeMS(1286668800000),
    ObjectId("0123456789abcdef01234567"), Binary(b"\x00\xff"), Binary(b"\x03" * 16, 4), Regex("a", "i"), Code("x"), Code("x", {"a": 1}), MinKey(), MaxKey(), Timestamp(1, 2),
]
KEYS = ["", "-1", "0", "00", "1", "7", "x", "1e9", "0x1", "31", "32", "59", "60", "1439", "1440", "99999999999", "0" * 400 + "1", "k" * 5000, "_id", "a.b", "$a", "\u00fc", " 1", "1 ", "+1", "d", "n", "_"]
TWICE = "(again)"  # what stands before a name that is there already


def places(value, out, depth=0):
    """Each (container, key) in a document, deep ones too."""
    entries = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    for k, v in entries:
        out.append((value, k))
        if depth < 60:
            places(v, out, depth + 1)
    return out


def rename(container, old, new):
    entries = [(new if k == old else k, v) for k, v in container.items() if k == old or k != new]
    container.clear()
    container.update(entries)


def one(rng, doc, others):
    """A damage: what was done."""
    found = places(doc, [])
    if not found:
        doc["x"] = rng.choice(VALUES)
        return "put x"
    container, key = rng.choice(found)
    what = rng.choice(["value", "value", "value", "remove", "rename", "twice", "wrap", "unwrap", "shape", "swap", "other", "null", "more", "scale"])
    v = container[key]
    if what == "value":
        container[key] = copy.deepcopy(rng.choice(VALUES))
    elif what == "null":
        container[key] = None
    elif what == "remove":
        del container[key]
    elif what == "rename" and isinstance(container, dict):
        rename(container, key, rng.choice(KEYS))
    elif what == "twice" and isinstance(container, dict):
        container[TWICE + key] = copy.deepcopy(rng.choice([v, rng.choice(VALUES)]))
    elif what == "wrap":
        container[key] = rng.choice([[v], {"0": v}, {"_": v}, {"x": v}, [None, v]])
    elif what == "unwrap" and isinstance(v, (dict, list)) and v:
        container[key] = rng.choice(list(v.values()) if isinstance(v, dict) else v)
    elif what == "shape" and isinstance(v, dict):
        container[key] = list(v.values())
    elif what == "shape" and isinstance(v, list):
        container[key] = {str(i): x for i, x in enumerate(v)}
    elif what == "swap":
        c, k = rng.choice(found)
        container[key], c[k] = copy.deepcopy(c[k]), copy.deepcopy(v)
    elif what == "other":
        c, k = rng.choice(places(rng.choice(others), []) or [(container, key)])
        container[key] = copy.deepcopy(c[k])
    elif what == "more" and isinstance(v, list):
        v.append(copy.deepcopy(rng.choice(VALUES + v)))
    elif what == "more" and isinstance(v, dict):
        v[rng.choice(KEYS)] = copy.deepcopy(rng.choice(VALUES + list(v.values())))
    elif what == "scale" and isinstance(v, (int, float)) and not isinstance(v, bool):
        container[key] = rng.choice([v * 1000.0, v / 1000, -v, float(v), v + 0.5, Decimal128(str(v))])
    else:
        container[key] = copy.deepcopy(rng.choice(VALUES))
    return f"{what} {key!r}"


def encode(value):
    """A document or an array as BSON, by hand for the names that are there twice."""
    out = b""
    for k, v in value.items() if isinstance(value, dict) else enumerate(value):
        name = str(k).removeprefix(TWICE).encode() + b"\x00"
        if isinstance(v, (dict, list)):
            out += (b"\x03" if isinstance(v, dict) else b"\x04") + name + encode(v)
        else:
            element = bson.encode({"": v})[4:-1]
            out += element[:1] + name + element[2:]
    return (len(out) + 5).to_bytes(4, "little") + out + b"\x00"


def damage(rng, docs, most):
    """({index: BSON} of the documents that were damaged, what was done). An _id stays what it was, but for some."""
    out, done = {}, []
    for i in rng.sample(range(len(docs)), min(len(docs), rng.randint(1, most))):
        doc = copy.deepcopy(docs[i])
        done += [one(rng, doc, docs) for _ in range(rng.choice([1, 1, 1, 2, 4]))]
        if rng.random() < 0.9 or "_id" not in doc or isinstance(doc["_id"], (list, Regex)):
            doc = {"_id": docs[i]["_id"], **{k: v for k, v in doc.items() if k != "_id"}}
        try:
            out[i] = encode(doc)
        except (OverflowError, ValueError):  # no BSON: a NUL in a name, a number over 64 bits
            done.append("(not written)")
    return out, done

#!/usr/bin/env python3
"""BSON files. Every type comes out as extended JSON, and as the same bytes. Malformed BSON is
refused with its place.

The cases are of the kinds that the corpus of the BSON specification has. Each value lies at the
top, in a document and in an array.
"""
import decimal as decimals
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import mtsql
from cases import check, finish, same
from paths import MTSQL

DECIMAL = lambda low, high: struct.pack("<QQ", low, high)
INT, LONG, DOUBLE = struct.Struct("<i").pack, struct.Struct("<q").pack, struct.Struct("<d").pack
OID = bytes(range(12))
MAX_KEY = 0x7F
NOT_IN_JSON = [b"\x0a7\0", b"\x0c1\0", b"\x0d1\0", b"\x0f1\0"]  # odd names of an array's elements; DBPointers and code in arrays, which are refused


def string(text):
    return INT(len(text) + 1) + text + b"\0"


def binary(subtype, data):
    return INT(len(data)) + bytes([subtype]) + data


def document(*elements):
    """Elements are (type, name, payload)."""
    body = b"".join(bytes([kind]) + name.encode() + b"\0" + payload for kind, name, payload in elements)
    return INT(len(body) + 5) + body + b"\0"


def code_with_scope(code, scope):
    body = string(code) + scope
    return INT(len(body) + 4) + body


def date(ms, text=None):
    return 9, LONG(ms), {"$date": {"$numberLong": str(ms)}}, {"$date": text or {"$numberLong": str(ms)}}


def decimal(low, high, text):
    return 0x13, DECIMAL(low, high), {"$numberDecimal": text}, {"$numberDecimal": text}


def whole(kind, pack, name, n):
    return kind, pack(n), {name: str(n)}, n


def double(x, text=None):
    return 1, DOUBLE(x), {"$numberDouble": text or repr(x)}, x if text is None else {"$numberDouble": text}


def either(kind, payload, value):
    return kind, payload, value, value


def bytes_of(subtype, data, base64, stored=None):
    return either(5, binary(subtype, stored or data), {"$binary": {"base64": base64, "subType": f"{subtype:02x}"}})


# type, payload, canonical and relaxed extended JSON
VALID = [
    double(1.0, None), double(-1.0), double(0.0), double(-0.0), double(1.5), double(1.2345678921232e18), double(5e-324), double(1.7976931348623157e308),
    double(float("nan"), "NaN"), double(float("inf"), "Infinity"), double(float("-inf"), "-Infinity"),
    *(either(2, string(t.encode()), t) for t in ["", "a", "abab", "é", "日本", "😀", "a\0b\0", "\\\"\x01\x1f/", "\n\r\t\b\f"]),
    either(3, document(), {}), either(3, document((0x10, "", INT(1))), {"": {"$numberInt": "1"}}), either(3, document((8, "a.b", b"\1"), (8, "$x", b"\0")), {"a.b": True, "$x": False}),
    either(4, document(), []), either(4, document((10, "0", b""), (8, "1", b"\1")), [None, True]), either(4, document((10, "7", b""), (10, "x", b"")), [None, None]),
    bytes_of(0, b"", ""), bytes_of(0, b"\xff\xff", "//8="), bytes_of(1, b"abc", "YWJj"), bytes_of(2, b"\xff\xff", "//8=", INT(2) + b"\xff\xff"), bytes_of(2, b"", "", INT(0)),
    bytes_of(3, OID + b"abcd", "AAECAwQFBgcICQoLYWJjZA=="), bytes_of(4, OID + b"abcd", "AAECAwQFBgcICQoLYWJjZA=="), bytes_of(5, OID + b"abcd", "AAECAwQFBgcICQoLYWJjZA=="),
    bytes_of(6, b"a", "YQ=="), bytes_of(7, b"\x09\0", "CQA="), bytes_of(8, b"ab", "YWI="), bytes_of(9, b"ab", "YWI="), bytes_of(0x80, b"ab", "YWI="), bytes_of(0xFF, b"ab", "YWI="),
    either(6, b"", {"$undefined": True}), either(7, OID, {"$oid": OID.hex()}), either(7, b"\xff" * 12, {"$oid": "ff" * 12}), either(8, b"\0", False), either(8, b"\1", True),
    date(0, "1970-01-01T00:00:00Z"), date(1356351330501, "2012-12-24T12:15:30.501Z"), date(1356351330500, "2012-12-24T12:15:30.500Z"), date(253402300799999, "9999-12-31T23:59:59.999Z"),
    date(253402300800000), date(-1), date(-284643869501), date(2**63 - 1), date(-2**63), either(10, b"", None),
    *(either(0x0B, p.encode() + b"\0" + o + b"\0", {"$regularExpression": {"pattern": p, "options": o.decode()}}) for p, o in [("", b""), ("a*b", b""), ("a\"\\/é", b"imx"), ("x", b"ims")]),
    either(0x0C, string(b"b") + OID, {"$dbPointer": {"$ref": "b", "$id": {"$oid": OID.hex()}}}), either(0x0C, string("é".encode()) + OID, {"$dbPointer": {"$ref": "é", "$id": {"$oid": OID.hex()}}}),
    *(either(0x0D, string(t.encode()), {"$code": t}) for t in ["", "function () {}", "é日"]), *(either(0x0E, string(t.encode()), {"$symbol": t}) for t in ["", "a", "é日"]),
    either(0x0F, code_with_scope(b"", document()), {"$code": "", "$scope": {}}), either(0x0F, code_with_scope(b"x", document((8, "y", b"\1"))), {"$code": "x", "$scope": {"y": True}}),
    either(0x0F, code_with_scope("é".encode(), document((3, "y", document((10, "z", b""))))), {"$code": "é", "$scope": {"y": {"z": None}}}),
    *(whole(0x10, INT, "$numberInt", n) for n in [0, 1, -1, 2**31 - 1, -2**31]), *(whole(0x12, LONG, "$numberLong", n) for n in [0, 1, -1, 2**63 - 1, -2**63]),
    either(0x11, struct.pack("<II", 42, 123456789), {"$timestamp": {"t": 123456789, "i": 42}}), either(0x11, b"\xff" * 8, {"$timestamp": {"t": 2**32 - 1, "i": 2**32 - 1}}),
    either(0x7F, b"", {"$maxKey": 1}), either(0xFF, b"", {"$minKey": 1}),
    decimal(0, 0x3040 << 48, "0"), decimal(0, 0xB040 << 48, "-0"), decimal(1, 0x3040 << 48, "1"), decimal(100, 0x303E << 48, "10.0"), decimal(0, 0x3046 << 48, "0E+3"), decimal(5, 0x302C << 48, "5E-10"),
    decimal(0, 0x7C00 << 48, "NaN"), decimal(0, 0x7800 << 48, "Infinity"), decimal(0, 0xF800 << 48, "-Infinity"), decimal(1, 0, "1E-6176"), decimal(1234567890123456, 0x3040 << 48, "1234567890123456"),
    decimal(0x378D8E63FFFFFFFF, 0x5FFFED09BEAD87C0, "9.999999999999999999999999999999999E+6144"),
]


def places(kind, payload):
    """Returns the value at the top, in a document and in an array, before and after other values.
    """
    inner = (kind, "v", payload)
    yield document(inner), lambda j: {"v": j}
    yield document((0x10, "a", INT(7)), (3, "d", document(inner, (8, "w", b"\1"))), (8, "z", b"\0")), lambda j: {"a": {"$numberInt": "7"}, "d": {"v": j, "w": True}, "z": False}
    yield document((4, "l", document((10, "0", b""), (kind, "1", payload), (kind, "2", payload)))), lambda j: {"l": [None, j, j]}


def outer(body):
    return INT(len(body) + 5) + body + b"\0"


def element(kind, payload, name=b"v"):
    return bytes([kind]) + name + b"\0" + payload


def changed(payload, at, value):
    return payload[:at] + INT(value) + payload[at + 4:]


def malformed():
    """(what, bytes, SQLSTATE)."""
    samples = {1: DOUBLE(1), 2: string(b"abc"), 3: document((8, "b", b"\1")), 4: document((8, "0", b"\1")), 5: binary(0, b"abc"), 7: OID, 8: b"\1", 9: LONG(1), 0x0B: b"a\0i\0", 0x0C: string(b"b") + OID,
               0x0D: string(b"abc"), 0x0E: string(b"abc"), 0x0F: code_with_scope(b"abc", document((8, "b", b"\1"))), 0x10: INT(1), 0x11: LONG(1), 0x12: LONG(1), 0x13: DECIMAL(1, 0)}
    for kind, payload in samples.items():
        for cut in range(1, len(payload) + 1):
            yield f"type {kind:#x} without its last {cut} bytes", outer(element(kind, payload[:-cut])), "XX001"
        if kind in (2, 3, 4, 5, 0x0C, 0x0D, 0x0E, 0x0F):
            for length in [-1, -2**31, 2**31 - 1, 255, struct.unpack("<i", payload[:4])[0] + 1, struct.unpack("<i", payload[:4])[0] + 2] + ([0] if kind != 5 else []):
                yield f"type {kind:#x} of length {length}", outer(element(kind, changed(payload, 0, length))), "XX001"
    for kind in (2, 0x0D, 0x0E):
        yield f"type {kind:#x} without its zero", outer(element(kind, INT(4) + b"abc\xff")), "XX001"
        yield f"type {kind:#x} with a zero more", outer(element(kind, string(b"") + b"\0")), "XX001"
    for length in (0, -1, 3, 5, 255):
        yield f"code of length {length} before a scope", outer(element(0x0F, changed(samples[0x0F], 4, length))), "XX001"
    for n in (1, 3, -1, 255):
        yield f"old binary of length {n}", outer(element(5, binary(2, INT(n) + b"\xff\xff"))), "XX001"
    yield "old binary without a length", outer(element(5, binary(2, b"ab"))), "XX001"
    yield "a boolean of 2", outer(element(8, b"\2")), "XX001"
    for kind in (0x14, 0x20, 0x7E, 0x80, 0xFE):
        yield f"type {kind:#x}", outer(element(kind, b"")), "XX001"
    yield "a name with a zero", outer(element(0x10, INT(1), b"v\0w")), "XX001"
    yield "a name without its zero", outer(b"\x0avvv"), "XX001"
    yield "bytes behind the last element", outer(element(10, b"") + b"\0\0"), "XX001"
    for n in (0, 1, 4, -1, 2**31 - 1):
        yield f"a document of length {n}", INT(n) + b"\0" * 6, "XX001"
    for end in (b"\1", b"\xff", b"p"):
        yield f"a document that ends in {end}", INT(5) + end, "XX001"
    yield "a document longer than its file", changed(document((2, "v", string(b"abc"))), 0, 100), "XX001"
    yield "bytes behind the document", document((2, "v", string(b"abc"))) + b"\xde\xad\xbe\xef", "XX001"
    yield "a document cut short", document((2, "v", string(b"abc")))[:-3], "XX001"
    deep = (10, "v", b"")
    for _ in range(300):
        deep = (3, "v", document(deep))
    yield "nesting", document(deep), "XX001"
    for text in (b"\xe9", b"a\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"):
        for kind, payload in ((2, string(text)), (0x0D, string(text)), (0x0E, string(text)), (0x0C, string(text) + OID), (0x0F, code_with_scope(text, document())), (0x0B, text + b"\0\0"),
                              (0x0F, code_with_scope(b"", document((2, "s", string(text))))), (3, document((2, "s", string(text))))):
            yield f"type {kind:#x} of {text}", outer(element(kind, payload)), "22021"
        yield f"a name of {text}", outer(element(10, b"", text)), "22021"


def command(*args):
    p = subprocess.run([MTSQL, "-X", "-r", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300)
    return p.returncode, p.stdout.decode("utf-8", "replace")


def relaxed(j):
    """Returns the relaxed form of a document, as SQL shows it. Decimals are numbers in it, too."""
    if isinstance(j, list):
        return [relaxed(v) for v in j]
    if isinstance(j, dict):
        number = j.get("$numberInt") or j.get("$numberDecimal", "N")
        return {k: relaxed(v) for k, v in j.items()} if "N" in number or "I" in number else decimals.Decimal(number)
    return j if isinstance(j, (bool, str, type(None))) else decimals.Decimal(repr(j))


def as_numbers(j):
    """Returns text for comparing. The order of fields counts in it. The number of digits of a
    double does not.
    """
    return json.dumps(j) if not isinstance(j, (dict, list)) else "[" + ",".join(map(as_numbers, j)) + "]" if isinstance(j, list) else \
        str(float(j["$numberDouble"])) if "$numberDouble" in j else "{" + ",".join(f"{json.dumps(k)}:{as_numbers(v)}" for k, v in j.items()) + "}"


def dumped(folder, target):
    rc, out = command("--dump", f"{folder}/out", target)
    name = os.path.basename(target).split(".")[0]
    found = [os.path.join(d, f) for d, _, files in os.walk(f"{folder}/out") for f in files if f == f"{name}.bson"]
    return open(found[0], "rb").read() if rc == 0 and found else out


def valid(folder):
    cases = [(data, around(j)) for kind, payload, j, _ in VALID for data, around in places(kind, payload)]
    everything = b"".join(data for data, _ in cases)
    with open(f"{folder}/valid.bson", "wb") as f:
        f.write(everything)
    rc, out = command("--aggregate", "valid", "[]", f"{folder}/valid.bson")
    lines = out.split("\n")[:-1]
    same("documents", (0, len(cases)), (rc, len(lines)))
    for (data, canonical), line in zip(cases, lines):
        same(f"canonical form of {data.hex()}", as_numbers(canonical), as_numbers(json.loads(line)))
    same("the bytes of a dump", everything, dumped(folder, f"{folder}/valid.bson"))
    from_json = [(data, canonical) for data, canonical in cases if not any(odd in data for odd in NOT_IN_JSON)]
    with open(f"{folder}/json.jsonl", "w", encoding="utf-8") as f:
        f.writelines(json.dumps(canonical) + "\n" for _, canonical in from_json)
    same("the bytes of canonical JSON", b"".join(c[0] for c in from_json), dumped(folder, f"{folder}/json.jsonl"))
    for text, what in [('{"a": {"$code": "x\\u0000y"}}', "code with a null character"), ('{"a": [{"$dbPointer": {"$ref": "b", "$id": {"$oid": "%s"}}}]}' % OID.hex(), "code or a DBPointer beside an array"),
                       ('{"a": [{"$code": "x", "$scope": {}}]}', "code or a DBPointer beside an array")]:
        with open(f"{folder}/odd.jsonl", "w", encoding="utf-8") as f:
            f.write(text)
        rc, out = command("--aggregate", "odd", "[]", f"{folder}/odd.jsonl")
        check(f"{what} is refused", rc == 3 and f"line 1: {what} is not supported" in out, out)
    show_relaxed(folder)


def show_relaxed(folder):
    """A document's field in SQL is its relaxed form."""
    with open(f"{folder}/relaxed.bson", "wb") as f:
        f.writelines(document((3, "d", document((kind, "v", payload)))) for kind, payload, _, _ in VALID)
    rc, out = command("-A", "-t", "-c", "SELECT d FROM relaxed", f"{folder}/relaxed.bson")
    lines = out.split("\n")[:-1]
    same("relaxed documents", (0, len(VALID)), (rc, len(lines)))
    for (kind, payload, _, r), line in zip(VALID, lines):
        if kind == MAX_KEY:
            continue  # it stands for JSON's null
        same(f"relaxed form of type {kind:#x} {payload.hex()}", {"v": relaxed(r)}, json.loads(line, parse_int=decimals.Decimal, parse_float=decimals.Decimal))


def invalid(folder):
    cases = list(malformed())
    os.makedirs(f"{folder}/bad")
    for i, (_, data, _) in enumerate(cases):
        with open(f"{folder}/bad/c{i}.bson", "wb") as f:
            f.write(data)
    answers = mtsql.run(["\\set VERBOSITY verbose"] + [f"SELECT * FROM c{i}" for i in range(len(cases))], f"{folder}/bad", args=["-r"])[1:]
    for (what, _, state), answer in zip(cases, answers):
        error = answer.error or "no error"
        check(f"{what} is refused with {state} and its place", state in error and "offset" in error, error)


def main():
    with tempfile.TemporaryDirectory(prefix="bson-") as folder:
        valid(folder)
        invalid(folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

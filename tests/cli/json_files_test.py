#!/usr/bin/env python3
"""JSON and BSON files as tables. The types come from a sample of the whole file, in each form that
tools write. A document that does not fit gives an error. Its hint names a remedy.
"""
import datetime
import gzip
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import cases
import bson
import command
from bson import json_util
from cases import check, same
from paths import MTSQL

COUNT = 50000
PAD = "x" * 150


def mtsql(folder, sql):
    p = subprocess.run([MTSQL, "-X", "-q", "-At"], input=sql, capture_output=True, text=True, timeout=command.HANG_S, cwd=folder, env=command.environment())
    return p.returncode, p.stdout, p.stderr


def document(i, odd):
    return {"i": i, "v": odd if odd is not None else i % 100, "s": PAD, "in": {"x": i, "list": [{"a": 1}, {"a": 2}]}}


FORMS = {
    "lines": ("", "\n", "\n", json.dumps),
    "windows": ("", "\r\n", "\r\n", json.dumps),
    "array of lines": ("[", ",\n", "]\n", json.dumps),
    "commas first": ("[\n ", "\n, ", "\n]\n", json.dumps),
    "indented array": ("[\n  ", ",\n  ", "\n]\n", lambda d: json.dumps(d, indent=2).replace("\n", "\n  ")),
    "indented": ("", "\n", "\n", lambda d: json.dumps(d, indent=4)),
    "array in one line": ("[", ",", "]", json.dumps),
    "one line": ("", " ", "", json.dumps),
    "lines like documents": ("[\n", ",\n", "]\n", lambda d: json.dumps({**d, "list": [{}]}).replace("[{}", "[\n{}")),
    "bson": (b"", b"", b"", bson.encode),
}


def text(form, odd, count=COUNT):
    """Returns a file's text. odd: maps a document's number to a value other than the usual number.
    """
    first, between, last, dump = FORMS[form]
    return first + between.join(dump(document(i, odd(i))) for i in range(count)) + last


def put(path, data):
    data = data if isinstance(data, bytes) else data.encode()
    with (gzip.open(path, "wb", compresslevel=1) if path.endswith(".gz") else open(path, "wb")) as f:
        f.write(data)


def name_of(form):
    return f"{form}.bson" if form == "bson" else f"{form}.json"


QUERY = "SELECT pg_typeof (max (v)), count(*), sum (i) FROM {};\n"
SUM = COUNT * (COUNT - 1) // 2


def test_forms(folder):
    for form in FORMS:
        path = f"{folder}/{name_of(form)}"
        put(path, text(form, lambda i: 0.5 if i == COUNT - 1 else None))
        same(f"{form}, the last document", mtsql(folder, QUERY.format(f"'{path}'"))[1], f"double precision|{COUNT}|{SUM}\n")
        put(path, text(form, lambda i: 0.5 if COUNT // 2 <= i < COUNT // 2 + COUNT // 20 else None))
        same(f"{form}, a twentieth in the middle", mtsql(folder, QUERY.format(f"'{path}'"))[1], f"double precision|{COUNT}|{SUM}\n")


def test_compressed(folder):
    put(f"{folder}/t.jsonl.gz", text("lines", lambda i: 0.5 if i == COUNT - 1 else None))
    same("the last document of a compressed file", mtsql(folder, QUERY.format("'t.jsonl.gz'"))[1], f"double precision|{COUNT}|{SUM}\n")


def test_compressed_and_passed_over(folder):
    for form in "array in one line", "bson":
        put(f"{folder}/{name_of(form)}.gz", text(form, lambda i: 0.5 if i == COUNT - 1 else None))
        same(f"the last document, {form}", mtsql(folder, QUERY.format(f"'{name_of(form)}.gz'"))[1], f"double precision|{COUNT}|{SUM}\n")


def test_wider_and_wider(folder):
    """The values are whole numbers first, then fractions, and at the end words. A field appears at the end."""
    def wide(i):
        return 0.5 if i == COUNT - 30 else "word" if i == COUNT - 9 else i % 100

    for form in "array in one line", "bson":
        first, between, last, dump = FORMS[form]
        rows = [{"i": i, "v": wide(i), "s": PAD, **({"late": 7} if i == COUNT - 5 else {}), **({"later": True} if COUNT * 2 // 3 <= i < COUNT * 2 // 3 + 40 else {})} for i in range(COUNT)]
        put(f"{folder}/{name_of(form)}", first + between.join(map(dump, rows)) + last)
        out = mtsql(folder, f"SELECT min (v::text), max (v::text), count(*), sum (late), pg_typeof (sum (late)), count (later) FROM '{name_of(form)}';\n")
        same(form, out, (0, f"\"word\"|99|{COUNT}|7|numeric|40\n", ""))


def test_large_and_small_documents(folder):
    """Large documents do not use up the sample. The last document is in it whatever its size."""
    for form in "array in one line", "bson":
        first, between, last, dump = FORMS[form]
        docs = [dump({"v": 1, "s": "x" * (1000000 if i % 500 == 0 else 20)}) for i in range(COUNT)] + [dump({"v": 0.5, "s": "x" * 3000000})]
        put(f"{folder}/{name_of(form)}", first + between.join(docs) + last)
        same(form, mtsql(folder, f"SELECT pg_typeof (max (v)), count(*) FROM '{name_of(form)}';\n"), (0, f"double precision|{COUNT + 1}\n", ""))


def test_torn(folder):
    """A file ends within a document. The sample ends there, and the query gives the error."""
    for form, fault in ("array in one line", "line 1: the file ends within"), ("bson", "the file ends within a document"):
        whole = text(form, lambda i: 0.5 if i >= COUNT - 20 else None)
        for cut in 1, 40, 300:
            name = f"torn{cut} {name_of(form)}"
            put(f"{folder}/{name}", whole[:-cut])
            rc, out, err = mtsql(folder, QUERY.format(f"'{name}'"))
            check(f"{form}, {cut} bytes less", rc != 0 and not out and err.count("ERROR") == 1 and fault in err and name in err, out + err)
            same(f"{form}, LIMIT stops before it", mtsql(folder, f"SELECT v, pg_typeof (v) FROM '{name}' LIMIT 1"), (0, "0|double precision\n", ""))
    data = bytearray(text("bson", lambda i: None))
    at = len(data) // COUNT * (COUNT - 100)
    at = data.index(b"\x10i\x00", at) - 4
    data[at:at + 4] = b"\x03\0\0\0"
    put(f"{folder}/length.bson", bytes(data))
    rc, out, err = mtsql(folder, QUERY.format("'length.bson'"))
    check("a length that is none", rc != 0 and not out and f"offset {at}: not a document's length" in err, out + err)


def test_short_documents(folder):
    """A file is read completely for the sample, and has more documents than a sample."""
    put(f"{folder}/t.jsonl", '{"v":1}\n' * 500000 + '{"v":1.5}\n' * 1 + '{"v":2}\n' * 20)
    same("one near the end", mtsql(folder, "SELECT pg_typeof (max (v)), count(*) FROM 't.jsonl'")[1], "double precision|500021\n")
    short = ['{"v":1}'] * 300000 + ['{"v":1.5}'] + ['{"v":2}'] * 20
    put(f"{folder}/one.json", "[" + ",".join(short) + "]")
    same("an array in one line", mtsql(folder, "SELECT pg_typeof (max (v)), count(*) FROM 'one.json'")[1], "double precision|300021\n")
    put(f"{folder}/short.bson", b"".join(map(bson.encode, map(json.loads, short))))
    same("BSON", mtsql(folder, "SELECT pg_typeof (max (v)), count(*) FROM 'short.bson'")[1], "double precision|300021\n")


def test_each_document_once(folder):
    """A file is read completely for the sample, and has few documents more than the beginning. The
    sample has each document once.
    """
    for form in FORMS:
        put(f"{folder}/{name_of(form)}", text(form, lambda i: None, 15000))
        out = mtsql(folder, f"\\infer '{name_of(form)}'\n")[1]
        same(form, out.partition(" of ")[0], "-- From 15000 documents")


def test_many_files(folder):
    for i in range(64):
        put(f"{folder}/{i:03}.jsonl", '{"v":1}\n' * 3000 + ('{"v":1.5}\n' if i >= 32 else ""))
        put(f"{folder}/{i:03}.bson", bson.encode({"v": 1}) * 3000 + (bson.encode({"v": 1.5}) if i == 50 else b""))
        put(f"{folder}/{i:03}.bson.gz", bson.encode({"v": 1}) * 3000 + (bson.encode({"v": 1.5}) if i == 50 else b""))
    same("files behind those of the sample's beginning", mtsql(folder, "SELECT pg_typeof (max (v)), count(*) FROM '*.jsonl'")[1], f"double precision|{64 * 3000 + 32}\n")
    for pattern in "*.bson", "*.bson.gz":
        same(f"{pattern}: the last document of one", mtsql(folder, f"SELECT pg_typeof (max (v)), count(*) FROM '{pattern}'")[1], f"double precision|{64 * 3000 + 1}\n")


def test_misfits(folder):
    for name, at in (("middle", COUNT // 2 + 77), ("end", COUNT - 1)):
        for odd, shown in (("word", "string"), ({"y": 1}, "object"), (True, "bool")):
            # in the middle the sample doesn't see the single document
            put(f"{folder}/it's {name}.jsonl", text("lines", lambda i: odd if i == at else None))
            rc, out, err = mtsql(folder, QUERY.replace("max (v)", "min (v::text)").format(f"'it''s {name}.jsonl'"))
            if name == "end":
                check(f"{shown} at the end", rc == 0 and out == f"text|{COUNT}|{SUM}\n", out + err)
                continue
            where = f"it's {name}.jsonl, document {at + 1}"
            check(f"{shown} in the {name}", rc != 0 and not out and where in err and 'column "v" is of type bigint but the field is' in err, out + err)
            hint = re.search(r"HINT: .*: (read_json .*)\.\n", err)
            rc, out, err = mtsql(folder, QUERY.replace("max (v)", "min (v::text)").format(hint.group(1) if hint else "nothing"))
            check("the hint mends it", rc == 0 and out == f"text|{COUNT}|{SUM}\n", out + err)


def test_sample_size(folder):
    put(f"{folder}/t.jsonl", text("lines", lambda i: 0.5 if i >= 1000 else None))
    check("the first documents only", "sample_size => -1" in mtsql(folder, "SELECT sum (v) FROM read_json ('t.jsonl', sample_size => 1000)")[2])
    same("one more", mtsql(folder, "SELECT pg_typeof (sum (v)) FROM read_json ('t.jsonl', sample_size => 1001)")[1], "double precision\n")


def test_faults_in_the_middle(folder):
    """The sample does not stop at a fault. The query does, and names the line."""
    data = text("lines", lambda i: None).split("\n")
    data[COUNT // 2] = '{"i": 1, "v": '
    put(f"{folder}/t.jsonl", "\n".join(data))
    rc, out, err = mtsql(folder, QUERY.format("'t.jsonl'"))
    check("a fault in the middle", rc != 0 and not out and f"line {COUNT // 2 + 1}" in err, err)
    same("LIMIT stops before it", mtsql(folder, "SELECT v FROM 't.jsonl' LIMIT 1")[1], "0\n")


def test_infer(folder):
    """The statements that \\infer prints run, and make a table with the rows of the file."""
    minute = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
    rows = [{"at": minute + datetime.timedelta(minutes=i), "host": f"it's {i % 3}", "v": i + 0.5, "n": i, "list": [1, 2]} for i in range(200)]
    iso = [{**r, "at": r["at"].strftime("%Y-%m-%dT%H:%M:%SZ")} for r in rows]
    lines = "\n".join(json.dumps(r) for r in iso) + "\n"
    put(f"{folder}/plain.ndjson", lines)
    put(f"{folder}/it's a file.jsonl.gz", lines)
    put(f"{folder}/array.json", json.dumps(iso, indent=1))
    put(f"{folder}/seconds.jsonl", "\n".join(json.dumps({**r, "at": int(r["at"].timestamp())}) for r in rows))
    put(f"{folder}/millis.json", json.dumps([{**r, "at": int(r["at"].timestamp()) * 1000} for r in rows]))
    put(f"{folder}/nested.jsonl", "\n".join(json.dumps({**r, "in": {"a.b": 1, "c": {"d": 2}}, "mixed": r["n"] if r["n"] % 2 else "x", "": 1}) for r in iso))
    with_id = [{"_id": bson.ObjectId(), **r} for r in rows]
    put(f"{folder}/export.json", "".join(json_util.dumps(d) + "\n" for d in with_id))
    dump = b"".join(bson.encode(d) for d in with_id)
    with open(f"{folder}/dump.bson", "wb") as f, gzip.open(f"{folder}/dumped.bson.gz", "wb") as g:
        f.write(dump)
        g.write(dump)
    os.mkdir(f"{folder}/logs")
    for i in range(4):
        put(f"{folder}/logs/{i}.jsonl.gz", "".join(json.dumps(r) + "\n" for r in iso[i * 50:i * 50 + 50]))
    wanted = (0, "200|19900|2024-01-01 03:19:00+00|3\n", "")
    sums = "SELECT count(*), sum(n), max(at), count(DISTINCT host) FROM {};\n"
    how = {"plain.ndjson": "COPY", "it's a file.jsonl.gz": "COPY", "seconds.jsonl": "COPY", "logs/*.jsonl.gz": "INSERT", "logs/*": "INSERT"}
    for name in [*(n for n in os.listdir(folder) if n != "logs"), "logs/*.jsonl.gz", "logs/*"]:
        rc, text, err = mtsql(folder, "\\infer '" + name.replace("'", "''") + "'\n")
        check(f"\\infer {name}", rc == 0 and not err and "at timestamp with time zone TIME NOT NULL" in text and "n bigint MEASURE" in text, text + err)
        check(f"{name}: COPY or INSERT", f"\n{how.get(name, 'INSERT')} " in text, text)
        table = re.search(r"CREATE TABLE (.*) \(", text).group(1)
        same(f"{name}: the statements run", mtsql(folder, text + sums.format(table)), wanted)
        step = re.search(r"-- Or in one step: (.*)", text)
        if step:
            same(f"{name}: the one step runs", mtsql(folder, step.group(1) + sums.format(table)), wanted)
    put(f"{folder}/gaps.jsonl", "\n".join(json.dumps({"at": None if i % 9 == 3 else 1704067200 + i, "n": i}) for i in range(200)))
    text = mtsql(folder, "\\infer gaps.jsonl\n")[1]
    same("a time that is null at times", mtsql(folder, text + "SELECT count(*), count(at) FROM gaps;\n"), (0, "200|178\n", ""))
    put(f"{folder}/packed.json", json.dumps({"day": "2024-01-01", "host": "a", "values": [{"m": i, "v": i} for i in range(60)]}) * 3)
    check("packed documents", "look packed" in mtsql(folder, "\\infer packed.json\n")[1])
    for name, data in ("empty.json", ""), ("list.json", "[]"), ("torn.json", '{"a": '), ("empty.bson", ""):
        put(f"{folder}/{name}", data)
        rc, out, err = mtsql(folder, f"\\infer {name}\n")
        check(f"\\infer {name}", ("CREATE TABLE" in out) if rc == 0 else (err.count("rror:") + err.count("ERROR") == 1), out + err)


sys.exit(cases.run(globals(), *sys.argv[1:]))

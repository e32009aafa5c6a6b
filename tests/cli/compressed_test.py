#!/usr/bin/env python3
"""Compressed files are read wherever files are read. They are written if the name ends so. A file
that is cut short, damaged or of another kind gives an error with its name.
"""
import gzip
import os
import resource
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import cases
import command
from cases import check, same
from paths import MTSQL

TABLE = "CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE) USING rows;\n"
ROWS = "".join(f"2024-01-01 00:{i // 60 % 60:02}:{i % 60:02}.{i // 3600:03}+00,h{i % 7},{i}.5\n" for i in range(20000))
FEED = os.path.dirname(__file__) + "/../fuzz/arcanum_fuzz/feed.xml"


def put(path, text, members=1):
    """Writes a file compressed by gzip's own code, in this number of members."""
    data = text if isinstance(text, bytes) else text.encode()
    at = [len(data) * i // members for i in range(members + 1)]
    with open(path, "wb") as f:
        for i in range(members):
            f.write(gzip.compress(data[at[i]:at[i + 1]]))


def mtsql(target, sql, stdin=None):
    p = subprocess.run([MTSQL, "-X", "-q", "-At", *([] if stdin is None else ["-c", sql]), target], input=sql.encode() if stdin is None else stdin, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=command.HANG_S, env=command.environment())
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def rows_of(folder, name, how):
    """Returns the rows that COPY loads from the file into a new store."""
    target = os.path.join(folder, "store-" + name.replace("/", "-"))
    rc, _, err = mtsql(target, TABLE + how + ";")
    return mtsql(target, "SELECT count(*), sum(v), max(ts) FROM t;")[1].strip() if rc == 0 else err


def test_copy_from(folder):
    plain = os.path.join(folder, "t.csv")
    with open(plain, "w") as f:
        f.write(ROWS)
    wanted = rows_of(folder, "plain", f"COPY t FROM '{plain}'")
    check("rows", wanted.startswith("20000|"), wanted)
    put(plain + ".gz", ROWS)
    same("csv.gz", rows_of(folder, "gz", f"COPY t FROM '{plain}.gz'"), wanted)
    same("\\copy", rows_of(folder, "copy", f"\\copy t from '{plain}.gz' with (format csv)\nSELECT 1 WHERE false"), wanted)
    put(folder + "/two.csv.gz", ROWS, 5)
    same("members", rows_of(folder, "two", f"COPY t FROM '{folder}/two.csv.gz'"), wanted)
    shutil.copy(plain + ".gz", folder + "/no_ending")
    same("by its bytes", rows_of(folder, "bytes", f"COPY t FROM '{folder}/no_ending' (FORMAT csv)"), wanted)
    target = os.path.join(folder, "stdin")
    mtsql(target, TABLE)
    with open(plain + ".gz", "rb") as f:
        rc, _, err = mtsql(target, "COPY t FROM STDIN (FORMAT csv)", f.read())
    same("standard input", mtsql(target, "SELECT count(*), sum(v), max(ts) FROM t;")[1].strip() or err, wanted)


def test_copy_to(folder):
    target = os.path.join(folder, "s")
    data = folder + "/t.csv"
    with open(data, "w") as f:
        f.write(ROWS)
    mtsql(target, TABLE + f"COPY t FROM '{data}';")
    for ending in "csv", "jsonl", "txt":
        rc, _, err = mtsql(target, "".join(f"COPY (SELECT * FROM t ORDER BY ts) TO '{folder}/out.{ending}{c}';\n" for c in ("", ".gz", ".zst")))
        check(f"COPY TO {ending}", rc == 0, err)
        with open(f"{folder}/out.{ending}", "rb") as f, gzip.open(f"{folder}/out.{ending}.gz") as g:
            check(f"{ending}.gz", f.read() == g.read())
        with open(f"{folder}/out.{ending}.zst", "rb") as f:
            check(f"{ending}.zst is one", f.read(4) == b"\x28\xb5\x2f\xfd")
        for c in ".gz", ".zst":
            same(f"{ending}{c} again", rows_of(folder, "again" + ending + c, f"COPY t FROM '{folder}/out.{ending}{c}'").split("|")[0], "20000")
    if shutil.which("zstd"):
        check("zstd reads it", subprocess.run(["zstd", "-t", "-q", f"{folder}/out.csv.zst"]).returncode == 0)


def test_xml(folder):
    with open(FEED, "rb") as f:
        feed = f.read()
    put(folder + "/feed.xml.gz", feed)
    table, rows = "CREATE TABLE f (seq int, type text, created timestamptz);\n", "SELECT * FROM f ORDER BY seq;"
    plain = mtsql(folder + "/a", table + f"COPY f FROM '{FEED}' (FORMAT arcanum, ON_ERROR ignore);" + rows)
    packed = mtsql(folder + "/b", table + f"COPY f FROM '{folder}/feed.xml.gz' (FORMAT arcanum, ON_ERROR ignore);" + rows)
    check("XML's rows", plain[0] == 0 and plain[1], plain[2])
    same("the same of XML", packed, plain)


def test_targets(folder):
    store, dump = folder + "/s", folder + "/dump"
    with open(folder + "/t.csv", "w") as f:
        f.write(ROWS)
    mtsql(store, TABLE + f"COPY t FROM '{folder}/t.csv';")
    p = command.shell("--dump", dump, store)
    check("dump", p.returncode == 0, p.stderr)
    wanted = mtsql(dump, "SELECT count(*), sum(v) FROM t;")[1]
    check("dump's rows", wanted.startswith("20000|"), wanted)
    names = mtsql(dump, "\\d")[1]
    p = command.shell("--dump", folder + "/gz", "--gzip", store)
    check("dump --gzip", p.returncode == 0 and os.path.exists(folder + "/gz/s/t.bson.gz") and os.path.exists(folder + "/gz/s/t.metadata.json.gz"), p.stderr)
    with gzip.open(folder + "/gz/s/t.bson.gz") as g, open(folder + "/dump/s/t.bson", "rb") as f:
        check("its bytes", g.read() == f.read())
    same("dump --gzip again", mtsql(folder + "/gz", "SELECT count(*), sum(v) FROM t;")[1], wanted)
    zipped = folder + "/zipped"
    for path, _, files in os.walk(dump):
        to = os.path.join(zipped, os.path.relpath(path, dump))
        os.makedirs(to)
        for name in files:
            with open(os.path.join(path, name), "rb") as f:
                put(os.path.join(to, name + ".gz"), f.read(), 3)
    put(zipped + "/prelude.json.gz", "{}")
    same("mongodump --gzip", mtsql(zipped, "SELECT count(*), sum(v) FROM t;")[1], wanted)
    same("its collections", mtsql(zipped, "\\d")[1], names)
    mixed = folder + "/mixed"
    os.mkdir(mixed)
    put(mixed + "/a.jsonl.gz", '{"_id": 1, "x": 1}\n{"_id": 2, "x": 2}\n')
    put(mixed + "/b.json.gz", '[{"_id": 1, "x": 10}]')
    put(mixed + "/c.ndjson.gz", '{"_id": 1, "x": 100}\n')
    with open(mixed + "/d.json", "w") as f:
        f.write('{"_id": 1, "x": 1000}')
    command.shell("-q", store, text=f"COPY (SELECT 5 AS x) TO '{mixed}/e.jsonl.zst';")
    same("mixed", mtsql(mixed, "SELECT sum(x) FROM (SELECT x FROM a UNION ALL SELECT x FROM b UNION ALL SELECT x FROM c UNION ALL SELECT x FROM d UNION ALL SELECT x FROM e) q;")[1], "1118\n")
    same("one file", mtsql(mixed + "/a.jsonl.gz", "SELECT sum(x) FROM a;")[1], "3\n")
    same("one file of BSON", mtsql(f"{zipped}/s/t.bson.gz", "SELECT count(*) FROM t;")[1], "20000\n")
    put(mixed + "/a.json", "{}")
    rc, _, err = mtsql(mixed, "SELECT 1;")
    check("two of one name", rc and 'a.json" and "' in err and 'would both be collection "a"' in err, err)


def test_damage(folder):
    put(folder + "/t.csv.gz", ROWS)
    put(folder + "/t.jsonl.gz", '{"a": 1}\n' * 1000)
    with open(folder + "/t.csv.gz", "rb") as f:
        whole = f.read()
    for n in 5, 20, len(whole) // 2, len(whole) - 9, len(whole) - 1:
        with open(folder + "/cut.csv.gz", "wb") as f:
            f.write(whole[:n])
        err = rows_of(folder, f"cut{n}", f"\\set VERBOSITY verbose\nCOPY t FROM '{folder}/cut.csv.gz'")
        check(f"cut at {n}", f'22P04: could not decompress file "{folder}/cut.csv.gz": it ends within the compressed data' in err, err)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0x10
    with open(folder + "/bad.csv.gz", "wb") as f:
        f.write(flipped)
    err = rows_of(folder, "bad", f"COPY t FROM '{folder}/bad.csv.gz'")
    check("damaged", "bad.csv.gz" in err or "COPY t, line" in err, err)
    with open(folder + "/t.jsonl.gz", "rb") as f:
        some = f.read()
    with open(folder + "/u.jsonl.gz", "wb") as f:
        f.write(some[:-4])
    rc, _, err = mtsql(folder + "/u.jsonl.gz", "\\set VERBOSITY verbose\nSELECT count(*) FROM u;")
    check("a target that is cut", rc == 3 and "XX001: could not decompress file" in err and "u.jsonl.gz" in err, err)
    with open(folder + "/v.bson.gz", "wb") as f:
        f.write(some + b"more")
    rc, _, err = mtsql(folder + "/v.bson.gz", "SELECT count(*) FROM v;")
    check("something behind", rc == 3 and "something else follows the compressed data" in err, err)
    with open(folder + "/lie.csv.gz", "w") as f:
        f.write(ROWS)
    err = rows_of(folder, "lie", f"COPY t FROM '{folder}/lie.csv.gz'")
    check("an ending that lies", "is not compressed with gzip" in err and "HINT:  Rename it without .gz" in err, err)
    shutil.copy(folder + "/t.csv.gz", folder + "/lie.csv.zst")
    err = rows_of(folder, "lie2", f"COPY t FROM '{folder}/lie.csv.zst'")
    check("another compression", "is not compressed with zstd" in err and "rename it to end in .gz" in err, err)
    shutil.copy(folder + "/t.jsonl.gz", folder + "/w.bson")
    rc, _, err = mtsql(folder + "/w.bson", "SELECT 1 FROM w;")
    check("BSON without the ending", rc == 3 and "HINT:  The file is compressed: rename it to end in .bson.gz." in err, err)


def test_memory(folder):
    """Reading a file of 300 MB that is compressed to 1 MB takes a small part of its size as memory.
    """
    if "/asan/" in MTSQL:
        raise cases.Skip("AddressSanitizer takes memory of its own")
    with gzip.open(folder + "/long.csv.gz", "wt", compresslevel=1) as f:
        for i in range(300):
            f.write(f"2024-01-01 00:00:00+00,{'x' * 1000},1\n" * 1000)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    err = rows_of(folder, "long", f"COPY t FROM '{folder}/long.csv.gz' WHERE v > 1")
    same("no row", err.split("|")[0], "0")
    check("memory", max(before, 150000) >= resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


sys.exit(cases.run(globals()))

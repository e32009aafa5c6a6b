#!/usr/bin/env python3
"""Documents of every shape, damaged as other software might have written them, are read in place at every cut, checked, repaired, merged, changed, and copied into another layout:
no crash, no internal error, and the rows and the count of malformed documents are those of the reference decoder.

    damaged_test.py [--cases N] [--seed N] [--only CASE] [--keep FOLDER]
"""
import datetime
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import Decimal

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, d) for d in ("reference", "lib", "servers")]
import bson
import decoder
import mtsql
import randoms
from damage import damage, encode
from model import make_model, value_list
from paths import STORE_TORTURE
from property_test import candidates, decoder_table, load
from published import SHAPES
from queries import Query, make_query

STATS = Counter()
FATAL = re.compile(r"runtime error|AddressSanitizer|LeakSanitizer|XX000|assert|exit -|out of memory", re.I)
NOTICE = re.compile(r"(mtsql:\S*:\d+: )?(WARNING|NOTICE|HINT|DETAIL|LOCATION):")


class Failure(Exception):
    pass


def run(statements, store):
    """Answers, of which none may be a crash or an internal error."""
    got = mtsql.run(["\\set VERBOSITY verbose"] + statements, store, timeout=120)
    for s, a in zip(statements, got[1:]):
        text = a.error if a.error is not None else "\n".join(",".join(map(str, r)) for r in a.rows)
        if FATAL.search(text):
            raise Failure(f"{s[:300]}\n   {text[-3000:]}")
        STATS["refused" if a.error is not None else "answered"] += 1
        for code in re.findall(r"(?:ERROR|FATAL):  ([0-9A-Z]{5})", a.error or ""):
            STATS[code] += 1
    return got[1:]


def put(store, collection, documents):
    p = subprocess.run([STORE_TORTURE, "put", store, collection], input=b"".join(documents), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    if p.returncode:
        raise Failure(f"put: {p.stdout.decode('utf-8', 'replace')}")


PRESETS = ["rows", "per_day", "nested WITH (cluster_by = 'd0', levels = 'ts, d1', presum = 'ts')", "nested WITH (levels = 'd1, ts, d0', presum = 'd1')", "minute", "latest", "daily_metrics", "mms",
           "per_day WITH (time_encoding = 'date', bucket = '1 hour')", "nested WITH (levels = 'ts', presums = 'verify')", "timeseries", "daily_metrics WITH (partition_by = 'month')", "rows WITH (partition_by = 'day')"]


def make_case(rng, folder):
    """(model, declarations, documents by collection): random rows in a random layout or a preset, as mtsql writes them, or documents of counters."""
    kind = rng.choice(["model", "model", "preset", "preset", "published"])
    if kind == "published":
        m, declare, docs = rng.choice(SHAPES)(rng)
        for of_one in docs.values():
            for i, d in enumerate(of_one):
                d.setdefault("_id", i)
        return m, declare, docs
    m = make_model(rng)
    m.rows = m.rows[:rng.choice([5, 20, 60])]
    statements = load(rng, m, folder, None)
    declare = statements[:2]
    if kind == "preset":
        for c in m.dims:
            c.not_null = True
        declare = [re.sub(r"USING x$", f"USING {rng.choice(PRESETS)}", m.create_table())]
    store = os.path.join(folder, "whole")
    if any(a.error is not None for a in run(declare + statements[2:], store)):
        STATS["not made"] += 1
        return m, declare, {}
    return m, declare, documents(store, folder)


KINDS = {"timestamptz": "ts", "text": "text", "double precision": "float", "numeric": "num", "bigint": "int", "integer": "int"}


def expected(m, store, docs):
    """The rows of the documents that the reference decoder can read, and how many it can't."""
    rows, malformed = [], 0
    for d in docs:
        try:
            of_one = decoder.records(decoder_table(m), store, [d])
            if any(r[c.name] is None for r in of_one for c in m.columns if c.not_null):
                raise decoder.Malformed("NULL")
            rows += of_one
        except (decoder.Malformed, ValueError, KeyError, TypeError, OverflowError, ArithmeticError, AttributeError):
            malformed += 1
    return rows, malformed


def comparable(row, m):
    """A row of text or of values, as either can be compared."""
    out = []
    for c, v in zip(m.columns, row):
        if v is None or c.type == "text":
            out.append(v)
        elif c.type == "timestamptz":
            out.append(parse_time(v) if isinstance(v, str) else v if abs(v) < 62_000_000_000_000 else "beyond")
        elif c.type == "double precision":
            out.append(repr(float(v)))
        else:
            number = Decimal(str(v)).normalize() if c.type == "numeric" else int(v)
            out.append(number if number == number else "NaN")
    return tuple(out)


def parse_time(text):
    try:
        return (datetime.datetime.fromisoformat(text) - decoder.EPOCH) // datetime.timedelta(milliseconds=1)
    except ValueError:
        return "beyond"


def against_decoder(m, store, folder):
    layouts = next(d for d in mtsql.dump(store, "_mtsql_catalog") if d.get("kind") == "table" and d["_id"] == "t")["layouts"]
    descriptor = layouts[0]["descriptor"]
    if descriptor["keeps"] != "records" or len(descriptor["stores"]) != 1 or "partition" in descriptor["stores"][0] or "alt" in descriptor["stores"][0]["root"]:
        return  # of copies, each may be read
    wanted = descriptor["stores"][0]
    docs = documents(store, folder).get(wanted["collection"], [])
    rows, malformed = expected(m, wanted, docs)
    q = Query("SELECT " + ", ".join(c.name for c in m.columns) + " FROM t", [KINDS[c.type] for c in m.columns], None, lambda r: [tuple(x[c.name] for c in m.columns) for x in r])
    answer = run(["SET on_malformed = 'skip'", q.sql], store)[1]
    text = answer.error or ""
    if re.search("ERROR|FATAL", text):
        raise Failure(f"with 'skip': {text}")
    told = re.findall(r"WARNING: .*", text)
    got = mtsql.parse("\n".join(x for x in text.split("\n") if not NOTICE.match(x))).rows if text else answer.rows
    count = int(re.search(r"(\d+) document", told[0])[1]) if told else 0
    STATS["decoded"] += 1
    STATS["malformed"] += malformed
    if count < malformed:
        raise Failure(f"{count} documents are malformed, the decoder says {malformed}")
    a, b = (Counter(comparable(r, m) for r in x) for x in (got, q.evaluate(rows)))
    if a - b or count == malformed and a != b:
        raise Failure(f"rows differ from the decoder's: {list((a - b).items())[:3]} for {list((b - a).items())[:3]}")


def documents(store, folder):
    """{collection: documents} but for the catalog's."""
    dump = os.path.join(folder, "dump")
    shutil.rmtree(dump, ignore_errors=True)
    p = subprocess.run([mtsql.MTSQL, "-X", "-q", "--dump", dump, store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    if p.returncode:
        raise Failure(p.stdout.decode("utf-8", "replace"))
    out = {}
    options = bson.CodecOptions(datetime_conversion=bson.codec_options.DatetimeConversion.DATETIME_MS)
    for where, _, files in os.walk(dump):
        for f in files:
            if f.endswith(".bson") and not f.startswith("_mtsql"):
                out[f[:-5]] = bson.decode_all(open(os.path.join(where, f), "rb").read(), options)
    return {k: v for k, v in out.items() if v}


def writes(rng, m):
    """Statements that change what is there, in a random order."""
    out = ["CHECK TABLE t", "REPAIR TABLE t", "VACUUM t", "ANALYZE t", "ALTER TABLE t ADD LAYOUT another USING rows", "ALTER TABLE t DROP LAYOUT another", "\\infer c", "\\infer t", "\\d+ t",
           "DELETE FROM t WHERE ts < '2012-01-01'", "CREATE TABLE copy AS SELECT * FROM t", "SELECT drop_chunks ('t')", "COPY t TO '/dev/null'", "TABLE t", "\\compare SELECT count(*) FROM t",
           "ALTER TABLE t ADD LAYOUT newest USING latest", "BEGIN", "ROLLBACK", "DELETE FROM t"]
    if m.measures:
        out += [f"UPDATE t SET {m.measures[0].name} = 1 WHERE ts > '2015-06-01'", f"UPDATE t SET {m.measures[0].name} = {m.measures[0].name}"]
    if m.dims:
        out += [f"UPDATE t SET {m.dims[0].name} = {m.dims[0].name}"]
    if m.rows:
        out += [f"INSERT INTO t VALUES {', '.join(value_list(r, m.columns) for r in rng.sample(m.rows, min(3, len(m.rows))))}"]
    rng.shuffle(out)
    return out


def run_case(seed, number, keep):
    rng = random.Random(f"{seed}/{number}")
    folder = keep or tempfile.mkdtemp(prefix="damaged-")
    os.makedirs(folder, exist_ok=True)
    store, done = os.path.join(folder, "store"), []
    try:
        m, declare, docs = make_case(rng, folder)
        if not docs:
            return None
        for name, of_one in docs.items():
            put(store, name, [encode(d) for d in of_one])
        for a in run(declare, store):
            a.must()
        for name, of_one in docs.items():
            bad, what = damage(rng, of_one, 5)
            done += what
            put(store, name, list(bad.values()))
        if not any(d.startswith("twice") for d in done):
            against_decoder(m, store, folder)
        queries = [make_query(rng, m).sql for _ in range(4)] + ["SELECT * FROM t", "SELECT count(*) FROM t"]
        on = ["SET on_malformed = 'error'", "SET on_malformed = 'skip'"]
        plain = run([x for mode in on for x in [mode] + [s for q in queries for s in (q, f"EXPLAIN (FORMAT JSON) {q}")]], store)
        forced = []
        for i, q in enumerate(queries):
            if plain[2 + 2 * i].error is None:
                for c in candidates(plain[2 + 2 * i]):
                    if c["legal"]:
                        forced += [f"SET layout = '{c['layout']}'", f"SET cut = '{c['cut']}'"] + [x for mode in on for x in (mode, q)]
        run(forced, store)
        run([rng.choice(on)] + writes(rng, m), store)
        return None
    except (Failure, mtsql.SqlError, subprocess.TimeoutExpired) as e:
        return f"case {number} (--seed {seed} --only {number}): {e}\n   {done}"
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = randoms.options("cases", 10)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep")
    args = parser.parse_args()
    failures = []
    for number in randoms.numbers(args.only, args.cases):
        wrong = run_case(args.seed, number, args.keep)
        STATS["cases"] += 1
        if wrong:
            failures.append(wrong)
            print("FAIL " + wrong, flush=True)
    return randoms.closing(args.seed, STATS["answered"] + STATS["refused"], len(failures), dict(STATS))


if __name__ == "__main__":
    sys.exit(main())

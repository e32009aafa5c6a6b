#!/usr/bin/env python3
"""Collections that pymongo wrote and nobody declared. They are queried at once, described, and
declared as \\infer proposes. Indexes serve filters.
"""
import datetime
import json
import os
import re
import sys
import tempfile

import bson
import pymongo
from bson import json_util
from checks import check, environment, finish, mtsql, same
from server import chosen, database, faults

START = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)


def fill(db):
    db.sensors.insert_many([{"time": START + datetime.timedelta(minutes=i), "at": {"room": "kitchen" if i % 3 else "attic", "floor": i % 2}, "value": i / 2 if i % 10 else None,
                             "tags": ["a"] * (i % 3)} for i in range(3000)])
    db.sensors.create_index("time")
    db.packed.insert_many([{"host": f"h{h}", "day": START + datetime.timedelta(days=d), "n": 24, "sum": sum(range(24)) * (h + 1),
                            "hours": {str(k): k * (h + 1) for k in range(24)}} for h in range(4) for d in range(5)])


def rows(uri, *commands):
    p = mtsql("-q", "--csv", "-t", *[x for c in commands for x in ("-c", c)], uri)
    check(commands[-1], p.returncode == 0 and not p.stderr, p.stderr)
    return p.stdout.strip().split("\n")


def test_queries(uri):
    same("count", rows(uri, "SELECT count(*), count(value), sum(value) FROM sensors"), ["3000,2700,2025000"])
    same("paths", rows(uri, "SELECT at.room, count(*) FROM sensors WHERE at.floor = 1 GROUP BY at.room ORDER BY 1"), ["attic,500", "kitchen,1000"])
    same("time", rows(uri, "SELECT date_trunc('day', time), count(*) FROM sensors GROUP BY 1 ORDER BY 1"),
         ["2024-01-01 00:00:00+00,1440", "2024-01-02 00:00:00+00,1440", "2024-01-03 00:00:00+00,120"])
    same("arrays", rows(uri, "SELECT tags FROM sensors WHERE time = '2024-01-01 00:02+00'"), ['"{a,a}"'])
    same("elements", rows(uri, "SELECT tag, count(*), count(DISTINCT time) FROM sensors, unnest(tags) tag GROUP BY 1"), ["a,3000,2000"])
    same("an element", rows(uri, "SELECT count(*) FROM sensors WHERE 'a' = ANY (tags) AND cardinality(tags) = 2"), ["1000"])
    out = mtsql("-c", "\\d sensors", uri).stdout
    for line in ("at.room", "objectid", "A random sample of 1000 of 3000 documents"):
        check(f"\\d shows {line}", line in out, out)


def test_infer(uri):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "declare.sql")
        p = mtsql("-o", path, "-c", "\\infer packed", uri)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for word in ('"part": "hour", "of": "day"', '"n": "n"', '"value": "sum"'):
            check(f"\\infer finds {word}", word in text, text + p.stderr)
        answer = rows(uri, f"\\i {path}", "SELECT host, count(*), sum(value) FROM packed GROUP BY host ORDER BY host")
        same("declared", answer, [f"h{h},120,{5 * 276 * (h + 1)}" for h in range(4)])
        plan = "\n".join(rows(uri, "EXPLAIN SELECT host, count(*), sum(value) FROM packed GROUP BY host"))
        check("its sums answer", "cut at document" in plan, plan)
        same("hours", rows(uri, "SELECT sum(value) FROM packed WHERE ts >= '2024-01-02 05:00+00' AND ts < '2024-01-02 07:00+00'"), [str(11 * 10)])


def test_empty_layout(uri, db):
    """A collection without documents can't become a layout of a table that has rows, because
    queries would find none in it. An empty one with the default name is made again.
    """
    db.create_collection("heat_copy")
    rows(uri, "CREATE TABLE heat (ts timestamptz TIME, v bigint MEASURE) USING rows", "ALTER TABLE heat ADD LAYOUT copy USING rows", "ALTER TABLE heat DROP LAYOUT copy")
    rows(uri, "INSERT INTO heat VALUES ('2024-01-01', 1)")
    db.create_collection("given")
    p = mtsql("-c", "ALTER TABLE heat ADD LAYOUT copy USING rows WITH (collection = 'given')", uri)
    check("an empty collection isn't taken for a layout", 'collection "given" exists, but has none of the rows of table "heat"' in p.stderr, p.stderr)
    same("the rows are there", rows(uri, "SELECT count(*) FROM heat"), ["1"])
    db.given.drop()
    if "heat_copy" not in db.list_collection_names():
        db.create_collection("heat_copy")
    rows(uri, "ALTER TABLE heat ADD LAYOUT copy USING rows")
    same("in both layouts", [x["v"] for c in ("heat", "heat_copy") for x in db[c].find()], [1, 1])
    rows(uri, "DROP TABLE heat")


def test_drift(uri, db):
    """A value of another type comes after the sample. It is found before a sum would leave it out.
    """
    db.drift.insert_many([{"k": i, "v": i} for i in range(50)])
    script = "import os, pymongo; pymongo.MongoClient (os.environ['TEST_URI']).get_default_database ().drift.insert_one ({'k': 50, 'v': 'fifty'})"
    p = mtsql("-q", "-A", "-t", uri, text=f"SELECT sum(v) FROM drift;\n\\! {sys.executable} -c \"{script}\"\nSELECT count(*) FROM drift;\n"
              "\\set ON_ERROR_STOP 0\nSELECT sum(v) FROM drift;\nSET on_malformed = 'skip';\nSELECT sum(v) FROM drift;\n\\d drift\nSELECT count(*) FROM drift WHERE v::text = '\"fifty\"';\n",
              env=environment(TEST_URI=uri))
    lines = [line for line in p.stdout.split("\n") if line and "|" not in line]
    check("drift: sums", lines[:3] == ["1225", "51", "1225"] and lines[-1] == "1", p.stdout + p.stderr)
    check("drift: error", "ERROR:  collection \"drift\" has 1 document with values of other types" in p.stderr, p.stderr)
    check("drift: warning", "WARNING:  1 document of collection \"drift\"" in p.stderr, p.stderr)


def test_first_rows(uri, db):
    """The first rows of an order are read without a test of all documents. A value of another type is found where it is among them, or where rows are skipped."""
    db.tail.insert_many([{"k": i, "v": i} for i in range(3000)])
    db.tail.insert_one({"k": 3000, "v": "late"})
    ask = {"SELECT v FROM tail ORDER BY v LIMIT 2": "0\n1\n", "SELECT v FROM tail ORDER BY v DESC NULLS LAST LIMIT 2": "", "SELECT v FROM tail ORDER BY v LIMIT 2 OFFSET 1": "", "SELECT k FROM tail ORDER BY v LIMIT 1": "",
           "SELECT v FROM tail WHERE v > 5 ORDER BY v LIMIT 1": "", "SELECT DISTINCT v FROM tail ORDER BY v LIMIT 1": ""}
    for sql, out in ask.items():
        p = mtsql("-q", "-A", "-t", "-c", sql, uri)
        check(f"first rows: {sql}", p.stdout == out and (not out) == ("ERROR: " in p.stderr), p.stdout + p.stderr)
    p = mtsql("-q", "-A", "-t", "-c", "SET on_malformed = 'skip'", "-c", "SELECT v FROM tail ORDER BY v DESC NULLS LAST LIMIT 2", uri)
    check("first rows: left out", p.stdout == "2999\n2998\n" and "WARNING:  1 document" in p.stderr, p.stdout + p.stderr)
    db.tail.drop()


def test_estimates(uri, db):
    """DocumentDB's sizes of collections are estimates, which do not show every change. So each
    statement adds up hashes of the documents, unless it may rely on the last test.
    """
    if "ferretdb" not in db.client.admin.command("buildInfo"):
        return
    db.same.insert_many([{"_id": i, "v": bson.Int64(i)} for i in range(9)])
    script = "import os, pymongo; pymongo.MongoClient (os.environ['TEST_URI']).get_default_database ().same.replace_one ({'_id': 8}, {'_id': 8, 'v': 8.5})"
    p = mtsql("-q", "-A", "-t", uri, text=f"SELECT sum(v) FROM same;\n\\! {sys.executable} -c \"{script}\"\nSELECT sum(v) FROM same;\n", env=environment(TEST_URI=uri))
    check("a change of no size", p.stdout == "36\n" and "1 document with values of other types" in p.stderr, p.stdout + p.stderr)
    db.same.replace_one({"_id": 8}, {"_id": 8, "v": bson.Int64(8)})
    for i, (trusted, out) in enumerate((("0", "36\n"), ("1min", "36\n36\n"))):
        declared = f"CREATE TABLE whole{i} (v bigint) USING rows WITH (collection = 'same');\nSELECT sum(v) FROM whole{i};\n"
        p = mtsql("-q", "-A", "-t", uri, text=f"SET catalog_max_age = '{trusted}';\n{declared}\\! {sys.executable} -c \"{script}\"\nSELECT count(v) * 4 FROM whole{i};\n", env=environment(TEST_URI=uri))
        check(f"a declared table, trusted for {trusted}", p.stdout == out and ("1 document of another shape" in p.stderr) == (trusted == "0"), p.stdout + p.stderr)
        db.same.replace_one({"_id": 8}, {"_id": 8, "v": bson.Int64(8)})


def test_element_drift(uri, db):
    """An element of another type, an array among the elements, and a value that is no array are
    found, too.
    """
    for i, late in enumerate((["a", 1], [["a"]], "a", {"a": 1})):
        name = f"lists{i}"
        db[name].insert_many([{"_id": k, "tags": ["a", None]} for k in range(20)])
        script = f"import os, pymongo; pymongo.MongoClient (os.environ['TEST_URI']).get_default_database ().{name}.insert_one ({{'_id': 20, 'tags': {late!r}}})".replace('"', "'")
        ask = f"SELECT count(*) FROM {name}, unnest(tags) tag;\n"
        p = mtsql("-q", "-A", "-t", uri, text=f"{ask}\\! {sys.executable} -c \"{script}\"\n\\set ON_ERROR_STOP 0\n{ask}SET on_malformed = 'skip';\n{ask}",
                  env=environment(TEST_URI=uri))
        check(f"elements of another type: {late}", p.stdout.split() == ["40", "40"] and "with values of other types" in p.stderr, p.stdout + p.stderr)


def test_arrays(uri, db):
    """The server tests elements, and gives an order."""
    db.lists.insert_many([{"_id": i, **({} if tags == "none" else {"tags": tags})} for i, tags in enumerate([["a", "b"], [], ["b", None], "none", None, ["c"]])])
    for condition, ids in (("tags @> '{b}'", "0,2"), ("tags @> '{b,a}'", "0"), ("tags @> '{}'", "0,1,2,5"), ("tags @> '{b,NULL}'", ""), ("tags && '{a,c,NULL}'", "0,5"),
                           ("tags && '{}'", ""), ("tags <@ '{a,b,NULL}'", "0,1"), ("'{c}' <@ tags", "5"), ("NOT tags @> '{b}'", "1,5")):
        same(condition, rows(uri, f"SELECT string_agg(_id::text, ',' ORDER BY _id) FROM lists WHERE {condition}")[0].strip('"'), ids)
    for end, ids in (("DESC NULLS LAST", "299,298"), ("NULLS FIRST", "0,1"), ("DESC", "299,298")):
        same(f"first rows {end}", ",".join(rows(uri, f"SELECT extract(epoch FROM time - '2024-01-01')::int / 60 FROM sensors WHERE time < '2024-01-01 05:00' ORDER BY time {end} LIMIT 2")), ids)


def test_indexes(uri, db, wrong):
    some = db.sensors.find_one({"value": 7})["_id"]
    for name, column in (("the time", "time >= '2024-01-01 10:00+00' AND time < '2024-01-01 11:00+00'"), ("_id", f"_id = '{some}'"),
                         ("a declared table's time", None)):
        if column is None:
            rows(uri, "CREATE TABLE declared (time timestamptz TIME, value double precision MEASURE) USING rows WITH (collection = 'sensors')")
            statement = "SELECT value FROM declared WHERE time >= '2024-01-01 10:00+00' AND time < '2024-01-01 11:00+00'"
        else:
            statement = f"SELECT value FROM sensors WHERE {column}"
        plan = json_util.loads("\n".join(mtsql("-A", "-t", "-q", "-c", f"EXPLAIN (FORMAT JSON) {statement}", uri).stdout.strip().split("\n")))
        try:
            shown = json.dumps(db.command("explain", {"aggregate": "sensors", "pipeline": plan[0]["pipeline"], "cursor": {}}, verbosity="queryPlanner"), default=str)
        except pymongo.errors.OperationFailure as e:
            shown = str(e)
        case = f"IXSCAN: {name}"
        if case in wrong:
            print(f"   {case}: not shown there: {wrong[case]}")
        else:
            check(f"an index serves {name}", any(word in shown for word in ("IXSCAN", "IDHACK", "Index Scan")), shown[:1500])


def planned(db, command):
    """Returns the kinds of steps and the indexes of the server's plan of a command."""
    shown = json.dumps(db.command("explain", command, verbosity="queryPlanner"), default=str)
    return set(re.findall(r'"(?:stage|Node Type)": "([^"]+)"', shown)), set(re.findall(r'"(?:Index Name|indexName)": "([^"]+)"', shown))


def test_newest(uri, db, wrong):
    """The newest rows: the server's plan is that of its own find().sort().limit(), with one more
    step for the columns.
    """
    db.newest.insert_many([{"_id": i, "time": datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=i * 17 % 4001), "n": i} for i in range(4000)])
    db.newest.create_index("time")
    plan = json_util.loads("\n".join(mtsql("-A", "-t", "-q", "-c", "EXPLAIN (FORMAT JSON) SELECT * FROM newest ORDER BY time DESC NULLS LAST LIMIT 10", uri).stdout.strip().split("\n")))
    same("newest rows: sorted before anything else", [list(stage)[0] for stage in plan[0]["pipeline"]], ["$sort", "$limit", "$project"])
    steps, indexes = planned(db, {"aggregate": "newest", "pipeline": plan[0]["pipeline"], "cursor": {}})
    native_steps, native_indexes = planned(db, {"find": "newest", "filter": {}, "sort": {"time": -1}, "limit": 10})
    case = "IXSCAN: the newest rows"
    if case in wrong:
        check(f"{case}: still not there", "time_1" in native_indexes - indexes, f"{steps} {indexes}")
    else:
        check("newest rows: read as by find", steps - {"Subquery Scan"} == native_steps and indexes == native_indexes, f"{steps} {indexes}\n   find: {native_steps} {native_indexes}")


def test_whole_order(uri, db):
    """Conditions on NULL, missing values and NaN give the same rows with and without indexes. $gt
    and the like order values of all types.
    """
    texts, numbers = ("a", "B", "c", None, "none"), (1.5, 2.0, float("nan"), -1.0, None, "none")
    count = 900 if chosen() == "documentdb" else 180  # enough for DocumentDB to use the indexes
    documents = [{"_id": i, **{k: v for k, v in (("s", texts[i % 5]), ("v", numbers[i % 6]), ("w", numbers[i // 6 % 6]), ("pad", "x" * 200)) if v != "none"}} for i in range(count)]
    db.whole.insert_many(documents)
    db.ranges.insert_many(documents)
    for field in "svw":
        db.ranges.create_index(field)
    conditions = ("s = lower(s)", "s < upper(s)", "s <> lower(s)", "NOT s = lower(s)", "s IN (lower(s), upper(s))", "s NOT IN (lower(s), 'zz')", "s = lower(s) AND v = abs(v)", "s = lower(s) OR v = 2",
                  "(s IS NULL) = (v IS NULL)", "s IS DISTINCT FROM lower(s)", "s || 'x' IS NULL", *(f"v {op} w" for op in ("<", "<=", ">", ">=", "=", "<>")),
                  *(f"NOT v {op} w" for op in ("<", ">=")), "v > w AND v < 2", "v <= abs(v)", "v > -abs(w) - 1", "v BETWEEN w AND 2")
    ask = "SELECT " + ", ".join(f"count(*) FILTER (WHERE {c})" for c in conditions)
    wanted = rows(uri, f"{ask} FROM whole")[0].split(",")
    for table in ("whole", "ranges"):
        same(f"whole order: {table}", rows(uri, *[f"SELECT count(*) FROM {table} WHERE {c}" for c in conditions]), wanted)
    same("whole order: lower", wanted[0], str(count * 2 // 5))


def main():
    name = chosen()
    with database(name, "undeclared") as uri:
        db = pymongo.MongoClient(uri).get_default_database()
        fill(db)
        test_queries(uri)
        test_arrays(uri, db)
        test_whole_order(uri, db)
        test_indexes(uri, db, faults(name))
        test_newest(uri, db, faults(name))
        test_infer(uri)
        test_empty_layout(uri, db)
        test_drift(uri, db)
        test_element_drift(uri, db)
        test_estimates(uri, db)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

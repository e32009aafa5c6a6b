#!/usr/bin/env python3
"""Counters. INSERT and COPY send increments, so that several writers at once lose nothing. A step
that fails is taken back. If an answer is lost, the error says that the outcome is unknown.
"""
import datetime
import json
import os
import re
import sys
import tempfile

import pymongo

from checks import check, finish, mtsql, same, start
from fake import CUT, Fake, error, keeping
from proxy import Proxy
from server import chosen, database

NUMBER = '"agg": {"measures": {"hits": ""}, "zero": "absent"}'
LAYOUT = """CREATE LAYOUT daily AS '{"keeps": "sums", "key": ["metric"], "stores": [{"collection": "daily", "write": "inc",
   "id": [{"trunc": "day", "encoding": {"format": "%Y%m%d"}}, "/", {"column": "metric"}],
   "root": {"is": "document", "bind": [{"trunc": "day", "at": "metadata.date", "encoding": "date"}, {"column": "metric", "at": "metadata.metric"}],
   "alt": [{"is": "scalar", "at": "daily", NUMBER},
           {"is": "map", "at": "hourly", "bind": [{"part": "hour", "of": "day", "encoding": {"kind": "text", "pad": 2}}], NUMBER},
           {"is": "map", "at": "minute", "bind": [{"part": "hour", "of": "day", "encoding": {"kind": "text", "pad": 2}}],
            "sub": {"is": "map", "at": "", "bind": [{"part": "minute", "of": "hour", "encoding": {"kind": "text", "pad": 2}}], NUMBER}}]}}]}'""".replace("NUMBER", NUMBER)
TABLE = "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily"
SUM = "SELECT sum(hits) FROM hits"


def branches(coll):
    """Returns the sums of the three branches. They are equal unless a write was torn."""
    day = hours = minutes = 0
    for d in coll.find():
        day += d["daily"]
        hours += sum(d["hourly"].values())
        minutes += sum(v for h in d["minute"].values() for v in h.values())
    return day, hours, minutes


def test_shape(uri, coll):
    insert = "INSERT INTO hits VALUES ('2010-10-10 00:00:30+00', 'metric-1', 1), ('2010-10-10 00:00+00', 'metric-1', 2), ('2010-10-10 13:59+00', 'metric-1', 5), ('2010-10-11 13:59+00', 'a.b/$c', 4)"
    promise = mtsql(uri, "-Atc", "EXPLAIN " + insert).stdout
    check("EXPLAIN says what is promised", "rows are added by $inc, one upsert a document" in promise and ("(08007)" in promise or "done once" in promise), promise)
    same("insert", mtsql(uri, "-Atc", insert, "-c", insert).stdout, "INSERT 0 4\nINSERT 0 4\n")
    docs = sorted((json.loads(json.dumps(d, default=str)) for d in coll.find()), key=lambda d: d["_id"])
    same("documents", docs, [
        {"_id": "20101010/metric-1", "metadata": {"date": "2010-10-10 00:00:00", "metric": "metric-1"}, "daily": 16, "hourly": {"00": 6, "13": 10},
         "minute": {"00": {"00": 6}, "13": {"59": 10}}},
        {"_id": "20101011/a.b/$c", "metadata": {"date": "2010-10-11 00:00:00", "metric": "a.b/$c"}, "daily": 8, "hourly": {"13": 8}, "minute": {"13": {"59": 8}}}])
    coll.insert_one({"_id": "20101012/x", "metadata": {"metric": "x", "date": datetime.datetime(2010, 10, 12), "who": "other software"}, "daily": 1,
                     "hourly": {"07": 1}, "minute": {"07": {"00": 1}}})
    mtsql(uri, "-c", "INSERT INTO hits VALUES ('2010-10-12 07:00+00', 'x', 1)")
    same("a document that other software made", coll.find_one({"_id": "20101012/x"})["metadata"]["who"], "other software")
    same("is counted on", mtsql(uri, "-Atc", SUM + " WHERE metric = 'x'").stdout, "2\n")


def test_no_number(uri, coll):
    """Nothing can be added to a value that is no number, nor below a value that is no sub-document.
    The whole statement is refused, as in process.
    """
    coll.insert_one({"_id": "20101013/x", "metadata": {"date": datetime.datetime(2010, 10, 13), "metric": "x"}, "daily": 1, "hourly": {"07": 1, "08": None}, "minute": {"07": {"00": 1}, "09": None}})
    for hour in ("08", "09"):
        r = mtsql(uri, "-v", "VERBOSITY=verbose", "-c", f"INSERT INTO hits VALUES ('2010-10-13 07:00+00', 'beside', 1), ('2010-10-13 {hour}:00+00', 'x', 1)")
        check(f"hour {hour}", "ERROR:  42804: " in r.stderr, r.stderr)
        same(f"hour {hour}: nothing of it stays", mtsql(uri, "-Atc", SUM + " WHERE metric IN ('beside', 'x') AND ts >= '2010-10-13' AND ts < '2010-10-14'").stdout, "1\n")
    coll.delete_one({"_id": "20101013/x"})


def test_overflow(uri, coll):
    """A counter has 64 bits. A larger result is refused, as in process, and changes nothing."""
    one = "INSERT INTO hits VALUES ('2010-11-11 00:00+00', 'most', %s)"
    same("overflow: as many as there can be", mtsql(uri, "-c", one % "9223372036854775807").stderr, "")
    for what, statement in (("one more", one % "1"), ("one of several", (one % "1").replace("VALUES", "VALUES ('2010-11-11', 'other', 1),"))):
        r = mtsql(uri, "-c", "\\set VERBOSITY verbose", "-c", statement)
        same(f"overflow: {what}", (r.returncode, r.stderr), (3, "ERROR:  22003: bigint out of range\n"))
    same("overflow: nothing is changed", mtsql(uri, "-Atc", SUM + " WHERE ts < '2010-11-12' AND ts >= '2010-11-11'").stdout, "9223372036854775807\n")
    same("overflow: nor is a document made", coll.delete_many({"_id": {"$regex": "^20101111/"}}).deleted_count, 1)


def test_writers(uri, coll):
    """Four processes add to the same ten counters."""
    before = int(mtsql(uri, "-Atc", SUM).stdout)
    one = "INSERT INTO hits VALUES " + ", ".join(f"('2012-02-29 {i:02}:{i:02}+00', 'm{i % 5}', {i + 1})" for i in range(10))
    writers = [start(uri, "-qc", one, *["-c", one] * 14) for _ in range(4)]
    for w in writers:
        _, problems = w.communicate(timeout=300)
        same("writer", (w.returncode, problems), (0, ""))
    same("several writers lose nothing", int(mtsql(uri, "-Atc", SUM).stdout) - before, 4 * 15 * 55)
    same("and every branch has it", len(set(branches(coll))), 1)


def test_merging_writers(uri):
    """Three processes add to documents that are read, merged and replaced. Some documents are made
    by two of them at once.
    """
    for name, using in (("packed", "per_day"), ("lists", "nested WITH (cluster_by = 'item', levels = 'ts', presum = 'ts')"), ("beside", "per_day WITH (partition_by = 'month')")):
        r = mtsql(uri, "-c", f"CREATE TABLE {name} (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING {using}",
                  "-c", f"INSERT INTO {name} VALUES ('2010-01-01', 'a', 0)")
        assert r.returncode == 0, r.stderr
        statements = [f"INSERT INTO {name} VALUES " + ", ".join(f"(timestamptz '2012-02-20 10:{(7 * i) % 60:02}+00' + interval '{i // 4} days', '{item}', 1)" for item in "abc") for i in range(40)]
        writers = [start(uri, "-q", *[a for s in statements for a in ("-c", s)]) for _ in range(3)]
        for w in writers:
            _, problems = w.communicate(timeout=300)
            same(f"{name}: writer", (w.returncode, problems), (0, ""))
        same(f"{name}: several writers lose nothing", mtsql(uri, "-Atc", f"SELECT count(*), sum(v) FROM {name}", "-c", f"CHECK TABLE {name}").stdout, "361|360\nCHECK TABLE\n")


def test_taken_back(uri, coll, folder):
    """An error in the file comes after 2,500 documents were sent."""
    before = branches(coll)
    path = os.path.join(folder, "wrong.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"2020-05-05 10:10:00+00,key {i},1\n" for i in range(2500))
        f.write("2010-10-10 00:00:00+00,metric-1,7\n2020-05-05 10:10:00+00,key,\n")
    r = mtsql(uri, "-c", f"COPY hits FROM '{path}' WITH (FORMAT csv)")
    check("a wrong file", "null value" in r.stderr, r.stderr)
    same("nothing is left of it", branches(coll), before)
    same("no group either", mtsql(uri, "-Atc", "SELECT count(*) FROM (SELECT metric FROM hits WHERE ts >= '2020-01-01' GROUP BY metric) g").stdout, "0\n")


def test_no_opposite(uri):
    """A number that could not be undone is refused before anything is sent. The smallest integer
    that can be undone is sent.
    """
    mtsql(uri, "-c", "CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, "
          "host text DIMENSION NOT NULL, total double precision MEASURE NOT NULL) USING mms")
    for late in ("Infinity", "-Infinity", "NaN"):
        r = mtsql(uri, "-v", "VERBOSITY=verbose", "-c", f"INSERT INTO mem VALUES ('2011-06-20 12:34+00', 'bits', 'mem', 'h', 3), ('2011-06-20 12:34+00', 'bits', 'mem', 'h', '{late}')")
        check(f"{late} is refused", r.returncode == 3 and "0A000" in r.stderr and "taken back" in r.stderr, r.stderr)
    same("nothing was added", mtsql(uri, "-Atc", "SELECT count(*), sum(total) FROM mem").stdout, "0|\n")
    one = "INSERT INTO mem VALUES ('2011-06-20 12:34+00', 'bits', 'mem', 'h', -2147483648)"
    same("the smallest integer", mtsql(uri, "-Atc", one, "-c", "SELECT sum(total) FROM mem").stdout, "INSERT 0 1\n-2147483648\n")


def test_cut(uri, coll):
    """The proxy cuts the connection. Everything is there, or nothing, or an error says what is."""
    port = int(re.search(r":(\d+)/", uri)[1])
    proxy = Proxy(port)
    through = uri.replace(f":{port}/", f":{proxy.port}/")
    insert = through, "-v", "VERBOSITY=verbose", "-c", "INSERT INTO hits VALUES " + ", ".join(f"('2016-06-06 06:06+00', 'cut{i}', 1)" for i in range(20))
    proxy.plan()
    assert mtsql(*insert).returncode == 0
    totals, before = dict(proxy.passed), branches(coll)[0]
    for direction, total in totals.items():
        for n in sorted({1, 16, *(total * i // 9 for i in range(1, 9)), total - 20}):
            proxy.plan(direction, n)
            r = mtsql(*insert)
            after = branches(coll)
            where = f"cut {direction} {n} of {total}"
            same(f"{where}: the branches agree", len(set(after)), 1)
            added = after[0] - before
            told = r.returncode == 0 and added == 20 or r.returncode and (added == 0 or "not known" in r.stderr or "could not be undone" in r.stderr)
            check(f"{where}: all, nothing, or said", told, f"{added} more, exit {r.returncode}\n{r.stderr}")
            before = after[0]


MEMORY = "CREATE TABLE memory (ts timestamptz TIME PERIOD '1 s' NOT NULL, type text DIMENSION NOT NULL, value bigint MEASURE NOT NULL) USING minute"


def minute_rows(seconds, value=5):
    return "INSERT INTO memory VALUES " + ", ".join(f"('2013-10-10 23:06:{i:02}+00', 'memory_used', {value})" for i in seconds)


def test_minute(uri, coll):
    """Documents of a minute. num_samples and total_samples are added to. A second is set if nothing
    is there.
    """
    writers = [start(uri, "-qc", minute_rows([4 * i + w]), *[x for j in range(1, 8) for x in ("-c", minute_rows([4 * j + w]))]) for w, i in enumerate([0] * 4)]
    for w in writers:
        _, problems = w.communicate(timeout=300)
        same("minute: writer", (w.returncode, problems), (0, ""))
    doc = coll.find_one({})
    same("minute: one document has all", (coll.count_documents({}), doc["num_samples"], doc["total_samples"], sorted(doc["values"].values())), (1, 32, 160, [5] * 32))
    same("minute: it is read", mtsql(uri, "-Atc", "SELECT count(*), sum(value), count(DISTINCT ts) FROM memory").stdout, "32|160|32\n")
    same("minute: the layouts' sums agree", mtsql(uri, "-Atqc", "CHECK TABLE memory").stdout.strip(), "")
    for what, rows in (("a second that is there", "('2013-10-10 23:07:00+00', 'memory_used', 1), ('2013-10-10 23:06:31+00', 'memory_used', 1), ('2013-10-10 23:06:50+00', 'memory_used', 1)"),
                       ("two of one second", "('2013-10-10 23:08:00+00', 'memory_used', 1), ('2013-10-10 23:08:00+00', 'memory_used', 1)")):
        r = mtsql(uri, "-v", "VERBOSITY=verbose", "-c", f"INSERT INTO memory VALUES {rows}")
        check(f"minute: {what}", 'ERROR:  23505: layout "minute" cannot store two records with the same key' in r.stderr, r.stderr)
        doc = coll.find_one({"values.0": {"$exists": True}, "num_samples": 32})
        same(f"minute: {what}, nothing of it stays", (mtsql(uri, "-Atc", "SELECT count(*), sum(value) FROM memory").stdout, doc["total_samples"], len(doc["values"])), ("32|160\n", 160, 32))


def test_same_second(uri, coll):
    """If several clients write one second at once, one of them succeeds. A document that other
    software made ahead is filled.
    """
    for i in range(3):
        writers = [start(uri, "-v", "VERBOSITY=verbose", "-qc", minute_rows([40 + i], w)) for w in range(3)]
        ends = [(w.communicate(timeout=300)[1], w.returncode) for w in writers]
        same("one second: one writer", sorted(code for _, code in ends), [0, 3, 3])
        check("one second: the others are told", sum("23505" in problems for problems, _ in ends) == 2, str(ends))
        winner = [w for w, (_, code) in enumerate(ends) if code == 0][0]
        same("one second: whose value is there", coll.find_one({"num_samples": 33 + i})["values"][str(40 + i)], winner)
    mtsql(uri, "-c", "INSERT INTO memory VALUES ('2013-10-10 23:09:01+00', 'ahead', 7)")
    coll.update_one({"type": "ahead"}, {"$set": {f"values.{i}": None for i in range(2, 60)}})
    mtsql(uri, "-c", "INSERT INTO memory VALUES ('2013-10-10 23:09:59+00', 'ahead', 8)")
    same("made ahead", mtsql(uri, "-Atc", "SELECT extract(second FROM ts)::int, value FROM memory WHERE type = 'ahead' ORDER BY 1", "-c",
                             "SELECT count(*), sum(value) FROM memory WHERE type = 'ahead'").stdout, "1|7\n59|8\n2|15\n")
    same("made ahead: agrees", mtsql(uri, "-Atqc", "CHECK TABLE memory").stdout.strip(), "")


ARRAY = MEMORY.replace("TABLE memory", "TABLE slots") + " WITH (values = 'array')"


def in_slots(seconds, value=5, minute="06"):
    return "INSERT INTO slots VALUES " + ", ".join(f"('2013-10-10 23:{minute}:{i:02}+00', 'memory_used', {value})" for i in seconds)


def test_slots(uri, coll):
    """The same with an array. Several writers at once make it, fill it and make it longer, also
    with late values.
    """
    seconds = [30, 2, 17, 59, 0, 31, 58, 16]
    writers = [start(uri, "-qc", in_slots([s for s in seconds if s % 2 == w] or [1]), "-qc", in_slots([20 + w], 7), "-qc", in_slots([5 + w], 1, "07")) for w in range(2)]
    for w in writers:
        _, problems = w.communicate(timeout=300)
        same("slots: writer", (w.returncode, problems), (0, ""))
    docs = {d["timestamp_minute"].minute: d for d in coll.find()}
    wanted = {**{s: 5 for s in seconds}, 20: 7, 21: 7}
    same("slots: the array", [(i, v) for i, v in enumerate(docs[6]["values"]) if v is not None], sorted(wanted.items()))
    same("slots: sums", [(d["num_samples"], d["total_samples"]) for d in (docs[6], docs[7])], [(10, 54), (2, 2)])
    same("slots: only as long as need be", docs[7]["values"], [None] * 5 + [1, 1])
    same("slots: it is read", mtsql(uri, "-Atc", "SELECT count(*), sum(value), count(DISTINCT ts) FROM slots").stdout, "12|56|12\n")
    same("slots: agrees", mtsql(uri, "-Atqc", "CHECK TABLE slots").stdout.strip(), "")


def test_slots_taken(uri, coll):
    """A refused value leaves nothing, not even an empty document. Arrays that other software made
    ahead are filled. A value that is no array is refused.
    """
    before = sorted(map(str, coll.find()))
    for what, rows, state in (("a second that is there", in_slots([3, 30]) + ", ('2013-10-10 23:08:00+00', 'new', 1)", "23505"),
                              ("a sum beyond 64 bits", in_slots([3], 2**63 - 1) + ", ('2013-10-10 23:08:00+00', 'new', 1)", "22003")):
        r = mtsql(uri, "-v", "VERBOSITY=verbose", "-c", rows)
        check(f"slots: {what}", f"ERROR:  {state}" in r.stderr and "WARNING" not in r.stderr, r.stderr)
        same(f"slots: {what}, nothing of it stays", sorted(map(str, coll.find())), before)
    mtsql(uri, "-c", "INSERT INTO slots VALUES ('2013-10-10 23:09:01+00', 'ahead', 7)", "-c", "INSERT INTO slots VALUES ('2013-10-10 23:09:01+00', 'no array', 7)")
    coll.update_one({"type": "ahead"}, {"$set": {"values": [None, 7] + [None] * 58}})
    coll.update_one({"type": "no array"}, {"$set": {"values": {"1": 7}}})
    mtsql(uri, "-c", "INSERT INTO slots VALUES ('2013-10-10 23:09:59+00', 'ahead', 8)")
    same("slots: made ahead", coll.find_one({"type": "ahead"})["values"], [None, 7] + [None] * 57 + [8])
    r = mtsql(uri, "-c", "INSERT INTO slots VALUES ('2013-10-10 23:09:59+00', 'no array', 8)")
    check("slots: no array", r.returncode == 3 and "array" in r.stderr, r.stderr)
    same("slots: no array, as it was", (coll.find_one({"type": "no array"})["values"], coll.find_one({"type": "no array"})["num_samples"]), ({"1": 7}, 1))
    coll.delete_one({"type": "no array"})
    same("slots: agrees at last", mtsql(uri, "-Atqc", "CHECK TABLE slots").stdout.strip(), "")


def test_nothing_left(uri, coll, folder):
    """A refused statement removes the documents that it made. If others added to one meanwhile, it
    stays, with zeros of the refused statement.
    """
    kept = keeping()

    def others(f, c):
        if c["update"] == "daily" and any(u["u"]["$inc"]["daily"] < 0 for u in c["updates"]):
            kept["update"](f, {**c, "updates": [{"q": {"_id": "20200101/x"}, "u": {"$inc": {"daily": 3, "hourly.05": 3}}, "upsert": True}]})
        if c["update"] == "daily" and any(u["q"]["_id"] == "20200103/z" for u in c["updates"]):
            first = kept["update"](f, {**c, "updates": c["updates"][:2]})
            return {**first, "writeErrors": [{"index": 2, "code": 121, "errmsg": "Document failed validation"}]}
        return kept["update"](f, c)

    with Fake({**kept, "update": others}) as fake:
        r = mtsql(fake.uri, "-c", LAYOUT, "-c", TABLE, "-c", "INSERT INTO hits VALUES ('2020-01-01', 'x', 1), ('2020-01-02', 'y', 1), ('2020-01-03', 'z', 1)")
        check("made: refused", "failed validation" in r.stderr and "WARNING" not in r.stderr, r.stderr)
        gone = [d["q"] for c in fake.named("delete") if c["delete"] == "daily" for d in c["deletes"]]
        same("made: only what nobody else counted on goes", [q["_id"] for q in gone], ["20200102/y"])
        check("made: and while it is so", gone and gone[0]["daily"]["$eq"] == 0, str(gone))
    before = coll.count_documents({})
    path = os.path.join(folder, "refused.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"2020-05-05 10:10:{i % 60:02}+00,key {i},1\n" for i in range(1200))
        f.write("2013-10-10 23:06:30+00,memory_used,1\n")
    r = mtsql(uri, "-c", f"COPY slots FROM '{path}' WITH (FORMAT csv)")
    check("made: a refused COPY", "two records with the same key" in r.stderr and "WARNING" not in r.stderr, r.stderr)
    same("made: nothing of it stays", coll.count_documents({}), before)


def test_gives_way():
    """A write that the server refuses in favour of another client is sent again, and no other
    write. If the server refuses for good, the error is of class 40, and applied writes are taken
    back.
    """
    tries = []

    def some_give_way(f, c):
        if c["update"] != "daily":
            return kept["update"](f, c)
        tries.append([u["q"]["_id"] for u in c["updates"]])
        if len(tries) == 1:
            return {**error(1, "InternalError", "deadlock detected")}
        if len(tries) == 2:
            kept["update"](f, {**c, "updates": c["updates"][:1]})
            return {"n": 1, "nModified": 1, "ok": 1.0, "writeErrors": [{"index": 1, "code": 112, "errmsg": "WriteConflict"}]}
        return kept["update"](f, c)

    kept = keeping()
    insert = "INSERT INTO hits VALUES ('2020-01-01', 'x', 1), ('2020-01-02', 'x', 1)"
    with Fake({**kept, "update": some_give_way}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "-c", LAYOUT, "-c", TABLE, "-c", insert)
        same("gives way: well", (r.returncode, r.stderr), (0, ""))
        same("gives way: what is sent again", tries, [["20200101/x", "20200102/x"], ["20200101/x", "20200102/x"], ["20200102/x"]])

    kept = keeping()

    def always(f, c):
        ids = [u["q"]["_id"] for u in c["updates"]]
        if c["update"] != "daily" or "20200102/x" not in ids:
            return kept["update"](f, c)
        at = ids.index("20200102/x")
        return {"n": len(ids) - 1, "nModified": len(ids) - 1, "ok": 1.0, "writeErrors": [{"index": at, "code": 112, "errmsg": "WriteConflict"}]}

    with Fake({**kept, "update": always}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "-c", LAYOUT, "-c", TABLE, "-c", insert)
        check("gives way for good: class 40", "ERROR:  40001: could not serialize access due to concurrent update" in r.stderr, r.stderr)
        back = [u for c in fake.named("update") if c["update"] == "daily" for u in c["updates"] if u["u"]["$inc"]["daily"] < 0]
        same("gives way for good: what was applied is taken back", [u["q"]["_id"] for u in back], ["20200101/x"])


def test_lost():
    """The answer of a batch is lost. The batch is not sent again, and the error names the
    collection.
    """
    kept = keeping()
    with Fake({**kept, "update": lambda f, c: CUT if c["update"] == "daily" else kept["update"](f, c)}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "-c", LAYOUT, "-c", TABLE, "-c", "INSERT INTO hits VALUES ('2020-01-01', 'x', 1)")
        same("lost: exit", r.returncode, 2)
        check("lost: error", "ERROR:  08007: connection to the server was lost" in r.stderr and "daily" in r.stderr, r.stderr)
        same("lost: sent once", len([c for c in fake.named("update") if c["update"] == "daily"]), 1)


def main():
    test_lost()
    test_gives_way()
    with tempfile.TemporaryDirectory(prefix="mtsql-increments-") as folder, database(chosen(), "increments") as uri:
        name = re.search(r":\d+/([^?]+)", uri)[1]
        coll = pymongo.MongoClient(uri)[name]["daily"]
        r = mtsql(uri, "-c", LAYOUT, "-c", TABLE)
        assert r.returncode == 0, r.stderr
        test_shape(uri, coll)
        test_no_number(uri, coll)
        test_overflow(uri, coll)
        test_writers(uri, coll)
        test_merging_writers(uri)
        test_taken_back(uri, coll, folder)
        test_no_opposite(uri)
        test_cut(uri, coll)
        memory = coll.database["memory"]
        r = mtsql(uri, "-c", MEMORY)
        assert r.returncode == 0, r.stderr
        test_minute(uri, memory)
        test_same_second(uri, memory)
        slots = coll.database["slots"]
        r = mtsql(uri, "-c", ARRAY)
        assert r.returncode == 0, r.stderr
        test_slots(uri, slots)
        test_slots_taken(uri, slots)
        test_nothing_left(uri, slots, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

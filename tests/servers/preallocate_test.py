#!/usr/bin/env python3
"""Documents of counters that INSERT makes beforehand. A scripted server shows which documents are
sent. SecantusDB, or another server, shows what is there then.
"""
import datetime
import sys

import pymongo

from checks import check, finish, mtsql, same
from fake import Fake, keeping
from server import Server

HITS = "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, n bigint MEASURE COUNTER) USING daily_metrics WITH (preallocate = '1/{}')"
LOAD = ("CREATE TABLE load (ts timestamptz TIME PERIOD '1 min', item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE NOT NULL) "
        "USING mms WITH (months = true, preallocate = '1/1')")


def insert(*rows):
    return "INSERT INTO hits VALUES " + ", ".join(f"('{ts}+00', '{metric}', 1)" for ts, metric in rows)


def sent(each, *statements):
    """Runs the statements in one session. Returns, in order, the _ids of the whole documents that
    were sent, and of those that were added to.
    """
    with Fake(keeping()) as fake:
        r = mtsql(fake.uri, "-c", HITS.format(each), *[a for s in statements for a in ("-c", s)])
        same("exit", (r.returncode, r.stderr), (0, ""))
        updates = [u for c in fake.named("update") if c["update"] == "hits" for u in c["updates"]]
        whole = [u for u in updates if "$inc" not in u["u"]]
        check("whole documents are only begun with", all(u.get("upsert") and list(u["u"]) == ["$setOnInsert"] for u in whole), str(whole)[:500])
        for u in whole:
            doc = u["u"]["$setOnInsert"]
            slots = [doc["daily"], *doc["hourly"].values(), *doc["minute"].values()]
            check("every slot is there, and 0", len(slots) == 1 + 24 + 1440 and not any(slots), str(doc)[:300])
        return [u["q"]["_id"] for u in whole], [u["q"]["_id"] for u in updates if "$inc" in u["u"]]


def test_which():
    made, added = sent(1, insert(("2020-02-28 12:00", "a")), insert(("2020-02-28 12:01", "a"), ("2020-02-28 12:01", "b")), insert(("2020-02-28 23:59", "a")))
    same("tomorrow's, once a series", made, ["20200229/a", "20200229/b"])
    same("hits go where they belong", added, ["20200228/a", "20200228/a", "20200228/b", "20200228/a"])
    made, _ = sent(1, insert(("2020-02-28 12:00", "a")), insert(("2020-02-29 00:00", "a"), ("2020-02-29 00:05", "b"), ("2020-02-29 00:09", "b"), ("2020-02-29 00:10", "c")))
    same("the first ten minutes make what isn't known", sorted(made), ["20200229/a", "20200229/b", "20200301/a", "20200301/b", "20200301/c"])
    made, _ = sent(1, insert(("2020-02-28 12:00", "a")), insert(("2020-02-27 00:01", "z"), ("2020-02-27 12:01", "a")))
    same("late hits make nothing", made, ["20200229/a"])
    made, _ = sent(1, insert(("2020-02-28 12:00", "a")), "DISCARD ALL", insert(("2020-02-28 12:01", "a")))
    same("DISCARD ALL forgets what is known", made, ["20200229/a", "20200229/a"])
    made, _ = sent(1000000000, insert(("2020-02-28 12:00", "a"), ("2020-02-28 13:00", "b")))
    same("seldom is seldom", made, [])
    made, _ = sent(1, insert(*[("2020-02-28 12:00", f"m{i}") for i in range(2000)]))
    check("all but a few of many series", len(set(made)) == len(made) and 1980 <= len(made) <= 2000, str(len(made)))


def test_chance():
    """2,000 hits with a chance of 1/20 make about 100 documents. Each hit has its own series, so
    that no document is known.
    """
    made, _ = sent(20, insert(*[("2020-02-28 12:00", f"m{i}") for i in range(2000)]))
    check("one in twenty", 50 <= len(made) <= 160, str(len(made)))


def test_server(uri):
    client = pymongo.MongoClient(uri)
    client.drop_database("prealloc")
    db = client["prealloc"]
    target = uri.rstrip("/") + "/prealloc"

    def run(*statements):
        r = mtsql(target, "-q", "-A", "-t", *[a for s in statements for a in ("-c", s)])
        same("exit", (r.returncode, r.stderr), (0, ""))
        return r.stdout.split()

    run(HITS.format(1), insert(("2020-02-28 12:00", "a"), ("2020-02-28 12:00", "a/b")))
    same("documents", sorted(d["_id"] for d in db.hits.find({}, {"_id": 1})), ["20200228/a", "20200228/a/b", "20200229/a", "20200229/a/b"])
    doc = db.hits.find_one({"_id": "20200229/a"})
    same("its metadata", doc["metadata"], {"date": datetime.datetime(2020, 2, 29), "metric": "a"})
    same("its slots", (doc["daily"], len(doc["hourly"]), len(doc["minute"]), sum(doc["minute"].values())), (0, 24, 1440, 0))
    same("no group", run("SELECT count(*) FROM (SELECT date_trunc('day', ts), metric, sum(n) FROM hits GROUP BY 1, 2) q"), ["2"])
    run("INSERT INTO hits VALUES ('2020-02-29 00:00+00', 'a', 5)", insert(("2020-02-29 00:00", "a")))
    same("then it is hit", run("SELECT sum(n) FROM hits WHERE ts >= '2020-02-29' AND metric = 'a'"), ["6"])
    same("in place", db.hits.find_one({"_id": "20200229/a"})["minute"]["0000"], 6)
    run(LOAD, "INSERT INTO load VALUES ('2020-12-31 12:00+00', 'bits', 'mem', 'h', 0)")
    same("next year's, by day and month", [sorted(d["_id"] for d in db[c].find({}, {"_id": 1})) for c in ("load", "load_month_hours", "load_month_days")],
         [["20201231-bits-mem-h", "20210101-bits-mem-h"], ["202012-bits-mem-h", "202101-bits-mem-h"], ["202012-bits-mem-h", "202101-bits-mem-h"]])
    same("a month's days, from 0", sorted(map(int, db.load_month_days.find_one({"_id": "202101-bits-mem-h"})["d"])), list(range(31)))
    same("and its hours, from the 1st", sorted((int(k), len(v)) for k, v in db.load_month_hours.find_one({"_id": "202101-bits-mem-h"})["d"].items()), [(d, 24) for d in range(1, 32)])
    same("one record", run("SELECT count(*), sum(total) FROM load"), ["1|0"])


if __name__ == "__main__":
    test_which()
    test_chance()
    with Server() as uri:
        test_server(uri)
    sys.exit(finish())

#!/usr/bin/env python3
"""Time-series collections of a server. They are made with their options, written, queried and
attached. A server without them refuses, with an error or without one, and nothing is left behind.
"""
import datetime
import sys

import pymongo

from checks import check, finish, mtsql, same
from fake import Fake, error, keeping
from server import chosen, database

CREATE = """CREATE TABLE metrics (ts timestamptz TIME NOT NULL FIELD 't', host text DIMENSION, app text DIMENSION, load double precision MEASURE)
   USING timeseries WITH (granularity = 'minutes', expire_after_seconds = 3600, collection = 'weather')"""
VERBOSE = "-v", "VERBOSITY=verbose"


def test_made(uri, db):
    same("made", mtsql(uri, "-qc", CREATE).stderr, "")
    options = next(c["options"] for c in db.list_collections() if c["name"] == "weather")
    same("with its options", options, {"timeseries": {"timeField": "t", "metaField": "meta", "granularity": "minutes"}, "expireAfterSeconds": 3600})
    r = mtsql(uri, "-qAtc", "INSERT INTO metrics SELECT timestamptz '2020-01-01' + i * interval '1 min', 'h' || i % 3, CASE WHEN i % 2 = 0 THEN 'x' END, i FROM generate_series (0, 2999) i",
              "-c", "SELECT count(*), sum(load) FROM metrics WHERE host = 'h1' AND ts >= '2020-01-01 10:00+00' AND ts < '2020-01-01 11:00+00'")
    same("written and read", (r.stdout, r.stderr), ("20|12590\n", ""))
    d = db["weather"].find_one({"t": datetime.datetime(2020, 1, 1, 0, 1)}, {"_id": 0})
    same("a document", d, {"t": datetime.datetime(2020, 1, 1, 0, 1), "meta": {"host": "h1", "app": None}, "load": 1.0})


def refused(uri, what, statement, message, *before):
    r = mtsql(uri, *VERBOSE, "-qc", statement) if not before else mtsql(uri, *VERBOSE, *[a for s in (*before, statement) for a in ("-c", s)])
    check(what, r.returncode and "0A000: " + message in r.stderr, r.stderr)


def test_refused(uri):
    refused(uri, "DELETE", "DELETE FROM metrics WHERE host = 'h1'", "DELETE of a time-series collection is not supported")
    refused(uri, "UPDATE", "UPDATE metrics SET load = 1", "UPDATE of a time-series collection is not supported")
    refused(uri, "PRIMARY KEY", "CREATE TABLE bad (ts timestamptz TIME, v integer MEASURE, PRIMARY KEY (ts)) USING timeseries", "a PRIMARY KEY of a table in a time-series")
    check("NULL as time", "null value in column" in mtsql(uri, "-c", "INSERT INTO metrics VALUES (NULL, 'a', 'b', 1)").stderr)
    r = mtsql(uri, "-qAtc", "TRUNCATE metrics", "-c", "INSERT INTO metrics VALUES ('2020-01-01', 'a', 'b', 1)", "-c", "SELECT count(*) FROM metrics")
    same("TRUNCATE", (r.stdout, r.stderr), ("1\n", ""))


def test_attached(uri, db):
    """Collections that other software made are found by their options. Their metadata are one
    value, or several.
    """
    t = datetime.datetime(2021, 6, 1)
    db.create_collection("sensors", timeseries={"timeField": "at", "metaField": "sensor"})
    db["sensors"].insert_many([{"at": t + datetime.timedelta(seconds=i), "sensor": f"s{i % 2}", "v": i, "state": "ok"} for i in range(10)])
    db.create_collection("rooms", timeseries={"timeField": "at", "metaField": "of", "granularity": "hours"})
    db["rooms"].insert_many([{"at": t + datetime.timedelta(hours=i), "of": {"room": i % 2, "floor": "b"}, "celsius": 20.5} for i in range(10)])
    for name, statement in (("sensors", "SELECT sensor, sum(v), min(state) FROM sensors GROUP BY 1 ORDER BY 1"), ("rooms", 'SELECT "of.room", count(*), avg(celsius) FROM rooms GROUP BY 1 ORDER BY 1')):
        text = mtsql(uri, "-qAtc", f"\\infer {name}").stdout
        check(f"\\infer {name}", "USING timeseries WITH" in text and " TIME NOT NULL" in text, text)
        r = mtsql(uri, "-qAtc", text, "-c", statement)
        same(f"{name} as declared", (r.stdout, r.stderr), ({"sensors": "s0|20|ok\ns1|25|ok\n", "rooms": "0|5|20.5\n1|5|20.5\n"}[name], ""))
    r = mtsql(uri, "-c", "CREATE TABLE other (ts timestamptz TIME FIELD 'at', who text DIMENSION, v integer MEASURE) USING timeseries WITH (collection = 'rooms')")
    check("another metaField", 'Its timeField is "at", and it has the metaField "of".' in r.stderr, r.stderr)


def test_none(uri, db):
    """The server makes an ordinary collection instead. Nothing is left of it."""
    refused(uri, "no such thing", CREATE, "this server has no time-series collections")
    same("nothing is left", [n for n in db.list_collection_names() if n != "_mtsql_catalog"], [])
    db["plain"].insert_one({"ts": datetime.datetime(2020, 1, 1), "v": 1})
    r = mtsql(uri, "-c", "CREATE TABLE plain (ts timestamptz TIME, v integer MEASURE) USING timeseries")
    check("an ordinary collection isn't attached", "It is an ordinary collection." in r.stderr, r.stderr)


def test_says_so():
    """Servers that refuse the option, by their code or by their message."""
    for code, text in ((72, "timeseries is not supported"), (40415, "BSON field 'create.timeseries' is an unknown field"), (238, "not implemented")):
        kept = keeping()
        with Fake({**kept, "create": lambda f, c: error(code, "No", text) if "timeseries" in c else kept["create"](f, c)}) as fake:
            refused(fake.uri, f"code {code}", CREATE, "this server has no time-series collections")
            same("asked in MongoDB's words", [c.get("timeseries") for c in fake.named("create") if "timeseries" in c],
                 [{"timeField": "t", "metaField": "meta", "granularity": "minutes"}])


def main():
    test_says_so()
    with database(chosen(), "timeseries") as uri:
        client = pymongo.MongoClient(uri)
        db = client.get_default_database()
        db.create_collection("tried", timeseries={"timeField": "t"})
        has = any("timeseries" in c.get("options", {}) for c in db.list_collections())
        db.drop_collection("tried")
        if has:
            test_made(uri, db)
            test_refused(uri)
            test_attached(uri, db)
        else:
            test_none(uri, db)
        client.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main())

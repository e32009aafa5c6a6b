#!/usr/bin/env python3
"""DELETE from tables of sums on a server, while others count into the same documents. The counts of
others that were not deleted must be there once, at every level.
"""
import re
import subprocess
import sys
import threading
import time

import pymongo

from checks import MTSQL, check, environment, finish, mtsql, same
from proxy import Gate
from server import chosen, database

CREATE = """CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (style = '%s');
CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING mms WITH (months = true);"""
NESTED = """CREATE LAYOUT nested_sums AS '{"keeps": "sums", "key": ["metric"], "stores": [{"collection": "nested_sums", "write": "inc", "id": [{"trunc": "day", "encoding": {"format": "%Y%m%d"}}, "/", {"column": "metric"}],
   "root": {"is": "document", "bind": [{"trunc": "day", "at": "d", "encoding": "date"}, {"column": "metric"}], "agg": {"measures": {"n": "t"}},
   "sub": {"is": "map", "at": "m", "bind": [{"part": "minute", "of": "day", "encoding": "text"}], "agg": {"measures": {"n": ""}}}}}]}';"""
EVENTS, WRITERS, DELETES = 60, 2, 12


def events(uri, table, values, told):
    """Sends single events: some in a minute that stays, some in a minute that is deleted. Returns
    how many were acknowledged.
    """
    statements = [f"INSERT INTO {table} VALUES ('2020-01-01 {9 + i % 3:02}:{minute}+00', {values}, 1)" for i in range(EVENTS) for minute in ("00", "30")]
    r = mtsql(uri, "-q", *[x for s in statements for x in ("-c", s)])
    told.append((r.returncode, r.stderr))


def together(uri, table, values):
    told, deleted = [], []
    writers = [threading.Thread(target=events, args=(uri, table, values, told)) for _ in range(WRITERS)]
    for w in writers:
        w.start()
    for _ in range(DELETES):
        deleted.append(mtsql(uri, "-c", f"DELETE FROM {table} WHERE extract(minute FROM ts) = 30"))
    for w in writers:
        w.join()
    same(f"{table}: events were acknowledged", told, [(0, "")] * WRITERS)
    bad = [r.stderr for r in deleted if r.returncode and "Run " not in r.stderr]
    same(f"{table}: deletes were done, or gave way", bad, [])
    check(f"{table}: some were done", any(r.stdout.startswith("DELETE ") and r.stdout.strip() != "DELETE 0" for r in deleted), str([r.stdout for r in deleted]))
    last = mtsql(uri, "-qtA", "-c", f"DELETE FROM {table} WHERE extract(minute FROM ts) = 30", "-c", f"SELECT sum(n) FROM {table}", "-c", f"SELECT date_trunc('hour', ts), sum(n) FROM {table} GROUP BY 1 ORDER BY 1",
                 "-c", f"SELECT date_trunc('month', ts), sum(n) FROM {table} GROUP BY 1")
    all = EVENTS * WRITERS
    same(f"{table}: nothing is lost, at no level", (last.stdout, last.stderr), (f"{all}\n" + "".join(f"2020-01-01 {h:02}:00:00+00|{all // 3}\n" for h in (9, 10, 11)) + f"2020-01-01 00:00:00+00|{all}\n", ""))
    r = mtsql(uri, "-qtA", "-c", f"CHECK TABLE {table}")
    same(f"{table}: no fault", (r.stdout, r.stderr), ("", ""))


def documents(db, name):
    return list(db[name].find())


def put(db, name, docs):
    db[name].delete_many({})
    db[name].insert_many(docs)


def halfway(uri):
    """When the DELETE runs, an INSERT has written the minutes of its events, but neither the hours
    nor the days. The DELETE must not count twice what the INSERT adds there later.
    """
    db = pymongo.MongoClient(uri).get_default_database()
    events = "INSERT INTO half SELECT timestamptz '2020-01-01 09:00+00' + i * interval '30 min', 'i', 'g', 'h' || i % %s, 1 FROM generate_series(0, 9) i"
    mtsql(uri, "-q", "-c", "CREATE TABLE half (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING mms WITH (months = true)",
          "-c", events.replace("%s", "2"))
    later = [n for n in db.list_collection_names() if n.startswith("half_")]
    before = {n: documents(db, n) for n in later}
    mtsql(uri, "-q", "-c", events.replace("%s", "4"))  # two more hosts
    after = {n: documents(db, n) for n in later}
    for n in later:
        put(db, n, before[n])
    intent = {"_id": {"kind": "intent", "name": "halfway"}, "kind": "intent", "name": "halfway", "body": {"table": "half", "what": "write"}}
    db["_mtsql_catalog"].insert_one(intent)
    delete = subprocess.Popen([MTSQL, "-X", uri, "-c", "DELETE FROM half WHERE extract(minute FROM ts) = 30"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    time.sleep(0.7)  # with less time, the DELETE may not be waiting yet
    for n in later:
        put(db, n, after[n])
    db["_mtsql_catalog"].delete_one({"_id": intent["_id"]})
    same("halfway: the rest was waited for", delete.communicate(timeout=120), ("DELETE 10\n", ""))
    r = mtsql(uri, "-qtA", "-c", "SELECT sum(n) FROM half", "-c", "SELECT date_trunc('month', ts), sum(n) FROM half GROUP BY 1", "-c", "CHECK TABLE half")
    same("halfway: counted once, at each level", (r.stdout, r.stderr), ("10\n2020-01-01 00:00:00+00|10\n", ""))
    intent["beats"] = 1
    db["_mtsql_catalog"].insert_one(intent)
    stop = threading.Event()

    def live():
        while not stop.wait(0.1):
            db["_mtsql_catalog"].update_one({"_id": intent["_id"]}, {"$inc": {"beats": 1}})

    beats = threading.Thread(target=live)
    beats.start()
    r = mtsql(uri, "-c", "\\set VERBOSITY verbose", "-c", "DELETE FROM half")
    stop.set()
    beats.join()
    db["_mtsql_catalog"].delete_one({"_id": intent["_id"]})
    check("halfway: one that goes on isn't waited for", r.returncode and "55006: " in r.stderr, r.stderr)
    same("halfway: then it goes", mtsql(uri, "-c", "DELETE FROM half").stdout, "DELETE 10\n")


def sooner(uri):
    """An UPDATE moves rows to a day without sums. Just before it writes that day's document, an
    INSERT makes the document.
    """
    port = int(re.search(r":(\d+)/", uri)[1])
    gate = Gate(port)
    mtsql(uri, "-q", "-c", "CREATE TABLE sooner (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING rows",
          "-c", "ALTER TABLE sooner ADD LAYOUT d USING daily_metrics", "-c", "INSERT INTO sooner VALUES ('2020-01-01', 'a', 1)")
    gate.hold("up", b"insert\0" + (9).to_bytes(4, "little") + b"sooner_d\0")
    update = subprocess.Popen([MTSQL, "-X", uri.replace(f":{port}/", f":{gate.port}/"), "-c", "UPDATE sooner SET ts = ts + interval '1 day' WHERE n = 1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    check("sooner: it came to the insert", gate.held.wait(60), "it didn't")
    same("sooner: counted", mtsql(uri, "-c", "INSERT INTO sooner VALUES ('2020-01-02', 'a', 5)").stdout, "INSERT 0 1\n")
    gate.go.set()
    same("sooner: begun again", update.communicate(timeout=120), ("UPDATE 1\n", ""))
    r = mtsql(uri, "-qtA", "-c", "SELECT date_trunc('day', ts), sum(n) FROM sooner GROUP BY 1", "-c", "CHECK TABLE sooner")
    same("sooner: both are there, at each level", (r.stdout, r.stderr), ("2020-01-02 00:00:00+00|6\n", ""))


def given_back(uri):
    """A DELETE has written the minutes when an INSERT counts there, and in the levels above, before
    the DELETE. The DELETE takes back its changes of the minutes, and begins again.
    """
    port = int(re.search(r":(\d+)/", uri)[1])
    gate, last = Gate(port), b"back_month_days"
    mtsql(uri, "-q", "-c", "CREATE TABLE back (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING mms WITH (months = true)",
          "-c", "INSERT INTO back SELECT timestamptz '2020-01-01 09:00+00' + i * interval '30 min', 'i', 'g', 'h' || i % 2, 1 FROM generate_series (0, 9) i")
    gate.hold("up", b"update\0" + (len(last) + 1).to_bytes(4, "little") + last + b"\0")
    delete = subprocess.Popen([MTSQL, "-X", uri.replace(f":{port}/", f":{gate.port}/"), "-c", "DELETE FROM back WHERE extract(minute FROM ts) = 30"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    check("given back: it came to the last documents", gate.held.wait(60), "it didn't")
    same("given back: counted", mtsql(uri, "-c", "INSERT INTO back SELECT timestamptz '2020-01-01 09:00+00' + i * interval '15 min', 'i', 'g', 'h' || i % 2, 1 FROM generate_series (0, 5) i").stdout, "INSERT 0 6\n")
    gate.go.set()
    same("given back: begun again, and all of it goes", delete.communicate(timeout=120), ("DELETE 6\n", ""))
    r = mtsql(uri, "-qtA", "-c", "SELECT sum(n) FROM back", "-c", "SELECT date_trunc('month', ts), sum(n) FROM back GROUP BY 1", "-c", "CHECK TABLE back")
    same("given back: the rest is there, at each level", (r.stdout, r.stderr), ("10\n2020-01-01 00:00:00+00|10\n", ""))


def mended(uri):
    """REPAIR of documents into which others count. It makes the sums anew from the cells that are
    there then, and no event is lost.
    """
    db = pymongo.MongoClient(uri).get_default_database()
    create = NESTED + CREATE.split(";")[0].replace("hits", "bad").split(" USING ")[0] + " USING nested_sums"
    made = mtsql(uri, "-q", *[x for s in create.split(";") for x in ("-c", s)], "-c", "INSERT INTO bad SELECT '2020-01-01 09:00+00', 'm' || i, 1 FROM generate_series(1, 400) i")
    same("mended: made", made.stderr, "")
    stop, sent = threading.Event(), []

    def count():
        r = subprocess.Popen([MTSQL, "-X", "-q", uri], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        n = 0
        while not stop.is_set():
            n += 1
            r.stdin.write(f"INSERT INTO bad VALUES ('2020-01-01 10:00+00', 'm{n * 37 % 400 + 1}', 1);\n")
            r.stdin.flush()
        sent.append((n, r.communicate()[1]))

    writers = [threading.Thread(target=count) for _ in range(WRITERS)]
    for w in writers:
        w.start()
    told = []
    for _ in range(3):
        db["nested_sums"].update_many({}, {"$inc": {"t": 1000}})
        told.append(mtsql(uri, "-c", "REPAIR TABLE bad").stderr)
    stop.set()
    for w in writers:
        w.join()
    check("mended: beside events", "corrected" in "".join(told) and all("ERROR" not in t or "Run " in t for t in told), str(told))
    same("mended: events were acknowledged", [e for _, e in sent], [""] * WRITERS)
    mtsql(uri, "-c", "REPAIR TABLE bad")
    r = mtsql(uri, "-qtA", "-c", "SELECT sum(n) FROM bad WHERE extract(minute FROM ts) = 0", "-c", "SELECT sum(n) FROM bad", "-c", "CHECK TABLE bad")
    events = 400 + sum(n for n, _ in sent)
    same("mended: nothing is lost", (r.stdout[:400], r.stderr), (f"{events}\n{events}\n", ""))


def main():
    with database(chosen(), "delete_sums") as uri:
        same("made", mtsql(uri, "-q", "-c", CREATE % "hierarchical").stderr, "")
        together(uri, "hits", "'m'")
        together(uri, "mem", "'i', 'g', 'h'")
        halfway(uri)
        sooner(uri)
        given_back(uri)
        mended(uri)
        same("all of it", mtsql(uri, "-qtA", "-c", "DELETE FROM hits", "-c", "SELECT sum(n) FROM hits").stdout, "\n")
    return finish()


if __name__ == "__main__":
    sys.exit(main())

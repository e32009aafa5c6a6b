#!/usr/bin/env python3
"""Data of other programs. Collections that pymongo, mongoimport and mongorestore wrote are declared
and queried unchanged. A mongodump of a server is read in process. A dump of mtsql is restored into
a server, equal. Raw pipelines give the same on the server and in process.
"""
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

import bson
import packed
import pymongo
from checks import finish, same as check
from documents import canonical, relaxed
from server import HERE, chosen, drop, Server, with_database
import mtsql


def tool(bin_, name, *args):
    p = subprocess.run([os.path.join(bin_, name), *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    check(f"{name} ends well", (p.returncode, "" if p.returncode == 0 else p.stdout), (0, ""))


# ---- three ways in which the same documents come into a server ----


def by_pymongo(bin_, uri, docs, folder):
    db = pymongo.MongoClient(uri).get_default_database()
    for name, list_ in docs.items():
        db[name].insert_many(list_)


def by_mongoimport(bin_, uri, docs, folder):
    for name, list_ in docs.items():
        path = os.path.join(folder, name + ".json")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(canonical(d) + "\n" for d in list_)
        tool(bin_, "mongoimport", "--quiet", f"--uri={uri}", f"--collection={name}", f"--file={path}")


def by_mongorestore(bin_, uri, docs, folder):
    os.makedirs(os.path.join(folder, "given", "db"))
    for name, list_ in docs.items():
        with open(os.path.join(folder, "given", "db", name + ".bson"), "wb") as f:
            f.writelines(bson.encode(d) for d in list_)
    database = pymongo.uri_parser.parse_uri(uri)["database"]
    server = with_database(uri, "")  # with a database in the URI, others are not restored
    tool(bin_, "mongorestore", "--quiet", f"--uri={server}", "--nsFrom=db.*", f"--nsTo={database}.*", os.path.join(folder, "given"))


WRITERS = {"pymongo": by_pymongo, "mongoimport": by_mongoimport, "mongorestore": by_mongorestore}


# ---- questions, and what the records answer ----


def questions(rows):
    """Returns table -> [(statement, rows)]."""
    periods, pairs, apps = defaultdict(int), defaultdict(int), Counter()
    for t, r, c, a, n, ms in rows:
        periods[t] += 1
        apps[a] += ms
        if a:
            pairs[t, c] += n
    text = lambda pairs: sorted(tuple(str(v) for v in p) for p in pairs)
    common = [
        ("SELECT extract(epoch FROM ts)::bigint, count(*) FROM {} GROUP BY ts", text(periods.items())),
        ("SELECT extract(epoch FROM ts)::bigint, vCmdid, sum(totalCount) FROM {} WHERE vAppid <> '' GROUP BY ts, vCmdid", text((t, c, n) for (t, c), n in pairs.items())),
        ("SELECT vAppid, sum(dProcessTime)::bigint FROM {} GROUP BY vAppid", text((a, int(v)) for a, v in apps.items())),
        (f"SELECT count(*), sum(totalCount) FROM {{}} WHERE vAppid = 'a.b$c' AND ts >= to_timestamp({packed.FIRST + 600})",
         text([(sum(a == "a.b$c" and t >= packed.FIRST + 600 for t, _, _, a, _, _ in rows), sum(n for t, _, _, a, n, _ in rows if a == "a.b$c" and t >= packed.FIRST + 600))])),
    ]
    found = {name: [(sql.format(name), expected) for sql, expected in common] for name in ("rows", "days", "packed")}
    found["memory"] = [("SELECT type, count(*), sum(value) FROM memory GROUP BY type", [("memory_used", str(5 * 58), str(5 * 58 * 1000000))])]
    return found


def ask(what, target, rows):
    asked = questions(rows)
    statements = list(packed.DECLARE.values()) + [sql for list_ in asked.values() for sql, _ in list_]
    answers = mtsql.run(statements, target)
    for sql, a in zip(packed.DECLARE.values(), answers):
        check(f"{what}: {sql}", a.error, None)
    flat = [x for list_ in asked.values() for x in list_]
    for (sql, expected), a in zip(flat, answers[len(packed.DECLARE):]):
        check(f"{what}: {sql}", a.error or sorted(a.rows), expected)


# ---- raw pipelines: those published for these documents ----

RAW = [
    ("by_row", [{"$group": {"_id": "$timestamp", "count": {"$sum": 1}}}, {"$sort": {"_id": 1}}]),
    ("by_row", [{"$match": {"vAppid": {"$ne": ""}}}, {"$group": {"_id": {"t": "$timestamp", "c": "$vCmdid"}, "n": {"$sum": "$totalCount"}}}, {"$sort": {"_id": 1}}]),
    ("nested", [{"$unwind": "$_"}, {"$group": {"_id": "$_.d", "count": {"$sum": "$_.c"}}}, {"$sort": {"_id": 1}}]),
    ("nested", [{"$unwind": "$_"}, {"$unwind": "$_._"}, {"$unwind": "$_._._"}, {"$group": {"_id": "$_.d", "count": {"$sum": {"$size": "$_._._.v"}}}}, {"$sort": {"_id": 1}}]),
    ("nested", [{"$match": {"vAppid": {"$ne": ""}}}, {"$unwind": "$_"}, {"$group": {"_id": "$_.d", "n": {"$sum": "$_.0"}}}, {"$sort": {"_id": 1}}]),
    ("per_day", [{"$unwind": "$values"}, {"$group": {"_id": "$values.t", "n": {"$sum": "$values.1"}}}, {"$sort": {"_id": 1}}]),
    ("memory", [{"$project": {"v": {"$objectToArray": "$values"}}}, {"$unwind": "$v"}, {"$group": {"_id": "$v.k", "s": {"$sum": "$v.v"}}}, {"$sort": {"_id": 1}}]),
]


def raw(target, collection, pipeline):
    return [relaxed(canonical(d)) for d in mtsql.dump(target, collection, pipeline)]


def check_raw(uri, dump):
    db = pymongo.MongoClient(uri, tz_aware=True).get_default_database()
    for collection, pipeline in RAW:
        direct = [relaxed(canonical(d)) for d in db[collection].aggregate(pipeline)]
        check(f"--aggregate {collection} {json.dumps(pipeline)} through mtsql", raw(uri, collection, pipeline), direct)
        check(f"--aggregate {collection} {json.dumps(pipeline)} in process", raw(dump, collection, pipeline), direct)


# ---- there and back ----


def contents(target):
    """Returns {collection: its documents, sorted} of a folder of mongodump's, or of a server's
    database.
    """
    if "://" in target:
        db = pymongo.MongoClient(target).get_default_database()
        return {name: sorted(bson.encode(d) for d in db[name].find()) for name in sorted(db.list_collection_names())}
    found = {}
    for folder, _, files in os.walk(target):
        for f in sorted(files):
            if f.endswith(".bson"):
                found[f[:-5]] = sorted(bson.encode(d) for d in bson.decode_file_iter(open(os.path.join(folder, f), "rb")))
    return found


def round_trip(bin_, server, folder, rows):
    """Dumps a store of mtsql, restores it into a server, and dumps the server with both programs.
    """
    store, back = os.path.join(folder, "calls.mts"), with_database(server, f"back_{os.getpid()}")
    values = ", ".join("(to_timestamp(%d), '%s', '%s', '%s', %d, %s)" % (t, r, c, a.replace("'", "''"), n, ms) for t, r, c, a, n, ms in rows[:300])
    made = mtsql.run([f"CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, {packed.COLUMNS.replace('DIMENSION', 'DIMENSION NOT NULL')}) USING rows",
                      "ALTER TABLE calls ADD LAYOUT by_time USING nested WITH (levels = 'ts, vCmdid, iResult, vAppid', presum = 'ts, vCmdid')", "ALTER TABLE calls ADD LAYOUT by_day USING per_day",
                      f"INSERT INTO calls VALUES {values}", "ANALYZE calls"], store)
    for a in made:
        a.must()
    first, again = os.path.join(folder, "first"), os.path.join(folder, "again")
    mtsql_dump(first, store)
    tool(bin_, "mongorestore", "--quiet", f"--uri={server}", "--nsFrom=calls.*", f"--nsTo=back_{os.getpid()}.*", first)
    try:
        check("what was restored", contents(back), contents(first))
        mtsql_dump(again, back)
        check("mtsql's dump of the server", contents(again), contents(first))
        query = ["SELECT vCmdid, count(*), sum(totalCount), min(dProcessTime), max(ts) FROM calls GROUP BY vCmdid ORDER BY 1", "SET layout = 'by_time'",
                 "SELECT ts, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts ORDER BY ts"]
        there, here, read = (mtsql.run(query, t) for t in (back, store, first))
        for i in (0, 2):
            check(f"{query[i]} on the server", there[i].must(), here[i].must())
            check(f"{query[i]} on the dump", read[i].must(), here[i].must())
    finally:
        drop(back)


def mtsql_dump(folder, target):
    p = subprocess.run([mtsql.MTSQL, "-X", "--dump", folder, target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    check(f"--dump of {os.path.basename(target)}", (p.returncode, p.stdout), (0, ""))


def one_writer(writer, bin_, server, rows, docs, folder):
    uri = with_database(server, f"{writer}_{os.getpid()}")
    os.makedirs(os.path.join(folder, writer))
    try:
        WRITERS[writer](bin_, uri, docs, os.path.join(folder, writer))
        dump = os.path.join(folder, writer, "dump")
        tool(bin_, "mongodump", "--quiet", f"--uri={uri}", f"--out={dump}")
        check(f"{writer}: what mongodump wrote", {n: len(d) for n, d in contents(dump).items()}, {n: len(d) for n, d in docs.items()})
        check_raw(uri, dump)
        ask(f"mongodump of {writer}'s", dump, rows)
        ask(f"{writer}'s on the server", uri, rows)
    finally:
        drop(uri)


def main():
    p = subprocess.run(["bash", os.path.join(HERE, "tools.sh")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode:
        print("SKIP no mongodump: " + p.stderr.strip())
        return p.returncode
    rows = packed.records()
    docs = packed.collections(rows)
    with Server(chosen()) as server, tempfile.TemporaryDirectory(prefix="tools-") as folder:
        for writer in WRITERS:
            one_writer(writer, p.stdout.strip(), server, rows, docs, folder)
        round_trip(p.stdout.strip(), server, folder, rows)
    return finish()


sys.exit(main())

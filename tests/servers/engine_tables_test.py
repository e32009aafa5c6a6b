#!/usr/bin/env python3
"""The engine's tables (tests/engine/*.json) on a real server, which must give what mtsql's own
engine gives.

If a server differs from MongoDB's manual, the case is in its *_faults.json, with the reason. The
case must go on differing, or the entry has to go. A server given by its URI has no such list.
"""
import glob
import os
import sys

import checks
import pymongo
from bson import json_util
from documents import OPTIONS, canonical, relaxed
from server import Server, chosen, faults

TABLES = checks.ROOT / "tests" / "engine"
# SecantusDB refuses few wrong arguments, has few keywords of schemas, and collates few stages. DocumentDB refuses collations. Neither has the operators of encode.json, which are
# those of MongoDB 8.3.
LEFT_OUT = {"secantus": ["codes", "schema", "collation", "encode"], "documentdb": ["collation", "encode"]}


def outcome(db, case):
    """('rows', [...]) or ('error', message)."""
    for name, docs in [("c", case["docs"]), *case.get("other", {}).items()]:
        db.drop_collection(name)
        if docs:  # None: a collection that does not exist
            db[name].insert_many(docs)
    try:
        source = db if case.get("no_collection") else db["c"]
        cursor = source.aggregate(case["pipeline"], collation=case.get("collation"))
        rows = [canonical(d) for d in cursor]
    except pymongo.errors.PyMongoError as e:
        return "error", str(e).split(", full error")[0]
    return "rows", rows if case.get("ordered") else sorted(rows)


def same(case, got):
    if "error" in case or "code" in case:
        return got[0] == "error"
    if got[0] == "error":
        return False
    wanted = [canonical(d) for d in case["expected"]]
    wanted = wanted if case.get("ordered") else sorted(wanted)
    norm = (lambda rows: list(map(relaxed, rows))) if case.get("ordered") else (lambda rows: sorted(map(relaxed, rows)))
    return norm(got[1]) == norm(wanted)


def cases(server):
    for path in sorted(glob.glob(os.path.join(TABLES, "*.json"))):
        if os.path.basename(path)[:-5] in LEFT_OUT.get(server, []):
            continue
        docs = []
        for case in json_util.loads(open(path, encoding="utf-8").read(), json_options=OPTIONS):
            docs = case.setdefault("docs", docs)
            if "$_mt" not in canonical(case["pipeline"]):  # stages and operators of mtsql's own engine
                yield f"{os.path.basename(path)[:-5]}: {case['name']}", case


def main():
    known = faults(chosen())
    with Server() as uri:
        db = pymongo.MongoClient(uri, serverSelectionTimeoutMS=10000)[f"tables_{os.getpid()}"]
        for name, case in cases(chosen()):
            got = outcome(db, case)
            if name in known:
                checks.check(name, not same(case, got), "   the server is right now; take the case out of its list of faults")
            else:
                wanted = case.get("error") or case.get("code") or [canonical(d) for d in case["expected"]]
                checks.check(name, same(case, got), f"   pipeline {canonical(case['pipeline'])}\n   got      {got}\n   expected {wanted}")
        db.client.drop_database(db.name)
    return checks.finish()


sys.exit(main())

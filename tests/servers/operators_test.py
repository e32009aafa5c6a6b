#!/usr/bin/env python3
"""The table of operators (tests/unit/data/operators.txt) on a real server, which must answer like
mtsql's own executor.

Known faults are listed as for the engine's tables, under "operators: " and the line.
"""
import os
import sys

import checks
import pymongo
from bson import json_util
from documents import OPTIONS, canonical, relaxed
from server import Server, chosen, faults

TABLE = checks.ROOT / "tests" / "unit" / "data" / "operators.txt"


def lines():
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield line, *line.rsplit(" => ", 1)


def evaluate(coll, expression):
    """Returns canonical JSON of the value, 'missing', or 'error' with the message."""
    try:
        doc = next(iter(coll.aggregate([{"$project": {"_id": 0, "r": json_util.loads(expression, json_options=OPTIONS)}}])))
    except pymongo.errors.PyMongoError as e:
        return "error " + str(e).split(", full error")[0]
    return canonical(doc["r"]) if "r" in doc else "missing"


def same(wanted, got):
    if wanted.startswith("!"):
        return got.startswith("error ")
    if wanted == "missing" or got == "missing" or got.startswith("error "):
        return wanted == got
    return relaxed('{"r": %s}' % canonical(json_util.loads('{"r": %s}' % wanted, json_options=OPTIONS)["r"])) == relaxed('{"r": %s}' % got)


def main():
    known = faults(chosen())
    with Server() as uri:
        db = pymongo.MongoClient(uri, serverSelectionTimeoutMS=10000)[f"operators_{os.getpid()}"]
        db.c.insert_one({"_id": 1})
        for line, expression, wanted in lines():
            got = evaluate(db.c, expression)
            if f"operators: {line}" in known:
                checks.check(line, not same(wanted, got), "   the server is right now; take it out of its list of faults")
            else:
                checks.check(line, same(wanted, got), f"   got {got}")
        db.client.drop_database(db.name)
    return checks.finish()


sys.exit(main())

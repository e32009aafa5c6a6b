#!/usr/bin/env python3
"""The table of operators (tests/unit/data/operators.txt) on a real server: what mtsql's own executor answers must be what a server answers.

Known faults as for the engine's tables, by "operators: " and the line.
"""
import os
import sys

import pymongo
from bson import json_util
from documents import OPTIONS, canonical, relaxed
from server import Server, chosen, faults

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(os.path.dirname(HERE), "unit", "data", "operators.txt")


def lines():
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield line, *line.rsplit(" => ", 1)


def evaluate(coll, expression):
    """Canonical JSON of the value, 'missing', or 'error' with the message."""
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
    known, passed, wrong = faults(chosen()), 0, []
    with Server() as uri:
        db = pymongo.MongoClient(uri, serverSelectionTimeoutMS=10000)[f"operators_{os.getpid()}"]
        db.c.insert_one({"_id": 1})
        for line, expression, wanted in lines():
            got = evaluate(db.c, expression)
            if same(wanted, got) != (f"operators: {line}" in known):
                passed += 1
            elif f"operators: {line}" in known:
                wrong.append(f"{line}\n   the server is right now; take it out of its list of faults")
            else:
                wrong.append(f"{line}\n   got {got}")
        db.client.drop_database(db.name)
    for w in wrong:
        print("FAIL " + w)
    print(f"{passed} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


sys.exit(main())

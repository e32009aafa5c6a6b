#!/usr/bin/env python3
"""Finds out by trying what each server can do. Writes the table in docs/servers.md, between its
marks.

    probe.py [SERVER|URI]...     with arguments, it prints only the columns of these servers
"""
import datetime
import os
import sys
import textwrap
import time

import pymongo
from bson import Decimal128, Int64
from server import database, faults

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "servers.md")
TESTED = ["secantus", "documentdb"]
BEGIN, END = "<!-- made by tests/servers/probe.py -->\n", "<!-- end of what probe.py made -->\n"
UTC = datetime.timezone.utc
NEW_YEAR = datetime.datetime(2015, 1, 1, 1, 1, tzinfo=UTC)


def rows(db, pipeline, coll="c"):
    return list(db[coll].aggregate(pipeline))


def value(db, expression):
    return rows(db, [{"$match": {"_id": 1}}, {"$project": {"_id": 0, "r": expression}}])[0].get("r")


def has_stage(expected, *pipeline):
    return lambda db: [d.get("r") for d in rows(db, list(pipeline))] == expected


def is_value(expected, expression):
    return lambda db: value(db, expression) == expected


def uses_index(db):
    """Returns whether explain shows an index: IXSCAN, or PostgreSQL's Index Scan in DocumentDB."""
    db.indexed.insert_many([{"_id": i, "k": i % 100} for i in range(3000)])
    db.indexed.create_index("k")
    plan = str(db.command("explain", {"aggregate": "indexed", "pipeline": [{"$match": {"k": 2}}], "cursor": {}}, verbosity="queryPlanner"))
    return "IXSCAN" in plan or ("Index Scan" in plan and "'Index Name': 'k_1'" in plan)


def sorts_by_index(db):
    """Returns whether the index gives the order. Call it after uses_index."""
    plan = str(db.command("explain", {"aggregate": "indexed", "pipeline": [{"$sort": {"k": -1}}, {"$limit": 5}], "cursor": {}}, verbosity="queryPlanner"))
    return "IXSCAN" in plan or "'Index Name': 'k_1'" in plan


def time_series(db):
    """Returns whether the server has time-series collections. Some make an ordinary collection
    without an error.
    """
    db.create_collection("series", timeseries={"timeField": "t", "metaField": "m"})
    if not any("timeseries" in c.get("options", {}) for c in db.list_collections()):
        return False
    db.series.insert_many([{"t": NEW_YEAR, "m": "a", "v": 1}, {"t": NEW_YEAR, "m": "a", "v": 2}])
    return rows(db, [{"$group": {"_id": "$m", "r": {"$sum": "$v"}}}], "series")[0]["r"] == 3


def transaction(commit):
    def tried(db):
        db.create_collection(f"t{commit}")
        with db.client.start_session() as s:
            s.start_transaction()
            db[f"t{commit}"].insert_one({"_id": 1}, session=s)
            s.commit_transaction() if commit else s.abort_transaction()
        return db[f"t{commit}"].count_documents({}) == commit
    return tried


def retried_once(db):
    with db.client.start_session() as s:
        command = {"insert": "retried", "documents": [{"x": 1}], "lsid": s.session_id, "txnNumber": Int64(1)}
        for _ in range(2):
            db.command(command)
    return db.retried.count_documents({}) == 1


def stops_in_time(db):
    big = [{"$documents": [{"a": list(range(1500))}]}] + [{"$set": {"b": "$a"}}, {"$unwind": "$a"}, {"$unwind": "$b"}, {"$group": {"_id": {"$mod": ["$a", 7]}, "n": {"$sum": "$b"}}}]
    start = time.monotonic()
    try:
        list(db.aggregate(big, maxTimeMS=50))
    except pymongo.errors.ExecutionTimeout:
        return time.monotonic() - start < 30
    return False


def knows_command(name, **args):
    def tried(db):
        try:
            db.client.admin.command(name, **args)
        except pymongo.errors.OperationFailure as e:
            return e.code not in (59, 115, 238) and "no such command" not in str(e) and "not implemented" not in str(e).lower()
        return True
    return tried


def refuses_big(db):
    try:
        db.big.insert_one({"x": "x" * (16 << 20)})
    except pymongo.errors.PyMongoError:
        return True
    return False


# an ability, and a function of the database that returns whether it is there; an error means no
ABILITIES = [
    ("`$documents`", lambda db: list(db.aggregate([{"$documents": [{"r": 1}]}])) == [{"r": 1}]),
    ("`$unionWith` with a pipeline", has_stage([1, 2, 1, 2], {"$unionWith": {"coll": "c", "pipeline": []}}, {"$project": {"r": "$_id"}})),
    ("`$facet`", has_stage([1], {"$facet": {"x": [{"$limit": 1}]}}, {"$project": {"r": {"$size": "$x"}}})),
    ("`$facet` gives a document where the collection doesn't exist", lambda db: len(rows(db, [{"$facet": {"x": [{"$limit": 1}]}}], "none")) == 1),
    ("`$lookup` with a pipeline", has_stage([2, 2], {"$lookup": {"from": "c", "pipeline": [], "as": "x"}}, {"$project": {"r": {"$size": "$x"}}})),
    ("`$setWindowFields`", has_stage([1, 3], {"$setWindowFields": {"sortBy": {"_id": 1}, "output": {"r": {"$sum": "$_id", "window": {"documents": ["unbounded", "current"]}}}}}, {"$project": {"r": 1}})),
    ("`$densify`", has_stage([1, 1.5, 2], {"$densify": {"field": "_id", "range": {"step": 0.5, "bounds": "full"}}}, {"$project": {"r": "$_id"}})),
    ("`$fill`", has_stage([5, 5], {"$fill": {"output": {"r": {"value": 5}}}}, {"$project": {"r": 1}})),
    ("`$percentile`", has_stage([[1]], {"$group": {"_id": None, "r": {"$percentile": {"input": "$_id", "p": [0.5], "method": "approximate"}}}})),
    ("`$topN`", has_stage([[2]], {"$group": {"_id": None, "r": {"$topN": {"n": 1, "sortBy": {"_id": -1}, "output": "$_id"}}}})),
    ("`$sample`", lambda db: len(rows(db, [{"$sample": {"size": 2}}])) == 2),
    ("`$merge`", lambda db: rows(db, [{"$merge": "merged"}]) == [] and db.merged.count_documents({}) == 2),
    ("`$collStats` counts documents and bytes", lambda db: (lambda s: s["count"] == 2 and s["size"] > 0)(rows(db, [{"$collStats": {"storageStats": {}}}])[0]["storageStats"])),
    ("`$dateTrunc` to hours", is_value(NEW_YEAR.replace(minute=0), {"$dateTrunc": {"date": "$t", "unit": "hour"}})),
    ("`$dateTrunc` to days and weeks", is_value([NEW_YEAR.replace(hour=0, minute=0), datetime.datetime(2014, 12, 29, tzinfo=UTC)],
                                              [{"$dateTrunc": {"date": "$t", "unit": "day"}}, {"$dateTrunc": {"date": "$t", "unit": "week", "startOfWeek": "monday"}}])),
    ("`$dateTrunc` in a zone", is_value(datetime.datetime(2014, 12, 31, 18, 15, tzinfo=UTC), {"$dateTrunc": {"date": "$t", "unit": "quarter", "timezone": "Asia/Kathmandu"}})),
    ("`$regexMatch` of a computed text", is_value(True, {"$regexMatch": {"input": {"$toUpper": "$s"}, "regex": "^AB"}})),
    ("`$zip` of a constant", is_value([[1, 2]], {"$zip": {"inputs": [{"$ifNull": [{"$literal": [1]}, []]}, {"$ifNull": [{"$literal": [2]}, []]}]}})),
    ("decimals keep 34 digits", is_value(Decimal128("12345678901234567890123456789.01235"), {"$add": [{"$toDecimal": "$d"}, Decimal128("0.00000")]})),
    ("sums of int64 don't overflow into an error", lambda db: isinstance(rows(db, [{"$group": {"_id": None, "r": {"$sum": "$big"}}}])[0]["r"], (float, int))),
    ("an index serves `$match`, says explain", uses_index),
    ("an index serves `$sort` with `$limit`, says explain", sorts_by_index),
    ("time-series collections", time_series),
    ("transactions: what is committed is there", transaction(True)),
    ("transactions: what is aborted isn't", transaction(False)),
    ("a retried write is applied once (txnNumber)", retried_once),
    ("maxTimeMS ends an aggregation", stops_in_time),
    ("the command killSessions", knows_command("killSessions", **{"killSessions": []})),
    ("the command killOp", knows_command("killOp", op=0)),
    ("a document over 16 MB is refused", refuses_big),
]


def tried(ability, db):
    try:
        return "yes" if ability(db) else "no"
    except Exception:  # any error means no
        return "no"


def column(name):
    """Returns [yes or no] of a server, in the order of ABILITIES."""
    with database(name, "probe") as target:
        db = pymongo.MongoClient(target, tz_aware=True, serverSelectionTimeoutMS=10000).get_default_database()
        db.c.insert_many([{"_id": 1, "t": NEW_YEAR, "s": "abc", "d": "12345678901234567890123456789.01235", "k": 1, "big": Int64(2**63 - 1)}, {"_id": 2, "k": 2, "big": Int64(2**63 - 1)}])
        return [tried(ability, db) for _, ability in ABILITIES]


def table(columns):
    """Returns the table. columns: {server: its column}."""
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {what} | " + " | ".join(c[i] for c in columns.values()) + " |" for i, (what, _) in enumerate(ABILITIES)]
    return "".join(line + "\n" for line in lines)


def faults_text(name):
    """Returns a line for each case. Five or more cases of a table with the same reason share one
    line.
    """
    lines, groups = [f"\n### What {name} gets wrong, by MongoDB's manual\n\n"], {}
    for case, why in faults(name).items():
        what = case.split(" => ")[0] if case.startswith("operators: ") else case
        groups.setdefault((case.split(": ")[0], why), []).append(what)
    for (_, why), cases in groups.items():
        for what in cases if len(cases) < 5 else [f"{cases[0]}, and {len(cases) - 1} like it"]:
            lines.append(textwrap.fill(f"- {what} — {why}", 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + "\n")
    return "".join(lines)


def section(columns):
    return BEGIN + "\n" + table(columns) + "".join(faults_text(n) for n in columns) + "\n" + END


def main():
    names = sys.argv[1:] or TESTED
    columns = {n: column(n) for n in names}
    if names != TESTED:
        print(table(columns), end="")
        return 0
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text[:text.index(BEGIN)] + section(columns) + text[text.index(END) + len(END):])
    return 0


if __name__ == "__main__":
    sys.exit(main())

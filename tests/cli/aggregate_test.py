#!/usr/bin/env python3
"""--aggregate reads what mongosh reads, and what EXPLAIN prints, which gives the documents of the same pipeline in extended JSON; errors have a place and a hint."""
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import command
from cases import check, finish, same

SETUP = """CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, ms double precision MEASURE,
   price numeric MEASURE, at timestamptz MEASURE) USING rows;
INSERT INTO calls VALUES ('2015-04-11 18:32+00', '0', 1, 1.5, 9.99, '1960-01-01 00:00+00'), ('2015-04-11 18:33+00', '-1', 9007199254740993, -0.0, 0.10, NULL),
   ('2015-04-12 00:00+00', 'it''s "x"', -6, 1e300, NULL, '2015-01-01 00:00:00.123+00');"""
STATEMENTS = [
    "SELECT iResult, count(*), sum(n), avg(ms) FROM calls GROUP BY iResult ORDER BY 1",
    "SELECT n FROM calls WHERE at < '1965-01-01' OR price > 9.5 OR ms = 1e300 OR n > 9007199254740992",
    "SELECT iResult FROM calls WHERE iResult IN ('it''s \"x\"', '0') ORDER BY ts DESC LIMIT 2",
    "SELECT date_trunc('hour', ts), sum(n) FROM calls WHERE ts >= '2015-04-11 18:33+00' GROUP BY 1 ORDER BY 1",
    "SELECT n, rank() OVER (ORDER BY n) FROM calls",
    "SELECT 1 + 1, 'it''s'",
]
READ = [
    ("[{$match: {n: {$gt: 0}}}, {$count: 'c'}]", '{"c":{"$numberInt":"2"}}'),
    ("[{$match: {iResult: /^IT/i}}, {$project: {_id: 0, n: 1}},] // odd", '{"n":{"$numberLong":"-6"}}'),
    ("[{$match: {timestamp: {$gte: 1428796800}}}, {$project: {_id: 0, n: 1}}]", '{"n":{"$numberLong":"-6"}}'),
    ("""db.calls.aggregate([{$match: {iResult: "0"}}, {$project: {_id: 0, t: {$type: '$n'}, d: {$toString: {$add: [ISODate('2024-01-31T00:00:00Z'), 1000 * 60]}}}}], {allowDiskUse: true});""",
     '{"t":"long","d":"2024-01-31T00:01:00.000Z"}'),
]
# A search that backtracks much: it is made by a DFA, or without JIT's small stack, or it fails. It never counts as no match.
MANY = "[{$documents: [{s: '%s'}]}, {$match: {s: %s}}, {$project: {n: {$strLenCP: '$s'}}}]"
FIND = "[{$documents: [{s: '%s'}]}, {$project: {n: {$strLenCP: {$getField: {field: 'match', input: {$regexFind: {input: '$s', regex: '^(a|b)*c$'}}}}}}}]"
STEPS = [
    (MANY % ("a" * 40 + "b", "/^(?:a|aa)*c|b$/"), '{"n":{"$numberInt":"41"}}'),
    (MANY % ("a" * 40 + "b", "{$in: [/^(?:a|aa)*c|b$/]}"), '{"n":{"$numberInt":"41"}}'),
    (MANY % ("a" * 40 + "b", "{$not: /^(?:a|aa)*c|b$/}"), ""),
    (MANY % ("a" * 40 + "b", "/^(a|aa)*c|(?>b)$/"), "ERROR:  $regex: the regular expression backtracks too much"),
    (MANY % ("a" * 40 + "b", "{$not: /^(a|aa)*c|b++$/}"), "ERROR:  $regex: the regular expression backtracks too much"),
    (MANY % ("ab" * 20000 + "c", "/^(a|b)*c$/"), '{"n":{"$numberInt":"40001"}}'),
    (FIND % ("ab" * 20000 + "c"), '{"n":{"$numberInt":"40001"}}'),
]
WRONG = [
    ("calls", "[{$match: {n: 1}}", ["syntax error at end of input", "LINE 1: [{$match: {n: 1}}", 'DETAIL:  Expected "," or "]".']),
    ("calls", "[\n  {$match: {_id: ObjectID('5f43a1b2c3d4e5f601234567')}}\n]", ['at or near "ObjectID"', "LINE 2:   {$match: {_id: ObjectID(", "                         ^", "HINT:  Perhaps you meant ObjectId."]),
    ("calls", "[{$match: {n: x}}]", ["Variables and functions of JavaScript are not supported."]),
    ("calls", "{$match: {}}", ["a pipeline is an array of stages"]),
    ("calls", "db.other.aggregate([])", ['the pipeline reads "other", but the argument names "calls"', "           ^"]),
    ("calls", "db.calls.aggregate([], {readConcern: {}})", ['option "readConcern" of aggregate is not supported', "HINT:  Leave the option out.", "                         ^"]),
    ("calls", "[{$project: {x: {$toHashedIndexKey: '$n'}}}]", ["$toHashedIndexKey is not supported: it is the hash of a server's index"]),
    ("calls", "db.calls.aggregate([], {let: 3})", ['option "let" of aggregate must be an object']),
    ("calls", "db.calls.aggregate([], {batchSize: -1})", ['option "batchSize" of aggregate must be a whole number']),
    ("calls", "db.calls.aggregate([], {hint: 'x'})", ["hint provided does not correspond to an existing index", "HINT:  In process there is only the index on _id."]),
    ("calls", "db.calls.aggregate([], {collation: {locale: 'de'}})", ["collations are not supported in process"]),
    ("calls", "db.calls.aggregate([], {let: {x: {$divide: [1, 0]}}})", ["can't $divide by zero"]),
    ("", "db.aggregate([{$documents: [{}]}, {$project: {a: {$range: [0, 1000000]}}}, {$unwind: '$a'}, {$group: {_id: '$a'}}], {maxTimeMS: 20})", ["canceling statement due to statement timeout"]),
]
# options of aggregate
OPTIONS = [
    ("db.calls.aggregate([{$match: {$expr: {$gt: ['$n', '$$least']}}}, {$count: 'c'}], {let: {least: {$add: [0, 0]}, none: '$x'}, hint: {_id: 1}, batchSize: 1, maxTimeMS: 60000, comment: 'x', collation: {locale: 'simple'}})", '{"c":2}'),
    ("db.calls.aggregate([{$limit: 1}, {$lookup: {from: 'calls', pipeline: [{$match: {$expr: {$eq: ['$n', '$$one']}}}], as: 'l'}}, {$project: {_id: 0, l: {$size: '$l'}}}], {let: {one: 1}, hint: '_id_'})", '{"l":1}'),
    ("db.calls.aggregate([{$match: {n: 1}}, {$project: {_id: 0, n: 1, ms: 1, price: 1}}])", '{"n":1,"ms":1.5,"price":{"$numberDecimal":"9.99"}}'),
]


def aggregate(target, collection, pipeline):
    return command.shell("-X", "--aggregate", collection, pipeline, target)


def explained(target, pipeline, *options):
    """The answer of explain, with the times as zeros."""
    got = command.shell("-X", "--relaxed", *options, "--aggregate", "", pipeline, target)
    return re.sub(r'("executionTimeMillis(?:Estimate)?"):\d+', r"\1:0", got.stdout.strip()) or got.stderr


def explains(target):
    stages = [{"$match": {"n": {"$gt": 0}}}, {"$group": {"_id": None, "n": {"$sum": 1}}}]
    plan = {"namespace": "calls", "winningPlan": {"stage": "COLLSCAN", "direction": "forward"}}
    same("explain: true doesn't run the pipeline", json.loads(explained(target, f"db.calls.aggregate({json.dumps(stages)}, {{explain: true}})")),
         {"explainVersion": "1", "stages": [{"$cursor": {"queryPlanner": plan}}, *stages], "ok": 1.0})
    found = json.loads(explained(target, f"db.calls.aggregate({json.dumps(stages)})", "--explain"))
    same("--explain: the collection", found["stages"][0]["$cursor"]["executionStats"], {"executionSuccess": True, "nReturned": 3, "executionTimeMillis": 0, "totalKeysExamined": 0, "totalDocsExamined": 3})
    same("--explain: the stages", found["stages"][1:], [{**stage, "nReturned": n, "executionTimeMillisEstimate": 0, "usedDisk": False} for stage, n in zip(stages, (2, 1))])
    check("--explain: what was read", found["mtsql"]["bytesRead"] > 100 and found["mtsql"]["blocksRead"] == 1, str(found["mtsql"]))
    check("--explain: an error", "can't $divide by zero" in explained(target, "db.calls.aggregate([{$project: {x: {$divide: ['$n', 0]}}}])", "--explain"), "")
    for option in ("--explain", "--relaxed"):
        r = command.shell("-X", option, target)
        same(f"{option} alone", (r.returncode, r.stderr), (1, f"mtsql: error: option {option} needs --aggregate\n"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "s.mts")
        made = command.shell("-X", "-q", target, text=SETUP)
        check("setup", made.returncode == 0, made.stderr)
        for pipeline, wanted in READ:
            got = aggregate(target, "" if pipeline.startswith("db.") else "calls", pipeline)
            same(pipeline, got.stdout.strip() or got.stderr, wanted)
        for pipeline, wanted in STEPS:
            got = aggregate(target, "", pipeline)
            same(pipeline[-100:], got.stdout.strip() or got.stderr.strip(), wanted)
        for pipeline, wanted in OPTIONS:
            got = command.shell("-X", "--relaxed", "--aggregate", "", pipeline, target)
            same(pipeline, got.stdout.strip() or got.stderr, wanted)
        explains(target)
        for statement in STATEMENTS:
            text = command.shell("-X", "-At", target, text=f"EXPLAIN (VERBOSE) {statement};").stdout
            plan = json.loads(command.shell("-X", "-At", target, text=f"EXPLAIN (FORMAT JSON) {statement};").stdout)[0]
            pasted = text.split("Pipeline: ", 1)[1].split("\nPastes into", 1)[0]
            by_text = aggregate(target, "", pasted)
            by_json = aggregate(target, plan["collection"] or "", json.dumps(plan["pipeline"]))
            check(statement, by_text.returncode == 0 and by_text.stdout and by_text.stdout == by_json.stdout, f"{pasted}\n{by_text.stdout}{by_text.stderr}\n{by_json.stdout}{by_json.stderr}")
            check(statement + ": what pastes", ("Pastes into mongosh" in text) == ("OVER" in statement), text)
        for collection, pipeline, shown in WRONG:
            got = aggregate(target, collection, pipeline)
            check(pipeline, got.returncode == 3 and all(s in got.stderr for s in shown), got.stderr)
    return finish()


sys.exit(main())

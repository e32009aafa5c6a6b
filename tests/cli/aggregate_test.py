#!/usr/bin/env python3
"""--aggregate reads the forms that mongosh reads, and the pipelines that EXPLAIN prints. It gives
the documents of the same pipeline in extended JSON. Errors have a place and a hint.
"""
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
# A search that backtracks much runs on a DFA, or without JIT's small stack, or fails. It never
# counts as no match.
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
    ("calls", "db.calls.aggregate([], {collation: {locale: 'DE'}})", ['the collation\'s locale "DE" is unknown', "2 (BadValue)", 'HINT:  Did you mean "de"?']),
    ("calls", "db.calls.aggregate([], {collation: {locale: 'de', version: '1.0'}})", ["161 (IncompatibleCollationVersion)"]),
    ("calls", "db.calls.aggregate([], {collation: {locale: 'en', strength: 6}})", ["1 to 5", "51024"]),
    ("calls", "db.calls.aggregate([], {collation: {locale: 'simple', strength: 1}})", ["2 (BadValue)"]),
    ("calls", "db.calls.aggregate([], {collation: {locale: 'en', caseFirst: 'x'}})", ["2 (BadValue)"]),
    ("calls", "db.calls.aggregate([], {collation: {strength: 1}})", ["40414 (IDLFailedToParse)"]),
    ("calls", "db.calls.aggregate([], {collation: {locale: 1}})", ["14 (TypeMismatch)"]),
    ("calls", "db.calls.aggregate([], {collation: {locale: 'en', foo: 1}})", ["40415 (IDLUnknownField)"]),
    ("calls", "db.calls.aggregate([], {let: {x: {$divide: [1, 0]}}})", ["can't $divide by zero"]),
    ("", "db.aggregate([{$documents: [{}]}, {$project: {a: {$range: [0, 1000000]}}}, {$unwind: '$a'}, {$group: {_id: '$a'}}], {maxTimeMS: 20})", ["canceling statement due to statement timeout"]),
]
# options of aggregate, behind the stages
OPTIONS = [
    ("[{$documents: [{n: 1}, {n: 2}]}, {$match: {$expr: {$gt: ['$n', '$$least']}}}], {let: {least: 1}, allowDiskUse: true}", '{"n":2}'),
    ("db.calls.aggregate([{$match: {$expr: {$gt: ['$n', '$$least']}}}, {$count: 'c'}], {let: {least: {$add: [0, 0]}, none: '$x'}, hint: {_id: 1}, batchSize: 1, maxTimeMS: 60000, comment: 'x', collation: {locale: 'simple'}})", '{"c":2}'),
    ("db.calls.aggregate([{$limit: 1}, {$lookup: {from: 'calls', pipeline: [{$match: {$expr: {$eq: ['$n', '$$one']}}}], as: 'l'}}, {$project: {_id: 0, l: {$size: '$l'}}}], {let: {one: 1}, hint: '_id_'})", '{"l":1}'),
    ("db.aggregate([{$documents: [{}]}, {$project: {a: '$$x.y', b: {$sum: '$$x.l.n'}, c: '$$x.l.n', d: '$$x.z', e: {$eq: ['$$x.y', '$$y']}}}], {let: {x: {y: 1, l: [{n: 2}, {n: 3}]}, y: 1}})", '{"a":1,"b":5,"c":[2,3],"e":true}'),
    ("db.aggregate([{$documents: [{a: 'B'}, {a: 'ä'}, {a: 'b'}]}, {$match: {a: {$in: ['B', 'Ä']}}}, {$group: {_id: null, n: {$sum: 1}, least: {$min: '$a'}}}], {collation: {locale: 'de', strength: 2}})", '{"_id":null,"n":3,"least":"ä"}'),
    ("db.calls.aggregate([{$match: {n: 1}}, {$project: {_id: 0, n: 1, ms: 1, price: 1}}])", '{"n":1,"ms":1.5,"price":{"$numberDecimal":"9.99"}}'),
]
# $out and $merge: the pipeline, and the collection "t" after it, without ObjectIds
T1, T2 = '{"_id":1,"a":1}', '{"_id":2,"a":2}'
WRITES = [
    ("[{$documents: [{_id: 1, a: 1}, {_id: 2, a: 2}]}, {$out: 't'}]", [T1, T2]),
    ("[{$documents: [{_id: 2, b: 5}, {_id: 3, b: 6}]}, {$merge: 't'}]", [T1, '{"_id":2,"a":2,"b":5}', '{"_id":3,"b":6}']),
    ("[{$documents: [{_id: 2, b: 7}, {_id: 4}]}, {$merge: {into: 't', whenMatched: 'replace', whenNotMatched: 'discard'}}]", [T1, '{"_id":2,"b":7}', '{"_id":3,"b":6}']),
    ("[{$documents: [{_id: 2, c: 7}, {_id: 4}]}, {$merge: {into: 't', on: ['_id'], whenMatched: 'keepExisting'}}]", [T1, '{"_id":2,"b":7}', '{"_id":3,"b":6}', '{"_id":4}']),
    ("[{$documents: [{_id: 1, c: 8}, {_id: 5, c: 9}]}, {$merge: {into: 't', let: {k: {$add: ['$c', 1]}, m: '$x'}, whenMatched: [{$set: {n: '$$new.c', k: '$$k', m: '$$m'}}, {$unset: 'a'}], whenNotMatched: 'discard'}}]",
     ['{"_id":1,"n":8,"k":9}', '{"_id":2,"b":7}', '{"_id":3,"b":6}', '{"_id":4}']),
    # a document twice, and one without _id; then the collection onto itself
    ("[{$documents: [{_id: 6, a: [1]}, {_id: 6, b: 1}, {_id: {x: 1}}]}, {$merge: {into: 't'}}]", ['{"_id":1,"n":8,"k":9}', '{"_id":2,"b":7}', '{"_id":3,"b":6}', '{"_id":4}', '{"_id":6,"a":[1],"b":1}', '{"_id":{"x":1}}']),
    ("db.t.aggregate([{$match: {_id: {$lt: 3}}}, {$replaceWith: {_id: '$_id', a: '$_id'}}, {$out: 't'}])", [T1, T2]),
    ("db.t.aggregate([{$set: {a: 9}}, {$out: 't'}], {explain: true})", [T1, T2]),
    # a pipeline that fails leaves nothing
    ("[{$documents: [{_id: 7}, {_id: 1}]}, {$merge: {into: 't', whenMatched: 'fail'}}]", "11000 (DuplicateKey)"),
    ("[{$documents: [{_id: 1, z: 1}, {_id: 7}]}, {$merge: {into: 't', whenNotMatched: 'fail'}}]", "13113 (MergeStageNoMatchingDocument)"),
    ("[{$documents: [{_id: 1, x: 1}, {_id: 2, x: 0}]}, {$set: {x: {$divide: [1, '$x']}}}, {$out: 't'}]", "2 (BadValue)"),
    ("[{$documents: [{_id: 1}, {_id: 1}]}, {$out: 't'}]", "11000 (DuplicateKey)"),
    ("[{$documents: [{_id: 1}]}, {$merge: {into: 't', whenMatched: [{$set: {_id: 2}}]}}]", "66 (ImmutableField)"),
    ("[{$documents: [{_id: 1}]}, {$merge: {into: 't', whenMatched: [{$set: {a: {$divide: [1, 0]}}}]}}]", "2 (BadValue)"),
    ("[{$documents: [{_id: [1]}]}, {$merge: 't'}]", "51185"),
    # specifications that are refused
    ("[{$documents: []}, {$merge: {into: 't', on: 'a'}}]", "51183"), ("[{$documents: []}, {$merge: {into: 't', on: []}}]", "51187"),
    ("[{$documents: []}, {$merge: {into: 't', on: [1]}}]", "51134"), ("[{$documents: []}, {$merge: {into: 't', on: 1}}]", "51186"),
    ("[{$documents: []}, {$merge: {into: 't', on: ['a', 'a']}}]", "31465"), ("[{$documents: []}, {$merge: {on: '_id'}}]", "40414 (IDLFailedToParse)"),
    ("[{$documents: []}, {$merge: {into: 't', x: 1}}]", "40415 (IDLUnknownField)"), ("[{$documents: []}, {$merge: 1}]", "14 (TypeMismatch)"),
    ("[{$documents: []}, {$merge: {into: 1}}]", "51178"), ("[{$documents: []}, {$merge: ''}]", "73 (InvalidNamespace)"),
    ("[{$documents: []}, {$merge: {into: 't', whenMatched: 'x'}}]", "2 (BadValue)"), ("[{$documents: []}, {$merge: {into: 't', whenMatched: 1}}]", "51191"),
    ("[{$documents: []}, {$merge: {into: 't', whenMatched: 'fail', whenNotMatched: 'discard'}}]", "51181"), ("[{$documents: []}, {$merge: {into: 't', let: {x: 1}}}]", "51199"),
    ("[{$documents: []}, {$merge: {into: 't', let: {new: 1}, whenMatched: []}}]", "51273"), ("[{$documents: []}, {$merge: {into: 't', whenMatched: [{$match: {}}]}}]", "72 (InvalidOptions)"),
    ("[{$documents: []}, {$merge: {into: {db: 'x', coll: 't'}}}]", "115 (CommandNotSupported)"), ("[{$documents: []}, {$merge: '_mtsql_catalog'}]", "31319"),
    ("[{$documents: []}, {$out: 'system.x'}]", "17385"), ("[{$documents: []}, {$out: 1}]", "16990"), ("[{$documents: []}, {$out: 'calls'}]", "20 (IllegalOperation)"),
    ("[{$documents: []}, {$out: 't'}, {$match: {}}]", "40601"), ("[{$documents: []}, {$unionWith: {coll: 't', pipeline: [{$merge: 't'}]}}]", "31441"),
    ("db.t.aggregate([{$lookup: {from: 't', as: 'x', pipeline: [{$out: 't'}]}}])", "51047"), ("db.t.aggregate([{$facet: {x: [{$out: 't'}]}}])", "40600"),
]


def aggregate(target, collection, pipeline):
    return command.shell("-X", "--aggregate", collection, pipeline, target)


def explained(target, pipeline, *options):
    """Returns the answer of explain, with zeros as times."""
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


# Extended JSON of a file, and what --aggregate prints, canonical and relaxed. The ideas are those of MongoDB's bson-corpus (tools/bson_corpus.py runs it whole).
FORMS = [
    ('{"a": 1}', '{"a":{"$numberInt":"1"}}', '{"a":1}'),
    ('{"a": {"$numberLong": "9223372036854775807"}}', '{"a":{"$numberLong":"9223372036854775807"}}', '{"a":9223372036854775807}'),
    ('{"a": 2147483648}', '{"a":{"$numberLong":"2147483648"}}', '{"a":2147483648}'),
    ('{"a": -0.0}', '{"a":{"$numberDouble":"-0.0"}}', '{"a":-0.0}'),
    ('{"a": {"$numberDouble": "NaN"}, "b": {"$numberDouble": "-Infinity"}}', '{"a":{"$numberDouble":"NaN"},"b":{"$numberDouble":"-Infinity"}}', '{"a":{"$numberDouble":"NaN"},"b":{"$numberDouble":"-Infinity"}}'),
    ('{"a": {"$numberDecimal": "-1.00E-3"}}', '{"a":{"$numberDecimal":"-0.00100"}}', '{"a":{"$numberDecimal":"-0.00100"}}'),
    ('{"a": {"$numberDecimal": "+iNf"}, "b": {"$numberDecimal": "nan"}}', '{"a":{"$numberDecimal":"Infinity"},"b":{"$numberDecimal":"NaN"}}', '{"a":{"$numberDecimal":"Infinity"},"b":{"$numberDecimal":"NaN"}}'),
    ('{"a": {"$numberDecimal": "1' + "0" * 40 + '"}}', '{"a":{"$numberDecimal":"1.000000000000000000000000000000000E+40"}}', '{"a":{"$numberDecimal":"1.000000000000000000000000000000000E+40"}}'),
    ('{"a": {"$date": "1970-01-01T00:00:00.5Z"}}', '{"a":{"$date":{"$numberLong":"500"}}}', '{"a":{"$date":"1970-01-01T00:00:00.500Z"}}'),
    ('{"a": {"$date": {"$numberLong": "-1"}}}', '{"a":{"$date":{"$numberLong":"-1"}}}', '{"a":{"$date":{"$numberLong":"-1"}}}'),
    ('{"a": {"$binary": {"base64": "//8=", "subType": "00"}}}', '{"a":{"$binary":{"base64":"//8=","subType":"00"}}}', '{"a":{"$binary":{"base64":"//8=","subType":"00"}}}'),
    ('{"a": {"$uuid": "73ffd264-44b3-4c69-90e8-e7d1dfc035d4"}}', '{"a":{"$binary":{"base64":"c//SZESzTGmQ6OfR38A11A==","subType":"04"}}}', '{"a":{"$binary":{"base64":"c//SZESzTGmQ6OfR38A11A==","subType":"04"}}}'),
    ('{"a": {"$regularExpression": {"pattern": "a/b", "options": "xmi"}}}', '{"a":{"$regularExpression":{"pattern":"a/b","options":"imx"}}}', '{"a":{"$regularExpression":{"pattern":"a/b","options":"imx"}}}'),
    ('{"a": {"$timestamp": {"t": 4294967295, "i": 1}}}', '{"a":{"$timestamp":{"t":4294967295,"i":1}}}', '{"a":{"$timestamp":{"t":4294967295,"i":1}}}'),
    ('{"a": {"$minKey": 1}, "b": {"$maxKey": 1}, "c": {"$undefined": true}}', '{"a":{"$minKey":1},"b":{"$maxKey":1},"c":{"$undefined":true}}', '{"a":{"$minKey":1},"b":{"$maxKey":1},"c":{"$undefined":true}}'),
    ('{"a": {"$symbol": "x"}, "b": {"$oid": "56e1fc72e0c917e9c4714161"}}', '{"a":{"$symbol":"x"},"b":{"$oid":"56e1fc72e0c917e9c4714161"}}', '{"a":{"$symbol":"x"},"b":{"$oid":"56e1fc72e0c917e9c4714161"}}'),
    ('{"": "", "$a": "\\u0000\\u00e9\\ud83d\\ude00"}', '{"":"","$a":"\\u0000é😀"}', '{"":"","$a":"\\u0000é😀"}'),
    ('{"a": [], "b": {}, "c": [[null, true]]}', '{"a":[],"b":{},"c":[[null,true]]}', '{"a":[],"b":{},"c":[[null,true]]}'),
]
NO_DECIMALS = ["", " ", "e5", "1e", "1e+", ".", "..", "1.2.3", "--1", "+-1", "1 ", " 1", "x", "1x", "Inf1", "NaN2", "0x1", "1e99999", "1" * 35 + "2", "1e-6177"]
NO_DOCUMENTS = ['{"a": {"$oid": "56e1fc72e0c917e9c471416"}}', '{"a": {"$numberInt": "x"}}', '{"a": {"$numberInt": "2147483648"}}', '{"a": {"$numberLong": "1.5"}}', '{"a": {"$numberDouble": "x"}}', '{"a": {"$date": "x"}}',
                '{"a": {"$binary": {"base64": "!", "subType": "00"}}}', '{"a": {"$timestamp": {"t": -1, "i": 1}}}', '{"a": {"$oid": 1}}', '{"a": {"$regularExpression": {"pattern": 1, "options": ""}}}', '{"a": "\\ud800"}', '{"a": 01}', "{'a': 1}", '{"a": tru}', '{"a": 1,}']


def forms(folder):
    def read(text, *options):
        path = os.path.join(folder, "d.jsonl")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return command.shell("-X", *options, "--aggregate", "d", "[]", path)
    every = "\n".join(text for text, _, _ in FORMS)
    for at, options in ((1, ()), (2, ("--relaxed",))):
        got = read(every, *options)
        check("documents", got.returncode == 0, got.stderr)
        for form, line in zip(FORMS, got.stdout.split("\n")):
            same(f"{form[0]} {options}", line, form[at])
    for text in NO_DECIMALS:
        got = read('{"a": [1, {"$numberDecimal" : "%s"}]}' % text)
        check(f"no decimal: {text}", got.returncode == 3 and "invalid decimal" in got.stderr, got.stdout + got.stderr)
    for text in NO_DOCUMENTS:
        got = read(text)
        check(f"no document: {text}", got.returncode == 3 and "ERROR:" in got.stderr, got.stdout + got.stderr)


def writes(target):
    stored = []
    for pipeline, wanted in WRITES:
        got = command.shell("-X", "--aggregate", "", pipeline, target)
        if isinstance(wanted, list):
            check(pipeline, got.returncode == 0, got.stderr)
            stored = sorted(wanted)
        else:
            check(pipeline, got.returncode == 3 and f"as {wanted}" in got.stderr, got.stderr)
        after = command.shell("-X", "--relaxed", "--aggregate", "t", "[]", target).stdout
        same(pipeline + ": the collection", sorted(after.split()), stored)
    for option in ("--read-only", "--restricted"):
        got = command.shell("-X", option, "--aggregate", "t", "[{$out: 't2'}]", target)
        check(option, got.returncode == 3 and "13 (Unauthorized)" in got.stderr, got.stderr)
    # many blocks, onto the collection that is read
    many = "[{$documents: [{}]}, {$set: {r: {$range: [0, 60000]}}}, {$unwind: '$r'}, {$replaceWith: {_id: '$r', v: {$toString: {$multiply: ['$r', 7919]}}}}, {$out: 'many'}]"
    for pipeline in (many, "db.many.aggregate([{$set: {v: {$add: ['$_id', 1]}}}, {$out: 'many'}])", "db.many.aggregate([{$match: {_id: {$mod: [2, 0]}}}, {$set: {w: 1}}, {$merge: 'many'}])"):
        got = command.shell("-X", "--aggregate", "", pipeline, target)
        check(pipeline, got.returncode == 0, got.stderr)
    got = command.shell("-X", "--relaxed", "--aggregate", "many", "[{$group: {_id: '$w', n: {$sum: 1}, v: {$sum: '$v'}}}, {$sort: {_id: 1}}]", target)
    same("many documents", got.stdout.split(), ['{"_id":null,"n":30000,"v":900030000}', '{"_id":1,"n":30000,"v":900000000}'])


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
        writes(target)
        forms(folder)
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

#!/usr/bin/env python3
"""Random pipelines over random documents, on a real server and in process. Both must give the same
documents, or both an error.

PIPELINES=20000 SEED=7 tries more of them. If a server differs from MongoDB's manual, a pattern in
DIFFERENT skips the pipeline, with the reason.
"""
import json
import os
import random
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import checks
import pymongo
from bson import json_util
from documents import OPTIONS, canonical, relaxed
from server import Server, chosen, load

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import command

# server -> (a text in the pipeline's JSON, why the pipeline is skipped on that server)
# In process, fields that no later stage reads are not computed, so their errors don't show.
DROPS = r'"\$(project|unset|bucket|group|sortByCount|replaceWith)"'
DIFFERENT = {
    "documentdb": [
        (r'"\$type": {"\$replaceAll"|"\$toUpper": {.*"\$type": ', "the server crashes"),
        (r'"\$count": "n"', "manual, $count: no document for no input"),
        (r'"\$group": {"_id": ("\$o\.x"|{"p")', "manual, $group: a missing field is null; the server keeps both apart below a path, and in a document"),
        (r'"(o|l)\.x": 0', "manual, $project: leaves values alone that have no such field; the server makes objects of them"),
        (r'"\$regexMatch": {"input": {', "the server takes a computed text for no text"),
        (r'"inputs": \[{', "the server takes a constant expression in $zip for itself"),
        (r'"\$unset".*"\$(a|b|o)[".]|"b": 0, "t": 0}.*"\$b"|"t": 0}.*"\$t"', "the server reads a field again that an earlier stage removed"),
        (r'"o\.y"\]', "the server makes an object where $unset removes a field below a missing one"),
        (r'"\$top":', "manual, $top: missing becomes null; the server leaves it out"),
        (r'"\$match".*"\$addFields": {"s"', "the server matches a field with the value of a later $addFields"),
        (r'"\$isNumber": \[{', "manual, $isNumber: null is no number; the server takes a computed null for one"),
        (r'"\$unwind".*"\$expr": {.*"\$in": \[', "MongoDB leaves the order of conditions open; the server doesn't reach one that fails for an unwound value"),
    ],
    "secantus": [
        (r'"r": -?[0-9]', "manual, $project: a number other than 0 includes the field; the server takes it for a value"),
        (r'"\$in": \[', "MongoDB's $in tells a missing value from null; the server doesn't"),
        (r'"\$(zip|top)"', "the server refuses $zip over null, and $top in some groups"),
        (r'"\$count": "n"', "manual, $count: no document for no input"),
        (r'"localField": "l"', "MongoDB takes an empty array for null; the server finds nothing"),
        (r'"a": {"\$(range|map|filter|slice|concatArrays|reverseArray|split|objectToArray|zip)".*"localField": "a"', "the server gives the documents that $lookup finds in the order of the array, MongoDB in that of the collection"),
        (r'"\$(((max|min|first)N": {"input")|set(Union|Intersection)"|sortArray")', "internal server error for values of several types"),
        (r'"o\.z"', "manual, $addFields: a null becomes an object with the field; the server leaves it, and makes none for a missing field"),
        (r'"l\.x": 0', "manual, $project: removes the field from objects within arrays, too"),
        (r'"\$type": \[("\$a", "\$s"|1, 2, 3)\]', "MongoDB's $type takes one argument; the server takes an array of several for it"),
        (r'"\$type": {"\$ifNull"', "MongoDB's $ifNull of missing values is missing; the server makes it null"),
        (r'"s": (\[|{|"\$[bl]").*"partitionBy": "\$s"', "manual, $setWindowFields: an array as the value of partitionBy is an error; the server takes it"),
    ],
}
FIELDS = ["a", "b", "s", "l", "o", "o.x", "t", "l.x"]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, *choices):
        return self.r.choice(choices)

    def number(self):
        return self.pick(0, 1, 2, 3, -1, 5, 10, 2.5, -0.5)

    def text(self):
        return self.pick("", "a", "ab", "Ab", "b c", "é", "10")

    def date(self):
        return {"$date": {"$numberLong": str(self.r.randrange(0, 10**12, 10**9 + 7))}}

    def value(self):
        return self.pick(self.number, self.text, self.date, lambda: None, lambda: True, lambda: [self.number() for _ in range(self.r.randrange(3))], lambda: {"x": self.number()})()

    def document(self, i):
        d = {"_id": i, "a": self.number(), "b": self.value(), "s": self.text(), "l": [self.pick(self.number(), self.text(), {"x": self.number()}) for _ in range(self.r.randrange(4))], "o": {"x": self.number(), "y": self.text()}, "t": self.date()}
        for name in list(d)[1:]:
            if self.r.random() < 0.12:
                if self.r.random() < 0.5:
                    del d[name]
                else:
                    d[name] = None
        return d

    # ---- expressions, by the type of their value ----

    def numeric(self, depth):
        if depth <= 0 or self.r.random() < 0.35:
            return self.pick("$a", "$a", "$o.x", self.number())
        n = lambda: self.numeric(depth - 1)
        return self.pick(lambda: {"$add": [n(), n()]}, lambda: {"$subtract": [n(), n()]}, lambda: {"$multiply": [n(), n()]}, lambda: {"$mod": [n(), self.pick(2, 3, 7)]}, lambda: {"$abs": n()}, lambda: {"$floor": n()}, lambda: {"$ceil": n()},
                         lambda: {"$divide": [n(), self.pick(2, 4, -8)]}, lambda: {"$strLenCP": self.string(depth - 1, True)}, lambda: {"$size": self.array(depth - 1, True)}, lambda: {"$cond": [self.boolean(depth - 1), n(), n()]},
                         lambda: {"$ifNull": [n(), n()]}, lambda: {"$year": "$t"}, lambda: {"$dayOfYear": "$t"}, lambda: {"$isoWeek": "$t"}, lambda: {"$hour": "$t"}, lambda: {"$cmp": [self.any(depth - 1), self.any(depth - 1)]},
                         lambda: {"$indexOfCP": [self.string(depth - 1, True), self.pick("a", "b", "c")]}, lambda: {"$trunc": [n(), 1]}, lambda: {"$round": [n(), self.pick(0, 1)]}, lambda: {"$sum": [n(), n()]}, lambda: {"$max": [n(), n()]},
                         lambda: {"$sum": "$l"}, lambda: {"$dateDiff": {"startDate": "$t", "endDate": self.date(), "unit": self.pick("day", "month", "hour", "week")}}, lambda: {"$binarySize": self.string(depth - 1, True)},
                         lambda: {"$reduce": {"input": self.array(depth - 1, True), "initialValue": 0, "in": {"$add": ["$$value", 1]}}})()

    def string(self, depth, never_null=False):
        if never_null:
            return {"$ifNull": [self.string(depth), self.text()]}
        if depth <= 0 or self.r.random() < 0.35:
            return self.pick("$s", "$s", "$o.y", {"$literal": self.text()})
        s = lambda: self.string(depth - 1)
        return self.pick(lambda: {"$concat": [s(), s()]}, lambda: {"$toUpper": s()}, lambda: {"$toLower": s()}, lambda: {"$substrCP": [s(), self.pick(0, 1), self.pick(1, 2, 9)]}, lambda: {"$trim": {"input": s(), "chars": self.pick("a", "ab", " ")}},
                         lambda: {"$type": self.any(depth - 1)}, lambda: {"$dateToString": {"date": "$t", "format": self.pick("%Y-%m-%d", "%H:%M:%S.%L", "%j %U", "%G-W%V-%u")}}, lambda: {"$replaceAll": {"input": s(), "find": self.pick("a", "b"), "replacement": "x"}},
                         lambda: {"$toString": self.pick("$_id", "$o.x", "$t")}, lambda: {"$cond": {"if": self.boolean(depth - 1), "then": s(), "else": s()}}, lambda: {"$arrayElemAt": [{"$split": [s(), " "]}, 0]})()

    def array(self, depth, never_null=False):
        if never_null:
            return {"$ifNull": [self.array(depth), []]}
        if depth <= 0 or self.r.random() < 0.3:
            return self.pick("$l", "$l", ["$a", "$s"], [1, 2, 3])
        a = lambda: self.array(depth - 1)
        return self.pick(lambda: {"$concatArrays": [a(), a()]}, lambda: {"$reverseArray": [a()]}, lambda: {"$slice": [a(), self.pick(1, 2, -1)]}, lambda: {"$filter": {"input": a(), "as": "e", "cond": {"$gt": ["$$e", self.number()]}}},
                         lambda: {"$map": {"input": a(), "in": {"$cond": [{"$isNumber": "$$this"}, {"$add": ["$$this", 1]}, "$$this"]}}}, lambda: {"$range": [0, self.pick(0, 2, 3)]}, lambda: {"$sortArray": {"input": a(), "sortBy": self.pick(1, -1)}},
                         lambda: {"$objectToArray": "$o"}, lambda: {"$zip": {"inputs": [a(), [1, 2]]}}, lambda: {"$sortArray": {"input": {"$setUnion": [a(), a()]}, "sortBy": 1}}, lambda: {"$sortArray": {"input": {"$setIntersection": [a(), a()]}, "sortBy": 1}},
                         lambda: {"$setDifference": [a(), a()]}, lambda: {"$firstN": {"input": self.array(depth - 1, True), "n": 2}}, lambda: {"$maxN": {"input": self.array(depth - 1, True), "n": 2}})()

    def boolean(self, depth):
        if depth <= 0 or self.r.random() < 0.2:
            return {self.pick("$eq", "$gt", "$lte", "$ne"): [self.pick("$a", "$o.x"), self.number()]}
        b = lambda: self.boolean(depth - 1)
        return self.pick(lambda: {"$and": [b(), b()]}, lambda: {"$or": [b(), b()]}, lambda: {"$not": [b()]}, lambda: {self.pick("$eq", "$gt", "$gte", "$lt", "$lte", "$ne"): [self.any(depth - 1), self.any(depth - 1)]},
                         lambda: {"$in": [self.any(depth - 1), self.array(depth - 1, True)]}, lambda: {"$isArray": [self.any(depth - 1)]}, lambda: {"$isNumber": [self.any(depth - 1)]}, lambda: {"$regexMatch": {"input": self.string(depth - 1), "regex": self.pick("a", "^A", "b$", "[0-9]")}},
                         lambda: {"$anyElementTrue": [self.array(depth - 1, True)]}, lambda: {"$setIsSubset": [self.array(depth - 1, True), self.array(depth - 1, True)]}, lambda: {"$toBool": "$a"})()

    def any(self, depth):
        return self.pick(self.numeric, self.string, self.array, self.boolean, lambda d: self.pick("$b", "$t", "$o", "$nothing"), lambda d: {"$mergeObjects": ["$o", {"z": self.numeric(d - 1)}]})(depth)

    # ---- stages ----

    def condition(self, depth):
        field = self.pick(*FIELDS)
        if depth > 0 and self.r.random() < 0.4:
            return {self.pick("$and", "$or", "$nor"): [self.condition(depth - 1) for _ in range(2)]}
        return self.pick(lambda: {field: self.value()}, lambda: {field: {self.pick("$gt", "$gte", "$lt", "$lte"): self.pick(self.number(), self.text())}}, lambda: {field: {"$ne": self.value()}}, lambda: {field: {self.pick("$in", "$nin"): [self.value(), self.number()]}},
                         lambda: {field: {"$exists": self.pick(True, False)}}, lambda: {field: {"$type": self.pick("number", "string", "array", "null", "object", "date", "int", "double")}}, lambda: {"l": {"$size": self.r.randrange(4)}}, lambda: {"l": {"$all": [self.number()]}},
                         lambda: {"l": {"$elemMatch": {self.pick("$gt", "$lt"): self.number()}}}, lambda: {"l": {"$elemMatch": {"x": {"$gte": self.number()}}}}, lambda: {self.pick("s", "o.y", "l"): {"$regex": self.pick("a", "^A", "b", "0$"), "$options": self.pick("", "i")}},
                         lambda: {"a": {"$mod": [self.pick(2, 3), self.pick(0, 1)]}}, lambda: {field: {"$not": {"$gt": self.number()}}}, lambda: {"$expr": self.boolean(2)})()

    def group(self):
        acc = lambda: self.pick(lambda: {"$sum": self.pick(1, self.numeric(1))}, lambda: {"$avg": self.numeric(1)}, lambda: {"$min": self.any(1)}, lambda: {"$max": self.any(1)}, lambda: {"$count": {}}, lambda: {"$minN": {"n": 2, "input": "$a"}},
                                lambda: {"$top": {"sortBy": {"_id": self.pick(1, -1)}, "output": self.any(1)}}, lambda: {"$bottomN": {"n": 2, "sortBy": {"a": 1, "_id": 1}, "output": "$s"}}, lambda: {"$stdDevPop": "$a"})()
        return {"$group": {"_id": self.pick(None, "$s", "$a", "$o.x", {"p": "$s", "q": {"$ifNull": ["$a", None]}}, {"$mod": ["$a", 2]}, self.boolean(1)), "n": acc(), "m": acc()}}

    def stage(self):
        return self.pick(lambda: {"$match": self.condition(2)}, lambda: {"$match": self.condition(1)}, lambda: {"$addFields": {self.pick("a", "n", "o.z", "s"): self.any(3)}}, lambda: {"$project": {"a": 1, "s": 1, "r": self.any(3), "l": self.pick(1, "$l")}},
                         lambda: {"$project": {self.pick("b", "o.x", "l.x"): 0, "t": 0}}, lambda: {"$unset": self.pick("b", ["a", "o.y"])}, self.group, lambda: {"$unwind": self.pick("$l", {"path": "$l", "preserveNullAndEmptyArrays": True, "includeArrayIndex": "i"})},
                         lambda: {"$sortByCount": self.pick("$s", "$a")}, lambda: {"$replaceWith": {"_id": "$_id", "a": self.numeric(2), "l": self.array(2)}}, lambda: {"$lookup": {"from": "d", "localField": self.pick("a", "s", "l"), "foreignField": self.pick("a", "l", "s"), "as": "f"}},
                         lambda: {"$unionWith": {"coll": "d", "pipeline": [{"$match": self.condition(0)}]}}, lambda: {"$facet": {"p": [{"$match": self.condition(0)}, {"$count": "n"}], "q": [{"$sort": {"_id": 1}}, {"$limit": 2}, {"$project": {"a": 1}}]}},
                         lambda: {"$bucket": {"groupBy": "$a", "boundaries": [-5, 0, 2, 5], "default": "other"}},
                         lambda: {"$setWindowFields": {"partitionBy": self.pick("$s", None), "sortBy": {"_id": 1}, "output": {"w": {self.pick("$sum", "$min", "$max", "$avg"): self.pick("$a", "$o.x"), "window": {"documents": self.pick([-1, 1], ["unbounded", "current"], [0, 2])}}}}})()

    def pipeline(self):
        stages = [self.stage() for _ in range(self.r.randrange(1, 4))]
        # _id no longer identifies documents, so the first documents by _id would not be determined
        repeats = [i for i, s in enumerate(stages) if set(s) & {"$unionWith", "$unwind", "$group", "$sortByCount", "$bucket", "$facet"}]
        if repeats and re.search(r"\$(setWindowFields|facet|top|bottomN)\b", json.dumps(stages[repeats[0] + 1:])):
            return self.pipeline()
        if self.r.random() < 0.3:
            stages += [{"$sort": {self.pick("a", "s", "l"): self.pick(1, -1), "_id": 1}}]
        return stages


def number(d):
    """Rounds doubles, because sums in another order differ in their last digits."""
    if "$numberDouble" in d and d["$numberDouble"][-1].isdigit():
        return {"$numberDouble": f"{float(d['$numberDouble']):.11g}"}
    return d


def plain(line):
    """Returns a document as text. The order of fields is left open, because servers place computed
    fields differently.
    """
    return json.dumps(json.loads(relaxed(json.dumps(json.loads(line, object_hook=number)))), sort_keys=True)


def on_server(coll, stages):
    try:
        return sorted(plain(canonical(d)) for d in coll.aggregate(json_util.loads(json.dumps(stages), json_options=OPTIONS)))
    except pymongo.errors.PyMongoError as e:
        return "error " + str(e).split(", full error")[0]


def in_process(target, stages):
    r = command.shell("-X", "--aggregate", "c", json.dumps(stages), target)
    return sorted(plain(line) for line in r.stdout.split("\n")[:-1]) if r.returncode == 0 else "error " + r.stderr


def same(mine, theirs, stages):
    if isinstance(theirs, str):
        return isinstance(mine, str) or re.search(DROPS, json.dumps(stages[1:])) is not None
    return mine == theirs


def main():
    name, seed = chosen(), int(os.environ.get("SEED", "1"))
    maker = Maker(seed)
    documents = {coll: [maker.document(i) for i in range(n)] for coll, n in (("c", 25), ("d", 8))}
    passed_over, errors, count = {}, 0, int(load(name, "pipelines"))
    with Server() as uri, tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        db = pymongo.MongoClient(uri, serverSelectionTimeoutMS=10000)[f"pipelines_{os.getpid()}"]
        target = os.path.join(folder, "s.mts")
        for coll, docs in documents.items():
            db[coll].insert_many(json_util.loads(json.dumps(docs), json_options=OPTIONS))
            made = command.shell("-X", "--aggregate", "", json.dumps([{"$documents": docs}, {"$out": coll}]), target)
            checks.check(f"documents of {coll}", made.returncode == 0, made.stderr)
        pipelines = []
        while len(pipelines) < count:
            stages = maker.pipeline()
            text = json.dumps(stages)
            reason = next((why for pattern, why in DIFFERENT.get(name, []) if re.search(pattern, text)), None)
            if reason:
                passed_over[reason] = passed_over.get(reason, 0) + 1
            else:
                pipelines.append(stages)
        for at in range(0, count, 500):
            some = pipelines[at:at + 500]
            here = pool.map(lambda stages: in_process(target, stages), some)
            for i, (stages, mine) in enumerate(zip(some, here)):
                theirs = on_server(db.c, stages)
                errors += isinstance(theirs, str)
                checks.check(f"pipeline {at + i} of seed {seed}", same(mine, theirs, stages), f"   {json.dumps(stages)}\n   in process {str(mine)[:900]}\n   server     {str(theirs)[:900]}")
        db.client.drop_database(db.name)
    for reason, n in passed_over.items():
        print(f"passed over {n}: {reason}")
    print(f"{errors} of {count} pipelines were errors on both sides")
    checks.check("most pipelines are none", errors < count / 2, "")
    return checks.finish()


sys.exit(main())

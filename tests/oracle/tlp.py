#!/usr/bin/env python3
"""Checks relations between answers, without PostgreSQL, over packed layouts, on each layout and
legal cut.

    tlp.py [--cases N] [--seed N] [--rows N]

TLP: the rows where p holds, those where NOT p holds, and those where p IS NULL are together all
rows. The same holds for their counts, sums and extremes, also by group.

NoREC: WHERE p, with the best plan, passes as many rows as there are rows where p is true when it is
computed for all of them (enable_cuts off).
"""
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from decimal import Decimal

import oracle
import randoms
from oracle import mtsql, schemas
from statements import Generator
from typed import Scope, Typed

BATCH = 20
STATS = Counter()
# Aggregates for which the results of the parts give the result of the whole, and how.
AGGREGATES = {"calls": [("count(*)", "add"), ("sum(totalCount)", "add"), ("count(dProcessTime)", "add"), ("min(ts)", "min"), ("max(ts)", "max"), ("max(totalCount)", "max"), ("min(dProcessTime)", "min"), ("max(vCmdid)", "last")],
              "sensors": [("count(*)", "add"), ("sum(n)", "add"), ("count(value)", "add"), ("min(ts)", "min"), ("max(ts)", "max"), ("max(n)", "max"), ("min(room)", "first")]}
KEYS = {"calls": ["vCmdid", "iResult", "vAppid", "date_trunc('day', ts)", "time_bucket('6 hours', ts)"], "sensors": ["sensor", "room", "date_trunc('day', ts)"]}
COLUMNS = {"calls": "ts, iResult, vCmdid, vAppid, totalCount, dProcessTime", "sensors": "ts, sensor, room, value, n"}


def condition(rng, table, values):
    if table == "calls":
        g = Generator(rng, values)
        return g.boolean(g.base, rng.choice([1, 2, 2])).sql
    g, scope = Typed(rng, ["sensors"]), Scope()
    g.depth = 2  # no sub-selects
    for column, kind in schemas.SENSORS:
        scope.add(kind, column)
    return g.condition(scope, 3).sql()


def together(how, values):
    values = [v for v in values if v is not None]
    if not values:
        return None
    if how == "add":
        return str(sum(Decimal(v) for v in values))
    if how in ("min", "max") and all(re.fullmatch(r"-?[\d.]+", v) for v in values):
        return str((min if how == "min" else max)(values, key=Decimal))
    return (min if how in ("min", "first") else max)(values)  # texts, and times


def same(a, b):
    numeric = lambda v: v is not None and re.fullmatch(r"-?[\d.]+", v)
    return a == b or (numeric(a) and numeric(b) and Decimal(a) == Decimal(b))


class Case:
    """A condition, and the statements whose answers are compared."""

    def __init__(self, rng, values):
        self.table = rng.choice(["calls", "calls", "sensors"])
        self.p = condition(rng, self.table, values)
        self.kind = rng.choice(["rows", "sums", "sums", "groups", "norec", "norec"])
        self.aggregates = rng.sample(AGGREGATES[self.table], 3)
        self.key = rng.choice(KEYS[self.table])
        self.others = f" AND ({condition(rng, self.table, values)})" if rng.random() < 0.3 else ""

    def statements(self):
        if self.kind == "norec":
            where = f" WHERE true{self.others}"
            return [f"SELECT count(*) FROM {self.table} WHERE ({self.p}){self.others}", f"SELECT coalesce(sum(CASE WHEN {self.p} THEN 1 ELSE 0 END), 0) FROM {self.table}{where}"]
        what = {"rows": COLUMNS[self.table], "sums": ", ".join(a for a, _ in self.aggregates), "groups": ", ".join([self.key] + [a for a, _ in self.aggregates])}[self.kind]
        group = " GROUP BY 1" if self.kind == "groups" else ""
        parts = [f"({self.p})", f"NOT ({self.p})", f"({self.p}) IS NULL"]
        return [f"SELECT {what} FROM {self.table} WHERE true{self.others}{group}"] + [f"SELECT {what} FROM {self.table} WHERE {p}{self.others}{group}" for p in parts]

    def holds(self, answers):
        whole, *parts = [a.rows for a in answers]
        if self.kind == "norec":
            return Decimal(whole[0][0]) == Decimal(parts[0][0][0])
        if self.kind == "rows":
            return sorted(whole, key=repr) == sorted((r for p in parts for r in p), key=repr)
        first = 1 if self.kind == "groups" else 0
        keys = {r[:first] for r in whole} | {r[:first] for p in parts for r in p}
        found = {r[:first]: r[first:] for r in whole}
        for key in keys:
            rows = [r[first:] for p in parts for r in p if r[:first] == key]
            wanted = [together(how, [r[i] for r in rows]) for i, (_, how) in enumerate(self.aggregates)]
            if key not in found or not all(same(a, b) for a, b in zip(found[key], wanted)):
                return False
        return True


def legal(answer):
    return [c for c in oracle.candidates(answer) if c["legal"]]


def forced(rng, case, plans):
    """Returns settings for each statement: the planner's own choice, or any legal cut. One side of
    NoREC reads records only.
    """
    out = []
    for i, plan in enumerate(plans):
        whole = case.kind == "norec" and i == 1
        cuts = [c for c in legal(plan) if not whole or c["cut"] == "records"]
        cut = rng.choice(cuts) if cuts and rng.random() < 0.7 else None
        out.append(oracle.force(cut and cut["layout"], cut and cut["cut"]) + [f"SET enable_cuts = {'off' if whole else 'on'}"])
        STATS["forced"] += cut is not None
    return out


def check(store, cases, rng):
    statements = [s for c in cases for s in c.statements()]
    plans = mtsql.run([f"EXPLAIN (FORMAT JSON) {s}" for s in statements], store)
    settings, at = [], 0
    for c in cases:
        n = len(c.statements())
        settings += forced(rng, c, plans[at:at + n])
        at += n
    step = len(settings[0]) + 1  # a statement's settings, and the statement
    answers = mtsql.run(["\\set VERBOSITY verbose"] + [x for how, s in zip(settings, statements) for x in (*how, s)], store)[step::step]
    wrong, at = [], 0
    for c in cases:
        n = len(c.statements())
        mine, how = answers[at:at + n], settings[at:at + n]
        at += n
        # An error in one part need not occur in another. An error that is not about a value is
        # wrong.
        errors = [oracle.code(a) for a in mine if a.error is not None]
        if any(e[:2] != "22" for e in errors) or not errors and not c.holds(mine):
            wrong.append("FAIL " + c.kind + "".join(f"\n   {'; '.join(h)}; {s};\n      {a.error or str(a.rows[:3])[:300]}" for h, s, a in zip(how, c.statements(), mine)))
        STATS[c.kind] += 1
        STATS["errors"] += bool(errors)
    return wrong


def run(args):
    folder = tempfile.mkdtemp(prefix="tlp-")
    store, path, wrong = os.path.join(folder, "store"), os.path.join(folder, "calls.csv"), []
    try:
        values = oracle.make_rows(args.rows, path)
        oracle.load(store, path)
        for a in mtsql.run([*schemas.SENSORS_HERE, *schemas.sensor_rows()], store):
            a.must()
        for first in range(0, args.cases, BATCH):
            rng = random.Random(f"tlp/{args.seed}/{first}")
            wrong += check(store, [Case(rng, values) for _ in range(min(BATCH, args.cases - first))], rng)
            if len(wrong) >= args.show:
                break
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for w in wrong[:args.show]:
        print(w)
    done = sum(STATS[k] for k in ("rows", "sums", "groups", "norec"))
    return randoms.closing(args.seed, done, len(wrong), f"{done} cases, {dict(STATS)}")


def main():
    parser = randoms.options("cases", 2000)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--show", type=int, default=8)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())

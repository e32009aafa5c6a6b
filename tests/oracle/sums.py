#!/usr/bin/env python3
"""DELETE from tables that keep only sums, in every published layout of such tables, beside a table
of rows. Both must keep the same sums at every level, and CHECK must find no fault.

    sums.py [--cases N] [--seed N] [--first N] [--engine SERVER]

A case is a table with one layout of sums, sometimes with a second layout that follows from it. It
has rounds of events (some of them preallocated), DELETEs with random conditions on dimensions and
times, and sums by minute, day and month. Its store, or its database on a server, is its own. --seed
S --first N --cases 1 runs one case again.
"""
import contextlib
import random
import sys
from collections import Counter

from oracle import mtsql
import randoms
import server
from counters import Counters, DAYS, GROUPS, HOSTS, HERE, ITEMS
from statements import q

STATS = Counter()
COLUMNS = HERE[0][len("CREATE TABLE hits "):-len(" USING rows")]
LAYOUTS = [s.split(" USING ")[1] for s in HERE[1:]] + ["mms WITH (months = true, partition_by = 'month')", "daily_metrics WITH (style = 'hierarchical', partition_by = 'day', preallocate = '1/3')"]
SECOND = ["daily_metrics WITH (collection = 'second')", "mms WITH (months = true, collection = 'second')", "daily_metrics WITH (style = 'hierarchical', partition_by = 'month', collection = 'second')"]
LEVELS = ["date_trunc('minute', ts, 'UTC')", "date_trunc('hour', ts, 'UTC')", "date_trunc('day', ts, 'UTC')", "date_trunc('month', ts, 'UTC')"]


class Case:
    def __init__(self, rng, store):
        self.rng, self.store, self.history = rng, store, []
        self.conditions = Counters(rng)

    def run(self, *statements):
        self.history += [s for s in statements if not s.startswith(("SELECT", "SET"))]
        return mtsql.run(["\\set VERBOSITY verbose", "SET client_min_messages = 'error'", *statements], self.store)[2:]

    def wrong(self, what):
        return "FAIL " + what + "".join(f"\n   {s[:300]};" for s in self.history)

    def events(self):
        r = self.rng
        at = lambda: f"{r.choice(DAYS)} {r.choice([0, 0, 9, 12, 23]):02}:{r.choice([0, 1, 29, 30, 59]):02}:00+00"
        return "INSERT INTO THIS VALUES " + ", ".join(f"('{at()}', {q(r.choice(ITEMS))}, {q(r.choice(GROUPS))}, {q(r.choice(HOSTS))}, {r.choice([1, 2, 7, 3612, 10**10])})" for _ in range(r.choice([3, 40, 120])))

    def delete(self):
        conditions = [self.conditions.condition().sql for _ in range(self.rng.choice([1, 1, 2, 3]))]
        where = self.rng.choice([" AND ", " OR "]).join(f"({c})" for c in conditions)
        return "DELETE FROM THIS" + (f" WHERE {'NOT ' if self.rng.random() < 0.2 else ''}({where})" if self.rng.random() < 0.97 else "")

    def both(self, statement):
        return self.run(statement.replace("THIS", "hits"), statement.replace("THIS", "plain"))

    def compare(self, layouts):
        """Returns the difference, or None."""
        for layout in layouts:
            for level in self.rng.sample(LEVELS, 2):
                s = f"SELECT {level}, item, grp, host, sum(hits) FROM %s GROUP BY 1, 2, 3, 4 HAVING sum(hits) > 0"
                there, _, here = self.run(s % "plain", f"SET layout = '{layout}'", s % "hits")
                if here.error or there.error or sorted(map(repr, here.rows)) != sorted(map(repr, there.rows)):
                    return f"{layout}, {level}: {here.error or there.error or sorted(set(map(repr, here.rows)) ^ set(map(repr, there.rows)))[:4]}"
        found = self.run("CHECK TABLE hits")[0]
        return f"CHECK: {found.error or found.rows[:3]}" if found.error or found.rows else None

    def all(self):
        rng = self.rng
        using = rng.choice(LAYOUTS)
        made = self.run(f"CREATE TABLE plain {COLUMNS} USING rows", f"CREATE TABLE hits {COLUMNS} USING {using}")
        if any(a.error for a in made):
            return self.wrong(str([a.error for a in made]))
        layouts = [using.split()[0]]
        if rng.random() < 0.4 and self.run(f"ALTER TABLE hits ADD LAYOUT second USING {rng.choice(SECOND)}")[0].error is None:
            layouts.append("second")
            STATS["second layouts"] += 1
        for _ in range(4):
            change = rng.choice([self.events, self.delete, self.delete])()
            steps = [self.events(), change]
            if rng.random() < 0.3:
                self.run(f"PREALLOCATE hits FOR '1 day' FROM '{rng.choice(DAYS)} 00:00+00'")
            for step in steps:
                here, there = self.both(step)
                if here.error or there.error:
                    return self.wrong(f"{step}: {here.error}, {there.error}")
                STATS[step.split()[0]] += 1
            wrong = self.compare(layouts)
            if wrong:
                return self.wrong(wrong)
        return None


def main():
    parser = randoms.options("cases", 10, engine="tables")
    parser.add_argument("--first", type=int, default=0, help="the first case, to run one again")
    args, failed = parser.parse_args(), 0
    with server.Server(args.engine) if args.engine else contextlib.nullcontext() as uri:
        for number in range(args.first, args.first + args.cases):
            with randoms.place("sums", uri, number) as target:
                wrong = Case(random.Random(f"sums/{args.seed}/{number}"), target).all()
            if wrong:
                failed += 1
                print(f"--seed {args.seed} --first {number} --cases 1: {wrong}", flush=True)
    return randoms.closing(args.seed, args.cases, failed, f"{args.cases} cases, {dict(STATS)}")


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Layouts that lose their rows at different times, beside a plain table that keeps all rows. Each
answer must be the plain table's, and never have fewer rows.

    retention.py [--cases N] [--seed N] [--engine SERVER]

A case is a table with random layouts, some with their own expire_after. It makes random changes:
late rows, UPDATE, DELETE, VACUUM, REPAIR, ADD LAYOUT, drop_chunks, SET and RESET of expire_after,
also of the table's. CHECK follows each change, and random queries follow. It counts the refused
queries (0A000). Rows that the table itself has lost are deleted from the plain table. EXPLAIN
prints the time before which they are lost. This time must follow from the interval and the units of
the layouts.

A case's tables are in a store of its own, or in a database on a server: a name of
tests/servers/server.py, or a URI.
"""
import contextlib
import random
import re
import sys
from collections import Counter
from datetime import datetime, timedelta, timezone

import oracle
from oracle import mtsql
import randoms
import server

STATS = Counter()
COLUMNS = "(ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE COUNTER NOT NULL)"
SUMS = """CREATE LAYOUT %(name)s AS '{ "keeps": "sums", "key": ["item", "grp", "host"], "stores": [ { "collection": "%(name)s", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "%(unit)s", "at": "at", "encoding": "date"}, {"column": "item", "at": "item"}, {"column": "grp", "at": "grp"}, {"column": "host", "at": "host"} ],
   "agg": { "n": "n", "measures": { "v": "v" } } } } ] }'"""
HERE = [SUMS % {"name": f"{unit}s", "unit": unit} for unit in ("day", "month", "year")]
# The layouts that a table may have beside rows: how each is made, and the unit of its documents.
LAYOUTS = {"days": ("days", "day"), "months": ("months", "month"), "years": ("years", "year"), "packed": ("per_day", "day"), "packed_months": ("per_day WITH (bucket = '1 month')", "month"),
           "packed_parts": ("per_day WITH (partition_by = 'month')", "month"), "clusters": ("nested WITH (cluster_by = 'item, grp, host')", None),
           "lists": ("nested WITH (levels = 'ts, item, grp, host')", None), "list_sums": ("nested WITH (raw_values = false, levels = 'ts, item, grp, host')", None),
           "parts": ("rows WITH (partition_by = 'day')", "day"), "metrics": ("daily_metrics", "day"), "deep": ("daily_metrics WITH (style = 'hierarchical')", "day"), "totals": ("mms", "day"),
           "total_months": ("mms WITH (style = 'hierarchical', months = true)", "month"), "seconds": ("minute", "minute"), "arrays": ("minute WITH (values = 'array')", "minute"),
           "series": ("timeseries", None), "newest": ("latest WITH (key = 'item')", None)}
WHOLE = [n for n in LAYOUTS if n != "newest"]  # layouts that keep only the table's sums
UNITS = ["minute", "hour", "day", "month", "year"]
AGGREGATES = ["sum(v)", "sum(v), count(*)", "count(*)", "min(v), max(v)", "avg(v)", "count(DISTINCT item)", "max(ts)", "last(v, ts)", "min(ts), max(ts)", "first(v, ts), max(ts)", "max(ts) FILTER (WHERE item = 'i2'), min(ts) FILTER (WHERE grp > host), max(ts)", "last(v, ts), first(v, ts) FILTER (WHERE v > 5)", "sum(v) FILTER (WHERE item = 'i2')"]
KEYS = ["", "", "item", "host", "date_trunc('day', ts, 'UTC')", "date_trunc('month', ts, 'UTC')", "date_trunc('year', ts, 'UTC')", "date_trunc('hour', ts, 'UTC')", "time_bucket('7 days', ts)"]


def floor(moment, unit):
    at = UNITS.index(unit)
    names = ["second", "minute", "hour", "day", "month"]
    return moment.replace(microsecond=0, **{n: 1 if n in ("day", "month") else 0 for n in names[:at + 1]})


def literal(moment):
    return f"timestamptz '{moment:%Y-%m-%d %H:%M:%S}+00'"


class Case:
    """A table t, its plain twin, and the changes of both."""

    def __init__(self, rng, store, rows):
        self.rng, self.store, self.count, self.wrong, self.history = rng, store, rows, [], []
        self.now, self.first = datetime.now(timezone.utc), None
        self.used, self.layouts = set(), ["rows"]

    # ---- statements ----

    def run(self, *statements):
        self.history += statements
        return mtsql.run(["\\set VERBOSITY verbose", "SET client_min_messages = 'error'", *statements], self.store)[2:]

    def fail(self, what):
        self.wrong.append("FAIL " + what + "".join(f"\n   {s[:300]};" for s in self.history if not s.startswith("SELECT")))

    def told(self, answer, statement):
        """Returns whether the statement was done. A refused one must have had a reason."""
        if answer.error is None:
            return True
        if oracle.code(answer) not in ("0A000", "55000", "25P02"):
            self.fail(f"{statement}\n      {answer.error}")
        STATS["refused changes"] += 1
        return False

    def both(self, change):
        """Runs a statement on both tables, or on neither."""
        begin, here, there, end = self.run("BEGIN", change % "t", change % "plain", "COMMIT")
        if self.told(here, change % "t") and there.error is not None:
            self.fail(f"{change % 'plain'}\n      {there.error}")

    # ---- the table ----

    def rows(self, newest_days, count):
        """Returns rows with new times, none of which the table itself has lost."""
        out, step = [], self.rng.randint(300, 2400)
        for i in range(count):
            ts = floor(self.now, "minute") - timedelta(days=newest_days, minutes=i * step + self.rng.randrange(60))
            if ts in self.used or (self.first and ts < self.first):
                continue
            self.used.add(ts)
            out.append(f"({literal(ts)}, 'i{self.rng.randrange(4)}', 'g{self.rng.randrange(2)}', 'h{self.rng.randrange(3)}', {self.rng.randint(1, 9)})")
        return "INSERT INTO %s VALUES " + ", ".join(out) if out else "DELETE FROM %s WHERE false"

    def add(self, name, may_expire):
        using, age = LAYOUTS[name][0], self.rng.choice([5, 20, 40, 100, 200, 400, 2000])
        if may_expire and self.rng.random() < 0.6:
            using = (using[:-1] + ", " if using.endswith(")") else using + " WITH (") + f"expire_after = '{age} days')"
        s = f"ALTER TABLE t ADD LAYOUT {name} USING {using}"
        if self.told(self.run(s)[0], s):
            self.layouts.append(name)

    def make(self):
        rng = self.rng
        for a in self.run(*HERE, f"CREATE TABLE plain {COLUMNS} USING rows", f"CREATE TABLE t {COLUMNS} USING rows"):
            a.must()
        self.both(self.rows(0, self.count))
        names = rng.sample(sorted(LAYOUTS), rng.randint(1, 3))
        lasting = next((n for n in names if n in WHOLE), None)
        if not lasting:
            lasting = rng.choice(WHOLE)
            names.append(lasting)
        for n in names:
            self.add(n, n != lasting)
        if rng.random() < 0.8:
            self.change(f"ALTER TABLE t LAYOUT rows SET (expire_after = '{rng.choice([3, 10, 30, 90])} days')")

    def change(self, s):
        return self.told(self.run(s)[0], s)

    def unit(self):
        return max((LAYOUTS[n][1] for n in self.layouts if n in LAYOUTS and LAYOUTS[n][1]), key=UNITS.index, default=None)

    def lose(self, days=None):
        """Deletes from the plain table the rows that the table has lost: by its own expiry (this
        many days are kept), or because all of its layouts lost them.
        """
        answer = self.run("EXPLAIN (FORMAT JSON) SELECT count(*) FROM t WHERE ts >= now()")[0]
        found = re.search(r'"expired_before": "([^"+]+)\+00"', answer.error or answer.rows[0][0])
        told = found and datetime.fromisoformat(found.group(1)).replace(tzinfo=timezone.utc)
        if days:
            kept = self.now - timedelta(days=days)
            if not told or told < floor(kept, self.unit() or "minute") or told > max(kept + timedelta(minutes=1), self.first or kept):
                self.fail(f"rows expired before {told}, by {self.unit()}s; {days} days are kept")
        if told:
            self.without(told)

    def without(self, before):
        self.first = max(before, self.first or before)
        self.run(f"DELETE FROM plain WHERE ts < {literal(self.first)}")

    # ---- changes ----

    def table_expires(self):
        days = self.rng.choice([50, 300])
        if self.change(f"ALTER TABLE t SET (expire_after = '{days} days')"):
            self.lose(days)

    def chunks(self):
        days = self.rng.choice([60, 250, 400])
        first = floor(self.now - timedelta(days=days), self.unit() or "minute")
        if self.change(f"SELECT drop_chunks ('t', older_than => {literal(first)})"):
            self.without(first)

    def delete(self):
        if self.rng.random() < 0.3:
            return self.both(f"DELETE FROM %s WHERE {self.condition()} AND {self.condition()}")
        since, until = self.rng.randint(1, 60), self.rng.randint(0, 20)
        end = f" AND ts < {literal(self.now - timedelta(days=min(until, since - 1)))}" if self.rng.random() < 0.4 else ""
        begin = self.now - timedelta(days=since)
        if self.rng.random() < 0.4:
            begin = floor(begin, "day")
        self.both(f"DELETE FROM %s WHERE ts >= {literal(begin)}{end}" + self.rng.choice(["", " AND item = 'i3'", " AND v > 4"]))

    def update(self):
        self.both(f"UPDATE %s SET v = v + 10 WHERE ts >= {literal(self.now - timedelta(days=self.rng.randint(1, 12)))} AND item <> 'i0'")

    def more(self):
        rest = sorted(set(LAYOUTS) - set(self.layouts))
        self.add(self.rng.choice(rest), self.rng.random() < 0.3)
        self.lose()

    def expires(self):
        self.change(f"ALTER TABLE t LAYOUT {self.rng.choice(self.layouts)} " + self.rng.choice(["RESET (expire_after)", "SET (expire_after = '20 days')"]))
        self.lose()

    def step(self):
        rng = self.rng
        what = rng.choices(["late", "delete", "update", "more", "expires", "table", "chunks", "VACUUM t", "REPAIR TABLE t"], [3, 3, 2, 3, 1, 1, 1, 4, 2])[0]
        steps = {"late": lambda: self.both(self.rows(rng.choice([0, 80, 330]), 30)), "delete": self.delete, "update": self.update, "more": self.more, "expires": self.expires, "table": self.table_expires,
                 "chunks": self.chunks}
        steps[what]() if what in steps else self.change(what)
        answer = self.run("CHECK TABLE t")[0]
        if answer.error is not None or answer.rows:
            self.fail(f"CHECK after {what}\n      {answer.error or answer.rows[:4]}")

    # ---- queries ----

    def moment(self, days):
        return literal(floor(self.now - timedelta(days=self.rng.randint(*days)), self.rng.choice(UNITS)))

    def condition(self):
        """Returns a condition on the time that does not look like a range."""
        rng, at, days = self.rng, self.moment((1, 700)), self.rng.randint(1, 400)
        op = rng.choice(["<", "<=", ">", ">=", ">=", "=", "<>"])
        return rng.choice([f"NOT (ts {op} {at})", f"(ts {op} {at}) IS NOT TRUE", f"date_trunc('{rng.choice(UNITS)}', ts, '{rng.choice(['UTC', 'Europe/Berlin', 'Asia/Kolkata'])}') {op} {at}",
                           f"time_bucket('{rng.choice(['7 days', '1 month', '6 hours'])}', ts) {op} {at}", f"ts::date {op} ({at})::date", f"{at} - ts {op} interval '{rng.randint(-99, 99)} days'",
                           f"ts {rng.choice('+-')} interval '{rng.choice(['1 month', '40 days', '30 hours', '1 year -3 days'])}' {op} {at}", f"(item = 'i1' AND ts {op} {at} OR v > 4 AND ts >= {self.moment((1, 300))})",
                           f"CASE WHEN item = 'i2' THEN ts {op} {at} ELSE ts > {at} END", f"coalesce (ts {op} {at}, false)", f"ts NOT IN ({at}, NULL)", f"ts IN ({at}, NULL, {self.moment((1, 9))})", "false", "v > 99 AND NULL",
                           f"now() - ts < interval '{days} days'", f"NOT (now() - ts > interval '{days} days' OR item = 'i0')"])

    def query(self):
        rng, low, high = self.rng, self.moment((1, 700)), self.moment((0, 60))
        where = rng.choice(["", f" AND ts >= {low}", f" AND ts >= {low} AND ts < {high}", f" AND ts < {high}", f" AND ts >= {literal(self.now - timedelta(days=rng.randint(1, 40)))}"])
        if rng.random() < 0.3:
            where += " AND " + self.condition()
        where += rng.choice(["", "", "", " AND item <> 'i1'", " AND v > 2"])
        if rng.random() < 0.12:
            return f"SELECT ts, item, grp, host, v FROM %s WHERE true{where}"
        keys = rng.sample(KEYS, 1) if rng.random() < 0.8 else ["item", "date_trunc('month', ts, 'UTC')"]
        keys = ", ".join(k for k in keys if k)
        return f"SELECT {keys + ', ' if keys else ''}{rng.choice(AGGREGATES)} FROM %s WHERE true{where}" + (f" GROUP BY {keys}" if keys else "")

    def ask(self, count):
        queries = [self.query() for _ in range(count)]
        answers = self.run(*[q % t for q in queries for t in ("plain", "t")])
        for q, plain, here in zip(queries, answers[::2], answers[1::2]):
            if here.error is not None and oracle.code(here) == "0A000":
                STATS["refused"] += 1
            elif plain.error is not None or here.error is not None or sorted(plain.rows, key=repr) != sorted(here.rows, key=repr):
                self.fail(f"{q % 't'}\n      {here.error or sorted(here.rows, key=repr)[:3]}, not {plain.error or sorted(plain.rows, key=repr)[:3]}")
            else:
                STATS["same"] += 1

    def all(self):
        self.make()
        self.ask(8)
        for _ in range(5):
            self.step()
            self.ask(5)
            if self.wrong:
                break
        return self.wrong[:1]


def one(seed, number, uri, rows):
    """Runs one case. Returns None if a day ended during the case, and more rows expired with it."""
    with randoms.place("retention", uri, number) as target:
        case = Case(random.Random(f"retention/{seed}/{number}"), target, rows)
        wrong = case.all()
        return wrong if datetime.now(timezone.utc).date() == case.now.date() else None


def main():
    parser = randoms.options("cases", 6, engine="tables")
    parser.add_argument("--first", type=int, default=0, help="the first case, to run one again")
    parser.add_argument("--rows", type=int, default=500, help="at first, of a case")
    args, done, failed, skipped = parser.parse_args(), 0, 0, 0
    with server.Server(args.engine) if args.engine else contextlib.nullcontext() as uri:
        for number in range(args.first, args.first + args.cases):
            wrong = one(args.seed, number, uri, args.rows)
            done, failed, skipped = done + 1, failed + bool(wrong), skipped + (wrong is None)
            for w in wrong or []:
                print(f"--seed {args.seed} --first {number} --cases 1: {w}", flush=True)
    return randoms.closing(args.seed, done - skipped, failed, f"{done} cases, {dict(STATS)}", skipped)


if __name__ == "__main__":
    sys.exit(main())

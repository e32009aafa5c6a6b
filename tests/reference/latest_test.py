#!/usr/bin/env python3
"""Layouts that keep the newest record of each key, beside records: random tables, random changes,
and random questions. An answer from the newest records must be the answer from all records. The
stored records must be the newest by docs/lemma.md, computed here.

    latest_test.py [--tables N] [--seed S] [--uri mongodb://…]
"""
import datetime
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import randoms
from paths import MTSQL

START = datetime.datetime(2020, 2, 28, 22)
VALUES = {"text": ["", "a", "b", "ab", "ä", "a/b", "%"], "integer": [-3, 0, 7, 2000000000], "bigint": [-5, 0, 2**40], "boolean": [False, True],
          "double precision": [-1.5, 0.0, 0.25, 1e10], "numeric": [-2, 0, 3, 10], "date": ["2020-01-01", "2020-02-29"]}
KEYS = ["text", "integer", "bigint"]
MARK = "------"


def literal(v):
    if v is None:
        return "NULL"
    return str(v) if isinstance(v, (int, float)) else "'" + v.replace("'", "''") + "'"


class Table:
    def __init__(self, rng):
        self.rng = rng
        self.keys = [(f"k{i}", rng.choice(KEYS)) for i in range(rng.choice([1, 1, 2]))]
        self.others = [(f"c{i}", rng.choice(sorted(VALUES))) for i in range(rng.randint(1, 3))]
        self.tie = rng.sample([n for n, _ in self.others], rng.randint(0, len(self.others)))
        self.order = self.tie + [n for n, _ in self.others if n not in self.tie]
        self.rows = []

    def create(self):
        columns = ", ".join([f"{n} {t} DIMENSION NOT NULL" for n, t in self.keys] + ["ts timestamptz TIME PERIOD '1 s' NOT NULL"] +
                            [f"{n} {t} {self.role(t)}" for n, t in self.others])
        using = self.rng.choice(["rows", "rows WITH (time_encoding = 'epoch_ms')", "nested", "per_day"])
        if using in ("nested", "per_day") and any(self.role(t) == "" for _, t in self.others):
            using = "rows"
        tie = f", tie = '{', '.join(self.tie)}'" if self.tie else ""
        return [f"CREATE TABLE t ({columns}) USING {using}",
                f"ALTER TABLE t ADD LAYOUT newest USING latest WITH (key = '{', '.join(n for n, _ in self.keys)}'{tie}{self.rng.choice(['', ', time_encoding = ' + chr(39) + 'date' + chr(39)])})"]

    def role(self, t):
        return "MEASURE" if t in ("integer", "bigint", "double precision", "numeric") else ""

    def row(self):
        some = {n: self.rng.choice(VALUES[t][:4]) for n, t in self.keys}
        some["ts"] = START + datetime.timedelta(seconds=self.rng.randrange(12))
        some.update({n: None if self.rng.random() < 0.3 else self.rng.choice(VALUES[t]) for n, t in self.others})
        return some

    def names(self):
        return [n for n, _ in self.keys] + ["ts"] + [n for n, _ in self.others]

    def text(self, n, v):
        return f"'{v.isoformat()}+00'" if n == "ts" else literal(v)

    def insert(self):
        more = [self.row() for _ in range(self.rng.randint(1, 12))]
        self.rows += more
        return "INSERT INTO t VALUES " + ", ".join("(" + ", ".join(self.text(n, r[n]) for n in self.names()) + ")" for r in more)

    def condition(self):
        """Returns a condition as SQL, and as a function of a row."""
        n, t = self.rng.choice(self.keys)
        v, at = self.rng.choice(VALUES[t][:4]), START + datetime.timedelta(seconds=self.rng.randrange(12))
        c, of = self.rng.choice(self.others)
        return self.rng.choice([
            (f"{n} = {literal(v)}", lambda r: r[n] == v), (f"ts >= '{at.isoformat()}+00'", lambda r: r["ts"] >= at), (f"ts = '{at.isoformat()}+00'", lambda r: r["ts"] == at),
            (f"{c} IS NULL", lambda r: r[c] is None), (f"{n} = {literal(v)} AND ts > '{at.isoformat()}+00'", lambda r: r[n] == v and r["ts"] > at)])

    def change(self):
        sql, holds = self.condition()
        if self.rng.random() < 0.5:
            self.rows = [r for r in self.rows if not holds(r)]
            return f"DELETE FROM t WHERE {sql}"
        n, t = self.rng.choice(self.keys + self.others + [("ts", "")])
        v = START + datetime.timedelta(seconds=self.rng.randrange(12)) if n == "ts" else self.rng.choice(VALUES[t][:4])
        self.rows = [{**r, n: v} if holds(r) else r for r in self.rows]
        return f"UPDATE t SET {n} = {self.text(n, v)} WHERE {sql}"

    # ---- what is newest ----

    def rank(self, r):
        return (r["ts"], *((r[n] is not None, self.comparable(r[n])) for n in self.order))

    @staticmethod
    def comparable(v):
        return v.encode() if isinstance(v, str) else 0 if v is None else v

    def newest(self):
        best = {}
        for r in self.rows:
            k = tuple(self.comparable(r[n]) for n, _ in self.keys)
            if k not in best or self.rank(r) > self.rank(best[k]):
                best[k] = r
        return ["|".join(self.shown(best[k][n]) for n in self.names()) for k in sorted(best)]

    @staticmethod
    def shown(v):
        if isinstance(v, datetime.datetime):
            return v.strftime("%Y-%m-%d %H:%M:%S+00")
        if v is None:
            return "~"
        if isinstance(v, bool):
            return "t" if v else "f"
        return f"{v:g}" if isinstance(v, float) and v < 1e9 else str(int(v)) if isinstance(v, float) else str(v)

    def by_key(self):
        keys = ", ".join(n for n, _ in self.keys)
        return f"SELECT DISTINCT ON ({keys}) * FROM t ORDER BY {keys}, ts DESC, " + ", ".join(f"{n} DESC NULLS LAST" for n in self.order)

    # ---- questions: with an order that leaves nothing open ----

    def filters(self):
        n, t = self.rng.choice(self.keys)
        some = [f"{n} = {literal(self.rng.choice(VALUES[t]))}", f"{n} IN ({', '.join(literal(v) for v in VALUES[t][:3])})", f"{n} > {literal(VALUES[t][1])}",
                f"ts >= '{(START + datetime.timedelta(seconds=self.rng.randrange(12))).isoformat()}+00'", f"{self.order[0]} IS NOT NULL",
                f"ts < '{(START + datetime.timedelta(seconds=self.rng.randrange(12))).isoformat()}+00'"]
        chosen = self.rng.sample(some[:4] if self.rng.random() < 0.8 else some, self.rng.choice([0, 1, 1, 2]))
        return " WHERE " + " AND ".join(chosen) if chosen else ""

    def ties(self):
        wrong = self.rng.random() < 0.15
        return ", ".join(f"{n}{self.rng.choice(['', ' DESC']) if wrong else ' DESC NULLS LAST'}" for n in (self.rng.sample(self.order, len(self.order)) if wrong else self.order))

    def key_exprs(self):
        names = self.rng.sample(self.keys, self.rng.randint(1, len(self.keys)))
        return [self.rng.choice([n, n, f"length({n})" if t == "text" else f"{n} % 2"]) for n, t in names] + ([self.order[0]] if self.rng.random() < 0.1 else [])

    def rows_query(self):
        rest = [n for n, _ in self.keys]
        if self.rng.random() < 0.3:
            return f"SELECT * FROM t{self.filters()} ORDER BY {self.rng.choice([rest[0] + ', ', ''])}ts DESC, {', '.join(rest)}, {self.ties()} LIMIT {self.rng.choice([1, 1, 1, 2])}"
        on = self.key_exprs()
        return f"SELECT DISTINCT ON ({', '.join(on)}) * FROM t{self.filters()} ORDER BY {', '.join(on)}, ts {self.rng.choice(['DESC'] * 5 + ['ASC'])}, {', '.join(rest)}, {self.ties()}"

    def groups_query(self):
        n, t = self.rng.choice(self.keys)
        aggs = ["max(ts)", f"last({self.order[0]}, ts)", f"count(DISTINCT {n})", f"min({n})", f"max({n})", f"max(ts) FILTER (WHERE {n} > {literal(VALUES[t][1])})",
                "count(*)", "min(ts)", f"first({self.order[0]}, ts)", f"max(ts) FILTER (WHERE ts < '{START.isoformat()}+00')", f"count({self.order[0]})"]
        chosen = self.rng.sample(aggs[:6] if self.rng.random() < 0.75 else aggs, self.rng.randint(1, 3))
        keys = self.key_exprs() if self.rng.random() < 0.8 else []
        order = ", ".join(str(i + 1) for i in range(len(keys)))
        return f"SELECT {', '.join(keys + chosen)} FROM t{self.filters()}" + (f" GROUP BY {', '.join(keys)} ORDER BY {order}" if keys else "")

    def query(self):
        n = self.rng.choice(self.keys)[0]
        return self.rng.choice([self.rows_query, self.rows_query, self.groups_query, self.groups_query, lambda: f"SELECT DISTINCT {n} FROM t{self.filters()} ORDER BY 1"])()


def run(statements, target):
    """Returns the answer of each statement as text."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as f:
        f.write("".join(f"{s};\n\\echo {MARK}\n" for s in statements))
        f.flush()
        p = subprocess.run([MTSQL, "-XqAt", "-P", "null=~", "-v", "ON_ERROR_STOP=0", "-f", f.name, *target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                           text=True, timeout=300, env={**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"})
    return [part.strip("\n") for part in p.stdout.split(MARK + "\n")]


def try_table(rng, target, queries):
    t = Table(rng)
    setup = t.create() + [t.insert() for _ in range(rng.randint(1, 4))]
    for _ in range(rng.randint(0, 4)):
        setup.append(rng.choice([t.insert, t.change, t.change])())
    asked = [t.by_key()] + [t.query() for _ in range(queries)]
    statements = setup + ["SET layout = 'newest'"] + asked + ["RESET layout", "ALTER TABLE t DROP LAYOUT newest"] + asked + ["DROP TABLE t"]
    out = run(statements, target)
    bad, answered, n = [], 0, len(setup)
    for s, o in zip(setup, out):
        if "ERROR" in o:
            bad.append(f"{s}\n   {o}")
    newest, records = out[n + 1:n + 1 + len(asked)], out[n + 3 + len(asked):n + 3 + 2 * len(asked)]
    for q, a, b in zip(asked, newest, records):
        refused = "can answer this query" in a
        answered += not refused
        if "ERROR" in b or (not refused and a != b):
            bad.append(f"{q}\n   newest:  {a!r}\n   records: {b!r}")
    if newest[0].split("\n") != (t.newest() or [""]):
        bad.append(f"{asked[0]}\n   newest:   {newest[0]!r}\n   expected: {t.newest()!r}")
    return [";\n".join(setup) + ";\n" + b for b in bad], answered, len(asked) - answered


def main():
    p = randoms.options("tables", 40)
    p.add_argument("--queries", type=int, default=30)
    p.add_argument("--uri")
    args = p.parse_args()
    failed = answered = refused = 0
    for i in range(args.tables):
        bad, yes, no = try_table(random.Random(f"{args.seed}.{i}"), [args.uri] if args.uri else [], args.queries)
        answered, refused, failed = answered + yes, refused + no, failed + len(bad)
        for b in bad[:2]:
            print(f"FAIL table {i} of seed {args.seed}\n{b}\n", flush=True)
    if answered < args.tables * args.queries // 4 or not refused:
        print(f"FAIL the questions are no test: {answered} were answered by newest records, {refused} weren't")
        failed += 1
    return randoms.closing(args.seed, answered + refused, failed, f"{answered} questions answered by newest records, {refused} refused")


if __name__ == "__main__":
    sys.exit(main())

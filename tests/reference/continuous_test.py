#!/usr/bin/env python3
"""Continuous views beside their own queries: random rows (also late ones), updates, deletes, COPY,
and refreshes of random windows, on random layouts. After each statement, a read of the view must
give the query's rows. A refresh must compute as many buckets as were touched.

    continuous_test.py [--cases N] [--seed S] [--engine SERVER]
"""
import argparse
import collections
import contextlib
import datetime
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.abspath(__file__)) + "/.."
sys.path[:0] = [ROOT + "/lib", ROOT + "/servers"]
from cases import check, finish, passes
from paths import MTSQL
from server import database

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
START = 1_704_067_200_000  # 2024-01-01
LAYOUTS = ["rows", "rows WITH (partition_by = 'day')", "per_day", "nested WITH (cluster_by = 'dev', levels = 'ts')", "nested WITH (levels = 'day, dev, ts')"]
STEPS = 25


def at(ms):
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)


def stamp(ms):
    return f"'{at(ms):%Y-%m-%d %H:%M:%S}+00'"


def month(ms):
    return int(at(ms).replace(day=1, hour=0, minute=0, second=0).timestamp()) * 1000


def next_month(ms):
    return month(month(ms) + 32 * DAY)


# The bucket's expression, its start for a time, the start of the next one, and the distance of the
# rows' times.
Bucket = collections.namedtuple("Bucket", "sql floor after spread")
BUCKETS = [Bucket("time_bucket ('1 hour', ts)", lambda t: t // HOUR * HOUR, lambda b: b + HOUR, 2 * DAY),
           Bucket("time_bucket ('1 day', r.ts)", lambda t: t // DAY * DAY, lambda b: b + DAY, 20 * DAY),
           Bucket("date_trunc ('day', ts, 'UTC')", lambda t: t // DAY * DAY, lambda b: b + DAY, 20 * DAY),
           Bucket("time_bucket ('1 month', ts)", month, next_month, 400 * DAY)]


class View:
    """The stored rows, and the stale buckets."""

    def __init__(self, bucket):
        self.bucket, self.mark, self.stale, self.below = bucket, None, set(), None

    def touch(self, ms):
        b = self.bucket.floor(ms)
        if self.mark is not None and b < self.mark and (self.below is None or b >= self.below):
            self.stale.add(b)

    def touch_all(self):
        if self.mark is not None:
            self.below, self.stale = self.mark, set()

    def buckets(self, lo, hi):
        count = 0
        while lo < hi:
            lo, count = self.bucket.after(lo), count + 1
        return count

    def all_stale(self, begin):
        """Returns the stale buckets: those before `below`, from a time on."""
        out, b = set(self.stale), begin
        while self.below is not None and b is not None and b < self.below:
            out.add(b)
            b = self.bucket.after(b)
        return out

    def refresh(self, lo, hi, times, force):
        """Returns how many buckets a refresh computes."""
        floor, after = self.bucket.floor, self.bucket.after
        lo = lo if lo is None or floor(lo) == lo else after(floor(lo))
        hi = None if hi is None else floor(hi)
        if lo is not None and hi is not None and lo >= hi:
            return 0
        inside = lambda b: (lo is None or b >= lo) and (hi is None or b < hi)
        first = min(times, default=None)
        fresh = [t for t in times if self.mark is None or t >= self.mark]
        before, done = self.mark, 0
        if fresh and (hi is None or before is None or hi > before):
            end = after(floor(max(fresh)))
            end = end if hi is None else min(end, hi)
            if lo is None or end > lo:
                self.mark = end
        if before is not None:
            begin = lo if lo is not None else floor(first) if first is not None else None
            stale = self.all_stale(begin)
            if force:
                b = begin
                while b is not None and b < before:
                    stale.add(b)
                    b = after(b)
            done += sum(map(inside, stale))
            self.stale = {b for b in self.stale if not inside(b)}
            if self.below is not None and (lo is None or lo < self.below):
                if hi is not None and hi < self.below:  # the rest behind the window
                    b = hi
                    while b < self.below:
                        self.stale.add(b)
                        b = after(b)
                self.below = None if lo is None else lo
        if self.mark is not None and self.mark != before:
            begin = before if before is not None else (floor(first) if lo is None else None)
            if lo is not None and (before is None or lo > before):
                if before is None:
                    self.below = lo
                else:
                    b = before
                    while b < lo:
                        self.stale.add(b)
                        b = after(b)
                begin = lo
            done += self.buckets(begin, self.mark)
        return done


class Case:
    def __init__(self, rng, uri):
        self.rng, self.uri, self.rows, self.script, self.expected = rng, uri, [], [], {}
        self.keyed = rng.random() < 0.3
        self.bucket = rng.choice(BUCKETS)
        self.view = View(self.bucket)
        self.count = 0

    def say(self, sql):
        self.script.append(sql)
        return sum(s.count("\n") + 1 for s in self.script)

    def time(self):
        return START + self.rng.randrange(self.bucket.spread // MINUTE) * MINUTE

    def check(self):
        """Checks that the view gives its query's rows. On a server, earlier statements are visible
        at once.
        """
        self.count += 1
        for view, query in (("v", self.query), ("w", self.above)):
            self.say(f"\\echo check {self.count} {view}\nSELECT count(*) FROM ((TABLE {view} EXCEPT ALL ({query})) UNION ALL (({query}) EXCEPT ALL TABLE {view})) x;")

    def create(self):
        rng = self.rng
        layout = rng.choice(LAYOUTS)
        key = ", PRIMARY KEY (ts, dev)" if self.keyed else ""
        if self.keyed:
            layout = "rows"
        self.say("SET TimeZone = 'UTC';")
        self.say(f"CREATE TABLE r (ts timestamptz TIME NOT NULL, dev text DIMENSION NOT NULL, v bigint MEASURE{key}) USING {layout};")
        self.say("CREATE TABLE dims (dev text DIMENSION NOT NULL, site text DIMENSION NOT NULL) USING rows;\nINSERT INTO dims VALUES ('a', 'x'), ('b', 'y'), ('c', 'y');")
        self.insert(6)
        join, by = rng.choice([("", "dev"), (" JOIN dims d ON d.dev = r.dev", "site"), (" LEFT JOIN dims d ON d.dev = r.dev", "site")])
        having = rng.choice(["", "", " HAVING sum(v) > 3"])
        self.query = f"SELECT {self.bucket.sql} AS bucket, {by}, count(*) AS n, sum(v) AS total, min(v) AS least FROM r{join} GROUP BY 1, 2{having}"
        only = rng.choice(["USING rows ", "USING nested ", ""]) if not self.uri else ""
        if "nested" in only:
            only = f"USING nested WITH (cluster_by = '{by}', levels = 'bucket', continuous) "
        else:
            only += "WITH (continuous) "
        line = self.say(f"CREATE MATERIALIZED VIEW v {only}AS {self.query} WITH NO DATA;")
        self.above = "SELECT time_bucket ('1 year', bucket) AS year, sum(n) AS n, sum(total) AS total FROM (" + self.query + ") q GROUP BY 1"
        self.say("CREATE MATERIALIZED VIEW w WITH (continuous) AS SELECT time_bucket ('1 year', bucket) AS year, sum(n) AS n, sum(total) AS total FROM v GROUP BY 1;")
        return line

    def add(self, rows):
        for ms, _, _ in rows:
            self.view.touch(ms)
        self.rows += rows

    def new_rows(self, most):
        rows, seen = [], {(ms, dev) for ms, dev, _ in self.rows}
        for _ in range(self.rng.randint(1, most)):
            row = (self.time(), self.rng.choice("abc"), self.rng.randint(-3, 9))
            if self.keyed and row[:2] in seen:
                continue
            seen.add(row[:2])
            rows.append(row)
        return rows

    def values(self, rows):
        return ", ".join(f"({stamp(ms)}, '{dev}', {v})" for ms, dev, v in rows)

    def insert(self, most=5):
        rows = self.new_rows(most)
        if not rows:
            return
        how = self.rng.randrange(3)
        if how == 0:
            self.say(f"INSERT INTO r VALUES {self.values(rows)};")
        elif how == 1:
            self.say(f"INSERT INTO r SELECT a::timestamptz, b, c FROM (VALUES {self.values(rows)}) x (a, b, c);")
        else:
            self.say("COPY r FROM STDIN (FORMAT csv);\n" + "".join(f"{at(ms):%Y-%m-%d %H:%M:%S}+00,{dev},{v}\n" for ms, dev, v in rows) + "\\.")
        self.add(rows)

    def upsert(self):
        if not self.keyed or not self.rows:
            return self.insert()
        old = self.rng.choice(self.rows)
        rows = [(old[0], old[1], old[2] + 1)] + self.new_rows(2)
        self.say(f"INSERT INTO r VALUES {self.values(rows)} ON CONFLICT (ts, dev) DO UPDATE SET v = excluded.v;")
        self.rows.remove(old)
        self.add(rows)

    def some(self):
        """Returns a condition, and the rows for which it holds."""
        a, b = sorted((self.time(), self.time()))
        b = min(b, a + self.bucket.spread // 8)
        dev = self.rng.choice("abc")
        return f"ts >= {stamp(a)} AND ts < {stamp(b)} AND dev = '{dev}'", [r for r in self.rows if a <= r[0] < b and r[1] == dev]

    def update(self):
        where, rows = self.some()
        shift = self.rng.choice([0, 0, HOUR, -3 * HOUR, 2 * DAY])
        if self.keyed:
            shift = 0
        self.say(f"UPDATE r SET v = v + 1{f', ts = ts + interval {chr(39)}{shift // MINUTE} minutes{chr(39)}' if shift else ''} WHERE {where};")
        self.delete_rows(rows)
        self.add([(ms + shift, dev, v + 1) for ms, dev, v in rows])

    def delete_rows(self, rows):
        for r in rows:
            self.rows.remove(r)
            self.view.touch(r[0])

    def delete(self):
        where, rows = self.some()
        self.say(f"DELETE FROM r WHERE {where};")
        self.delete_rows(rows)

    def truncate(self):
        self.say("TRUNCATE r;")
        self.rows = []
        self.view.touch_all()

    def refresh(self):
        lo, hi = sorted((self.time(), self.time() + self.bucket.spread // 4))
        lo, hi = self.rng.choice([(None, None), (lo, hi), (None, hi), (lo, None)])
        force = lo is not None and hi is not None and self.rng.random() < 0.2
        shown = [stamp(t) if t is not None else "NULL" for t in (lo, hi)]
        if self.rng.random() < 0.2:
            self.say(f"CALL refresh_continuous_aggregate ('w', {shown[0]}, {shown[1]});" if not hi or hi - (lo or 0) > 0 else "SELECT 1;")
        line = self.say(f"CALL refresh_continuous_aggregate ('v', {shown[0]}, {shown[1]}{', true' if force else ''});")
        self.expected[line] = self.view.refresh(lo, hi, [r[0] for r in self.rows], force), shown, force

    def run(self):
        self.create()
        for _ in range(STEPS):
            self.rng.choices([self.insert, self.upsert, self.update, self.delete, self.truncate, self.refresh], [8, 3, 3, 3, 0.4, 8])[0]()
            self.check()
        self.say("CALL refresh_continuous_aggregate ('v', NULL, NULL);\nCALL refresh_continuous_aggregate ('w', NULL, NULL);")
        self.say(f"\\echo check 0 v\nSELECT count(*) FROM ((TABLE _mtsql_stored.v EXCEPT ALL ({self.query})) UNION ALL (({self.query}) EXCEPT ALL TABLE _mtsql_stored.v)) x;")
        self.say(f"\\echo check 0 w\nSELECT count(*) FROM ((TABLE _mtsql_stored.w EXCEPT ALL ({self.above})) UNION ALL (({self.above}) EXCEPT ALL TABLE _mtsql_stored.w)) x;\nCHECK TABLE v;")


def judge(case, r, path):
    lines = r.stdout.splitlines()
    bad = [c for c, n in zip(lines, lines[1:]) if c.startswith("check ") and n != "0"]
    wrong = [f"{bad[:3]}"] if bad else []
    if r.returncode:
        wrong.append(r.stderr[-800:])
    notices = {int(m[1]): m[2] for m in re.finditer(r":(\d+): NOTICE:  continuous view \"v\"(.*)", r.stderr)}
    for line, (count, window, force) in case.expected.items():
        got = re.match(r": (\d+) bucket", notices.get(line, ""))
        if (int(got[1]) if got else 0) != count:
            wrong.append(f"line {line}: refresh of {window}, force {force}: {notices.get(line)}, expected {count}")
    return wrong


def one(seed, uri):
    rng = random.Random(seed)
    case = Case(rng, uri)
    case.run()
    with tempfile.TemporaryDirectory(prefix="continuous-") as folder:
        path = os.path.join(folder, "script.sql")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(case.script) + "\n")
        target = uri or os.path.join(folder, "s.mts")
        r = subprocess.run([MTSQL, "-X", "-qAt", "-v", "ON_ERROR_STOP=1", "-f", path, target], capture_output=True, text=True, timeout=600, check=False)
        wrong = judge(case, r, path)
        if wrong:
            keep = f"/tmp/continuous-{seed}.sql"
            os.replace(path, keep)
            check(f"seed {seed} (script {keep})", False, "\n".join(wrong[:4]))
        else:
            passes()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--cases", type=int, default=12)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--engine")
    o = p.parse_args()
    for seed in range(o.seed, o.seed + o.cases):
        with database(o.engine, "continuous") if o.engine else contextlib.nullcontext() as uri:
            one(seed, uri)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

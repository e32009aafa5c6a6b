#!/usr/bin/env python3
"""Measures roll-ups, and levels that keep states, beside records and DuckDB.

    rollups.py [--build DIR] [--rows N] [--hosts N] [--days N] [--count-days N] [--series N]
               [--runs N] [--only "PART …"] [--output FILE]

It measures answers by width, TSBS's double-groupby queries, the last point of many series, and the
cost of keeping. Questions run within one process of each program. Writing is timed as whole
processes.

The parts are sensors, writing, tsbs, year and counts. The page keeps the parts that a run leaves out.
"""
import os
import resource
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench")]

import duckdb  # noqa: E402
from beside import measure  # noqa: E402
from page import load  # noqa: E402
from run import best, timed  # noqa: E402

CPU = [f"usage_{m}" for m in ("user", "system", "idle", "nice", "iowait", "irq", "softirq", "steal", "guest", "guest_nice")]
SENSORS = "SELECT timestamp '2024-01-01' + interval (i // 40) minute AS ts, 'app' || i % 4 AS app, 'host' || i % 40 AS host, round(50 + 50 * sin(i / 977.0), 2) AS v FROM range({}) t (i)"
COLUMNS = "ts timestamptz TIME PERIOD '60 s' NOT NULL, app text DIMENSION NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE NOT NULL"


class Shell:
    """One mtsql process that answers statements."""

    def __init__(self, command, store):
        self.p = subprocess.Popen([command, "-XqAt", store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "TZ": "UTC"})

    def __call__(self, statement):
        self.p.stdin.write(statement + ";\n\\echo ----\n")
        self.p.stdin.flush()
        rows = []
        while (line := self.p.stdout.readline().rstrip("\n")) != "----":
            if not line and self.p.poll() is not None or "ERROR" in line:
                sys.exit(f"{statement}\n{line}")
            rows.append(line)
        return rows

    def close(self):
        self.p.stdin.close()
        self.p.wait()


def seconds(fn, *args):
    start = time.perf_counter()
    fn(*args)
    return time.perf_counter() - start


class Rollups:
    def __init__(self, args, folder, page):
        self.args, self.folder, self.page = args, folder, page
        self.mtsql = os.path.join(os.path.abspath(args.build), "mtsql")
        self.duck = duckdb.connect(os.path.join(folder, "duck.db"), config={"threads": 2})
        self.store = os.path.join(folder, "store.mts")

    def make(self, name, select, create, layouts):
        """Loads a CSV file into a table of both programs. Returns the shell."""
        path = os.path.join(self.folder, name + ".csv")
        self.duck.execute(f"CREATE TABLE {name} AS {select}")
        self.duck.execute(f"COPY {name} TO '{path}' (HEADER)")
        shell = self.shell(create, f"COPY {name} FROM '{path}' WITH (FORMAT csv, HEADER)", *layouts)
        os.remove(path)
        return shell

    def shell(self, *statements):
        """Runs statements, and opens a shell on the store."""
        timed([self.mtsql, "-Xq", *[a for s in statements for a in ("-c", s)], self.store], env={**os.environ, "TZ": "UTC"})
        return Shell(self.mtsql, self.store)

    @staticmethod
    def metrics():
        return CPU

    def best(self, fn, *args):
        return best(lambda: seconds(fn, *args), self.args.runs)

    # ---- sums and percentiles by width

    def widths(self, table, title, about, select, columns, key, layouts):
        """Measures sums and percentiles by hour, day and month, and by `key`, from each layout of a
        new table.
        """
        self.page.section(title)
        self.page.say(f"{about} Best of {self.args.runs}, in ms; the ratio is to DuckDB on its own table. {load()}\n")
        shell = self.make(table, select, f"CREATE TABLE {table} ({columns})", [f"ALTER TABLE {table} ADD LAYOUT {name} USING {using}" for name, using in layouts])
        names = ["rows", *(name for name, _ in layouts)]
        self.page.say(f"| question | DuckDB | {' | '.join(names)} | {names[-1]} / DuckDB |\n|---|---|---|" + "---|" * len(names))
        kinds = [("sum", "sum(v)", "sum(v)"), ("95th percentile", "approx_percentile(0.95, percentile_agg(v))", "approx_quantile(v, 0.95)")]
        for width in ("hour", "day", "month"):
            for name, ours, theirs in kinds:
                ask = f"SELECT date_trunc('{width}', ts), {key}, {{}} FROM {table} GROUP BY 1, 2"
                figures = [self.best(lambda q: self.duck.execute(q).fetchall(), ask.format(theirs))]
                for layout in names:
                    shell(f"SET layout = '{layout}'")
                    figures.append(self.best(shell, ask.format(ours)))
                self.page.say(f"| {name} by {width} and {key} | " + " | ".join(f"{1000 * f:.1f}" for f in figures) + f" | {figures[-1] / figures[0]:.2f} |")
        shell.close()
        self.page.say(f"\nThe percentiles are estimates in both: mtsql's have a relative error of at most 0.1 %. The load average was {os.getloadavg()[0]:.1f} at the end.")

    def sensors(self):
        rows = self.args.rows
        self.widths("load", "Sums and percentiles by width", f"{rows:,} records: 40 hosts of 4 applications, a value each, a minute apart.",
                    SENSORS.format(rows), COLUMNS, "host",
                    [("levels", "nested WITH (cluster_by = 'host, day', levels = 'hour, ts, app', presum = 'hour', keep = 'percentile_agg(v)')"),
                     ("rollup", "rollup WITH (bucket = '1 hour, 1 day', by = 'host', keep = 'sum(v), percentile_agg(v)')")])

    def counts(self):
        minutes = 1440 * self.args.count_days
        self.widths("counts", "A year of counts", f"{100 * minutes:,} records: 100 metrics, {self.args.count_days} days, a count each minute.",
                    f"SELECT timestamp '2023-01-01' + interval (i) minute AS ts, 'm' || h AS metric, hash(i, h) % 1000 AS v FROM range({minutes}) t (i), range(100) u (h)",
                    "ts timestamptz TIME PERIOD '60 s' NOT NULL, metric text DIMENSION NOT NULL, v bigint MEASURE NOT NULL", "metric",
                    [("levels", "nested WITH (cluster_by = 'metric, day', levels = 'hour, ts', presum = 'hour', keep = 'percentile_agg(v)')"),
                     ("rollup", "rollup WITH (bucket = '1 hour, 1 day', by = 'metric', keep = 'sum(v), percentile_agg(v)')")])

    # ---- TSBS

    def tsbs(self):
        hosts, days = self.args.hosts, self.args.days
        self.page.section("TSBS: double-groupby")
        self.page.say(f"cpu-only: {hosts} hosts, {days} days, 10 metrics every 10 s, {hosts * days * 8640:,} records. Twelve hours, by hour and host. Best of {self.args.runs}, in ms. {load()}\n")
        metrics = ", ".join(f"(hash(i, h, {k}) % 10001) / 100.0 AS {m}" for k, m in enumerate(CPU))
        shell = self.make("cpu", f"SELECT timestamp '2016-01-01' + interval (10 * i) second AS ts, 'host_' || h AS hostname, {metrics} FROM range({days * 8640}) t (i), range({hosts}) u (h)",
                          "CREATE TABLE cpu (ts timestamptz TIME PERIOD '10 s' NOT NULL, hostname text DIMENSION NOT NULL, " + ", ".join(f"{m} double precision MEASURE NOT NULL" for m in CPU) + ")",
                          [f"ALTER TABLE cpu ADD LAYOUT hours USING rollup WITH (bucket = '1 hour', by = 'hostname', keep = '{', '.join(f'sum({m})' for m in CPU)}')",
                           f"ALTER TABLE cpu ADD LAYOUT ends USING rollup WITH (bucket = '1 minute', document = 'hour', by = 'hostname', keep = '{', '.join(f'sum({m})' for m in CPU)}')",
                           "ALTER TABLE cpu ADD LAYOUT minutes USING rollup WITH (bucket = '1 minute', by = '', keep = 'max(usage_user)')"])
        self.page.say("| query | DuckDB | rows | with roll-ups | ratio |\n|---|---|---|---|---|")

        def line(name, ask):
            theirs = self.best(lambda: self.duck.execute(ask.replace("Z'", "'")).fetchall())
            shell("SET layout = 'rows'")
            of_rows = self.best(shell, ask)
            shell("RESET layout")
            ours = self.best(shell, ask)
            self.page.say(f"| {name} | {1000 * theirs:.1f} | {1000 * of_rows:.1f} | {1000 * ours:.1f} | {ours / theirs:.2f} |")

        for n in (1, 5, 10):
            of = ", ".join(f"avg({m})" for m in CPU[:n])
            line(f"double-groupby-{n if n < 10 else 'all'}", f"SELECT date_trunc('hour', ts), hostname, {of} FROM cpu WHERE ts >= '2016-01-01 03:00:00Z' AND ts < '2016-01-01 15:00:00Z' GROUP BY 1, 2")
        line("double-groupby-1, from 03:10 to 15:10", f"SELECT date_trunc('hour', ts), hostname, avg({CPU[0]}) FROM cpu WHERE ts >= '2016-01-01 03:10:00Z' AND ts < '2016-01-01 15:10:00Z' GROUP BY 1, 2")
        line("groupby-orderby-limit", "SELECT date_trunc('minute', ts), max(usage_user) FROM cpu WHERE ts < '2016-01-01 18:00:00Z' GROUP BY 1 ORDER BY 1 DESC LIMIT 5")
        shell.close()
        self.page.say("\nThe goal is a ratio of 0.3. A range that ends within an hour is read from minutes at its ends.")

    # ---- charts of a year, and last points

    def year(self):
        self.page.section("A year's chart, and last points")
        series = self.args.series
        shell = self.make("year", "SELECT timestamp '2024-01-01' + interval (i) hour AS ts, 'm' || h AS metric, (hash(i, h) % 1000)::double AS v FROM range(8784) t (i), range(100) u (h)",
                          "CREATE TABLE year (ts timestamptz TIME PERIOD '1 hour' NOT NULL, metric text DIMENSION NOT NULL, v double precision MEASURE NOT NULL)",
                          ["ALTER TABLE year ADD LAYOUT days USING rollup WITH (bucket = '1 day', by = 'metric')"])
        chart = self.best(shell, "SELECT date_trunc('day', ts), avg(v), max(v) FROM year WHERE metric = 'm7' GROUP BY 1 ORDER BY 1")
        shell("CREATE MATERIALIZED VIEW hours WITH (continuous) AS SELECT time_bucket('1 hour', ts) AS hour, metric, sum(v), max(v) FROM year GROUP BY 1, 2")
        refresh = []
        for day in range(1, min(2 * self.args.runs, 28)):
            shell(f"INSERT INTO year VALUES ('2024-07-{day:02} 11:00', 'm{day}', 1)")
            refresh.append(seconds(shell, "CALL refresh_continuous_aggregate('hours', NULL, NULL)"))
        shell.close()
        shell = self.make("points", f"SELECT timestamp '2024-01-01' + interval (i) minute AS ts, 's' || h AS series, (hash(i, h) % 1000)::double AS v FROM range(20) t (i), range({series}) u (h)",
                          "CREATE TABLE points (ts timestamptz TIME NOT NULL, series text DIMENSION NOT NULL, v double precision MEASURE NOT NULL)",
                          ["ALTER TABLE points ADD LAYOUT newest USING latest WITH (key = 'series')"])
        last = self.best(shell, "SELECT DISTINCT ON (series) * FROM points ORDER BY series, ts DESC")
        shell.close()
        self.page.say(f"| | ms | goal |\n|---|---|---|\n| a year of days of one of 100 metrics, from 12 documents | {1000 * chart:.1f} | 5 |\n| refresh of a continuous view of a year, one hour touched | {1000 * min(refresh):.1f} | 20 |\n| the last point of {series:,} series | {1000 * last:.1f} | 20 |")

    # ---- writing

    def writing(self):
        rows = min(self.args.rows, 2000000)
        self.page.section("Writing")
        path = os.path.join(self.folder, "w.csv")
        self.duck.execute(f"COPY ({SENSORS.format(rows)}) TO '{path}' (HEADER)")
        self.page.say(f"COPY of {rows:,} records, a process each, best of {self.args.runs}. {load()}\n\n| layout | seconds | ratio | processor | ratio |\n|---|---|---|---|---|")
        nested = "nested WITH (cluster_by = 'host, day', levels = 'hour, ts, app', presum = 'hour'{})"
        # a layout, what its roll-up keeps, and the line that the ratios of this line are to
        ways = [("`nested` with sums by hour", nested.format(""), None, 0), ("`nested` with sums and `percentile_agg` by hour", nested.format(", keep = 'percentile_agg(v)'"), None, 0),
                ("`rows`", "rows", None, 2), ("`rows` and a roll-up of sums by hour", "rows", "sum(v)", 2), ("`rows` and a roll-up of sums and `percentile_agg`", "rows", "sum(v), percentile_agg(v)", 3)]
        lines = []

        def processor():
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            return used.ru_utime + used.ru_stime

        for name, using, keep, base in ways:
            def copy():
                store = os.path.join(self.folder, "w.mts")
                shutil.rmtree(store, ignore_errors=True)
                add = [f"ALTER TABLE load ADD LAYOUT r USING rollup WITH (by = 'host', keep = '{keep}')"] if keep else []
                statements = [f"CREATE TABLE load ({COLUMNS}) USING {using}", *add, f"COPY load FROM '{path}' WITH (FORMAT csv, HEADER)"]
                before = processor()
                took = timed([self.mtsql, "-Xq", *[a for s in statements for a in ("-c", s)], store])[0]
                return took, processor() - before
            runs = [copy() for _ in range(self.args.runs)]
            lines.append([min(run[i] for run in runs) for i in (0, 1)])
            (took, used), (base_took, base_used) = lines[-1], lines[base]
            self.page.say(f"| {name} | {took:.2f} | {took / base_took:.2f} | {used:.2f} | {used / base_used:.2f} |")
        self.page.say(f"\nThe ratio of sketches is to the line of sums, and that of the roll-up of sums to `rows`. The goal for sketches at one level is 1.5. The load average was {os.getloadavg()[0]:.1f} at the end.")

    def run(self):
        for part in self.args.only.split():
            getattr(self, part)()


if __name__ == "__main__":
    measure(Rollups, __doc__, "# Roll-ups\n\nRoll-ups and levels that keep states, beside DuckDB, made by `make bench-rollups`.", hosts=100, days=2, count_days=365, series=10000, runs=5, only="sensors writing tsbs year counts")

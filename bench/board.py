#!/usr/bin/env python3
"""Measures every class of query beside DuckDB: on the packed lesson's feed, and the 13 types of the
Time Series Benchmark Suite.

    board.py [--build DIR] [--rows N] [--hosts N] [--days N] [--runs N] [--output FILE]

Each program answers within one process. A line has DuckDB's time on its own table, mtsql's time
with each layout alone, and its time with the plan that it chooses among all layouts.
"""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench")]

from advise import Cpu  # noqa: E402
from beside import measure  # noqa: E402
from page import load  # noqa: E402
from rollups import Rollups  # noqa: E402
from run import CREATE, folder_bytes  # noqa: E402

FEED = [
    ("count by minute", "SELECT ts, count(*) FROM calls GROUP BY 1"),
    ("sum by minute and command, vAppid <> ''", "SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY 1, 2"),
    ("count, sum, average of all", "SELECT count(*), sum(totalCount), avg(totalCount) FROM calls"),
    ("by hour", "SELECT date_trunc('hour', ts), count(*), sum(totalCount) FROM calls GROUP BY 1"),
    ("by hour and command", "SELECT date_trunc('hour', ts), vCmdid, sum(totalCount), avg(totalCount) FROM calls GROUP BY 1, 2"),
    ("top 10 applications by sum", "SELECT vAppid, sum(totalCount) FROM calls GROUP BY 1 ORDER BY 2 DESC LIMIT 10"),
    ("one application by minute", "SELECT ts, sum(totalCount) FROM calls WHERE vAppid = 'wx2372' GROUP BY 1"),
    ("10 minutes of leaves", "SELECT vCmdid, max(dProcessTime) FROM calls WHERE ts >= '2015-04-11 20:00+00' AND ts < '2015-04-11 20:10+00' GROUP BY 1"),
    ("dProcessTime > 500, count by command", "SELECT vCmdid, count(*) FROM calls WHERE dProcessTime > 500 GROUP BY 1"),
    ("three keys, top 5 by count", "SELECT iResult, vCmdid, vAppid, count(*) FROM calls GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 5"),
    ("count (DISTINCT vAppid) by command", "SELECT vCmdid, count(DISTINCT vAppid) FROM calls GROUP BY 1"),
    ("DISTINCT vAppid", "SELECT DISTINCT vAppid FROM calls"),
    ("newest 10", "SELECT * FROM calls ORDER BY ts DESC LIMIT 10"),
    ("largest 10 by dProcessTime", "SELECT * FROM calls ORDER BY dProcessTime DESC LIMIT 10"),
    ("median of dProcessTime by command", "SELECT vCmdid, percentile_cont(0.5) WITHIN GROUP (ORDER BY dProcessTime) FROM calls GROUP BY 1"),
    ("99th percentile of all", "SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY dProcessTime) FROM calls"),
    ("moving average of 10 minutes", "SELECT ts, avg(n) OVER (ORDER BY ts ROWS 9 PRECEDING) FROM (SELECT ts, sum(totalCount) AS n FROM calls GROUP BY 1) s"),
    ("top 3 minutes of each command", "SELECT * FROM (SELECT vCmdid, ts, sum(totalCount) AS n, row_number() OVER (PARTITION BY vCmdid ORDER BY sum(totalCount) DESC, ts) AS r FROM calls GROUP BY 1, 2) s WHERE r <= 3"),
    ("join of two halves by command", "SELECT a.vCmdid, a.n, b.n FROM (SELECT vCmdid, sum(totalCount) AS n FROM calls WHERE ts < '2015-04-11 20:30+00' GROUP BY 1) a JOIN "
     "(SELECT vCmdid, sum(totalCount) AS n FROM calls WHERE ts >= '2015-04-11 20:30+00' GROUP BY 1) b ON a.vCmdid = b.vCmdid"),
    ("vCmdid LIKE 'pay_order%', sum", "SELECT sum(totalCount) FROM calls WHERE vCmdid LIKE 'pay_order%'"),
    ("share of iResult <> 0 by minute", "SELECT ts, count(*) FILTER (WHERE iResult <> '0') * 1.0 / count(*) FROM calls GROUP BY 1"),
    ("max (ts) by application", "SELECT vAppid, max(ts) FROM calls GROUP BY 1"),
    ("200,000 rows out", "SELECT ts, vCmdid, totalCount FROM calls LIMIT 200000"),
]
LAYOUTS = [
    ("per_day", "per_day"),
    ("by_time", "nested WITH (levels = 'ts, vCmdid, iResult, vAppid', presum = 'ts, vCmdid')"),
    ("by_app", "nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts')"),
    ("fit", "nested WITH (levels = 'ts, vCmdid, vAppid, iResult', presum = 'ts, vCmdid, vAppid')"),
]


def for_duckdb(sql):
    """Returns the query for DuckDB, whose times have no zone. Zones would need another module."""
    return sql.replace("+00'", "'").replace("time_bucket('", "time_bucket(INTERVAL '")


class Board(Rollups):
    def lines(self, shell, queries, names, goal):
        """Prints a line for each query. A line above the goal is marked."""
        self.page.say(f"| query | DuckDB | {' | '.join(names)} | all | all / DuckDB |\n|---|---|---|---|" + "---|" * len(names))
        over = 0
        for name, sql in queries:
            figures = [self.best(lambda q: self.duck.execute(q).fetchall(), for_duckdb(sql))]
            wanted = len(self.duck.execute(for_duckdb(sql)).fetchall())
            for layout in (*names, None):
                shell(f"SET layout = '{layout}'" if layout else "RESET layout")
                figures.append(self.best(shell, sql))
                found = int(shell(f"SELECT count(*) FROM ({sql}) s")[0])  # texts may have line breaks
                if found != wanted:
                    sys.exit(f"{name}: {found} rows with {layout or 'all layouts'}, {wanted} of DuckDB")
            ratio = figures[-1] / figures[0]
            over += ratio > goal
            self.page.say(f"| {name} | " + " | ".join(f"{1000 * f:.1f}" for f in figures) + f" | {'**' if ratio > goal else ''}{ratio:.2f}{'**' if ratio > goal else ''} |")
        self.page.say(f"\n{over} of {len(queries)} lines are above the goal, a ratio of {goal}.")

    def feed(self):
        path = os.path.join(self.folder, "calls.csv")
        subprocess.run([os.path.join(os.path.dirname(self.mtsql), "generate"), "--rows", str(self.args.rows), "--format", "csv", "-o", path], check=True)
        self.page.section("The packed feed")
        self.page.say(f"{self.args.rows:,} rows. Best of {self.args.runs}, in ms. {load()}\n")
        columns = "{'timestamp': 'BIGINT', 'iResult': 'VARCHAR', 'vCmdid': 'VARCHAR', 'vAppid': 'VARCHAR', 'totalCount': 'BIGINT', 'dProcessTime': 'DOUBLE'}"
        shell = self.tables(path, f"SELECT make_timestamp(1000000 * timestamp) AS ts, * EXCLUDE timestamp FROM read_csv('{path}', header = true, columns = {columns}, allow_quoted_nulls = false, auto_detect = false, max_line_size = 1000000, "
                            "quote = '\"', escape = '\"', delim = ',', parallel = false)", "calls", CREATE + "rows", LAYOUTS, ", EPOCH 's'")
        self.lines(shell, FEED, ["rows", *(n for n, _ in LAYOUTS)], 1.0)
        shell.close()

    def tables(self, path, select, name, create, layouts, options=""):
        """Loads the same rows into a table of each program. Returns the shell."""
        self.duck.execute(f"CREATE TABLE {name} AS {select}")
        shell = self.shell(create, f"COPY {name} FROM '{path}' WITH (FORMAT csv, HEADER{options})", *(f"ALTER TABLE {name} ADD LAYOUT {n} USING {using}" for n, using in layouts), f"ANALYZE {name}")
        os.remove(path)
        self.page.say(f"The store has {folder_bytes(self.store) / 1e6:,.0f} MB with all layouts.\n")
        return shell

    def cpu(self):
        cpu, path = Cpu(), os.path.join(self.folder, "cpu.csv")
        values = ", ".join(f"round(50 + 50 * sin(g / {50 + 7 * i}.0 + h * {i + 1})) AS usage_{m}" for i, m in enumerate(c[6:] for c in self.metrics()))
        select = f"SELECT timestamp '2016-01-01 00:00:00' + g * interval '10 seconds' AS ts, 'host_' || h AS hostname, 'region-' || h % 9 AS region, 'team-' || h % 4 AS team, {values} FROM range({self.args.days * 8640}) t (g), range({self.args.hosts}) u (h)"
        self.duck.execute(f"COPY ({select}) TO '{path}' (HEADER)")
        sums = ", ".join(f"sum({m})" for m in self.metrics())
        layouts = [("per_day", "per_day"), ("by_host", "nested WITH (cluster_by = 'hostname', levels = 'ts, region, team')"), ("latest", "latest"),
                   ("hours", f"rollup WITH (bucket = '1 hour', by = 'hostname', keep = '{sums}')"), ("ends", f"rollup WITH (bucket = '1 minute', document = 'hour', by = 'hostname', keep = '{sums}')"),
                   ("minutes", "rollup WITH (bucket = '1 minute', by = '', keep = 'max(usage_user)')")]
        self.page.section("TSBS, cpu-only")
        self.page.say(f"{self.args.hosts} hosts, {self.args.days} days, 10 metrics every 10 s: {self.args.hosts * self.args.days * 8640:,} rows. All: also with {', '.join(n for n, _ in layouts[2:])}. "
                      f"Best of {self.args.runs}, in ms. {load()}\n")
        shell = self.tables(path, f"SELECT * FROM read_csv('{path}')", "cpu", cpu.create, layouts)
        self.lines(shell, cpu.queries.items(), ["rows", "per_day", "by_host"], 1.0)
        shell.close()

    def run(self):
        self.feed()
        self.cpu()


if __name__ == "__main__":
    measure(Board, __doc__, "# The board\n\nEvery class of query beside DuckDB's own table, in one run, made by `make bench-board`.", hosts=100, days=2, runs=5)

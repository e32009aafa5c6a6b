#!/usr/bin/env python3
"""Measures mtsql beside DuckDB, PostgreSQL and a hand-written C walker, in one run, on the packed
lesson's feed.

    run.py [--build DIR] [--rows N] [--output FILE]

Every engine reads the same rows, and must give the same groups and sums. A query's time is the best
of several runs with warm caches. Loads run once. mtsql's times are those of \\timing in a running
shell (from the statement's text to the last formatted row), and of the whole process. DuckDB's
times are those of execute and fetchall. PostgreSQL's are those of EXPLAIN, without the client.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from page import wrapped

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", "oracle"), os.path.join(ROOT, "tests", "lib")]

Q1 = "SELECT ts, count(*) FROM calls GROUP BY ts"
Q2 = "SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid"
CREATE = ("CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, "
          "totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE NOT NULL) USING ")
LAYOUTS = [  # named as in examples/packed/lesson.sql
    ("rows", "rows"),
    ("by_day", "per_day"),
    ("by_app", "nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts')"),
    ("by_time", "nested WITH (levels = 'ts, vCmdid, iResult, vAppid', presum = 'ts, vCmdid')"),
    ("no_raw", "nested WITH (levels = 'ts, vAppid, iResult, vCmdid', raw_values = false)"),
]


def timed(command, **kw):
    """Runs a child process. Returns (seconds, peak RSS in MB, output)."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **kw)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    if p.returncode:
        sys.exit(f"{' '.join(command)[:200]}: exit {p.returncode}: {text[-1500:]}")
    return seconds, usage.ru_maxrss / 1024, text


def best(fn, runs=5):
    return min(fn() for _ in range(runs))


def folder_bytes(path):
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(path) for f in files)


class Bench:
    def __init__(self, build, rows, folder):
        self.build, self.rows, self.folder = os.path.abspath(build), rows, folder
        self.mtsql, self.csv = f"{self.build}/mtsql", os.path.join(folder, "calls.csv")
        self.lines, self.answers = [], {}

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def note_answer(self, question, who, groups, total):
        """Keeps an engine's answer. All answers must agree."""
        seen = self.answers.setdefault(question, (groups, total, who))
        if seen[:2] != (groups, total):
            sys.exit(f"{question}: {who} has {groups} groups and sum {total}, {seen[2]} has {seen[0]} and {seen[1]}")

    # ---- mtsql ----

    def engine_ms(self, store, sql, settings=()):
        """The statement as \\timing tells it (planning, running and formatting), best of seven; its cut and bytes touched from EXPLAIN ANALYZE,
        which takes longer, since it looks at the clock between stages."""
        command = [self.mtsql, "-X", "-q", "-t", "-A"]
        for s in settings:
            command += ["-c", s]
        _, rss, text = timed(command + ["-c", "\\o /dev/null", "-c", "\\timing on"] + ["-c", sql] * 7 + [store])
        ms = min(float(x) for x in re.findall(r"^Time: ([0-9.]+) ms", text, re.M))
        _, _, text = timed(command + ["-c", f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", store])
        cut = re.search(r'"cut": "([^"]*)", "legal": true, "chosen": true', text)
        return {"ms": ms, "bytes": float(re.search(r'"bytes_touched": ([0-9.]+)', text).group(1)), "rss": rss, "cut": cut.group(1) if cut else "?"}

    def check_mtsql(self, store, who):
        for question, sql, column in (("Q1", Q1, 1), ("Q2", Q2, 2)):
            _, _, text = timed([self.mtsql, "-X", "-q", "-t", "-A", "-c", f"SELECT count(*), sum(x) FROM ({sql.replace('count(*)', 'count(*) AS x').replace('sum(totalCount)', 'sum(totalCount) AS x')}) s", store])
            groups, total = text.strip().split("|")
            self.note_answer(question, who, int(groups), int(total))

    def layout(self, title, using):
        store = os.path.join(self.folder, "store")
        shutil.rmtree(store, ignore_errors=True)
        timed([self.mtsql, "-X", "-q", "-c", CREATE + using, store])
        load_s, load_rss, _ = timed([self.mtsql, "-X", "-q", "-c", f"COPY calls FROM '{self.csv}' WITH (FORMAT csv, HEADER, EPOCH 's')", store])
        disk = folder_bytes(store)
        _, _, out = timed([self.mtsql, "-X", store, "--aggregate", "calls", '[{"$group": {"_id": null, "n": {"$sum": 1}, "b": {"$sum": {"$bsonSize": "$$ROOT"}}}}]'])
        d = json.loads(out)
        number = lambda v: int(next(iter(v.values()))) if isinstance(v, dict) else int(v)
        self.check_mtsql(store, title)
        result = {"title": title, "documents": number(d["n"]), "bson": number(d["b"]), "disk": disk, "load_s": load_s, "load_rss": load_rss}
        for q, sql in (("q1", Q1), ("q2", Q2)):
            result[q] = self.engine_ms(store, sql)
            result[q]["wall"] = best(lambda: timed([self.mtsql, "-X", "-q", "-t", "-A", "-o", "/dev/null", "-c", sql, store])[0], 3) * 1e3
        result["q2_off"] = self.engine_ms(store, Q2, ["SET enable_cuts = off"])["ms"] if title != "no_raw" else None
        return result

    def layouts(self):
        found = [self.layout(*l) for l in LAYOUTS]
        self.say("## mtsql, each layout in a store of its own\n")
        self.say("| layout | documents | BSON MB | store MB | load s | rows/s | load RSS MB | Q1 ms (cut) | Q1 wall | Q2 ms (cut) | Q2 wall | Q2 ms, cuts off | Q2 MB touched | RSS MB |")
        self.say("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
        for r in found:
            off = f"{r['q2_off']:.1f}" if r["q2_off"] is not None else "-"
            self.say(f"| {r['title']} | {r['documents']:,} | {r['bson'] / 1e6:.1f} | {r['disk'] / 1e6:.1f} | {r['load_s']:.2f} | {self.rows / r['load_s']:,.0f} | {r['load_rss']:.0f} | {r['q1']['ms']:.2f} ({r['q1']['cut']}) | "
                     f"{r['q1']['wall']:.1f} | {r['q2']['ms']:.1f} ({r['q2']['cut']}) | {r['q2']['wall']:.1f} | {off} | {r['q2']['bytes'] / 1e6:.1f} | {max(r['q1']['rss'], r['q2']['rss']):.0f} |")
        self.say()
        return {r["title"]: r for r in found}

    def start(self):
        times = sorted(timed([self.mtsql, "-X", "-q", "-t", "-A", "-c", "SELECT 1"])[0] * 1e3 for _ in range(31))
        return statistics.median(times)

    # ---- peers ----

    def duckdb(self):
        import duckdb
        path = os.path.join(self.folder, "duck.db")
        db = duckdb.connect(path)
        columns = "{'ts': 'BIGINT', 'iResult': 'VARCHAR', 'vCmdid': 'VARCHAR', 'vAppid': 'VARCHAR', 'totalCount': 'BIGINT', 'dProcessTime': 'DOUBLE'}"
        source = f"read_csv('{self.csv}', header = true, quote = '\"', escape = '\"', delim = ',', columns = {columns}, allow_quoted_nulls = false, parallel = false, auto_detect = false, max_line_size = 1000000)"
        start = time.perf_counter()
        db.execute(f"CREATE TABLE calls AS SELECT * FROM {source}")
        db.execute("CHECKPOINT")
        load_s = time.perf_counter() - start
        parquet = os.path.join(self.folder, "calls.parquet")
        db.execute(f"COPY calls TO '{parquet}' (FORMAT parquet)")
        found = {"load_s": load_s, "table_mb": os.path.getsize(path) / 1e6, "parquet_mb": os.path.getsize(parquet) / 1e6, "version": duckdb.__version__}
        for where, name in (("table", "calls"), ("Parquet", f"'{parquet}'")):
            for question, sql, column in (("Q1", Q1, 1), ("Q2", Q2, 2)):
                sql = sql.replace("FROM calls", f"FROM {name}")
                for threads in (1, 2):
                    db.execute(f"SET threads = {threads}")

                    def once():
                        start = time.perf_counter()
                        rows = db.execute(sql).fetchall()
                        self.last = rows
                        return (time.perf_counter() - start) * 1e3
                    found[where, question, threads] = best(once)
                    self.note_answer(question, f"DuckDB {where}", len(self.last), int(sum(r[column] for r in self.last)))
        db.close()
        return found

    def postgres(self):
        from postgres import Postgres
        pg = Postgres(os.path.join(self.folder, "pg"), ["shared_buffers = '2GB'", "work_mem = '256MB'", "max_parallel_workers = 2", "min_parallel_table_scan_size = 0"])
        pg.start()
        try:
            run = lambda sql: timed(pg.psql("-t", "-A", "-c", sql))
            run("CREATE TABLE calls (ts bigint, iResult text, vCmdid text, vAppid text, totalCount bigint, dProcessTime double precision)")
            load_s = run(f"\\copy calls FROM '{self.csv}' WITH (FORMAT csv, HEADER)")[0]
            run("VACUUM ANALYZE calls")
            found = {"load_s": load_s, "table_mb": int(run("SELECT pg_total_relation_size('calls')")[2]) / 1e6}
            for question, sql in (("Q1", Q1), ("Q2", Q2)):
                for workers in (0, 2):
                    def once():
                        text = timed(pg.psql("-q", "-t", "-A", "-c", f"SET max_parallel_workers_per_gather = {workers}", "-c", f"EXPLAIN (ANALYZE, TIMING OFF) {sql}"))[2]
                        return float(re.search(r"Execution Time: ([0-9.]+)", text).group(1))
                    found[question, workers] = best(once, 3)
                column = "count(*)" if question == "Q1" else "sum(totalCount)"
                groups, total = run(f"SELECT count(*), sum(x) FROM ({sql.replace(column, column + ' AS x')}) s")[2].strip().split("|")
                self.note_answer(question, "PostgreSQL", int(groups), int(total))
            return found
        finally:
            pg.stop()

    def walker(self):
        rows, nested, found = os.path.join(self.folder, "rows.bson"), os.path.join(self.folder, "nested.bson"), {}
        timed([f"{self.build}/generate", "--rows", str(self.rows), "--format", "bson", "-o", rows])
        timed([f"{self.build}/walker", "nest", rows, nested])
        for question in ("q1-rows", "q2-rows", "q1-nested", "q2-nested"):
            for threads in (1, 2):
                d = json.loads(timed([f"{self.build}/walker", question, rows if "rows" in question else nested, str(threads)])[2])
                found[question, threads] = d["ms"]
                self.note_answer(question[:2].upper(), "walker", d["groups"], d["sum"])
        found["rows_mb"], found["nested_mb"] = os.path.getsize(rows) / 1e6, os.path.getsize(nested) / 1e6
        os.remove(rows)
        os.remove(nested)
        return found

    def peers(self, duck, pg, walk):
        self.say("## Beside them, the same rows\n")
        self.say("| engine | MB | load s | Q1 ms, 1 thread | Q1 ms, 2 | Q2 ms, 1 thread | Q2 ms, 2 |")
        self.say("|---|---|---|---|---|---|---|")
        for where, mb in (("table", duck["table_mb"]), ("Parquet", duck["parquet_mb"])):
            load = f"{duck['load_s']:.2f}" if where == "table" else "-"
            self.say(f"| DuckDB {duck['version']}, {where} | {mb:.1f} | {load} | {duck[where, 'Q1', 1]:.1f} | {duck[where, 'Q1', 2]:.1f} | {duck[where, 'Q2', 1]:.1f} | {duck[where, 'Q2', 2]:.1f} |")
        self.say(f"| PostgreSQL 15 (0 or 2 workers) | {pg['table_mb']:.1f} | {pg['load_s']:.2f} | {pg['Q1', 0]:.1f} | {pg['Q1', 2]:.1f} | {pg['Q2', 0]:.1f} | {pg['Q2', 2]:.1f} |")
        for kind in ("rows", "nested"):
            self.say(f"| C walker, {kind} BSON | {walk[kind + '_mb']:.1f} | - | " + " | ".join(f"{walk[f'{q}-{kind}', t]:.1f}" for q in ("q1", "q2") for t in (1, 2)) + " |")
        self.say()

    def ratios(self, mt, duck, pg, walk, start_ms):
        by_app, rows = mt["by_app"], mt["rows"]
        packed = [mt[t] for t in ("by_app", "by_time", "no_raw")]
        nested = min(packed, key=lambda r: r["q2"]["ms"])
        q1 = min(packed, key=lambda r: r["q1"]["ms"])
        self.say("## Ratios\n")
        self.say("| what | mtsql | measured against | ratio | goal |")
        self.say("|---|---|---|---|---|")

        def line(what, mine, whose, theirs, goal, smaller=True):
            ratio = mine / theirs
            self.say(f"| {what} | {mine:,.2f} | {whose}: {theirs:,.2f} | {ratio:.2f} | {goal}: {'yes' if (ratio <= float(goal.split()[-1]) if smaller else ratio >= float(goal.split()[-1])) else 'NO'} |")

        line("Q1 on pre-sums, ms", q1["q1"]["ms"], "DuckDB's table, 2 threads", duck["table", "Q1", 2], "at most 1")
        line("Q2 on by_app, ms", by_app["q2"]["ms"], "DuckDB's table, 2 threads", duck["table", "Q2", 2], "at most 3")
        line(f"Q2 on the best nested ({nested['title']}), ms", nested["q2"]["ms"], "DuckDB's table, 2 threads", duck["table", "Q2", 2], "at most 3")
        line("Q2 on rows, ms", rows["q2"]["ms"], "DuckDB's table, 2 threads", duck["table", "Q2", 2], "at most 8")
        line("Q2 on rows, ms", rows["q2"]["ms"], "C walker, 2 threads", walk["q2-rows", 2], "at most 4")
        line("Q2 on by_app, ms", by_app["q2"]["ms"], "C walker, 2 threads", walk["q2-nested", 2], "at most 4")
        line("Q2 on by_app, ms", by_app["q2"]["ms"], "PostgreSQL, 2 workers", pg["Q2", 2], "at most 1")
        slowest = min(mt.values(), key=lambda r: self.rows / r["load_s"])
        line(f"slowest load ({slowest['title']}), rows/s", self.rows / slowest["load_s"], "the goal", 300000, "at least 1", smaller=False)
        line("largest load RSS, MB", max(r["load_rss"] for r in mt.values()), "the goal", 512, "at most 1")
        line("start to `SELECT 1` to exit, ms (median of 31)", start_ms, "the goal", 20, "at most 1")
        self.say()

    def run(self):
        timed([f"{self.build}/generate", "--rows", str(self.rows), "-o", self.csv])
        self.say("# Benchmark\n")
        cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
        self.say(f"{self.rows:,} rows of the packed lesson's feed ({os.path.getsize(self.csv) / 1e6:.0f} MB as CSV), {os.cpu_count()} × {cpu}, warm caches, best of several runs. Made by `make bench"
                 f"{'' if self.rows == 8380000 else f' ROWS={self.rows}'}`. Q1: `{Q1}`. Q2: `{Q2}`.\n")
        mt = self.layouts()
        shutil.rmtree(os.path.join(self.folder, "store"), ignore_errors=True)
        duck, pg, walk = self.duckdb(), self.postgres(), self.walker()
        self.peers(duck, pg, walk)
        self.ratios(mt, duck, pg, walk, self.start())
        self.say(f"All engines gave the same {self.answers['Q1'][0]:,} and {self.answers['Q2'][0]:,} groups with the same sums.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rows", type=int, default=8380000)
    parser.add_argument("--output", default=None)
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="bench-")
    os.chmod(folder, 0o755)
    os.environ.setdefault("MTSQL", os.path.join(os.path.abspath(args.build), "mtsql"))
    bench = Bench(args.build, args.rows, folder)
    try:
        bench.run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if args.output:
        with open(args.output, "w", encoding="utf-8") as f:
            f.write(wrapped("\n".join(bench.lines)) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures files in and out, beside DuckDB.

    files.py [--build DIR] [--rows N] [--written N] [--runs N] [--without-duckdb] [--output FILE]

It loads a CSV file without a description, and by COPY into a declared table. It writes rows as CSV
and as Arrow. Each time is the median of some runs of a whole process. The runs take turns, so that
other work on the machine slows all alike.
"""
import os
import shutil
import statistics
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench")]

from beside import measure  # noqa: E402
from page import load  # noqa: E402
from run import CREATE, timed  # noqa: E402

DUCKDB = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); [c.execute(s) for s in sys.argv[2:]]"
LOADING, WRITING = "Loading a CSV file", "Writing rows"


class Files:
    def __init__(self, args, folder, page):
        self.rows, self.written, self.runs, self.duckdb, self.folder, self.page = args.rows, args.written, args.runs, not args.without_duckdb, folder, page
        self.mtsql, self.build = os.path.join(os.path.abspath(args.build), "mtsql"), os.path.abspath(args.build)
        self.csv = os.path.join(folder, "calls.csv")

    def path(self, name):
        return os.path.join(self.folder, name)

    def fresh(self, name):
        path = self.path(name)
        shutil.rmtree(path, ignore_errors=True)
        if os.path.exists(path):
            os.remove(path)
        return path

    def sql(self, *statements):
        return [self.mtsql, "-X", "-q", *[a for s in statements for a in ("-c", s)]]

    def load_declared(self):
        return timed([*self.sql(CREATE + "rows", f"COPY calls FROM '{self.csv}' WITH (FORMAT csv, HEADER, EPOCH 's')"), self.fresh("declared.mts")])

    def load_sniffed(self):
        return timed([*self.sql(f"CREATE TABLE calls FROM '{self.csv}' USING rows"), self.fresh("sniffed.mts")])

    def load_duckdb(self):
        return timed([sys.executable, "-c", DUCKDB, self.fresh("loaded.duckdb"), "SET threads = 2", f"CREATE TABLE calls AS FROM read_csv('{self.csv}')"])

    def write(self, ending):
        return timed([*self.sql(f"COPY (SELECT * FROM calls LIMIT {self.written}) TO '{self.fresh('out' + ending)}'"), self.path("declared.mts")])

    def write_duckdb(self):
        return timed([sys.executable, "-c", DUCKDB, self.path("loaded.duckdb"), "SET threads = 2",
                      f"COPY (SELECT * FROM calls LIMIT {self.written}) TO '{self.fresh('duck.csv')}' (HEADER)"])

    def medians(self, *ways):
        """Returns for each way the median of the seconds, and the most memory in MB. The last way
        is DuckDB's.
        """
        ways = ways if self.duckdb else ways[:-1]
        taken = [[way() for way in ways] for _ in range(self.runs)]
        return [(statistics.median(t[0] for t in each), max(t[1] for t in each)) for each in zip(*taken)]

    def table(self, rows, names, figures):
        base = figures[0][0]
        self.page.say("| | seconds | rows a second | ratio | MB |\n|---|---|---|---|---|")
        for name, (seconds, mb) in zip(names, figures):
            self.page.say(f"| {name} | {seconds:.2f} | {rows / seconds:,.0f} | {seconds / base:.2f} | {mb:.0f} |")

    def loading(self):
        self.page.section(LOADING)
        self.page.say(f"{self.rows:,} rows, {os.path.getsize(self.csv) / 1e6:.0f} MB, median of {self.runs} runs. {load()}\n")
        figures = self.medians(self.load_declared, self.load_sniffed, self.load_duckdb)
        self.table(self.rows, ("`COPY` into a declared table", "`CREATE TABLE … FROM 'calls.csv'`", "DuckDB, `CREATE TABLE … FROM read_csv`"), figures)
        ratio = figures[1][0] / figures[0][0]
        self.page.say(f"\nThe goal for the file that nobody described is 1.3 times `COPY`: {'yes' if ratio <= 1.3 else 'no'}, {ratio:.2f}.")

    def writing(self):
        self.page.section(WRITING)
        self.page.say(f"{self.written:,} rows of the layout `rows`, median of {self.runs} runs of a process with its start. {load()}\n")
        figures = self.medians(lambda: self.write(".csv"), lambda: self.write(".arrow"), self.write_duckdb)
        self.table(self.written, ("`COPY … TO 'x.csv'`", "`COPY … TO 'x.arrow'`", "DuckDB, `COPY … TO 'x.csv'`, with Python's start"), figures)
        csv, arrow = (self.written / s for s, _ in figures[:2])
        self.page.say(f"\nThe goals are 1,000,000 rows a second as CSV ({'yes' if csv >= 1e6 else 'no'}) and 3,000,000 as Arrow ({'yes' if arrow >= 3e6 else 'no'}).")

    def run(self):
        timed([f"{self.build}/generate", "--rows", str(self.rows), "-o", self.csv])
        self.loading()
        self.writing()


if __name__ == "__main__":
    measure(Files, __doc__, "# Files\n\nFiles in and out, in one run beside DuckDB, made by `make bench-files`. The ratio is to the first line of a table.", written=1000000, runs=3, without_duckdb=False)

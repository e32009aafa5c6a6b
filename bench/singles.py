#!/usr/bin/env python3
"""Measures single INSERTs into the embedded store, beside PostgreSQL on the same disk.

    singles.py [--build DIR] [--rows N] [--runs N] [--folder DIR] [--output FILE]

PostgreSQL has its default settings (fsync and synchronous_commit are on). A script of N INSERTs
goes through a pipe into psql, and into mtsql. The times are medians. The runs of the two programs
take turns. listen.py measures many clients.
"""
import os
import pathlib
import subprocess
import sys
import time

from against import HEAD, Against, load, main

OURS = "CREATE TABLE ev (time timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows;"
THEIRS = "DROP TABLE IF EXISTS ev; CREATE TABLE ev (time timestamptz NOT NULL, k text NOT NULL, v bigint);"
OFF = "SET synchronous_commit = off;\n"


def script(rows):
    return "".join(f"INSERT INTO ev VALUES ('2024-05-01 00:00:00+00'::timestamptz + interval '{i} s', 'k{i % 10}', {i});\n" for i in range(rows))


def timed(command, text):
    start = time.monotonic()
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


class Singles(Against):
    def fresh_table(self, name="s.mts"):
        return self.fresh(OURS, THEIRS, name)

    def scripts(self, what, before, goal):
        theirs, ours, text = [], [], before + script(self.args.rows)
        for _ in range(self.args.runs):
            store = self.fresh_table()
            theirs.append(timed(self.pg.psql("-q"), text))
            ours.append(timed([self.mtsql, "-X", "-q", store], text))
            found = subprocess.run([self.mtsql, "-X", "-q", "-t", "-A", "-c", "SELECT count(*) FROM ev", store], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
            if found != str(self.args.rows):
                sys.exit(f"{found} rows of {self.args.rows}")
        self.row(what, "s", theirs, ours, goal, True)

    def sizes(self, rows):
        store, csv = self.fresh_table(), os.path.join(self.folder, "rows.csv")
        subprocess.run([self.mtsql, "-X", "-q", store], input=script(rows), text=True, check=True)
        subprocess.run([self.mtsql, "-X", "-q", "-c", f"COPY ev TO '{csv}' WITH (FORMAT csv)", store], check=True)
        copied = self.fresh_table("copy.mts")
        subprocess.run([self.mtsql, "-X", "-q", "-c", f"COPY ev FROM '{csv}' WITH (FORMAT csv)", copied], check=True)

        def size(folder):
            return sum(f.stat().st_size for f in pathlib.Path(folder).iterdir()) / 1000
        single, once = size(store), size(copied)
        subprocess.run([self.mtsql, "-X", "-q", "-c", "VACUUM ev", store], check=True)
        self.say(f"\nThe store after {rows:,} INSERTs has {single:,.0f} kB, {single / once:.2f} times the {once:,.0f} kB after one COPY of the rows (goal: at most 2: "
                 f"{'yes' if single <= 2 * once else 'NO'}), and {size(store):,.0f} kB after VACUUM.")

    def run(self):
        self.say("# Single INSERTs\n")
        self.say(f"Made by `make bench-singles`: {self.args.rows:,} INSERTs through a pipe into one shell, on one file system. Medians of {self.args.runs} pairs of runs. {load()}\n\n{HEAD}")
        self.scripts("a script", "", 1.2)
        self.scripts("a script, synchronous_commit = off", OFF, 1.2)
        self.sizes(10_000)


main(Singles, __doc__, rows=1000, runs=5)

#!/usr/bin/env python3
"""Measures single INSERTs into the embedded store, beside PostgreSQL on the same disk, by the same
client programs.

    singles.py [--build DIR] [--rows N] [--runs N] [--seconds S] [--folder DIR] [--output FILE]

PostgreSQL has its default settings (fsync and synchronous_commit are on). A script of N INSERTs
goes through a pipe into psql, and into mtsql. The clients are pgbench with a script of its own, to
PostgreSQL and to mtsql --listen. The times are medians. The runs of the two programs take turns.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "oracle"), str(ROOT / "tests" / "lib")]
from postgres import Postgres  # noqa: E402

OURS = "CREATE TABLE ev (time timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows"
THEIRS = "CREATE TABLE ev (time timestamptz NOT NULL, k text NOT NULL, v bigint)"
OFF = "SET synchronous_commit = off;\n"
CLIENT = "\\set a random(1, 100000000)\nINSERT INTO ev VALUES ('2024-05-01 00:00:00+00'::timestamptz + interval '1 s' * :a, 'k', :a);\n"


def script(rows):
    return "".join(f"INSERT INTO ev VALUES ('2024-05-01 00:00:00+00'::timestamptz + interval '{i} s', 'k{i % 10}', {i});\n" for i in range(rows))


def timed(command, text):
    start = time.monotonic()
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


class Bench:
    def __init__(self, args, folder):
        self.args, self.folder, self.lines = args, folder, []
        self.mtsql = os.path.abspath(f"{args.build}/mtsql")
        self.pg = Postgres(os.path.join(folder, "pg"), ("fsync = on",))
        os.mkdir(os.path.join(folder, "socket"), 0o700)

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def fresh(self, name="s.mts"):
        store = os.path.join(self.folder, name)
        shutil.rmtree(store, ignore_errors=True)
        subprocess.run([self.mtsql, "-X", "-q", "-c", OURS, store], check=True)
        subprocess.run(self.pg.psql("-q", "-c", "DROP TABLE IF EXISTS ev", "-c", THEIRS), check=True, stderr=subprocess.DEVNULL)
        return store

    def row(self, what, unit, theirs, ours, goal, less):
        """Adds a row. less: whether a smaller number is better."""
        theirs, ours = statistics.median(theirs), statistics.median(ours)
        met = "yes" if (ours <= goal * theirs if less else ours >= goal * theirs) else "NO"
        self.say(f"| {what} | {theirs:,.2f} {unit} | {ours:,.2f} {unit} | {ours / theirs:.2f} | {'at most' if less else 'at least'} {goal}: {met} |")

    def scripts(self, what, before, goal):
        theirs, ours, text = [], [], before + script(self.args.rows)
        for _ in range(self.args.runs):
            store = self.fresh()
            theirs.append(timed(self.pg.psql("-q"), text))
            ours.append(timed([self.mtsql, "-X", "-q", store], text))
            found = subprocess.run([self.mtsql, "-X", "-q", "-t", "-A", "-c", "SELECT count(*) FROM ev", store], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
            if found != str(self.args.rows):
                sys.exit(f"{found} rows of {self.args.rows}")
        self.row(what, "s", theirs, ours, goal, True)

    def rate(self, clients, where):
        path = os.path.join(self.folder, "client.sql")
        pathlib.Path(path).write_text(CLIENT, encoding="utf-8")
        p = subprocess.run([f"{self.pg.bin}/pgbench", "-n", "-f", path, "-c", str(clients), "-j", "2", "-T", str(self.args.seconds), *where],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
        return float(re.search(r"tps = ([\d.]+)", p.stdout).group(1))

    def clients(self, clients):
        theirs, ours = [], []
        for _ in range(self.args.runs):
            self.fresh()
            socket = os.path.join(self.folder, "socket")
            server = subprocess.Popen([self.mtsql, "-X", "--listen", f"unix:{socket}", "s.mts"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                while not os.path.exists(f"{socket}/.s.PGSQL.5432") and server.poll() is None:
                    time.sleep(0.01)
                theirs.append(self.rate(clients, ("-h", self.pg.socket, "-U", "postgres", "postgres")))
                ours.append(self.rate(clients, ("-h", socket, "-U", "root", "s.mts")))
            finally:
                server.terminate()
                server.wait()
        self.row(f"{clients} client{'s' * (clients > 1)}", "INSERTs/s", theirs, ours, 1, False)

    def sizes(self, rows):
        store, csv = self.fresh(), os.path.join(self.folder, "rows.csv")
        subprocess.run([self.mtsql, "-X", "-q", store], input=script(rows), text=True, check=True)
        subprocess.run([self.mtsql, "-X", "-q", "-c", f"COPY ev TO '{csv}' WITH (FORMAT csv)", store], check=True)
        copied = self.fresh("copy.mts")
        subprocess.run([self.mtsql, "-X", "-q", "-c", f"COPY ev FROM '{csv}' WITH (FORMAT csv)", copied], check=True)

        def size(folder):
            return sum(f.stat().st_size for f in pathlib.Path(folder).iterdir()) / 1000
        single, once = size(store), size(copied)
        subprocess.run([self.mtsql, "-X", "-q", "-c", "VACUUM ev", store], check=True)
        self.say(f"\nThe store after {rows:,} INSERTs has {single:,.0f} kB, {single / once:.2f} times the {once:,.0f} kB after one COPY of the rows (goal: at most 2: "
                 f"{'yes' if single <= 2 * once else 'NO'}), and {size(store):,.0f} kB after VACUUM.")

    def run(self):
        load = os.getloadavg()[0]
        self.say("# Single INSERTs\n")
        self.say(f"Made by `make bench-singles`: {self.args.rows:,} INSERTs through a pipe into one shell, and pgbench with one INSERT a transaction for {self.args.seconds} s, on one file system. "
                 f"Medians of {self.args.runs} pairs of runs. {os.cpu_count()} processors, shared by clients, servers and what else ran: a load average of {load:.1f} when this began.\n")
        self.say("| what | PostgreSQL | mtsql | ratio | goal |\n|---|---|---|---|---|")
        self.scripts("a script", "", 1.2)
        self.scripts("a script, synchronous_commit = off", OFF, 1.2)
        for clients in (1, 8):
            self.clients(clients)
        self.sizes(10_000)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--folder", help="where the stores and the cluster are made; must not be a file system in memory")
    parser.add_argument("--output")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="singles-", dir=args.folder)
    os.chmod(folder, 0o755)
    bench = Bench(args, folder)
    try:
        bench.pg.start()
        bench.run()
    finally:
        bench.pg.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if args.output:
        pathlib.Path(args.output).write_text("\n".join(bench.lines) + "\n", encoding="utf-8")


main()

#!/usr/bin/env python3
"""Measures look-ups in a history of locations while it grows, and checks that 40,000 records a
second are stored for a minute while look-ups are answered.

    locations.py [--build DIR] [--sizes "2 10"] [--rates "0 40 …"] [--seconds N] [--minute N]
                 [--feed-rate N] [--on "local SERVER …"] [--server-sizes "0.2"]
                 [--server-minute N] [--output FILE]

--on: local, a name of tests/servers/server.py, or a mongodb:// URI.

Two processes share a store or a server. One stores a feed of XML at a pace (build/feed into mtsql's
COPY). The other asks for the history of one user after the other (build/lookups). The first table
is the published one. It has queries a second, by the millions of records at the start and the
records stored a second. A rate is not reached (X) if the feed was stored more than a second late. A
user has 20 records in the collection on average.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "servers"), os.path.dirname(os.path.abspath(__file__))]
import server  # noqa: E402
from page import Page, load, targets  # noqa: E402

# Published queries a second, by millions of records and by RATES. -: not measured, X: not reached.
PUBLISHED = {207: "56 58 64 - - - - X X", 103: "2790 2760 2750 - - - - X X", 69: "2900 2900 3000 2800 1900 1450 1050 X X", 52: "3200 3000 2900 2900 2700 2700 1500 X X",
             41: "3000 3000 2900 3000 3150 3150 2950 2700 1700", 21: "3000 3050 3150 3150 2950 3000 2800 2500 2250", 10: "3000 3050 3050 3050 3100 3150 3000 2850 2100",
             2: "3150 3150 3180 3100 3050 3125 2900 2750 2400"}
RATES = [0, 40, 80, 200, 400, 800, 4000, 8000, 16000]
TOWERS = 5000
SCHEMA = """CREATE TABLE cell_towers (tower int NOT NULL, valid_from timestamptz, valid_to timestamptz, latitude double precision, longitude double precision);
COPY cell_towers FROM '{folder}/towers.csv' (HEADER);
CREATE TABLE locations (UserId bigint DIMENSION NOT NULL, CellTower int DIMENSION NOT NULL FIELD 'C', ts timestamptz TIME NOT NULL FIELD 'T',
   Latitude double precision FIELD 'Y', Longitude double precision FIELD 'X') USING rows WITH (collection = 'bench_History');
CREATE INDEX ON locations (UserId);
"""
LAST = "ALTER TABLE locations ADD LAYOUT last USING latest WITH (key = 'UserId', collection = 'bench_LastKnownLocation');\n"
LOOKUP = "LOOKUP 'cell_towers', LOOKUP_KEY 'CellTower = tower', LOOKUP_VALID 'valid_from, valid_to'"
FROM_XML = f"COPY locations FROM STDIN (FORMAT arcanum, PATHS 'UserId = subscriber/@id, CellTower = location/cell/@id, ts = event/time', {LOOKUP});"
HISTORY = "SELECT ts, CellTower, Latitude, Longitude FROM locations WHERE UserId = %llu ORDER BY ts"
NOW = "SELECT ts, CellTower, Latitude, Longitude FROM locations WHERE UserId = %llu ORDER BY ts DESC LIMIT 1"
START = 1367402400


def processor():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


class Bench:
    def __init__(self, args, folder, uri=None):
        self.args, self.folder, self.uri = args, folder, uri
        self.target = uri or os.path.join(folder, "store.mts")
        self.sizes, self.minute = (args.server_sizes, args.server_minute) if uri else (args.sizes, args.minute)

    def tool(self, name):
        return os.path.join(self.args.build, name)

    def sql(self, *statements):
        p = subprocess.run([self.tool("mtsql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.target], input="\n".join(statements) + "\n", text=True, stdout=subprocess.PIPE, check=True)
        return p.stdout.strip()

    def fresh(self, last):
        if self.uri:
            self.sql("DROP TABLE IF EXISTS locations, cell_towers;")
        else:
            shutil.rmtree(self.target, ignore_errors=True)
        subprocess.run([self.tool("feed"), "--towers-csv", "--towers", str(TOWERS), "-o", os.path.join(self.folder, "towers.csv")], check=True)
        self.sql(SCHEMA.format(folder=self.folder) + (LAST if last else ""))

    def load(self, records, users):
        """Loads CSV by COPY through a pipe. Returns the seconds."""
        start = time.monotonic()
        feed = subprocess.Popen([self.tool("feed"), "--csv", "--records", str(records), "--users", str(users), "--towers", str(TOWERS), "--rate", str(max(records // 86400, 1)),
                                 "--start", str(START - 86400)], stdout=subprocess.PIPE)
        copy = f"COPY locations (UserId, CellTower, ts) FROM STDIN (FORMAT csv, EPOCH 'ms', {LOOKUP})"
        subprocess.run([self.tool("mtsql"), "-X", "-q", self.target, "-c", copy], stdin=feed.stdout, check=True)
        feed.stdout.close()
        if feed.wait() != 0:
            raise SystemExit("feed failed")
        return time.monotonic() - start

    def writer(self, rate, seconds, users, batches):
        """Starts a process that stores a feed at a pace."""
        feed = subprocess.Popen([self.tool("feed"), "--pace", "--statement", FROM_XML, "--rate", str(rate), "--records", str(rate * seconds), "--users", str(users), "--towers", str(TOWERS),
                                 "--batches", str(batches), "--start", str(START), "--seed", str(rate)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        mtsql = subprocess.Popen([self.tool("mtsql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", self.target], stdin=feed.stdout)
        feed.stdout.close()
        return feed, mtsql

    def lookups(self, seconds, users, statements, writer=None):
        """Returns the output of lookups. With a writer, which begins with the look-ups, also the
        seconds for storing all, and how late the latest batch was.
        """
        asking = subprocess.Popen([self.tool("lookups"), self.target, str(seconds), str(users), "7", *statements], text=True, stdout=subprocess.PIPE)
        if asking.stdout.readline() != "ready\n":
            raise SystemExit("lookups failed")
        if not writer:
            found = asking.stdout.read()
        else:
            start = time.monotonic()
            feed, mtsql = self.writer(*writer)
            rc, whole, said = mtsql.wait(), time.monotonic() - start, feed.stderr.read()
            if feed.wait() or rc:
                raise SystemExit("the feed wasn't stored: " + said)
            found = asking.stdout.read()
        if asking.wait():
            raise SystemExit("lookups failed")
        return [float(v) for v in found.split()] + ([whole, float(said.split(" s late")[0].split()[-1])] if writer else [])

    def bytes(self):
        return None if self.uri else sum(os.path.getsize(os.path.join(self.target, f)) for f in os.listdir(self.target))


def cell(b, rate, users):
    """Returns the queries a second at a rate of records a second, and the rows stored meanwhile."""
    seconds = b.args.seconds
    if not rate:
        n, _, took, *_ = b.lookups(seconds, users, [HISTORY])
        return f"{n / took:,.0f}", 0
    n, _, took, *_, whole, _ = b.lookups(seconds, users, [HISTORY], (rate, seconds, users, 2))
    return f"{n / took:,.0f}" if whole < seconds + 1 else "X", rate * seconds


def earlier(text):
    """Returns {size: (its row, how it was loaded)} of a section of the page."""
    rows = {float(size): row for size, row in re.findall(r"^\| ([0-9.]+)M \| (.*) \|$", text, re.M) if "not run" not in row}
    loads = {float(size): row for size, row in re.findall(r"^\| load ([0-9.]+)M \| (.*) \|$", text, re.M)}
    return {size: (row, loads.get(size)) for size, row in rows.items()}


def table(b, say, kept):
    sizes = [float(s) for s in b.sizes.split()]
    rates = [int(r) for r in b.args.rates.split()]
    loads = {}
    for size in sizes:
        records = int(size * 1e6)
        users = max(records // 20, 1)
        b.fresh(False)
        before = processor()
        took, row, stored = b.load(records, users), [], records
        used, loaded = processor() - before, b.bytes()
        for rate in rates:
            text, more = cell(b, rate, users)
            row.append(text)
            stored += more
        counted = int(b.sql("SELECT count(*) FROM locations;"))
        if counted != stored:
            raise SystemExit(f"{stored} records were stored, {counted} are there")
        loads[size] = (row, records, took, loaded, used)
    say(head(rates))
    old = {size: row for size, row in earlier(kept).items() if size not in loads and row[0].count("|") == len(rates) - 1}
    for size in sorted(set(PUBLISHED) | set(sizes) | set(old), reverse=True):
        say(f"| {size:g}M | " + (old[size][0] if size in old else " | ".join(loads[size][0] if size in loads else ["not run"] * len(rates))) + " |")
    say()
    if old:
        say("Of earlier runs: " + ", ".join(f"{size:g}M" for size in sorted(old)) + ".\n")
    say("Loading by COPY of CSV, towers translated. The processor's time is that of feed and mtsql, without a server's.\n")
    say("| | seconds | records a second | bytes a record on disk | processor's seconds |\n|---|---|---|---|---|")
    figures = {size: row for size, (_, row) in old.items() if row}
    for size, (_, records, took, stored, used) in loads.items():
        figures[size] = f"{took:.1f} | {records / took:,.0f} | {f'{stored / records:.0f}' if stored else ''} | {used:.2f}"
    for size in sorted(figures):
        say(f"| load {size:g}M | {figures[size]} |")


def minute(b, say):
    rate, seconds, users = b.args.feed_rate, b.minute, 100000
    b.fresh(True)
    there = 50000 if b.uri else 500000
    b.load(there, users)
    n, rows, took, p50, p99, most, whole, late = b.lookups(seconds, users, [HISTORY, NOW], (rate, seconds, users, 2))
    stored = int(b.sql("SELECT count(*) FROM locations;"))
    newest = "SELECT count(*), md5 (string_agg (UserId || ' ' || ts, ',' ORDER BY UserId)) FROM (SELECT DISTINCT ON (UserId) UserId, ts FROM locations ORDER BY UserId, ts DESC) l;"
    history, last = b.sql("SET layout = 'rows';", newest), b.sql("SET layout = 'last';", newest)
    if stored != there + rate * seconds or history != last:
        raise SystemExit(f"{rate * seconds} records were sent to {there}, {stored} are there; newest: {history}, {last}")
    say(f"{rate * seconds:,} records of XML at {rate:,} a second, into a History of {there:,} and the last known locations of 100,000 users: stored in {whole:.1f} s ({rate * seconds / whole:,.0f} records/s), "
               f"the latest half second {late:.2f} s late. Meanwhile {n:,.0f} queries, every other one for a user's history and for a user's last location: {n / took:,.0f} a second, median {p50:.2f} ms, "
               f"99th percentile {p99:.2f} ms, at most {most:.0f} ms; {rows:,.0f} rows. Counted afterwards: {stored:,}, none missing; each last known location is the history's newest.")


def head(rates):
    return "| records | " + " | ".join(f"{r:,}" for r in rates) + " |\n|" + "---|" * (len(rates) + 1)


def published(page):
    page.section(AS_PUBLISHED)
    page.say(head(RATES))
    for size, row in PUBLISHED.items():
        page.say(f"| {size}M | " + " | ".join(f"{int(v):,}" if v.isdigit() else v for v in row.split()) + " |")
    page.say("\nOn a cluster: 1,650 queries a second at 100 and 1,000 records a second, 1,400 at 10,000, 1,200 at 20,000, 840 at 50,000, 1.5 at 100,000. -: not measured.")


def measure(b, page, heading):
    page.section(heading)
    page.say(load() + "\n")
    if b.sizes:
        table(b, page.say, page.kept().get(heading, ""))
    if b.minute:
        page.say()
        minute(b, page.say)


def heading(name):
    return "In process: two processes on one store" if name == "local" else f"On a server: {name if name in server.SERVERS else 'of your own'}"


AS_PUBLISHED = "As published (Samson with MongoDB)"
INTRO = """# Locations

Queries a second of one client, which asks for the history of a user (some 20 records). The rows of
a table are the numbers of records in the collection at the start. The columns are the numbers of
records stored a second meanwhile, from XML. X: the feed did not reach the rate.

Made by `make bench-locations`, with a section for each target. The rows are those of the published
table, which is the last section."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--sizes", default="2 10")
    parser.add_argument("--rates", default=" ".join(map(str, RATES)))
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--minute", type=int, default=60)
    parser.add_argument("--feed-rate", type=int, default=40000)
    parser.add_argument("--on", type=targets("local", *server.SERVERS), default="local documentdb")
    parser.add_argument("--server-sizes", default="0.2")
    parser.add_argument("--server-minute", type=int, default=10)
    parser.add_argument("--output")
    args = parser.parse_args()
    page = Page(args.output, INTRO, AS_PUBLISHED)
    for name in args.on:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            try:
                if name == "local":
                    measure(Bench(args, folder), page, heading(name))
                else:
                    with server.database(name, "bench") as uri:
                        measure(Bench(args, folder, uri), page, heading(name))
            except (SystemExit, subprocess.CalledProcessError) as e:
                page.cannot(heading(name), e)
    published(page)
    page.save()


if __name__ == "__main__":
    main()

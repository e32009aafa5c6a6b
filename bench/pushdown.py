#!/usr/bin/env python3
"""Measures the gain if servers run queries as a whole.

    pushdown.py [--build DIR] [--sizes "N ..."] [--rows N] [--queries N] [--output FILE]
                [--on "SERVER ..."]

SERVER: a name of tests/servers/server.py, or a mongodb:// URI.

It measures the newest rows beside a native find, windows and joins on the server and fetched, and
the bytes over the wire of the queries that analysts send (tests/servers/pushdown.sql).
"""
import argparse
import datetime
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", "servers"), os.path.join(ROOT, "tests", "lib"), os.path.join(ROOT, "bench")]

import pymongo  # noqa: E402
from analysts import fill, listed  # noqa: E402
from page import Page, load, targets  # noqa: E402
from proxy import Proxy  # noqa: E402
from server import SERVERS, database  # noqa: E402

INTRO = """# Push-down

Times are the best of several runs in one session. Both sides take turns.

*Newest 10*: `SELECT * FROM events ORDER BY time DESC NULLS LAST LIMIT 10` on a collection with an
index on `time`, beside pymongo's `find().sort("time", -1).limit(10)`. The goal is at most 1.20. The
collection is declared with `time` NOT NULL, or not declared. *trusted*: after `SET catalog_max_age
= '1min'`, so that only the first statement tests the documents.

*Windows and joins*: the plan that mtsql chose; the whole query on the server
(`require_full_pushdown`); the rows fetched (`pushdown_off = '$setWindowFields, $lookup'`).

*Bytes over the wire*: those of the second run of a query in a session, both ways, counted by a
proxy. *fetched*: with `pushdown_off = '*'`, when the server only returns documents.

Made by `make bench-pushdown`, with a section for each server."""
TIMES, RUNS = 3, 3
LARGE = 1000000  # of so many documents fewer runs will do
BATCH = 20000
START = datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone.utc)
DECLARED = "CREATE TABLE newest{0} (time timestamptz TIME NOT NULL, host text, ms double precision, uid bigint) USING rows WITH (collection = 'events{0}')"
NEWEST = "SELECT * FROM {} ORDER BY time DESC NULLS LAST LIMIT 10"
TRUSTED = "SET catalog_max_age = '1min'"
PUSHED, FETCHED = "SET require_full_pushdown = on", "SET pushdown_off = '$setWindowFields, $lookup'"
TABLES = [
    "CREATE TABLE load (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows",
    "CREATE TABLE owners (host text DIMENSION NOT NULL, team text DIMENSION NOT NULL) USING rows",
    "INSERT INTO owners SELECT 'h' || i, 'team' || i % 4 FROM generate_series(1, 20) i",
]
ROWS = "INSERT INTO load SELECT '2024-03-01'::timestamptz + i * interval '13 seconds', 'h' || i % 25 + 1, i * 7 % 50 FROM generate_series(1, {}) i"
QUERIES = {
    "the newest row of each host": "SELECT host, ts, n FROM (SELECT host, ts, n, row_number() OVER (PARTITION BY host ORDER BY ts DESC) r FROM load) x WHERE r = 1",
    "the largest moving sum": "SELECT max(s) FROM (SELECT sum(n) OVER (PARTITION BY host ORDER BY ts ROWS 9 PRECEDING) s FROM load) x",
    "jumps between neighbours": "SELECT count(*) FROM (SELECT n - lag(n) OVER (PARTITION BY host ORDER BY ts) d FROM load) x WHERE d > 40",
    "inner join, sums by team": "SELECT o.team, sum(l.n) FROM load l JOIN owners o ON o.host = l.host GROUP BY o.team",
    "left join, rows by host": "SELECT o.host, count(l.n) FROM owners o LEFT JOIN load l ON l.host = o.host GROUP BY o.host",
    "semi join": "SELECT count(*) FROM load WHERE host IN (SELECT host FROM owners WHERE team = 'team1')",
    "anti join": "SELECT count(*) FROM load l WHERE NOT EXISTS (SELECT FROM owners o WHERE o.host = l.host)",
}


def turns(times, *measures):
    """Runs the measures in turn. Returns the least value of each."""
    rounds = [[m() for m in measures] for _ in range(times)]
    return [min(column) for column in zip(*rounds)]


class Bench:
    def __init__(self, build, uri, say):
        self.build, self.uri, self.say = build, uri, say
        self.db = pymongo.MongoClient(uri).get_default_database()

    def mtsql(self, *commands, uri=None):
        p = subprocess.run([f"{self.build}/mtsql", "-X", "-q", "-t", "-A", *[x for c in commands for x in ("-c", c)], uri or self.uri],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, text=True)
        if p.returncode:
            raise RuntimeError(p.stderr.strip()[-300:])
        return p.stdout

    def ms(self, sql, *before, runs=RUNS):
        """Returns the time of the fastest run after the first."""
        out = self.mtsql(*before, "\\timing on", "\\o /dev/null", *[sql] * (runs + 1))
        return min(float(x) for x in re.findall(r"Time: ([0-9.]+) ms", out)[1:])

    # ---- the newest rows ----

    def native_ms(self, events, runs):
        found = []
        for _ in range(runs):
            start = time.perf_counter()
            list(events.find().sort("time", -1).limit(10))
            found.append((time.perf_counter() - start) * 1e3)
        return min(found)

    def newest(self, size):
        events = self.db[f"events{size}"]
        for at in range(0, size, BATCH):
            events.insert_many([{"_id": i, "time": START + datetime.timedelta(seconds=17 * i), "host": f"h{i % 6 + 1}", "ms": i * 0.25, "uid": i * i % 37}
                                        for i in range(at, min(at + BATCH, size))])
        events.create_index([("time", 1)])
        self.mtsql(DECLARED.format(size))
        asked = [(NEWEST.format(f"{name}{size}"), before) for name in ("newest", "events") for before in ([], [TRUSTED])]
        times, runs = (TIMES, RUNS) if size < LARGE else (2, 1)
        native, *ours = turns(times, lambda: self.native_ms(events, runs), *[lambda sql=sql, before=before: self.ms(sql, *before, runs=runs) for sql, before in asked])
        self.say(f"| {size:,} | {native:.1f} | " + " | ".join(f"{ms:.1f} | {ms / native:.2f}" for ms in ours) + " |")

    # ---- windows and joins ----

    def mode(self, sql, *before):
        try:
            return f"{self.ms(sql, *before):.1f} | {self.wire(sql, *before):,}"
        except RuntimeError:
            return "not there | -"

    def windows(self, rows):
        self.mtsql(*TABLES, ROWS.format(rows), "ANALYZE load", "ANALYZE owners")
        self.say("| query | ms | bytes | on the server, ms | bytes | fetched, ms | bytes |\n|---|---|---|---|---|---|---|")
        for title, sql in QUERIES.items():
            self.say(f"| {title} | {self.mode(sql)} | {self.mode(sql, PUSHED)} | {self.mode(sql, FETCHED)} |")

    # ---- bytes ----

    def wire(self, sql, *before):
        """Returns the bytes of the second run of a query in a session."""
        host, port = re.search(r"@?([^/@:]+):(\d+)/", self.uri.partition("://")[2]).groups()
        proxy = Proxy(int(port))
        uri = self.uri.replace(f"{host}:{port}", f"127.0.0.1:{proxy.port}")
        passed = []
        for runs in (1, 2):
            proxy.plan()
            self.mtsql(*before, "\\o /dev/null", *[sql] * runs, uri=uri)
            passed.append(sum(proxy.passed.values()))
        proxy.listener.close()
        return passed[1] - passed[0]

    def bytes(self, count):
        setup, queries = listed()
        self.mtsql("DROP TABLE load", "DROP TABLE owners")
        fill(self.uri)
        self.mtsql(*setup)
        self.say("| query | bytes | fetched |\n|---|---|---|")
        sums = [0, 0]
        for title, sql in list(queries.items())[:count]:
            both = [self.wire(sql), self.wire(sql, "SET pushdown_off = '*'")]
            sums = [a + b for a, b in zip(sums, both)]
            self.say(f"| {title} | " + " | ".join(f"{b:,}" for b in both) + " |")
        self.say("| all | " + " | ".join(f"{b:,}" for b in sums) + " |")


def measure(b, sizes, rows, queries):
    b.say(load() + "\n")
    b.say("| documents | native ms | declared ms | ratio | trusted ms | ratio | not declared ms | ratio | trusted ms | ratio |\n|---|---|---|---|---|---|---|---|---|---|")
    for size in sizes:
        b.newest(size)
    b.say(f"\nWindows and joins over {rows:,} rows:\n")
    b.windows(rows)
    b.say("\nBytes over the wire:\n")
    b.bytes(queries)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--sizes", default="50000 2000000")
    p.add_argument("--rows", type=int, default=2000)
    p.add_argument("--queries", type=int, help="how many of the analysts' queries; without it, all")
    p.add_argument("--output")
    p.add_argument("--on", type=targets(*SERVERS), default="secantus documentdb")
    args = p.parse_args()
    page = Page(args.output, INTRO)
    for name in args.on if isinstance(args.on, list) else args.on.split():
        heading = f"On {name}" if "://" not in name else "On a server given by its URI"
        try:
            with database(name, "bench_pushdown") as uri:
                page.section(heading)
                measure(Bench(os.path.abspath(args.build), uri, page.say), [int(s) for s in args.sizes.split()], args.rows, args.queries)
        except (SystemExit, RuntimeError) as e:
            page.cannot(heading, e)
    page.save()


if __name__ == "__main__":
    main()

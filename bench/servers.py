#!/usr/bin/env python3
"""Measures mtsql on servers, beside a bare libmongoc loop that sends the same operations (loop.c).

    servers.py [--build DIR] [--rows N] [--short] [--output FILE] [--on "SERVER ..."]

SERVER: a name of tests/servers/server.py, or a mongodb:// URI.

It measures events, bulk loads and look-ups, and Q1 and Q2 on each layout. Q2 is also measured by a
reader that fetches the collection (pymongo). The ratios are mtsql's share of a server's time, and
the gain of pushing down.
"""
import argparse
import collections
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", "servers"), os.path.join(ROOT, "bench")]

import bson  # noqa: E402
import bson.json_util  # noqa: E402
import pymongo  # noqa: E402
from fake import Fake, keeping  # noqa: E402
from page import Page, load, targets  # noqa: E402
from run import CREATE, LAYOUTS, Q1, Q2  # noqa: E402
from server import SERVERS, Server, with_database  # noqa: E402

ROUNDS, RUNS = 3, 2  # Both sides take turns, so that other work on the machine slows both alike.
PLACE = 424242  # the number that loop.c replaces by others
SERIES, USERS, SECONDS = 1000, 1000, 1
LARGE = {"hits": (500000, 10000), "history": (200000, 10000)}  # rows, and series or users, of a long load, which runs beside one of --rows
TABLES = {
    "hits": "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (style = 'hierarchical')",
    "history": "CREATE TABLE history (userid bigint DIMENSION NOT NULL, ts timestamptz TIME NOT NULL, cell bigint, x double precision, y double precision) USING rows",
}
INDEX = "CREATE INDEX ON history (userid)"
KNOWN = "SET catalog_max_age = '1s'"  # the catalog may be one second old
# title, what loop.c does, table, statement (%llu: a number from 1 to so many)
SINGLES = [
    ("one event a statement", "update", "hits", "INSERT INTO hits VALUES ('2020-01-01 10:31+00', 'metric-%llu', 1)"),
    ("one row a statement", "insert", "history", "INSERT INTO history VALUES (%llu, '2020-01-01 10:31:07+00', 17, 13.5, 52.25)"),
    ("a user's history", "aggregate", "history", "SELECT ts, cell, x, y FROM history WHERE userid = %llu ORDER BY ts"),
    ("a metric's day", "aggregate", "hits", "SELECT sum(n) FROM hits WHERE metric = 'metric-%llu' AND ts >= '2020-01-01' AND ts < '2020-01-02'"),
]
SINGLES += [(f"{row[0]}, `catalog_max_age` 1 s", *row[1:], KNOWN) for row in SINGLES[2:]]


def processor():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def out_of(command, **kw):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, **kw)
    if p.returncode:
        raise RuntimeError((p.stdout + p.stderr).decode("utf-8", "replace").strip()[-400:])
    return p.stdout.decode("utf-8", "replace")


def take_turns(*measures):
    """Runs the measures in turn. Returns the least value of each, which is a time, or a tuple that
    begins with one.
    """
    rounds = [[m() for m in measures] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*rounds)]


class Bench:
    def __init__(self, build, rows, large, folder, page):
        self.build, self.rows, self.folder, self.page, self.say = os.path.abspath(build), rows, folder, page, page.say
        self.csv = os.path.join(folder, "calls.csv")
        out_of([f"{self.build}/generate", "--rows", str(rows), "-o", self.csv])
        self.csvs = {(name, *size): self.write_csv(name, *size) for name in TABLES for size in [LARGE[name]] * large + [(rows, SERIES)]}

    def write_csv(self, name, rows, keys):
        """Writes events of all series in turn, or a history of all users."""
        rng = random.Random(1)
        path = os.path.join(self.folder, f"{name}-{rows}.csv")
        with open(path, "w", encoding="utf-8") as f:
            if name == "hits":
                f.writelines(f"2020-01-01 {rng.randrange(24):02}:{rng.randrange(60):02}+00,metric-{i % keys + 1},1\n" for i in range(rows))
            else:
                f.writelines(f"{rng.randrange(keys) + 1},2020-01-01 {rng.randrange(24):02}:{rng.randrange(60):02}:{i % 60:02}+00,{i % 5000},{i % 180}.5,{i % 90}.25\n" for i in range(rows))
        return path

    def mtsql(self, uri, *commands):
        return out_of([f"{self.build}/mtsql", "-X", "-q", "-t", "-A", *[x for c in commands for x in ("-c", c)], uri])

    def loop(self, uri, collection, *what):
        ms, docs, size = out_of([f"{self.build}/loop", uri, collection, *map(str, what)]).split()
        return float(ms), int(docs), int(size)

    def statement_ms(self, uri, sql, runs=RUNS):
        """Returns the time of the fastest of a few runs in one session: the statement's own time,
        with its rows written to nowhere.
        """
        text = self.mtsql(uri, "\\timing on", "\\o /dev/null", *[sql] * runs)
        return min(float(x) for x in re.findall(r"Time: ([0-9.]+) ms", text))

    def pipeline(self, uri, sql):
        plan = json.loads(self.mtsql(uri, f"EXPLAIN (FORMAT JSON) {sql}"))[0]
        path = os.path.join(self.folder, "pipeline.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(plan["pipeline"], f)
        chosen = [c for c in plan["candidates"] if c["chosen"]]
        return path, chosen[0]["cut"] if chosen else "?", "local" in plan

    def dump(self, db, name="calls"):
        path = os.path.join(self.folder, f"{name}.bson")
        with open(path, "wb") as f:
            for raw in db[name].with_options(codec_options=bson.codec_options.CodecOptions(document_class=bson.raw_bson.RawBSONDocument)).find():
                f.write(raw.raw)
        return path

    def load_ms(self, uri, using):
        self.mtsql(uri, "DROP TABLE IF EXISTS calls", CREATE + using)
        self.used = processor()
        return self.statement_ms(uri, f"COPY calls FROM '{self.csv}' WITH (FORMAT csv, HEADER, EPOCH 's')", 1)

    def bare_load(self, uri, db, path, like="calls"):
        """Returns (ms, documents, bytes) of inserting the table's documents into a collection with
        the same indexes.
        """
        db.bare.drop()
        for name, index in db[like].index_information().items():
            if name != "_id_":
                db.bare.create_index(index["key"])
        return self.loop(uri, "bare", "insert", path)

    def layout(self, uri, db, title, using):
        self.load_ms(uri, using)
        path = self.dump(db)
        (load, cpu), (bare, docs, size, bare_cpu) = take_turns(lambda: self.with_processor(self.load_ms, uri, using), lambda: self.with_processor(self.bare_load, uri, db, path))
        cells = [title, f"{docs:,}", f"{size / 1e6:.1f}", f"{self.rows / load * 1e3:,.0f}", f"{load / 1e3:.3f}", f"{bare / 1e3:.3f}", f"{load / bare:.2f}", f"{cpu:.3f}", f"{bare_cpu:.3f}"]
        for sql in (Q1, Q2):
            pipeline, cut, local = self.pipeline(uri, sql)
            mine, (theirs, groups, _) = take_turns(lambda: self.statement_ms(uri, sql), lambda: self.loop(uri, "calls", "aggregate", pipeline, RUNS))
            cells += [f"{mine:.1f} ({cut}{', partly local' if local else ''})", f"{theirs:.1f}", f"{mine / theirs:.2f}", f"{groups:,}"]
        return cells

    # ---- events, rows, look-ups ----

    def sent(self, *statements):
        """Returns the commands that mtsql sends for statements, to a scripted server with a
        catalog.
        """
        with Fake(keeping()) as fake:
            self.mtsql(fake.uri, *TABLES.values(), *statements)
            return [c for _, c in fake.commands]

    def copy(self, *which):
        return f"COPY {which[0]} FROM '{self.csvs[which]}' WITH (FORMAT csv)"

    def bulk_ms(self, uri, *which):
        """Returns the milliseconds of a COPY into the table, which is made anew."""
        self.mtsql(uri, f"DROP TABLE IF EXISTS {which[0]}", TABLES[which[0]])
        self.used = processor()
        return self.statement_ms(uri, self.copy(*which), 1)

    def with_processor(self, function, *args):
        """Runs the function. Returns its result, and the clients' seconds of processor. A client may
        set self.used to leave out what it took before.
        """
        self.used = processor()
        out = function(*args)
        return *(out if isinstance(out, tuple) else (out,)), processor() - self.used

    def bare_updates(self, uri, db, path):
        db.bare.drop()
        return self.loop(uri, "bare", "update", path)

    def bulk(self, uri, db, name, rows, keys):
        which = name, rows, keys
        self.bulk_ms(uri, *which)
        if name == "hits":
            path, bare = os.path.join(self.folder, "updates.bson"), self.bare_updates
            with open(path, "wb") as f:
                for c in self.sent(self.copy(*which)):
                    if c.get("update") == name:
                        f.writelines(bson.encode({"q": u["q"], "u": u["u"]}) for u in c["updates"])
        else:
            path, bare = self.dump(db, name), lambda uri, db, path: self.bare_load(uri, db, path, name)
        (mine, cpu), (theirs, docs, _, bare_cpu) = take_turns(lambda: self.with_processor(self.bulk_ms, uri, *which), lambda: self.with_processor(bare, uri, db, path))
        what = f"COPY of {rows:,} events of {keys:,} series, {docs:,} upserts" if name == "hits" else f"COPY of {rows:,} rows into History"
        self.say(f"| {what} | {rows / mine * 1e3:,.0f} | {rows / theirs * 1e3:,.0f} | {mine / theirs:.2f} | - | {cpu:.2f} | {bare_cpu:.2f} |")

    def template(self, uri, kind, name, sql):
        """Returns the operation of a statement, for loop.c, which puts numbers into it."""
        text = sql.replace("%llu", str(PLACE))
        path = os.path.join(self.folder, "template.json")
        if kind == "aggregate":
            return self.pipeline(uri, text)[0]
        command = [c for c in self.sent(text) if c.get(kind) == name][-1]
        what = {k: command["updates"][0][k] for k in "qu"} if kind == "update" else {k: v for k, v in command["documents"][0].items() if k != "_id"}
        with open(path, "w", encoding="utf-8") as f:
            f.write(bson.json_util.dumps(what, json_options=bson.json_util.CANONICAL_JSON_OPTIONS))
        return path

    def asked(self, uri, *sql):
        """Returns the microseconds of a statement, and its seconds of processor."""
        return self.of_one(lambda seconds: out_of([f"{self.build}/lookups", uri, str(seconds), str(USERS), "7", *sql]).split("\n")[1])

    def bare_asked(self, uri, name, kind, path):
        return self.of_one(lambda seconds: out_of([f"{self.build}/loop", uri, name, "each", kind, path, str(seconds), str(USERS), "7"]))

    @staticmethod
    def of_one(run):
        """Returns the same from a program's report of some seconds: operations, rows, seconds. A
        run of the first operations alone gives the cost of starting, which is subtracted from the
        processor's time.
        """
        first, before, all = processor(), processor(), []
        for seconds in (1e-6, SECONDS):
            all.append((float(run(seconds).split()[0]), processor() - before))
            before = processor()
        (few, start), (n, used) = all
        return SECONDS / n * 1e6, (used - start) / (n - few)

    def commands(self, sql, *before):
        """Returns the number of commands of a statement, in a session that goes on."""
        one, two = (len(self.sent(*before, *[sql.replace("%llu", "7")] * n)) for n in (20, 120))  # a busy session, which has a lease by then
        return (two - one) / 100

    def single(self, uri, title, kind, name, sql, *before):
        path = self.template(uri, kind, name, sql)
        (mine, cpu), (theirs, bare_cpu) = take_turns(lambda: self.asked(uri, *before, sql), lambda: self.bare_asked(uri, name, kind, path))
        self.say(f"| {title} | {1e6 / mine:,.0f} | {1e6 / theirs:,.0f} | {mine / theirs:.2f} | {self.commands(sql, *before):.1f} | {cpu * 1e6:.0f} µs | {bare_cpu * 1e6:.0f} µs |")

    def operations(self, uri, db):
        self.say("| operation | a second by mtsql | by the loop | ratio of times | commands a statement | processor, mtsql | processor, loop |\n|---|---|---|---|---|---|---|")
        for which in self.csvs:
            self.bulk(uri, db, *which)
        self.mtsql(uri, INDEX)
        for row in SINGLES:
            self.single(uri, *row)
        self.say()

    # ---- layouts ----

    def fetch_all(self, db):
        """Runs Q2 in a reader that fetches all documents, without a pipeline."""
        best = None
        for _ in range(2):
            start, sums = time.perf_counter(), collections.Counter()
            for d in db.calls.find({}, {"_id": 0}):
                if d["vAppid"] != "":
                    sums[d["timestamp"], d["vCmdid"]] += d["totalCount"]
            took = (time.perf_counter() - start) * 1e3
            best = took if best is None or took < best else best
        return best, len(sums)

    def layouts(self, uri, db):
        head = ["layout", "documents", "BSON MB", "load rows/s", "load s", "bare load s", "ratio", "processor, mtsql s", "processor, loop s"]
        for q in ("Q1", "Q2"):
            head += [f"{q} ms (cut)", f"{q} bare ms", "ratio", "groups"]
        self.say("| " + " | ".join(head) + " |")
        self.say("|" + "---|" * len(head))
        fetched = None
        for title, using in LAYOUTS:
            try:
                self.say("| " + " | ".join(self.layout(uri, db, title, using)) + " |")
                if using == "rows":
                    fetched = self.fetch_all(db), self.statement_ms(uri, Q2)
            except RuntimeError as e:
                self.say(f"| {title} | could not be measured: {str(e).splitlines()[-1]} |" + " |" * (len(head) - 2))
        if fetched:
            (ms, groups), mine = fetched
            self.say(f"\nQ2 over rows by pymongo that fetches all: {ms:.0f} ms, {groups:,} groups; by mtsql's pipeline: {mine:.0f} ms ({ms / mine:.2f} times as fast).")

    def server(self, name):
        with Server(name) as base:
            uri = with_database(base, f"bench_{os.getpid()}")
            client = pymongo.MongoClient(uri)
            db = client.get_default_database()
            self.page.section(heading(name))
            self.say(f"Says it is MongoDB {client.server_info().get('version', '?')}. {self.rows:,} rows. {load()}\n")
            try:
                self.operations(uri, db)
                self.layouts(uri, db)
            finally:
                client.drop_database(db.name)


def heading(name):
    return name if name in SERVERS else "a server of your own"


INTRO = f"""# Benchmark on servers

mtsql beside a bare libmongoc loop (loop.c), which sends the same operations, documents or pipelines
(*bare*, *loop*). Both take turns in one run, and the best of several runs counts. The ratio is
mtsql's time to the loop's. The goal is at most 1.10.

The first table has the work of a busy writer and its readers. Some loads are short. Others are so
long that the rate is what counts. The commands of a statement are what goes over the network. The
processor's time is the client's, for all of a COPY or for one statement.

A statement also checks whether tables changed, which a loop does not. A writing statement sends a
command for this, in a busy session one in 0.15 s. A reading statement checks with the command that
reads, or not at all (`catalog_max_age`).

The second table has the packed lesson's feed: COPY of the CSV against ready documents in batches of
1,000, and two queries. Q1: `{Q1}`. Q2: `{Q2}`.

Made by `make bench-servers`, with a section for each server."""


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--rows", type=int, default=20000)
    p.add_argument("--output")
    p.add_argument("--short", action="store_true", help="without the long loads")
    p.add_argument("--on", type=targets(*SERVERS), default=" ".join(SERVERS))
    args = p.parse_args()
    page = Page(args.output, INTRO, "What is over 1.10, and why")  # written by hand
    with tempfile.TemporaryDirectory(prefix="mtsql-bench-") as folder:
        b = Bench(args.build, args.rows, not args.short, folder, page)
        for name in args.on:
            try:
                b.server(name)
            except (SystemExit, RuntimeError) as e:
                page.cannot(heading(name), e)
    page.save()


if __name__ == "__main__":
    main()

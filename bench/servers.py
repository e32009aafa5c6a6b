#!/usr/bin/env python3
"""Measures mtsql on servers: loads, Q1 and Q2 on each layout, beside the same documents and pipelines sent by a bare libmongoc loop (loop.c), and beside
what a reader does that fetches the collection (pymongo). Ratios say what mtsql adds to a server's own time, and what pushing down is worth.

    servers.py [--build DIR] [--rows N] [--output FILE] [--on "SERVER ..."]     SERVER: a name of tests/servers/server.py, or a mongodb:// URI
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", "servers"), os.path.join(ROOT, "bench")]

import bson  # noqa: E402
import pymongo  # noqa: E402
from run import CREATE, LAYOUTS, Q1, Q2  # noqa: E402
from server import SERVERS, Server, with_database  # noqa: E402

ROUNDS, RUNS = 3, 2  # both sides take turns, so that what else the machine does meets both alike


def out_of(command, **kw):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, **kw)
    if p.returncode:
        raise RuntimeError((p.stdout + p.stderr).decode("utf-8", "replace").strip()[-400:])
    return p.stdout.decode("utf-8", "replace")


def take_turns(*measures):
    """The least of each of some measures that return a time, or a tuple that begins with one."""
    rounds = [[m() for m in measures] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*rounds)]


class Bench:
    def __init__(self, build, rows, folder):
        self.build, self.rows, self.folder = os.path.abspath(build), rows, folder
        self.csv, self.lines = os.path.join(folder, "calls.csv"), []
        out_of([f"{self.build}/generate", "--rows", str(rows), "-o", self.csv])

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def mtsql(self, uri, *commands):
        return out_of([f"{self.build}/mtsql", "-X", "-q", "-t", "-A", *[x for c in commands for x in ("-c", c)], uri])

    def loop(self, uri, collection, *what):
        ms, docs, size = out_of([f"{self.build}/loop", uri, collection, *map(str, what)]).split()
        return float(ms), int(docs), int(size)

    def statement_ms(self, uri, sql, runs=RUNS):
        """The fastest of a few runs in one session: the statement's own time, its rows written away."""
        text = self.mtsql(uri, "\\timing on", "\\o /dev/null", *[sql] * runs)
        return min(float(x) for x in re.findall(r"Time: ([0-9.]+) ms", text))

    def pipeline(self, uri, sql):
        plan = json.loads(self.mtsql(uri, f"EXPLAIN (FORMAT JSON) {sql}"))[0]
        path = os.path.join(self.folder, "pipeline.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(plan["pipeline"], f)
        chosen = [c for c in plan["candidates"] if c["chosen"]]
        return path, chosen[0]["cut"] if chosen else "?", "local" in plan

    def dump(self, db):
        path = os.path.join(self.folder, "calls.bson")
        with open(path, "wb") as f:
            for raw in db.calls.with_options(codec_options=bson.codec_options.CodecOptions(document_class=bson.raw_bson.RawBSONDocument)).find():
                f.write(raw.raw)
        return path

    def load_ms(self, uri, using):
        self.mtsql(uri, "DROP TABLE IF EXISTS calls", CREATE + using)
        return self.statement_ms(uri, f"COPY calls FROM '{self.csv}' WITH (FORMAT csv, HEADER, EPOCH 's')", 1)

    def bare_load(self, uri, db, path):
        """(ms, documents, bytes) of the table's own documents into a collection with the same indexes."""
        db.bare.drop()
        for name, index in db.calls.index_information().items():
            if name != "_id_":
                db.bare.create_index(index["key"])
        return self.loop(uri, "bare", "insert", path)

    def layout(self, uri, db, title, using):
        self.load_ms(uri, using)
        path = self.dump(db)
        load, (bare, docs, size) = take_turns(lambda: self.load_ms(uri, using), lambda: self.bare_load(uri, db, path))
        cells = [title, f"{docs:,}", f"{size / 1e6:.1f}", f"{self.rows / load * 1e3:,.0f}", f"{load / 1e3:.2f}", f"{bare / 1e3:.2f}", f"{load / bare:.2f}"]
        for sql in (Q1, Q2):
            pipeline, cut, local = self.pipeline(uri, sql)
            mine, (theirs, groups, _) = take_turns(lambda: self.statement_ms(uri, sql), lambda: self.loop(uri, "calls", "aggregate", pipeline, RUNS))
            cells += [f"{mine:.1f} ({cut}{', partly local' if local else ''})", f"{theirs:.1f}", f"{mine / theirs:.2f}", f"{groups:,}"]
        return cells

    def fetch_all(self, db):
        """Q2 by a reader that knows nothing of pipelines."""
        best = None
        for _ in range(2):
            start, sums = time.perf_counter(), collections.Counter()
            for d in db.calls.find({}, {"_id": 0}):
                if d["vAppid"] != "":
                    sums[d["timestamp"], d["vCmdid"]] += d["totalCount"]
            took = (time.perf_counter() - start) * 1e3
            best = took if best is None or took < best else best
        return best, len(sums)

    def server(self, name):
        with Server(name) as base:
            uri = with_database(base, f"bench_{os.getpid()}")
            client = pymongo.MongoClient(uri)
            db = client.get_default_database()
            try:
                about = client.server_info().get("version", "?")
                self.say(f"## {name if name in SERVERS else 'the server of the URI'} (says it is MongoDB {about})\n")
                head = ["layout", "documents", "BSON MB", "load rows/s", "load s", "bare load s", "ratio"]
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
                    self.say(f"\nQ2 over rows by pymongo that fetches all: {ms:.0f} ms, {groups:,} groups; by mtsql's pipeline: {mine:.0f} ms ({ms / mine:.2f} times as fast).\n")
            finally:
                client.drop_database(db.name)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--rows", type=int, default=50000)
    p.add_argument("--output")
    p.add_argument("--on", default=" ".join(SERVERS))
    args = p.parse_args()
    with tempfile.TemporaryDirectory(prefix="mtsql-bench-") as folder:
        b = Bench(args.build, args.rows, folder)
        b.say("# Benchmark on servers\n")
        b.say(f"{args.rows:,} rows of the packed lesson's feed, 2 processors shared by server and client, best of several runs, both sides by turns. Made by `make bench-servers`. *bare*: the same documents or pipeline by a libmongoc "
              f"loop (loop.c) in the same run; ratio: mtsql's time to it (the goal: at most 1.10 for queries). Loads: COPY of the CSV against ready documents in batches of 1,000. Q1: `{Q1}`. Q2: `{Q2}`.\n")
        for name in args.on.split():
            try:
                b.server(name)
            except SystemExit as e:
                b.say(f"## {name}\n\nCould not be had here ({e}).\n")
        if args.output:
            with open(args.output, "w", encoding="utf-8") as f:
                f.write("\n".join(b.lines) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the cost of a monitoring service's schema, which R. Nitz published in 2011.

    monitoring.py [--build DIR] [--series N] [--output FILE] [--on "TARGET ..."]

TARGET: local (in process), a name of tests/servers/server.py, or a mongodb:// URI.

In the first minute of a day, every series needs a document. That is measured with documents made
beforehand, and without. A chart of 365 days is measured on day documents and on month documents.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", "servers"), os.path.join(ROOT, "bench")]

import pymongo  # noqa: E402
from fake import Fake, keeping  # noqa: E402
from page import Page, load, targets  # noqa: E402
from server import SERVERS, Server, with_database  # noqa: E402

COLUMNS = "(ts timestamptz TIME PERIOD '1 min', item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE NOT NULL)"
# Yesterday each series has a hit an hour, which makes today's document with a chance of 1/12. That
# gives two chances a day, like a hit a minute with the published 1/720.
HOURS = 24
CHANCE = "1/12"
CHART_SERIES, DAYS, RUNS = 3, 365, 5
TIMEOUT_S = 240
FEWER = {"secantus": 10}  # times fewer series on a server that takes 0.1 s for a hit with a whole document


class Monitoring:
    def __init__(self, build, series, page):
        self.build, self.most, self.page, self.say = os.path.abspath(build), series, page, page.say

    def begin(self, name, also=""):
        self.series = self.most // FEWER.get(name, 1)
        self.page.section(heading(name))
        self.say(f"{also}{self.series:,} series. {load()}\n")

    def row(self, *cells):
        self.say("| " + " | ".join(str(c) for c in cells) + " |")

    def head(self, *cells):
        self.row(*cells)
        self.say("|" + "---|" * len(cells))

    def run(self, target, statements):
        """Runs statements in one session. Returns the milliseconds of each, and the output."""
        with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as f:
            f.write("\\timing on\n" + "".join(s + ("\n" if s.startswith("\\") else ";\n") for s in statements))
            f.flush()
            try:
                p = subprocess.run([f"{self.build}/mtsql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", f.name, target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   check=False, timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                raise RuntimeError(f"a script did not end in {TIMEOUT_S} s") from None
        out = p.stdout.decode()
        if p.returncode:
            raise RuntimeError(p.stderr.decode().strip().split("\n")[0].split(": ", 1)[-1].strip())
        return [float(x) for x in re.findall(r"^Time: ([0-9.]+) ms", out, re.M)], out

    # ---- the first minute ----

    def hits(self, at):
        return "INSERT INTO load VALUES " + ", ".join(f"('2020-06-{at}+00', 'bits', 'mem', 'host-{i:05}', {i % 97})" for i in range(self.series))

    def script(self, option, forget, schedule):
        """Returns CREATE, yesterday's hours, PREALLOCATE, and the first three minutes of today."""
        yes = [s for h in range(HOURS) for s in ([self.hits(f"10 {h:02}:30")] + (["DISCARD ALL"] if forget else []))]
        create = f"CREATE TABLE load {COLUMNS} USING mms WITH (style = 'hierarchical'{option})"
        return [create] + yes + (["PREALLOCATE load FOR '1 day' FROM '2020-06-10 12:00+00'"] if schedule else []) + [self.hits(f"11 00:{m:02}") for m in range(3)]

    def sent(self, script):
        """Returns how many whole documents go to a server until midnight."""
        with Fake(keeping()) as fake:
            self.run(fake.uri, script[:-3])
            return sum("$inc" not in u["u"] for c in fake.named("update") if c["update"] == "load" for u in c["updates"])

    def first_minute(self, target, fresh):
        self.head("documents", "sent whole until midnight", "there at midnight", "yesterday, s", "PREALLOCATE, s", "first minute, ms", "hits/s", "second and third, ms", "first to others")
        base = None
        for title, option, forget, schedule in [("by their first hit", "", False, False), (f"by chance, {CHANCE} a hit", f", preallocate = '{CHANCE}'", False, False),
                                                ("the same without Bloom filters", f", preallocate = '{CHANCE}'", True, False), ("by PREALLOCATE", "", False, True)]:
            fresh()
            script = self.script(option, forget, schedule)
            ms, out = self.run(target, script[:-3] + [self.count_tomorrow(target)] + script[-3:])  # one session, which knows at midnight which documents it made
            there, ms, today = re.findall(r'"n"[^0-9]*([0-9]+)', out)[-1], ms[:-3], ms[-3:]
            others = sum(today[1:]) / 2
            base = base or today[0]
            made = ms[-1] / 1e3 if schedule else 0
            self.row(title, self.sent(script) if option else self.series if schedule else 0, there, f"{sum(ms[1:]) / 1e3 - made:.1f}", f"{made:.1f}" if schedule else "-", f"{today[0]:.0f}",
                     f"{self.series / today[0] * 1e3:,.0f}", f"{others:.0f}", f"{today[0] / others:.2f}")
        self.say()

    # ---- the chart ----

    def chart(self, target, fresh):
        query = "SELECT date_trunc('day', ts) AS day, sum(total) FROM {} WHERE item = 'bits' AND grp = 'mem' AND host = 'host-1' AND ts >= '2020-01-01' AND ts < '2020-12-31' GROUP BY 1"
        self.head("the chart's documents", "collection holds", "read", "MB read", "rows", "ms", "ratio")
        first = None
        for title, name, option in [("days", "by_day", ""), ("months of days", "by_month", ", months = true")]:
            fresh()
            rows = ", ".join(f"(timestamptz '2020-01-01 12:00+00' + {d} * interval '1 day', 'bits', 'mem', 'host-{h}', {d})" for d in range(DAYS) for h in range(CHART_SERIES))
            self.run(target, [f"CREATE TABLE {name} {COLUMNS} USING mms WITH (style = 'hierarchical'{option})", f"INSERT INTO {name} VALUES {rows}",
                              f"PREALLOCATE {name} FOR '{DAYS - 1} days' FROM '2020-01-01 12:00+00'", f"ANALYZE {name}"])
            ms, out = self.run(target, [query.format(name)] * RUNS + ["EXPLAIN (ANALYZE, FORMAT JSON) " + query.format(name)])
            plan = json.loads(out[out.index("[\n"):out.rindex("]") + 1])[0]
            read, size, best = self.read(target, name, plan), plan.get("bytes_touched"), min(ms[:RUNS])
            first = first or best
            self.row(title, f"{read[1]:,}", read[0], f"{size / 1e6:.3f}" if size else "-", sum("|" in line for line in out.split("\n")) // RUNS, f"{best:.2f}", "1" if first == best else f"{first / best:.1f} times as fast")
        self.say()

    def read(self, target, name, plan):
        """Returns the number of documents that the chart's first $match finds, and of all documents
        of that collection.
        """
        stages = plan["pipeline"]
        counted = [stages[0], {"$count": "n"}]
        collection = plan.get("collection") or (name + "_month_days" if name == "by_month" else name)
        ask = lambda p: int(re.findall(r"\d+", subprocess.run([f"{self.build}/mtsql", "-X", "--aggregate", collection, json.dumps(p), target], stdout=subprocess.PIPE, check=True).stdout.decode())[-1])
        return ask(counted), ask([{"$count": "n"}])

    def target(self, name):
        if name == "local":
            with tempfile.TemporaryDirectory() as folder:
                store = os.path.join(folder, "monitoring.mts")
                self.begin(name)
                self.all(store, lambda: subprocess.run(["rm", "-rf", store], check=True))
            return
        with Server(name) as base:
            uri = with_database(base, f"bench_{os.getpid()}")
            client = pymongo.MongoClient(uri)
            db = client.get_default_database()
            self.begin(name, f"Says it is MongoDB {client.server_info().get('version', '?')}. ")
            try:
                self.all(uri, lambda: client.drop_database(db.name))
            finally:
                client.drop_database(db.name)

    def count_tomorrow(self, target):
        """Returns a command of the shell that counts tomorrow's documents."""
        pipeline = '[{"$group": {"_id": 1, "n": {"$sum": {"$cond": [{"$eq": [{"$substrBytes": ["$_id", 0, 8]}, "20200611"]}, 1, 0]}}}}]'
        return f"\\! {self.build}/mtsql -X --aggregate load '{pipeline}' '{target}'"

    def all(self, target, fresh):
        self.first_minute(target, fresh)
        self.chart(target, fresh)


def heading(name):
    return "In process" if name == "local" else name if name in SERVERS else "a server of your own"


INTRO = f"""# A monitoring service's documents

The series are stored in the layout `mms`, by hour. One INSERT sends a hit of each series. Yesterday
each series had {HOURS} hits.

- *First minute*: the first hit of the day, of all series. The ratio is to the mean of the next two
  minutes.
- *Chart*: the daily sums of one series over {DAYS} days. There are {CHART_SERIES} series, and all
  slots of their documents exist. The fastest of {RUNS} runs. The published figure is 1.8 s, for 365
  documents at 5 ms a seek, or 12 documents of a month.

Some first minutes gain nothing from documents made beforehand. There each hit costs more, because
the document is larger. And the first minute makes the documents that chance did not make before.
The filters save documents: at midnight, a session that knows which documents it made sends only
those that are missing.

Made by `make bench-monitoring`, with a section for each target."""


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--series", type=int, default=1000)
    p.add_argument("--output")
    p.add_argument("--on", type=targets("local", *SERVERS), default="local documentdb secantus")
    a = p.parse_args()
    page = Page(a.output, INTRO)
    b = Monitoring(a.build, a.series, page)
    for name in a.on:
        try:
            b.target(name)
        except (SystemExit, RuntimeError) as e:
            page.cannot(heading(name), e)
    page.save()


if __name__ == "__main__":
    main()

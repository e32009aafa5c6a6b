#!/usr/bin/env python3
"""Counts the processor's instructions of one short statement in the client, by stage.

    statements.py [--build DIR] [--statements N] [--output FILE] [--on "local SERVER ..."]

SERVER: a name of tests/servers/server.py, or a mongodb:// URI.

valgrind's callgrind counts, so other work on the machine changes nothing. On servers, a bare
libmongoc loop (loop.c) sends the same operations. A statement's share is the difference of two
runs, of which one has more statements.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", "servers"), os.path.join(ROOT, "bench")]

from page import Page, targets  # noqa: E402
from server import SERVERS, Server, with_database  # noqa: E402

FEW, SERIES, ROWS = 50, 1000, 20000
TABLES = [
    "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (style = 'hierarchical')",
    "CREATE TABLE history (userid bigint DIMENSION NOT NULL, ts timestamptz TIME NOT NULL, cell bigint, x double precision, y double precision) USING rows",
    "CREATE INDEX ON history (userid)",
]
READ, DAY = "SELECT ts, cell, x, y FROM history WHERE userid = {} ORDER BY ts", "SELECT sum(n) FROM hits WHERE metric = {} AND ts >= '2020-01-01' AND ts < '2020-01-02'"
EVENT, ROW = "INSERT INTO hits VALUES ('2020-01-01 10:31+00', {}, 1)", "INSERT INTO history VALUES ({}, '2020-01-01 10:31:07+00', 17, 13.5, 52.25)"
# title, the statement, its argument, what loop.c does and with what
STATEMENTS = [
    ("a user's history", READ, "{n}", ("history", "aggregate", '[{"$match": {"userid": {"$numberLong": "424242"}}}, {"$project": {"_id": 0, "c0": "$ts", "c1": "$cell", "c2": "$x", "c3": "$y"}}, {"$sort": {"c0": 1}}]')),
    ("a metric's day", DAY, "'metric-{n}'", None),
    ("one event", EVENT, "'metric-{n}'", None),
    ("one row", ROW, "{n}", ("history", "insert", '{"userid": {"$numberLong": "424242"}, "ts": {"$date": "2020-01-01T10:31:07Z"}, "cell": {"$numberLong": "17"}, "x": 13.5, "y": 52.25}')),
]
# A stage has functions. Their instructions, with those of the functions that they call, are the
# stage's.
STAGES = [("parsing", ["mt_parse"]), ("binding", ["mt_bind_select"]), ("planning", ["mt_plan_query"]), ("opening", ["mt_result_run"]), ("rows", ["mt_result_next"]), ("printing", ["mt_fmt_row", "mt_fmt_finish"])]
INTRO = """# What a short statement costs the client

Thousands of instructions of one statement in a long script, counted by callgrind. *loop*: the same
operation by a bare libmongoc loop (loop.c), which makes its document from JSON. *prepared*: the
same statement by EXECUTE.

The stages are those of reading statements. Other instructions belong to the driver or the engine,
to the shell, and to the beginning and the end of a statement.

Made by `make bench-statements`, with a section for each target."""


def counted(folder, command):
    """Returns ({function: instructions with those of its callees}, all instructions) of a command.
    """
    out = os.path.join(folder, "callgrind.out")
    p = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    if p.returncode:
        raise RuntimeError(p.stderr.decode("utf-8", "replace").strip()[-400:])
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode("utf-8", "replace")
    found = {}
    for n, name in re.findall(r"^ *([0-9,]+) \([^)]*\)  \S*?:(\w+) \[", text, re.M):
        found.setdefault(name, int(n.replace(",", "")))
    return found, int(re.search(r"Collected : (\d+)", p.stderr.decode()).group(1))


class Bench:
    def __init__(self, build, many, folder, page):
        self.build, self.many, self.folder, self.page, self.rng = os.path.abspath(build), many, folder, page, random.Random(1)

    def mtsql(self, target, *commands):
        subprocess.run([f"{self.build}/mtsql", "-X", "-q", *[x for c in commands for x in ("-c", c)], target], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)

    def load(self, target):
        files = {name: os.path.join(self.folder, f"{name}.csv") for name in ("hits", "history")}
        day = lambda: f"2020-01-01 {self.rng.randrange(24):02}:{self.rng.randrange(60):02}"  # noqa: E731
        with open(files["hits"], "w", encoding="utf-8") as f:
            f.writelines(f"{day()}+00,metric-{i % SERIES + 1},1\n" for i in range(ROWS))
        with open(files["history"], "w", encoding="utf-8") as f:
            f.writelines(f"{i % SERIES + 1},{day()}:{i % 60:02}+00,{i % 5000},{i % 180}.5,{i % 90}.25\n" for i in range(ROWS))
        self.mtsql(target, *[f"DROP TABLE IF EXISTS {name}" for name in files], *TABLES, *[f"COPY {name} FROM '{path}' WITH (FORMAT csv)" for name, path in files.items()])

    def script(self, sql, arg, n, prepared):
        path = os.path.join(self.folder, "statements.sql")
        call = "EXECUTE p ({})" if prepared else sql
        with open(path, "w", encoding="utf-8") as f:
            f.write("PREPARE p AS " + sql.format("$1") + ";\n" if prepared else "")
            f.writelines(call.format(arg.format(n=self.rng.randrange(SERIES) + 1)) + ";\n" for _ in range(n))
        return path

    def difference(self, command):
        """Returns the instructions of one statement: all, and by function. command: returns the
        command for a number of statements.
        """
        (few, less), (much, more) = (counted(self.folder, command(n)) for n in (FEW, FEW + self.many))
        return (more - less) / self.many, {name: (n - few.get(name, 0)) / self.many for name, n in much.items()}

    def statement(self, target, sql, arg, prepared=False):
        return self.difference(lambda n: [f"{self.build}/mtsql", "-X", "-q", "-f", self.script(sql, arg, n, prepared), target])

    def loop(self, uri, what):
        path = os.path.join(self.folder, "template.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(what[2])
        return self.difference(lambda n: [f"{self.build}/loop", uri, what[0], "each", what[1], path, f"{n}x", str(SERIES), "7"])[0]

    def target(self, heading, target, server):
        self.page.section(heading)
        self.load(target)
        titles = ["statement", "all", "prepared"] + [title for title, _ in STAGES] + (["loop"] if server else [])
        self.page.say("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
        for title, sql, arg, what in STATEMENTS:
            total, parts = self.statement(target, sql, arg)
            cells = [total, self.statement(target, sql, arg, True)[0]] + [sum(parts.get(f, 0) for f in functions) for _, functions in STAGES]
            text = [f"{c / 1e3:,.0f}" if c >= 500 else "-" for c in cells] + ([f"{self.loop(target, what) / 1e3:,.0f}" if what else "-"] if server else [])
            self.page.say(f"| {title} | " + " | ".join(text) + " |")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--statements", type=int, default=300)
    p.add_argument("--output")
    p.add_argument("--on", type=targets("local", *SERVERS), default="local documentdb")
    args = p.parse_args()
    page = Page(args.output, INTRO)
    with tempfile.TemporaryDirectory(prefix="mtsql-bench-") as folder:
        b = Bench(args.build, args.statements, folder, page)
        for name in args.on:
            heading = "In process" if name == "local" else "On a server: " + (name if "://" not in name else "by its URI")
            try:
                if name == "local":
                    b.target(heading, os.path.join(folder, "store.mts"), False)
                    continue
                with Server(name) as uri:
                    b.target(heading, with_database(uri, "mtsql_bench"), True)
            except (SystemExit, RuntimeError, OSError) as e:
                page.cannot(heading, e)
    page.save()


if __name__ == "__main__":
    main()

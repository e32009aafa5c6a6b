#!/usr/bin/env python3
"""An answer of several batches has each document once. A scripted server reads on as DocumentDB
does: after the place of a batch's last document, although an index gave the documents in another
order. Then a real server does, after rows were changed.
"""
import random
import sys

from checks import finish, mtsql, same
from fake import Fake, batch, keeping
from server import chosen, database

LOG = "CREATE TABLE log (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, x bigint MEASURE NOT NULL) USING rows"
ASK = "SELECT k FROM log WHERE ts < '2020-02-01'"
PLACES, KEPT = 7, 8  # the cursors that read on, and those that have the rest


class Batches(Fake):
    def __init__(self, build):
        answers = keeping()
        self.others = answers["aggregate"]
        super().__init__({**answers, "buildInfo": lambda f, c: {"version": "7.0.77", **build, "ok": 1.0}, "aggregate": self.read, "getMore": self.more,
                          "killCursors": lambda f, c: {"cursorsKilled": c["cursors"], "ok": 1.0}})

    def read(self, fake, command):
        if command["aggregate"] != "log":
            return self.others(fake, command)
        kept = any("$unwind" in stage or "$unionWith" in stage for stage in command["pipeline"])
        return batch("test.log", [{"c0": "a"}, {"c0": "b"}], KEPT if kept else PLACES)

    def more(self, fake, command):
        return batch("test.log", [{"c0": "c"}] if command["getMore"] == KEPT else [{"c0": "b"}, {"c0": "c"}], name="nextBatch")


def scripted(title, build, expected, sent):
    with Batches(build) as fake:
        made = mtsql("-q", "-c", LOG, fake.uri)
        assert made.returncode == 0, made.stderr
        begin = len(fake.commands)
        got = mtsql("-X", "-q", "-t", "-A", "-c", ASK, fake.uri).stdout.split()
        names = [next(iter(c)) for _, c in fake.commands[begin:] if c.get("aggregate") == "log" or next(iter(c)) in ("getMore", "killCursors")]
        same(title, (got, names), (expected, sent))


def changed_rows(uri):
    rng = random.Random(5)
    rows = [(rng.choice(["2020-01-01", "2020-01-02", "2020-01-03", "2021-01-01"]), rng.choice("abcd"), n) for n in range(1500)]
    load = "; ".join("INSERT INTO log VALUES " + ", ".join(f"('{t}', '{k}', {n})" for t, k, n in rows[i:i + 60]) for i in range(0, len(rows), 60))
    got = mtsql("-X", "-q", "-t", "-A", "-c", LOG, "-c", load, "-c", "UPDATE log SET x = -x WHERE k = 'a' AND ts >= '2020-01-02'", "-c", "SELECT abs(x) FROM log WHERE ts < '2020-02-01'", uri)
    same("rows that were changed", sorted(got.stdout.split(), key=int), [str(n) for t, _, n in rows if t < "2020-02-01"])


def main():
    scripted("one that reads on is asked again, for what it keeps", {"ferretdb": {"version": "v2.7.0"}}, ["a", "b", "c"], ["aggregate", "killCursors", "aggregate", "getMore"])
    scripted("others are asked once", {}, ["a", "b", "b", "c"], ["aggregate", "getMore"])
    with database(chosen(), "batches") as uri:
        changed_rows(uri)
    return finish()


sys.exit(main())

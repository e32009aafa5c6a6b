#!/usr/bin/env python3
"""A statement that only reads uses the session's catalog. If similar statements gave few rows, it
reads the catalog's version by the same command. It returns its rows only if nothing changed.
Otherwise it runs again.

A scripted server changes the catalog in between. Then another client does so on a real server.
"""
import sys

from checks import finish, mtsql, same
from fake import CUT, Fake, batch, error, keeping
from server import chosen, database
from session import Session

LOG = "CREATE TABLE log (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, x double precision) USING rows"
ASK = "SELECT k FROM log WHERE ts < '2020-02-01'"
VERSION = {"kind": "version"}


class Changing(Fake):
    """Answers each read of the table's documents by the next of some functions (this, command) -> a
    reply.
    """

    def __init__(self, *answers):
        super().__init__(keeping())
        self.left, self.others = list(answers), self.answers["aggregate"]
        self.answers["aggregate"] = self.read

    def read(self, fake, command):
        return self.left.pop(0)(self, command) if command["aggregate"] == "log" and self.left else self.others(self, command)

    def another_client(self):
        """Changes the catalog as another client."""
        self.answers["update"](self, {"update": "_mtsql_catalog", "updates": [{"q": {"_id": VERSION}, "u": {"$inc": {"n": 1}}}]})

    def drops(self):
        self.answers["delete"](self, {"delete": "_mtsql_catalog", "deletes": [{"q": {"_id": "log"}}]})
        self.answers["drop"](self, {"drop": "log"})
        self.another_client()


def rows(*values, cursor=0):
    """Returns an answer of these rows, with the version at that time."""
    def answer(fake, command):
        whole = fake.others(fake, {**command, "aggregate": "none"})["cursor"]["firstBatch"]
        return batch("test.log", [{"c0": v} for v in values] + ([] if cursor else whole), cursor)
    return answer


def after(change, answer):
    """Returns an answer before which another client makes a change."""
    def both(fake, command):
        change(fake)
        return answer(fake, command)
    return both


def ask(fake, *statements):
    """Runs statements. Returns the rows or the error of the last one, and its commands."""
    made = mtsql("-q", "-c", LOG, fake.uri)
    assert made.returncode == 0, made.stderr
    begin = len(fake.commands)
    r = mtsql("-X", "-q", "-t", "-A", *[x for s in statements for x in ("-c", s)], fake.uri)
    names = [next(iter(c)) for _, c in fake.commands[begin:] if c.get("aggregate") == "log" or next(iter(c)) in ("getMore", "killCursors") or c.get("filter") == {"_id": VERSION}]
    return r.stdout.split() + [": ".join(x.split(": ")[:2]) for x in r.stderr.strip().split("\n")[:1] if x], names  # without the words of the operating system


FIRST = (["find", "find", "aggregate"], ["few"])  # a session begins, and asks for the first time


def case(title, expected, sent, *answers):
    with Changing(rows("few"), *answers) as fake:
        got, names = ask(fake, ASK, ASK)
        same(title, (got, names), (FIRST[1] + expected, FIRST[0] + sent))


def large(change=lambda fake: None):
    """Returns an answer of more than one batch."""
    def more(fake, command):
        fake.answers["getMore"] = lambda f, c: batch("test.log", [{"c0": "third"}] + rows()(f, command)["cursor"]["firstBatch"], 0, "nextBatch")
        change(fake)
        return rows("first", "second", cursor=7)(fake, command)
    return more


EVENTS = "CREATE TABLE events (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint) USING "
INSERT = "INSERT INTO events VALUES ('2020-01-0%d 10:31+00', '%s', %d)"
BETWEEN = [  # the statements of another client, and the rows after them
    ([EVENTS + "rows", INSERT % (1, "a", 1)], ["a|1"]),
    ([INSERT % (1, "b", 2)], ["a|1", "b|2"]),
    (["DELETE FROM events WHERE k = 'a'"], ["b|2"]),
    (["ALTER TABLE events RENAME COLUMN n TO m", "ALTER TABLE events ADD COLUMN n bigint FIELD 'other' DEFAULT 7"], ["b|7"]),
    (["DROP TABLE events", EVENTS + "per_day", INSERT % (1, "c", 3)], ["c|3"]),
    (["DROP TABLE events"], ['relation "events" does not exist']),
    ([EVENTS + "rows WITH (partition_by = 'day')", INSERT % (1, "d", 4)], ["d|4"]),
    ([INSERT % (2, "e", 5)], ["d|4", "e|5"]),
    (["DELETE FROM events WHERE ts < '2020-01-02'"], ["e|5"]),
    (["ALTER TABLE events ADD LAYOUT packed USING per_day", INSERT % (3, "f", 6)], ["e|5", "f|6"]),
]


def test_another_client(uri):
    question = "SELECT k, n FROM events ORDER BY k"
    s = Session(uri)
    for i, (statements, wanted) in enumerate(BETWEEN):
        r = mtsql("-q", "-v", "ON_ERROR_STOP=1", *[x for sql in statements for x in ("-c", sql)], uri)
        same(f"{i}: another client", (r.returncode, r.stderr), (0, ""))
        for _ in range(3):  # the second time, the session knows that there are few rows
            got = s.ask(question)
            same(f"{i}: is noticed", [wanted[0] for line in got if wanted[0] in line] if "relation" in wanted[0] else got, wanted)
    s.close()


def main():
    with database(chosen(), "look") as uri:
        test_another_client(uri)
    bump, refused = Changing.another_client, lambda f, c: error(26, "NamespaceNotFound", "ns does not exist")
    case("nothing changed: one command", ["here"], ["aggregate"], rows("here"))
    case("no row is one command, too", [], ["aggregate"], rows())
    many = [f"row{i}" for i in range(101)]
    case("many rows", many, ["aggregate"], rows(*many))
    with Changing(rows(*many), rows("few"), rows("few")) as fake:
        same("what gave many rows the last time is no union, till it gives few", ask(fake, ASK, ASK, ASK), (many + ["few"] * 2, ["find"] + ["find", "aggregate"] * 2 + ["aggregate"]))
    with Changing(rows("few"), rows("few")) as fake:
        same("nor is what asks for another number", ask(fake, ASK + " LIMIT 1", ASK + " LIMIT 2"), (["few"] * 2, ["find"] + ["find", "aggregate"] * 2))
    with Changing(rows("few"), rows("few")) as fake:
        same("other values are like it", ask(fake, ASK, ASK.replace("2020", "2021")), (["few"] * 2, ["find", "find", "aggregate", "aggregate"]))
    case("another client changed the catalog: its rows are thrown away", ["new"], ["aggregate", "find", "aggregate"], after(bump, rows("old", "older")), rows("new"))
    case("an error that comes of it isn't told", ["new"], ["aggregate", "find", "find", "aggregate"], after(bump, refused), rows("new"))
    case("the table is gone", ['ERROR:  relation "log" does not exist'], ["aggregate", "find", "find"], after(Changing.drops, refused))
    case("an error that comes of nothing else is told", ["ERROR:  ns does not exist"], ["aggregate", "find"], refused)
    case("a larger result: the look is a command of its own, before the rows", ["first", "second", "third"], ["aggregate", "find", "getMore"], large())
    case("and its rows are thrown away", ["new"], ["aggregate", "find", "killCursors", "find", "aggregate"], large(bump), rows("new"))
    for code, name in (13, "Unauthorized"), (40324, "Location40324"):
        no = lambda f, c, code=code, name=name: error(code, name, "no $unionWith here") if "$unionWith" in c["pipeline"][-1] else rows("alone")(f, c)
        with Changing(rows("few"), no, no, no, no) as fake:
            same(f"{name}: what is refused because of the union is asked for without it, from then on", ask(fake, ASK, ASK, ASK, ASK), (["few"] + ["alone"] * 3, ["find", "find", "aggregate"] + ["aggregate"] * 2 + ["find"] + ["find", "aggregate"] * 2))
    never = lambda f, c: error(13, "Unauthorized", "not allowed")
    case("what is refused anyway is told", ["ERROR:  not allowed"], ["aggregate", "aggregate", "find"], never, never)
    cut = lambda f, c: CUT
    case("where the connection is lost, the driver asks once more", ["here"], ["aggregate", "aggregate"], cut, rows("here"))
    case("and its answer has the version of then", ["new"], ["aggregate", "aggregate", "find", "aggregate"], cut, after(bump, rows("old")), rows("new"))
    case("a lost connection is told", ["ERROR:  connection to the server was lost"], ["aggregate", "aggregate"], cut, cut)
    return finish()


sys.exit(main())

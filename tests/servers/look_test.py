#!/usr/bin/env python3
"""A statement that only reads begins by what the session knows of tables, and looks at the catalog's version by the same command, if its like gave few rows: what it read is given out only if nothing
changed, else it is done again. The server is a scripted one, which changes the catalog between."""
import sys

from checks import finish, mtsql, same
from fake import CUT, Fake, batch, error, keeping

LOG = "CREATE TABLE log (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, x double precision) USING rows"
ASK = "SELECT k FROM log WHERE ts < '2020-02-01'"
VERSION = {"kind": "version"}


class Changing(Fake):
    """Each read of the table's documents is answered by the next of some functions (this, command) -> a reply."""

    def __init__(self, *answers):
        super().__init__(keeping())
        self.left, self.others = list(answers), self.answers["aggregate"]
        self.answers["aggregate"] = self.read

    def read(self, fake, command):
        return self.left.pop(0)(self, command) if command["aggregate"] == "log" and self.left else self.others(self, command)

    def another_client(self):
        """Changes the catalog."""
        self.answers["update"](self, {"update": "_mtsql_catalog", "updates": [{"q": {"_id": VERSION}, "u": {"$inc": {"n": 1}}}]})

    def drops(self):
        self.answers["delete"](self, {"delete": "_mtsql_catalog", "deletes": [{"q": {"_id": "log"}}]})
        self.answers["drop"](self, {"drop": "log"})
        self.another_client()


def rows(*values, cursor=0):
    """Those, and the version as it is then."""
    def answer(fake, command):
        whole = fake.others(fake, {**command, "aggregate": "none"})["cursor"]["firstBatch"]
        return batch("test.log", [{"c0": v} for v in values] + ([] if cursor else whole), cursor)
    return answer


def after(change, answer):
    """What another client does in the midst of the read."""
    def both(fake, command):
        change(fake)
        return answer(fake, command)
    return both


def ask(fake, *statements):
    """What the last one prints, or says, and its commands."""
    made = mtsql("-q", "-c", LOG, fake.uri)
    assert made.returncode == 0, made.stderr
    begin = len(fake.commands)
    r = mtsql("-X", "-q", "-t", "-A", *[x for s in statements for x in ("-c", s)], fake.uri)
    names = [next(iter(c)) for _, c in fake.commands[begin:] if c.get("aggregate") == "log" or next(iter(c)) in ("getMore", "killCursors") or c.get("filter") == {"_id": VERSION}]
    return r.stdout.split() + [": ".join(x.split(": ")[:2]) for x in r.stderr.strip().split("\n")[:1] if x], names  # without the system's words


FIRST = (["find", "find", "aggregate"], ["few"])  # a session begins, and asks for the first time


def case(title, expected, sent, *answers):
    with Changing(rows("few"), *answers) as fake:
        got, names = ask(fake, ASK, ASK)
        same(title, (got, names), (FIRST[1] + expected, FIRST[0] + sent))


def large(change=lambda fake: None):
    """More than one batch."""
    def more(fake, command):
        fake.answers["getMore"] = lambda f, c: batch("test.log", [{"c0": "third"}] + rows()(f, command)["cursor"]["firstBatch"], 0, "nextBatch")
        change(fake)
        return rows("first", "second", cursor=7)(fake, command)
    return more


def main():
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
    cut = lambda f, c: CUT
    case("where the connection is lost, the driver asks once more", ["here"], ["aggregate", "aggregate"], cut, rows("here"))
    case("and its answer has the version of then", ["new"], ["aggregate", "aggregate", "find", "aggregate"], cut, after(bump, rows("old")), rows("new"))
    case("a lost connection is told", ["ERROR:  connection to the server was lost"], ["aggregate", "aggregate"], cut, cut)
    return finish()


sys.exit(main())

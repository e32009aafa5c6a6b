#!/usr/bin/env python3
"""A session that writes many short statements has a lease. With it, it seldom checks whether tables
changed. A client that changes a table waits for the sessions that may not know.

A scripted server shows the commands. A real server follows, behind a proxy that holds back a write,
or its answer, until another client has changed the table. Then clients do all of it at once.
"""
import re
import signal
import sys
import threading
import time

import bson
import pymongo

from checks import HANG_S, check, finish, mtsql, same, start
from fake import Fake, keeping
from session import Session
from proxy import Gate
from server import chosen, database

TABLE = "CREATE TABLE log (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE) USING rows"
ROW = "INSERT INTO log VALUES ('2020-01-01 10:31+00', '%s', 1)"
VERSION = {"kind": "version"}
ADD = "ALTER TABLE log ADD LAYOUT packed USING nested WITH (levels = 'ts, k')"


def sql(uri, *statements):
    return mtsql(uri, "-Atq", "-v", "ON_ERROR_STOP=1", *[a for s in statements for a in ("-c", s)])


# ---- what is sent ----

class Counting(Fake):
    """Calls a function when the row with this number has come, before it answers."""

    def __init__(self, at=None, then=None):
        super().__init__(keeping())
        self.rows, self.at, self.then, self.others = 0, at, then, self.answers["insert"]
        self.answers["insert"] = self.insert

    def insert(self, fake, command):
        reply = self.others(self, command)
        self.rows += command["insert"] == "log"
        if command["insert"] == "log" and self.rows == self.at:
            self.then(self)
        return reply

    def another_client(self):
        """Changes the catalog as another client."""
        self.answers["update"](self, {"update": "_mtsql_catalog", "updates": [{"q": {"_id": VERSION}, "u": {"$inc": {"n": 1}}}]})

    def drops(self):
        self.answers["delete"](self, {"delete": "_mtsql_catalog", "deletes": [{"q": {"_id": "log"}}]})
        self.another_client()


def sent(fake, count):
    """Runs a session that inserts this many rows. Returns, in order, its rows (r), reads of the
    version (v) and leases (l); and its output.
    """
    assert mtsql("-q", "-c", TABLE, "-c", ROW % "first", fake.uri).returncode == 0
    begin, fake.rows = len(fake.commands), 0
    said = mtsql("-q", "-v", "ON_ERROR_STOP=0", *[a for i in range(count) for a in ("-c", ROW % i)], fake.uri).stderr
    letters = ""
    for _, c in fake.commands[begin:]:
        lease = "lease" in str(c.get("updates"))
        letters += "r" if c.get("insert") == "log" else "v" if c.get("filter") == {"_id": VERSION} else "l" if lease else ""
    return letters, said


def test_sent():
    with Counting() as fake:
        letters, said = sent(fake, 60)
    same("all is well", said, "")
    before, lease, behind = letters.partition("l")
    check("first a look is behind each row", "rr" not in before and before.endswith("r"), letters)
    check("then there is a lease, and a look behind it", lease and behind.startswith("v"), letters)
    check("and rows without one", "rrr" in behind, letters)
    with Counting(40, lambda f: time.sleep(0.4)) as fake:
        letters, said = sent(fake, 40)
    check("a look is behind what took long", letters.endswith("rv") and not said, letters + said)
    slow = lambda change: lambda f: (time.sleep(0.4), change(f))
    with Counting(40, slow(Counting.another_client)) as fake:
        letters, said = sent(fake, 40)
    same("another table's change is no matter", said, "")
    with Counting(40, slow(Counting.drops)) as fake:
        _, said = sent(fake, 40)
        check("the table is gone", 'table "log" was changed meanwhile' in said, said)
        check("the row is taken back", any(c.get("delete") == "log" for _, c in fake.commands), "")


def test_cancelled_behind():
    """Ctrl-C comes when a change is saved and the leases are read. The change is done, without an
    error.
    """
    kept = keeping()

    def aggregate(fake, command):
        if {"$match": {"kind": "lease"}} in command["pipeline"]:
            p.send_signal(signal.SIGINT)
            time.sleep(0.2)
        return kept["aggregate"](fake, command)

    with Fake({**kept, "aggregate": aggregate}) as fake:
        p = start("-q", "-c", TABLE, fake.uri)
        problems = p.communicate(timeout=HANG_S)[1]
        check("leases were read", any({"$match": {"kind": "lease"}} in c.get("pipeline", []) for _, c in fake.commands), str(fake.commands[-5:]))
        check("what was saved wasn't cancelled", "ERROR" not in problems, problems)


# ---- what others outrun ----

def outrun(times, *settings):
    """Runs an ALTER TABLE that rows of another client outrun this often. Returns the output, the
    number of tries, and the table's columns.
    """
    kept, left = keeping(), [times]

    def update(fake, command):
        q = command["updates"][0]["q"]
        if "writes" in q and left[0] > 0:
            left[0] -= 1
            kept["find"](fake, {"find": "_mtsql_catalog", "filter": {"_id": q["_id"]}})["cursor"]["firstBatch"][0]["writes"] += 1
        return kept["update"](fake, command)

    with Fake({**kept, "update": update}) as fake:
        assert sql(fake.uri, TABLE, ROW % "first").returncode == 0
        said = sql(fake.uri, *settings, "ALTER TABLE log RENAME COLUMN n TO m").stderr
        columns = sql(fake.uri, "SELECT column_name FROM information_schema.columns WHERE table_name = 'log' ORDER BY ordinal_position").stdout.split()
        return said, times - left[0], columns


def test_outrun():
    same("outrun: done in the end", outrun(3), ("", 3, ["ts", "k", "m"]))
    said, tries, columns = outrun(10000)
    check("outrun: not for ever", RETRY in said and 3 < tries < 100 and columns == ["ts", "k", "n"], f"{said} {tries} {columns}")
    said, tries, columns = outrun(10000, "SET lock_timeout = '300ms'")
    check("outrun: for lock_timeout", RETRY in said and tries > 3 and columns == ["ts", "k", "n"], f"{said} {tries} {columns}")
    said, tries, columns = outrun(10**9, "SET lock_timeout = '1h'", "SET statement_timeout = '500ms'")
    check("outrun: statement_timeout ends it", "canceling statement due to statement timeout" in said and columns == ["ts", "k", "n"], f"{said} {tries} {columns}")


# ---- what is held back ----

def beside(uri, gate, direction, busy, *others, row=ROW % "held-row"):
    """Runs a session whose row is held back until other clients have run their statements. Returns
    its output. busy: it wrote many rows before.
    """
    gate.plan()
    gate.hold(direction, b"held-row")
    through = re.sub(r":\d+/", f":{gate.port}/", uri)
    s = Session(through)
    said = []
    for i in range(busy):
        said += s.ask(ROW % f"busy{i}")
    writer = threading.Thread(target=lambda: said.extend(s.ask(row)))
    writer.start()
    assert gate.held.wait(60)
    r = sql(uri, *others)
    gate.go.set()
    writer.join()
    s.close()
    return "\n".join(said), r.stderr


def collections(db):
    return sorted(c for c in db.list_collection_names() if c.startswith("log"))


RETRY = 'table "log" was changed meanwhile'
CASES = [  # the statements of others, the writer's error ("": none), its rows then, the collections
    (["DROP TABLE log"], RETRY, None, []),
    (["DROP TABLE log", TABLE], RETRY, "0", ["log"]),
    (["TRUNCATE log"], "", "1", ["log"]),  # the row came after the change
    ([ADD], RETRY, "0", ["log", "log_packed"]),
    (["ALTER TABLE log ADD COLUMN x bigint MEASURE DEFAULT 7"], RETRY, "0", ["log"]),
    (["ALTER TABLE log ADD COLUMN x bigint MEASURE"], RETRY, "0", ["log"]),
    (["ALTER TABLE log DROP COLUMN n"], RETRY, "0", ["log"]),
    (["CREATE INDEX ON log (k)"], "", "1", ["log"]),
    (["CREATE TABLE other (ts timestamptz TIME NOT NULL) USING rows", "DROP TABLE other"], "", "1", ["log"]),
]


def test_held(uri, db, gate):
    for busy in 0, 40:
        for others, told, rows, left in CASES:
            name = f"held, {busy} before: {others}"
            assert sql(uri, "DROP TABLE IF EXISTS log", TABLE, ROW % "first").returncode == 0
            said, other = beside(uri, gate, "up", busy, *others)
            same(f"{name}: the other", other, "")
            check(f"{name}: told", told in said if told else not said, said)
            same(f"{name}: collections", collections(db), left)
            if rows is not None:
                r = sql(uri, "SELECT count(*) FROM log WHERE k = 'held-row'", "CHECK TABLE log")
                same(f"{name}: rows", (r.stdout.split("\n")[0], r.returncode), (rows, 0))
        assert sql(uri, "DROP TABLE IF EXISTS log", TABLE, ROW % "first").returncode == 0
        said, other = beside(uri, gate, "up", busy, "ALTER TABLE log ALTER COLUMN n SET NOT NULL", row="INSERT INTO log VALUES ('2020-01-01 10:31+00', 'held-row', NULL)")
        check(f"held, {busy} before: NOT NULL", not other and RETRY in said, other + said)
        same(f"held, {busy} before: no NULL is left", sql(uri, "SELECT count(*) FROM log WHERE n IS NULL").stdout, "0\n")


def test_ambiguous(uri, gate):
    """The answer of a row is held back until a new layout was made, which has the row. The writer
    takes the row back from the old layout. The error says that the new one may have it.
    """
    for busy in 0, 40:
        assert sql(uri, "DROP TABLE IF EXISTS log", TABLE, ROW % "first").returncode == 0
        said, other = beside(uri, gate, "down", busy, ADD)
        same(f"ambiguous, {busy} before: the layout is made", other, "")
        check(f"ambiguous, {busy} before: told", RETRY in said and "may have rows of the statement" in said and "CHECK TABLE" in said, said)
        same(f"ambiguous, {busy} before: CHECK tells", sql(uri, "CHECK TABLE log").returncode, 3)
        same(f"ambiguous, {busy} before: REPAIR mends", sql(uri, "REPAIR TABLE log", "CHECK TABLE log").returncode, 0)
        same(f"ambiguous, {busy} before: it isn't there", sql(uri, "SELECT count(*) FROM log WHERE k = 'held-row'").stdout, "0\n")


# ---- what a late row leaves ----

DROP = "ALTER TABLE log DROP LAYOUT packed"


def whole(name, uri, rows):
    r = sql(uri, "SELECT count(*) FROM log", "CHECK TABLE log")
    same(f"{name}: rows, and layouts that agree", (r.stdout.split("\n")[0], r.returncode), (rows, 0))


def test_leftover(uri, db):
    """ADD LAYOUT finds a collection with the standard name, which has only the late row. It never
    attaches it. An empty one is made again.
    """
    assert sql(uri, "DROP TABLE IF EXISTS log", TABLE, ROW % "first", ROW % "second", ADD).returncode == 0
    late = db["log_packed"].find_one()
    late["_id"] = "late"
    same("leftover: dropped", (sql(uri, DROP).stderr, collections(db)), ("", ["log"]))
    db["log_packed"].insert_one(late)
    said = sql(uri, ADD).stderr
    check("leftover: not attached", 'collection "log_packed" already exists' in said and "name it to attach it" in said, said)
    whole("leftover", uri, "2")
    db["log_packed"].delete_one({"_id": "late"})
    same("leftover: empty", (sql(uri, ADD).stderr, collections(db)), ("", ["log", "log_packed"]))
    whole("leftover: empty", uri, "2")
    kept = list(db["log_packed"].find())
    assert sql(uri, DROP).returncode == 0
    db["log_packed"].insert_many(kept)
    same("leftover: named", sql(uri, ADD.replace("levels", "collection = 'log_packed', levels"), ROW % "third").stderr, "")
    whole("leftover: named", uri, "3")
    same("leftover: what was attached stays", (sql(uri, "DROP TABLE log").stderr, collections(db)), ("", ["log_packed"]))
    db["log_packed"].drop()


def test_late(uri, db, gate):
    """A row is held back until the layout was dropped."""
    assert sql(uri, "DROP TABLE IF EXISTS log", TABLE, ADD, ROW % "first").returncode == 0
    said, other = beside(uri, gate, "up", 0, DROP)
    same("late: the other", other, "")
    same("late: collections", collections(db), ["log"])
    same("late: the layout is made again", sql(uri, ADD).stderr, "")
    whole("late", uri, str(1 + (RETRY not in said)))


# ---- leases ----

def leases(db):
    return db["_mtsql_catalog"].count_documents({"kind": "lease"})


def test_leases(uri, db):
    assert sql(uri, "DROP TABLE IF EXISTS log", TABLE).returncode == 0
    s = Session(uri)
    for i in range(1000):  # a machine may be slow, but not always
        s.ask(ROW % i)
        if leases(db):
            break
    same("a busy session has a lease", leases(db), 1)
    for change, insert in (("ALTER TABLE log ADD COLUMN x bigint MEASURE", "INSERT INTO log (ts, k, x) VALUES ('2020-01-01 10:31+00', 'x', 5)"),
                           ("ALTER TABLE log RENAME COLUMN x TO y", "INSERT INTO log (ts, k, y) VALUES ('2020-01-01 10:31+00', 'x', 5)"),
                           ("ALTER TABLE log RENAME TO logs", "INSERT INTO logs (ts, k, y) VALUES ('2020-01-01 10:31+00', 'x', 5)"),
                           ("CREATE TABLE log2 (ts timestamptz TIME NOT NULL) USING rows", "INSERT INTO log2 VALUES ('2020-01-01')"),
                           ("ALTER TABLE log2 ALTER COLUMN ts SET DEFAULT '2021-01-01'", "INSERT INTO log2 VALUES (DEFAULT)"),
                           ("DROP TABLE log2", None)):
        same(f"leases: {change}", sql(uri, change).stderr, "")
        if insert:
            for _ in range(30):
                same(f"leases: seen at once: {change}", s.ask(insert), [])
    check("leases: a dropped one isn't there", 'relation "log2" does not exist' in "".join(s.ask("INSERT INTO log2 VALUES ('2020-01-01')")))
    same("leases: all of it", sql(uri, "SELECT count(*) FROM logs WHERE k = 'x'").stdout, "90\n")
    s.close()
    same("a session's goes with it", leases(db), 0)
    db["_mtsql_catalog"].insert_one({"_id": {"kind": "lease", "name": "dead"}, "kind": "lease", "name": "dead"})
    same("one of a dead session", sql(uri, "ALTER TABLE logs RENAME TO log").stderr, "")
    same("goes with the next change", leases(db), 0)
    db["_mtsql_catalog"].insert_one({"_id": {"kind": "lease", "name": "knows"}, "kind": "lease", "name": "knows", "version": bson.Int64(1 << 40)})
    same("one whose session may know of the change", sql(uri, "ALTER TABLE log RENAME TO logs", "ALTER TABLE logs RENAME TO log").stderr, "")
    same("stays", leases(db), 1)
    db["_mtsql_catalog"].delete_one({"_id": {"kind": "lease", "name": "knows"}})


# ---- all at once ----

WRITERS, ROWS = 2, 300
LOOPS = [  # the statements that are repeated beside the writers; at the end all rows are there
    ["ALTER TABLE log DROP LAYOUT IF EXISTS packed", ADD],
    ["ALTER TABLE log ADD COLUMN x bigint MEASURE DEFAULT 7", "ALTER TABLE log DROP COLUMN x"],
    ["ALTER TABLE log ADD COLUMN x bigint MEASURE", "ALTER TABLE log RENAME COLUMN x TO y", "ALTER TABLE log DROP COLUMN y"],
    ["CREATE INDEX i ON log (k)", "DROP INDEX i"],
    ["VACUUM FULL log"],
]


def test_hammer(uri, db):
    for loop in LOOPS:
        assert sql(uri, "DROP TABLE IF EXISTS log", TABLE, ROW % "first").returncode == 0
        writers = [start(uri, "-q", "-v", "ON_ERROR_STOP=off", *[a for i in range(ROWS) for a in ("-c", f"INSERT INTO log (ts, k, n) VALUES ('2020-01-01 10:31+00', 'w{w}-{i}', 1)")]) for w in range(WRITERS)]
        others = ""
        while any(w.poll() is None for w in writers):
            for statement in loop:
                others += sql(uri, statement).stderr
        errors = re.findall("ERROR: .*", "".join(w.communicate()[1] for w in writers))
        same(f"hammer {loop}: writers", [e for e in errors if "meanwhile" not in e], [])
        unexpected = [e for e in re.findall("ERROR: .*", others) if not re.search("meanwhile|may still go on|already exists|does not exist|holds column", e)]
        same(f"hammer {loop}: others", unexpected, [])
        r = sql(uri, "SELECT count(*), count(DISTINCT k) FROM log", "CHECK TABLE log")
        n = WRITERS * ROWS + 1 - len(errors)
        same(f"hammer {loop}: each row that was acknowledged, once", (r.stdout.split("\n")[0], r.returncode), (f"{n}|{n}", 0))
    assert sql(uri, "DROP TABLE IF EXISTS log", TABLE).returncode == 0
    writer = start(uri, "-q", "-v", "ON_ERROR_STOP=off", *[a for i in range(ROWS) for a in ("-c", ROW % i)])
    while writer.poll() is None:
        sql(uri, "DROP TABLE log", TABLE)
    errors = [e for e in re.findall("ERROR: .*", writer.communicate()[1]) if not re.search("meanwhile|does not exist|is being made or dropped|is not declared as a table", e)]
    same("hammer DROP TABLE: writer", errors, [])
    same("hammer DROP TABLE: nothing is left", (sql(uri, "DROP TABLE IF EXISTS log").stderr.replace("NOTICE:  table \"log\" does not exist, skipping\n", ""), collections(db)), ("", []))


def main():
    test_sent()
    test_cancelled_behind()
    test_outrun()
    with database(chosen(), "lease") as uri:
        db = pymongo.MongoClient(uri)[re.search(r":\d+/([^?]+)", uri)[1]]
        gate = Gate(int(re.search(r":(\d+)/", uri)[1]))
        test_leases(uri, db)
        test_held(uri, db, gate)
        test_ambiguous(uri, gate)
        test_leftover(uri, db)
        test_late(uri, db, gate)
        test_hammer(uri, db)
    return finish()


sys.exit(main())

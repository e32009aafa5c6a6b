#!/usr/bin/env python3
"""Collections with a collation of their own. Reads demand that texts compare by their bytes.
Changes that the server may take for other documents are refused. Most cases run on a scripted
server, because not every server has collations. Others run on a real one, where the answers must be
SQL's.
"""
import datetime
import sys

import pymongo
from checks import check, finish, mtsql, same
from fake import Fake, batch, error, keeping
from server import chosen, database

SIMPLE = {"locale": "simple"}
CASELESS = {"locale": "en", "strength": 2}
TABLE = "CREATE TABLE t (ts timestamptz TIME FIELD 'ts', s text, v integer) USING rows WITH (collection = 'caseless')"
COUNTERS = "CREATE TABLE n (ts timestamptz TIME PERIOD '1 min', k text DIMENSION, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (collection = 'caseless')"


ROW = {"_id": "a", "ts": datetime.datetime(2020, 1, 1), "s": "x", "v": 1}


def collated(sorts=lambda collation: "B" if collation == SIMPLE else "a", rows=(ROW,)):
    """Returns a server with such a collection and with a plain one. `sorts`: which of "a" and "B"
    comes first there.
    """
    answers = keeping()
    kept, aggregate = answers["listCollections"], answers["aggregate"]

    def listed(fake, command):
        own = [{"name": "caseless", "type": "collection", "options": {"collation": CASELESS}}, {"name": "plain", "type": "collection", "options": {}}]
        return batch("test.$cmd.listCollections", own + [c for c in kept(fake, command)["cursor"]["firstBatch"] if c["name"] not in ("caseless", "plain")])

    def run(fake, command):
        if command["aggregate"] in ("caseless", "plain"):
            if any("$facet" in s for s in command["pipeline"]):
                first = sorts(command.get("collation"))
                return batch("test.caseless", [{"s": first}]) if first else error(1, "InternalError", "collation is not supported in the aggregate command yet.")
            if any("$group" in s or "$count" in s for s in command["pipeline"]):
                return batch("test.caseless", [])
            return batch("test.caseless", [dict(row) for row in rows])
        return aggregate(fake, command)

    return {**answers, "listCollections": listed, "aggregate": run}


def read(fake, collection):
    """Returns the collations of the commands that read the collection."""
    return [c.get("collation") for name in ("aggregate", "find") for c in fake.named(name) if c[name] == collection and not any("$facet" in s for s in c.get("pipeline", []))]


def test_reads():
    with Fake(collated()) as fake:
        r = mtsql("-q", "-c", "SELECT count(*) FROM caseless WHERE s = 'a'", "-c", "SELECT count(*) FROM plain WHERE s = 'a'", "-c", TABLE, "-c", "SELECT DISTINCT s FROM t",
                  "-c", "SELECT count(*) FROM plain WHERE s IN (SELECT s FROM t)", fake.uri)
        same("reads: no error", r.stderr, "")
        asked = read(fake, "caseless")
        check("reads: as bytes", len(asked) >= 3 and all(c == SIMPLE for c in asked), str(asked))
        same("reads: others as ever", set(map(str, read(fake, "plain"))), {"None"})
        same("reads: nor ours", set(map(str, read(fake, "_mtsql_catalog"))), {"None"})


def test_later_session():
    """The session that attached it knows the collation. A session that only reads must know it,
    too.
    """
    with Fake(collated()) as fake:
        mtsql("-q", "-c", TABLE, fake.uri)
        fake.commands.clear()
        r = mtsql("-q", "-c", "SELECT count(*) FROM t WHERE s = 'a'", fake.uri)
        same("later: no error", r.stderr, "")
        same("later: as bytes", set(map(str, read(fake, "caseless"))), {str(SIMPLE)})


def test_explain():
    with Fake(collated()) as fake:
        r = mtsql("-q", "-A", "-t", "-c", TABLE, "-c", "EXPLAIN SELECT count(*) FROM t WHERE s = 'a'", "-c", "EXPLAIN SELECT count(*) FROM plain WHERE s = 'a'", fake.uri)
        same("explain: shown where it is sent", r.stdout.count(', {collation: {locale: "simple"}})'), 1)


def changing(table, statement, **server):
    """Returns the commands that change the collection, and the error."""
    with Fake(collated(**server)) as fake:
        same(f"{statement}: the table", mtsql("-q", "-c", table, fake.uri).stderr, "")
        fake.commands.clear()
        r = mtsql("-q", "-c", "\\set VERBOSITY verbose", "-c", statement, fake.uri)
        return [c for name in ("insert", "update", "delete", "findAndModify", "createIndexes") for c in fake.named(name) if c[name] == "caseless"], r.stderr


CHANGES = {"UPDATE t SET v = 2": TABLE, "DELETE FROM t": TABLE, "INSERT INTO n VALUES ('2020-01-01', 'a', 1)": COUNTERS}


def test_changes():
    for statement, table in CHANGES.items():
        sent, stderr = changing(table, statement, rows=(ROW,) if table == TABLE else ())
        check(f"{statement}: refused", "ERROR:  0A000: " in stderr and "collation of its own" in stderr and "HINT" in stderr, stderr)
        same(f"{statement}: nothing is sent", sent, [])
    insert = "INSERT INTO t VALUES ('2020-01-01', 'a', 1)"
    sent, stderr = changing(TABLE, insert)
    same(f"{insert}: under an _id that is no text", [("insert" in c, stderr) for c in sent], [(True, "")])


def test_ignored():
    """The server says that a collection has a collation, but compares by bytes. Then mtsql sends no
    collation and refuses nothing.
    """
    with Fake(collated(sorts=lambda collation: "a" if collation else "B")) as fake:
        r = mtsql("-q", "-c", TABLE, "-c", "SELECT DISTINCT s FROM t", fake.uri)
        same("ignored: no error", r.stderr, "")
        same("ignored: nothing is said", set(map(str, read(fake, "caseless"))), {"None"})
    sent, stderr = changing(TABLE, "DELETE FROM t", sorts=lambda collation: "a" if collation else "B")
    check("ignored: it may be changed", "collation" not in stderr and any("delete" in c for c in sent), stderr)


def test_refused():
    """A server that refuses a collation in commands."""
    for what, sorts in {"it takes simple for a language": lambda collation: "a", "it doesn't take the option": lambda collation: None if collation else "a"}.items():
        with Fake(collated(sorts=sorts)) as fake:
            r = mtsql("-c", "\\set VERBOSITY verbose", "-c", "SELECT s FROM caseless", fake.uri)
            check(f"{what}: refused", r.returncode == 3 and "0A000" in r.stderr and "noOptionsRestore" in r.stderr, r.stderr)
            r = mtsql("-c", TABLE, "-c", "SELECT s FROM t", fake.uri)
            check(f"{what}: as a table, too", r.returncode == 3 and "noOptionsRestore" in r.stderr, r.stderr)


def test_answers(uri):
    db = pymongo.MongoClient(uri).get_default_database()
    db.create_collection("caseless", collation=CASELESS)
    db.caseless.insert_many([{"s": s, "v": i} for i, s in enumerate(["a", "A", "b", "B", "a"])])

    def rows(*statements):
        r = mtsql("-q", "--csv", "-t", *[x for s in statements for x in ("-c", s)], uri)
        same(f"{statements[-1]}: no error", r.stderr, "")
        return r.stdout.split()

    same("equal", rows("SELECT count(*) FROM caseless WHERE s = 'a'"), ["2"])
    same("groups", rows("SELECT s, count(*) FROM caseless GROUP BY s ORDER BY s"), ["A,1", "B,1", "a,2", "b,1"])
    same("greatest", rows("SELECT max(s), min(s) FROM caseless"), ["b,A"])


def main():
    test_reads()
    test_later_session()
    test_explain()
    test_changes()
    test_ignored()
    test_refused()
    with database(chosen(), "collation") as uri:
        test_answers(uri)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

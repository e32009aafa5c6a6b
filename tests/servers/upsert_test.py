#!/usr/bin/env python3
"""INSERT … ON CONFLICT of several clients at once. No key comes twice, no change is lost, and a
failed statement keeps the rows of others. Nothing relies on the counts of others. A command that a
busy server refuses is sent again.
"""
import sys

import pymongo

from checks import check, finish, mtsql, same, start
from fake import Fake, batch, error, keeping
from server import chosen, database

CREATE = "CREATE TABLE counted (id integer PRIMARY KEY, n bigint NOT NULL, who text)"
KEYS, TIMES, WRITERS = 5, 8, 3


def run(writers):
    for w in writers:
        out, problems = w.communicate(timeout=300)
        check("a writer", w.returncode == 0, out + problems)


def test_count(uri):
    """Each writer adds 1 to the same keys, which are new."""
    rows = ", ".join(f"({i}, 1)" for i in range(KEYS))
    one = f"INSERT INTO counted VALUES {rows} ON CONFLICT (id) DO UPDATE SET n = counted.n + excluded.n"
    run([start(uri, "-qc", one, *["-c", one] * (TIMES - 1)) for _ in range(WRITERS)])
    same("nothing is lost", mtsql(uri, "-Atc", "SELECT id, n FROM counted ORDER BY id").stdout, "".join(f"{i}|{TIMES * WRITERS}\n" for i in range(KEYS)))


def test_first(uri):
    """Each row is that of the writer whose INSERT reported it."""
    rows = ", ".join(f"({i}, 1, 'WRITER')" for i in range(100, 140))
    insert = f"INSERT INTO counted VALUES {rows} ON CONFLICT DO NOTHING RETURNING id || ' ' || who"
    writers = [start(uri, "-Atc", insert.replace("WRITER", str(w))) for w in range(WRITERS)]
    told = []
    for w in writers:
        out, problems = w.communicate(timeout=300)
        check("a writer", w.returncode == 0, out + problems)
        told += [line for line in out.splitlines() if not line.startswith("INSERT")]
    stored = mtsql(uri, "-Atc", "SELECT id || ' ' || who FROM counted WHERE id >= 100 ORDER BY id").stdout.splitlines()
    same("each row is there once, and was told to its writer", sorted(told), sorted(stored))
    same("all are there", len(stored), 40)


def test_beside(uri, coll):
    """Another client's field stays. A plain INSERT of an existing key is refused."""
    coll.update_one({"id": 0}, {"$set": {"more": "kept"}})
    mtsql(uri, "-c", "INSERT INTO counted VALUES (0, 1) ON CONFLICT (id) DO UPDATE SET who = 'changed'")
    same("a field that is no column", (coll.find_one({"id": 0})["more"], coll.find_one({"id": 0})["who"]), ("kept", "changed"))
    r = mtsql(uri, "-v", "VERBOSITY=verbose", "-c", "INSERT INTO counted VALUES (500, 1), (0, 1)")
    check("a key that is there", 'ERROR:  23505: duplicate key value violates unique constraint "counted_pkey"' in r.stderr, r.stderr)
    same("nothing of it stays", coll.count_documents({"id": 500}), 0)
    r = mtsql(uri, "-c", "INSERT INTO counted VALUES (1, 9), (501, 1), (2, 0) ON CONFLICT (id) DO UPDATE SET n = CASE WHEN excluded.n = 0 THEN NULL ELSE 7 END")
    check("what fails on the way", "violates not-null" in r.stderr, r.stderr)
    same("is taken back", [(d["id"], d["n"]) for d in coll.find({"id": {"$in": [1, 501]}})], [(1, TIMES * WRITERS)])
    coll.drop_index("id_1")
    r = mtsql(uri, "-v", "VERBOSITY=verbose", "-c", "INSERT INTO counted VALUES (0, 1) ON CONFLICT DO NOTHING")
    check("without its index", "ERROR:  0A000" in r.stderr and "no unique index" in r.stderr, r.stderr)


def test_nulls(uri, db):
    """Another writer's count may overwrite a writer's count of NULLs. A NULL is visible all the
    same.
    """
    mtsql(uri, "-c", "CREATE TABLE seen (k integer, v integer)", "-c", "INSERT INTO seen VALUES (1, 5)")
    db.seen.insert_one({"k": 2, "v": None})
    mtsql(uri, "-c", "INSERT INTO seen VALUES (3, 6)")
    same("values beside a NULL", mtsql(uri, "-Atc", "SELECT count(*), count(v), avg(v)::float FROM seen").stdout, "3|2|5.5\n")


def test_busy():
    """A server that gives up a whole command did nothing of it. The command is sent again."""
    answers, refusals = keeping(), [error(112, "WriteConflict", "WriteConflict")] * 2
    insert = answers["insert"]
    answers["insert"] = lambda fake, c: refusals.pop() if refusals and c["insert"] == "counted" else insert(fake, c)
    answers["listIndexes"] = lambda fake, c: batch("test.counted", [{"v": 2, "key": {"id": 1}, "name": "id_1", "unique": True}])
    with Fake(answers) as fake:
        r = mtsql(fake.uri, "-c", CREATE, "-c", "INSERT INTO counted VALUES (1, 1), (2, 2) ON CONFLICT DO NOTHING")
        same("what is told", (r.returncode, r.stdout), (0, "CREATE TABLE\nINSERT 0 2\n"))
        sent = [sorted(d["id"] for d in c["documents"]) for c in fake.named("insert") if c["insert"] == "counted"]
        same("sent until the server takes it", sent, [[1, 2]] * 3)


def test_bounds(uri, db):
    """Statistics to which several writers add at once cover the rows of all of them. A bound that
    is too narrow would give wrong answers.
    """
    mtsql(uri, "-c", "CREATE TABLE timed (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows",
          "-c", "CREATE TABLE packed (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING nested WITH (levels = 'ts, host')")
    for table in ("timed", "packed"):
        rows = [[f"INSERT INTO {table} VALUES ('{1990 + 10 * w + i}-01-01', 'h', 1)" for i in (5, 0, 9, 2, 7)] for w in range(WRITERS)]
        run([start(uri, "-q", *[x for r in of for x in ("-c", r)]) for of in rows])
        stats = db["_mtsql_catalog"].find_one({"_id": table})["layouts"][0]["stats"][0]
        same(f"{table}: counts", (stats["records"], stats["documents"]), (15, 15))
        check(f"{table}: bounds", stats["min"].isoformat() <= "1990-01-01" and stats["max"].isoformat() >= "2019-01-01", str(stats))
        same(f"{table}: nothing else changed", mtsql(uri, "-Atc", f"SELECT count(*), count(v), min(ts), max(ts) FROM {table}").stdout, "15|15|1990-01-01 00:00:00+00|2019-01-01 00:00:00+00\n")
    one = start(uri, "-q", "-c", "INSERT INTO timed VALUES ('2030-01-01', 'h', 1)")
    other = mtsql(uri, "-q", "-c", "ALTER TABLE timed RENAME COLUMN v TO w")
    same("a change of the table beside a writer: done", other.stderr, "")
    _, problems = one.communicate(timeout=300)
    check("beside a change of the table: done, or said", one.returncode == 0 or "changed meanwhile" in problems or 'column "v"' in problems, problems)
    same("whose description stays", mtsql(uri, "-Atc", "SELECT count(w) FROM timed WHERE ts < '2030-01-01'").stdout, "15\n")


def main():
    test_busy()
    with database(chosen(), "upsert") as uri:
        client = pymongo.MongoClient(uri)
        coll = client.get_default_database()["counted"]
        r = mtsql(uri, "-c", CREATE)
        assert r.returncode == 0, r.stderr
        test_count(uri)
        test_first(uri)
        test_beside(uri, coll)
        test_nulls(uri, coll.database)
        test_bounds(uri, coll.database)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Retention on a server: which documents mtsql tells the server to delete, and when. The server
never deletes rows that somebody still sees. drop_chunks removes partitions, and the rest.
"""
import sys

import pymongo

from checks import check, finish, mtsql, same
from fake import Fake, batch, error, keeping
from server import chosen, database

DAY = 86400
CREATE = """CREATE TABLE r (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (expire_after = '90 days');
ALTER TABLE r ADD LAYOUT day USING per_day WITH (time_encoding = 'date');
ALTER TABLE r ADD LAYOUT k USING nested WITH (cluster_by = 'k');
ALTER TABLE r ADD LAYOUT newest USING latest WITH (key = 'k');"""


def ages(db):
    """Returns by collection and field the seconds after which the server deletes."""
    found = {}
    for name in db.list_collection_names():
        for index in db[name].list_indexes() if name[0] != "_" else []:
            if "expireAfterSeconds" in index:
                found[f"{name}.{list(index['key'])[0]}"] = int(index["expireAfterSeconds"])
    return found


def all_at(seconds):
    return {f"r{name}": seconds for name in (".ts", "_day.date", "_k.max_ts", "_newest.ts")}


def test_told(uri, db):
    same("made", mtsql(uri, "-qc", CREATE).stderr, "")
    same("told to delete a day after rows expire", ages(db), all_at(91 * DAY + 1))
    mtsql(uri, "-qc", "ALTER TABLE r SET (expire_after = '1 month')")
    same("told anew", ages(db), all_at(32 * DAY + 1))
    mtsql(uri, "-qc", "ALTER TABLE r ADD LAYOUT month USING per_day WITH (time_encoding = 'date', bucket = '1 month')")
    same("a month after, with documents of months", ages(db), {**all_at(62 * DAY + 1), "r_month.date": 62 * DAY + 1})
    mtsql(uri, "-qc", "VACUUM FULL r")
    same("collections made anew, too", sorted(set(ages(db).values())), [62 * DAY + 1])
    check("all of them", len(ages(db)) == 5, ages(db))
    r = mtsql(uri, "-qc", "ALTER TABLE r RESET (expire_after)")
    same("told to leave off", (ages(db), r.stderr), ({}, ""))
    same("dropped", mtsql(uri, "-qc", "DROP TABLE r").stderr, "")


class Indexes:
    """The index of a scripted server by which it deletes."""

    def __init__(self):
        self.key, self.after, self.changes = None, None, True

    def answers(self):
        return {**keeping(), "listIndexes": self.listed, "createIndexes": self.made, "collMod": self.changed, "dropIndexes": self.dropped}

    def listed(self, fake, command):
        own = [{"v": 2, "key": self.key, "name": "own", **({} if self.after is None else {"expireAfterSeconds": self.after})}] if self.key else []
        return batch(f"test.{command['listIndexes']}", [{"v": 2, "key": {"_id": 1}, "name": "_id_"}] + own)

    def made(self, fake, command):
        index = command["indexes"][0]
        self.key, self.after = index["key"], index.get("expireAfterSeconds")
        return {"ok": 1.0}

    def changed(self, fake, command):
        if not self.changes:
            return error(13, "Unauthorized", "not authorized")
        self.after = command["index"]["expireAfterSeconds"]
        return {"ok": 1.0}

    def dropped(self, fake, command):
        self.key = self.after = None
        return {"ok": 1.0}


def order(fake, statement):
    """Returns the order in which mtsql saves the table in the catalog and tells the server when to
    delete.
    """
    begun, out = len(fake.commands), []
    r = mtsql(fake.uri, "-qc", statement)
    for _, c in fake.commands[begun:]:
        name = next(iter(c))
        if name in ("createIndexes", "collMod", "dropIndexes"):
            out.append(name)
        out += ["saved" for u in c.get("updates", []) if c[name] == "_mtsql_catalog" and u["q"]["_id"] == "r"]
    return out, r.returncode, r.stderr


def test_order():
    """If rows end earlier, the catalog has that before the server. If they end later, the server
    has it first. So the server never deletes rows that somebody may still see.
    """
    indexes = Indexes()
    with Fake(indexes.answers()) as fake:
        create = "CREATE TABLE r (ts timestamptz TIME NOT NULL, v bigint MEASURE) USING per_day WITH (bucket = '1 year', time_encoding = 'date', expire_after = '10 years')"
        same("made", (mtsql(fake.uri, "-qc", create).stderr, indexes.after), ("", 11 * 366 * DAY + 1))
        for after, wanted in (("5 years", ["saved", "collMod"]), ("6 years", ["collMod", "saved"]), ("6 years 1 second", ["collMod", "saved"]),
                              ("6 years", ["saved", "collMod"]), ("6 years", ["saved"]), ("2192 days", ["saved", "collMod"])):
            same(f"{after}: the order", order(fake, f"ALTER TABLE r SET (expire_after = '{after}')"), (wanted, 0, ""))
        same("none at all is told before", order(fake, "ALTER TABLE r RESET (expire_after)"), (["dropIndexes", "createIndexes", "saved"], 0, ""))
        same("and some afterwards", order(fake, "ALTER TABLE r SET (expire_after = '1 year')"), (["saved", "collMod"], 0, ""))


def test_refused():
    """If the catalog does not take an earlier end, the server never gets it."""
    indexes, refusing = Indexes(), []
    answers = indexes.answers()
    update = answers["update"]
    answers["update"] = lambda fake, c: error(13, "Unauthorized", "not authorized") if refusing and c["update"] == "_mtsql_catalog" else update(fake, c)
    with Fake(answers) as fake:
        mtsql(fake.uri, "-qc", "CREATE TABLE r (ts timestamptz TIME NOT NULL, v bigint) USING rows WITH (expire_after = '90 days')")
        told = indexes.after
        refusing.append(True)
        commands, code, problems = order(fake, "ALTER TABLE r SET (expire_after = '30 days')")
        check("refused", code and "not authorized" in problems and "collMod" not in commands, (commands, problems))
        same("the server deletes as before", (told, indexes.after), (90 * DAY + 2, 90 * DAY + 2))


def test_layouts_told(uri, db):
    """Each layout's collections get the layout's own age, or the table's if that comes first."""
    mtsql(uri, "-qc", CREATE.replace(" WITH (expire_after = '90 days')", ""))
    mtsql(uri, "-qc", "ALTER TABLE r LAYOUT rows SET (expire_after = '30 days')", "-c", "ALTER TABLE r ADD LAYOUT month USING per_day WITH (time_encoding = 'date', bucket = '1 month', expire_after = '5 years')")
    month, years = 31 * DAY + 1, 5 * 366 * DAY
    same("two of five", ages(db), {"r.ts": 30 * DAY + month, "r_month.date": years + month})
    r = mtsql(uri, "-qAtc", "INSERT INTO r SELECT now () - i * interval '10 days', 'a', i FROM generate_series (0, 40) i", "-c", "SELECT count(*), sum(v) FROM r", "-c", "SET layout = 'rows'", "-c", "SELECT count(*) FROM r")
    check("refused, with what is kept", r.stdout == "41|820\n" and 'have expired there' in r.stderr and 'layout "month" rows from' in r.stderr, r.stdout + r.stderr)
    mtsql(uri, "-qc", "ALTER TABLE r SET (expire_after = '10 days')")
    same("the table's comes first", sorted(set(ages(db).values())), [10 * DAY + month])
    mtsql(uri, "-qc", "ALTER TABLE r RESET (expire_after)", "-c", "ALTER TABLE r LAYOUT rows RESET (expire_after)")
    same("one of five", ages(db), {"r_month.date": years + month})
    mtsql(uri, "-qc", "DROP TABLE r")


QUERIES = ["SELECT count(*), sum(v), min(ts), max(ts) FROM {}", "SELECT k, count(*), sum(v) FROM {} GROUP BY k ORDER BY k", "SELECT date_trunc ('day', ts), sum(v) FROM {} GROUP BY 1 ORDER BY 1",
           "SELECT date_trunc ('month', ts), count(*) FROM {} WHERE k <> 'k1' GROUP BY 1 ORDER BY 1", "SELECT * FROM {} WHERE ts < now () - interval '60 days' ORDER BY ts, k, v"]


def asked(uri, statements, table):
    """Returns the answers of one process. Starting a process takes longer on a server than most
    queries.
    """
    r = mtsql(uri, "-qAt", text="".join(f"{q.format(table)};\n" for q in statements))
    return r.stdout + r.stderr


def test_same(uri):
    """Every layout, at every cut, gives what a table without retention gives for the rows from the
    horizon on: before the sweep and after it.
    """
    rows = "SELECT now () - i * interval '31 hours', 'k' || i % 4, i FROM generate_series (0, 120) i"
    plain = "CREATE TABLE plain (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows"
    mtsql(uri, "-qAtc", CREATE, "-c", plain, "-c", f"INSERT INTO plain {rows}", "-c", "INSERT INTO r SELECT * FROM plain")
    horizon = "(SELECT * FROM plain WHERE ts >= date_trunc ('day', now () - interval '90 days', 'UTC')) plain"
    wanted = asked(uri, QUERIES, horizon)
    check("rows on both sides", 60 < int(wanted.split("|")[0]) < 75, wanted)
    for when in ("before", "after"):
        for layout in ("rows", "day", "k"):
            for cuts in ("on", "off"):
                settings = [f"SET layout = '{layout}'", f"SET enable_cuts = {cuts}"]
                same(f"layout {layout} {when} the sweep, enable_cuts {cuts}", asked(uri, settings + QUERIES, "r"), wanted)
        swept = mtsql(uri, "-qAtc", "SELECT drop_chunks ('r')", "-c", "CHECK TABLE r")
        check(f"swept {when}", swept.returncode == 0, swept.stdout + swept.stderr)
    mtsql(uri, "-qc", "DROP TABLE r, plain")


def test_seconds(uri, db):
    """A server can't delete by a time that is no date, or that lies in the _id. A notice says so
    once.
    """
    r = mtsql(uri, "-qc", "CREATE TABLE s (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION, v bigint MEASURE) USING rows WITH (expire_after = '1 day')",
              "-c", "INSERT INTO s SELECT date_trunc ('second', now ()) - i * interval '7 hours', 'a', 1 FROM generate_series (0, 9) i")
    check("a notice", 'NOTICE:  the server does not delete expired documents of collection "s"' in r.stderr and not ages(db), r.stderr)
    seen, there = mtsql(uri, "-qAtc", "SELECT count(*) FROM s").stdout, db["s"].count_documents({})
    same("out of sight, and there", (seen, there), ("4\n", 10))
    same("dropped", mtsql(uri, "-qAtc", "SELECT drop_chunks ('s')").stdout, "s (6 documents)\n")
    same("gone", db["s"].count_documents({}), 4)
    mtsql(uri, "-qc", "DROP TABLE s")


def test_partitions(uri, db):
    r = mtsql(uri, "-qc", "CREATE TABLE p (ts timestamptz TIME NOT NULL, k text DIMENSION) USING rows WITH (expire_after = '40 days', partition_by = 'month')",
              "-c", "INSERT INTO p SELECT now () - i * interval '10 days', 'a' FROM generate_series (0, 36) i")
    same("partitions want no index", (r.stderr, ages(db)), ("", {}))
    before = sorted(n for n in db.list_collection_names() if n.startswith("p_"))
    gone = mtsql(uri, "-qAtc", "SELECT drop_chunks ('p')").stdout.split()
    after = sorted(n for n in db.list_collection_names() if n.startswith("p_"))
    check("whole ones go", gone and gone + after == before and len(after) in (2, 3), (before, gone, after))
    mtsql(uri, "-qc", "DROP TABLE p")


def test_series(uri, db):
    mtsql(uri, "-qc", "CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION, v bigint MEASURE) USING timeseries WITH (expire_after = '2 days')")
    if not any("timeseries" in c.get("options", {}) for c in db.list_collections()):
        return

    def age():
        return next(c["options"] for c in db.list_collections() if c["name"] == "t").get("expireAfterSeconds")
    same("a time-series collection", age(), 2 * DAY + 2)
    r = mtsql(uri, "-qAtc", "INSERT INTO t SELECT now () - i * interval '9 hours', 'a', i FROM generate_series (0, 9) i", "-c", "SELECT count(*), max(v) FROM t")
    same("what has expired isn't seen", (r.stdout, r.stderr), ("6|5\n", ""))
    r = mtsql(uri, "-qc", "ALTER TABLE t SET (expire_after = '3 days')")
    check("changed, or told that it wasn't", age() == 3 * DAY + 2 or "does not delete expired documents" in r.stderr, (age(), r.stderr))


def main():
    test_order()
    test_refused()
    with database(chosen(), "retention") as uri:
        db = pymongo.MongoClient(uri).get_default_database()
        test_told(uri, db)
        test_layouts_told(uri, db)
        test_same(uri)
        test_seconds(uri, db)
        test_partitions(uri, db)
        test_series(uri, db)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

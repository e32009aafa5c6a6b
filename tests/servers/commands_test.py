#!/usr/bin/env python3
"""The number of commands of a statement. A reading statement sends one command, which also reads
the catalog's version. A writing statement sends one more for the version. It sends others only if
other clients must learn of the change. The server is a scripted one.
"""
import sys

from checks import check, finish, mtsql, same
from fake import Fake, keeping

HITS = "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics"
LOG = "CREATE TABLE log (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, x double precision) USING rows"
HIT, ROW = "INSERT INTO hits VALUES ('2020-01-01 10:31+00', 'a', 1)", "INSERT INTO log VALUES ('2020-01-01 10:31+00', 'a', 0.5)"
ASK = "SELECT k, x FROM log WHERE ts < '2020-02-01'"
DAYS, SUB = LOG.replace("log", "days") + " WITH (partition_by = 'day')", " AND x > (SELECT avg (x) FROM log)"
HALF = {"kind": "intent", "name": "x", "body": {"table": "log", "what": "rebuild", "collections": []}}


MARK = "SELECT 'mark'"  # an aggregation without a collection


def run(fake, *statements):
    r = mtsql("-q", *[a for s in statements for a in ("-c", s)], fake.uri)
    assert r.returncode == 0, r.stderr


def commands(*statements, also=None):
    """Returns the commands of the last statement, in a session that ran the others before. also: a
    document of another client in the catalog, after the first two.
    """
    with Fake(keeping()) as fake:
        if also:
            run(fake, *statements[:2])
            fake.answers["insert"](fake, {"insert": "_mtsql_catalog", "documents": [also]})
            statements = statements[2:]
        run(fake, *statements[:-1], MARK, statements[-1], MARK)
        all = [(next(iter(c)), c[next(iter(c))]) for _, c in fake.commands]
    first, last = [i for i, c in enumerate(all) if c == ("aggregate", 1)][-2:]
    return [what for what, _ in all[first + 1:last]]


def main():
    same("an event", sorted(commands(HITS, HIT, HIT)), ["find", "update"])
    same("a row", sorted(commands(LOG, ROW, ROW)), ["find", "insert"])
    same("a question", commands(LOG, ROW, ASK, ASK), ["aggregate"])
    same("the same, prepared", commands(LOG, ROW, f"PREPARE q AS {ASK}", "EXECUTE q", "EXECUTE q"), ["aggregate"])
    same("a question by a table in partitions asks for those", commands(DAYS, ASK.replace("log", "days"), ASK.replace("log", "days")), ["listCollections", "aggregate"])
    same("beside such a table it doesn't", commands(DAYS, LOG, ROW, ASK, ASK), ["aggregate"])
    same("a sub-select's rows are asked for first", commands(LOG, ROW, ASK + SUB, ASK + SUB), ["aggregate", "aggregate"])
    same("in a block it looks first, and so does the mark", commands(LOG, ROW, "BEGIN", ASK, ASK), ["find", "aggregate", "find"])
    same("a question that may be late", commands("SET catalog_max_age = '1h'", LOG, ROW, ASK, ASK), ["aggregate"])
    same("the same, prepared", commands("SET catalog_max_age = '1h'", LOG, ROW, f"PREPARE q AS {ASK}", "EXECUTE q", "EXECUTE q"), ["aggregate"])
    late = commands("SET catalog_max_age = '1h'", LOG, ROW, ROW)
    same("what is written looks all the same", sorted(late), ["find", "insert"])
    newest = "CREATE TABLE last (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, x double precision) USING latest WITH (key = 'k')"
    fill = "INSERT INTO last SELECT '2020-01-01 10:31+00'::timestamptz + i * interval '1 s', 'k' || i, 0.5 FROM generate_series (1, 1000, {}) g (i)"
    mixed = commands(newest, fill.format(2), fill.format(1).replace("10:31", "10:32"))
    same("newest records, every other of which has an older one: one command makes those that are missing", mixed.count("insert"), 1)
    packed = commands("CREATE TABLE p (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, x double precision) USING per_day", ROW.replace("log", "p"))
    same("whether there are documents, with which rows would be packed, is asked by one command", packed[:3], ["listCollections", "aggregate", "insert"])
    far = ROW.replace("2020-01-01", "2021-01-01")
    check("a row beyond the bounds of time that others know is told of", commands(LOG, ROW, ROW, far).count("update") > 0)
    told = commands(LOG, ROW, ROW, also={"_id": {"kind": "intent", "name": "x"}, **HALF})
    check("so is any, while somebody makes documents anew", told.count("update") > 0, str(told))
    return finish()


sys.exit(main())

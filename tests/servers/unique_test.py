#!/usr/bin/env python3
"""UNIQUE on a server. A unique index separates clients that write at the same time, for every type
of column. NULLs differ. Keys come and go with their indexes.
"""
import sys

import pymongo

from checks import check, finish, mtsql, same, start
from server import chosen, database

WRITERS, KEYS = 3, 20
VALUES = {"integer": ("1", "2"), "bigint": ("-9223372036854775807", "9223372036854775807"), "real": ("-1.5", "1.5"), "double precision": ("'-Infinity'", "0"), "numeric": ("-1.50", "12345678901234567890.5"),
          "text": ("''", "'a'"), "varchar": ("'x'", "'y'"), "boolean": ("false", "true"), "date": ("'0001-01-01'", "'2024-02-29'"), "timestamp": ("'1900-01-01 00:00'", "'2024-01-01 10:00'"),
          "timestamptz": ("'1900-01-01 00:00+00'", "'2024-01-01 10:00+00'"), "time": ("'00:00'", "'10:00:01.5'"), "uuid": ("'00000000-0000-0000-0000-000000000000'", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"), "bytea": (r"'\x'", r"'\x00ff'")}
DUPLICATE = "ERROR:  23505: duplicate key value violates unique constraint "


def ask(uri, *statements):
    return mtsql(uri, "-At", "-v", "VERBOSITY=verbose", *[x for s in statements for x in ("-c", s)])


def fine(name, uri, *statements):
    r = ask(uri, *statements)
    check(name, r.returncode == 0 and not r.stderr, r.stdout + r.stderr)


def refused(name, uri, statement, *texts):
    r = ask(uri, statement)
    check(name, r.returncode != 0 and all(t in r.stderr for t in texts), r.stdout + r.stderr)


def indexes(coll):
    return sorted(i["name"] for i in coll.list_indexes() if i.get("unique"))


def test_race(uri):
    """If several clients insert a key, one succeeds."""
    fine("a table", uri, "CREATE TABLE race (k text UNIQUE, pair integer, who integer, UNIQUE (pair, who))")
    writers = [start(uri, "-Atq", *[x for i in range(KEYS) for x in ("-c", f"INSERT INTO race VALUES ('k{i}', {i}, {w})")], "-v", "ON_ERROR_STOP=off") for w in range(WRITERS)]
    won = 0
    for w in writers:
        _, problems = w.communicate(timeout=300)
        lost, outrun = problems.count('"race_k_key"'), problems.count("changed by another client")
        check("what a writer is told", problems.count("ERROR:") == lost + outrun, problems)
        won += KEYS - lost - outrun
    stored = mtsql(uri, "-Atc", "SELECT count(*), count(DISTINCT k) FROM race").stdout
    same("each key is one writer's, who was told so", stored, f"{won}|{won}\n")
    check("keys are there", won > KEYS // 2, stored)
    one = "INSERT INTO race VALUES ('new', 1000, 1) ON CONFLICT (k) DO UPDATE SET pair = race.pair + 1"
    writers = [start(uri, "-q", *["-c", one] * 4) for _ in range(WRITERS)]
    for w in writers:
        out, problems = w.communicate(timeout=300)
        check("a writer of ON CONFLICT", w.returncode == 0, out + problems)
    same("no change is lost", mtsql(uri, "-Atc", "SELECT pair FROM race WHERE k = 'new'").stdout, f"{1000 + 4 * WRITERS - 1}\n")


def test_types(uri):
    """Two NULLs are allowed, two equal values are not. Also with NULLS NOT DISTINCT, and in a
    column that is NOT NULL.
    """
    columns = {t: f"c{i}" for i, t in enumerate(VALUES)}
    fine("a column of each type", uri, "CREATE TABLE types (n integer, " + ", ".join(f"{c} {t} UNIQUE" for t, c in columns.items()) + ")", "INSERT INTO types (n) VALUES (1), (2), (3)")
    for t, c in columns.items():
        least, other = VALUES[t]
        fine(f"{t}: other values", uri, f"INSERT INTO types ({c}) VALUES ({least}), ({other})")
        for v in VALUES[t]:
            refused(f"{t}: {v} again", uri, f"INSERT INTO types ({c}) VALUES ({v})", DUPLICATE + f'"types_{c}_key"', f"Key ({c})=(", "already exists.")
    same("nothing of them stays", mtsql(uri, "-Atc", "SELECT count(*) FROM types").stdout, f"{3 + 2 * len(VALUES)}\n")
    fine("NULLs that are equal", uri, "CREATE TABLE equal (a integer, UNIQUE NULLS NOT DISTINCT (a))", "INSERT INTO equal VALUES (1), (NULL)")
    refused("a second NULL", uri, "INSERT INTO equal VALUES (NULL)", DUPLICATE + '"equal_a_key"')
    fine("ON CONFLICT with NULL", uri, "INSERT INTO equal VALUES (NULL), (2) ON CONFLICT (a) DO UPDATE SET a = 3")
    same("changes it", mtsql(uri, "-Atc", "SELECT a FROM equal ORDER BY a").stdout, "1\n2\n3\n")


def test_indexes(uri, db):
    """The server's indexes follow the keys."""
    fine("keys", uri, "CREATE TABLE keys (a integer NOT NULL, b text, c boolean, n integer, CONSTRAINT first UNIQUE (a), UNIQUE (b))", "INSERT INTO keys VALUES (1, 'x', true, 1), (2, 'y', false, 2), (3, NULL, NULL, 2)")
    same("their indexes", indexes(db.keys), ["first", "keys_b_key"])
    refused("rows that are equal", uri, "ALTER TABLE keys ADD UNIQUE (n)", "ERROR:  23505: could not create unique index", "Key (n)=(2) is duplicated.")
    same("no index of it", indexes(db.keys), ["first", "keys_b_key"])
    fine("a second key of the column", uri, "ALTER TABLE keys ADD CONSTRAINT second UNIQUE (a)")
    fine("the first one goes", uri, "ALTER TABLE keys DROP CONSTRAINT first")
    refused("the second one stays", uri, "INSERT INTO keys VALUES (1, 'z', NULL, 9)", DUPLICATE + '"second"')
    fine("a primary key", uri, "ALTER TABLE keys DROP CONSTRAINT second", "ALTER TABLE keys ADD PRIMARY KEY (a)")
    refused("holds", uri, "INSERT INTO keys VALUES (1, 'z', NULL, 9)", DUPLICATE + '"keys_pkey"')
    fine("a column that must not be NULL any more", uri, "UPDATE keys SET b = 'z' WHERE a = 3", "ALTER TABLE keys ALTER COLUMN b SET NOT NULL", "ALTER TABLE keys ALTER COLUMN b DROP NOT NULL",
         "INSERT INTO keys VALUES (4, NULL, false, 4), (5, NULL, false, 5)")
    refused("its key", uri, "INSERT INTO keys VALUES (9, 'x', NULL, 9)", DUPLICATE + '"keys_b_key"')
    fine("partial indexes", uri, "CREATE UNIQUE INDEX many ON keys (n) WHERE c AND n >= 1", "CREATE UNIQUE INDEX none ON keys (n) WHERE c IS NULL AND b = 'z'")
    refused("one of them", uri, "INSERT INTO keys VALUES (9, NULL, true, 1)", DUPLICATE + '"many"')
    refused("the other", uri, "INSERT INTO keys VALUES (9, 'z', NULL, 2)", DUPLICATE)
    fine("rows that they don't have", uri, "INSERT INTO keys VALUES (6, NULL, false, 1), (7, NULL, true, 0), (8, NULL, true, NULL)")
    fine("ON CONFLICT", uri, "INSERT INTO keys VALUES (9, NULL, true, 1) ON CONFLICT (n) WHERE c AND n >= 1 DO UPDATE SET n = keys.n + 100")
    same("changed the row", mtsql(uri, "-Atc", "SELECT a, n FROM keys WHERE n > 100").stdout, "1|101\n")
    refused("another key than ON CONFLICT's", uri, "INSERT INTO keys VALUES (1, 'q', NULL, 50), (50, 'x', NULL, 50) ON CONFLICT (a) DO UPDATE SET n = 60", DUPLICATE + '"keys_b_key"', "Key (b)=(x) already exists.")
    same("nothing of it stays", mtsql(uri, "-Atc", "SELECT n FROM keys WHERE a = 1").stdout, "101\n")
    fine("any key", uri, "INSERT INTO keys VALUES (1, 'q', NULL, 50), (50, 'x', NULL, 50), (51, 'r', NULL, 50) ON CONFLICT DO NOTHING")
    same("has one row more", mtsql(uri, "-Atc", "SELECT a FROM keys WHERE n = 50").stdout, "51\n")
    refused("a condition that an index can't have", uri, "CREATE UNIQUE INDEX ON keys (n) WHERE n % 2 = 0", "ERROR:  0A000", "HINT")
    fine("no index of it", uri, "DROP INDEX many, none")
    same("after DROP INDEX", indexes(db.keys), ["a_1", "keys_b_key"])
    fine("columns that change", uri, "CREATE TABLE cols (id integer NOT NULL, a text UNIQUE, b integer NOT NULL UNIQUE)", "INSERT INTO cols VALUES (1, '1', 1), (2, '02', 2), (3, NULL, 3)", "ALTER TABLE cols ADD COLUMN c integer UNIQUE")
    fine("a type", uri, "ALTER TABLE cols ALTER COLUMN a TYPE integer USING a::integer")
    fine("its index has the new values", uri, "INSERT INTO cols VALUES (7, 2, 9) ON CONFLICT (a) DO UPDATE SET c = 77")
    same("one row changed", mtsql(uri, "-Atc", "SELECT id, c FROM cols WHERE a = 2").stdout, "2|77\n")
    refused("a type that makes values equal", uri, "ALTER TABLE cols ALTER COLUMN b TYPE bigint USING 1", "ERROR:  23505: could not create unique index")
    fine("a column goes with its index", uri, "ALTER TABLE cols DROP COLUMN b", "INSERT INTO cols VALUES (8, 8, 8), (9, NULL, NULL), (10, NULL, NULL)")
    same("the others stay", indexes(db.cols), ["cols_a_key", "cols_c_key"])
    fine("TRUNCATE", uri, "TRUNCATE keys", "INSERT INTO keys VALUES (1, 'x', true, 1)")
    refused("keeps the keys", uri, "INSERT INTO keys VALUES (2, 'x', true, 1)", DUPLICATE + '"keys_b_key"')
    same("and the indexes", indexes(db.keys), ["a_1", "keys_b_key"])


def test_layouts(uri, db):
    """Packed documents have no such index. Their rows are compared all the same."""
    fine("a packed table", uri, "CREATE TABLE packed (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, serial integer UNIQUE, n bigint MEASURE) USING nested WITH (levels = 'ts, k')",
         "INSERT INTO packed VALUES ('2024-01-01', 'a', 1, 1), ('2024-01-02', 'a', NULL, 1), ('2024-01-03', 'b', NULL, 1)")
    refused("an equal key", uri, "INSERT INTO packed VALUES ('2024-02-01', 'z', 1, 1)", DUPLICATE + '"packed_serial_key"', "Key (serial)=(1) already exists.")
    fine("a layout of rows", uri, "ALTER TABLE packed ADD LAYOUT rows USING rows")
    same("has the index", indexes(db.packed_rows), ["packed_serial_key"])
    refused("an equal key in both", uri, "INSERT INTO packed VALUES ('2024-02-01', 'z', 1, 1)", DUPLICATE + '"packed_serial_key"')
    same("nothing of it stays", mtsql(uri, "-Atc", "SELECT count(*) FROM packed").stdout, "3\n")
    fine("a table of months", uri, "CREATE TABLE months (ts timestamptz TIME NOT NULL, k integer UNIQUE) USING rows WITH (partition_by = 'month')", "INSERT INTO months VALUES ('2024-01-01', 1), ('2024-02-01', NULL), ('2024-02-02', NULL)")
    same("each month has the index", indexes(db.months_2024_02), ["months_k_key"])
    refused("an equal key in another month", uri, "INSERT INTO months VALUES ('2024-03-01', 1)", DUPLICATE + '"months_k_key"')


def main():
    with database(chosen(), "unique") as uri:
        db = pymongo.MongoClient(uri).get_default_database()
        test_race(uri)
        test_types(uri)
        test_indexes(uri, db)
        test_layouts(uri, db)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

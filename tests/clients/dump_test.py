#!/usr/bin/env python3
"""pg_dump 15 of `mtsql --listen`, and reading the dump back by mtsql."""
import glob
import re
import subprocess
import sys

from listening import listening
from cases import check, run, same
from command import environment
from paths import MTSQL

PG_DUMP = next(iter(sorted(glob.glob("/usr/lib/postgresql/15/bin/pg_dump"))), None)
MADE = """
CREATE SCHEMA s;
CREATE TABLE s.t (id serial, a int NOT NULL, b text DEFAULT 'x', CHECK (a > 0));
INSERT INTO s.t (a, b) VALUES (1, E'tab\\there'), (2, NULL);
CREATE INDEX t_b ON s.t (b);
CREATE VIEW a_view AS SELECT a, b FROM s.t WHERE a > 1;
CREATE TABLE z (ts timestamptz, v numeric(6, 2), tags text[], d jsonb);
INSERT INTO z VALUES ('2024-05-01 12:00:00.123', 1.50, '{a,"b c"}', '{"k": [1, null]}');
CREATE MATERIALIZED VIEW a_stored AS SELECT b, count(*) AS n FROM s.t GROUP BY b;
CREATE SEQUENCE q START 5;
SELECT nextval('q');
COMMENT ON TABLE s.t IS 'a comment';
COMMENT ON COLUMN z.v IS 'a value';
CREATE FUNCTION twice (x integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 2 * x';
"""
SEEN = """
SELECT * FROM s.t ORDER BY a;
SELECT * FROM a_view;
SELECT * FROM a_stored ORDER BY n, b;
SELECT * FROM z;
SELECT indexdef FROM pg_indexes ORDER BY 1;
SELECT relname, description FROM pg_description d JOIN pg_class c ON c.oid = objoid ORDER BY 1;
SELECT twice(4), nextval('q'), nextval('s.t_id_seq');
INSERT INTO s.t (a) VALUES (-1);
"""


def shell(target, sql):
    return subprocess.run([MTSQL, "-X", "-q", str(target)], input="\\set ON_ERROR_STOP off\n" + sql, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment()).stdout


def dump(store, *options):
    with listening(store) as s:
        p = subprocess.run([PG_DUMP, "-h", "127.0.0.1", "-p", str(s.port), "-U", "tester", "--no-owner", *options], capture_output=True, text=True)
    check(f"pg_dump {options}: {p.stderr}", p.returncode == 0)
    return "\n".join(line for line in p.stdout.splitlines() if not re.match(r"\\(un)?restrict ", line)) + "\n"


def test_dump(folder):
    if not PG_DUMP:
        print("SKIP no pg_dump 15")
        return
    said = shell(f"{folder}/a.mts", MADE)
    check(said, "ERROR" not in said)
    text = dump(f"{folder}/a.mts")
    said = shell(f"{folder}/b.mts", text)
    check(said, "ERROR" not in said)
    same("the same dump again", dump(f"{folder}/b.mts"), text)
    same("the same answers", shell(f"{folder}/b.mts", SEEN), shell(f"{folder}/a.mts", SEEN))
    check("one schema", "CREATE TABLE public.z" not in dump(f"{folder}/a.mts", "--schema", "s", "--schema-only"))


sys.exit(run(globals()))

#!/usr/bin/env python3
"""Records the statements about the catalog that clients send, into tests/clients/catalog.txt. Each
client works through a proxy (recording.py). Run it by hand for a new client:

    BUILD=build build/venv/bin/python tests/clients/record.py

catalog_test.py runs these statements again.
"""
import asyncio
import glob
import pathlib
import subprocess
import sys
import tempfile

from listening import free_of_libpq, listening
from recording import recording
import jdbc_test
import languages_test
import adbc_driver_postgresql.dbapi as adbc
import asyncpg
import pandas
import polars
import psycopg
import sqlalchemy
from pgcli.pgexecute import PGExecute
from pgspecial.main import PGSpecial
from psycopg.types.enum import EnumInfo

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "catalog.txt"
MADE = """CREATE TABLE k (a int PRIMARY KEY, b text DEFAULT 'x', c serial, CHECK (a > 0), UNIQUE (b)); CREATE INDEX ON k (c); CREATE VIEW v AS SELECT * FROM k;
CREATE SEQUENCE q; CREATE MATERIALIZED VIEW mv AS SELECT 1 AS x; CREATE FUNCTION f (x int) RETURNS int LANGUAGE sql AS 'SELECT x';
CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN d AS int CHECK (value > 0); CREATE SCHEMA s; CREATE TABLE e (m mood, u uuid[], i interval);
CREATE TABLE s.packed (ts timestamptz TIME NOT NULL, v int MEASURE) USING nested WITH (levels = 'ts', presum = 'ts'); COMMENT ON TABLE k IS 'a table'"""
PSQL = r"\l \l+ \du \du+ \dn \dn+ \dt \dt+ \d \d+ \dv+ \dm+ \ds+ \di+ \df \df+ \dfS \da \dT \dT+ \dTS \dx \dx+ \dD \dD+ \dp \ddp \dF \dE \db \db+ \dC \dc \dO \do \dL \dRp \dRs \dy \des \dew \det \dA \dAc \dX \drds \dconfig \dP \dg".split() + [
    r"\d k", r"\d+ k", r"\d+ v", r"\d+ q", r"\d+ mv", r"\d+ s.packed", r"\d+ e", r"\d k_pkey", r"\dt s.*", r"\sf f", r"\sv v", r"\ef f", r"\dT+ mood", r"\d pg_class", r"\df *size*"]

PGCLI = r"\l \l+ \du \du+ \dn \dn+ \dt \dt+ \d \d+ \dv \dv+ \dm \ds \di \di+ \df \df+ \dT \dT+ \dx \dD \dD+ \dp \ddp \dF \dE \db \db+".split() + [r"\d k", r"\d+ k", r"\d v", r"\d+ v", r"\d q", r"\d mv", r"\dt s.*", r"\sf f"]


def dsn(r):
    return f"postgresql://tester@127.0.0.1:{r.port}/store"


def by_psql(r):
    subprocess.run(["psql", "-X", "-q", dsn(r)], input="\n".join(PSQL), capture_output=True, text=True, env=free_of_libpq(EDITOR="true", PAGER="cat"), check=True)


def by_pg_dump(r):
    for path in glob.glob("/usr/lib/postgresql/15/bin/pg_dump"):
        subprocess.run([path, dsn(r)], capture_output=True, env=free_of_libpq(), check=True)


def by_pgcli(r):
    e = PGExecute("store", "tester", "", "127.0.0.1", r.port)
    for what in ("search_path", "schemata", "tables", "views", "table_columns", "view_columns", "databases", "foreignkeys", "functions", "datatypes", "casing"):
        list(getattr(e, what)())
    for command in PGCLI:
        for _, rows, *_ in e.run(command, PGSpecial()):
            list(rows or ())


def by_sqlalchemy(r):
    engine = sqlalchemy.create_engine(dsn(r).replace("postgresql:", "postgresql+psycopg:"))
    seen = sqlalchemy.inspect(engine)
    for schema in (None, "s"):
        for what in ("table_names", "view_names", "materialized_view_names", "sequence_names", "enums", "domains", "multi_columns", "multi_pk_constraint", "multi_foreign_keys", "multi_indexes", "multi_unique_constraints", "multi_check_constraints", "multi_table_comment", "multi_table_options"):
            getattr(seen, f"get_{what}")(schema=schema)
    seen.get_schema_names()
    seen.get_view_definition("v")
    seen.has_table("k")
    seen.has_sequence("q")
    sqlalchemy.MetaData().reflect(engine, views=True)
    pandas.read_sql("SELECT * FROM k", engine)
    pandas.DataFrame({"x": [1]}).to_sql("made_by_pandas", engine, if_exists="replace")


def by_asyncpg(r):
    async def work():
        c = await asyncpg.connect(dsn(r))
        await c.fetch("SELECT * FROM e")
        await c.fetch("SELECT ROW(1, 'a'), ARRAY['a']::mood[]")
        await c.reset()
        await c.close()
    asyncio.run(work())


def by_psycopg(r):
    with psycopg.connect(dsn(r)) as c:
        EnumInfo.fetch(c, "mood")
        psycopg.types.TypeInfo.fetch(c, "uuid")
        psycopg.types.range.RangeInfo.fetch(c, "int4range")
        psycopg.types.composite.CompositeInfo.fetch(c, "k")


def by_adbc(r):
    with adbc.connect(dsn(r)) as c:
        c.adbc_get_objects(depth="all").read_all()
        c.adbc_get_table_schema("k")
        c.adbc_get_table_schema("packed", db_schema_filter="s")
        c.adbc_get_statistics(db_schema_filter="public", approximate=True).read_all() if hasattr(c, "adbc_get_statistics") else None


def by_pgjdbc(r):
    if jdbc_test.driver():
        jdbc_test.java(r.port, "store", "metadata").check_returncode()


def by_polars(r):
    polars.read_database_uri("SELECT a FROM k", dsn(r), engine="connectorx")
    polars.DataFrame({"x": [1]}).write_database("made_by_polars", dsn(r), engine="adbc", if_table_exists="replace")


def by_language(language):
    return lambda r: languages_test.answers(languages_test.program(language), PGHOST="127.0.0.1", PGPORT=str(r.port))


def main():
    sections, seen = [], set()
    clients = [(n[3:], f, MADE) for n, f in globals().items() if n.startswith("by_") and f is not by_language]
    clients += [(name, by_language(name), languages_test.MADE) for name in languages_test.LANGUAGES]
    for name, work, made in clients:
        with tempfile.TemporaryDirectory() as folder, listening(f"{folder}/store") as s:
            with psycopg.connect(s.dsn(), autocommit=True) as c:
                c.execute(made)
            with recording(s) as r:
                work(r)
                new = [x.strip() for x in r.catalog() if x.strip() not in seen]
                seen.update(new)
                sections += [f"==== {name}\n{x}\n" for x in new]
        print(name, len(new))
    FILE.write_text("".join(sections))


if __name__ == "__main__":
    sys.exit(main())

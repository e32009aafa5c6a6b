#!/usr/bin/env python3
"""Data frames: ADBC's driver, which copies in binary, and Polars by ADBC, ConnectorX and SQLAlchemy."""
import datetime
import decimal
import sys

from listening import listening
from cases import check, run, same
import adbc_driver_postgresql.dbapi as adbc
import polars
import psycopg
import pyarrow
import sqlalchemy

UTC = datetime.timezone.utc
START = datetime.datetime(2024, 1, 1, tzinfo=UTC)
TABLE = "CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts')"
FILL = "INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '10 min', 'h' || i % 3, i FROM generate_series (0, 999) i"
KINDS = "CREATE TABLE k (id int PRIMARY KEY, name text, n numeric(10,2), d date, b bool, j jsonb, a int[], f float8, u uuid, y bytea, i interval, s timestamp, r real, m smallint)"
ROW = "INSERT INTO k VALUES (1, 'ä', 1.5, '2024-02-29', true, '{\"a\": 1}', '{1,NULL}', 2.5, '00000000-0000-0000-0000-000000000007', '\\x00ff', '1 month 2 days 3 sec', '1969-12-31 23:59:59.5', 0.5, -7); INSERT INTO k (id) VALUES (2)"


def uri(s):
    return f"postgresql://tester@127.0.0.1:{s.port}/store"


def fill(s):
    with psycopg.connect(s.dsn(), autocommit=True) as c:
        c.execute(TABLE)
        c.execute(FILL)
        c.execute(KINDS)
        c.execute(ROW)


def arrow(cur, sql, *parameters):
    cur.execute(sql, *parameters)
    return cur.fetch_arrow_table()


def test_adbc_reads(folder):
    with listening(f"{folder}/store") as s:
        fill(s)
        with adbc.connect(uri(s)) as c, c.cursor() as cur:
            got = arrow(cur, "SELECT * FROM t ORDER BY ts")
            same("types", [str(f.type) for f in got.schema], ["timestamp[us, tz=UTC]", "string", "int64"])
            same("rows", (got.num_rows, got["v"].to_pylist()), (1000, list(range(1000))))
            same("a parameter", arrow(cur, "SELECT host, count(*) AS n FROM t WHERE v > $1 GROUP BY 1 ORDER BY 1", (10,)).to_pylist(), [{"host": "h0", "n": 330}, {"host": "h1", "n": 329}, {"host": "h2", "n": 330}])
            one, none = arrow(cur, "SELECT * FROM k ORDER BY id").to_pylist()
            same("NULLs", [v for k, v in none.items() if k != "id"], [None] * 13)
            got = {k: one[k] for k in ("name", "n", "d", "b", "a", "f", "y", "s", "r", "m")}
            same("values", got, {"name": "ä", "n": "1.50", "d": datetime.date(2024, 2, 29), "b": True, "a": [1, None], "f": 2.5, "y": b"\0\xff", "s": datetime.datetime(1969, 12, 31, 23, 59, 59, 500000), "r": 0.5, "m": -7})
            same("an interval", tuple(one["i"]), (1, 2, 3 * 10**9))


def test_adbc_catalog(folder):
    with listening(f"{folder}/store") as s:
        fill(s)
        with adbc.connect(uri(s)) as c:
            found, = [x for x in c.adbc_get_objects(depth="all", table_name_filter="k").read_all().to_pylist()]
            tables = [t for schema in found["catalog_db_schemas"] for t in schema["db_schema_tables"]]
            same("a table", [(t["table_name"], t["table_type"]) for t in tables], [("k", "table")])
            same("its key", [(x["constraint_type"], x["constraint_column_names"]) for x in tables[0]["table_constraints"]], [("PRIMARY KEY", ["id"])])
            same("its columns", len(tables[0]["table_columns"]), 14)
            same("a schema", [f.name for f in c.adbc_get_table_schema("t")], ["ts", "host", "v"])
            same("the vendor", c.adbc_get_info()["vendor_name"], "PostgreSQL")


def test_adbc_writes(folder):
    with listening(f"{folder}/store") as s:
        fill(s)
        rows = pyarrow.table({"ts": pyarrow.array([START + datetime.timedelta(days=400, minutes=i) for i in range(500)], pyarrow.timestamp("us", "UTC")), "host": ["x"] * 500, "v": pyarrow.array(range(500), pyarrow.int64())})
        with adbc.connect(uri(s)) as c, c.cursor() as cur:
            same("into a packed table", cur.adbc_ingest("t", rows, mode="append"), 500)
            for mode in ("create", "append", "replace", "create_append"):
                same(mode, cur.adbc_ingest("made", rows, mode=mode), 500)
            same("a temporary table", cur.adbc_ingest("other", rows, mode="create", temporary=True), 500)
            cur.executemany("INSERT INTO k (id, name) VALUES ($1, $2)", [(10, "p"), (11, None)])
            c.rollback()
            same("ROLLBACK", arrow(cur, "SELECT (SELECT count(*) FROM t) AS t, (SELECT count(*) FROM k) AS k").to_pylist(), [{"t": 1000, "k": 2}])
            cur.adbc_ingest("t", rows, mode="append")
            c.commit()
            try:
                cur.adbc_ingest("t", rows.set_column(2, "v", pyarrow.array([None] * 500, pyarrow.int64())), mode="append")
                check("NULL is refused", False)
            except adbc.Error as e:
                same("NULL is refused", e.sqlstate, "23502")
            c.rollback()
            same("COMMIT", arrow(cur, "SELECT sum(v)::int8 AS s FROM t WHERE host = 'x'").to_pylist(), [{"s": 124750}])


def test_polars(folder):
    frame = polars.DataFrame({"a": [1, 2, 3], "b": ["x", None, "ä"], "c": [1.5, float("inf"), None], "d": [datetime.date(2024, 1, 1), None, datetime.date(1969, 1, 1)], "t": [datetime.datetime(2024, 1, 1, 0, 0, 1, 500000), None, None]})
    groups = [("h0", 334, 499.5), ("h1", 333, 499.0), ("h2", 333, 500.0)]
    with listening(f"{folder}/store") as s:
        fill(s)
        engine = sqlalchemy.create_engine(uri(s).replace("postgresql:", "postgresql+psycopg:"))
        sql = "SELECT host, count(*) AS n, avg(v)::float8 AS a FROM t GROUP BY 1 ORDER BY 1"
        for by in ("adbc", "connectorx"):
            same(f"rows by {by}", polars.read_database_uri(sql, uri(s), engine=by).rows(), groups)
        same("rows by SQLAlchemy", polars.read_database(sql, engine).rows(), groups)
        same("in parts", polars.read_database_uri("SELECT ts, v FROM t", uri(s), engine="connectorx", partition_on="v", partition_num=3)["v"].sum(), 499500)
        for by, where in (("adbc", uri(s)), ("sqlalchemy", engine)):
            for how, n in (("fail", 3), ("append", 6), ("replace", 3)):
                frame.write_database(f"by_{by}", where, engine=by, if_table_exists=how)
                same(f"{how} by {by}", polars.read_database_uri(f"SELECT * FROM by_{by} ORDER BY a", uri(s), engine="adbc").height, n)
            check(f"the same back, {by}", polars.read_database_uri(f"SELECT * FROM by_{by} ORDER BY a", uri(s), engine="adbc").equals(frame))
        same("decimals", polars.read_database("SELECT n FROM k WHERE id = 1", engine).item(), decimal.Decimal("1.50"))


sys.exit(run(globals()))

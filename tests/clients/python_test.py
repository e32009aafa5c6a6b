#!/usr/bin/env python3
"""Python's clients of PostgreSQL: psycopg 3, SQLAlchemy and pandas, against `mtsql --listen`."""
import datetime
import decimal
import sys
import uuid

from listening import listening
from cases import check, run, same
import pandas
import psycopg
import sqlalchemy

UTC = datetime.timezone.utc
VALUES = [1, -32769, 2**40, 3.5, float("inf"), decimal.Decimal("12.3400"), decimal.Decimal("-0.00012"), decimal.Decimal("10000"), decimal.Decimal("123456789012345.678"), decimal.Decimal("0.0000"), True, "text", "ä\t€", b"\x00\xff",
          datetime.date(2024, 2, 29), datetime.date(1, 1, 1), datetime.datetime(2024, 2, 29, 1, 2, 3, 456000, tzinfo=UTC), datetime.datetime(1969, 12, 31, 23, 59, 59, 999000), datetime.timedelta(days=-3, seconds=5, microseconds=7),
          uuid.UUID(int=2**127 + 5), [1, 2, None], [[1, 2], [3, 4]], [1.5], [decimal.Decimal("1.50")], ["a", 'b"c\\', None, "NULL", ""], [datetime.datetime(2024, 1, 1, tzinfo=UTC)], datetime.time(3, 4, 5, 678), None]
TABLE = "CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING {}"
BINARY = b"PGCOPY\n\xff\r\n\0" + bytes(8)
FILL = "INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '10 min', 'h' || i % 3, i FROM generate_series (0, 999) i"


def test_values(folder):
    """Every type, as text and in binary, to the server and back."""
    casts = {int: "int8", float: "float8", decimal.Decimal: "numeric", str: "text", bytes: "bytea", datetime.time: "time", datetime.timedelta: "interval", uuid.UUID: "uuid", datetime.date: "date", bool: "bool"}
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        for value in VALUES:
            first = value
            while isinstance(first, list):
                first = first[0]
            cast = casts.get(type(first)) or ("timestamptz" if getattr(first, "tzinfo", None) else "timestamp" if first is not None else "text")
            cast += "[]" * isinstance(value, list)
            for sends in "tb":
                for binary in (False, True):
                    got = c.execute(f"SELECT %{sends}::{cast}", (value,), binary=binary).fetchone()[0]
                    same(f"{value!r} sent as {sends}, received binary {binary}", repr(got), repr(value))


def test_enums(folder):
    """A label is sent as text and in binary, with the OID of its type; psycopg makes a Python enum of the type."""
    from psycopg.types.enum import EnumInfo, register_enum
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        c.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')")
        c.execute("CREATE TABLE p (m mood)")
        oid = c.execute("SELECT oid FROM pg_type WHERE typname = 'mood'").fetchone()[0]
        for binary in (False, True):
            got = c.execute("SELECT 'ok'::mood, enum_range(NULL::mood)", binary=binary)
            same("the OID of a column", got.description[0].type_code, oid)
            same("a label", got.fetchone()[0], "ok" if not binary else b"ok")
        info = EnumInfo.fetch(c, "mood")
        same("the labels", list(info.labels), ["sad", "ok", "happy"])
        register_enum(info, c)
        c.execute("INSERT INTO p VALUES (%s), (%b), (%t)", [info.enum.happy, info.enum.sad, info.enum.ok])
        for binary in (False, True):
            rows = c.execute("SELECT m FROM p WHERE m >= %s ORDER BY m DESC", [info.enum.ok], binary=binary).fetchall()
            same("rows in order", rows, [(info.enum.happy,), (info.enum.ok,)])
            same("an array", c.execute("SELECT enum_range(NULL::mood)", binary=binary).fetchone()[0], list(info.enum))
        try:
            c.execute("INSERT INTO p VALUES (%s)", ["cross"])
            check("a wrong label is refused", False)
        except psycopg.errors.InvalidTextRepresentation as e:
            check("a wrong label is refused", 'invalid input value for enum mood: "cross"' in str(e))


def test_rows_and_json(folder):
    """Records, json, changes within WITH and FOR UPDATE, as mappers send them."""
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        c.execute("CREATE TABLE r (id int NOT NULL, name text, j json)")
        got = c.execute("WITH i AS (INSERT INTO r VALUES (%s, %s, %s) RETURNING id, name) SELECT i.*, id + 1 AS next FROM i", (1, "a b", '{"x":  [1, 2]}'))
        same("columns of a change within WITH", [d.name for d in got.description], ["id", "name", "next"])
        same("rows of a change within WITH", got.fetchall(), [(1, "a b", 2)])
        for binary in (False, True):
            cur = c.cursor(binary=binary)
            cur.execute("SELECT ROW(id, name, NULL::text), j, row_to_json(r) FROM r")
            same("types", [d.type_code for d in cur.description], [2249, 114, 114])
            record, j, row = cur.fetchone()
            same(f"json, binary {binary}", (j, row), ({"x": [1, 2]}, {"id": 1, "name": "a b", "j": {"x": [1, 2]}}))
            same(f"a record, binary {binary}", tuple(record)[1:], ("a b", None))
        same("FOR UPDATE", c.execute("SELECT id FROM r WHERE id = %s FOR UPDATE SKIP LOCKED", (1,)).fetchall(), [(1,)])


def test_packed(folder):
    """Queries, cursors and COPY over a packed layout."""
    with listening(f"{folder}/s") as s:
        with psycopg.connect(s.dsn(), autocommit=True) as c:
            c.execute(TABLE.format("nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts')"))
            same("rows of an INSERT", c.execute(FILL).rowcount, 1000)
            for host, total in (("h0", 3384), ("h1", 3432), ("h2", 3480), ("h0", 3384)):
                got = c.execute("SELECT sum(v) FROM t WHERE host = %s AND ts < %s", (host, datetime.datetime(2024, 1, 1, 23, 59, tzinfo=UTC)), prepare=True)
                same(f"a prepared statement, {host}", got.fetchone()[0], total)
            with c.cursor() as cur, cur.copy("COPY (SELECT ts, host, v FROM t ORDER BY ts LIMIT 3) TO STDOUT") as copy:
                copy.set_types(["timestamptz", "text", "int8"])
                same("COPY TO", [r[1:] for r in copy.rows()], [("h0", 0), ("h1", 1), ("h2", 2)])
            with c.cursor() as cur:
                with cur.copy("COPY t FROM STDIN") as copy:
                    for i in range(500):
                        copy.write_row((datetime.datetime(2025, 1, 1, tzinfo=UTC) + datetime.timedelta(minutes=i), "x", i))
                same("COPY FROM", cur.rowcount, 500)
            types = ["timestamptz", "text", "numeric", "int4[]", "float8"]
            c.execute("CREATE TABLE b (ts timestamptz TIME NOT NULL, h text, n numeric, a int[], d double precision) USING rows")
            wanted = [(datetime.datetime(2024, 1, 1, tzinfo=UTC) + datetime.timedelta(minutes=i), f"ä{i}", decimal.Decimal(i) / 8 if i % 3 else None, [i, None], i / 3) for i in range(300)]
            with c.cursor() as cur, cur.copy("COPY b FROM STDIN (FORMAT binary)") as copy:
                copy.set_types(types)
                for row in wanted:
                    copy.write_row(row)
            with c.cursor() as cur, cur.copy("COPY (SELECT * FROM b ORDER BY ts) TO STDOUT (FORMAT binary)") as copy:
                copy.set_types(types)
                same("binary COPY", list(copy.rows()), wanted)
            for junk, code in ((b"", "22P04"), (b"PGCOPY", "22P04"), (BINARY + b"\0\3", "22P04"), (BINARY + b"\0\5" + b"\0\0\0\3abc", "22P03"), (BINARY + b"\0\5\0\0", "22P04"), (BINARY.replace(b"\n\xff", b"\n\xff\r\n\0\1")[:19] + b"\xff\xff", "22P04")):
                try:
                    with c.cursor() as cur, cur.copy("COPY b FROM STDIN (FORMAT binary)") as copy:
                        copy.write(junk)
                    check(f"{junk!r} is refused", False)
                except psycopg.Error as e:
                    same(f"{junk!r}", e.sqlstate, code)
            with c.cursor() as cur, cur.copy("COPY b FROM STDIN (FORMAT binary)") as copy:
                copy.write(BINARY)
            same("nothing was kept of them", c.execute("SELECT count(*) FROM b").fetchone()[0], 300)
            try:
                c.execute("SELECT nosuch FROM t")
            except psycopg.errors.UndefinedColumn as e:
                same("an error's place", e.diag.statement_position, "8")
            c.execute("CHECK TABLE t")
        with psycopg.connect(s.dsn()) as c:
            with c.cursor(name="part") as cur:
                cur.itersize = 100
                same("a cursor in parts", sum(r[0] for r in cur.execute("SELECT v FROM t WHERE host <> 'x' ORDER BY v")), 499500)
            c.execute("DELETE FROM t WHERE host = 'x'")
            c.rollback()
            same("ROLLBACK", c.execute("SELECT count(*) FROM t").fetchone()[0], 1500)
            with c.transaction(force_rollback=True):
                c.execute("DELETE FROM t WHERE host = 'x'")
            same("a savepoint", c.execute("SELECT count(*) FROM t").fetchone()[0], 1500)
            with c.cursor() as cur:
                cur.executemany("INSERT INTO t VALUES (%s, %s, %s)", [(datetime.datetime(2026, 1, 1, tzinfo=UTC), "y", i) for i in range(20)])
                same("executemany", cur.rowcount, 20)


def test_keys(folder):
    """What SQLAlchemy reflects of keys: it reads int2vector as text."""
    with listening(f"{folder}/s") as s:
        engine = sqlalchemy.create_engine(f"postgresql+psycopg://tester@127.0.0.1:{s.port}")
        with engine.begin() as c:
            c.execute(sqlalchemy.text("CREATE TABLE t (id int PRIMARY KEY, a int UNIQUE, b text, gone date, CONSTRAINT ab UNIQUE NULLS NOT DISTINCT (b, a))"))
            c.execute(sqlalchemy.text("CREATE UNIQUE INDEX alive ON t (b) WHERE gone IS NULL"))
        i = sqlalchemy.inspect(engine)
        same("the primary key", (i.get_pk_constraint("t")["name"], i.get_pk_constraint("t")["constrained_columns"]), ("t_pkey", ["id"]))
        same("unique constraints", [(k["name"], k["column_names"], k["dialect_options"]["postgresql_nulls_not_distinct"]) for k in i.get_unique_constraints("t")], [("ab", ["b", "a"], True), ("t_a_key", ["a"], False)])
        same("indexes", [(x["name"], x["unique"], x["column_names"], x.get("duplicates_constraint"), x["dialect_options"].get("postgresql_where")) for x in i.get_indexes("t")],
             [("ab", True, ["b", "a"], "ab", None), ("alive", True, ["b"], None, "gone IS NULL"), ("t_a_key", True, ["a"], "t_a_key", None)])
        t = sqlalchemy.Table("made", sqlalchemy.MetaData(), sqlalchemy.Column("id", sqlalchemy.Integer, primary_key=True), sqlalchemy.Column("k", sqlalchemy.Text, unique=True), sqlalchemy.Column("n", sqlalchemy.Integer), sqlalchemy.Index("made_n", "n", unique=True))
        t.create(engine)
        with engine.begin() as c:
            c.execute(t.insert(), [{"id": 1, "k": "x", "n": 1}, {"id": 2, "k": None, "n": None}])
        for row in ({"id": 3, "k": "x", "n": 3}, {"id": 3, "k": "y", "n": 1}):
            try:
                with engine.begin() as c:
                    c.execute(t.insert(), [row])
                check("a row with a key that is there", False)
            except sqlalchemy.exc.IntegrityError as e:
                same("its error", e.orig.sqlstate, "23505")


def test_schemas(folder):
    with listening(f"{folder}/s") as s:
        with psycopg.connect(s.dsn(), autocommit=True) as c:
            c.execute("CREATE SCHEMA s")
            c.execute("CREATE TABLE s.t (id serial, a int PRIMARY KEY, b text, CHECK (a > 0))")
            c.execute("CREATE TABLE t (z int)")
            c.execute("CREATE VIEW s.v AS SELECT a FROM s.t")
            c.execute("CREATE INDEX i ON s.t (b)")
            c.execute("COMMENT ON TABLE s.t IS 'of s'")
            with c.cursor() as cur, cur.copy("COPY s.t (a, b) FROM STDIN") as copy:
                copy.write_row((1, "x"))
        with psycopg.connect(s.dsn(options="'-c search_path=s'"), autocommit=True) as c:
            same("search_path of the start", c.execute("SELECT current_schema(), a, b FROM t").fetchall(), [("s", 1, "x")])
            same("a prepared statement", [c.execute("SELECT b FROM t WHERE a = %s", (1,), prepare=True).fetchone() for _ in range(3)], [("x",)] * 3)
            c.execute("SET search_path = public")
            same("search_path decides at each run", c.execute("SELECT count(*) FROM t").fetchone(), (0,))
        with psycopg.connect(s.dsn(dbname=c_database(s))) as c:
            same("the database by its name", c.execute("SELECT 1").fetchone(), (1,))
        inspected = sqlalchemy.inspect(sqlalchemy.create_engine(f"postgresql+psycopg://tester@127.0.0.1:{s.port}"))
        same("schemas", inspected.get_schema_names(), ["information_schema", "public", "s"])
        same("the default schema", inspected.default_schema_name, "public")
        same("tables of schemas", (inspected.get_table_names(), inspected.get_table_names(schema="s"), inspected.get_view_names(schema="s")), (["t"], ["t"], ["v"]))
        same("columns of a schema's table", [c["name"] for c in inspected.get_columns("t", schema="s")], ["id", "a", "b"])
        same("its key", inspected.get_pk_constraint("t", schema="s")["constrained_columns"], ["a"])
        same("its indexes", [(i["name"], i["column_names"]) for i in inspected.get_indexes("t", schema="s")], [("i", ["b"])])
        same("its checks", [c["name"] for c in inspected.get_check_constraints("t", schema="s")], ["t_a_check"])
        same("its comment", inspected.get_table_comment("t", schema="s")["text"], "of s")
        same("its sequences", inspected.get_sequence_names(schema="s"), ["t_id_seq"])
        check("a table that only the other schema has", not inspected.has_table("v") and inspected.has_table("v", schema="s"))
        table = sqlalchemy.Table("t", sqlalchemy.MetaData(), schema="s", autoload_with=inspected.engine)
        with inspected.engine.begin() as c:
            c.execute(table.insert(), [{"a": 2, "b": "y"}])
            same("rows of the reflected table", [tuple(r) for r in c.execute(sqlalchemy.select(table).order_by(table.c.a))], [(1, 1, "x"), (2, 2, "y")])


def c_database(server):
    with psycopg.connect(server.dsn()) as c:
        return c.execute("SELECT current_database()").fetchone()[0]


def test_pandas(folder):
    with listening(f"{folder}/s") as s:
        engine = sqlalchemy.create_engine(f"postgresql+psycopg://tester@127.0.0.1:{s.port}")
        with engine.begin() as c:
            c.execute(sqlalchemy.text(TABLE.format("nested WITH (cluster_by = 'host', levels = 'ts')")))
            c.execute(sqlalchemy.text(FILL))
        inspected = sqlalchemy.inspect(engine)
        same("tables", inspected.get_table_names(), ["t"])
        same("columns", [(c["name"], str(c["type"]), c["nullable"]) for c in inspected.get_columns("t")], [("ts", "TIMESTAMP", False), ("host", "TEXT", False), ("v", "BIGINT", False)])
        for what in ("get_pk_constraint", "get_indexes", "get_foreign_keys", "get_unique_constraints", "get_check_constraints", "get_table_comment"):
            check(what, not any((getattr(inspected, what)("t") or {}).values()) if isinstance(getattr(inspected, what)("t"), dict) else not getattr(inspected, what)("t"))
        t = sqlalchemy.Table("t", sqlalchemy.MetaData(), autoload_with=engine)
        with engine.connect() as c:
            query = sqlalchemy.select(t.c.host, sqlalchemy.func.sum(t.c.v).label("total")).where(t.c.v >= 10).group_by(t.c.host).order_by(t.c.host)
            same("a query of the reflected table", [tuple(r) for r in c.execute(query)], [("h0", decimal.Decimal(166815)), ("h1", decimal.Decimal(166155)), ("h2", decimal.Decimal(166485))])
        frame = pandas.read_sql("SELECT time_bucket ('1 day', ts) AS day, avg(v)::float8 AS mean FROM t GROUP BY 1 ORDER BY 1", engine)
        same("read_sql", (str(frame.dtypes["day"]).startswith("datetime64"), len(frame), frame["mean"][0]), (True, 7, 71.5))
        frame.to_sql("days", engine, index=False)
        same("to_sql", pandas.read_sql("days", engine)["mean"].tolist(), frame["mean"].tolist())
        frame.to_sql("days", engine, index=False, if_exists="replace")
        frame.to_sql("days", engine, index=False, if_exists="append")
        same("append", len(pandas.read_sql("SELECT * FROM days", engine)), 14)


# Queries, and for each column the stored column that it is: the table or view, and the number of its column.
ORIGINS = [("SELECT * FROM a", [("a", 1), ("a", 2)]), ("SELECT y AS z, x + 1, upper(y) FROM a", [("a", 2), None, None]), ("SELECT b.*, a.y FROM a JOIN b ON a.x = b.u", [("b", 1), ("b", 2), ("a", 2)]),
           ("SELECT a.y, b.v FROM a LEFT JOIN b ON a.x = b.u WHERE b.v > 1", [("a", 2), ("b", 2)]), ("SELECT z FROM (SELECT y AS z FROM a LIMIT 3) s", [("a", 2)]), ("WITH w AS (SELECT x FROM a) SELECT w.x, c.x FROM w, w c", [("a", 1), ("a", 1)]),
           ("SELECT * FROM va", [("va", 1), ("va", 2)]), ("SELECT y, count(*) FROM a GROUP BY y", [("a", 2), None]), ("SELECT y, min(x) FROM a GROUP BY y ORDER BY y", [("a", 2), None]), ("SELECT DISTINCT y FROM a", [("a", 2)]), ("SELECT x FROM a UNION ALL SELECT u FROM b", [None]),
           ("SELECT x, row_number() OVER (ORDER BY x) FROM a", [("a", 1), None]), ("SELECT (SELECT max(v) FROM b), x FROM a", [None, ("a", 1)]), ("SELECT x FROM s.a", [("s.a", 1)]), ("SELECT x FROM tmp", [("tmp", 1)]), ("INSERT INTO a VALUES (9, 'z') RETURNING y, x", [("a", 2), ("a", 1)]),
           ("UPDATE a SET x = x WHERE false RETURNING *", [("a", 1), ("a", 2)]), ("SELECT a.x, g FROM a, generate_series(1, 2) g", [("a", 1), None]), ("SELECT x::text, CASE WHEN true THEN x END FROM a", [None, None]), ("SELECT x FROM a ORDER BY y LIMIT 1", [("a", 1)]), ("VALUES (1)", [None]),
           ("SELECT l.u FROM a, LATERAL (SELECT u FROM b WHERE b.u = a.x) l", [("b", 1)]), ("SELECT x FROM a WHERE x IN (SELECT u FROM b)", [("a", 1)]), ("SELECT c.v FROM (SELECT y, x FROM a) AS c (u, v)", [("a", 1)]), ("SELECT x FROM a NATURAL JOIN (SELECT 1 AS x) o", [("a", 1)])]
ORIGINS_MADE = "CREATE TABLE a (x int, y text); CREATE TABLE b (u int PRIMARY KEY, v int); CREATE VIEW va AS SELECT x + 1 AS p, y FROM a; CREATE SCHEMA s; CREATE TABLE s.a (x int); CREATE TEMPORARY TABLE tmp (x int)"


def test_origins(folder):
    """The table and column of each column of a result, before and after the definitions change."""
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        c.execute(ORIGINS_MADE)
        for turn in range(2):
            names = dict(c.execute("SELECT oid::int8, oid::regclass::text FROM pg_class").fetchall())
            for sql, wanted in ORIGINS:
                for binary in (False, True):
                    r = c.execute(sql, binary=binary, prepare=binary).pgresult
                    same(f"turn {turn}: {sql}", [(names[r.ftable(i)], r.ftablecol(i)) if r.ftable(i) else None for i in range(r.nfields)], wanted)
            c.execute("DROP TABLE b; CREATE TABLE IF NOT EXISTS before (x int); CREATE TABLE b (u int, v int)")


def test_named_statements(folder):
    """SQL finds the statements that the protocol has prepared, and the other way round."""
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        c.prepare_threshold = 0
        same("prepared", c.execute("SELECT %s::int + 1", [1]).fetchone(), (2,))
        name, text, from_sql = c.execute("SELECT name, statement, from_sql FROM pg_prepared_statements WHERE statement LIKE '%%+ 1'").fetchone()
        same("in the catalog", (text, from_sql), ("SELECT $1::int + 1", False))
        c.prepare_threshold = None
        same("EXECUTE", c.execute(f"EXECUTE {name}(41)").fetchone(), (42,))
        same("its type", c.execute(f"EXPLAIN (FORMAT JSON) EXECUTE {name}(2)").description[0].type_code, 114)
        r = c.pgconn.prepare(name.encode(), b"SELECT 1")
        check("the name is taken", b"already exists" in r.error_message)
        same("PREPARE, too", refused(c, f"PREPARE {name} AS SELECT 1"), "42P05")
        c.execute(f"DEALLOCATE {name}")
        check("DEALLOCATE", b"does not exist" in c.pgconn.exec_prepared(name.encode(), [b"1"]).error_message)
        c.pgconn.prepare(b"a", b"SELECT 1")
        c.execute("PREPARE b AS SELECT 2")
        c.execute("DISCARD ALL")
        check("DISCARD ALL", b"does not exist" in c.pgconn.exec_prepared(b"a", []).error_message)
        same("a name again", (c.pgconn.prepare(b"a", b"SELECT 3").status, c.pgconn.exec_prepared(b"a", []).get_value(0, 0)), (psycopg.pq.ExecStatus.COMMAND_OK, b"3"))
        same("a name that SQL has", (c.execute("PREPARE d AS SELECT 4") and c.pgconn.prepare(b"d", b"SELECT 5").error_field(psycopg.pq.DiagnosticField.SQLSTATE)), b"42P05")


def refused(c, sql):
    try:
        c.execute(sql)
    except psycopg.Error as e:
        return e.sqlstate
    return "not refused"


def test_catalog_types(folder):
    """The types name and "char" of the catalog, which expressions lose."""
    with listening(f"{folder}/s") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        for sql, oids in [("SELECT relname, relkind, relname || '', relname::text, relkind::text, upper(relname) FROM pg_class", [19, 18, 25, 25, 25, 25]), ("SELECT relkind FROM pg_class GROUP BY relkind", [18]), ("SELECT 'abc'::\"char\", 'abc'::name", [18, 19]),
                          ("SELECT array_agg(relname), array_agg(relkind), min(relkind::text) FROM pg_class", [1009, 1009, 25]), ("SELECT relkind FROM pg_class UNION SELECT typtype FROM pg_type", [18]), ("SELECT relname FROM pg_class UNION SELECT 'x'", [25]), ("SELECT CASE WHEN true THEN 'long' ELSE relkind END FROM pg_class", [25])]:
            for binary in (False, True):
                r = c.execute(sql, binary=binary)
                same(f"{sql}, binary {binary}", [d.type_code for d in r.description], oids)
        row = c.execute("SELECT relname, relkind, attidentity, ARRAY[relkind, 'x'::\"char\"] FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE relname = 'pg_class' LIMIT 1", binary=True).pgresult
        same("in binary", [row.get_value(0, i) for i in range(3)], [b"pg_class", b"r", b"\0"])
        r = c.pgconn.exec_params(b"SELECT relname FROM pg_class WHERE relkind = $1 AND relname = $2", [b"r", b"pg_class"], [18, 19], [1, 1])
        same("parameters", r.get_value(0, 0), b"pg_class")


sys.exit(run(globals()))

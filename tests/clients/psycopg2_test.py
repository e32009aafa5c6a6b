#!/usr/bin/env python3
"""psycopg 2, which writes parameters into the statement's text, and receives texts."""
import datetime
import decimal
import io
import sys
import threading
import time
import uuid

from listening import add, certificate, listening
from cases import check, run, same
import psycopg2
import psycopg2.extras
import psycopg2.pool
from psycopg2 import errors, extensions

UTC = datetime.timezone.utc
VALUES = [("int2", -7), ("int8", 2**40), ("float8", 1.5), ("float8", float("-inf")), ("numeric", decimal.Decimal("-12.3400")), ("bool", True), ("text", "ä€'\\%"), ("bytea", b"\0\xff'"), ("date", datetime.date(2024, 2, 29)),
          ("timestamptz", datetime.datetime(2024, 6, 1, 12, 30, tzinfo=UTC)), ("timestamp", datetime.datetime(1969, 12, 31, 23, 59, 59, 999000)), ("time", datetime.time(3, 4, 5, 678)), ("interval", datetime.timedelta(days=3, seconds=-5, microseconds=7)),
          ("int4[]", [1, None, 3]), ("text[]", ["a,b", None, 'b"c', ""]), ("uuid", uuid.UUID(int=7)), ("jsonb", {"a": [1, None]}), ("mood", "ok"), ("numeric[]", [decimal.Decimal("1.50")])]
MADE = """CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TABLE k (id serial PRIMARY KEY, name text, n int CONSTRAINT positive CHECK (n > 0));
CREATE TABLE packed (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts');
INSERT INTO packed SELECT '2024-01-01'::timestamptz + i * interval '10 min', 'h' || i % 3, i FROM generate_series (0, 999) i"""


def one(c, sql, values=None):
    with c.cursor() as cur:
        cur.execute(sql, values)
        return cur.fetchone()[0]


def session(folder, steps):
    """Runs steps (connection) on a server with the tables."""
    with listening(f"{folder}/s") as s:
        c = psycopg2.connect(s.dsn())
        psycopg2.extras.register_uuid(conn_or_curs=c)
        try:
            with c, c.cursor() as cur:
                cur.execute(MADE)
            steps(c, s)
        finally:
            c.close()


def test_values(folder):
    def steps(c, s):
        for kind, value in VALUES:
            given = psycopg2.extras.Json(value) if isinstance(value, dict) else value
            got = one(c, f"SELECT %s::{kind}", (given,))
            same(f"{value!r} as {kind}", bytes(got) if isinstance(got, memoryview) else got, value)
        same("NULL", one(c, "SELECT %s::int", (None,)), None)
        with c.cursor(cursor_factory=psycopg2.extras.RealDictCursor) as cur:
            cur.execute("SELECT id, name, 1 AS more FROM k")
            same("the columns", [(d.name, d.type_code, d.table_oid is not None, d.table_column) for d in cur.description], [("id", 23, True, 1), ("name", 25, True, 2), ("more", 23, False, None)])
    session(folder, steps)


def test_transactions(folder):
    def steps(c, s):
        with c, c.cursor() as cur:
            psycopg2.extras.execute_values(cur, "INSERT INTO k (name, n) VALUES %s", [(f"n{i}", i + 1) for i in range(250)])
            psycopg2.extras.execute_batch(cur, "UPDATE k SET n = n + %s WHERE id = %s", [(1, i) for i in range(1, 11)])
        same("many rows", one(c, "SELECT sum(n) FROM k"), 31385)
        for sql, error, names in [("INSERT INTO k VALUES (1)", errors.UniqueViolation, ("k", None, "k_pkey")), ("INSERT INTO k (n) VALUES (-1)", errors.CheckViolation, ("k", None, "positive")), ("INSERT INTO k (id) VALUES (NULL)", errors.NotNullViolation, ("k", "id", None)),
                                  ("SELECT nosuch", errors.UndefinedColumn, (None, None, None)), ("LISTEN channel", errors.FeatureNotSupported, (None, None, None))]:
            try:
                with c, c.cursor() as cur:
                    cur.execute(sql)
                check(f"{sql} is refused", False)
            except error as e:
                same(sql, (e.diag.table_name, e.diag.column_name, e.diag.constraint_name), names)
                same(f"{sql}: the schema", e.diag.schema_name, "public" if names[0] else None)
        same("ROLLBACK", one(c, "SELECT count(*) FROM k"), 250)
        with c.cursor() as cur:
            cur.execute("SAVEPOINT here; DELETE FROM k; ROLLBACK TO here")
            same("a savepoint", (c.info.transaction_status, one(c, "SELECT count(*) FROM k")), (extensions.TRANSACTION_STATUS_INTRANS, 250))
        c.rollback()
        c.set_session(isolation_level="REPEATABLE READ", readonly=True)
        try:
            one(c, "DELETE FROM k RETURNING 1")
            check("a transaction that only reads", False)
        except errors.ReadOnlySqlTransaction:
            c.rollback()
    session(folder, steps)


def test_cursors_and_copy(folder):
    def steps(c, s):
        with c, c.cursor("named") as cur:
            cur.itersize = 64
            cur.execute("SELECT n FROM packed ORDER BY ts")
            same("a cursor on the server", (cur.fetchmany(3), sum(r[0] for r in cur)), ([(0,), (1,), (2,)], 499497))
        with c, c.cursor() as cur:
            cur.copy_expert("COPY k (name, n) FROM STDIN (FORMAT csv)", io.StringIO("a,1\n,2\n"))
            cur.copy_from(io.StringIO("b\t3\n\\N\t4\n"), "k", columns=("name", "n"))
            out = io.StringIO()
            cur.copy_expert("COPY (SELECT name, n FROM k ORDER BY n) TO STDOUT", out)
            same("COPY", out.getvalue(), "a\t1\n\\N\t2\nb\t3\n\\N\t4\n")
        with c, c.cursor() as cur:
            cur.execute("SELECT host, count(*), avg(n), array_agg(n ORDER BY n) FROM packed WHERE n < %s GROUP BY host ORDER BY host", (6,))
            same("groups", cur.fetchall(), [("h0", 2, decimal.Decimal("1.5"), [0, 3]), ("h1", 2, decimal.Decimal("2.5"), [1, 4]), ("h2", 2, decimal.Decimal("3.5"), [2, 5])])
    session(folder, steps)


def test_cancel_and_pool(folder):
    def steps(c, s):
        def cancel():
            time.sleep(0.2)
            c.cancel()
        thread = threading.Thread(target=cancel)
        thread.start()
        try:
            one(c, "SELECT pg_sleep(600)")
            check("a statement is cancelled", False)
        except errors.QueryCanceled:
            c.rollback()
        thread.join()
        same("after it", one(c, "SELECT 1"), 1)
        pool = psycopg2.pool.ThreadedConnectionPool(1, 4, s.dsn())
        found = []

        def work(i):
            d = pool.getconn()
            found.append(one(d, "SELECT sum(n)::int + %s FROM packed WHERE host = 'h1'", (i,)) - i)
            pool.putconn(d)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        pool.closeall()
        same("a pool", found, [166167] * 4)
    session(folder, steps)


def test_logins(folder):
    users, (cert, key) = f"{folder}/users", certificate(folder)
    add(users, "ann", "päss wörd")
    with listening(f"{folder}/s", "--users", users, "--tls-cert", cert, "--tls-key", key) as s:
        for more in ({"sslmode": "disable"}, {"sslmode": "verify-full", "sslrootcert": cert}):
            c = psycopg2.connect(s.dsn("ann", **more), password="päss wörd")
            same(f"{more}", one(c, "SELECT 1"), 1)
            c.close()
        try:
            psycopg2.connect(s.dsn("ann"), password="wrong")
            check("a wrong password", False)
        except psycopg2.OperationalError as e:
            check("a wrong password", "password authentication failed" in str(e))
    with listening(f"{folder}/s", address=f"unix:{folder}/socket"):
        c = psycopg2.connect(f"host={folder}/socket user=tester")
        same("a Unix socket", one(c, "SELECT 1"), 1)
        c.close()


sys.exit(run(globals()))

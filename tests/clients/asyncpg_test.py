#!/usr/bin/env python3
"""asyncpg, which sends all values in binary, and looks up types in the catalog."""
import asyncio
import datetime
import decimal
import io
import json
import sys

from listening import listening
from cases import check, run, same
import asyncpg

UTC = datetime.timezone.utc
START = datetime.datetime(2024, 1, 1, tzinfo=UTC)
VALUES = [("int2", -7), ("int4", 2**31 - 1), ("int8", -2**40), ("oid", 2**32 - 1), ("float4", 1.5), ("float8", 2.25), ("numeric", decimal.Decimal("-12.3400")), ("bool", True), ("text", "ä€"), ("bytea", b"\0\xff"), ("date", datetime.date(2024, 2, 29)),
          ("timestamptz", START), ("timestamp", datetime.datetime(1969, 12, 31, 23, 59, 59, 999000)), ("interval", datetime.timedelta(days=3, seconds=-5, microseconds=7)), ("time", datetime.time(3, 4, 5, 678)), ("jsonb", '{"a": 1}'), ("int4[]", [1, None, 3]), ("int8[]", [[1, 2], [3, 4]]),
          ("oid[]", [26, 2**32 - 1]), ("text[]", ["a", None, 'b"c']), ("numeric[]", [decimal.Decimal("1.50")]), ("timestamptz[]", [START])]


def session(folder, steps):
    """Runs steps (connection) on a server with a packed table."""
    async def connected(port):
        c = await asyncpg.connect(host="127.0.0.1", port=port, user="tester")
        try:
            await c.execute("CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts')")
            await c.execute("INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '10 min', 'h' || i % 3, i FROM generate_series (0, 999) i")
            await steps(c)
        finally:
            await c.close()
    with listening(f"{folder}/s") as s:
        asyncio.run(connected(s.port))


def test_values(folder):
    """Each type as a parameter and in a result. asyncpg finds arrays and states in the catalog."""
    async def steps(c):
        for cast, value in VALUES:
            same(f"{value!r} as {cast}", await c.fetchval(f"SELECT $1::{cast}", value), value)
        row = await c.fetchrow("SELECT pg_class.oid, 'pg_class'::regclass::oid AS same, pg_typeof (oid)::text AS type FROM pg_class WHERE oid = $1", 1259)
        same("an OID of the catalog", tuple(row), (1259, 1259, "oid"))
        same("any of OIDs", [r[0] for r in await c.fetch("SELECT typname FROM pg_type WHERE oid = ANY ($1::oid[]) ORDER BY oid", [26, 23])], ["int4", "oid"])
        check("a state, as text", "statssummary1d" in await c.fetchval("SELECT stats_agg (v) FROM t"))
        same("names of catalog objects", await c.fetchval("SELECT ARRAY['pg_class'::regclass]::text[]"), ["pg_class"])
    session(folder, steps)


def test_codecs(folder):
    """asyncpg looks up the kind of a type, a "char", before it takes a codec."""
    async def steps(c):
        await c.execute("CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN positive AS int CHECK (value > 0)")
        await c.set_type_codec("mood", encoder=str.lower, decoder=str.upper)
        same("an enumerated type", (await c.fetchval("SELECT $1::mood", "OK"), await c.fetchval("SELECT ARRAY['ok', 'sad']::mood[]")), ("OK", ["OK", "SAD"]))
        await c.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)
        same("jsonb", await c.fetchval("SELECT $1::jsonb", {"a": [1, None]}), {"a": [1, None]})
        same("the catalog's types", tuple(await c.fetchrow("SELECT typname, typtype, typcategory FROM pg_type WHERE typname = 'mood'")), ("mood", b"e", b"E"))
        same("a domain", await c.fetchval("SELECT 5::positive"), 5)
    session(folder, steps)


def test_packed(folder):
    async def steps(c):
        same("a parameter", await c.fetchval("SELECT sum(v) FROM t WHERE host = $1 AND ts < $2", "h0", START + datetime.timedelta(days=1)), 3384)
        same("an array of a group", [tuple(r) for r in await c.fetch("SELECT host, array_agg(v ORDER BY v) FROM t WHERE v < $1 GROUP BY host ORDER BY host", 5)], [("h0", [0, 3]), ("h1", [1, 4]), ("h2", [2])])
        async with c.transaction():
            same("a cursor that reads ahead", [r["v"] async for r in c.cursor("SELECT v FROM t ORDER BY v", prefetch=50)], list(range(1000)))
        out = io.BytesIO()

        async def keep(data):
            out.write(data)
        same("COPY TO", await c.copy_from_query("SELECT host, v FROM t ORDER BY v LIMIT 2", output=keep, format="csv"), "COPY 2")
        same("its bytes", out.getvalue(), b"h0,0\nh1,1\n")
        same("COPY FROM", await c.copy_to_table("t", source=io.BytesIO(b"2025-03-01,x,-1\n"), format="csv"), "COPY 1")
        await c.executemany("INSERT INTO t VALUES ($1, $2, $3)", [(START + datetime.timedelta(days=400, minutes=i), "x", i) for i in range(100)])
        same("executemany", await c.fetchval("SELECT count(*) FROM t WHERE host = 'x'"), 101)
        try:
            async with c.transaction():
                await c.execute("DELETE FROM t WHERE host = 'x'")
                await c.execute("SELECT nosuch FROM t")
        except asyncpg.UndefinedColumnError as e:
            same("an error's place", e.position, "8")
        same("ROLLBACK", await c.fetchval("SELECT count(*) FROM t"), 1101)
    session(folder, steps)


def test_pool(folder):
    """A pool resets a connection before another task gets it."""
    async def steps(port):
        async with asyncpg.create_pool(host="127.0.0.1", port=port, user="tester", min_size=2, max_size=4) as pool:
            same("ten tasks", await asyncio.gather(*(pool.fetchval("SELECT $1::int + 1", i) for i in range(10))), list(range(1, 11)))
            async with pool.acquire() as c:
                await c.execute("SET TimeZone = 'Asia/Tokyo'")
            zones = {await pool.fetchval("SELECT current_setting ('TimeZone')") for _ in range(4)}
            same("settings of the tasks after", "Asia/Tokyo" in zones, False)
    with listening(f"{folder}/s") as s:
        asyncio.run(steps(s.port))


def test_binary_copy(folder):
    """asyncpg copies records in the binary format."""
    async def steps(c):
        records = [(START + datetime.timedelta(days=500, minutes=i), "z", i) for i in range(200)]
        same("rows", await c.copy_records_to_table("t", records=records), "COPY 200")
        same("what came", [tuple(r) for r in await c.fetch("SELECT * FROM t WHERE host = 'z' ORDER BY ts")], records)
        try:
            await c.copy_records_to_table("t", records=[(START, None, 1)])
            check("NULL is refused", False)
        except asyncpg.NotNullViolationError as e:
            same("the row", e.context, "COPY t, line 1")
    session(folder, steps)


sys.exit(run(globals()))

#!/usr/bin/env python3
"""Arrow files and streams, read by pyarrow: every type of SQL, NULLs, batches, and values that
Arrow can't hold.
"""
import datetime
import decimal
import io
import os
import subprocess
import sys
import uuid

import pyarrow as pa
import pyarrow.ipc

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run, same
from paths import MTSQL

UTC = datetime.timezone.utc
NANO = pa.month_day_nano_interval()
# Expression, Arrow type, value.
TYPES = [
    ("true", pa.bool_(), True),
    ("smallint '-32768'", pa.int16(), -32768),
    ("42", pa.int32(), 42),
    ("9223372036854775807", pa.int64(), 2**63 - 1),
    ("real '1.5'", pa.float32(), 1.5),
    ("float8 '0.1'", pa.float64(), 0.1),
    ("float8 '-Infinity'", pa.float64(), float("-inf")),
    ("1.50::numeric", pa.string(), "1.50"),
    ("'-12.5'::numeric(10,2)", pa.decimal128(10, 2), decimal.Decimal("-12.50")),
    ("'-99999999999999999999999999999999.99'::numeric(34,2)", pa.decimal128(34, 2), decimal.Decimal("-99999999999999999999999999999999.99")),
    ("0::numeric(3,1)", pa.decimal128(3, 1), decimal.Decimal("0.0")),
    ("text 'grüß ''\"'", pa.string(), "grüß '\""),
    ("text ''", pa.string(), ""),
    ("varchar(3) 'abc'", pa.string(), "abc"),
    ("date '2024-02-29'", pa.date32(), datetime.date(2024, 2, 29)),
    ("date '0001-01-01'", pa.date32(), datetime.date(1, 1, 1)),
    ("time '23:59:59.123456'", pa.time64("us"), datetime.time(23, 59, 59, 123456)),
    ("timestamp '1969-12-31 23:59:59.999'", pa.timestamp("us"), datetime.datetime(1969, 12, 31, 23, 59, 59, 999000)),
    ("timestamptz '2024-02-29 12:00:00.5+02'", pa.timestamp("us", "UTC"), datetime.datetime(2024, 2, 29, 10, 0, 0, 500000, tzinfo=UTC)),
    ("interval '1 year -2 days 3.000001 seconds'", NANO, pa.MonthDayNano([12, -2, 3000001000])),
    ("uuid 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", pa.uuid(), uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")),
    ("bytea '\\x00ff'", pa.binary(), b"\x00\xff"),
    ("jsonb '{\"a\": [1, 2.50]}'", pa.string(), '{"a": [1, 2.50]}'),
    ("objectid '507f1f77bcf86cd799439011'", pa.string(), "507f1f77bcf86cd799439011"),
    ("ARRAY[1, NULL, 3]", pa.list_(pa.int32()), [1, None, 3]),
    ("'{}'::bigint[]", pa.list_(pa.int64()), []),
    ("ARRAY['a', NULL, '']", pa.list_(pa.string()), ["a", None, ""]),
    ("ARRAY[true, NULL, false]", pa.list_(pa.bool_()), [True, None, False]),
    ("'{1.5,-2}'::numeric(5,1)[]", pa.list_(pa.decimal128(5, 1)), [decimal.Decimal("1.5"), decimal.Decimal("-2.0")]),
    ("ARRAY[jsonb '[1]', jsonb 'null']", pa.list_(pa.string()), ["[1]", "null"]),
    ("ARRAY[interval '1 day']", pa.list_(NANO), [pa.MonthDayNano([0, 1, 0])]),
]
# Expression, SQLSTATE, a part of the message.
WRONG = [
    ("'NaN'::numeric(3,1)", "22003", 'value "NaN" of column "x" does not fit Arrow\'s type decimal128(3, 1)'),
    ("timestamptz 'infinity'", "22008", 'value "infinity" of column "x"'),
    ("date '-infinity'", "22008", "date32"),
    ("timestamp '294276-12-31'", "22008", "timestamp[us]"),
    ("interval '2562047788 hours'", "22008", "month_day_nano_interval"),
    ("ARRAY[[1, 2], [3, 4]]", "0A000", "several dimensions"),
]
# More than a batch; NULLs only from the second batch on, and everywhere.
MANY = "SELECT i, CASE WHEN i > 66000 THEN NULL ELSE i END AS late, nullif(i % 3, 0) AS third, CASE WHEN i % 5 > 0 THEN i % 2 = 0 END AS even, 'n' || i AS s, CASE WHEN i % 4 > 0 THEN ARRAY[i, NULL] END AS l FROM generate_series(1, 150000) i"


def mtsql(*args, target=None):
    command = [MTSQL, "-X", "-q", *([target] if target else []), *args]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def stream(sql, *args, target=None):
    p = mtsql("--arrow", *args, "-c", sql, target=target)
    assert p.returncode == 0, p.stderr.decode()
    table = pa.ipc.open_stream(io.BytesIO(p.stdout)).read_all()
    table.validate(full=True)
    return table


def test_types():
    columns = ", ".join(f"{e} AS c{i}" for i, (e, _, _) in enumerate(TYPES))
    # a row of values, one of NULLs, and the values again
    table = stream(f"WITH v AS (SELECT {columns}) SELECT v.* FROM generate_series(1, 3) AS i LEFT JOIN v ON i <> 2 ORDER BY i")
    for i, (expression, kind, value) in enumerate(TYPES):
        same(f"the type of {expression}", table.schema.field(i).type, kind)
        same(f"the values of {expression}", table.column(i).to_pylist(), [value, None, value])


def test_errors(folder):
    for expression, state, message in WRONG:
        for where in ([], ["-c", f"COPY (SELECT {expression} AS x) TO '{folder}/x.arrow'"]):
            p = mtsql("-v", "VERBOSITY=verbose", *(where or ["--arrow", "-c", f"SELECT {expression} AS x"]))
            check(f"{expression} {where}", p.returncode == 3 and state in p.stderr.decode() and message in p.stderr.decode() and "HINT:" in p.stderr.decode(), p.stderr.decode())


def test_batches(folder):
    table = stream(MANY)
    check("several batches", len(table.to_batches()) > 2 and max(b.num_rows for b in table.to_batches()) <= 65536)
    rows = range(1, 150001)
    wanted = {
        "i": list(rows),
        "late": [i if i <= 66000 else None for i in rows],
        "third": [i % 3 or None for i in rows],
        "even": [i % 2 == 0 if i % 5 else None for i in rows],
        "s": [f"n{i}" for i in rows],
        "l": [[i, None] if i % 4 else None for i in rows],
    }
    for name, values in wanted.items():
        check(name, table.column(name).to_pylist() == values)
    for name, form in (("x.arrow", pa.ipc.open_file), ("x.feather", pa.ipc.open_file), ("x.arrows", pa.ipc.open_stream)):
        path = os.path.join(folder, name)
        p = mtsql("-c", f"COPY ({MANY}) TO '{path}'")
        check(name, p.returncode == 0 and form(path).read_all().equals(table), p.stderr.decode())
    with pa.memory_map(os.path.join(folder, "x.arrow")) as mapped:
        check("a file has its batches", pa.ipc.open_file(mapped).num_record_batches == len(table.to_batches()))


def test_wide_rows_make_small_batches():
    table = stream("SELECT repeat('x', 1000000) AS s FROM generate_series(1, 30)")
    sizes = [b.nbytes for b in table.to_batches()]
    check("no batch is much over 8 MB", table.num_rows == 30 and max(sizes) < 10_000_000, str(sizes))


def test_no_rows_and_no_columns():
    table = stream("SELECT 1 AS a, ARRAY['x'] AS b WHERE false")
    same("no rows", (table.num_rows, table.schema.names), (0, ["a", "b"]))
    same("no columns", stream("SELECT;").num_columns, 0)


def test_names():
    same("equal names get numbers", stream('SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a, 5 AS "é"').schema.names, ["a", "a_3", "a_2", "a_4", "é"])


def test_shell(folder):
    path = os.path.join(folder, "x.arrow")
    p = mtsql("--arrow", "-c", "SELECT 1 AS a", "-c", "SELECT 'x' AS b", "-c", "\\timing")
    source = io.BytesIO(p.stdout)
    same("a stream for each result", [pa.ipc.open_stream(source).read_all().to_pydict() for _ in range(2)], [{"a": [1]}, {"b": ["x"]}])
    p = subprocess.run([MTSQL, "-X"], input=f"\\timing\n\\pset format arrow\nSELECT 1 AS a \\g {path}\nCREATE TABLE t (ts timestamptz TIME) USING rows;\n".encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    same("\\g writes a file", pa.ipc.open_file(path).read_all().to_pydict(), {"a": [1]})
    check("no tag, and times on standard error", b"Time:" in p.stderr and b"Time:" not in p.stdout and b"CREATE" not in p.stdout, repr(p))
    p = mtsql("--arrow", "-c", "SHOW server_version_num")
    same("text results", pa.ipc.open_stream(p.stdout).read_all().column(0).to_pylist(), ["150000"])


def test_reader_that_leaves():
    p = subprocess.run(["bash", "-c", f"set -o pipefail; '{MTSQL}' -X --arrow -c 'SELECT i FROM generate_series(1, 3000000) i' | head -c 100 > /dev/null"], stderr=subprocess.PIPE)
    same("nothing is reported", p.stderr, b"")


if __name__ == "__main__":
    sys.exit(run(globals()))

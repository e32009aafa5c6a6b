#!/usr/bin/env python3
"""The largest values that SQL can make, in a small address space. Each statement is answered, or
ends with its own error. The next statement is answered.
"""
import os
import re
import resource
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import Skip, check, run, same
from command import shell
from paths import MTSQL

MB = 1 << 20
LONG = os.environ.get("MTSQL_TEST_LONG")  # all values in three sizes, some of which take minutes
LARGE = "repeat('0123456789', 4000000)"  # 40 MB
ROWS = "generate_series(1, 3000) n"
VALUES = [
    "format('%1500000000s', 'x')", "format('%-900000000s', 'x')", "lpad('x', 1500000000)", "rpad('x', 900000000, 'ab')", "repeat('x', 2000000000)", "repeat('ab', 400000000)",
    f"{LARGE} || {LARGE}", f"concat({LARGE}, {LARGE}, 'x')", f"replace({LARGE}, '1', '{'x' * 1000}')", f"upper({LARGE})", f"reverse({LARGE})", f"initcap({LARGE})",
    f"translate({LARGE}, '12', 'xy')", f"overlay({LARGE} PLACING 'x' FROM 7)", f"encode({LARGE}::bytea, 'hex')", f"encode({LARGE}::bytea, 'escape')", f"md5({LARGE})",
    f"regexp_replace({LARGE}, '9', '{'y' * 500}', 'g')", f"quote_literal({LARGE})", f"to_jsonb({LARGE})::text", f"jsonb_build_object('a', {LARGE}, 'b', {LARGE})::text",
    f"jsonb_build_array({LARGE}, {LARGE})::text", f"ARRAY[{LARGE}, {LARGE}, {LARGE}]::text", f"array_to_string(ARRAY[{LARGE}, {LARGE}], ',')",
    f"array_fill({LARGE}, ARRAY[40])::text", f"array_to_string(string_to_array({LARGE}, '9'), '--')",
    f"(SELECT string_agg(repeat('x', 1000000), ',') FROM {ROWS})", f"(SELECT array_agg(repeat('x', 1000000)) FROM {ROWS})::text",
    f"(SELECT jsonb_agg(repeat('x', 1000000)) FROM {ROWS})::text", f"(SELECT jsonb_object_agg(n, repeat('x', 1000000)) FROM {ROWS})::text",
    f"(SELECT count(DISTINCT repeat('x', 100000) || n) FROM {ROWS})::text", f"(SELECT max(repeat('x', 1000000) || n) FROM {ROWS})",
    f"(SELECT last_value(x) OVER () FROM (SELECT repeat('x', 1000000) || n AS x FROM generate_series(1, 200) n) t LIMIT 1)",
    "array_to_string(array_append((SELECT array_agg(n) FROM generate_series(1, 2000000) n), 1), ',')",
    "array_to_string(array_fill(7, ARRAY[4000000]), ',')",
    "(SELECT count(*) FROM (SELECT md5(n::text) AS k FROM generate_series(1, 500000) n GROUP BY k) t)::text",
]
WIDE_ROWS = "SELECT repeat('x', 40000000) || n, repeat('y', 40000000) FROM generate_series(1, 2) n"


def in_space(megabytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB, megabytes * MB))


def test_large_values():
    if "/asan/" in MTSQL:
        raise Skip("AddressSanitizer reserves more address space than these limits allow")
    for megabytes in (150, 400, 1000) if LONG else (150,):
        for value in VALUES if LONG else VALUES[:17]:
            done = shell("-At", "-v", "ON_ERROR_STOP=0", "-v", "VERBOSITY=sqlstate", text=f"SELECT length({value});\nSELECT 'next';\n", preexec_fn=in_space(megabytes))
            what = f"{value[:90]} in {megabytes} MB"
            error = re.search(r"ERROR:\s+(\w+)", done.stderr)
            check(f"{what}: {done.returncode} {done.stderr[:300]}", done.returncode >= 0)
            check(f"{what}: {done.stderr[:300]}", error is None or error[1] in ("53200", "54000"))
            check(f"{what}: the next statement", done.stdout.endswith("next\n"), done.stdout[-200:] + done.stderr[-300:])


def test_wide_rows():
    if "/asan/" in MTSQL:
        raise Skip("AddressSanitizer reserves more address space than these limits allow")
    for megabytes in (200, 300, 400):
        done = shell("-At", "-v", "ON_ERROR_STOP=0", "-o", "/dev/null", text=f"{WIDE_ROWS};\n\\o\nSELECT 'next';\n",
                     preexec_fn=in_space(megabytes))
        check(f"wide rows in {megabytes} MB: {done.returncode} {done.stderr[:300]}", done.stdout == "next\n")


def test_more_than_a_gigabyte():
    for value in ("format('%1500000000s', 'x')", "repeat('x', 2000000000)", "lpad('x', 1500000000)"):
        done = shell("-At", "-v", "ON_ERROR_STOP=0", text=f"SELECT length({value});\nSELECT 'next';\n")
        same(value, (re.search(r"ERROR:.*", done.stderr)[0], done.stdout), ("ERROR:  requested length too large", "next\n"))


def size_of(folder):
    return sum(os.path.getsize(os.path.join(at, f)) for at, _, files in os.walk(folder) for f in files)


def test_a_store_in_its_own_size():
    if "/asan/" in MTSQL:
        raise Skip("AddressSanitizer reserves more address space than these limits allow")
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "s.mts")
        shell(store, "-c", "CREATE TABLE t (id integer, word text)",
              "-c", "INSERT INTO t SELECT n, repeat(md5(n::text), 10) FROM generate_series(1, 200000) n")
        megabytes = size_of(store) // MB + 64
        done = shell("-At", "-r", store, "-c", "SELECT count(*), max(length(word)) FROM t", preexec_fn=in_space(megabytes))
        same(f"a store of {size_of(store) // MB} MB in {megabytes} MB", (done.stdout, done.stderr), ("200000|320\n", ""))


if __name__ == "__main__":
    sys.exit(run(globals()))

#!/usr/bin/env python3
"""The golden files' queries give the same rows in text and in binary.

    binary_test.py [NAME...]   only these files

psql splits the files into statements, which a proxy records. Each query then runs in text, in
binary and in text again. psycopg decodes the rows. Rows that change by themselves are left out.
EVERY=N: only each Nth file (default 6).
"""
import datetime
import math
import os
import pathlib
import subprocess
import sys

from listening import HANG_S, TESTS, free_of_libpq, listening
from cases import check, fails, passes, run
from recording import recording
import psycopg
from psycopg import pq

sys.path.insert(0, str(TESTS.parent / "tools"))
import golden  # noqa: E402

READS = ("SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN", "FETCH 0")
BYTEA, CHAR, VECTORS = 17, 18, (22, 30)  # int2vector and oidvector
IN_TEXT = (1186, 1187, 700, 1021)  # Python's timedelta has no months, and its float is a float8
OTHER = {"intervals_in", "settings"}  # the text of the least interval cannot be read back; extra_float_digits rounds texts only
MOST = 3000  # rows of one result that are compared


def statements(name, folder):
    """Returns the statements that psql sends for a golden file."""
    os.symlink(os.path.join(golden.SQL, "data"), f"{folder}/data")
    with listening(f"{folder}/recorded") as s, recording(s) as r:
        subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=0", "-f", golden.sql_of(name), f"host=127.0.0.1 port={r.port} user=tester"],
                       cwd=folder, env=free_of_libpq(LC_ALL="C.UTF-8"), capture_output=True, stdin=subprocess.DEVNULL, timeout=HANG_S * 4)
        return list(r.statements)


def plain(value):
    """Returns a value in a form that does not depend on the format. Without a type in psycopg, a
    value is text in one format and bytes in the other.
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, datetime.datetime):
        return repr(value.replace(tzinfo=None)), value.utcoffset()
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else repr(value)


def text_by_server(c, oid, data):
    """Returns the text of a binary value that psycopg leaves as bytes. The server receives the
    value, and casts it. States are sent as text.
    """
    if 90000 < oid < 90100:
        return data.decode()
    r = c.pgconn.exec_params(b"SELECT $1::text", [data], param_types=[oid], param_formats=[1])
    if r.status != pq.ExecStatus.TUPLES_OK:
        return r.error_message.decode()
    text = r.get_value(0, 0).decode()
    return text.strip("{}").replace(",", " ") if oid in VECTORS else text


def one_value(c, t, result, i, k):
    data, oid, loader = result.get_value(i, k), result.ftype(k), t.get_loader(result.ftype(k), result.fformat(k))
    if data is None:
        return None
    if oid in IN_TEXT or "ByteaBinary" in type(loader).__name__ and oid != BYTEA:
        return text_by_server(c, oid, data) if result.fformat(k) else data.decode()
    try:
        value = loader.load(data)
        if oid == CHAR:
            return value.rstrip("\0")  # the byte of an empty "char"
        return value.decode() if isinstance(value, bytes) and oid != BYTEA else value
    except (psycopg.DataError, OverflowError, UnicodeError) as e:
        return type(e).__name__


def loaded(c, result):
    """Returns the rows as psycopg decodes them. A value that Python does not have becomes the name
    of the error.
    """
    t = psycopg.adapt.Transformer(c)
    t.set_pgresult(result)
    rows = []
    for i in range(min(result.ntuples, MOST)):
        row = []
        for k in range(result.nfields):
            row.append(one_value(c, t, result, i, k))
        rows.append(row)
    return rows


def text_of_record(v):
    """Fields of a record have types in binary, and are texts in text. So only their number and
    NULLs are compared.
    """
    if isinstance(v, tuple):
        return [x is None or x == "" for x in v]
    return [text_of_record(x) for x in v] if isinstance(v, list) else v


def answer(c, sql, binary):
    r = c.pgconn.exec_params(sql.encode(), None, result_format=int(binary))
    if r.status != pq.ExecStatus.TUPLES_OK:
        return (r.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode(), None, r
    return "", [(r.fname(k), r.ftype(k), r.fmod(k), r.ftable(k), r.ftablecol(k)) for k in range(r.nfields)], r


def compare(c, name, sql):
    """Runs a query in both formats, and compares."""
    (error, columns, first), (error_b, columns_b, binary), (_, _, again) = answer(c, sql, False), answer(c, sql, True), answer(c, sql, False)
    if first.status != pq.ExecStatus.TUPLES_OK or again.status != first.status:
        return check(f"{name}: the same error of {sql}", error_b in (error, "25P02") or first.status != again.status, f"{error} {error_b}")
    if not check(f"{name}: the columns of {sql}", columns == columns_b, f"{columns}\n{columns_b}\n{error_b}"):
        return False
    texts = [loaded(c, r) for r in (first, again)]
    if str(texts[0]) != str(texts[1]):
        return True
    wanted, got = [[[plain(text_of_record(v)) for v in row] for row in rows] for rows in (texts[0], loaded(c, binary))]
    for w, g in zip(wanted, got):
        if w != g:
            return fails(f"{name}: {sql}", f"   text   {w}\n   binary {g}")
    return passes(len(wanted) == len(got)) if len(wanted) == len(got) else fails(f"{name}: {sql}", f"{len(wanted)} and {len(got)} rows")


def replay(name, folder):
    sent = statements(name, folder)
    with listening(f"{folder}/store") as s, psycopg.connect(s.dsn(), autocommit=True) as c:
        for sql in sent:
            word = sql.lstrip().upper()
            if word.startswith(READS) and "ANALYZE" not in word and "pg_sleep" not in sql:
                compare(c, name, sql)
            elif not word.startswith("COPY"):
                c.pgconn.exec_(sql.encode())


def test_goldens(folder):
    chosen = [n for n in sys.argv[1:] if n in golden.FILES] or [n for n in sorted(golden.FILES) if n not in golden.other_in_psql() | OTHER][::int(os.environ.get("EVERY", "6"))]
    for name in chosen:
        of = pathlib.Path(folder) / name
        of.mkdir()
        replay(name, of)


sys.exit(run(globals()))

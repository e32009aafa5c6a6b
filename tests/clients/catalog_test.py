#!/usr/bin/env python3
"""The statements about the catalog that clients send (catalog.txt, which record.py writes). Each
statement runs, and has the columns of catalog.out.

    catalog_test.py [--accept] [--postgres]

--accept writes catalog.out. --postgres also compares with PostgreSQL 15.
"""
import os
import re
import sys

from listening import listening
from cases import check, run, same
import psycopg
from record import FILE, MADE

OUT = FILE.with_suffix(".out")
OK = (psycopg.pq.ExecStatus.TUPLES_OK, psycopg.pq.ExecStatus.COMMAND_OK, psycopg.pq.ExecStatus.COPY_OUT)


def statements():
    for section in FILE.read_text().split("==== ")[1:]:
        client, _, sql = section.partition("\n")
        yield client, sql.rstrip("\n")


def columns(c, sql):
    """The names and types of a statement's columns, or its error. All parameters are NULL."""
    of = sql.encode()
    n = 0 if sql.startswith("PREPARE ") else max((int(x) for x in re.findall(r"\$(\d+)", sql)), default=0)
    r = c.pgconn.exec_params(of, [None] * n) if n else c.pgconn.exec_(of)
    if r.status not in OK:
        return "ERROR " + " ".join(r.error_message.decode().split())
    return ", ".join(" ".join((r.fname(i) or b"").decode().split()) + f" {r.ftype(i)}" for i in range(r.nfields))


def all_columns(dsn, made):
    with psycopg.connect(dsn, autocommit=True) as c:
        c.execute(made)
        found = []
        for i, (client, sql) in enumerate(statements(), 1):
            found.append(f"{i} {client}: {columns(c, sql)}")
            if c.info.transaction_status != psycopg.pq.TransactionStatus.IDLE and "BEGIN" not in sql.upper():
                c.pgconn.exec_(b"ROLLBACK")
        return found


def ours(folder):
    with listening(f"{folder}/store") as s:
        return all_columns(s.dsn(), MADE)


def test_columns(folder):
    found = ours(folder)
    if "--accept" in sys.argv:
        OUT.write_text("\n".join(found) + "\n")
    wanted = OUT.read_text().splitlines()
    same("the number of statements", len(found), len(wanted))
    for got, want in zip(found, wanted):
        check(f"{got} is no error", " ERROR " not in got)
        same("columns", got, want)


# In mtsql, the types aclitem, xid and anyarray of PostgreSQL's catalog are other ones. Functions
# that return name in PostgreSQL return text.
KNOWN = {"19": "25", "1043": "25", "2277": "25", "1034": "1009", "1003": "1009", "28": "20"}


def plain(line):
    return re.sub(r" (\d+)(?=,|$)", lambda m: " " + KNOWN.get(m.group(1), m.group(1)), line).lower()


def test_beside_postgres(folder):
    """The columns are those of PostgreSQL 15, except for a few types."""
    if "--postgres" not in sys.argv:
        return
    sys.path.insert(0, str(FILE.parent.parent / "oracle"))
    from postgres import Postgres
    made = re.sub(r"CREATE TABLE s\.packed \([^;]*;", "CREATE TABLE s.packed (ts timestamptz NOT NULL, v int);", MADE)
    os.chmod(folder, 0o755)
    server = Postgres(f"{folder}/postgres")
    server.start()
    try:
        server.recreate("store")
        for got, want in zip(ours(folder), all_columns(f"host={server.socket} user=postgres dbname=store", made)):
            same("columns beside PostgreSQL", plain(got), plain(want))
    finally:
        server.stop()


sys.exit(run(globals()))

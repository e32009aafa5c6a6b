#!/usr/bin/env python3
"""pgcli: the queries for completion, its backslash commands, and a session at a terminal."""
import os
import pty
import re
import select
import subprocess
import sys
import time

from listening import HANG_S, free_of_libpq, listening
from cases import check, run, same
import psycopg
from pgcli.pgexecute import PGExecute
from pgspecial.main import PGSpecial

MADE = """CREATE TABLE k (a int PRIMARY KEY, b text DEFAULT 'x', CHECK (a > 0)); CREATE INDEX ON k (b); CREATE VIEW v AS SELECT * FROM k;
CREATE SEQUENCE q; CREATE MATERIALIZED VIEW mv AS SELECT 1 AS x; CREATE FUNCTION f (x int) RETURNS int LANGUAGE sql AS 'SELECT x';
CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN d AS int CHECK (value > 0); CREATE SCHEMA s;
CREATE TABLE s.packed (ts timestamptz TIME NOT NULL, v int MEASURE) USING nested WITH (levels = 'ts', presum = 'ts');"""
COMMANDS = r"\l \l+ \du \du+ \dn \dn+ \dt \dt+ \d \d+ \dv \dv+ \dm \ds \di \di+ \df \df+ \dT \dT+ \dx \dD \dD+ \dp \ddp \dF \dE \db \db+".split() + [r"\d k", r"\d+ k", r"\d v", r"\d+ v", r"\d q", r"\d mv", r"\d s.packed", r"\dt s.*", r"\sf f"]


def made(s):
    with psycopg.connect(s.dsn(), autocommit=True) as c:
        c.execute(MADE)
    return PGExecute("store", "tester", "", "127.0.0.1", s.port)


def test_completion(folder):
    with listening(f"{folder}/store") as s:
        e = made(s)
        same("schemas", list(e.schemata()), ["information_schema", "pg_catalog", "public", "s"])
        own = lambda pairs: sorted(p[:2] for p in pairs if p[0] in ("public", "s"))
        same("tables", own(e.tables()), [("public", "k"), ("s", "packed")])
        same("views", own(e.views()), [("public", "mv"), ("public", "v")])
        same("columns", sorted(c[1:5] for c in e.table_columns() if c[0] in ("public", "s")), [("k", "a", "integer", False), ("k", "b", "text", True), ("packed", "ts", "timestamp with time zone", False), ("packed", "v", "integer", False)])
        same("columns of views", len([c for c in e.view_columns() if c[0] == "public"]), 3)
        same("functions", [f.func_name for f in e.functions() if f.schema_name == "public"], ["f"])
        same("types", sorted(e.datatypes()), [("public", "d"), ("public", "mood")])
        same("the path", "public" in list(e.search_path()), True)
        same("databases", list(e.databases()), ["store"])
        same("foreign keys", list(e.foreignkeys()), [])
        check("casing", "x" in list(e.casing()))


def test_commands(folder):
    """Each backslash command gives a table."""
    with listening(f"{folder}/store") as s:
        e = made(s)
        for command in COMMANDS:
            for title, rows, headers, status, *_ in e.run(command, PGSpecial()):
                check(f"{command}: {status}", headers and list(rows) is not None)
        for _, _, _, status, *_ in e.run(r"\d k", PGSpecial()):
            check("the key", '"k_pkey" PRIMARY KEY, btree (a)' in status)


def session(s, keys, folder):
    """What pgcli prints at a terminal."""
    main, other = pty.openpty()
    env = free_of_libpq(TERM="dumb", XDG_CONFIG_HOME=str(folder), HOME=str(folder), PAGER="cat", LANG="C.UTF-8")
    p = subprocess.Popen([sys.executable, "-m", "pgcli.main", "-h", "127.0.0.1", "-p", str(s.port), "-U", "tester", "-d", "store", "--warn", "off", "--single-connection"], stdin=other, stdout=other, stderr=other, env=env, close_fds=True)
    os.close(other)
    out, until = "", time.monotonic() + HANG_S
    waiting = list(keys)
    while time.monotonic() < until and p.poll() is None:
        if select.select([main], [], [], 0.5)[0]:
            try:
                out += os.read(main, 65536).decode(errors="replace")
            except OSError:
                break
        if waiting and re.search(waiting[0][0], out):
            os.write(main, (waiting.pop(0)[1] + "\r").encode())
    p.kill() if p.poll() is None else None
    p.wait()
    os.close(main)
    return out


def test_terminal(folder):
    with listening(f"{folder}/store") as s:
        made(s)
        said = session(s, [(r"store> ", "SELECT 6 * 7 AS answer;"), (r"SELECT 1\b", "SELECT nosuch;"), (r"does not exist", r"\q")], folder)
        check(f"an answer: {said[-2000:]}", re.search(r"\b42\b", said) is not None)
        check("an error", 'column "nosuch" does not exist' in said)


sys.exit(run(globals()))

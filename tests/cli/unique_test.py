#!/usr/bin/env python3
"""UNIQUE in process. If several processes insert the same key, exactly one succeeds. Keys are there
when the store is opened again. A store without names of keys is read. Loading a table needs little
more memory than work_mem.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, finish, same
from command import shell, start
from paths import MTSQL

WRITERS, KEYS, ROWS = 3, 12, 300_000


def test_race(store):
    """Each writer inserts the same keys, and waits for the others."""
    shell(store, "-qc", "CREATE TABLE race (k text UNIQUE, pair integer, who integer, UNIQUE (pair, who))")
    writers = [start(store, "-Atq", "-v", "ON_ERROR_STOP=off", "-c", "SET lock_timeout = '120s'", *[x for i in range(KEYS) for x in ("-c", f"INSERT INTO race VALUES ('k{i}', {i}, {w})")]) for w in range(WRITERS)]
    lost = 0
    for w in writers:
        _, problems = w.communicate(timeout=300)
        told = problems.count("ERROR:")
        check("what a writer is told", told == problems.count('ERROR:  duplicate key value violates unique constraint "race_k_key"'), problems)
        lost += told
    same("each key is one writer's", shell(store, "-Atc", "SELECT count(*), count(DISTINCT k) FROM race").stdout, f"{KEYS}|{KEYS}\n")
    same("the others were told", lost, KEYS * (WRITERS - 1))


def test_again(store):
    """A key that another process declared holds in this one, and is written as it was read."""
    shell(store, "-qc", "CREATE TABLE t (a integer CONSTRAINT own PRIMARY KEY, b text, c integer, UNIQUE NULLS NOT DISTINCT (b, c))", "-c", "CREATE UNIQUE INDEX part ON t (c) WHERE b IS NOT NULL AND c > 1", "-c", "INSERT INTO t VALUES (1, 'x', 2), (2, 'y', NULL)")
    keys = shell(store, "-Atc", r"\d t").stdout
    for row, key in (("(1, 'z', 9)", "own"), ("(3, 'y', NULL)", "t_b_c_key"), ("(3, 'z', 2)", "part")):
        r = shell(store, "-c", f"INSERT INTO t VALUES {row}")
        check(f"{key} holds", f'violates unique constraint "{key}"' in r.stderr, r.stderr)
    shell(store, "-qc", "ALTER TABLE t ADD COLUMN d text", "-c", "VACUUM t", "-c", "ALTER TABLE t DROP COLUMN d")
    same("after changes of the table", re.sub(r", \d+ doc.*", "", shell(store, "-Atc", r"\d t").stdout), re.sub(r", \d+ doc.*", "", keys))
    same("two rows", shell(store, "-Atc", "SELECT count(*) FROM t").stdout, "2\n")


def test_load(folder):
    """A load of many rows with a key compares them within work_mem."""
    table = os.path.join(folder, "rows.csv")
    with open(table, "w", encoding="utf-8") as f:
        f.writelines(f"{i * 7919 % ROWS},name {i}\n" for i in range(ROWS))
    used = {}
    for key in ("integer", "integer PRIMARY KEY", "integer UNIQUE"):
        store = os.path.join(folder, f"{len(used)}.mts")
        shell(store, "-qc", f"CREATE TABLE t (k {key}, v text)")
        p = start(store, "-qc", "SET work_mem = '16MB'", "-c", rf"\copy t from '{table}' with (format csv)")
        _, status, usage = os.wait4(p.pid, 0)
        same(f"{key}: loaded", status, 0)
        used[key] = usage.ru_maxrss
        same(f"{key}: rows", shell(store, "-Atc", "SELECT count(*) FROM t").stdout, f"{ROWS}\n")
    most = 1_000_000 if "/asan/" in MTSQL else 100_000  # kilobytes; AddressSanitizer needs memory of its own
    check("memory", used["integer UNIQUE"] < used["integer PRIMARY KEY"] * 1.2 and used["integer UNIQUE"] < most, str(used))


def main():
    with tempfile.TemporaryDirectory() as folder:
        test_race(os.path.join(folder, "race.mts"))
        test_again(os.path.join(folder, "again.mts"))
        test_load(folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

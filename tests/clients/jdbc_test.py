#!/usr/bin/env python3
"""pgjdbc: metadata, batches, generated keys, fetch size, prepared statements in text and binary, savepoints and COPY (jdbc/Check.java).

`make check-clients` fetches the driver from Maven; otherwise it runs only if that was done before."""
import os
import pathlib
import shutil
import subprocess
import sys

from listening import HANG_S, listening
from cases import check, run, same
import psycopg

HERE = pathlib.Path(__file__).resolve().parent
DRIVER = "org.postgresql:postgresql:42.7.7"
JARS = pathlib.Path(os.environ.get("BUILD", "build")).resolve() / "clients"
JAR = JARS / "postgresql-42.7.7.jar"
MADE = """CREATE TABLE k (a int, b text, c serial, t timestamptz, n numeric(10, 2) DEFAULT 1, u uuid, PRIMARY KEY (c, a), UNIQUE (b)); CREATE INDEX k_t ON k (t DESC);
CREATE VIEW v AS SELECT a FROM k; CREATE FUNCTION f (x int, y text) RETURNS int LANGUAGE sql AS 'SELECT x'; CREATE MATERIALIZED VIEW mv AS SELECT 1 AS x"""


def driver():
    """The driver's file; None: it is not there."""
    if not JAR.exists() and os.environ.get("EVERY") == "1" and shutil.which("mvn"):
        subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={DRIVER}", f"-DoutputDirectory={JARS}"], check=True, timeout=HANG_S)
    return JAR if JAR.exists() and shutil.which("java") else None


def java(port, database, *more):
    return subprocess.run(["java", "-cp", driver(), HERE / "jdbc" / "Check.java", str(port), database, *more], capture_output=True, text=True, timeout=HANG_S)


def test_driver(folder):
    if not driver():
        print("SKIP no pgjdbc")
        return
    with listening(f"{folder}/store") as s:
        with psycopg.connect(s.dsn(), autocommit=True) as c:
            c.execute(MADE)
        p = java(s.port, "store")
        check(p.stderr, p.returncode == 0)
        expected = HERE / "jdbc" / "expected.txt"
        if "--accept" in sys.argv:
            expected.write_text(p.stdout)
        wanted = expected.read_text().splitlines()
        same("the number of answers", len(p.stdout.splitlines()), len(wanted))
        for got, want in zip(p.stdout.splitlines(), wanted):
            same(want.partition(":")[0], got, want)


if __name__ == "__main__":
    sys.exit(run(globals()))

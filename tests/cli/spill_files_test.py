#!/usr/bin/env python3
"""A statement that is killed while its rows are in temporary files leaves none behind."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run, same
from command import environment, start
from waiting import until

N = "generate_series(1, 900000000) n"
HASHES = f"SELECT md5(n::text) AS k FROM {N}"
QUERIES = {
    "sort": f"SELECT count(*) FROM (SELECT n FROM {N} ORDER BY md5(n::text)) x",
    "group": f"SELECT count(*) FROM (SELECT k, count(*) FROM ({HASHES}) h GROUP BY k) x",
    "join": f"SELECT count(*) FROM ({HASHES}) a JOIN ({HASHES}) b USING (k)",
    "cursor": f"BEGIN; DECLARE c SCROLL CURSOR FOR {HASHES}; MOVE ALL FROM c",
    "temporary table": f"CREATE TEMPORARY TABLE t AS {HASHES}",
    "load": f"CREATE TABLE t (k text); INSERT INTO t {HASHES}",
}
ENOUGH = 3 << 20


def held(pid, folder):
    """Returns the bytes of the process's files in that folder, with or without a name."""
    total = 0
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            if os.readlink(f"/proc/{pid}/fd/{fd}").startswith(folder):
                total += os.stat(f"/proc/{pid}/fd/{fd}").st_size
        except FileNotFoundError:
            pass
    return total


def test_killed():
    for what, sql in QUERIES.items():
        with tempfile.TemporaryDirectory() as folder:
            statements = ["SET work_mem = '1MB'", *sql.split("; ")]
            p = start(*(a for s in statements for a in ("-c", s)), env=environment(TMPDIR=folder))
            spilled = until(lambda: held(p.pid, folder) > ENOUGH, p)
            check(f"{what}: it spills", spilled, p.stderr.read() if not spilled else "")
            p.kill()
            p.communicate()
            left = [(at, files) for at, _, files in os.walk(folder) if files]
            same(f"{what}: what a killed process leaves", left, [])


if __name__ == "__main__":
    sys.exit(run(globals()))

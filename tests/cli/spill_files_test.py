#!/usr/bin/env python3
"""A statement that is killed while its rows are in temporary files leaves none behind: they never have names that last."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run, same
from command import environment, start
from waiting import until

QUERIES = {
    "sort": "SELECT count(*) FROM (SELECT n FROM generate_series(1, 900000000) n ORDER BY md5(n::text)) x",
    "group": "SELECT count(*) FROM (SELECT md5(n::text) AS k, count(*) FROM generate_series(1, 900000000) n GROUP BY k) x",
    "join": "SELECT count(*) FROM (SELECT md5(n::text) AS k FROM generate_series(1, 900000000) n) a JOIN (SELECT md5(n::text) AS k FROM generate_series(1, 900000000) n) b USING (k)",
    "cursor": "BEGIN; DECLARE c SCROLL CURSOR FOR SELECT md5(n::text) FROM generate_series(1, 900000000) n; MOVE ALL FROM c",
    "temporary table": "CREATE TEMPORARY TABLE t AS SELECT md5(n::text) AS k FROM generate_series(1, 900000000) n",
    "load": "CREATE TABLE t (id integer, k text); INSERT INTO t SELECT n, md5(n::text) FROM generate_series(1, 900000000) n",
}
ENOUGH = 3 << 20


def held(pid, folder):
    """Bytes of the process's files in that folder, whether or not they have a name."""
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
            p = start("-c", "SET work_mem = '1MB'", *(a for s in sql.split("; ") for a in ("-c", s)), env=environment(TMPDIR=folder))
            spilled = until(lambda: held(p.pid, folder) > ENOUGH, p)
            check(f"{what}: it spills", spilled, p.stderr.read() if not spilled else "")
            p.kill()
            p.communicate()
            same(f"{what}: what a killed process leaves", [(at, files) for at, _, files in os.walk(folder) if files], [])


if __name__ == "__main__":
    sys.exit(run(globals()))

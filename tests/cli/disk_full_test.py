#!/usr/bin/env python3
"""Temporary files on a disk that is full at any byte. A query gives its whole answer, or the error
that the file can't be written.
"""
import os
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import cases
import mtsql

ROWS = 6000
SETUP = f"""CREATE TABLE t (i bigint, k text, x double precision);
INSERT INTO t SELECT i, 'key ' || i * 7919 % {ROWS}, sqrt(i) FROM generate_series (1, {ROWS}) g (i);"""
# the rows that go to a file, and a query that writes them
CASES = [
    ("groups", "SELECT count(*), sum(n), min(k), sum(s) FROM (SELECT k, count(*) AS n, sum(x) AS s FROM t GROUP BY k) g"),
    ("sort", "SELECT sum(r * i) FROM (SELECT i, row_number() OVER (ORDER BY k, i) AS r FROM t) s"),
    ("window", "SELECT count(*), sum(s) FROM (SELECT sum(i) OVER (ORDER BY i ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS s FROM t) w"),
    ("join", "SELECT count(*), sum(a.i), min(b.k) FROM t a JOIN t b ON a.k = b.k AND a.x = b.x"),
    ("lateral", "SELECT count(*), sum(c.i) FROM (SELECT * FROM t LIMIT 3) a, LATERAL (SELECT b.i, b.k FROM (SELECT DISTINCT i, k FROM t) b WHERE b.i > a.i OFFSET 1) c"),
    ("rows of one row", "SELECT c.i, repeat('x', 2900) FROM (SELECT i FROM t LIMIT 1) a, LATERAL (SELECT b.i FROM t b WHERE b.i >= a.i) c"),
    ("cursor", f"BEGIN; DECLARE c SCROLL CURSOR FOR SELECT * FROM t; MOVE {ROWS} c; FETCH ABSOLUTE 17 c; FETCH ABSOLUTE {ROWS - 1} c; COMMIT"),
]


def run(store, sql, limit=None):
    """Runs a query while files may have this many bytes. Returns (exit status, answer, error)."""
    def full():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    p = subprocess.run([mtsql.MTSQL, "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", "SET work_mem = '64kB'; " + sql, store], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, preexec_fn=full if limit is not None else None)
    return p.returncode, p.stdout, p.stderr


def fits(store, sql, limit, right):
    rc, out, err = run(store, sql, limit)
    assert (rc == 0 and out == right) or (rc == 3 and "could not write a temporary file" in err and "TMPDIR" in err), (sql, limit, rc, out[:300], err)
    return rc == 0


def fill(store, sql):
    rc, right, err = run(store, sql)
    assert rc == 0 and right, (sql, err)
    low, high = 0, 1 << 25
    assert not fits(store, sql, low, right), "nothing goes to a file: " + sql
    while high - low > 4096:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(store, sql, middle, right) else (middle, high)
    for limit in range(low - 4096, high, 731):  # the sizes where all but the last bytes fit, which are written when the file is read
        fits(store, sql, max(limit, 0), right)


def only_what_is_read(store):
    """A sort of a nested layout's rows writes the columns of each row. It doesn't write the documents from which the rows were unwound."""
    rc, _, err = run(store, f"""CREATE TABLE n (ts timestamptz TIME PERIOD '60 s', k text DIMENSION, v bigint MEASURE) USING nested WITH (levels = 'ts, k');
        INSERT INTO n SELECT timestamptz '2020-01-01 00:00+00' + i % 600 * interval '1 minute', 'key ' || i, i FROM generate_series (1, {ROWS}) g (i);""")
    assert rc == 0, err
    for sql in ("SELECT ts FROM n ORDER BY v OFFSET 5999", "SELECT ts, k FROM n WHERE v > 7 ORDER BY v OFFSET 5992 LIMIT 1"):
        rc, out, err = run(store, sql, 1 << 20)
        assert rc == 0 and out.startswith("2020-01-01 00:00:00+00"), (sql, rc, out, err)


def main():
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "t.mts")
        rc, _, err = run(store, SETUP)
        assert rc == 0, err
        cases.run_one("rows of a nested layout", only_what_is_read, {"store": store})
        for what, sql in CASES:
            cases.run_one(what, fill, {"store": store, "sql": sql})
    return cases.finish()


if __name__ == "__main__":
    sys.exit(main())

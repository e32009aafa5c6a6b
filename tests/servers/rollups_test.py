#!/usr/bin/env python3
"""Roll-ups and kept states on a server: random questions, and several writers at once."""
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
from cases import check, finish, same
from paths import MTSQL, ROOT
from server import chosen, database

TABLES = """CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE);
ALTER TABLE m ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', by = 'host', keep = 'sum(v), max(v), percentile_agg(v), counter_agg(ts, v), time_weight(''LOCF'', ts, v)');
ALTER TABLE m ADD LAYOUT daily USING rollup WITH (bucket = '1 day', by = '', keep = 'sum(v), count(v)');"""
QUESTION = "SELECT host, date_trunc('hour', ts), count(*), sum(v), max(v), num_vals(percentile_agg(v)), approx_percentile(0.5, percentile_agg(v)), delta(counter_agg(ts, v)), num_resets(counter_agg(ts, v)), round(average(time_weight('LOCF', ts, v))::numeric, 6) FROM m GROUP BY 1, 2 ORDER BY 1, 2"


def mtsql(uri, *args):
    return subprocess.run([MTSQL, "-XqAt", uri, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, env={**os.environ, "TZ": "UTC"})


def agree(what, uri):
    of_records = mtsql(uri, "-c", "SET layout = 'rows'", "-c", QUESTION).stdout
    of_rollup = mtsql(uri, "-c", "SET layout = 'hourly'", "-c", QUESTION).stdout
    check(f"{what}: rows", of_records.count("\n") > 20, of_records[:200])
    same(what, of_rollup, of_records)
    same(f"{what}: CHECK TABLE", mtsql(uri, "-c", "CHECK TABLE m").stdout, "")


def insert(rng, rows):
    values = ", ".join(f"('2024-05-0{rng.randint(1, 2)} {rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}Z', 'h{rng.randrange(3)}', {rng.randrange(100)})" for _ in range(rows))
    return f"INSERT INTO m VALUES {values}"


def test_writers(uri):
    """Several programs add to the same documents at the same time. Each answer is right, or the
    whole statement failed with an error.
    """
    writers = []
    for w in range(3):
        rng = random.Random(w)
        statements = [x for _ in range(6) for x in ("-c", insert(rng, 30))]
        writers.append(subprocess.Popen([MTSQL, "-XqAt", uri, "-v", "ON_ERROR_STOP=1", *statements], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    for w in writers:
        told, _ = w.communicate(timeout=300)
        same("a writer beside others", (w.returncode, told), (0, ""))
    agree("after three writers", uri)


def test_undone(uri):
    """If rows are undone, a state that another client computed from them is not read."""
    other = f"\\! '{MTSQL}' -XqAt '{uri}' -c \"INSERT INTO m VALUES ('2024-05-03 10:10Z', 'h9', 7)\""
    rows = "INSERT INTO m VALUES ('2024-05-03 10:00Z', 'h9', 1), ('2024-05-03 10:30Z', 'h9', 5)"
    mtsql(uri, "-c", "INSERT INTO m VALUES ('2024-05-03 10:05Z', 'h9', 2), ('2024-05-03 10:20Z', 'h9', 9)")
    told = mtsql(uri, "-c", "BEGIN", "-c", rows, "-c", other, "-c", "ROLLBACK")
    question = "SELECT num_elements(counter_agg(ts, v)), last_time(counter_agg(ts, v)) FROM m WHERE host = 'h9'"
    same(f"after ROLLBACK ({told})", mtsql(uri, "-c", question).stdout, "3|2024-05-03 10:20:00+00\n")
    mtsql(uri, "-c", "REPAIR TABLE m")
    same("after REPAIR", mtsql(uri, "-c", "SET layout = 'hourly'", "-c", question).stdout, "3|2024-05-03 10:20:00+00\n")


def main():
    with database(chosen(), "rollups") as uri:
        same("tables", mtsql(uri, "-c", TABLES.replace("\n", " ")).stdout, "")
        same("rows", mtsql(uri, "-c", insert(random.Random("first"), 200)).stdout, "")
        agree("after an INSERT", uri)
        same("changes", mtsql(uri, "-c", "DELETE FROM m WHERE v < 10", "-c", "UPDATE m SET v = v + 0.5 WHERE host = 'h1'").stdout, "")
        agree("after changes", uri)
        test_writers(uri)
        test_undone(uri)
        mtsql(uri, "-c", "DROP TABLE m")
        r = subprocess.run([sys.executable, str(pathlib.Path(ROOT) / "tests/reference/rollups_test.py"), "--tables", "4" if chosen() == "secantus" else "1", "--queries", "6", "--uri", uri], stdout=subprocess.PIPE, text=True)
        check("random questions", r.returncode == 0, r.stdout[-3000:])
    return finish()


if __name__ == "__main__":
    sys.exit(main())

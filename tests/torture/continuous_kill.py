#!/usr/bin/env python3
"""Kills the command (SIGKILL, at random moments) while it writes late rows and refreshes continuous
views. After each kill, a view must read as its query does, and a refresh must store exactly these
rows.

    continuous_kill.py [KILLS [SERVER]]
"""
import contextlib
import pathlib
import sys
import tempfile
import time

from kills import mtsql, seeded, writer_killed

HOURS = 200
QUERY = "SELECT time_bucket ('1 hour', ts) AS bucket, dev, count(*) AS n, sum(v) AS total FROM r GROUP BY 1, 2"
ABOVE = f"SELECT time_bucket ('1 day', bucket) AS day, sum(n) AS n, sum(total) AS total FROM ({QUERY}) q GROUP BY 1"
SETUP = f"""
CREATE TABLE r (ts timestamptz TIME NOT NULL, dev text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING %s;
INSERT INTO r SELECT '2024-01-01'::timestamptz + i * interval '20 min', d, 1 FROM generate_series (0, {HOURS * 3 - 1}) i, unnest (ARRAY['a', 'b']) d;
CREATE MATERIALIZED VIEW v WITH (continuous) AS {QUERY};
CREATE MATERIALIZED VIEW w WITH (continuous) AS SELECT time_bucket ('1 day', bucket) AS day, sum(n) AS n, sum(total) AS total FROM v GROUP BY 1;
"""


def at(rng):
    return f"timestamptz '2024-01-01' + interval '{rng.randrange(HOURS * 61)} min'"


def statement(rng):
    a = at(rng)
    return rng.choice([f"INSERT INTO r VALUES ({a}, 'a', {rng.randrange(9)}), ({at(rng)}, 'b', 3)",
                       f"INSERT INTO r SELECT {a} + i * interval '25 min', 'c', i FROM generate_series (1, 40) i",
                       f"UPDATE r SET v = v + 1 WHERE ts >= {a} AND ts < {a} + interval '5 hours'",
                       f"UPDATE r SET ts = ts + interval '7 hours' WHERE ts >= {a} AND ts < {a} + interval '2 hours'",
                       f"DELETE FROM r WHERE ts >= {a} AND ts < {a} + interval '1 hour'",
                       "CALL refresh_continuous_aggregate ('v', NULL, NULL)",
                       "CALL refresh_continuous_aggregate ('w', NULL, NULL)",
                       f"CALL refresh_continuous_aggregate ('v', {a}, NULL)",
                       "REFRESH MATERIALIZED VIEW v"])


def script(rng):
    return "SET client_min_messages = 'error';\n" + "".join(f"{statement (rng)};\n\\echo done\n" for _ in range(60))


def differences(target, name, query):
    sql = f"SELECT count(*) FROM ((TABLE {name} EXCEPT ALL ({query})) UNION ALL (({query}) EXCEPT ALL TABLE {name})) x"
    return mtsql(target, sql).stdout.strip()


def refresh(target, view):
    """Refreshes the views. On a server, a killed refresh keeps others out for a minute."""
    for _ in range(100):
        p = mtsql(target, f"CALL refresh_continuous_aggregate ('{view}', NULL, NULL)", check=False)
        if not p.returncode:
            return
        if "another program refreshes" not in p.stderr and "goes on" not in p.stderr:
            break
        time.sleep(1)
    sys.exit(f"refresh of {view}: {p.stderr}")


def look(target, when):
    for view, query in (("v", QUERY), ("w", ABOVE)):
        if differences(target, view, query) != "0":
            sys.exit(f"{when}: a read of {view} is not its query")
    for view, query in (("v", QUERY), ("w", ABOVE)):
        refresh(target, view)
        if differences(target, f"_mtsql_stored.{view}", query) != "0":
            sys.exit(f"{when}: {view} does not store its query after a refresh")


def kill_all(target, kills, rng, folder, server):
    layout = "rows" if server else rng.choice(["rows", "per_day", "nested WITH (cluster_by = 'dev', levels = 'ts')"])
    mtsql(target, SETUP % layout, options=("-v", "ON_ERROR_STOP=1"))
    acknowledged = 0
    for n in range(kills):
        enough = rng.randrange(8) or int(not acknowledged)
        writer = writer_killed(target, script(rng), folder, rng, (0, 0.05 if not server else 1), enough)
        if "ERROR" in writer.problems:
            sys.exit(f"kill {n}: {writer.problems}")
        acknowledged += len(writer.acknowledged)
        look(target, f"kill {n}")
    return acknowledged


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    server = sys.argv[2] if len(sys.argv) > 2 else None
    rng = seeded()
    with tempfile.TemporaryDirectory(prefix="mtsql-kill-") as folder:
        place = contextlib.nullcontext(f"{folder}/store")
        if server:
            from server import database
            place = database(server, "continuous_kill")
        with place as target:
            acknowledged = kill_all(target, kills, rng, pathlib.Path(folder), server)
    print(f"{kills} kills after {acknowledged} statements: reads are the query after each, and so are refreshed views")
    if not acknowledged:
        sys.exit("no statement was acknowledged: the test says nothing")


if __name__ == "__main__":
    main()

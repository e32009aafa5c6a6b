#!/usr/bin/env python3
"""DELETE from tables of sums alone on a server, while others count into the same documents: what they counted and wasn't deleted is there, once, at every level."""
import sys
import threading

from checks import check, finish, mtsql, same
from server import chosen, database

CREATE = """CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (style = '%s');
CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING mms WITH (months = true);"""
EVENTS, WRITERS, DELETES = 60, 2, 12


def events(uri, table, values, told):
    """Single events, each of a minute that stays and of one that goes; how many were acknowledged."""
    statements = [f"INSERT INTO {table} VALUES ('2020-01-01 {9 + i % 3:02}:{minute}+00', {values}, 1)" for i in range(EVENTS) for minute in ("00", "30")]
    r = mtsql(uri, "-q", *[x for s in statements for x in ("-c", s)])
    told.append((r.returncode, r.stderr))


def together(uri, table, values):
    told, deleted = [], []
    writers = [threading.Thread(target=events, args=(uri, table, values, told)) for _ in range(WRITERS)]
    for w in writers:
        w.start()
    for _ in range(DELETES):
        deleted.append(mtsql(uri, "-c", f"DELETE FROM {table} WHERE extract(minute FROM ts) = 30"))
    for w in writers:
        w.join()
    same(f"{table}: events were acknowledged", told, [(0, "")] * WRITERS)
    bad = [r.stderr for r in deleted if r.returncode and "Run " not in r.stderr]
    same(f"{table}: deletes were done, or gave way", bad, [])
    check(f"{table}: some were done", any(r.stdout.startswith("DELETE ") and r.stdout.strip() != "DELETE 0" for r in deleted), str([r.stdout for r in deleted]))
    last = mtsql(uri, "-qtA", "-c", f"DELETE FROM {table} WHERE extract(minute FROM ts) = 30", "-c", f"SELECT sum(n) FROM {table}", "-c", f"SELECT date_trunc('hour', ts), sum(n) FROM {table} GROUP BY 1 ORDER BY 1",
                 "-c", f"SELECT date_trunc('month', ts), sum(n) FROM {table} GROUP BY 1")
    all = EVENTS * WRITERS
    same(f"{table}: nothing is lost, at no level", (last.stdout, last.stderr), (f"{all}\n" + "".join(f"2020-01-01 {h:02}:00:00+00|{all // 3}\n" for h in (9, 10, 11)) + f"2020-01-01 00:00:00+00|{all}\n", ""))
    r = mtsql(uri, "-qtA", "-c", f"CHECK TABLE {table}")
    same(f"{table}: no fault", (r.stdout, r.stderr), ("", ""))


def main():
    with database(chosen(), "delete_sums") as uri:
        same("made", mtsql(uri, "-q", "-c", CREATE % "hierarchical").stderr, "")
        together(uri, "hits", "'m'")
        together(uri, "mem", "'i', 'g', 'h'")
        same("all of it", mtsql(uri, "-qtA", "-c", "DELETE FROM hits", "-c", "SELECT sum(n) FROM hits").stdout, "\n")
    return finish()


if __name__ == "__main__":
    sys.exit(main())

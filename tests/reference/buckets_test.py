#!/usr/bin/env python3
"""time_bucket, time_bucket_gapfill, date_trunc and date_bin around the changes of zones' clocks,
beside clocks.py, on several layouts and at every legal cut. With --postgres, clocks.py and mtsql
are also compared with PostgreSQL's date_trunc and date_bin, and with TimescaleDB's algorithm in
SQL.

    buckets_test.py [--all] [--postgres] [--uri URI]

--all: every change of 30 zones from 1970 to 2040, which takes some minutes.
"""
import argparse
import csv
import datetime
import itertools
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.abspath(__file__)) + "/.."
sys.path[:0] = [ROOT + "/reference", ROOT + "/lib", ROOT + "/oracle"]
import mtsql
from cases import check, fails, finish, passes, same
from clocks import DAY, HOUR, UNITS, WIDTHS, ZONES, cell, civil, clock, date_trunc, instants, time_bucket
from property_test import candidates

# Origins before and after all times, not on a full hour.
ORIGINS = {f"{at}+00": int(datetime.datetime.fromisoformat(f"{at}+00:00").timestamp()) * 1000 for at in ("1969-05-17 01:30", "2045-02-03 22:40", "2003-10-26 00:15")}
OFFSETS = {"15 minutes": 900_000, "-15 minutes": -900_000, "26 hours": 26 * HOUR, "-90 minutes": -5_400_000}
BINS = {"1 minute": 60_000, "7 minutes": 420_000, "1 hour": HOUR, "5 hours": 5 * HOUR, "1 day": DAY, "9 days": 9 * DAY}


def stamp(ms):
    return f"'{civil(ms).isoformat(sep=' ', timespec='milliseconds')}+00'"


def questions(zone):
    """Returns (expression over ts, its value in Python, a name) of all questions in a zone."""
    for (name, width), origin, offset in zip(WIDTHS.items(), itertools.cycle(ORIGINS.items()), itertools.cycle(OFFSETS.items())):
        yield f"time_bucket('{name}', ts, '{zone}')", lambda t, w=width: time_bucket(w, t, zone)
        yield f"time_bucket('{name}', ts, '{zone}', '{origin[0]}'::timestamptz)", lambda t, w=width, o=origin[1]: time_bucket(w, t, zone, o)
        yield f"time_bucket('{name}', ts, '{zone}', \"offset\" => '{offset[0]}')", lambda t, w=width, o=offset[1]: time_bucket(w, t, zone, None, o)
        if zone == ZONES[0]:
            yield f"time_bucket('{name}', ts)", lambda t, w=width: time_bucket(w, t, "UTC")
            yield f"time_bucket('{name}', ts, '{origin[0]}'::timestamptz)", lambda t, w=width, o=origin[1]: time_bucket(w, t, "UTC", o)
            yield f"time_bucket('{name}', ts, '{offset[0]}'::interval)", lambda t, w=width, o=offset[1]: time_bucket(w, t, "UTC", None, o)
    for unit in UNITS:
        yield f"date_trunc('{unit}', ts, '{zone}')", lambda t, u=unit: date_trunc(u, t, zone)
    for (name, width), (origin, at) in itertools.product(BINS.items(), ORIGINS.items()):
        yield f"date_bin('{name}', ts, '{origin}'::timestamptz)", lambda t, w=width, o=at: cell((0, w), t, o)


def on_servers(sql):
    """Returns the questions that servers compute. The rest runs in process."""
    return re.match(r"date_trunc\('(day|week|month|year)'|time_bucket\('1 (day|week|month)', ts, '[^']*'\)$", sql)


def chosen_changes(zone):
    """Returns all changes; or the last two, one in the middle, and odd ones."""
    at = clock(zone).changes()
    if OPTIONS.all:
        return at
    odd = [t for t in at if abs(clock(zone).offset(t) - clock(zone).offset(t - 1)) != HOUR]
    return sorted(set(at[-2:] + odd[-1:] + at[len(at) // 2:len(at) // 2 + 1]))


def zones():
    if OPTIONS.uri:
        return ["Europe/Berlin", "America/Havana", "Pacific/Apia"]
    return ZONES if OPTIONS.all else ZONES[:8] + ["America/St_Johns", "Pacific/Chatham", "America/Havana", "America/Goose_Bay"]


# ---- values ----


def test_values(folder):
    """Loads the expected values beside the times, and asks for the rows that differ."""
    for zone in zones():
        asked = [(s, v) for s, v in questions(zone) if not OPTIONS.uri or on_servers(s)]
        times = sorted({t for change in chosen_changes(zone) for t in instants(zone, change)})
        path = os.path.join(folder, "times.csv")
        with open(path, "w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows([t] + [value(t) for _, value in asked] for t in times)
        statements = ["CREATE TABLE w (ts timestamptz TIME, " + ", ".join(f"v{i} timestamptz" for i in range(len(asked))) + ") USING rows", f"COPY w FROM '{path}' WITH (FORMAT csv, EPOCH 'ms')"]
        for i, (sql, _) in enumerate(asked):
            statements.append(f"SELECT ts, {sql}, v{i} FROM w WHERE {sql} IS DISTINCT FROM v{i} ORDER BY ts LIMIT 3")
            if OPTIONS.uri:  # grouping makes a pipeline compute them
                statements[-1] = f"SELECT count(*), b, v{i} FROM (SELECT {sql} AS b, v{i} FROM w) x GROUP BY 2, 3 HAVING b IS DISTINCT FROM v{i} ORDER BY 2 LIMIT 3"
        answers = mtsql.run(statements + ["DROP TABLE w"], OPTIONS.uri)
        for sql, answer in zip([s for s in statements[:2]] + [s for s, _ in asked], answers):
            if answer.error or answer.rows:
                fails(f"{zone}: {sql}", str(answer.error or answer.rows))
        passes(len(asked))


def test_rules():
    """A bucket never begins after its row. Times that date_trunc keeps apart stay apart."""
    same_as = {"minute": "1 minute", "hour": "1 hour", "day": "1 day", "week": "1 week", "month": "1 month", "year": "1 year"}
    for zone in zones():
        times = sorted({t for change in chosen_changes(zone) for t in instants(zone, change)})
        for unit, width in same_as.items():
            groups = {}
            for t in times:
                b = time_bucket(WIDTHS[width], t, zone)
                groups.setdefault(b, set()).add(date_trunc(unit, t, zone))
                if b > t:
                    fails(f"{zone}, {width}: {stamp(t)} is before {stamp(b)}")
            check(f"{zone}, {width}: together", all(len(g) == 1 for g in groups.values()), [stamp(b) for b, g in groups.items() if len(g) > 1][:3])


# ---- gaps ----


def around(zone, change):
    """Returns a range whose ends are on no boundary."""
    return change - 31 * HOUR - 420_000, change + 29 * HOUR + 780_000


def expected_gaps(width, zone, start, finish):
    fine = range(start, finish, 60_000 if width[1] and width[1] <= 3 * HOUR else 300_000)
    return sorted({time_bucket(width, t, zone) for t in itertools.chain([start], fine, (t for c in clock(zone).changes() if start < c < finish for t in range(c - 2 * HOUR, c + 2 * HOUR, 60_000)))})


def test_gapfill():
    widths = {n: WIDTHS[n] for n in ("15 minutes", "45 minutes", "1 hour", "2 hours", "1 day", "1 month")}
    asked = []
    for zone in zones():
        for change in chosen_changes(zone)[:None if OPTIONS.all else 3]:
            for name, width in widths.items():
                start, finish = around(zone, change)
                asked.append((f"SELECT extract(epoch FROM time_bucket_gapfill('{name}', ts, '{zone}', {stamp(start)}, {stamp(finish)})) * 1000 AS b FROM (VALUES ('2000-01-01+00'::timestamptz)) v (ts)"
                              " WHERE false GROUP BY time_bucket_gapfill('%s', ts, '%s', %s, %s) ORDER BY 1" % (name, zone, stamp(start), stamp(finish)), zone, width, start, finish))
    for (sql, zone, width, start, finish), answer in zip(asked, mtsql.run([a[0] for a in asked], OPTIONS.uri)):
        same(sql, answer.error or [int(float(r[0])) for r in answer.rows], expected_gaps(width, zone, start, finish))


# ---- layouts ----

# The statements that make table t; the fields of row i beside the time, of which the last is
# summed; the name of that field.
TABLES = [(["CREATE TABLE t (ts timestamptz TIME PERIOD '60 s' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows",
            "ALTER TABLE t ADD LAYOUT by_ts USING nested WITH (levels = 'ts, k', presum = 'ts')", "ALTER TABLE t ADD LAYOUT days USING per_day",
            "ALTER TABLE t ADD LAYOUT hours USING per_day WITH (bucket = '1 hour')", "ALTER TABLE t ADD LAYOUT minutes USING minute"], lambda i: ("ab"[i % 2], i % 5)),
          (["CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL)"
            " USING mms WITH (months = true)"], lambda i: ("bits", "mem", "ab"[i % 2], 1 + i % 5))]
LAYOUT_WIDTHS = ["15 minutes", "1 hour", "2 hours", "1 day", "1 week", "1 month"]
LAYOUT_UNITS = ["hour", "day", "month"]


def load_layouts(folder, zone, make, fields, target):
    """Returns (time, summed number) of the rows: in both halves of each hour, and every few minutes
    near the changes.
    """
    at = chosen_changes(zone)[:24:3] if OPTIONS.all else chosen_changes(zone)[-2:]
    times = sorted({(t + d) // 60_000 * 60_000 for c in at for t in range(c - 27 * HOUR, c + 27 * HOUR, 1_260_000) for d in (0, 60_000)} |
                   {c // 60_000 * 60_000 + d * 60_000 for c in at for d in range(-65, 65, 3)})
    path = os.path.join(folder, "rows.csv")
    with open(path, "w", encoding="utf-8", newline="") as f:
        csv.writer(f).writerows((t, *fields(i)) for i, t in enumerate(times))
    for answer in mtsql.run(make + [f"COPY t FROM '{path}' WITH (FORMAT csv, EPOCH 'ms')", "ANALYZE t"], target):
        answer.must()
    return [(t, fields(i)[-1]) for i, t in enumerate(times)]


def sums(rows, value):
    groups = {}
    for t, n in rows:
        groups[value(t)] = groups.get(value(t), 0) + n
    return sorted((civil(b).isoformat(sep=" "), str(n)) for b, n in groups.items())


def legal_cuts(sql, values, rows, target):
    """Returns (the statements that force each legal cut of these queries, a description, the
    expected answer).
    """
    for s, v, plan in zip(sql, values, mtsql.run([f"EXPLAIN (FORMAT JSON) {s}" for s in sql], target)):
        for c in candidates(plan):
            if c["legal"]:
                yield [f"SET layout = '{c['layout']}'", f"SET cut = '{c['cut']}'", s], f"{c['layout']} at {c['cut']}: {s}", sums(rows, v)


def test_layouts(folder):
    """Every legal cut of every layout gives the groups of the rows. Some cuts are above the
    records.
    """
    above = 0
    for zone, (make, fields) in itertools.product(zones() if OPTIONS.all or OPTIONS.uri else ["Europe/Berlin", "Australia/Lord_Howe", "America/Goose_Bay", "Asia/Amman"], TABLES):
        target = OPTIONS.uri or tempfile.mkdtemp(dir=folder)
        rows = load_layouts(folder, zone, make, fields, target)
        sql = [f"SELECT {call} AS b, sum(n) FROM t GROUP BY b" for call in [f"time_bucket('{w}', ts, '{zone}')" for w in LAYOUT_WIDTHS] + [f"date_trunc('{u}', ts, '{zone}')" for u in LAYOUT_UNITS]]
        values = [lambda t, w=w: time_bucket(WIDTHS[w], t, zone) for w in LAYOUT_WIDTHS] + [lambda t, u=u: date_trunc(u, t, zone) for u in LAYOUT_UNITS]
        cuts = list(legal_cuts(sql, values, rows, target))
        answers = mtsql.run([s for forced, _, _ in cuts for s in forced], target)[2::3]
        for (_, what, wanted), answer in zip(cuts, answers):
            above += "records" not in what.split(":")[0]
            same(f"{zone}, {what}", answer.error or sorted((r[0].replace("+00", ""), r[1]) for r in answer.rows), wanted)
        mtsql.run(["DROP TABLE t"], target)
    check("cuts above the records", above > 0)


# ---- PostgreSQL ----

# TimescaleDB's ts_timestamptz_timezone_bucket, in a session in UTC.
TIMESCALE = """CREATE FUNCTION tsdb (width interval, ts timestamptz, zone text, origin timestamptz DEFAULT NULL, shift interval DEFAULT '0') RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE t timestamptz := ts - shift; r timestamptz;
BEGIN
   r := date_bin(width, t AT TIME ZONE zone, coalesce(origin AT TIME ZONE zone, '2000-01-03')) AT TIME ZONE zone;
   WHILE r > t LOOP r := r - width; END LOOP;
   RETURN r + shift;
END $$"""


def test_postgres(folder):
    if not OPTIONS.postgres:
        return
    import postgres
    pg = postgres.Postgres(os.path.join(folder, "pg"))
    os.chmod(folder, 0o755)
    pg.start()
    try:
        ask = lambda sql, given="": subprocess.run(pg.psql("-qAt", "-F", ",", "-c", sql), input=given, stdout=subprocess.PIPE, check=True, text=True).stdout
        ask(TIMESCALE)
        for zone in zones():
            compare_postgres(ask, zone)
    finally:
        pg.stop()


def compare_postgres(ask, zone):
    times = sorted({t for change in chosen_changes(zone) for t in instants(zone, change)})
    ask("DROP TABLE IF EXISTS w; CREATE TABLE w (id bigint, ts timestamptz)")
    ask("COPY w FROM STDIN WITH (FORMAT csv)", "".join(f"{t},{stamp(t)[1:-1]}\n" for t in times))
    asked = [(s, v, None) for s, v in questions(zone) if s.startswith("date_")]
    for (name, width), (origin, at), (offset, by) in zip(WIDTHS.items(), itertools.cycle(ORIGINS.items()), itertools.cycle(OFFSETS.items())):
        if not width[0]:
            asked += [(f"tsdb('{name}', ts, '{zone}')", lambda t, w=width: time_bucket(w, t, zone), width),
                      (f"tsdb('{name}', ts, '{zone}', '{origin}')", lambda t, w=width, o=at: time_bucket(w, t, zone, o), width),
                      (f"tsdb('{name}', ts, '{zone}', NULL, '{offset}')", lambda t, w=width, o=by: time_bucket(w, t, zone, None, o), width)]
    rows = [line.split(",") for line in ask("SELECT id, " + ", ".join(f"(extract(epoch FROM {s}) * 1000)::bigint" for s, _, _ in asked) + " FROM w ORDER BY id").splitlines()]
    for i, (sql, value, width) in enumerate(asked):
        differ = [(int(r[0]), int(r[i + 1]), value(int(r[0]))) for r in rows if int(r[i + 1]) != value(int(r[0]))]
        if width:
            differ = [d for d in differ if not documented(zone, width, *d)]
        check(f"{zone}: {sql}", not differ, [tuple(map(stamp, d)) for d in differ[:3]])


def documented(zone, width, t, theirs, ours):
    """docs/semantics.md: near a change of the clock, buckets of a day and more begin at the first
    of two midnights. Buckets that divide an hour keep apart the times that date_trunc keeps apart.
    """
    turns = any(abs(t - c) <= 26 * HOUR + abs(clock(zone).offset(c) - clock(zone).offset(c - 1)) for c in clock(zone).changes())
    return turns and theirs < ours <= t and (width[1] >= DAY or HOUR % width[1] == 0)


parser = argparse.ArgumentParser()
parser.add_argument("--all", action="store_true")
parser.add_argument("--postgres", action="store_true")
parser.add_argument("--uri")
OPTIONS = parser.parse_args()


def main():
    for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_")]:
        with tempfile.TemporaryDirectory(prefix="buckets-") as folder:
            test(folder) if test.__code__.co_argcount else test()
    return finish()


sys.exit(main())

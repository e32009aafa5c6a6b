#!/usr/bin/env python3
"""Kills the command (SIGKILL, at random moments) during INSERTs into counters, with and without
synchronous_commit. The store must have the first events, without gaps, each with its minute, hour
and day. All acknowledged events must be there; without synchronous_commit, all that were
acknowledged before the last sync.

    events_kill.py [KILLS]
"""
import collections
import pathlib
import sys
import tempfile

from kills import mtsql, rows, seeded, writer_killed

SETUP = """CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL)
   USING daily_metrics;
INSERT INTO hits VALUES ('2020-01-01 00:00+00', 'm0', 1);
"""
CUTS = {"minute": "ts", "hour": "time_bucket('1 hour', ts)", "day": "time_bucket('1 day', ts)"}
MINUTES = {"minute": 1, "hour": 60, "day": 1440}
FIRST = 1577836800  # 2020-01-01


def hits(i):
    """Event i, as (minute since the first day, metric). Mostly it is one hit. Sometimes it is 300
    at once, which fold the waiting increments into the documents.
    """
    if i % 60 == 59:
        return [(k * 4 + i // 1440 * 1440, f"m{i % 7}") for k in range(300)]
    return [(i * 37 % 1440 + i // 1440 * 1440, f"m{i % 7}")]


def statement(i):
    values = ", ".join(f"(to_timestamp({FIRST + 60 * m}), '{metric}', 1)" for m, metric in hits(i))
    return f"INSERT INTO hits VALUES {values};\n"


def script(rng, first, lazy):
    lines = [f"SET synchronous_commit = {'off' if lazy else 'on'};\n", f"SET wal_writer_delay = '{rng.choice([1, 5, 10000])}ms';\n"]
    for i in range(first, first + 4000):
        lines.append(statement(i))
        if not lazy:
            lines.append(f"\\echo {i}\n")
        elif rng.random() < 0.05:  # turning the setting on syncs
            lines.append(f"SET synchronous_commit = on;\n\\echo {i}\nSET synchronous_commit = off;\n")
    return "".join(lines)


class Model:
    """The sums of the first `events` events."""

    def __init__(self):
        self.events, self.total, self.cells = 0, 0, {cut: collections.Counter() for cut in CUTS}

    def grow_to(self, total):
        while self.total < total:
            for minute, metric in hits(self.events):
                for cut in CUTS:
                    self.cells[cut][f"{FIRST + minute // MINUTES[cut] * MINUTES[cut] * 60}", metric] += 1
                self.total += 1
            self.events += 1
        return self.total == total


def check(store, model, when, acknowledged):
    got = rows(store, "".join(f"SELECT '{cut}', extract(epoch FROM {x})::bigint, metric, sum(n) FROM hits GROUP BY 2, 3;\n" for cut, x in CUTS.items()))
    found = {cut: {(r[1], r[2]): int(r[3]) for r in got if r[0] == cut} for cut in CUTS}
    totals = {cut: sum(cells.values()) for cut, cells in found.items()}
    if len(set(totals.values())) != 1 or not model.grow_to(totals["day"]):
        sys.exit(f"{when}: half an event is there: {totals}; {model.events} events are {model.total} hits")
    if model.events <= acknowledged:
        sys.exit(f"{when}: {model.events} events are there, number {acknowledged} was acknowledged")
    for cut in CUTS:
        if found[cut] != model.cells[cut]:
            sys.exit(f"{when}: by {cut} the events aren't the first {model.events}: {set(found[cut].items()) ^ set(model.cells[cut].items())}")


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    rng = seeded()
    with tempfile.TemporaryDirectory(prefix="mtsql-events-") as folder:
        store = f"{folder}/store"
        mtsql(store, SETUP)
        model, killed = Model(), 0
        check(store, model, "at first", 0)
        for n in range(kills):
            writer = writer_killed(store, script(rng, model.events, n % 2 == 1), pathlib.Path(folder), rng, (0, 0.1), rng.randrange(3))
            if writer.code not in (-9, 0):  # 0: the script was too short
                sys.exit(f"kill {n}: the writer failed: {writer.problems}")
            killed += writer.code == -9
            check(store, model, f"kill {n}", int(writer.acknowledged[-1]) if writer.acknowledged else model.events - 1)
    print(f"{killed} kills amidst {model.events} events: each whole, in order, none lost that was acknowledged")
    if model.events < kills or killed < kills / 2:
        sys.exit("hardly anything was written: the test says nothing")


main()

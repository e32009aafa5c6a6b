#!/usr/bin/env python3
"""\\infer recognizes documents of many shapes that mtsql did not write. The statements that it
proposes run, and the table has the records.
"""
import collections
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import cases
from paths import MTSQL

DAY = 86400
START = 1700006400  # the first second of a day
RNG = random.Random(11)


def records(step, hosts=("alpha", "beta", "gamma"), days=2):
    """Returns (time, host, value). Records are `step` seconds apart if it is given. There is one
    for each host and time.
    """
    return [(t, h, RNG.randrange(1, 100)) for h in hosts for t in range(START, START + days * DAY, step) if RNG.random() < 0.4]


def date(t):
    return {"$date": datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


def by(rows, key):
    groups = collections.OrderedDict()
    for r in rows:
        groups.setdefault(key(r), []).append(r)
    return groups.items()


def day_of(t):
    return t - t % DAY


def flat(rows):
    return [{"at": date(t), "tags": {"host": h}, "value": v} for t, h, v in rows]


def epochs(rows):
    return [{"timestamp": float(t), "host": h, "value": v + 0.5} for t, h, v in rows]


def day_list(rows):
    return [{"host": h, "day": day, "values": [{"t": t, "v": v} for t, _, v in some]} for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def day_minutes(rows):
    return [{"host": h, "date": date(day), "n": len(some), "total": sum(r[2] for r in some), "minutes": {"%04d" % ((r[0] - day) // 60): r[2] for r in some}}
            for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def hours_of_minutes(rows):
    def hours(day, some):
        return {str(h): {str(r[0] % 3600 // 60): r[2] for r in rs} for h, rs in by(some, lambda r: (r[0] - day) // 3600)}
    return [{"_id": f"{day}-{h}", "metadata": {"host": h, "date": date(day)}, "sum": sum(r[2] for r in some), "minute": hours(day, some)}
            for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def hour_slots(rows):
    def slots(some):
        out = [None] * 24
        for t, _, v in some:
            out[t % DAY // 3600] = v
        return out
    return [{"host": h, "day": date(day), "hours": slots(some)} for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def hosts_of_hours(rows):
    return [{"day": date(day), "hosts": {h: {str(r[0] % DAY // 3600): r[2] for r in rs} for h, rs in by(some, lambda r: r[1])}}
            for day, some in by(rows, lambda r: day_of(r[0]))]


def counters(rows):
    """Makes documents with a count and a sum in each slot, and those of the hour and the day above.
    """
    def cell(some):
        return {"t": sum(r[2] for r in some), "n": len(some)}
    return [{"host": h, "d": date(day), "dy": cell(some), "hy": {str(k): cell(rs) for k, rs in by(some, lambda r: r[0] % DAY // 3600)}}
            for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def nested(rows):
    def level(some):
        return {"c": len(some), "0": sum(r[2] for r in some)}
    return [{"count": len(some), "sum_value": sum(r[2] for r in some), "min_t": some[0][0], "max_t": some[-1][0],
             "_": [dict({"d": float(t)}, **level(at), _=[{"d": h, "v": [{"0": r[2]} for r in rs]} for h, rs in by(at, lambda r: r[1])]) for t, at in by(some, lambda r: r[0])]}
            for _, some in by(sorted(rows), lambda r: day_of(r[0]))]


def no_raw_values(rows):
    """Makes documents with counts and sums for each time. Below them are only the names of what was
    counted.
    """
    return [{"host": h, "count": len(some), "sum_value": sum(r[2] for r in some), "min_t": some[0][0] - some[0][0] % 3600, "max_t": some[-1][0] - some[-1][0] % 3600,
             "_": [{"d": float(t), "c": len(at), "0": sum(r[2] for r in at), "_": [{"d": str(k % 3), "_": [{"d": "x"}]} for k in range(len(at) + 1)]}
                   for t, at in by(some, lambda r: r[0] - r[0] % 3600)]}
            for (h, _), some in by(sorted(rows, key=lambda r: (r[1], r[0])), lambda r: (r[1], day_of(r[0])))]


def slots_of_sums(rows):
    """Makes documents where only the cells give the number of records."""
    return [{"host": h, "d": date(day), "hours": {str(k): {"x": sum(r[2] for r in rs), "n": len(rs)} for k, rs in by(some, lambda r: r[0] % DAY // 3600)}}
            for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def buckets(rows):
    """Makes documents of MongoDB's bucket pattern. The range is that of the hour, not of the
    measurements.
    """
    return [{"host": h, "start_date": date(t), "end_date": date(t + 3599), "measurements": [{"timestamp": date(r[0]), "value": r[2]} for r in some],
             "transaction_count": len(some), "sum_value": sum(r[2] for r in some)}
            for (h, t), some in by(rows, lambda r: (r[1], r[0] - r[0] % 3600))]


def day_of_metric(minute):
    def make(rows):
        return [{"_id": "%s/%s" % (date(day)["$date"][:10].replace("-", ""), h), "metadata": {"date": date(day), "host": h}, "daily": sum(r[2] for r in some),
                 "hourly": {"%02d" % k: sum(r[2] for r in rs) for k, rs in by(some, lambda r: r[0] % DAY // 3600)}, "minute": minute(some)}
                for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]
    return make


daily = day_of_metric(lambda some: {"%02d" % k: {"%02d" % (r[0] % 3600 // 60): r[2] for r in rs} for k, rs in by(some, lambda r: r[0] % DAY // 3600)})
daily_flat = day_of_metric(lambda some: {"%04d" % (r[0] % DAY // 60): r[2] for r in some})


def mms(rows):
    def cell(some):
        return {"t": sum(r[2] for r in some), "n": len(some)}
    return [{"_id": "%s-bits-mem-%s" % (date(day)["$date"][:10].replace("-", ""), h), "d": date(day)["$date"][:10].replace("-", ""), "g": "mem", "i": "bits", "dy": cell(some),
             "hy": {str(k): cell(rs) for k, rs in by(some, lambda r: r[0] % DAY // 3600)}, "mn": {str(k): cell(rs) for k, rs in by(some, lambda r: r[0] % DAY // 60)}}
            for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


# name, maker of the documents, step, whether it must be recognized as packed, words that the
# proposal must have
def pairs(rows):
    return [{"host": h, "samples": [[t * 1000, v] for t, _, v in some]} for h, some in by(rows, lambda r: r[1])]


def arrays(rows):
    return [{"host": h, "sum": sum(r[2] for r in some), "t": [date(r[0]) for r in some], "value": [r[2] for r in some]}
            for (h, _), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def arrays_below(rows):
    return [{"host": h, "day": date(day), "data": {"value": [r[2] for r in some], "time": [r[0] for r in some]}}
            for (h, day), some in by(rows, lambda r: (r[1], day_of(r[0])))]


def calendar(rows):
    out = {}
    for t, h, v in rows:
        d = datetime.datetime.fromtimestamp(t, datetime.timezone.utc)
        out.setdefault(h, {}).setdefault(str(d.year), {}).setdefault(str(d.month), {})[str(d.day)] = v
    return [{"host": h, "years": years} for h, years in out.items()]


def test_ragged():
    """Arrays of different lengths are not parallel. No proposal may pair their values."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "ragged.jsonl"), "w", encoding="utf-8") as f:
            for n, m in ((2, 3), (3, 2)):
                f.write(json.dumps({"t": [date(START + i) for i in range(n)], "v": list(range(m))}) + "\n")
        _, proposal, err = run(folder, "\\infer ragged")
        cases.check("ragged", not err and "USING rows" in proposal and "\"t\" has 2 elements" in proposal, proposal + err)


SHAPES = [
    ("flat", flat, 3600, False, ['"tags.host" text DIMENSION', "at timestamp with time zone TIME"]),
    ("epochs", epochs, 3600, False, ["time_encoding = 'epoch_s'"]),
    ("day_list", day_list, 600, True, ['"trunc": "day"', '"is": "list"']),
    ("day_minutes", day_minutes, 60, True, ['"n": "n"', '"value": "total"', '"part": "minute", "of": "day"', '"pad": 4']),
    ("hours_of_minutes", hours_of_minutes, 60, True, ['"part": "hour", "of": "day"', '"part": "minute", "of": "hour"', '"value": "sum"']),
    ("hour_slots", hour_slots, 3600, True, ['"is": "slots"', "PERIOD '1 hour'"]),
    ("hosts_of_hours", hosts_of_hours, 3600, True, ['"column": "hosts"']),
    ("counters", counters, 3600, True, ['"keeps": "sums"', '"n": "dy.n"', '"part": "hour", "of": "day"']),
    ("no_raw_values", no_raw_values, 600, True, ['"keeps": "sums"', '"n": "c"', '"range"', '"measures": {"value": "sum_value"}']),
    ("slots_of_sums", slots_of_sums, 600, True, ['"keeps": "sums"', "-- Check this: \"n\" is taken for a count of records that aren't kept."]),
    ("buckets", buckets, 600, True, ['"range": {"min": "start_date", "max": "end_date", "encoding": "date"}', '"n": "transaction_count"']),
    ("daily", daily, 60, False, ["USING daily_metrics WITH (collection = 'daily', style = 'hierarchical');", "hits bigint MEASURE COUNTER"]),
    ("daily_flat", daily_flat, 60, False, ["USING daily_metrics WITH (collection = 'daily_flat');"]),
    ("mms", mms, 60, False, ["USING mms WITH (collection = 'mms');"]),
    ("pairs", pairs, 600, True, ['"is": "pairs", "at": "samples"', '"column": "ts", "from": "field", "at": "0", "encoding": "epoch_ms"']),
    ("arrays", arrays, 600, True, ['"is": "arrays", "at": ""', '"measures": {"value": "sum"}']),
    ("arrays_below", arrays_below, 600, True, ['"is": "arrays", "at": "data"', '"trunc": "day"']),
    ("calendar", calendar, DAY, True, ['"trunc": "year", "from": "key", "encoding": {"format": "%Y"}', '"part": "month", "of": "year", "base": 1', "PERIOD '1 day'"]),
    ("nested", nested, 600, True, ['"range"', '"exact": true', '"measures": {"value": "sum_value"}', '"n": "c"', '"many": true']),
]
VALUE = {"pairs": "m_1", "day_list": "v", "counters": "t", "daily": "hits", "daily_flat": "hits", "mms": "total", "slots_of_sums": "x"}
UNCOUNTED = ("daily", "daily_flat")  # counters that keep no number of records
PARTED = {name: ['"partition": "month"'] for name in ("day_list", "buckets", "no_raw_values", "nested", "pairs", "arrays")}  # by layouts of their own
HOST = {"flat": '"tags.host"', "hosts_of_hours": "hosts", "nested": "d"}


def run(folder, *commands):
    args = [x for c in commands for x in ("-c", c)]
    p = subprocess.run([MTSQL, "-X", "-q", "--csv", "-t", *args, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def month_of(t):
    return datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime("_%Y_%m")


def write(folder, name, make, rows, parted):
    """Writes a collection, or one for each month."""
    for suffix, some in by(rows, lambda r: month_of(r[0])) if parted else [("", rows)]:
        with open(os.path.join(folder, f"{name}{suffix}.jsonl"), "w", encoding="utf-8") as f:
            for d in make(some):
                f.write(json.dumps(d) + "\n")


def wrong(folder, name, make, step, packed, words, parted=False):
    rows = records(step, days=800 if step == DAY else 2)
    if parted:
        rows = [(t + k * 20 * DAY, h, v) for k in range(4) for t, h, v in rows]
    write(folder, name, make, rows, parted)
    rc, proposal, err = run(folder, f"\\infer {name}")
    if rc or err:
        return f"\\infer said {rc}: {err}"
    for w in (PARTED.get(name, [f"WITH (collection = '{name}'", "partition_by = 'month'"]) if parted else words) + ["CREATE TABLE"] + (["CREATE LAYOUT"] if packed else []):
        if w not in proposal:
            return f"the proposal lacks {w}:\n{proposal}"
    with open(os.path.join(folder, "proposal.sql"), "w", encoding="utf-8") as f:
        f.write(proposal)
    column, host = VALUE.get(name, "value"), HOST.get(name, "host")
    time = {"flat": "at", "epochs": "timestamp", "day_list": "ts", "buckets": "timestamp", "arrays_below": "time"}.get(name, "ts")
    count = "0" if name in UNCOUNTED else "count(*)"
    rc, out, err = run(folder, f"\\i {folder}/proposal.sql", f"SELECT {host}, extract(epoch FROM date_trunc('hour', {time})), {count}, sum({column}) FROM {name} GROUP BY 1, 2 ORDER BY 1, 2",
                       f"SELECT {count}, sum({column}) FROM {name}")
    if rc or err:
        return f"the proposal doesn't run: {rc}: {err}\n{proposal}"
    half = 0.5 if name == "epochs" else 0
    counted = 0 if name in UNCOUNTED else 1
    want = {k: (counted * len(rs), sum(r[2] + half for r in rs)) for k, rs in by(sorted(rows, key=lambda r: (r[1], r[0])), lambda r: (r[1], r[0] - r[0] % 3600))}
    lines = [line.split(",") for line in out.strip().split("\n")]
    got = {(h, int(float(t))): (int(n), float(s)) for h, t, n, s in lines[:-1]}
    if got != want:
        return f"{len(got)} groups, not {len(want)}, or other sums\n{proposal}\n{sorted(set(got.items()) ^ set(want.items()))[:4]}"
    if (int(lines[-1][0]), float(lines[-1][1])) != (counted * len(rows), sum(r[2] + half for r in rows)):
        return f"in all {lines[-1]}"
    return None


def test_parted():
    """Collections of months are one table, also by the name of one of them, unless a document lies
    in the wrong collection.
    """
    for shape in SHAPES:
        if shape[0] not in PARTED and shape[0] not in ("flat", "epochs", "daily", "daily_flat", "mms"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            why = wrong(folder, *shape, parted=True)
        cases.check(f"{shape[0]} by months", not why, why)
    with tempfile.TemporaryDirectory() as folder:
        rows = records(60, days=40)
        write(folder, "m", mms, rows, True)
        months = sorted(os.listdir(folder))
        _, whole, _ = run(folder, "\\infer m")
        _, one, _ = run(folder, "\\infer " + months[0].partition(".")[0])
        cases.check("by the name of one of them", whole.partition("\n")[2] == one.partition("\n")[2] and "CREATE TABLE m (" in one, one)
        with open(os.path.join(folder, months[1]), encoding="utf-8") as f:
            stray = f.readline()
        with open(os.path.join(folder, months[0]), "a", encoding="utf-8") as f:
            f.write(stray)
        _, one, _ = run(folder, "\\infer " + months[1].partition(".")[0])
        cases.check("not where one lies in the wrong one", "partition_by" not in one and "not partitions of one table" in one and json.loads(stray)["_id"] in one, one)


def main():
    test_ragged()
    test_parted()
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            why = wrong(folder, *shape)
        cases.check(shape[0], not why, why)
    return cases.finish()


if __name__ == "__main__":
    sys.exit(main())

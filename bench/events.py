#!/usr/bin/env python3
"""Measures writes a second through a simulated day, with documents of daily metrics as published,
and the rate of events into the embedded store.

    events.py [--build DIR] [--day SECONDS] [--prepare SECONDS] [--server-day SECONDS]
              [--server-prepare SECONDS] [--output FILE.md] [--on "TARGET ..."]

TARGET: local, a name of tests/servers/server.py, or a mongodb:// URI. The plots are written beside
FILE.md as FILE-TARGET.svg.

A day that does not end in time is given up, and the page says so. events.c sends the hits. It fails
if a query right after them does not give every hit.
"""
import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "tests", "servers"), os.path.join(ROOT, "bench")]

from page import Page, load, targets  # noqa: E402
from server import SERVERS, Server, with_database  # noqa: E402

FORMS = {"flat": ["--form", "flat"], "preallocated": ["--form", "flat", "--preallocate"], "hierarchical": ["--form", "hierarchical", "--preallocate"]}
# Means of the published timings, by hour: R. Copeland, github.com/rick446/mongodb-sdas.
PUBLISHED_HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 23]
PUBLISHED = {"flat": [3716, 2705, 1691, 928, 476, 395, 1065, 1930, 1383], "preallocated": [3720, 3154, 2430, 2187, 1880, 1453, 1827, 1806, 1576],
             "hierarchical": [3630, 3591, 3351, 3432, 3104, 3392, 3309, 3202, 3365]}
COLOURS = {"flat": "#c0392b", "preallocated": "#2471a3", "hierarchical": "#1e8449"}
GOAL_EVENTS, GOAL_ROWS = 150_000, 500_000
SERIES = 100


def out_of(command, timeout=None):
    """Returns the command's output, and its seconds of processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"it did not end in {timeout} s") from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode:
        raise RuntimeError((p.stdout + p.stderr).strip()[-300:])
    return p.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Day:
    """One run of events.c. Its preparation may take `prepare` seconds. The run may take as long
    again after the day.
    """

    def __init__(self, build, target, day, *options, prepare=60):
        text, self.cpu = out_of([f"{build}/events", target, "--seconds", str(day), "--prepare", str(prepare), *options], timeout=day + 3 * prepare)
        rows = [line.split("\t") for line in text.splitlines()]
        self.hours = [int(r[1]) for r in rows if r[0].isdigit()]
        self.end = {r[0]: float(r[1]) for r in rows if not r[0].isdigit()}
        self.mean = self.end["hits"] / day


def bars(values, most):
    return "".join(" ▁▂▃▄▅▆▇█"[min(8, max(1, round(8 * v / most)))] if v else " " for v in values)


def axis(most):
    """Returns the step of an axis with at most five round numbers that has room for the value."""
    step = 10 ** (len(str(int(most))) - 1)
    return next(s for s in (step // 5, step // 2, step, 2 * step) if s and s * 5 >= most)


def svg(plots):
    """Returns plots side by side: (title, {form: [(hour, writes a second)]})."""
    wide, high, left, top = 480, 280, 80, 30
    rows, columns = (len(plots) + 1) // 2, min(len(plots), 2)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * wide}" height="{rows * high + 30}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>']
    for k, (title, series) in enumerate(plots):
        x0, y0 = k % 2 * wide + left, k // 2 * high + top
        w, h = wide - left - 20, high - top - 40
        step = axis(max(1, *(v for points in series.values() for _, v in points)))
        most = 5 * step
        out.append(f'<text x="{x0}" y="{y0 - 8}" font-size="13">Writes a second by the hour of the day: {title}</text><path d="M{x0} {y0}v{h}h{w}" fill="none" stroke="black"/>')
        for i in range(1, 6):
            y = y0 + h - h * i / 5
            out.append(f'<path d="M{x0} {y:.1f}h{w}" stroke="#ddd"/><text x="{x0 - 5}" y="{y + 4:.1f}" text-anchor="end">{step * i:,}</text>')
        for hour in range(0, 25, 6):
            out.append(f'<text x="{x0 + w * hour / 24:.1f}" y="{y0 + h + 14}" text-anchor="middle">{hour}:00</text>')
        for form, points in series.items():
            path = " ".join(f"{x0 + w * (hour + 0.5) / 24:.1f},{y0 + h - h * v / most:.1f}" for hour, v in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[form]}" stroke-width="2"/>')
    for i, form in enumerate(FORMS):
        x, y = left + 140 * i, rows * high + 18
        out.append(f'<rect x="{x}" y="{y - 9}" width="20" height="4" fill="{COLOURS[form]}"/><text x="{x + 26}" y="{y - 3}">{form}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


class Bench:
    def __init__(self, args, folder, page):
        self.build, self.output, self.folder, self.page, self.say = os.path.abspath(args.build), args.output, folder, page, page.say
        self.times = {True: (args.day, args.prepare), False: (args.server_day, args.server_prepare)}

    def table(self, title, series):
        """series: {form: [(hour, writes)]}"""
        hours = [hour for hour, _ in next(iter(series.values()))]
        most = max(v for points in series.values() for _, v in points)
        self.say("| documents | " + " | ".join(str(h) for h in hours if h % 3 == 0 or h == 23) + " | through the day |")
        self.say("|---|" + "---|" * (sum(h % 3 == 0 or h == 23 for h in hours) + 1))
        for form, points in series.items():
            cells = [f"{v:,}" for h, v in points if h % 3 == 0 or h == 23]
            self.say(f"| {form} | " + " | ".join(cells) + f" | `{bars([v for _, v in points], most)}` |")
        self.say()
        if self.output:
            plots = f"{os.path.splitext(self.output)[0]}-{title}.svg"
            self.say(f"![writes a second through the day]({os.path.basename(plots)})\n")
            with open(plots, "w", encoding="utf-8") as f:
                f.write(svg([(title, series)]))

    def days(self, title, target_of):
        """Runs all forms. The preallocated forms come first, because they determine the number of
        series: as many as preallocation makes in its time.
        """
        series, ends, count = {}, {}, SERIES
        for form in sorted(FORMS, key=lambda form: "--preallocate" not in FORMS[form]):
            try:
                day = Day(self.build, target_of(form), self.day, *FORMS[form], "--series", str(count), prepare=self.prepare)
            except RuntimeError as e:
                ends[form] = f"{form}: not measured ({e})"
                continue
            count = int(day.end["series"])
            series[form] = list(enumerate(day.hours))
            ends[form] = f"{form}: {count} series, {day.mean:,.0f} writes/s, read back whole in {day.end['at'] * 1000:.1f} ms"
        if series:
            self.table(title, {form: series[form] for form in FORMS if form in series})
        self.say("Every hit was there right behind: " + "; ".join(ends[form] for form in FORMS) + ".\n")

    def store(self, name):
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        return path

    def mtsql(self, store, *commands):
        start = time.monotonic()
        out, cpu = out_of([f"{self.build}/mtsql", "-X", "-q", "-t", "-A", *[x for c in commands for x in ("-c", c)], store])
        return out.strip(), time.monotonic() - start, cpu

    def many(self):
        self.say("### 10,000 series\n\nHits on hierarchical day documents of 10,000 series in turn, each one step of its own, through a day of "
                 f"{self.day} s. *window*: how long commits wait for each other at most (`wal_writer_delay`); 0: each waits for the disk (`synchronous_commit = on`).\n")
        self.say("| window | events/s | µs of processor an event | least and most, by hour | last sync ms | one series read ms | all read ms | goal |\n|---|---|---|---|---|---|---|---|")
        for window in (200, 10, 0):
            d = Day(self.build, self.store("many"), self.day, "--form", "hierarchical", "--series", "10000", "--window", str(window))
            goal = ("yes" if d.mean >= GOAL_EVENTS else "no") + f": {GOAL_EVENTS:,}" if window == 200 else "-"
            self.say(f"| {window} ms | {d.mean:,.0f} | {d.cpu / d.end['hits'] * 1e6:.2f} | {min(d.hours):,}, {max(d.hours):,} | {d.end['sync'] * 1000:.1f} | {d.end['one'] * 1000:.1f} | "
                     f"{d.end['at'] * 1000:.0f} | {goal} |")
        self.say()

    def by_sql(self):
        self.say("### By SQL\n\n| what | rows | s | rows/s | µs of processor a row | goal |\n|---|---|---|---|---|---|")
        counters = "(ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (style = 'hierarchical')"
        script = os.path.join(self.folder, "hits.sql")
        count = 30_000
        with open(script, "w", encoding="utf-8") as f:
            f.write(f"CREATE TABLE hits {counters};\nSET synchronous_commit = off;\n")
            f.writelines(f"INSERT INTO hits VALUES ('2020-01-01 {i // 60 % 24:02d}:{i % 60:02d}+00', 'metric-{i % 10000}', 1);\n" for i in range(count))
        self.row("INSERT of one event each, a script", count, self.store("sql"), f"\\i {script}", check="SELECT sum(n) FROM hits")
        for name, table, columns in (("COPY of events of 10,000 series", f"hits {counters}", 2),
                                     ("COPY into History (rows)", "history (\"UserId\" bigint DIMENSION NOT NULL, ts timestamptz TIME NOT NULL, cell bigint, x double precision, y double precision) USING rows", 4)):
            csv, count = os.path.join(self.folder, "rows.csv"), 2_000_000
            with open(csv, "w", encoding="utf-8") as f:
                for i in range(count):
                    when = f"2020-01-01 {i // 83334 % 24:02d}:{i // 1389 % 60:02d}:{'00' if columns == 2 else f'{i % 60:02d}'}+00"
                    f.write(f"{when},metric-{i % 10000},1\n" if columns == 2 else f"{i * 7919 % 1000003},{when},{i % 5000},{i % 180}.5,{i % 90}.25\n")
            what = table.split()[0]
            goal = GOAL_ROWS if what == "history" else 0
            self.row(name, count, self.store("sql"), f"COPY {what} FROM '{csv}' WITH (FORMAT csv)", create=f"CREATE TABLE {table}",
                     check=f"SELECT {'sum(n)' if what == 'hits' else 'count(*)'} FROM {what}", goal=goal)
        self.say()

    def row(self, what, count, store, command, create=None, check=None, goal=0):
        if create:
            self.mtsql(store, create)
        _, took, cpu = self.mtsql(store, command)
        found = self.mtsql(store, check)[0]
        if found != str(count):
            raise RuntimeError(f"{what}: {found} of {count} are there")
        reached = f"{'yes' if count / took >= goal else 'no'}: {goal:,}" if goal else "-"
        self.say(f"| {what} | {count:,} | {took:.2f} | {count / took:,.0f} | {cpu / count * 1e6:.2f} | {reached} |")

    def begin(self, name):
        self.day, self.prepare = self.times[name == "local"]
        self.page.section(heading(name))
        self.say(f"A day of {self.day} s, at most {self.prepare} s to preallocate. {load()}\n")

    def local(self):
        self.begin("local")
        self.days("local", self.store)
        self.many()
        self.by_sql()

    def server(self, name):
        with Server(name) as base:
            self.begin(name)
            self.days(name if name in SERVERS else "server", lambda form: with_database(base, f"events_{os.getpid()}_{form}"))

    def published(self):
        self.page.section(AS_PUBLISHED)
        self.table("published", {form: list(zip(PUBLISHED_HOURS, v)) for form, v in PUBLISHED.items()})


def heading(name):
    return "The embedded store" if name == "local" else name if name in SERVERS else "a server of your own"


AS_PUBLISHED = "As published (2012, mongodb-sdas)"
INTRO = f"""# Events

Writes a second through a simulated day, by the hour. A *hit* adds 1 to the day, the hour and the
minute of its series. Hits are sent as fast as they go, while a day passes in some seconds.

As in the published run, each series has one document a day, and there are {SERIES} series:

- *flat*: the minutes are one map.
- *preallocated*: the same, and every slot is 0 before the day begins. A hit makes tomorrow's
  document with probability 1/2000.
- *hierarchical*: minutes lie within hours. Documents are preallocated, with probability 1/1500.

If preallocation does not end in its time, the run has only the series that were made in that time.

Made by `make bench-events`, with a section for each target. README.md says what is measured."""


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("--day", type=int, default=24)
    p.add_argument("--prepare", type=int, default=60)
    p.add_argument("--server-day", type=int, default=12)
    p.add_argument("--server-prepare", type=int, default=20)
    p.add_argument("--output")
    p.add_argument("--on", type=targets("local", *SERVERS), default=" ".join(["local", *SERVERS]))
    args = p.parse_args()
    page = Page(args.output, INTRO, AS_PUBLISHED)
    with tempfile.TemporaryDirectory(prefix="mtsql-events-") as folder:
        b = Bench(args, folder, page)
        for name in args.on:
            try:
                b.local() if name == "local" else b.server(name)
            except (SystemExit, RuntimeError) as e:
                page.cannot(heading(name), e)
        b.published()
    page.save()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""state_agg and heartbeat_agg beside a small model. Random rows come in any order, in one state or
in states of parts that rollup merges.

    periods.py [--cases N] [--seed N]

The model works on a list of milliseconds, one by one or range by range. It shares no method with
the C code: it looks up the state at each time.
"""
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "servers")]
import mtsql
import randoms

CHUNK = 50
SPAN = 400  # milliseconds of a case


def at(ms):
    """Returns the timestamptz that is this many ms after 2020-01-01."""
    return f"timestamptz '2020-01-01 00:00:0{ms // 1000}.{ms % 1000:03}+00'"


def shown(ms):
    return f"{ms} ms"


class States:
    """Rows (time, state), and the state at each millisecond."""

    def __init__(self, rng):
        self.rng = rng
        self.ints = rng.random() < 0.5
        names = rng.sample([0, 1, -9, 51351, 2**40] if self.ints else ["a", "b", "OK", "FAULT", "", "ä'x"], rng.choice([1, 2, 4]))
        times = sorted(rng.sample(range(SPAN), rng.choice([1, 2, 5, 30])))
        self.rows = [(t, rng.choice(names)) for t in times]
        self.names = names + [7 if self.ints else "none"]

    def literal(self, state):
        return f"{state}::bigint" if self.ints else "'" + state.replace("'", "''") + "'"

    def on(self, rows, ms):
        """Returns the state at a time, or None before the first row."""
        found = None
        for t, s in rows:
            if t <= ms:
                found = s
        return found

    def lasted(self, rows, state, start, end, stop):
        """Returns the milliseconds from start to end in which a state was on. The last row counts
        until stop.
        """
        return sum(self.on(rows, ms) == state for ms in range(max(start, rows[0][0]), min(end, stop)))

    def source(self, rows):
        """Returns a sub-select with the state of all rows, or with the states of consecutive parts.
        """
        rng, cuts = self.rng, set()
        if len(rows) > 1 and rng.random() < 0.6:
            cuts = set(rng.sample(range(1, len(rows)), rng.randint(1, len(rows) - 1)))
        part, values = 0, []
        for i, (t, s) in enumerate(rows):
            part += i in cuts
            values += [f"({at(t)}, {self.literal(s)}, {part})"] * rng.choice([1, 1, 1, 2])
        rng.shuffle(values)
        v = f"(VALUES {', '.join(values)}) AS v (t, s, part)"
        return f"SELECT rollup(a) AS a FROM (SELECT state_agg(t, s) AS a FROM {v} GROUP BY part) AS p" if cuts else f"SELECT state_agg(t, s) AS a FROM {v}"

    def questions(self):
        """Returns (expression over the state a, the model's answer as text)."""
        rng, rows = self.rng, self.rows
        stop, i = rows[-1][0], "_int" if self.ints else ""
        state, start, length, when = rng.choice(self.names), rng.randrange(SPAN), rng.randrange(SPAN), rng.randrange(SPAN)
        name = self.literal(state)
        ms = lambda call: f"(extract(epoch FROM {call}) * 1000)::int"
        yield ms(f"duration_in(a, {name})"), str(self.lasted(rows, state, 0, SPAN, stop))
        yield ms(f"duration_in(a, {name}, {at(start)})"), str(self.lasted(rows, state, start, SPAN, stop))
        yield ms(f"duration_in(a, {name}, {at(start)}, '{shown(length)}')"), str(self.lasted(rows, state, start, start + length, stop))
        found = self.on(rows, when)
        yield f"state_at{i}(a, {at(when)})", None if found is None else str(found)
        begin = rng.randint(0, rows[0][0])
        before = rng.choice([None, rng.choice(self.names)])
        more = rows if before is None else [(begin, before)] + rows
        prev = "NULL" if before is None else f"(SELECT state_agg({at(0)}, {self.literal(before)}))"
        yield ms(f"interpolated_duration_in(a, {name}, {at(begin)}, '{shown(length)}', {prev})"), str(self.lasted(more, state, begin, begin + length, max(stop, begin + length)))

    def periods(self):
        periods = []
        for t, s in self.rows:
            if not periods or periods[-1][0] != s:
                if periods:
                    periods[-1][2] = t
                periods.append([s, t, None])
        periods[-1][2] = self.rows[-1][0]
        return periods

    def sets(self):
        """Returns (set in FROM, its columns, the model's rows)."""
        periods, i, state = self.periods(), "int_" if self.ints else "", self.rng.choice(self.names)
        lasted = {}
        for s, t, end in periods:
            lasted[s] = lasted.get(s, 0) + end - t
        milli = lambda column: f"(extract(epoch FROM {column} - timestamptz '2020-01-01 00:00+00') * 1000)::int"
        times = f"{milli('start_time')}, {milli('end_time')}"
        yield f"state_{i}timeline(a)", f"state, {times}", [(str(s), str(t), str(e)) for s, t, e in periods]
        yield f"state_periods(a, {self.literal(state)})", times, [(str(t), str(e)) for s, t, e in periods if s == state]
        yield f"into_{i}values(a)", "state, (extract(epoch FROM duration) * 1000)::int", [(str(s), str(n)) for s, n in lasted.items()]


class Beats:
    """Heartbeats in one period or in parts of it, and whether each millisecond is alive."""

    def __init__(self, rng):
        self.rng = rng
        self.parts = rng.choice([1, 1, 2, 4])
        self.length = SPAN // self.parts
        self.live = rng.randint(1, self.length - 1) if rng.random() < 0.3 else rng.randint(1, 20)
        self.beats = [rng.randrange(SPAN) for _ in range(rng.choice([1, 2, 10, 60]))]
        used = {b // self.length for b in self.beats}
        self.start, self.end = min(used) * self.length, (max(used) + 1) * self.length

    def alive(self, ms):
        return any(b <= ms < b + self.live for b in self.beats)

    def ranges(self, start, end, wanted):
        found, ms = [], start
        while ms < end:
            first = ms
            while ms < end and self.alive(ms) == wanted:
                ms += 1
            if ms > first:
                found.append((str(first), str(ms)))
            else:
                ms += 1
        return found

    def source(self):
        values = [f"({at(b)}, {at(b // self.length * self.length)})" for b in self.beats]
        self.rng.shuffle(values)
        agg = f"SELECT heartbeat_agg(t, s, '{shown(self.length)}', '{shown(self.live)}') AS a FROM (VALUES {', '.join(values)}) AS v (t, s) GROUP BY s"
        return f"SELECT rollup(a) AS a FROM ({agg}) AS p"

    def questions(self):
        rng = self.rng
        up = lambda start, end: sum(map(self.alive, range(start, end)))
        ms = lambda call: f"(extract(epoch FROM {call}) * 1000)::int"
        yield ms("uptime(a)"), str(up(self.start, self.end))
        yield ms("downtime(a)"), str(self.end - self.start - up(self.start, self.end))
        yield "num_live_ranges(a)", str(len(self.ranges(self.start, self.end, True)))
        yield "num_gaps(a)", str(len(self.ranges(self.start, self.end, False)))
        when = rng.randrange(self.start, self.end)
        yield f"live_at(a, {at(when)})", "t" if self.alive(when) else "f"
        start, end = sorted(rng.sample(range(self.start, self.end + 1), 2))
        trimmed = f"trim_to(a, {at(start)}, '{shown(end - start)}')"
        yield ms(f"uptime({trimmed})"), str(up(start, end))
        yield f"num_gaps({trimmed})", str(len(self.ranges(start, end, False)))
        beat = rng.randrange(SPAN)
        if self.start > beat:
            prev = f"(SELECT heartbeat_agg({at(beat)}, {at(beat)}, '{shown(self.start - beat)}', '{shown(self.live)}'))"
            if self.live < self.start - beat:
                self.beats.append(beat)
                yield ms(f"interpolated_uptime(a, {prev})"), str(up(self.start, self.end))
                self.beats.pop()

    def sets(self):
        milli = lambda column: f"(extract(epoch FROM r.{column} - timestamptz '2020-01-01 00:00+00') * 1000)::int"
        for name, wanted in (("live_ranges(a) AS r", True), ("dead_ranges(a) AS r", False)):
            yield name, f"{milli('start')}, {milli('end')}", self.ranges(self.start, self.end, wanted)


def statements(rng):
    """Returns (statement, its expected rows) of one case."""
    case = rng.choice([States, Beats])(rng)
    source = case.source(case.rows) if isinstance(case, States) else case.source()
    questions = list(case.questions())
    yield f"SELECT {', '.join(q for q, _ in questions)} FROM ({source}) AS u", [tuple(a for _, a in questions)]
    for name, columns, rows in case.sets():
        yield f"SELECT {columns} FROM ({source}) AS u, {name}", rows


def main():
    parser = randoms.options("cases", 1000)
    args = parser.parse_args()
    wrong = asked = 0
    for first in range(0, args.cases, CHUNK):
        tried = [(n, s, rows) for n in range(first, min(first + CHUNK, args.cases)) for s, rows in statements(random.Random(f"{args.seed} {n}"))]
        for (n, s, rows), got in zip(tried, mtsql.run([s for _, s, _ in tried])):
            asked += 1
            if got.error is not None or got.rows != rows:
                wrong += 1
                print(f"FAIL case {n}: {s}\n   got {got.error or got.rows}\n   not {rows}")
    return randoms.closing(args.seed, asked, wrong, f"{args.cases} cases")


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""States of frequent and extreme values beside small exact models of them. The rows come in any
order. The states are merged in any order and grouping.

    states.py [--cases N] [--seed N] [--first N]

A case has some rows, in groups, and in groups of groups. If the order of rows is given, each state
must equal the model's. Otherwise the state of SpaceSaving must keep its bounds.
"""
import json
import math
import random
import sys
from collections import Counter

from oracle import mtsql
import randoms
from statements import q

STATS = Counter()
BATCH = 50  # cases in one process
MASK = (1 << 64) - 1


class Saving:
    """SpaceSaving. counters: by value, [count, over]."""

    def __init__(self, room):
        self.room, self.total, self.counters = room, 0, {}

    def ranked(self):
        return sorted(self.counters, key=lambda v: (-self.counters[v][0], v))

    def least(self):
        return min(c for c, _ in self.counters.values()) if len(self.counters) >= self.room else 0

    def add(self, v):
        self.total += 1
        if v in self.counters:
            self.counters[v][0] += 1
            return
        least = self.least()
        if len(self.counters) >= self.room:
            del self.counters[self.ranked()[-1]]
        self.counters[v] = [least + 1, least]

    def merge(self, other):
        if not self.total:
            self.total, self.counters = other.total, {v: list(c) for v, c in other.counters.items()}
            return
        mine, theirs, merged = self.least(), other.least(), {}
        for v in {**self.counters, **other.counters}:
            a, b = self.counters.get(v, [mine, mine]), other.counters.get(v, [theirs, theirs])
            merged[v] = [a[0] + b[0], a[1] + b[1]]
        self.total, self.counters = self.total + other.total, merged
        self.counters = {v: merged[v] for v in self.ranked()[:self.room]}

    def stored(self):
        values = self.ranked()
        return {"n": self.total, "counters": self.room, "values": values, "counts": [self.counters[v][0] for v in values], "overs": [self.counters[v][1] for v in values]}


def sip(key, data):
    """SipHash-2-4 (Aumasson and Bernstein, 2012) with the second key of the sketches."""
    seed = 0x517cc1b727220a95
    v = [key ^ 0x736f6d6570736575, seed ^ 0x646f72616e646f6d, key ^ 0x6c7967656e657261, seed ^ 0x7465646279746573]
    turn = lambda x, n: (x << n | x >> 64 - n) & MASK

    def rounds(n):
        for _ in range(n):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = turn(v[1], 13) ^ v[0]
            v[0] = turn(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = turn(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = turn(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = turn(v[1], 17) ^ v[2]
            v[2] = turn(v[2], 32)

    padded = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i:i + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 255
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def zeta_tail(skew, n):
    """The sum of (n / k) ^ skew from n on: many terms, and an integral for the rest."""
    end = n + 20000
    return math.fsum((n / k) ** skew for k in range(n, end)) + (n / end) ** skew * (end / (skew - 1) + 0.5 + skew / (12 * end))


# ---- rows ----

def stream(rng):
    """Returns values from 0 on, in an order that is easy or hard for SpaceSaving."""
    n, kinds = rng.choice([1, 5, 40, 120, 200]), rng.choice([1, 2, 5, 12, 30, 200])
    zipf = lambda: min(int(rng.paretovariate(1.1)) - 1, kinds)
    way = rng.choice(["zipf", "zipf", "even", "turns", "blocks", "late", "different"])
    STATS[way] += 1
    if way == "turns":
        return [i % kinds for i in range(n)]
    if way == "blocks":
        return sorted(zipf() for _ in range(n))
    if way == "late":  # a frequent value that comes last, when all counters are taken
        return list(range(1, n * 2 // 3 + 1)) + [0] * (n - n * 2 // 3)
    if way == "different":
        return rng.sample(range(n), n)
    return [zipf() if way == "zipf" else rng.randrange(kinds) for _ in range(n)]


def grouped(rng, values):
    """Returns rows (group of groups, group, number, value)."""
    groups = rng.choice([1, 2, 3, 7])
    return [(g % 2, g, i, v) for i, v in enumerate(values) for g in [rng.randrange(groups)]]


def source(rng, rows, literal, cast):
    """Returns the rows in any order, as FROM."""
    rows = rng.sample(rows, len(rows))
    return "(VALUES " + ", ".join(f"({h}, {g}, {i}, {literal(v)}{cast})" for h, g, i, v in rows) + ") AS t (h, g, i, x)"


def rolled(call, rows):
    """Returns the rollup of rollups, in the order of groups."""
    return f"SELECT rollup(s ORDER BY h) FROM (SELECT h, rollup(s ORDER BY g) AS s FROM (SELECT h, g, {call} AS s FROM {rows} GROUP BY h, g) AS a GROUP BY h) AS b"


def loosely(call, rows):
    """Returns the rollup of rollups, in any order."""
    return f"SELECT rollup(s) FROM (SELECT h, rollup(s) AS s FROM (SELECT h, g, {call} AS s FROM {rows} GROUP BY h, g) AS a GROUP BY h) AS b"


def merged(make, rows):
    """Returns the model's result for `rolled`. make: returns the model of some values."""
    whole = make([])
    for h in sorted({r[0] for r in rows}):
        part = make([])
        for g in sorted({r[1] for r in rows if r[0] == h}):
            part.merge(make([r[3] for r in rows if r[1] == g]))
        whole.merge(part)
    return whole


# ---- cases: lists of (statement, check of its only value: what is wrong, or None) ----

def is_stored(expected):
    def check(text):
        state = json.loads(text)
        got = {k: state.get(k) for k in expected}
        return None if got == expected else f"got {got}, expected {expected}"
    return check


def keeps_bounds(values, room, exact):
    truth = Counter(values)

    def check(text):
        state = json.loads(text)
        if len(truth) <= room:
            return is_stored(exact)(text)
        counts = dict(zip(state["values"], zip(state["counts"], state["overs"])))
        least = min(state["counts"])
        for v, (count, over) in counts.items():
            if not count - over <= truth[v] <= count or over > least:
                return f"{v}: {truth[v]} is not between {count - over} and {count}"
        missing = max((n for v, n in truth.items() if v not in counts), default=0)
        ok = state["n"] == len(values) and len(counts) == room and missing <= least and least * room <= len(values)
        return None if ok else f"bounds: {missing} is missing, the least count is {least} of {state}"
    return check


def frequent(rng):
    values = stream(rng)
    text = rng.random() < 0.5
    if text:
        values = [f"v{v:03}" for v in values]
    if rng.random() < 0.5:
        by = rng.choice([0.9, 0.5, 0.3, 0.1, 0.07, 0.02])
        room, call = math.floor(1 / by) + 1, f"freq_agg({by}, x%s)"
        room += room * by <= 1
    else:
        n, skew = rng.choice([1, 2, 3, 10]), rng.choice([1.1, 1.5, 2.5, 4.0])
        room, call = n + math.floor(zeta_tail(skew, n)), f"mcv_agg({n}, {skew}, x%s)"
    rows = grouped(rng, values)

    def make(some):
        s = Saving(room)
        for v in some:
            s.add(v)
        return s
    where = source(rng, rows, q if text else str, "" if text else "::bigint")
    ordered, plain, alone = call % " ORDER BY i", call % "", make(values).stored()
    STATS["full" if len(set(values)) > room else "exact"] += 1
    return [(f"SELECT {ordered} FROM {where}", is_stored(alone)), (rolled(ordered, where), is_stored(merged(make, rows).stored())),
            (f"SELECT {plain} FROM {where}", keeps_bounds(values, room, alone)), (loosely(plain, where), keeps_bounds(values, room, alone))]


def special(x):
    return f"'{x}'" if isinstance(x, float) and not math.isfinite(x) else f"({x})"


def plain_number(x):
    """Returns a number of extended JSON in a form where NaN equals itself."""
    return str(float(x["$numberDouble"].replace("Infinity", "inf"))) if isinstance(x, dict) else x


def extremes(rng):
    kind, n, largest = rng.choice(["int", "float", "time"]), rng.choice([1, 2, 3, 10, 100]), rng.random() < 0.5
    ints = [0, 1, -1, 2**63 - 1, -2**63, *range(5, 20)]
    pool = {"int": ints, "float": [0.5, -0.5, math.inf, -math.inf, math.nan, 1.5e18, -1e-300, 2.0, 3.0], "time": [f"2020-01-{d:02}T0{h}:00:00Z" for d in range(1, 9) for h in range(5)]}[kind]
    values = [rng.choice(pool) for _ in range(rng.choice([1, 3, 20, 100]))]
    data = [rng.randrange(6) for _ in values]
    rows = grouped(rng, list(zip(values, data)))
    literal = lambda v: f"{q(v[0]) if kind == 'time' else special(v[0])}::{ {'int': 'bigint', 'float': 'float8', 'time': 'timestamptz'}[kind]}, {v[1]}"
    where = source(rng, rows, literal, "").replace("(h, g, i, x)", "(h, g, i, x, d)")
    key = lambda v: (v != v, v) if kind == "float" and v == v else (v != v, 0) if kind == "float" else v
    name, order = ("max_n", -1) if largest else ("min_n", 1)
    alone = sorted(values, key=key, reverse=largest)[:n]
    both = sorted(sorted(zip(values, data), key=lambda r: r[1]), key=lambda r: key(r[0]), reverse=largest)
    if largest:  # among equal values, the least data comes first
        both = sorted(both, key=lambda r: [-values_rank(pool, key, r[0]), r[1]])
    both = both[:n]

    def check(expected, names):
        def checked(text):
            state = json.loads(text)
            got = [[plain_number(v["$date"] if isinstance(v, dict) and "$date" in v else v) for v in state[k]] for k in names]
            want = [[str(v) if isinstance(v, float) and not math.isfinite(v) else v for v in e] for e in expected]
            return None if got == want and state["n"] == n and state["order"] == order else f"got {got}, expected {want}"
        return checked
    one, by = f"{name}(x, {n})", f"{name}_by(x, d, {n})"
    right, right_by = check([alone], ["values"]), check([[v for v, _ in both], [d for _, d in both]], ["values", "data"])
    return [(f"SELECT {one} FROM {where}", right), (loosely(one, where), right), (f"SELECT {by} FROM {where}", right_by), (loosely(by, where), right_by)]


def values_rank(pool, key, v):
    return sorted(map(key, pool)).index(key(v))


def sketches(rng):
    words = ["".join(rng.choice("abcü€") for _ in range(rng.randrange(20))) for _ in range(rng.choice([1, 5, 30]))]
    error, probability = rng.choice([0.9, 0.5, 0.1]), rng.choice([0.9, 0.2, 0.01])
    width, depth = math.ceil(math.e / error), math.ceil(math.log(1 / probability))
    rows = grouped(rng, [rng.choice(words) for _ in range(rng.choice([1, 20, 100]))])
    counters = [0] * (width * depth)
    for *_, word in rows:
        for row in range(depth):
            counters[row * width + sip(row + 1, word.encode() + b"\xff") % width] += 1
    call, where = f"count_min_sketch(x, {error}, {probability})", source(rng, rows, q, "")
    right = is_stored({"width": width, "depth": depth, "counters": counters})
    return [(f"SELECT {call} FROM {where}", right), (loosely(call, where), right)]


def big():
    """Returns the statements that make a table which several threads read, in three layouts."""
    return ["CREATE TABLE big (ts timestamptz TIME PERIOD '1 s' NOT NULL, host text DIMENSION NOT NULL, x bigint MEASURE) USING rows",
            "INSERT INTO big SELECT timestamptz '2020-01-01' + i * interval '1 s', 'h' || i % 3, CASE WHEN i % 3 = 0 THEN 1 WHEN i % 5 = 0 THEN i % 7 ELSE i::bigint * 7919 % 100003 END FROM generate_series(1, 300000) AS t (i)",
            "ALTER TABLE big ADD LAYOUT nested USING nested WITH (cluster_by = 'host', levels = 'ts')",
            "ALTER TABLE big ADD LAYOUT days USING per_day"]


def check_big():
    asked = ["SELECT max_n(x, 5), min_n_by(x, ts, 5), count_min_sketch(x::text, 0.1, 0.1) FROM big", "SELECT freq_agg(0.01, x) FROM big"]
    layouts = ["rows", "nested", "days"]
    answers = mtsql.run([*big(), "SELECT x, count(*) FROM big GROUP BY x", *[s for name in layouts for s in (f"SET layout = '{name}'", *asked)]])
    truth = [int(x) for x, n in answers[4].must() for _ in range(int(n))]
    check, wrong, same = keeps_bounds(truth, 101, None), [], set()
    for i, name in enumerate(layouts):
        same.add(answers[6 + 3 * i].must()[0])
        found = check(answers[7 + 3 * i].must()[0][0])
        wrong += [f"{name}: {found}"] if found else []
    return wrong + ([f"layouts differ: {same}"] if len(same) > 1 else [])


def main():
    parser = randoms.options("cases", 1000)
    parser.add_argument("--first", type=int, default=0, help="the first case, to run one again")
    args, failed = parser.parse_args(), 0
    for first in range(args.first, args.first + args.cases, BATCH):
        jobs = []
        for number in range(first, min(first + BATCH, args.first + args.cases)):
            rng = random.Random(f"states/{args.seed}/{number}")
            jobs += [(number, *job) for job in rng.choice([frequent, frequent, extremes, sketches])(rng)]
        for (number, statement, check), answer in zip(jobs, mtsql.run([s for _, s, _ in jobs])):
            wrong = answer.error or check(answer.rows[0][0])
            STATS["statements"] += 1
            if wrong:
                failed += 1
                print(f"--seed {args.seed} --first {number} --cases 1: {wrong[:1500]}\n   {statement[:1500]}", flush=True)
    for wrong in check_big():
        failed += 1
        print(wrong[:2000], flush=True)
    return randoms.closing(args.seed, args.cases, failed, f"{args.cases} cases, {dict(STATS)}")


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""uddsketch, tdigest and hyperloglog over random and adversarial numbers. It checks the error
bounds of docs/reference/states.md, for all rows in one state, and for states that are merged in
random groups and orders.

    sketches.py [--cases N] [--seed N] [--first N]

Many cases are in one table at a time. Each case is a list of numbers, in an order, with random
parameters. Its rows are divided among parts at random.
"""
import bisect
import math
import random
import sys
from collections import Counter

from oracle import mtsql
import randoms

STATS = Counter()
AT_ONCE = 100
FRACTIONS = [0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1]
FINE = 16  # A tdigest with at most this many different numbers for each bucket does not depend on the order of the rows.
# The largest error of a tdigest's rank, times its number of buckets.
BOUNDS = {"rows": 4, "rows reversed": 4, "parts": 6, "parts of parts": 6}
WORST = Counter()


def clustered(r, n):
    centres = [r.uniform(-1e6, 1e6) for _ in range(r.choice([1, 2, 5]))]
    return [r.choice(centres) * (1 + r.gauss(0, 1e-9)) for _ in range(n)]


def walk(r, n):
    x, out = 0.0, []
    for _ in range(n):
        x += r.gauss(0, 1)
        out.append(x)
    return out


SHAPES = {
    "uniform": lambda r, n: [r.uniform(-5, 100) for _ in range(n)],
    "normal": lambda r, n: [r.gauss(0, 1) for _ in range(n)],
    "lognormal": lambda r, n: [r.lognormvariate(3, 3) for _ in range(n)],
    "heavy tail": lambda r, n: [r.paretovariate(0.3) for _ in range(n)],
    "negative tail": lambda r, n: [-r.paretovariate(0.7) for _ in range(n)],
    "every size": lambda r, n: [r.choice([-1, 1]) * 10 ** r.uniform(-320, 300) for _ in range(n)],
    "integers": lambda r, n: [float(r.randint(-3, 12)) for _ in range(n)],
    "mostly one": lambda r, n: [7.0 if r.random() < 0.9 else r.uniform(0, 100) for _ in range(n)],
    "one": lambda r, n: [r.uniform(-9, 9)] * n,
    "two": lambda r, n: [r.choice([-2.5, 1e9]) for _ in range(n)],
    "zeros": lambda r, n: [r.choice([0.0, -0.0, 0.0, r.uniform(-1, 1)]) for _ in range(n)],
    "clustered": clustered,
    "walk": walk,
    "ends": lambda r, n: [r.choice([1e-300, 1e300, -1e300, 1.0]) for _ in range(n)],
    "powers": lambda r, n: [2.0 ** (i % 300) for i in range(n)],
}
ORDERS = {
    "as made": lambda r, v: v,
    "sorted": lambda r, v: sorted(v),
    "reversed": lambda r, v: sorted(v, reverse=True),
    "from both ends": lambda r, v: [x for pair in zip(sorted(v), sorted(v, reverse=True)) for x in pair][:len(v)],
    "from the middle": lambda r, v: (lambda middle: sorted(v, key=lambda x: abs(x - middle)))(sorted(v)[len(v) // 2]),
}


class Case:
    def __init__(self, seed, number):
        r = self.rng = random.Random(f"sketches/{seed}/{number}")
        self.number = number
        self.shape, self.order = r.choice(list(SHAPES)), r.choice(list(ORDERS))
        n = r.choice([1, 2, 3, 10, 50, 200, 1000]) if number % 25 else 20000
        self.values = ORDERS[self.order](r, SHAPES[self.shape](r, n))
        self.sorted = sorted(self.values)
        self.buckets, self.error = r.choice([5, 8, 20, 64, 200, 1000]), r.choice([1e-6, 0.001, 0.01, 0.1, 0.5])
        self.centroids, self.registers = r.choice([5, 20, 50, 100, 200]), r.choice([16, 100, 256, 1024, 4096])
        # The times give the order in which the engine sees the rows. Each row belongs to a part.
        parts = r.choice([1, 2, 7, 40])
        self.parts = [r.randrange(parts) for _ in self.values] if r.random() < 0.5 else [i * parts // len(self.values) for i in range(len(self.values))]

    def rows(self):
        return [f"{self.number},{p},{p % 3},{v!r},{self.buckets},{self.error!r},{self.centroids},{self.registers}" for p, v in zip(self.parts, self.values)]

    def name(self):
        return f"{self.shape}, {self.order}, {len(self.values)} numbers, uddsketch({self.buckets}, {self.error}), tdigest({self.centroids}), hyperloglog({self.registers})"

    # ---- what must hold ----

    def percentiles_by_value(self, error, got):
        """Checks uddsketch: each percentile is within the relative error of the number with this
        rank.
        """
        n = len(self.sorted)
        for p, d in zip(FRACTIONS, got):
            want = self.sorted[min(int(p * n), n - 1)]
            if abs(d - want) > abs(want) * (error * (1 + 1e-9) + 1e-12) + 5e-324:
                return f"uddsketch at {p}: {d} instead of {want}, error {error}"
        return None

    def percentiles_by_rank(self, got, kind):
        """Checks tdigest: the fraction is within the bound of the ranks of the estimate. Returns
        what is wrong, and the worst distance times buckets.
        """
        n, worst, before = len(self.sorted), 0, -math.inf
        bound = BOUNDS[kind] / self.centroids
        for p, d in zip(FRACTIONS, got):
            # An estimate between two numbers has the ranks of both, because the fraction falls
            # between these numbers.
            low, high = bisect.bisect_left(self.sorted, d * (1 - 1e-14) if d > 0 else d * (1 + 1e-14)) / n, bisect.bisect_right(self.sorted, d * (1 + 1e-14) if d > 0 else d * (1 - 1e-14)) / n
            off = max(low - p, p - high, 0) - 1 / n
            worst = max(worst, off * self.centroids)
            if off > bound:
                return f"tdigest at {p}: {d} has the ranks {low} to {high}", worst
            if d < before:
                return f"tdigest at {p}: {d} after {before}", worst
            before = d
        if got[0] != self.sorted[0] or got[-1] != self.sorted[-1]:
            return f"tdigest: ends {got[0]}, {got[-1]}", worst
        return None, worst

    def wrong(self, row, kind):
        udd, error, udd_n, udd_mean, td, td_n, td_mean, distinct, stderror, udd_rank, td_rank = row
        n = len(self.values)
        numbers = lambda text: [float(x) for x in text.strip("{}").split(",")]
        if int(udd_n) != n or int(td_n) != n:
            return f"num_vals {udd_n}, {td_n}"
        mean = math.fsum(self.values) / n
        size = math.fsum(map(abs, self.values)) / n
        for m in (udd_mean, td_mean):
            if abs(float(m) - mean) > size * 1e-12:
                return f"mean {m} instead of {mean}"
        found = self.percentiles_by_value(float(error), numbers(udd))
        if found:
            return found
        found, worst = self.percentiles_by_rank(numbers(td), kind)
        WORST[kind] = max(WORST[kind], worst)
        if found:
            return found
        different = len(set(self.values))
        few = different <= min(self.registers / 4, 8192)
        if abs(int(distinct) - different) > (1 if few else 5 * float(stderror) * different + 1):
            return f"distinct_count {distinct} instead of {different}"
        # ranks of the number in the middle
        middle = self.sorted[n // 2]
        low, high = bisect.bisect_left(self.sorted, middle) / n, bisect.bisect_right(self.sorted, middle) / n
        if not low - BOUNDS[kind] / self.centroids - 1 / n <= float(td_rank) <= high + BOUNDS[kind] / self.centroids + 1 / n:
            return f"tdigest's rank of {middle}: {td_rank}, not {low} to {high}"
        error = float(error)
        wide = ((1 + error) / (1 - error)) ** 2 + 1e-9 if error < 0.999 else math.inf
        near = sorted([math.copysign(math.inf, middle) if middle and wide == math.inf else middle * min(wide, 1e300), middle / wide])
        if not bisect.bisect_left(self.sorted, near[0]) / n <= float(udd_rank) <= bisect.bisect_right(self.sorted, near[1]) / n:
            return f"uddsketch's rank of {middle}: {udd_rank}"
        return None


READ = ("SELECT c, approx_percentile_array(ARRAY[{p}], u), error(u), num_vals(u), mean(u), approx_percentile_array(ARRAY[{p}], t), num_vals(t), mean(t), distinct_count(h), stderror(h), "
        "approx_percentile_rank(middle, u), approx_percentile_rank(middle, t), u, h, t FROM ({s}) AS s JOIN middles USING (c)").replace("{p}", ", ".join(map(repr, FRACTIONS)))
MAKE = "uddsketch(buckets, error, v) AS u, tdigest(centroids, v) AS t, hyperloglog(registers, v) AS h"
MERGE = "rollup(u) AS u, rollup(t) AS t, rollup(h) AS h"
PARTS = f"SELECT c, part, twice, {MAKE} FROM numbers GROUP BY c, part, twice"
SOURCES = {
    "rows": f"SELECT c, {MAKE} FROM numbers GROUP BY c",
    "rows reversed": f"SELECT c, {MAKE} FROM (SELECT * FROM numbers ORDER BY v DESC) AS n GROUP BY c",
    "parts": f"SELECT c, {MERGE} FROM ({PARTS}) AS p GROUP BY c",
    "parts of parts": f"SELECT c, {MERGE} FROM (SELECT c, twice, {MERGE} FROM ({PARTS}) AS p GROUP BY c, twice) AS q GROUP BY c",
}


def differ(case, first, other, kind):
    """Compares two states. uddsketch and hyperloglog are the same in any order and grouping, apart
    from the rounding of the sum. tdigest is the same if it joined nothing.
    """
    strip = lambda text: text.split('"sum"')[0] + text.split('"negative"')[1]
    if strip(first[11]) != strip(other[11]):
        return f"{kind}: another uddsketch"
    if first[12] != other[12]:
        return f"{kind}: another hyperloglog"
    centroids = lambda text: text.split('"min"')[1]
    if kind == "rows reversed" and len(set(case.values)) <= FINE * case.centroids and centroids(first[13]) != centroids(other[13]):
        return f"{kind}: another tdigest"
    return None


def run(cases, store, path):
    """Returns for each case what is wrong."""
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(row + "\n" for c in cases for row in c.rows())
    answers = mtsql.run(["CREATE TABLE numbers (c int, part int, twice int, v double precision, buckets int, error double precision, centroids int, registers int) USING rows",
                         f"COPY numbers FROM '{path}' WITH (FORMAT csv)", "CREATE TABLE middles (c int, middle double precision) USING rows",
                         "INSERT INTO middles VALUES " + ", ".join(f"({c.number}, {c.sorted[len(c.sorted) // 2]!r})" for c in cases),
                         *(READ.replace("{s}", s) for s in SOURCES.values()), "DROP TABLE numbers, middles"], store)
    for a in answers:
        a.must()
    got = {kind: {int(row[0]): row[1:] for row in a.rows} for kind, a in zip(SOURCES, answers[4:])}
    wrong = {}
    for c in cases:
        STATS[c.shape] += 1
        for kind in SOURCES:
            row = got[kind].get(c.number)
            found = "no row" if not row else c.wrong(row[:11], kind) or differ(c, got["rows"][c.number], row, kind)
            if found:
                wrong.setdefault(c.number, f"{kind}: {found} ({c.name()})")
    return wrong


def main():
    parser = randoms.options("cases", 1000)
    parser.add_argument("--first", type=int, default=0, help="the first case, to run one again")
    args, failed = parser.parse_args(), 0
    with randoms.place("sketches", None, 0) as store:
        numbers = list(range(args.first, args.first + args.cases))
        for at in range(0, len(numbers), AT_ONCE):
            for number, wrong in run([Case(args.seed, n) for n in numbers[at:at + AT_ONCE]], store, store + ".csv").items():
                failed += 1
                print(f"--seed {args.seed} --first {number} --cases 1: {wrong}", flush=True)
    worst = ", ".join(f"{kind} {w:.2f}" for kind, w in WORST.items())
    return randoms.closing(args.seed, args.cases, failed, f"{args.cases} cases, tdigest's largest error of a rank times buckets: {worst}; {dict(STATS)}")


if __name__ == "__main__":
    sys.exit(main())

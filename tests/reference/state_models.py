"""States of two-step aggregates in Python, by their definitions alone: points are pairs (seconds, number)."""
import math
from fractions import Fraction


def per(change, seconds):
    return change / seconds if seconds else None


def line(points):
    """Returns the slope and the correlation of the line of least squares."""
    n = len(points)
    mx, my = (sum(p[i] for p in points) / n for i in (0, 1))
    sxx, syy = sum((x - mx) ** 2 for x, _ in points), sum((y - my) ** 2 for _, y in points)
    sxy = sum((x - mx) * (y - my) for x, y in points)
    return (sxy / sxx if sxx else None), (float(sxy) / math.sqrt(sxx * syy) if sxx and syy else None)


class Series:
    """Points in the order of time. Among points of one time, the smallest number counts."""

    def __init__(self, points, counter):
        self.points = sorted({t: min(v for u, v in points if u == t) for t, _ in points}.items())
        self.counter = counter
        self.grown, total = [], Fraction(0)
        for (t, v), before in zip(self.points, [None] + self.points[:-1]):
            total += before[1] if counter and before and v < before[1] else 0
            self.grown.append((t, v + total))

    def change(self, a, b):
        return b[1] if self.counter and b[1] < a[1] else b[1] - a[1]

    def values(self):
        p, g = self.points, self.grown
        delta, time = g[-1][1] - g[0][1], p[-1][0] - p[0][0]
        left, right = (p[0], p[min(1, len(p) - 1)]), (p[max(len(p) - 2, 0)], p[-1])
        slope, corr = line(g)
        pairs = list(zip(p, p[1:]))
        return {"delta": delta, "time_delta": time, "rate": per(delta, time), "idelta_left": self.change(*left), "idelta_right": self.change(*right),
                "irate_left": per(self.change(*left), left[1][0] - left[0][0]), "irate_right": per(self.change(*right), right[1][0] - right[0][0]),
                "num_resets": sum(b[1] < a[1] for a, b in pairs), "num_changes": sum(b[1] != a[1] for a, b in pairs), "num_elements": len(p),
                "first_val": p[0][1], "last_val": p[-1][1], "slope": slope, "corr": corr}

    def extrapolated(self, start, end):
        """Returns Prometheus' increase() of counters, and delta() of gauges."""
        p = self.points
        if len(p) < 2:
            return None
        delta, covered = self.grown[-1][1] - self.grown[0][1], Fraction(p[-1][0] - p[0][0])
        each = covered / (len(p) - 1)
        before, after = Fraction(p[0][0] - start), end - p[-1][0] - Fraction(1, 1000)
        before, after = (d if d < each * 11 / 10 else each / 2 for d in (before, after))
        if self.counter and delta > 0 and p[0][1] >= 0:
            before = min(before, covered * p[0][1] / delta)
        return delta * (before + covered + after) / covered

    def area(self, linear):
        return sum((a[1] + b[1]) / 2 * (b[0] - a[0]) if linear else a[1] * (b[0] - a[0]) for a, b in zip(self.points, self.points[1:]))


def candle(rows):
    rows = [(t, v, w) for t, v, w in rows if v is not None]
    if not rows:
        return [None] * 8
    opened, closed = min(rows, key=lambda r: r[:2]), max(rows, key=lambda r: r[:2])
    high, low = max(rows, key=lambda r: (r[1], -r[0])), min(rows, key=lambda r: (r[1], r[0]))
    traded = all(w is not None for _, _, w in rows)
    volume = sum(w for *_, w in rows) if traded else None
    return [opened[1], high[1], low[1], closed[1], high[0], low[0], volume,
            sum(v * w for _, v, w in rows) / volume if volume and volume > 0 else None]


def moments(values):
    """Returns the average, variance, skewness and kurtosis of a population."""
    if not values:
        return [None] * 5
    n, mean = len(values), Fraction(sum(values)) / len(values)
    s2, s3, s4 = (sum((v - mean) ** k for v in values) / n for k in (2, 3, 4))
    return [n, mean, s2, float(s3) / float(s2) ** 1.5 if s2 else None, s4 / s2 ** 2 if s2 else None]

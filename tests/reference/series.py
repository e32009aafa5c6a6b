"""The functions of time series in Python, by their definitions alone. Each takes the values (or the
times) of one partition in order, as Fractions or None, and gives a result for each row.
"""
from fractions import Fraction
from math import sqrt


def shifted(v, n=1):
    return [None] * min(n, len(v)) + v[:max(len(v) - n, 0)]


def pairs(f, v, w):
    return [None if a is None or b is None else f(a, b) for a, b in zip(v, w)]


def not_negative(v):
    return [x if x is not None and x >= 0 else None for x in v]


def difference(v, period=1):
    return pairs(lambda a, b: a - b, v, shifted(v, period))


def derivative(v, ts, unit=1):
    """unit: seconds. The result is NULL if the time does not advance."""
    return pairs(lambda rise, step: rise / (step / unit) if step else None, difference(v), difference(ts))


def elapsed(ts, unit=1):
    return [None if d is None else d / unit for d in difference(ts)]


def cumulative_sum(v):
    known = [[x for x in v[:i + 1] if x is not None] for i in range(len(v))]
    return [sum(k) if k else None for k in known]


def moving_average(v, n):
    windows = [v[i - n + 1:i + 1] if i + 1 >= n else [None] for i in range(len(v))]
    return [None if None in w else sum(w) / n for w in windows]


def exponential_moving_average(v, alpha):
    out, mean = [], None
    for x in v:
        if x is not None:
            mean = x if mean is None else alpha * x + (1 - alpha) * mean
        out.append(mean)
    return out


def holt_winters(v, period, alpha, beta, gamma):
    out, start, level = [], [], None
    for x in v:
        if level is None:
            out.append(None)
            start = [] if x is None else start + [x]
            if len(start) < 2 * period:
                continue
            level = sum(start[:period]) / period
            trend = sum(b - a for a, b in zip(start[:period], start[period:])) / period / period
            season = [a - level for a in start[:period]]
            learned = start[period:]
        else:
            expected = level + trend + season[0]
            out.append(expected)
            learned = [expected if x is None else x]
        for y in learned:
            s, before = season.pop(0), level + trend
            after = alpha * (y - s) + (1 - alpha) * before
            trend = beta * (after - level) + (1 - beta) * trend
            season.append(gamma * (y - before) + (1 - gamma) * s)
            level = after
    return out


def median(v):
    v, half = sorted(v), len(v) // 2
    return v[half] if len(v) % 2 else (v[half - 1] + v[half]) / 2


def mad(v):
    middle = median(v)
    return median([abs(x - middle) for x in v])


def scored(score):
    """Returns a score of each value among those of its frame. frames: the frame of each row."""
    def scores(v, frames):
        known = [[x for x in f if x is not None] for f in frames]
        return [None if x is None or not k else score(x, k) for x, k in zip(v, known)]
    return scores


@scored
def zscore(x, frame):
    mean = Fraction(sum(frame), len(frame))
    variance = sum((y - mean) ** 2 for y in frame) / len(frame)
    return (x - mean) / Fraction(sqrt(variance)) if variance else None


@scored
def modified_zscore(x, frame):
    deviation = mad(frame)
    return Fraction(0.6745) * (x - median(frame)) / deviation if deviation else None


# Functions that choose fewer points. Points are pairs (milliseconds, value), sorted.


def triangle(a, b, c):
    return abs((a[0] - c[0]) * (b[1] - a[1]) - (a[0] - b[0]) * (c[1] - a[1])) / 2


def wrong_lttb(points, n, got):
    """Returns what is wrong with the n chosen points, or None. Among equal triangles any may be
    chosen.
    """
    if n >= len(points):
        return None if got == points else "not all points"
    if len(got) != n or got[0] != points[0] or got[-1] != points[-1]:
        return "the number of points, or the first or the last one"
    start = [i * (len(points) - 2) // (n - 2) + 1 for i in range(n - 1)] if n > 2 else []
    buckets = [points[a:b] for a, b in zip(start, start[1:])] + [points[-1:]]
    for i, bucket in enumerate(buckets[:-1]):
        following = buckets[i + 1]
        mean = (Fraction(sum(p[0] for p in following), len(following)), sum(p[1] for p in following) / len(following))
        largest = max(triangle(got[i], p, mean) for p in bucket)
        if got[i + 1] not in bucket or triangle(got[i], got[i + 1], mean) < largest * (1 - Fraction(1, 10**9)):
            return f"point {i + 1}"
    return None


def spans(points, n):
    """Returns the averages of equal spans of time, and the number of evenly spaced points in one
    span.
    """
    size, first, length = max(len(points) // n, 1), points[0][0], points[-1][0] - points[0][0]
    groups = {}
    for ms, v in points:
        groups.setdefault((ms - first) * (len(points) - 1) // (length * size) if length else 0, []).append(v)
    known = {i: sum(g) / len(g) for i, g in groups.items()}
    values = []
    for i in range(max(known) + 1):
        a, b = max(k for k in known if k <= i), min(k for k in known if k >= i)
        values.append(known[i] if i in known else known[a] + (known[b] - known[a]) * Fraction(i - a, b - a))
    return values, size


def variance(v):
    mean = sum(v) / len(v)
    return sum((x - mean) ** 2 for x in v) / len(v)


def kurtosis(v):
    mean = sum(v) / len(v)
    return sum((x - mean) ** 4 for x in v) / len(v) / variance(v) ** 2


def wrong_asap(points, n, got):
    """Returns what is wrong with the smoothed series, or None. If two widths are about equally
    good, either may be taken.
    """
    v, size = spans(points, n)
    width = len(v) - len(got) + 1
    if not 1 <= width <= max(1, len(v) // 10):
        return f"{len(got)} points from {len(v)} spans"
    averages = {w: [sum(v[i:i + w]) / w for i in range(len(v) - w + 1)] for w in range(1, max(1, len(v) // 10) + 1)}
    first, length = points[0][0], points[-1][0] - points[0][0]
    for i, ((ms, value), average) in enumerate(zip(got, averages[width])):
        steps, all_steps = 2 * i * size + width * size - 1, 2 * (len(points) - 1)
        wanted = points[-1][0] if length == 0 or steps >= all_steps else first + (2 * length * steps + all_steps) // (2 * all_steps)
        if ms != wanted or abs(value - average) > Fraction(1, 10**9) * max(1, max(map(abs, v))):
            return f"point {i}: {ms}, {float(value)}, not {wanted}, {float(average)}"
    rough = {w: sqrt(variance([b - a for a, b in zip(s, s[1:])])) if len(s) > 1 else 0 for w, s in averages.items()}
    own = kurtosis(v) if variance(v) else None
    slack = Fraction(1, 10**9)
    least = 0 if own is None else variance(v) / 10**18  # below, the averages are constant but for errors of rounding
    peaked = {w: kurtosis(s) / own if own is not None and variance(s) > least else 0 for w, s in averages.items() if w > 1}
    if width > 1 and peaked[width] < 1 - slack:
        return f"width {width} hides outliers"
    best = min(rough[w] for w in rough if w == 1 or peaked[w] > 1 + slack)
    return None if rough[width] <= best * (1 + 1e-9) else f"width {width} is rougher than another"

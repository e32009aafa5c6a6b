"""PostgreSQL's date_trunc and TimescaleDB's time_bucket in a zone, computed by zoneinfo alone.
Times are milliseconds since 1970. A width is (months, milliseconds).
"""
import bisect
import datetime
import functools
from zoneinfo import ZoneInfo

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
HOUR, DAY = 3_600_000, 86_400_000
MONDAY = 946_857_600_000  # 2000-01-03
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kwajalein", "Asia/Amman", "Africa/Cairo", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Kathmandu",
         "America/St_Johns", "Pacific/Chatham", "Africa/Casablanca", "America/Havana", "Atlantic/Azores", "Asia/Tehran", "America/Caracas", "Asia/Pyongyang", "America/Goose_Bay", "Europe/London",
         "Asia/Gaza", "Antarctica/Troll", "America/Scoresbysund", "Africa/Monrovia", "Asia/Kabul", "Europe/Lisbon", "Antarctica/Casey", "America/Asuncion", "Pacific/Kiritimati", "Europe/Kaliningrad"]
WIDTHS = {"1 minute": (0, 60_000), "5 minutes": (0, 300_000), "15 minutes": (0, 900_000), "20 minutes": (0, 1_200_000), "30 minutes": (0, 1_800_000), "45 minutes": (0, 2_700_000), "1 hour": (0, HOUR),
          "90 minutes": (0, 5_400_000), "2 hours": (0, 2 * HOUR), "3 hours": (0, 3 * HOUR), "4 hours": (0, 4 * HOUR), "6 hours": (0, 6 * HOUR), "12 hours": (0, 12 * HOUR), "24 hours": (0, DAY),
          "1 day": (0, DAY), "36 hours": (0, 36 * HOUR), "2 days": (0, 2 * DAY), "1 week": (0, 7 * DAY), "10 days": (0, 10 * DAY), "1 month": (1, 0), "3 months": (3, 0), "5 months": (5, 0), "1 year": (12, 0)}
UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]


def ms_of(year, month=1, day=1):
    return (datetime.date(year, month, day) - EPOCH.date()).days * DAY


FIRST, LAST = ms_of(1970), ms_of(2040)


def civil(ms):
    return (EPOCH + datetime.timedelta(milliseconds=ms)).replace(tzinfo=None)


class Clock:
    """A zone's offsets from before 1970 to after 2040."""

    def __init__(self, name):
        self.name, zone = name, ZoneInfo(name)
        look = lambda ms: int((EPOCH + datetime.timedelta(milliseconds=ms)).astimezone(zone).utcoffset().total_seconds()) * 1000
        self.at, self.offsets = [], [look(ms_of(1960))]
        step = 3 * DAY
        for t in range(ms_of(1960), ms_of(2045), step):
            while look(t + step) != self.offsets[-1]:  # there may be several changes in a step
                low, high = max(t, self.at[-1] if self.at else t), t + step
                while high - low > 1000:
                    middle = (low + high) // 2000 * 1000
                    low, high = (low, middle) if look(middle) != self.offsets[-1] else (middle, high)
                self.at.append(high)
                self.offsets.append(look(high))

    def offset(self, ms):
        return self.offsets[bisect.bisect_right(self.at, ms)]

    def local(self, ms):
        return ms + self.offset(ms)

    def instant(self, local):
        """Returns the later of two instants with this local time. In a gap, the offset before the
        gap counts.
        """
        near = self.offsets[bisect.bisect_right(self.at, local - 2 * DAY):bisect.bisect_right(self.at, local + 2 * DAY) + 1]
        found = [local - o for o in near if self.offset(local - o) == o]
        return max(found) if found else local - near[0] if len(near) == 2 else max(local - o for o in near)

    def changes(self):
        return [t for t in self.at if FIRST <= t < LAST]


@functools.lru_cache(maxsize=None)
def clock(name):
    return Clock(name)


def cell(width, local, origin):
    """Returns the start of the bucket of a local time."""
    months, ms = width
    if not months:
        return origin + (local - origin) // ms * ms
    of = lambda t: t.year * 12 + t.month - 1
    first = of(civil(origin))
    month = first + (of(civil(local)) - first) // months * months
    return ms_of(month // 12, month % 12 + 1)


def time_bucket(width, ms, zone, origin=None, offset=0):
    """TimescaleDB's time_bucket, by its source: convert to local time, take the bucket, convert
    back, and subtract the width until the bucket is not after the time. Two things differ. Buckets
    of a day and more begin at the first of two equal times. Buckets that divide an hour keep apart
    the hours that date_trunc keeps apart.
    """
    c = clock(zone)
    ms -= offset
    start = cell(width, c.local(ms), c.local(origin) if origin is not None else MONDAY)
    r = c.instant(start)
    if r > ms and (width[0] or width[1] >= DAY):
        r = start - c.offset(ms)
    while r > ms:
        r -= width[1]
    if width[1] and HOUR % width[1] == 0 and c.offset(r) > c.offset(ms):
        r = start - c.offset(ms)
    return r + offset


def date_trunc(unit, ms, zone):
    c, local = clock(zone), clock(zone).local(ms)
    if unit in ("second", "minute", "hour"):
        size = {"second": 1000, "minute": 60_000, "hour": HOUR}[unit]
        return local // size * size - c.offset(ms)
    width = {"day": (0, DAY), "week": (0, 7 * DAY), "month": (1, 0), "quarter": (3, 0), "year": (12, 0)}[unit]
    return c.instant(cell(width, local, MONDAY))


def instants(zone, change):
    """Returns every hour of the day before and the day after, quarters of an hour next to the
    change, and times a millisecond beside them.
    """
    out = {change + h * HOUR for h in range(-26, 27)} | {change + q * 900_000 for q in range(-12, 13)}
    out |= {t + d for t in list(out) for d in (-1, 60_000) if abs(t - change) <= 2 * HOUR}
    c = clock(zone)  # the midnights and starts of months nearby
    return sorted(out | {c.instant(c.local(change) // DAY * DAY + d * DAY) for d in (-31, -7, -1, 0, 1, 7, 31)})

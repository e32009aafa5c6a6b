"""Random statements over `hits`: counters in every published layout of counters, and their rows.
Keys have the characters that ids of several parts must escape. Some documents were made before
their time.
"""
import random

from statements import E, S, UNITS, ZONES, q

ITEMS, GROUPS, HOSTS = ["bits", "virtual-size", "a/b", "100%"], ["mem", "disk-io", ""], ["1499f25476f6", "00ff", "h-1", "50%2Dx", "ünï", "0"]
DAYS = ["2011-02-28", "2011-03-27", "2011-06-30", "2011-07-01", "2011-12-31", "2012-02-29"]
LATE = [("a/b", "disk-io", "50%2Dx"), ("100%", "", "0"), ("bits", "mem", "ünï")]
# For these few dates the documents of the next day exist, too. They have zeros, which no answer may
# show.
PREALLOCATED = "PREALLOCATE hits FOR '1 day' FROM '2012-03-05 12:00:00+00'"
THERE = "CREATE TABLE hits (ts timestamptz NOT NULL, item text NOT NULL, grp text NOT NULL, host text NOT NULL, hits bigint NOT NULL)"
HERE = ("CREATE TABLE hits (ts timestamptz TIME PERIOD '60 s' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING rows",
        "ALTER TABLE hits ADD LAYOUT h_flat USING daily_metrics",
        "ALTER TABLE hits ADD LAYOUT h_deep USING daily_metrics WITH (style = 'hierarchical', padded = false)",
        "ALTER TABLE hits ADD LAYOUT h_fields USING daily_metrics WITH (style = 'hierarchical', inner_key = 'minute of day', trust = 'fields')",
        "ALTER TABLE hits ADD LAYOUT h_parts USING daily_metrics WITH (style = 'hierarchical', partition_by = 'month')",
        "ALTER TABLE hits ADD LAYOUT h_mms USING mms",
        "ALTER TABLE hits ADD LAYOUT h_months USING mms WITH (style = 'hierarchical', months = true)",
        "ALTER TABLE hits ADD LAYOUT h_month_days USING mms WITH (months = true, month_id = 'day', trust = 'fields')")


def rows():
    rng = random.Random("oracle/hits")
    at = lambda: f"{rng.choice(DAYS)} {rng.choice([0, 0, 9, 12, 21, 22, 23]):02}:{rng.choice([0, 0, 1, 29, 30, 59]):02}:00+00"
    return ["INSERT INTO hits VALUES " + ", ".join(f"('{at()}', {q(rng.choice(ITEMS))}, {q(rng.choice(GROUPS))}, {q(rng.choice(HOSTS))}, {rng.choice([1, 1, 2, 7, 3612, 10**10])})" for _ in range(400)),
            "INSERT INTO hits VALUES " + ", ".join(f"('2012-03-05 12:00:00+00', {q(item)}, {q(group)}, {q(host)}, 3)" for item, group, host in LATE)]


class Counters:
    def __init__(self, rng):
        self.rng = rng

    def key(self):
        unit = self.rng.choice(UNITS)
        zone = f", {q(self.rng.choice(ZONES))}" if self.rng.random() < 0.3 else ""
        return self.rng.choice([E("item", "text"), E("host", "text"), E("grp", "text"), E("ts", "time"), E(f"date_trunc('{unit}', ts{zone})", "time"), E(f"date_trunc('{self.rng.choice(['hour', 'day', 'month'])}', ts)", "time"),
                                E(f"extract({self.rng.choice(['hour', 'day', 'dow', 'month'])} FROM ts)", "number"), E("item || '-' || grp", "text")])

    def aggregate(self):
        a = self.rng.choice(["sum(hits)"] * 6 + ["count(*)", "avg(hits)", "count(hits)", "max(hits)", "min(ts)", "count(DISTINCT host)", "sum(hits) / 2", "count(DISTINCT date_trunc('day', ts))", "max(host)"])
        if self.rng.random() < 0.1 and a.endswith(")"):
            a += f" FILTER (WHERE {self.condition().sql})"
        return E(a, "number")

    def instant(self):
        day, unit = self.rng.choice(DAYS), self.rng.random()
        time = "00:00:00" if unit < 0.5 else f"{self.rng.randrange(24):02}:00:00" if unit < 0.8 else f"{self.rng.randrange(24):02}:{self.rng.randrange(60):02}:{self.rng.choice(['00', '30'])}"
        return f"timestamptz '{day} {time}+00'"

    def condition(self):
        name, pool = self.rng.choice([("item", ITEMS), ("grp", GROUPS), ("host", HOSTS)])
        one, two = q(self.rng.choice(pool)), q(self.rng.choice(pool))
        low, days = self.instant(), self.rng.choice([1, 1, 2, 30, 365])
        return E(self.rng.choice([f"{name} = {one}"] * 4 + [f"{name} IN ({one}, {two})"] * 2 + [f"ts >= {low} AND ts < {low} + interval '{days} days'"] * 5 +
                                 [f"{name} <> {one}", f"{name} LIKE {one} || '%'", f"{name} > {one}", f"ts < {low}", f"ts >= {low}", f"ts = {low}", f"ts > {low} OR {name} = {one}",
                                  f"ts >= {low} AND ts <= {self.instant()}", f"ts < {low} OR ts >= {self.instant()}"]), "bool")

    def statement(self):
        s = S()
        s.origin = "hits"
        s.keys = [self.key() for _ in range(self.rng.choice([0, 1, 1, 2, 3]))]
        s.aggs = [self.aggregate() for _ in range(self.rng.choice([1, 1, 2]))]
        s.where = [self.condition() for _ in range(self.rng.choice([0, 1, 1, 2, 3, 4]))]
        if s.where and self.rng.random() < 0.25:  # a whole series: its ids are known
            s.where += [E(f"{n} = {q(self.rng.choice(p))}", "bool") for n, p in (("item", ITEMS), ("grp", GROUPS), ("host", HOSTS))]
        if self.rng.random() < 0.1:
            s.having = [E("sum(hits) > 7", "bool")]
        if self.rng.random() < 0.2:
            s.zone = self.rng.choice(ZONES)
        return s

#!/usr/bin/env python3
"""Roll-ups and the states that levels keep, beside records: random tables and layouts, random
changes, and random questions. Every level must give the records' answer. After the changes, CHECK
TABLE finds no fault. It finds each damaged number and state, and REPAIR mends them.

    rollups_test.py [--tables N] [--seed S] [--uri mongodb://…]
"""
import copy
import datetime
import math
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)) + "/../" + d for d in ("lib", "reference")]
import bson
import mtsql
import randoms
from paths import STORE_TORTURE

START = datetime.datetime(2024, 2, 28, 21)
MEASURES = {"double precision": [-1.5, 0.0, 0.25, 3.0, 1e6, 12.125], "bigint": [-5, 0, 1, 7, 2**40], "integer": [-3, 0, 4, 1000], "numeric": [-2, 0, 3.25, 10]}
NAMES = ["a", "b", "ä/b", "", "%"]
# An aggregate that returns a state, and questions to the state. {m}: a measure, {d}: a dimension.
STATES = [("percentile_agg({m})", ["approx_percentile(0.5, {s})", "num_vals({s})", "approx_percentile_rank(1, {s})"]),
          ("uddsketch(20, 0.05, {m})", ["approx_percentile(0.9, {s})", "error({s})"]),
          ("stats_agg({m})", ["average({s})", "stddev({s})", "num_vals({s})"]),
          ("hyperloglog(32, {m})", ["distinct_count({s})"]),
          ("hyperloglog(64, {d})", ["distinct_count({s})"]),
          ("max_n({m}, 2)", ["into_array({s})"]),
          ("candlestick_agg(ts, {m}, {m})", ["open({s})", "high({s})", "close_time({s})", "volume({s})"]),
          ("tdigest(50, {m})", ["num_vals({s})"])]
# Plain aggregates, and questions that their kept values answer. {n}: another measure.
DEVIATIONS = ["stddev({m})", "var_pop({m})", "variance({m})", "stddev_pop({m})", "var_samp({m})", "sum({m})", "avg({m})", "count({m})"]
PLAIN = [(f, DEVIATIONS) for f in ("stddev({m})", "var_pop({m})")] + [
    (f, ["covar_samp({m}, {n})", "covar_pop({m}, {n})", "regr_count({m}, {n})", "regr_avgx({m}, {n})", "regr_avgy({m}, {n})", "regr_sxx({m}, {n})", "regr_syy({m}, {n})"])
    for f in ("covar_pop({m}, {n})", "stats_agg({m}, {n})")] + [("first({m}, ts)", ["first({m}, ts)"]), ("last({m}, ts)", ["last({m}, ts)"]), ("last({d}, ts)", ["last({d}, ts)"])]
# Aggregates of points in the order of time. A state can't merge with points between its own.
SEQUENCES = [("counter_agg(ts, {m})", ["delta({s})", "num_resets({s})", "num_changes({s})", "irate_left({s})", "idelta_right({s})", "num_elements({s})", "last_time({s})"]),
             ("gauge_agg(ts, {m})", ["delta({s})", "num_changes({s})", "first_val({s})", "idelta_left({s})"]),
             ("time_weight('LOCF', ts, {m})", ["average({s})", "integral({s}, 'second')"]), ("time_weight('linear', ts, {m})", ["average({s})", "first_time({s})"]),
             ("state_agg(ts, {d})", ["duration_in({s}, 'a')"]), ("compact_state_agg(ts, {d})", ["duration_in({s}, 'b')"])]
# States of one period. Nested layouts, which keep them in documents without a time, are left out.
PERIODS = [("heartbeat_agg(ts, time_bucket('{w}', ts), '{w}', '7 min')", ["uptime({s})", "num_gaps({s})", "interpolated_downtime({s}, NULL)"])]
WIDTHS = ["1 hour", "6 hours", "1 day", "7 days"]
# Two rows of one time refuse the statement, if such a state is kept or asked for.
TWO_STATES = re.compile("ERROR:  state cannot be both")
TWO_PERIODS = re.compile("ERROR:  heartbeat_agg has rows of different periods")
# The entry of a roll-up is longer than the period.
TOO_LONG = re.compile("ERROR:  layout .* the records of an entry can have several periods")
UNITS = ["minute", "hour", "day", "month"]
BUCKETS = ["1 minute", "1 hour", "1 day", "1 month", "30 seconds", "90 seconds", "5 minutes", "10 minutes", "15 minutes", "6 hours", "7 days"]
STEPS = ["1 hour", "6 hours", "12 hours", "1 day", "15 minutes", "10 minutes", "7 days", "14 days"]


class Table:
    def __init__(self, rng):
        self.rng = rng
        self.dims = [f"d{i}" for i in range(rng.randint(1, 3))]
        self.measures = {f"m{i}": (rng.choice(sorted(MEASURES)), rng.random() < 0.4) for i in range(rng.randint(1, 3))}
        self.period = rng.choice(["", " PERIOD '1 s'", " PERIOD '1 min'"])
        self.rollups = [f"r{i}" for i in range(rng.randint(1, 2))]
        self.keeps = {}  # by layout: the values that it keeps beside the usual ones

    # ---- the tables

    def calls(self, periods=True):
        out = []
        for _ in range(self.rng.randint(1, 3)):
            m, n, d = self.rng.choice(sorted(self.measures)), self.rng.choice(sorted(self.measures)), self.rng.choice(self.dims)
            call = self.rng.choice(STATES + PLAIN + SEQUENCES + PERIODS * periods)
            w = self.rng.choice(WIDTHS)
            if self.measures[m][0] == "numeric" and call[0].startswith("max_n"):
                continue
            questions = [q.format(m=m, n=n, d=d, s="{s}") for q in call[1]]
            out.append((call[0].format(m=m, n=n, d=d, w=w), questions))
        return list(dict(out).items())

    def keep(self, name):
        self.keeps[name] = self.calls(name != "base")
        numbers = [f"{f}({m})" for m in self.measures for f in ("sum", "min", "max", "avg", "count") if self.rng.random() < 0.6]
        return ", ".join(numbers + [c for c, _ in self.keeps[name]])

    def nested(self):
        rng = self.rng
        clustered = rng.sample(self.dims, rng.randint(0, len(self.dims)))
        units = [u for u in ("day", "hour") if rng.random() < 0.6]
        levels = units + ["ts"] + [d for d in self.dims if d not in clustered]
        keep = self.keep("base").replace("'", "''")
        presum = [x for x in units if rng.random() < 0.8] or ["ts"]
        cluster = f"cluster_by = '{', '.join(clustered)}', " if clustered else ""
        return f"nested WITH ({cluster}levels = '{', '.join(levels)}', presum = '{', '.join(presum)}', keep = '{keep}')"

    def described(self):
        """Returns a layout of a descriptor, with one document for each key and day."""
        rng = self.rng
        one_each = {re.sub(r"^(stddev|var_pop|covar_pop|stats_agg)\(", "stats_agg(", c): (c, questions) for c, questions in self.calls(False)}
        self.keeps["base"] = list(one_each.values())
        states = ", ".join(f"{{keep: {quoted(c)}, at: \"s{i}\"}}" for i, (c, _) in enumerate(self.keeps["base"]))
        agg = f"agg: {{n: \"n\"{', states: [' + states + ']' if states else ''}}}"
        top = "" if rng.random() < 0.5 else agg + ", "
        dims = ", ".join(f"{{column: \"{d}\"}}" for d in self.dims)
        columns = ", ".join(f"{m}: \"{m}\"" for m in self.measures)
        kind = rng.choice(["list", "map"])
        part = '{part: "hour", of: "day", at: "hour"}' if kind == "list" else '{part: "hour", of: "day", encoding: "text"}'
        root = f"""{{is: "document", bind: [{{trunc: "day", at: "day", encoding: "date"}}, {dims}], {top}
           sub: {{is: "{kind}", at: "h", bind: [{part}], {agg},
                  sub: {{is: "list", at: "v", bind: [{{column: "ts", at: "t", encoding: "date"}}], raw: {{many: true, at: "r", columns: {{{columns}}}}}}}}}}}"""
        return f"CREATE LAYOUT described AS $${{keeps: \"records\", stores: [{{collection: \"c\", write: \"push\", root: {root}}}]}}$$"

    def create(self):
        rng = self.rng
        columns = ", ".join([f"ts timestamptz TIME{self.period}"] + [f"{d} text DIMENSION" for d in self.dims]
                            + [f"{m} {t} MEASURE{' NOT NULL' if n else ''}" for m, (t, n) in self.measures.items()])
        base = rng.choice(["rows", "rows", "nested", "described", "per_day", "rows WITH (partition_by = 'day')"])
        out = []
        if base == "described":
            out.append(self.described())
        elif base == "nested":
            base = self.nested()
        self.not_null = base == "per_day"
        if self.not_null:
            columns = columns.replace("DIMENSION", "DIMENSION NOT NULL")
        self.base = base.split()[0]
        out.append(f"CREATE TABLE t ({columns}) USING {base}")
        self.adds = []
        for r in self.rollups:
            options = [f"bucket = '{', '.join(rng.sample(BUCKETS, rng.choice([1, 1, 2])))}'", f"by = '{', '.join(rng.sample(self.dims, rng.randint(0, len(self.dims))))}'"]
            if rng.random() < 0.2 and "7 days" not in options[0]:
                options.append("document = 'year'")
            if rng.random() < 0.85:
                options.append("keep = '" + self.keep(r).replace("'", "''") + "'")
            else:
                self.keeps[r] = []
            if rng.random() < 0.2:
                options.append("partition_by = 'month'" if "year" not in "".join(options) and not re.search("month|7 days", options[0]) else "time_encoding = 'epoch_ms'")
            self.adds.append(f"ALTER TABLE t ADD LAYOUT {r} USING rollup WITH ({', '.join(options)})")
        return out

    # ---- changes

    def row(self):
        rng = self.rng
        step = 60 if "min" in self.period else 1
        at = START + datetime.timedelta(seconds=step * (rng.randrange(0, 200000 // step) if rng.random() < 0.9 else rng.randrange(0, 3000)))
        if not self.period and rng.random() < 0.3:
            at += datetime.timedelta(milliseconds=rng.randrange(1000))
        values = [f"'{at.isoformat()}Z'"] + ["NULL" if rng.random() < 0.1 and not self.not_null else text(rng.choice(NAMES)) for _ in self.dims]
        for t, not_null in self.measures.values():
            values.append("NULL" if not not_null and rng.random() < 0.2 else str(rng.choice(MEASURES[t])))
        return f"({', '.join(values)})"

    def insert(self):
        return f"INSERT INTO t VALUES {', '.join(self.row() for _ in range(self.rng.choice([1, 5, 40])))}"

    def some(self):
        rng = self.rng
        return " AND ".join(rng.sample([f"ts < '{self.time()}'", f"ts >= '{self.time()}'", f"{rng.choice(self.dims)} = {text(rng.choice(NAMES))}", f"{rng.choice(sorted(self.measures))} > 1"], rng.randint(1, 2)))

    def change(self):
        rng = self.rng
        kind = rng.choice(["delete", "update", "dimension", "time"])
        if kind == "delete":
            return f"DELETE FROM t WHERE {self.some()}"
        if kind == "dimension":
            return f"UPDATE t SET {rng.choice(self.dims)} = {text(rng.choice(NAMES))} WHERE {self.some()}"
        if kind == "time":
            return f"UPDATE t SET ts = ts + interval '{rng.choice(['1 hour', '1 day', '-1 minute'])}' WHERE {self.some()}"
        m = rng.choice(sorted(self.measures))
        return f"UPDATE t SET {m} = {rng.choice(MEASURES[self.measures[m][0]])} WHERE {self.some()}"

    # ---- questions

    def time(self):
        at = START + datetime.timedelta(seconds=self.rng.randrange(-10000, 220000))
        cut = self.rng.choice([dict(), dict(second=0), dict(second=0, minute=0), dict(second=0, minute=0), dict(second=0, minute=0, hour=0)])
        return at.replace(**cut).isoformat() + "Z"

    def query(self):
        rng = self.rng
        keys = rng.sample(self.dims, rng.randint(0, len(self.dims)))
        if rng.random() < 0.6:
            keys.append(rng.choice([f"date_trunc('{rng.choice(UNITS)}', ts)", f"time_bucket('{rng.choice(STEPS)}', ts)", "ts::date"]))
        items = []
        kept = rng.choice(list(self.keeps.values()))  # most queries ask for values that one layout keeps
        for _ in range(rng.randint(1, 3)):
            m = rng.choice(sorted(self.measures))
            if kept and rng.random() < 0.6:
                call, questions = rng.choice(kept)
                question, only = rng.choice(questions), f" FILTER (WHERE {rng.choice(self.dims)} = {text(rng.choice(NAMES))})" if rng.random() < 0.2 else ""
                items.append(question.format(s=call + only) if "{s}" in question else question + only)
            else:
                items.append(rng.choice([f"sum({m})", f"min({m})", f"max({m})", f"avg({m})", f"count({m})", "count(*)"]))
        width = re.search(r"heartbeat_agg\(ts, (time_bucket\('[^']*', ts\))", "".join(items))
        if width and rng.random() < 0.8:
            keys.append(width.group(1))
        where = f" WHERE {self.conditions()}" if rng.random() < 0.6 else ""
        group = f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else ""
        return f"SELECT {', '.join(keys + items)} FROM t{where}{group}"

    def conditions(self):
        rng = self.rng
        parts = rng.sample([f"ts < '{self.time()}'", f"ts >= '{self.time()}'", f"{rng.choice(self.dims)} = {text(rng.choice(NAMES))}"], rng.randint(1, 3))
        return " AND ".join(parts)


def text(v):
    return "'" + v.replace("'", "''") + "'"


def quoted(v):
    return '"' + v.replace('"', '\\"') + '"'


# ---- comparing

def near(a, b):
    if a == b or a is None or b is None:
        return a == b
    try:
        x, y = float(a), float(b)
    except ValueError:
        return a.startswith("{") and b.startswith("{") and len(a.split(",")) == len(b.split(",")) and all(near(p, q) for p, q in zip(a[1:-1].split(","), b[1:-1].split(",")))
    return (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9)


def same_rows(a, b):
    key = lambda row: [(v is None, v or "") for v in row]  # noqa: E731
    if len(a) != len(b):
        return False
    # Rows are paired by their keys. Values that differ by rounding may sort otherwise.
    left, right = sorted(a, key=key), sorted(b, key=key)
    return all(all(near(x, y) for x, y in zip(r, s)) for r, s in zip(left, right))


def refused(answer):
    return answer.error is not None and re.search(r"can answer this query|no layout of table", answer.error)


def ask(target, queries, base, layouts):
    """Returns the answers by layout (None: the planner's choice; "records": the oracle)."""
    statements, places = ["SET timezone = 'UTC'"], []
    for name in ["records", None, *layouts]:
        statements += ["RESET layout", "RESET cut"]
        if name == "records":
            statements += [f"SET layout = '{base}'", "SET cut = 'records'"]
        elif name:
            statements.append(f"SET layout = '{name}'")
        places.append((name, len(statements)))
        statements += queries
    got = mtsql.run(statements, target)
    return {name: got[at:at + len(queries)] for name, at in places}


def compare(t, target, count, told):
    layouts = [t.base, *t.rollups]
    queries = [t.query() for _ in range(count)]
    got = ask(target, queries, t.base, layouts)
    bad = []
    for i, q in enumerate(queries):
        right = got["records"][i]
        if right.error is not None and TWO_STATES.search(right.error):
            continue
        if right.error is not None and TWO_PERIODS.search(right.error):
            bad += [f"{q}\n   records: {right.error}\n   {n or 'free'}: {got[n][i].rows[:4]}" for n in [None, *layouts] if got[n][i].error is None]
            told["alike"] += 1
            continue
        if right.error is not None:
            bad.append(f"{q}\n   {right.error}")
            continue
        for name in [None, *layouts]:
            a = got[name][i]
            if refused(a) and name in t.rollups:
                told["refused"] += 1
            elif a.error is not None or not same_rows(right.rows, a.rows):
                bad.append(f"{q}\n   records: {right.rows[:4]}\n   {name or 'free'}: {a.error or a.rows[:4]}")
            else:
                told["answered" if name in t.rollups else "compared"] += 1
    return bad


def checked(target, what):
    got = mtsql.run(["CHECK TABLE t"], target)[0]
    return [] if got.rows == [] else [f"CHECK TABLE {what}\n   {got.error or got.rows[:3]}"]


# ---- damage

NUMBERS = (int, float)


def places(value, path, out):
    """Adds to `out` the paths of the kept numbers of a document, and of those in its states."""
    for k, v in (value.items() if isinstance(value, dict) else enumerate(value)):
        if isinstance(v, (dict, list)):
            places(v, path + [k], out)
        elif isinstance(v, NUMBERS) and not isinstance(v, bool) and k in ("n", "c", "count", "sum", "sx") or (isinstance(k, str) and k.startswith(("sum_", "min_", "max_"))) and isinstance(v, float):
            out.append(path + [k])


def damage(rng, docs):
    """Returns a copy of a document with one changed number, or None."""
    doc = copy.deepcopy(rng.choice(docs))
    out = []
    places({k: v for k, v in doc.items() if k != "_id"}, [], out)
    if not out:
        return None, None
    path = rng.choice(out)
    at = doc
    for k in path[:-1]:
        at = at[k]
    at[path[-1]] = at[path[-1]] + 3
    return doc, path


def dumped(store):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([mtsql.MTSQL, "-X", "-q", "--dump", folder + "/d", store], check=True, stdout=subprocess.DEVNULL, timeout=120)
        out = {}
        for where, _, files in os.walk(folder + "/d"):
            for f in files:
                if f.endswith(".bson") and not f.startswith("_mtsql"):
                    out[f[:-5]] = bson.decode_all(open(os.path.join(where, f), "rb").read())
    return out


def mend(t, rng, store, told):
    collections = [(c, d) for c, d in sorted(dumped(store).items()) if d and (c.startswith("t_r") or c in ("c", "t"))]
    collection, docs = rng.choice(collections) if collections else (None, None)
    doc, path = damage(rng, docs) if docs else (None, None)
    if not doc:
        return []
    subprocess.run([STORE_TORTURE, "put", store, collection], input=bson.encode(doc), check=True, stdout=subprocess.DEVNULL, timeout=60)
    found = mtsql.run(["CHECK TABLE t", "REPAIR TABLE t"], store)
    what = f"{collection} {path}"
    missed = found[0].rows == []
    if not missed and not re.search(r"has \d+ faults?$", found[0].error or "", re.M) or "ERROR" in (found[1].error or ""):
        return [f"CHECK, REPAIR after damage of {what}\n   {found[0].error or found[1].error}"]
    told["damaged"] += 1
    told["found"] += not missed
    return checked(store, f"after damage of {what}, and REPAIR")


def try_table(rng, target, on_server, queries, told):
    t = Table(rng)
    setup = t.create()
    first = [t.insert() for _ in range(rng.randint(0, 2))]
    later = [rng.choice([t.insert, t.insert, t.change])() for _ in range(rng.randint(1, 5))]
    setup += first + t.adds + later
    answers = list(zip(setup, mtsql.run(["SET timezone = 'UTC'"] + setup, target)[1:]))
    t.rollups = [r for r in t.rollups if not any(a.error and f"ADD LAYOUT {r} " in s for s, a in answers)]
    bad = [f"{s}\n   {a.error}" for s, a in answers if a.error is not None and not TWO_STATES.search(a.error) and not TOO_LONG.search(a.error)]
    if not bad:
        bad = compare(t, target, queries, told) + checked(target, "after changes")
    if not bad and not on_server:
        bad = mend(t, rng, target, told) + compare(t, target, 4, told)
    if on_server:
        mtsql.run(["DROP TABLE t", "DROP LAYOUT described"], target)
    return [";\n".join(x[:700] for x in setup) + ";\n" + b for b in bad]


def main():
    p = randoms.options("tables", 40)
    p.add_argument("--queries", type=int, default=25)
    p.add_argument("--uri")
    p.add_argument("--only", type=int)
    args = p.parse_args()
    failed, told = 0, dict(answered=0, compared=0, refused=0, alike=0, damaged=0, found=0)
    for i in range(args.tables):
        if args.only is not None and args.only != i:
            continue
        with tempfile.TemporaryDirectory() as folder:
            bad = try_table(random.Random(f"{args.seed}.{i}"), args.uri or folder + "/store", bool(args.uri), args.queries, told)
        failed += len(bad)
        for b in bad[:2]:
            print(f"FAIL table {i} of seed {args.seed}\n{b}\n", flush=True)
    if args.only is None and args.tables >= 10 and (told["answered"] < args.tables * args.queries // 4 or not told["refused"] or told["found"] < told["damaged"] * 0.8):
        print(f"FAIL the questions are no test: {told}")
        failed += 1
    return randoms.closing(args.seed, told["answered"] + told["compared"] + told["refused"], failed, str(told))


if __name__ == "__main__":
    sys.exit(main())

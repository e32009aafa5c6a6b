#!/usr/bin/env python3
"""PostgreSQL 15 as the oracle. The same random statement over the same rows must give the same
answer on every layout and legal cut.

    oracle.py [--statements N] [--seed N] [--only SCHEMA] [--rows N] [--forced N] [--engine SERVER]

mtsql's tables are in a store, or on a server: a name of tests/servers/server.py, or a URI. The
program starts a private PostgreSQL (as user postgres if it runs as root). It loads the same rows
into PostgreSQL, and into mtsql with several layouts. It compares the texts of answers, and the
SQLSTATEs of errors. It counts the statements that mtsql refuses with 0A000. A statement that
differs is made smaller as long as it still differs, and printed.

Statements come in chunks of one schema: the packed lesson's feed (statements.py), counters
(counters.py), or tables of every type, to be joined, and of sensors (typed.py, schemas.py).
"""
import concurrent.futures
import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "servers")]
import mtsql
import randoms
import counters
import schemas
from postgres import Postgres
from statements import FIRST, Generator
from typed import Typed

CHUNK = 125
COLUMNS = ["ts", "iResult", "vCmdid", "vAppid", "totalCount", "dProcessTime"]
PG_TABLE = """CREATE TABLE calls (ts timestamptz NOT NULL, iResult text NOT NULL, vCmdid text NOT NULL, vAppid text NOT NULL, totalCount bigint NOT NULL, dProcessTime double precision);
CREATE FUNCTION time_bucket (width interval, ts timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$ SELECT date_bin (width, ts, TIMESTAMPTZ '2000-01-03 00:00:00+00') $$"""
LAYOUTS = [
    "ALTER TABLE calls ADD LAYOUT by_day USING per_day",
    "ALTER TABLE calls ADD LAYOUT by_app USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts', raw_values = true)",
    "ALTER TABLE calls ADD LAYOUT unclustered USING nested WITH (levels = 'ts, vCmdid, iResult, vAppid', presum = 'ts, vCmdid', flush_levels = 3000)",
    "ALTER TABLE calls ADD LAYOUT by_cmd USING nested WITH (cluster_by = 'vCmdid', levels = 'iResult, ts, vAppid', presum = 'iResult, ts, vAppid')",
    "ALTER TABLE calls ADD LAYOUT no_raw USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts, vCmdid', raw_values = false)",
    "ALTER TABLE calls ADD LAYOUT app_days USING nested WITH (cluster_by = 'vAppid', levels = 'ts, vCmdid, iResult', presum = 'ts', partition_by = 'day')",
    "ALTER TABLE calls ADD LAYOUT by_hour USING nested WITH (cluster_by = 'day, vCmdid', levels = 'hour, ts, iResult, vAppid', presum = 'hour, ts')",
]
# Functions that statements call on both sides.
FUNCTIONS = ["CREATE FUNCTION doubled (x bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT x * 2'",
             "CREATE FUNCTION clamped (x bigint, low int DEFAULT 3, high int DEFAULT 20) RETURNS bigint LANGUAGE sql AS 'SELECT least(greatest(x, low), high)'",
             "CREATE FUNCTION ends (t text, n int = 1) RETURNS text STRICT LANGUAGE sql AS $$ SELECT left(t, n) || '.' || right($1, $2) $$",
             "CREATE FUNCTION ends (n bigint) RETURNS text LANGUAGE sql AS 'SELECT ends(clamped(n)::text)'"]
# The schemas of chunks, and how many of every eleven chunks have each.
SHARES = ["feed"] * 3 + ["typed"] * 4 + ["joins"] + ["sensors"] * 2 + ["counters"]
TABLES = {"typed": None, "joins": ["people", "orders", "orders", "items"], "sensors": ["sensors"] * 4 + ["every", "people"]}
# Instead of a cut, a job on a server has PUSHED: the server must run the whole statement. Or it has
# a value of the setting pushdown_off: ALL, or a stage or operator of its plan, which the server
# must not run.
PUSHED, ALL = "pushed", "*"
TIMEOUT = "SET statement_timeout = '10s'"
STATS, REFUSALS, SWITCHED_OFF = Counter(), Counter(), Counter()


def make_rows(count, path):
    """Writes the feed's rows as CSV. Its 271 minutes are spread over twelve days, and some process
    times are NULL. Returns values that occur.
    """
    generate = os.path.join(os.path.dirname(mtsql.MTSQL), "generate")
    text = subprocess.run([generate, "--rows", str(count), "--no-header"], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
    values, rng = {c: Counter() for c in ("iResult", "vCmdid", "vAppid")}, random.Random(5)
    quoted = lambda v: '"' + v.replace('"', '""') + '"'
    with open(path, "w", encoding="utf-8", newline="") as f:
        for t, result, cmd, app, total, ms in csv.reader(io.StringIO(text, newline="")):
            period = (int(t) - 1428777120) // 60
            at = FIRST + 60 * period + 86400 * (period % 97 // 8)
            if rng.random() < 0.03:
                ms = ""
            f.write(f"{time.strftime('%Y-%m-%d %H:%M:%S+00', time.gmtime(at))},{quoted(result)},{quoted(cmd)},{quoted(app)},{total},{ms}\n")
            for column, v in (("iResult", result), ("vCmdid", cmd), ("vAppid", app)):
                values[column][v] += 1
    return {c: [v for v, _ in n.most_common(60)] + [v for v, _ in n.most_common()[-20:]] for c, n in values.items()}


def load(store, path):
    create = ("CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, "
              "totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE) USING rows")
    for a in mtsql.run([create] + LAYOUTS + FUNCTIONS + [f"COPY calls FROM '{path}' WITH (FORMAT csv)", "ANALYZE calls"], store):
        a.must()


# ---- running a statement on both ----


def zoned(s):
    return f"SET timezone = '{s.zone or 'UTC'}'"


def code(answer):
    """Returns the SQLSTATE of an error, or None for an answer."""
    if answer.error is None:
        return None
    if NOT_WHOLE.search(answer.error):
        return "22003"
    found = re.search(r"(?:ERROR|FATAL): +([0-9A-Z]{5}):", answer.error)
    return found.group(1) if found else "stopped"


# PostgreSQL gives 0A000 for a value that it can't compute.
NOT_WHOLE = re.compile(r"0A000: cannot convert (?:infinity|NaN) to ")
# Doubles leave their range, or the age of an infinite time is refused (docs/semantics.md).
DOUBLES = re.compile(r"22003: value out of range: (?:overflow|underflow)")
AGE = re.compile(r"age\(.*infinity|infinity.*age\(")
LAYERED, PLAIN = re.compile(r"\b(?:calls|sensors|hits)\b"), re.compile(r"\b(?:every|people|orders|items) (?:AS )?t\d")
# If the answer does not need a value, neither program promises whether it computes the value.
LAZY = re.compile(r"\b(?:WITH|TABLESAMPLE|WHERE|HAVING|LIMIT|FETCH|CASE|AND|OR|JOIN|EXISTS|coalesce|IN|ANY|ALL|DISTINCT|FROM \(SELECT)\b", re.I)
NUMBER = re.compile(r"^-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?)$")
LENGTH = re.compile(r"^(?:(-?\d+) years? ?)?(?:(-?\d+) mons? ?)?(?:(-?\d+) days? ?)?(?:([-+]?)(\d+):(\d\d):(\d\d(?:\.\d+)?))?$")


def value(text):
    """Returns a form that is the same for equal values: 1.0 and 1.00, -0 and 0, a day and 24 hours.
    """
    if text is None or text == "":
        return text
    if NUMBER.match(text):
        return f"{float(text):.12g}".replace("-0", "0") if float(text) == 0 else f"{float(text):.12g}"
    found = LENGTH.match(text)
    if found:
        years, months, days, sign, h, m, sec = found.groups()
        time = (int(h or 0) * 60 + int(m or 0)) * 60 + float(sec or 0)
        return f"{((int(years or 0) * 12 + int(months or 0)) * 30 + int(days or 0)) * 86400 + (-time if sign == '-' else time):.3f}"
    return text


def same_rows(s, a, b):
    """Compares rows in order if the order is total, and as a multiset otherwise."""
    if s.in_order() and a == b or sorted(a, key=repr) == sorted(b, key=repr) and not s.in_order():
        return True
    if not (s.picks() or s.in_order()) or len(a) != len(b):
        return False
    a, b = ([tuple(value(v) for v in row) for row in rows] for rows in (a, b))
    return a == b if s.in_order() else sorted(a, key=repr) == sorted(b, key=repr)


def force(layout, cut):
    """Returns the settings of a job. Forced reads of records read all blocks of a store, and the
    documents in them.
    """
    off, slow = cut and cut[0] in "$*", 'off' if cut == 'records' else 'on'
    own = cut and not off and cut != PUSHED
    return [f"SET layout = '{layout}'" if layout else "RESET layout", f"SET cut = '{cut}'" if own else "RESET cut", f"SET pushdown_off = '{cut}'" if off else "RESET pushdown_off",
            f"SET require_full_pushdown = {'on' if cut == PUSHED else 'off'}", f"SET enable_skipping = {slow}", f"SET enable_columns = {slow}"]


def run_mtsql(store, jobs):
    """Runs jobs: (statement, layout, a cut or a push-down). Returns an answer for each. If the
    command stops, another one gets the jobs that are left.
    """
    answers = []
    while len(answers) < len(jobs):
        sql = ["\\set VERBOSITY verbose", TIMEOUT] + [x for s, layout, cut in jobs[len(answers):] for x in (zoned(s), *force(layout, cut), s.select())]
        step = len(sql[2:]) // (len(jobs) - len(answers))  # a job's settings, and its statement
        got = mtsql.run(sql, store)[1 + step::step]
        stopped = next((i for i, a in enumerate(got) if code(a) == "stopped"), len(got))
        answers += got[:stopped + 1]
    return answers


def run_postgres(pg, statements):
    return pg.run(["\\set VERBOSITY verbose", TIMEOUT] + [x for s in statements for x in (zoned(s), s.select())])[3::2]


def explain(store, statements):
    return mtsql.run([x for s in statements for x in (zoned(s), f"EXPLAIN (FORMAT JSON) {s.select()}")], store)[1::2]


def plan_of(answer):
    plan = json.loads("\n".join(r[0] for r in answer.rows))
    return plan[0] if isinstance(plan, list) else plan


def candidates(answer):
    return [] if answer.error is not None else plan_of(answer)["candidates"]


# mtsql's own names, and words of extended JSON and of $regex.
NO_OPERATOR = re.compile(r"\$(_mt|number|(date|literal|options|oid|binary|uuid|timestamp)$)")


def names(x):
    """Returns the stages and operators of a pipeline that servers have."""
    if isinstance(x, dict):
        return {k for k in x if k[0] == "$" and not NO_OPERATOR.match(k)}.union(*(names(v) for v in x.values()))
    return set().union(*map(names, x)) if isinstance(x, list) else set()


def switched_off(answer, rng):
    """Returns the part of a plan that the server must not run: the one that was switched off least
    often, or all.
    """
    pushed = sorted(names(plan_of(answer).get("pipeline", []))) if answer.error is None else []
    name = ALL if not pushed or rng.random() < 0.1 else min(pushed, key=lambda n: (SWITCHED_OFF[n], rng.random()))
    SWITCHED_OFF[name] += 1
    return name


def unsupported(s, layout, answer):
    """Returns whether the forced layout can't answer one of several reads of the table."""
    return layout and s.tables() > 1 and answer.error is not None and ("can answer this query" in answer.error or "has no layout" in answer.error)


def verdict(s, expected, answer, layout):
    """Compares two answers. Returns "same", "refused", "wrong", or why they can't be compared."""
    there, here = code(expected), code(answer)
    if here == "0A000" and there != "0A000" or here == "54000" and not there:
        return "refused"  # missing in mtsql, or beyond a limit that has a name
    if unsupported(s, layout, answer) or there == "57014":
        return "not comparable"
    if here == "57014":
        return "slow here alone"
    if there == "42803" and "their own query level" in expected.error and not here:
        return "not comparable"  # mtsql checks the columns in an aggregate's arguments after it folds constants
    if there and here:
        # If there are several faults, either may come first: values that can't be computed, and
        # columns that are not grouped.
        return "same" if there == here or (here[:2] == "22" and (there[:2] == "22" or there == "42803")) else "wrong"
    if here and here[:2] in ("22", "21") and LAZY.search(s.select()):
        return "errors here alone"
    if there and DOUBLES.search(expected.error) or here == "22008" and AGE.search(s.select()):
        return "not comparable"
    if there:
        # mtsql may not need a value that can't be computed. But it must refuse a value that every
        # row needs, and an invalid one.
        return "errors there alone" if there[:2] in ("22", "21") and LAZY.search(s.select()) else "wrong"
    return "wrong" if here or not same_rows(s, expected.rows, answer.rows) else "same"


def shrink(pg, store, s, layout, cut):
    """Returns the smallest statement found that still differs."""
    bad = "error" if run_postgres(pg, [s])[0].error is not None else "rows"
    tries, again = 0, True
    while again and tries < 300:
        again = False
        for smaller in s.smaller():
            if len(smaller.select()) > len(s.select()):
                continue
            tries += 1
            expected = run_postgres(pg, [smaller])[0]
            if bad == "rows" and expected.error is not None:
                continue
            answer = run_mtsql(store, [(smaller, layout, cut)])[0]
            if verdict(smaller, expected, answer, layout) == "wrong" and not (answer.error and "no cut" in answer.error):
                s, again = smaller, True
                break
            if tries >= 300:
                break
    return s


def describe(pg, store, s, layout, cut):
    expected = run_postgres(pg, [s])[0]
    answer = run_mtsql(store, [(s, layout, cut)])[0]
    a, b = Counter(expected.rows or []), Counter(answer.rows or [])
    text = "FAIL " + (f"{zoned(s)}; " if s.zone else "") + "".join(f"{f}; " for f in force(layout, cut) if not f.startswith("RESET")) + s.select() + ";"
    text += f"\n   PostgreSQL: {len(expected.rows or [])} rows" + (f", error {expected.error[:300]}" if expected.error else "")
    text += f"\n   mtsql:      {len(answer.rows or [])} rows" + (f", error {answer.error[:600]}" if answer.error else "")
    text += f"\n   only there: {str(list((a - b).items())[:3])[:600]}\n   only here:  {str(list((b - a).items())[:3])[:600]}"
    return text


def check_chunk(pg, store, statements, forced, rng):
    """Returns the differences of a chunk: (statement, layout, cut)."""
    expected = run_postgres(pg, statements)
    jobs, wanted = [(s, None, None) for s in statements], list(expected)
    choices = [(s, e) for s, e in zip(statements, expected) if e.error is None and LAYERED.search(s.select()) and not PLAIN.search(s.select())]
    for (s, e), plan in zip(choices, explain(store, [s for s, _ in choices])):
        legal = [c for c in candidates(plan) if c["legal"]]
        for c in rng.sample(legal, min(forced, len(legal))):
            jobs.append((s, c["layout"], c["cut"] if s.tables() == 1 else None))
            wanted.append(e)
        STATS["above records"] += any(c.get("chosen") and "records" not in c["cut"] for c in legal)
    if "://" in store:
        answered = [(s, e) for s, e in zip(statements, expected) if e.error is None]
        for (s, e), plan in zip(answered, explain(store, [s for s, _ in answered])):
            jobs += [(s, None, PUSHED), (s, None, switched_off(plan, rng))]
            wanted += [e, e]
    STATS["errors there"] += sum(e.error is not None for e in expected)
    STATS["forced"] += len(jobs) - len(statements)
    found = []
    for (s, layout, cut), e, a in zip(jobs, wanted, run_mtsql(store, jobs)):
        what = verdict(s, e, a, layout)
        if cut == PUSHED:
            STATS["pushed" if what == "same" else "not pushed"] += what in ("same", "refused")
            what = "same" if what == "refused" else what
        STATS[what] += what != "same"
        if what == "wrong":
            found.append((s, layout, cut))
        elif what == "slow here alone":
            print(f"NOTE takes over ten seconds: {s.select()}", flush=True)
        elif what == "refused":
            REFUSALS[re.sub(r'".*?"', '"…"', a.error.split("\n")[0].split(": ", 2)[-1])] += 1
    return found


def report(pg, store, wrong, show):
    """Prints the smallest forms, each once, and at most two with the same error."""
    shown = Counter()
    for s, layout, cut in wrong:
        first = run_mtsql(store, [(s, layout, cut)])[0].error
        kind = re.sub(r'"[^"]*"|\d+', "…", (first or "rows").split("\n")[0])
        shown[kind] += 1
        if sum(shown.values()) > show or (first and shown[kind] > 2):
            continue
        text = describe(pg, store, shrink(pg, store, s, layout, cut), layout, cut)
        shown[text.split("\n")[0]] += 1
        if shown[text.split("\n")[0]] == 1:
            print(text, flush=True)


def main():
    parser = randoms.options("statements", 20000, "N", engine="tables")
    parser.add_argument("--only", choices=sorted(set(SHARES)), help="statements about this schema alone")
    parser.add_argument("--rows", type=int, default=4000, help="rows of the feed")
    parser.add_argument("--forced", type=int, default=2, help="legal cuts forced a statement")
    parser.add_argument("--show", type=int, default=15, help="differences shown")
    parser.add_argument("--refusals", type=int, default=5, help="kinds of refusals shown")
    args = parser.parse_args()
    with randoms.on_server(args.engine, "oracle") as target:
        return run(args, target)


def prepare(pg, store, path):
    for a in pg.run(PG_TABLE.split(";\n") + FUNCTIONS + [f"\\copy calls FROM '{path}' WITH (FORMAT csv)", schemas.SENSORS_THERE, *schemas.create(), *schemas.sensor_rows(), counters.THERE, *counters.rows(), "ANALYZE"]):
        a.must()
    load(store, path)
    for a in mtsql.run([*schemas.SENSORS_HERE, *schemas.create(), *schemas.sensor_rows(), *counters.HERE, *counters.rows(), counters.PREALLOCATED, "ANALYZE hits"], store):
        a.must()


def generate(args, values, first, count):
    """Returns the statements of a chunk. They follow from the seed and the chunk's number."""
    rng = random.Random(f"{args.seed}/{first}")
    schema = args.only or SHARES[first // CHUNK % len(SHARES)]
    generator = Generator(rng, values, functions=True) if schema == "feed" else counters.Counters(rng) if schema == "counters" else Typed(rng, TABLES[schema])
    return rng, [generator.statement() for _ in range(count)]


def run(args, target):
    folder = tempfile.mkdtemp(prefix="oracle-")
    os.chmod(folder, 0o755)
    pg, store, path = Postgres(os.path.join(folder, "pg")), target or os.path.join(folder, "store"), os.path.join(folder, "calls.csv")
    wrong, done = [], 0
    try:
        values = make_rows(args.rows, path)
        pg.start()
        prepare(pg, store, path)

        def work(first):
            rng, statements = generate(args, values, first, min(CHUNK, args.statements - first))
            return len(statements), check_chunk(pg, store, statements, args.forced, rng)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for count, found in pool.map(work, range(0, args.statements, CHUNK)):
                done += count
                wrong += found
        report(pg, store, wrong, args.show)
    finally:
        pg.stop()
        shutil.rmtree(folder, ignore_errors=True)
    for text, count in REFUSALS.most_common(args.refusals):
        print(f"NOTE refused {count} times: {text.strip()}")
    if SWITCHED_OFF:
        print(f"NOTE switched off: {', '.join(f'{name} {n}' for name, n in sorted(SWITCHED_OFF.items()))}")
    tried = done + STATS["forced"]
    return randoms.closing(args.seed, tried, len(wrong), f"{done} statements, {dict(STATS)}, refused with 0A000: {100 * STATS['refused'] / tried:.1f} %")


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""PostgreSQL 15 as the oracle: the same rows, the same random statement, the same answer on every layout and legal cut.

    oracle.py [--statements N] [--seed N] [--rows N] [--forced N] [--engine SERVER]

mtsql's table is in a store, or on a server: one of tests/servers/server.py, by its name, or any by its URI. Starts a private PostgreSQL (as user postgres where this runs as root), loads a sample of the packed lesson's feed into it and into a table of mtsql
with several layouts, and compares the answers' text. A statement that differs is made smaller as long as it still differs, and printed.
"""
import argparse
import concurrent.futures
import contextlib
import csv
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "servers")]
import mtsql
import server
from postgres import Postgres
from statements import FIRST, Generator

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
]
STATS = Counter()


def make_rows(count, path):
    """The feed's rows, its 271 minutes spread over twelve days, some process times NULL; written as CSV. Returns values that occur."""
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
    for a in mtsql.run([create] + LAYOUTS + [f"COPY calls FROM '{path}' WITH (FORMAT csv)", "ANALYZE calls"], store):
        a.must()


# ---- running a statement on both ----


def zoned(s):
    return f"SET timezone = '{s.zone or 'UTC'}'"


def normal(s, answer):
    """What is compared: rows in order where the order is total, as a multiset otherwise; or that there was an error."""
    if answer.error is not None:
        return ("error",)
    rows = answer.rows
    return rows if s.order and s.total_order() else sorted(rows, key=repr)


def force(layout, cut):
    return [f"SET layout = '{layout}'" if layout else "RESET layout", f"SET cut = '{cut}'" if cut else "RESET cut"]


def run_mtsql(store, jobs):
    """jobs: (statement, layout, cut); one answer each."""
    sql = [x for s, layout, cut in jobs for x in (zoned(s), *force(layout, cut), s.select())]
    return mtsql.run(sql, store)[3::4]


def explain(store, statements):
    return mtsql.run([x for s in statements for x in (zoned(s), f"EXPLAIN (FORMAT JSON) {s.select()}")], store)[1::2]


def candidates(answer):
    if answer.error is not None:
        return []
    plan = json.loads("\n".join(r[0] for r in answer.rows))
    return (plan[0] if isinstance(plan, list) else plan)["candidates"]


def unsupported(s, layout, answer):
    """A forced layout may be unable to answer one of several reads of the table."""
    return layout and s.tables() > 1 and answer.error is not None and "can answer this query" in answer.error


def differs(s, expected, answer, layout):
    if expected.error is not None or unsupported(s, layout, answer):
        return False  # one statement in a hundred isn't valid there either
    return normal(s, answer) != normal(s, expected)


def shrink(pg, store, s, layout, cut):
    """The smallest statement found that still differs."""
    tries, again = 0, True
    while again and tries < 200:
        again = False
        for smaller in s.smaller():
            tries += 1
            expected = pg.run([zoned(smaller), smaller.select()])[1]
            if expected.error is not None:
                continue
            answer = run_mtsql(store, [(smaller, layout, cut)])[0]
            if differs(smaller, expected, answer, layout) and not (answer.error and "no cut" in answer.error):
                s, again = smaller, True
                break
            if tries >= 200:
                break
    return s


def describe(pg, store, s, layout, cut):
    expected = pg.run([zoned(s), s.select()])[1]
    answer = run_mtsql(store, [(s, layout, cut)])[0]
    a, b = Counter(expected.rows or []), Counter(answer.rows or [])
    text = f"FAIL {zoned(s)}; " + "".join(f"{f}; " for f in force(layout, cut) if not f.startswith("RESET")) + s.select() + ";"
    text += f"\n   PostgreSQL: {len(expected.rows or [])} rows" + (f", error {expected.error[:300]}" if expected.error else "")
    text += f"\n   mtsql:      {len(answer.rows or [])} rows" + (f", error {answer.error[:600]}" if answer.error else "")
    text += f"\n   only there: {str(list((a - b).items())[:3])[:600]}\n   only here:  {str(list((b - a).items())[:3])[:600]}"
    return text


def check_chunk(pg, store, statements, forced, rng):
    """Differences of a chunk: (statement, layout, cut)."""
    expected = pg.run([x for s in statements for x in (zoned(s), s.select())])[1::2]
    jobs, wanted = [], []
    for s, e, plan in zip(statements, expected, explain(store, statements)):
        jobs.append((s, None, None))
        wanted.append(e)
        legal = [c for c in candidates(plan) if c["legal"]]
        for c in rng.sample(legal, min(forced, len(legal))):
            jobs.append((s, c["layout"], c["cut"] if s.tables() == 1 else None))
            wanted.append(e)
        STATS["above records"] += any(c.get("chosen") and "records" not in c["cut"] for c in legal)
        STATS["errors there"] += e.error is not None
    answers = run_mtsql(store, jobs)
    STATS["forced"] += len(jobs) - len(statements)
    return [(s, layout, cut) for (s, layout, cut), e, a in zip(jobs, wanted, answers) if differs(s, e, a, layout)]


def report(pg, store, wrong):
    shown = Counter()
    for s, layout, cut in wrong:
        small = shrink(pg, store, s, layout, cut)
        text = describe(pg, store, small, layout, cut)
        shown[text.split("\n")[0]] += 1
        if shown[text.split("\n")[0]] == 1:
            print(text, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--statements", type=int, default=int(os.environ.get("N", "5000")))
    parser.add_argument("--seed", default=os.environ.get("SEED", "1"))
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--forced", type=int, default=2, help="legal cuts forced a statement")
    parser.add_argument("--engine", help="the server that has the table")
    parser.add_argument("--show", type=int, default=15, help="differences shown")
    args = parser.parse_args()
    with server.database(args.engine, "oracle") if args.engine else contextlib.nullcontext() as target:
        return run(args, target)


def run(args, target):
    folder, start = tempfile.mkdtemp(prefix="oracle-"), time.time()
    os.chmod(folder, 0o755)
    pg, store, path = Postgres(os.path.join(folder, "pg")), target or os.path.join(folder, "store"), os.path.join(folder, "calls.csv")
    wrong, done = [], 0
    try:
        values = make_rows(args.rows, path)
        pg.start()
        for a in pg.run(PG_TABLE.split(";\n") + [f"\\copy calls FROM '{path}' WITH (FORMAT csv)", "ANALYZE calls"]):
            a.must()
        load(store, path)
        chunks = [(i, min(CHUNK, args.statements - i)) for i in range(0, args.statements, CHUNK)]

        def work(chunk):
            first, count = chunk
            rng = random.Random(f"{args.seed}/{first}")
            generator = Generator(rng, values)
            return count, check_chunk(pg, store, [generator.statement() for _ in range(count)], args.forced, rng)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for count, found in pool.map(work, chunks):
                done += count
                wrong += found
        report(pg, store, wrong[:args.show])
    finally:
        pg.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"NOTE seed {args.seed}: {done} statements, {dict(STATS)}, {time.time() - start:.0f} s")
    print(f"{done + STATS['forced'] - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Random UPDATE, DELETE and INSERT … SELECT on PostgreSQL 15, and on mtsql's table with all of its
layouts. Both must change the same rows, and every layout must have the same rows afterwards.

    changes.py [--changes N] [--seed N] [--rows N]
"""
import os
import random
import shutil
import sys
import tempfile
from collections import Counter

import oracle
import randoms
from postgres import Postgres
from statements import Generator

CHECK_EVERY = 4
TEXTS = ["iResult", "vCmdid", "vAppid"]
STATS = Counter()


def assignments(g):
    """Returns SET's list. A text column gets short texts. The time stays on its grid."""
    column = g.pick("totalCount", "totalCount", "dProcessTime", "dProcessTime", *TEXTS, "ts")
    if column == "ts":
        return [f"ts = ts + interval '{g.pick('1 day', '-90 minutes', '1 month', '60 s')}'"]
    if column == "totalCount":
        out = [f"totalCount = {g.pick(f'({g.integer(g.base, 1).sql}) % 1000', 'totalCount + 1', '7')}"]
    elif column == "dProcessTime":
        out = [f"dProcessTime = {g.pick('round(dProcessTime) / 2', 'NULL', '0.5', 'totalCount', f'({g.integer(g.base, 1).sql}) % 50')}"]
    else:
        out = [f"{column} = {g.pick(g.text_constant(column), f'left({g.text(g.base, 1).sql}, 20)')}"]
    return out + ["dProcessTime = totalCount / 2.0"] if column == "totalCount" and g.chance(0.3) else out


def change(g):
    where = " AND ".join(f"({g.boolean(g.base, 2).sql})" for _ in range(g.pick(1, 1, 2)))
    r = g.rng.random()
    column = g.pick(*TEXTS)
    other = f"(SELECT {column} AS kk, max(totalCount) AS most, min(ts) AS first FROM calls WHERE {g.boolean(g.base, 1).sql} GROUP BY 1) s"
    if r < 0.1:
        return f"DELETE FROM calls USING {other} WHERE {column} = kk AND totalCount % 3 = most % 3 AND {where} RETURNING ts, vCmdid, totalCount"
    if r < 0.2:
        return f"UPDATE calls SET totalCount = (totalCount + most) % 1000, dProcessTime = extract(day FROM first) FROM {other} WHERE {column} = kk AND ts >= first AND {where} RETURNING vCmdid, totalCount"
    if r < 0.4:  # few rows at once
        return f"DELETE FROM calls WHERE totalCount % {g.rng.randint(2, 5)} = 0 AND {where} RETURNING ts, vCmdid, totalCount, dProcessTime"
    if r < 0.5:
        return ("INSERT INTO calls (ts, iResult, vCmdid, vAppid, totalCount, dProcessTime) "
                f"SELECT ts + interval '1 minute', iResult, vCmdid, vAppid, totalCount + 1, dProcessTime FROM calls WHERE totalCount % 7 = 0 AND {where} RETURNING *")
    return f"UPDATE calls SET {', '.join(assignments(g))} WHERE {where} RETURNING *"


def checks():
    """Returns the queries that compare layouts: sums over all rows, and sums that levels above the
    rows keep.
    """
    return ["SELECT * FROM calls", "SELECT vCmdid, count(*), sum(totalCount) FROM calls GROUP BY 1", "SELECT date_trunc('hour', ts), vAppid, count(*), sum(totalCount), count(dProcessTime) FROM calls GROUP BY 1, 2",
            "SELECT iResult, min(ts), max(ts), count(*), avg(totalCount) FROM calls GROUP BY 1"]


def layouts():
    return ["rows"] + [s.split("LAYOUT ")[1].split()[0] for s in oracle.LAYOUTS]


def compare(pg, store):
    wrong = []
    expected = [sorted(a.must(), key=repr) for a in pg.run(checks())]
    for layout in layouts():
        answers = oracle.mtsql.run([f"SET layout = '{layout}'"] + checks(), store)[1:]
        for sql, e, a in zip(checks(), expected, answers):
            if a.error is not None and "can answer this query" in a.error:
                STATS["sums alone"] += 1
            elif a.error is not None:
                wrong.append(f"layout {layout}: {sql}: {a.error[:300]}")
            elif sorted(a.rows, key=repr) != e:
                there, here = Counter(e), Counter(a.rows)
                wrong.append(f"layout {layout}: {sql}: only there {list((there - here).items())[:3]}, only here {list((here - there).items())[:3]}")
        STATS["checks"] += len(answers)
    return wrong


def one(pg, store, sql):
    there, here = pg.run([sql])[0], oracle.mtsql.run([sql], store)[0]
    if there.error is not None or here.error is not None:
        STATS["errors there"] += there.error is not None
        if there.error is None:
            return [f"{sql}\n   error here: {here.error[:400]}"], there.error is None
        if here.error is None:
            return [f"{sql}\n   error there only: {there.error[:400]}"], True
        return [], False
    STATS["rows changed"] += len(there.rows)
    if sorted(there.rows, key=repr) != sorted(here.rows, key=repr):
        a, b = Counter(there.rows), Counter(here.rows)
        return [f"{sql}\n   {len(there.rows)} rows there, {len(here.rows)} here; only there {list((a - b).items())[:3]}, only here {list((b - a).items())[:3]}"], True
    return [], False


def setup(pg, folder, n, path):
    store = os.path.join(folder, f"store{n}")
    for a in pg.run(["DROP TABLE IF EXISTS calls", oracle.PG_TABLE.split(";\n")[0], f"\\copy calls FROM '{path}' WITH (FORMAT csv)"]):
        a.must()
    oracle.load(store, path)
    return store


def run(args):
    folder = tempfile.mkdtemp(prefix="changes-")
    os.chmod(folder, 0o755)
    pg, path, wrong = Postgres(os.path.join(folder, "pg")), os.path.join(folder, "calls.csv"), []
    try:
        values = oracle.make_rows(args.rows, path)
        pg.start()
        pg.run(oracle.PG_TABLE.split(";\n"))
        store, fresh = None, 0
        for i in range(args.changes):
            if i % 40 == 0 or store is None:
                store, fresh = setup(pg, folder, i, path), i
            g = Generator(random.Random(f"{args.seed}/{i}"), values)
            g.within = g.chance(0.7)  # sub-selects now and then
            sql = change(g)
            found, apart = one(pg, store, sql)
            if not found and (i - fresh) % CHECK_EVERY == CHECK_EVERY - 1:
                found = [f"after {sql}\n   {w}" for w in compare(pg, store)]
                apart = bool(found)
            wrong += [f"FAIL change {i}: {w}" for w in found]
            store = None if apart else store
            if len(wrong) >= args.show:
                break
    finally:
        pg.stop()
        shutil.rmtree(folder, ignore_errors=True)
    for w in wrong:
        print(w)
    return randoms.closing(args.seed, args.changes + STATS["checks"], len(wrong), f"{args.changes} changes, {dict(STATS)}")


def main():
    parser = randoms.options("changes", 200)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--show", type=int, default=8)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())

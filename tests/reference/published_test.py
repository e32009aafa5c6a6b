#!/usr/bin/env python3
"""Random documents in the published shapes of counters, as other software leaves them, are read in
place. Every query is answered by its default plan and by each legal cut, and compared with the
rows.

    published_test.py [--sets N] [--queries N] [--seed N] [--only SET] [--engine SERVER]
"""
import itertools
import os
import random
import shutil
import sys
import tempfile
from collections import Counter

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, d) for d in ("reference", "lib", "servers")]  # servers/ has a property_test, too
import mtsql
import randoms
import server
from bson import json_util
from property_test import Failure, candidates, check_answer, refused
from published import SHAPES
from queries import make_query

STATS = Counter()


def store_documents(collections, target, folder):
    """Stores the documents. Returns the target: a folder of JSON lines, or a server's database."""
    if target:
        import pymongo
        client = pymongo.MongoClient(target)
        for name, docs in collections.items():
            client.get_default_database()[name].insert_many(docs)
        client.close()
        return target
    for name, docs in collections.items():
        with open(os.path.join(folder, f"{name}.jsonl"), "w", encoding="utf-8") as f:
            f.writelines(json_util.dumps(d, json_options=json_util.CANONICAL_JSON_OPTIONS) + "\n" for d in docs)
    return folder


def answers(declare, statements, where):
    """Returns the answers. The declarations come first in each process, because a read-only target
    does not keep them. On a server they are made once.
    """
    got = mtsql.run(declare + statements, where)
    for a in got[:len(declare)]:
        a.must()
    return got[len(declare):]


def run_set(seed, number, count, target):
    rng = random.Random(f"{seed}/{number}")
    m, declare, collections = rng.choice(SHAPES)(rng)
    folder = tempfile.mkdtemp(prefix="published-")
    try:
        where = store_documents(collections, target, folder)
        made = (make_query(rng, m) for _ in iter(int, 1))
        queries = list(itertools.islice((q for q in made if m.counts or not ("count(*)" in q.sql or "avg(" in q.sql)), count))
        plain = answers(declare, [s for q in queries for s in (q.sql, f"EXPLAIN (FORMAT JSON) {q.sql}")], where)
        forced, owners = [], []
        for i, q in enumerate(queries):
            STATS["queries"] += 1
            if refused(m, plain[2 * i]):
                STATS["refused"] += 1
                continue
            check_answer(m, q, plain[2 * i], m.rows, "default plan")
            for c in candidates(plain[2 * i + 1]):
                if c["legal"]:
                    forced += [f"SET cut = '{c['cut']}'", q.sql]
                    owners += [None, (q, c["cut"])]
        for owner, answer in zip(owners, answers([] if target else declare, forced, where)):
            if owner:
                STATS["forced"] += 1
                check_answer(m, owner[0], answer, m.rows, f"cut {owner[1]!r}")
        return None
    except (Failure, mtsql.SqlError) as e:
        return f"set {number} (--seed {seed} --only {number}): {e}\n   " + "\n   ".join(declare)
    finally:
        shutil.rmtree(folder)
        if target:
            server.drop(target)


def main():
    parser = randoms.options("sets", 25, engine="documents")
    parser.add_argument("--queries", type=int, default=10)
    parser.add_argument("--only", type=int)
    args = parser.parse_args()
    failures = []
    with randoms.on_server(args.engine, "published") as target:
        for number in randoms.numbers(args.only, args.sets):
            wrong = run_set(args.seed, number, args.queries, target)
            STATS["sets"] += 1
            if wrong:
                failures.append(wrong)
                print("FAIL " + wrong, flush=True)
    return randoms.closing(args.seed, STATS["queries"] + STATS["forced"] - STATS["refused"], len(failures), dict(STATS))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The newest record of each key, on a server with several writers. The newer record wins in any
order of arrival, also among concurrent first writers and equal times. A step that fails is undone,
unless another client has written since. History and the last known location agree.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile

import pymongo

from checks import ROOT, check, finish, mtsql, same, start
from proxy import Proxy
from server import IN_SET, Server, chosen, database

TABLES = """CREATE TABLE loc (userid bigint DIMENSION NOT NULL FIELD 'u', ts timestamptz TIME NOT NULL FIELD 't', cell text FIELD 'c', x double precision) USING rows WITH (collection = 'history');
ALTER TABLE loc ADD LAYOUT lastknown USING latest WITH (key = 'userid', collection = 'lastknown')"""
NEWEST = "SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC, cell DESC NULLS LAST, x DESC NULLS LAST"
START = datetime.datetime(2020, 1, 1)


def rows(n, seed, users):
    """Returns rows in no order, with times that are often equal, and with some NULLs."""
    state, out = seed * 7919 + 17, []
    for _ in range(n):
        state = (state * 1103515245 + 12345) % 2**31
        user, ms, cell = state % users, state // 64 % 40 * 250, state // 4096 % 7
        out.append((user, START + datetime.timedelta(milliseconds=ms), f"c{cell}" if cell else None, state // 65536 % 5 / 2))
    return out


def values(some):
    return "INSERT INTO loc VALUES " + ", ".join(f"({u}, '{t.isoformat()}+00', {repr(c) if c else 'NULL'}, {x})" for u, t, c, x in some)


def agree(what, uri, coll, some):
    """Checks that the stored record of each user is the newest of these rows, and that both layouts
    give the same.
    """
    newest = {}
    for u, t, c, x in some:
        key = (t, c is not None, c or "", x)
        if u not in newest or key > newest[u][0]:
            newest[u] = (key, {"_id": u, "t": t, "c": c, "x": x})
    same(what, sorted(coll.find(), key=lambda d: d["_id"]), [newest[u][1] for u in sorted(newest)])
    by = [mtsql(uri, "-qAtc", f"SET layout = '{layout}'", "-c", NEWEST).stdout for layout in ("lastknown", "rows")]
    same(what + ", by both layouts", by[0], by[1])
    same(what + ", nothing lost", mtsql(uri, "-qAtc", "SELECT count(*) FROM loc").stdout, f"{len(some)}\n")


def test_writers(uri, coll):
    """Four processes at once write the same users, who are new."""
    parts = [[rows(25, 100 * w + i, 12) for i in range(2)] for w in range(4)]
    writers = [start(uri, "-qc", values(p[0]), *(a for i in p[1:] for a in ("-c", values(i)))) for p in parts]
    for w in writers:
        _, problems = w.communicate(timeout=300)
        same("writer", (w.returncode, problems), (0, ""))
    all_rows = [r for p in parts for i in p for r in i]
    agree("four writers at once", uri, coll, all_rows)
    return all_rows


def test_order(uri, coll):
    """The same rows forwards and backwards, one after the other, give the same documents."""
    some, found = rows(60, 5, 6), []
    for order in (some, some[::-1]):
        mtsql(uri, "-qc", "TRUNCATE loc", "-c", values(order[:20]), "-c", values(order[20:21]), "-c", values(order[21:]))
        found.append(sorted(coll.find(), key=lambda d: d["_id"]))
    same("any order of arrival", found[0], found[1])
    agree("and it is the newest", uri, coll, some)
    return some


def test_undone(uri, coll, some, folder):
    """The error of a file comes at its end, after documents were sent."""
    before = sorted(coll.find(), key=lambda d: d["_id"])
    path = os.path.join(folder, "wrong.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{i % 3},2030-01-01 00:00:00+00,c,{i}\n" for i in range(2500))
        f.write(",2030-01-01 00:00:00+00,c,1\n")
    r = mtsql(uri, "-c", f"COPY loc FROM '{path}' WITH (FORMAT csv)")
    check("a wrong file", "null value" in r.stderr, r.stderr)
    same("nothing of it is left", sorted(coll.find(), key=lambda d: d["_id"]), before)
    agree("after a wrong file", uri, coll, some)


def test_cut(uri, coll):
    """The proxy cuts the connection. Everything is there, or nothing, or an error says what is. The
    stored record is never older than before.
    """
    port = int(re.search(r":(\d+)/", uri)[1])
    proxy = Proxy(port)
    through = uri.replace(f":{port}/", f":{proxy.port}/")

    def insert(at):
        return through, "-v", "VERBOSITY=verbose", "-c", values([(1000 + i, at, "cut", 1.0) for i in range(20)])

    def times():
        return [d["t"] for d in coll.find({"_id": {"$gte": 1000}}).sort("_id", 1)]

    proxy.plan()
    same("uncut", mtsql(*insert(START)).returncode, 0)
    totals, at = dict(proxy.passed), START
    for direction, total in totals.items():
        for n in (total // 3, total * 2 // 3):
            at, before = at + datetime.timedelta(hours=1), times()
            proxy.plan(direction, n)
            r, now = mtsql(*insert(at)), times()
            newer, what = [t == at for t in now], f"cut {direction} after {n} of {total} bytes"
            check(what, len(now) == 20 and all(t in (b, at) for t, b in zip(now, before)), now)
            if r.returncode == 0:
                check(what + ": all is there", all(newer), now)
            elif "08007" not in r.stderr and "may remain" not in r.stderr:
                check(what + ": nothing is there", not any(newer), r.stderr)


def test_transactions():
    """On a replica set of one, blocks roll back and commit. Writers at the same time do not end
    each other's statements.
    """
    with Server("secantus", options=IN_SET) as at:
        uri = f"{at}/latest"
        same("tables in a set", mtsql(uri, "-q", *[x for t in TABLES.replace("\n", "").split(";") if t.strip() for x in ("-c", t)]).stderr, "")
        a, b, c = rows(20, 1, 5), rows(20, 2, 5), rows(20, 3, 5)
        found = []
        for end in ("ROLLBACK", "COMMIT"):
            r = mtsql(uri, "-qAt", *[x for s in ([values(a)] if not found else []) + ["BEGIN", values(b), values(c), NEWEST, end, NEWEST] for x in ("-c", s)])
            same(end, (r.returncode, r.stderr), (0, ""))
            found.append(r.stdout.splitlines())
        coll = pymongo.MongoClient(uri).get_default_database()["lastknown"]
        agree("COMMIT", uri, coll, a + b + c)
        half = len(found[1]) // 2
        same("a block sees what it wrote", found[0][:half], found[1][:half])
        check("ROLLBACK", len(found[0]) == 2 * half and found[0][half:] != found[0][:half], found[0])
        parts = [[rows(10, 50 * w + i, 30) for i in range(2)] for w in range(3)]
        writers = [start(uri, "-q", *[x for p in mine for x in ("-c", values(p))]) for mine in parts]
        for w in writers:
            _, problems = w.communicate(timeout=300)
            same("writer beside others in a set", (w.returncode, problems), (0, ""))
        agree("three writers in a set", uri, coll, a + b + c + [r for mine in parts for p in mine for r in p])


def test_questions(uri):
    """Random tables, changes and questions."""
    r = subprocess.run([sys.executable, str(ROOT / "tests/reference/latest_test.py"), "--tables", "2", "--queries", "12", "--uri", uri], stdout=subprocess.PIPE, text=True)
    check("random questions", r.returncode == 0, r.stdout)


def main():
    with database(chosen(), "latest") as uri, tempfile.TemporaryDirectory() as folder:
        client = pymongo.MongoClient(uri)
        coll = client.get_default_database()["lastknown"]
        r = mtsql(uri, "-qc", TABLES.replace("\n", ""))
        same("tables", (r.returncode, r.stderr), (0, ""))
        test_writers(uri, coll)
        some = test_order(uri, coll)
        same("the published shape", json.loads(json.dumps(sorted(coll.find(), key=lambda d: d["_id"])[0], default=str)).keys(), {"_id": 0, "t": 0, "c": 0, "x": 0}.keys())
        if chosen() == "secantus":
            test_transactions()
        test_undone(uri, coll, some, folder)
        test_cut(uri, coll)
        mtsql(uri, "-c", "DROP TABLE loc")
        test_questions(uri)
        client.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""A table in several collections, whose writer dies between them. Readers use only the layout that
is right. CHECK reports the others, and REPAIR makes them agree.
"""
import datetime
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

import pymongo

from checks import MTSQL, check, environment, finish, mtsql, same, start, still, until
from proxy import Gate, Proxy
from server import chosen, database

TABLE = """CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
ALTER TABLE t ADD LAYOUT sums USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts', raw_values = false)"""
ANSWER = "SELECT count(*), sum(n) FROM t"
COUNTERS = """CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL,
   total bigint MEASURE NOT NULL) USING mms WITH (months = true)"""


def sql(uri, *statements):
    args = [a for s in statements for a in ("-c", s)]
    return mtsql(uri, "-Atq", *args)


def intents(db):
    return list(db["_mtsql_catalog"].find({"kind": "intent"}))


def waits(uri, what, statement):
    """Checks that a statement waits for a sign of life of a dead writer. A timeout ends the wait."""
    r = sql(uri, "SET statement_timeout = '300ms'", statement)
    check(what, r.returncode == 3 and "statement timeout" in r.stderr, r.stdout + r.stderr)


def forced(uri, layout):
    return sql(uri, f"SET layout = '{layout}'", ANSWER)


def test_whole(uri, db):
    """Without a fault, the catalog has no intent, and all layouts are read."""
    same("insert", sql(uri, "INSERT INTO t SELECT ts, k, 1 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 00:59', '1 min') g (ts), (VALUES ('a'), ('b')) v (k)").returncode, 0)
    same("no intent is left", intents(db), [])
    for layout in "rows", "packed", "sums":
        same(f"{layout} is read", forced(uri, layout).stdout, "120|120\n")
    failed = sql(uri, "INSERT INTO t SELECT '2020-01-02', 'a', 1 / (i - 300) FROM generate_series (1, 1000) g (i)")
    check("a statement that fails", "division by zero" in failed.stderr, failed.stderr)
    same("leaves no intent", intents(db), [])


def look_half(uri, when):
    """Whatever the writer finished, the layout that is right answers, and no other layout is read.
    """
    right = sql(uri, ANSWER)
    same(f"{when}: rows answer", (right.returncode, right.stdout), (0, forced(uri, "rows").stdout))
    for layout in "packed", "sums":
        r = forced(uri, layout)
        check(f"{when}: {layout} isn't read", r.returncode == 3 and "wasn't finished" in r.stderr, r.stdout + r.stderr)
    check(f"{when}: CHECK tells", "wasn't finished" in sql(uri, "CHECK TABLE t").stderr, "")
    waits(uri, f"{when}: REPAIR waits for a writer that may live", "REPAIR TABLE t")
    return right.stdout


def mend(uri, db, when, answer):
    r = sql(uri, "SET intent_timeout = 0", "REPAIR TABLE t", "CHECK TABLE t")
    same(f"{when}: repaired", r.returncode, 0)
    same(f"{when}: no intent is left", intents(db), [])
    for layout in "rows", "packed", "sums":
        same(f"{when}: {layout} agrees", forced(uri, layout).stdout, answer)


def test_cut(uri, db):
    """The connection is cut, and no new one is accepted. So nothing can be undone, as if the writer
    died there.
    """
    port = int(re.search(r":(\d+)/", uri)[1])
    proxy = Proxy(port)
    through = uri.replace(f":{port}/", f":{proxy.port}/")
    insert = "INSERT INTO t SELECT ts, k, 7 FROM generate_series (timestamptz '2020-02-01', '2020-02-01 00:09', '1 min') g (ts), (VALUES ('a'), ('c')) v (k)"
    proxy.plan()
    assert sql(through, insert).returncode == 0
    total, halves = proxy.passed["up"], 0
    for i in range(3, 12):
        proxy.plan("up", total * i // 12, refuse=True)
        sql(through, insert)
        when = f"cut at {i}/12"
        if not intents(db):
            check(f"{when}: whole", sql(uri, "CHECK TABLE t").returncode == 0, "no intent, and layouts that differ")
            continue
        halves += 1
        mend(uri, db, when, look_half(uri, when))
    check("some cuts left half a statement", halves > 0, "none")


def test_refresh(uri, db):
    """The connection of a REFRESH is cut, and no new one is accepted. The view has its old rows or
    its new ones, in each layout. The next REFRESH works, and nothing is left behind.
    """
    port = int(re.search(r":(\d+)/", uri)[1])
    proxy, there = Proxy(port), set(db.list_collection_names())
    through, answer = uri.replace(f":{port}/", f":{proxy.port}/"), "SELECT count(*), sum(i) FROM m"
    made = sql(uri, "CREATE TABLE source (i bigint, k text)", "CREATE MATERIALIZED VIEW m AS SELECT i, k, '2020-01-01'::timestamptz AS ts FROM source",
               "ALTER TABLE m ADD LAYOUT packed USING nested WITH (cluster_by = 'k')", "CREATE INDEX by_k ON m (k)", "INSERT INTO source SELECT i, 'k' || i % 5 FROM generate_series (1, 500) i")
    same("made", made.returncode, 0)
    proxy.plan()
    assert sql(through, "REFRESH MATERIALIZED VIEW m").returncode == 0
    total, before, cuts = proxy.passed["up"], "500|125250\n", 0
    for i in range(3, 12):
        sql(uri, "INSERT INTO source SELECT max(i) + 1, 'k1' FROM source")
        after = sql(uri, "SELECT count(*), sum(i) FROM source").stdout
        proxy.plan("up", total * i // 12, refuse=True)
        sql(through, "REFRESH MATERIALIZED VIEW m")
        cuts += bool(intents(db))
        seen = sql(uri, answer).stdout
        check(f"cut at {i}/12: the old rows or the new ones", seen in (before, after), seen)
        for layout in "rows", "packed":
            same(f"cut at {i}/12: {layout} has them", sql(uri, f"SET layout = '{layout}'", answer).stdout, seen)
        before = seen
    check("some cuts left a statement", cuts > 0, "none")
    same("refreshed", (sql(uri, "SET intent_timeout = 0", "REFRESH MATERIALIZED VIEW m").stderr, sql(uri, answer).stdout, intents(db)), ("", after, []))
    same("checked", sql(uri, "CHECK TABLE m").returncode, 0)
    failed = sql(uri, "INSERT INTO source VALUES (NULL, 'k1')", "CREATE MATERIALIZED VIEW f AS SELECT 10 / (i - 100000) AS q FROM source", "INSERT INTO source VALUES (100000, 'k1')", "REFRESH MATERIALIZED VIEW f")
    check("one that fails", "division by zero" in failed.stderr, failed.stderr)
    same("leaves the rows that were there", sql(uri, "SELECT count(*) FROM f").stdout, f"{int(after.split('|')[0]) + 1}\n")
    same("dropped", sql(uri, "DROP MATERIALIZED VIEW m, f", "DROP TABLE source").returncode, 0)
    same("and nothing is left", sorted(set(db.list_collection_names()) - there), [])


def test_vacuum(uri, db):
    """The connection of a VACUUM FULL is cut. The rows are there, in the old collection or the new
    one. The rest of the statement is removed. Collections of others with similar names stay.
    """
    port = int(re.search(r":(\d+)/", uri)[1])
    proxy, there = Proxy(port), set(db.list_collection_names())
    through, answer = uri.replace(f":{port}/", f":{proxy.port}/"), "SELECT count(*), sum(n) FROM v"
    made = sql(uri, "CREATE TABLE v (ts timestamptz TIME, k text DIMENSION, n bigint MEASURE) USING nested WITH (cluster_by = 'k')", "INSERT INTO v SELECT '2020-01-01', 'k' || i % 5, i FROM generate_series (1, 300) i")
    same("vacuum: made", made.returncode, 0)
    db["v_v99"].insert_one({"others": 1})
    proxy.plan()
    assert sql(through, "VACUUM FULL v").returncode == 0
    total, cuts = proxy.passed["up"], 0
    for i in range(3, 12):
        proxy.plan("up", total * i // 12, refuse=True)
        sql(through, "VACUUM FULL v")
        cuts += bool(intents(db))
        same(f"vacuum cut at {i}/12: the rows", sql(uri, answer).stdout, "300|45150\n")
        same(f"vacuum cut at {i}/12: goes on", sql(uri, "SET intent_timeout = 0", "REPAIR TABLE v", "CHECK TABLE v").returncode, 0)
        same(f"vacuum cut at {i}/12: leaves its table and what others have", (intents(db), len(set(db.list_collection_names()) - there), db["v_v99"].count_documents({})), ([], 2, 1))
    check("some cuts left a VACUUM", cuts > 0, "none")
    same("vacuum: dropped", sql(uri, "DROP TABLE v").returncode, 0)
    db.drop_collection("v_v99")
    same("vacuum: nothing is left", sorted(set(db.list_collection_names()) - there), [])


def test_refresh_twice(uri, db):
    """Two REFRESHes begin before either announces itself, and choose the same names for their
    collections. At most one goes on, and no row is lost.
    """
    port = int(re.search(r":(\d+)/", uri)[1])
    gate, again = Gate(port), "REFRESH MATERIALIZED VIEW m"
    same("made", sql(uri, "CREATE TABLE source (i bigint)", "INSERT INTO source SELECT i FROM generate_series (1, 1500) i", "CREATE MATERIALIZED VIEW m AS SELECT i FROM source WHERE pg_sleep(0.0003) IS NOT NULL WITH NO DATA").stderr, "")
    gate.hold("up", b"refresh")
    second = start(uri.replace(f":{port}/", f":{gate.port}/"), "-q", "-c", again)
    assert gate.held.wait(60)
    first = start(uri, "-q", "-c", again)
    until(lambda: "m_v2" in db.list_collection_names() or first.poll() is not None)
    gate.go.set()
    said = [(p.communicate()[1], p.returncode) for p in (first, second)]
    check("of two: at most one goes on, and who doesn't is told", any(code for _, code in said) and all(code == 0 or "may still go on" in text or "meanwhile" in text for text, code in said), str(said))
    seen = sql(uri, "SELECT count(*) FROM m")
    same("of two: all rows, or none yet", seen.stdout if min(code for _, code in said) == 0 else "has not been populated" in seen.stderr, "1500\n" if min(code for _, code in said) == 0 else True)
    same("of two: the next goes on", (sql(uri, again).stderr, sql(uri, "SELECT count(*) FROM m").stdout), ("", "1500\n"))
    same("of two: nothing is left", (intents(db), len([c for c in db.list_collection_names() if c == "m" or c.startswith("m_v")])), ([], 1))
    hidden = sql(uri, "CREATE TEMP TABLE m (a integer)", "REFRESH MATERIALIZED VIEW public.m", "SELECT count(*) FROM public.m")
    same("one that a temporary table hides", (hidden.stderr, hidden.stdout), ("", "1500\n"))
    same("dropped", sql(uri, "DROP MATERIALIZED VIEW m", "DROP TABLE source").stderr, "")


def test_vacuum_twice(uri, db):
    """Two VACUUMs choose the same names before either announces itself. The second one sees the
    first before anything can be lost.
    """
    port, there = int(re.search(r":(\d+)/", uri)[1]), set(db.list_collection_names())
    answer, again = "SELECT count(*), sum(n) FROM w", "VACUUM FULL w"
    same("vacuum twice: made", sql(uri, "CREATE TABLE w (ts timestamptz TIME, k text DIMENSION, n bigint MEASURE) USING nested WITH (cluster_by = 'k')", "INSERT INTO w SELECT '2020-01-01', 'k' || i % 5, i FROM generate_series (1, 300) i").stderr, "")
    early, late = Gate(port), Gate(port)
    late.hold("up", b"rebuild")
    second = start(uri.replace(f":{port}/", f":{late.port}/"), "-q", "-c", again)
    assert late.held.wait(60)
    early.hold("up", b"insert\0\5\0\0\0w_v2\0")
    first = start(uri.replace(f":{port}/", f":{early.port}/"), "-q", "-c", again)
    check("vacuum twice: the first is about to write", early.held.wait(60))
    late.go.set()
    told = second.communicate(timeout=60)[1]
    check("vacuum twice: the second gives way", second.returncode == 3 and "may still go on" in told, told)
    early.go.set()
    same("vacuum twice: the first goes on", (re.sub(r"NOTICE.*\n", "", first.communicate(timeout=60)[1]), first.returncode), ("", 0))
    same("vacuum twice: the rows", sql(uri, answer).stdout, "300|45150\n")
    same("vacuum twice: the next goes on", (sql(uri, again).returncode, sql(uri, answer, "CHECK TABLE w").stdout, intents(db)), (0, "300|45150\n", []))
    same("vacuum twice: dropped", sql(uri, "DROP TABLE w").stderr, "")
    same("vacuum twice: nothing is left", sorted(set(db.list_collection_names()) - there), [])


def settle(coll):
    still(lambda: coll.count_documents({}), 12)  # a busy server may take seconds for a batch


def test_killed(uri, db, folder):
    """A COPY that is killed."""
    path = os.path.join(folder, "rows.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"2020-03-{1 + i // 1440:02} {i // 60 % 24:02}:{i % 60:02}:00+00,k{i % 7},1\n" for i in range(40000))
    p = start(uri, "-c", f"COPY t FROM '{path}' WITH (FORMAT csv)")
    until(lambda: db["t"].find_one({"ts": {"$gte": 1583020800}}), p)
    p.kill()
    p.communicate()
    settle(db["t"])
    check("killed: an intent is left", len(intents(db)) == 1, str(intents(db)))
    mend(uri, db, "killed", look_half(uri, "killed"))


def test_layout(uri, db):
    """An ADD LAYOUT is killed. Its collections are no layout, and are not used as one."""
    p = start(uri, "-c", "ALTER TABLE t ADD LAYOUT more USING per_day")
    until(lambda: "t_more" in db.list_collection_names(), p)
    p.kill()
    p.communicate()
    if p.returncode == 0 or forced(uri, "more").returncode == 0:
        same("the layout was made before it could be killed", sql(uri, "CHECK TABLE t").returncode, 0)
        return
    same("the others are read", sql(uri, "CHECK TABLE t").returncode, 0)
    r = sql(uri, "ALTER TABLE t ADD LAYOUT more USING per_day")
    check("the half is not taken for a layout", r.returncode == 3 and "half filled" in r.stderr, r.stderr)
    same("REPAIR removes it", sql(uri, "SET intent_timeout = 0", "REPAIR TABLE t", "ALTER TABLE t ADD LAYOUT more USING per_day", "CHECK TABLE t").returncode, 0)


def left(db, name, table, what, *collections):
    """Writes the intent that a killed statement leaves."""
    now = datetime.datetime.now(datetime.timezone.utc)
    db["_mtsql_catalog"].insert_one({"_id": {"kind": "intent", "name": name}, "kind": "intent", "name": name, "body": {"table": table, "what": what, "at": now, "collections": list(collections)}})
    db["_mtsql_catalog"].update_one({"_id": {"kind": "version"}}, {"$inc": {"n": 1}})


def test_remains(uri, db):
    """Collections of a killed CREATE TABLE or DROP TABLE do not become another table's. Those of a
    killed DROP LAYOUT do not become another layout's. Collections with similar names stay.
    """
    create = "CREATE TABLE gone USING rows WITH (partition_by = 'day') AS SELECT timestamptz '2020-01-01' AS ts, 'k' AS k, 1::bigint AS n"
    for what in "create", "drop":
        for name in "gone_2020_01_01", "gone_2020_01_02", "gone_2020_01", "gone_2020_01_02_v":
            db[name].insert_one({"ts": datetime.datetime(2020, 1, 1), "k": "old", "n": 5})
        left(db, "x", "gone", what, "gone_YYYY_MM_DD")
        r = sql(uri, "SELECT count(*) FROM gone_2020_01_02")
        check(f"{what}: half of it isn't read", r.returncode == 3 and "left by one that died" in r.stderr, r.stdout + r.stderr)
        waits(uri, f"{what}: it may still go on", create)
        same(f"{what}: its remains go", sql(uri, "SET intent_timeout = '500ms'", create, "ALTER TABLE gone ADD LAYOUT month USING per_day WITH (partition_by = 'month')", "SELECT count(*), sum(n) FROM gone",
                                            "SET layout = 'month'", "SELECT count(*), sum(n) FROM gone").stdout, "1|1\n1|1\n")
        same(f"{what}: what has other names stays", [db[n].count_documents({"k": "old"}) for n in ("gone_2020_01_02", "gone_2020_01", "gone_2020_01_02_v")], [0, 1, 1])
        same(f"{what}: no intent is left", intents(db), [])
        same(f"{what}: dropped", sql(uri, "DROP TABLE gone").returncode, 0)
        for name in "gone_2020_01", "gone_2020_01_02_v":
            db.drop_collection(name)
    add = "ALTER TABLE gone ADD LAYOUT month USING per_day WITH (partition_by = 'month')"
    assert sql(uri, create).returncode == 0
    db["gone_month_2020_01"].insert_one({"k": "old"})
    left(db, "x", "gone", "drop layout", "gone_month_YYYY_MM")
    r = sql(uri, add)
    check("drop layout: what is left is not taken for a layout", r.returncode == 3 and "half filled" in r.stderr, r.stderr)
    same("drop layout: REPAIR removes it", sql(uri, "SET intent_timeout = 0", "REPAIR TABLE gone", add, "SET layout = 'month'", "SELECT count(*), sum(n) FROM gone").stdout, "1|1\n")
    same("drop layout: one that is dropped leaves nothing", (sql(uri, "ALTER TABLE gone DROP LAYOUT month").returncode, intents(db), [n for n in db.list_collection_names() if n.startswith("gone_month")]), (0, [], []))
    same("dropped", sql(uri, "DROP TABLE gone").returncode, 0)


def test_stopped(uri, db):
    """A writer is stopped for longer than others wait for a sign of life. When it goes on, it gets
    an error, and changes nothing of the writer that took its place.
    """
    p = start(uri, "-c", "CREATE TABLE halted USING rows AS SELECT ts, 'old' AS k, 1::bigint AS n FROM generate_series (timestamptz '2020-01-01', '2020-02-01', '1 min') g (ts)")
    until(lambda: db["halted"].find_one(), p)
    p.send_signal(signal.SIGSTOP)
    settle(db["halted"])
    check("stopped: in the midst of it", p.poll() is None)
    other = sql(uri, "SET intent_timeout = '1s'", "CREATE TABLE halted (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE) USING rows",
                "INSERT INTO halted VALUES ('2020-03-01', 'new', 7)")
    p.send_signal(signal.SIGCONT)
    same("stopped: another takes its place", (other.stderr, other.returncode), ("", 0))
    said = p.communicate()[1]
    check("stopped: it is told", p.returncode == 3 and ("meanwhile" in said or "already exists" in said), said)
    same("stopped: the other's rows", (sql(uri, "SELECT * FROM halted").stdout, db["halted"].count_documents({}), intents(db)), ("2020-03-01 00:00:00+00|new|7\n", 1, []))
    same("stopped: dropped", sql(uri, "CHECK TABLE halted", "DROP TABLE halted").returncode, 0)


def test_alive(uri, db):
    """A writer does nothing for longer than others wait for a sign of life, because it waits for
    its user. It gives a sign of life.
    """
    assert sql(uri, "CREATE TABLE slow (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE) USING rows").returncode == 0
    other, said = copy_beside(uri, db, "SET intent_timeout = '6s'", "REPAIR TABLE slow")
    check("alive: it is let go on", "may still go on" in other and said == "", other + said)
    same("alive: and has written", sql(uri, "SELECT count(*) FROM slow", "DROP TABLE slow").stdout, "301\n")


def test_stores(uri, db):
    """The stores of one layout are copies of each other, too."""
    same("counters", sql(uri, COUNTERS, "INSERT INTO mem VALUES ('2011-06-20 12:34+00', 'bits', 'mem', 'h', 3)").returncode, 0)
    db["_mtsql_catalog"].insert_one({"_id": {"kind": "intent", "name": "x"}, "kind": "intent", "name": "x", "body": {"table": "mem", "what": "write", "collections": []}})
    db["_mtsql_catalog"].update_one({"_id": {"kind": "version"}}, {"$inc": {"n": 1}})
    plan = sql(uri, "EXPLAIN SELECT date_trunc('day', ts), sum(total) FROM mem GROUP BY 1")
    check("days are read from minutes", "mem_month" not in plan.stdout.split("Pipeline")[1], plan.stdout)
    same("the sum is right", sql(uri, "SELECT date_trunc('day', ts), sum(total) FROM mem GROUP BY 1").stdout, "2011-06-20 00:00:00+00|3\n")
    same("repaired", sql(uri, "SET intent_timeout = '500ms'", "REPAIR TABLE mem").returncode, 0)
    plan = sql(uri, "EXPLAIN SELECT date_trunc('day', ts), sum(total) FROM mem GROUP BY 1")
    check("days are read from months", "mem_month_days" in plan.stdout.split("Pipeline")[1], plan.stdout)


def test_beside(uri, db):
    """Short statements into a table in one collection do not announce that they write. A layout
    made meanwhile has their rows all the same, or is not made.
    """
    one = "CREATE TABLE one (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics"
    assert sql(uri, one, "INSERT INTO one VALUES ('2020-01-01', 'a', 1)").returncode == 0
    count, tries = 250, 0
    p = start(uri, "-q", "-v", "ON_ERROR_STOP=off", *[a for i in range(count) for a in ("-c", f"INSERT INTO one VALUES ('2020-01-01 00:{i % 60:02}+00', 'k{i % 7}', 1)")])
    while p.poll() is None:
        sql(uri, "ALTER TABLE one DROP LAYOUT IF EXISTS hier", "ALTER TABLE one ADD LAYOUT hier USING daily_metrics WITH (style = 'hierarchical')")
        tries += 1
    errors = re.findall("ERROR:.*", p.communicate()[1])
    told = sum("was changed meanwhile" in e for e in errors)  # statements that were not short, because the machine is slow
    same("beside: all are written, or it is told", errors[told:], [])
    check("beside: layouts were made meanwhile", tries > 0)
    same("beside: none is missing", sql(uri, "SELECT sum(n) FROM one").stdout, f"{count + 1 - told}\n")
    same("beside: layouts agree", sql(uri, "CHECK TABLE one").returncode, 0)


def copy_beside(uri, db, *statements, rows=300):
    """Runs COPY. In the middle, another client runs the statements."""
    p = subprocess.Popen([MTSQL, "-XAtq", "-c", "COPY slow FROM STDIN", uri], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    p.stdin.writelines(f"2020-01-01 {i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}+00\t{'k' * 1000}{i % 3}\t1\n" for i in range(rows))
    p.stdin.flush()
    until(lambda: any("slow" in str(i) for i in intents(db)), p)  # the COPY has begun
    other = sql(uri, *statements)
    said = p.communicate("2020-01-01 01:00+00\tlast\t1\n")[1]
    return other.stderr, said


def test_long(uri, db):
    """A change by another client during a long statement is counted in, or gives an error. It is
    never overwritten.
    """
    for use in "rows", "nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts')":
        made = sql(uri, f"CREATE TABLE slow (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE) USING {use}", "INSERT INTO slow VALUES ('2020-01-02', 'a', 1)")
        same("long: made", (made.stderr, made.returncode), ("", 0))
        same("long: beside an INSERT", copy_beside(uri, db, "INSERT INTO slow VALUES ('2025-01-01', 'b', NULL), ('2025-01-02', 'b', 7)"), ("", ""))
        same("long: all that both wrote", sql(uri, "SELECT count(*), count(n), sum(n), max(ts) = '2025-01-02' FROM slow").stdout, "304|303|309|t\n")
        same("long: the other's time", sql(uri, "SELECT count(*) FROM slow WHERE ts >= '2024-01-01'").stdout, "2\n")
        sql(uri, "DELETE FROM slow WHERE ts < '2020-01-02'")
        other, said = copy_beside(uri, db, "ALTER TABLE slow ADD LAYOUT more USING per_day")
        check("long: a layout isn't made of what may be taken back", "may still go on" in other, other)
        same("long: who writes does", said, "")
        other, said = copy_beside(uri, db, "ALTER TABLE slow ADD COLUMN x bigint MEASURE")
        check("long: no column is added to what is being written", "may still go on" in other, other)
        same("long: who writes does, and without it", said, "")
        same("long: a column is added behind it", sql(uri, "ALTER TABLE slow ADD COLUMN x bigint MEASURE").stderr, "")
        same("long: the layout is added", sql(uri, "ALTER TABLE slow ADD LAYOUT more USING per_day").stderr, "")
        for layout in "DEFAULT", "more":
            same(f"long: {layout} has what was there", sql(uri, f"SET layout = {layout}", "SELECT count(*) FROM slow").stdout, "605\n")
        same("long: layouts agree", sql(uri, "CHECK TABLE slow", "DROP TABLE slow").returncode, 0)


def test_gone(uri, db):
    """Another client drops the table, or a layout of it, empties it, or makes a new one of its
    name, when half of a COPY is on the server. The writer gets an error. Nothing of it is left, no
    collection either.
    """
    more = "ALTER TABLE slow ADD LAYOUT more USING nested WITH (levels = 'ts, k')"
    for use, other, before, left in (("rows", ["DROP TABLE slow"], [], {}),
                                     ("rows WITH (partition_by = 'day')", ["DROP TABLE slow"], [more], {}),
                                     ("rows", ["ALTER TABLE slow DROP LAYOUT more"], [more], {"slow": 1}),
                                     ("rows", ["TRUNCATE slow"], [], {"slow": 0}),
                                     ("rows", ["DROP TABLE slow", "TABLE"], [], {"slow": 0})):
        table = f"CREATE TABLE slow (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE) USING {use}"
        name = f"gone: {use} {other[-1]} {len(before)}"
        same(f"{name}: made", sql(uri, table, *before, "INSERT INTO slow VALUES ('2020-03-01', 'a', 1)").stderr, "")
        done, said = copy_beside(uri, db, *(table if s == "TABLE" else s for s in other), rows=1200)
        same(f"{name}: the other", done, "")
        check(f"{name}: who wrote is told", "meanwhile" in said and "Run the statement again" in said and "WARNING" not in said, said)
        same(f"{name}: what is left", {c: db[c].count_documents({}) for c in db.list_collection_names() if c.startswith("slow")}, left)
        same(f"{name}: no intents", [i for i in intents(db) if "slow" in str(i)], [])
        sql(uri, "DROP TABLE IF EXISTS slow")


def test_touched(uri):
    """A sign of life meets the removal of its intent. DocumentDB's delete of one document misses a
    document that changes meanwhile.
    """
    over = threading.Event()

    def touch():
        catalog = pymongo.MongoClient(uri).get_default_database()["_mtsql_catalog"]
        while not over.is_set():
            catalog.update_many({"kind": "intent"}, {"$inc": {"beats": 1}})

    touching = threading.Thread(target=touch)
    touching.start()
    said = sql(uri, *["CREATE TABLE touched (ts timestamptz TIME NOT NULL, n bigint MEASURE NOT NULL) USING rows", "DROP TABLE touched"] * 30)
    over.set()
    touching.join()
    same("touched: all intents are removed", (said.returncode, said.stderr), (0, ""))


def main():
    with tempfile.TemporaryDirectory(prefix="mtsql-intents-") as folder, database(chosen(), "intents") as uri:
        db = pymongo.MongoClient(uri)[re.search(r":\d+/([^?]+)", uri)[1]]
        r = sql(uri, *TABLE.split(";"))
        assert r.returncode == 0, r.stderr
        test_whole(uri, db)
        test_cut(uri, db)
        test_refresh(uri, db)
        test_vacuum(uri, db)
        test_refresh_twice(uri, db)
        test_vacuum_twice(uri, db)
        test_killed(uri, db, folder)
        test_layout(uri, db)
        test_remains(uri, db)
        test_stopped(uri, db)
        test_alive(uri, db)
        test_stores(uri, db)
        test_beside(uri, db)
        test_long(uri, db)
        test_gone(uri, db)
        test_touched(uri)
        same("no intent is left at the end", intents(db), [])
    return finish()


sys.exit(main())

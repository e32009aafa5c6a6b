#!/usr/bin/env python3
"""Stages that a server can't run are run in process over its cursor, in a union for each arm. Only
the needed fields are sent.
"""
import sys

from checks import check, finish, same
from server import chosen, database
import mtsql

SETUP = ["CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, n bigint MEASURE) USING rows",
         "INSERT INTO t VALUES ('2015-01-01', 'h1', 'a', 1), ('2015-01-02', 'h2', 'b', 20), ('2015-01-03', 'h22', 'a', 300)"]
ARMS = "SELECT lpad(host, 4, '*') AS h, n FROM t UNION ALL SELECT host, sum(n) FROM t GROUP BY host UNION ALL SELECT reverse(app), n FROM t WHERE n > 100"

# statement, its rows, texts that EXPLAIN must have, and those that it must not have
CASES = [
    ("SELECT lpad(host, 4, '*'), n FROM t WHERE n < 100 ORDER BY n", [("**h1", "1"), ("**h2", "20")],
     ['{"$project": {"host": 1, "n": 1, "_id": 0}}\n])\nThen, in process: ['], ["And: "]),
    ("SELECT reverse(app), sum(n) FROM t GROUP BY 1 ORDER BY 1", [("a", "301"), ("b", "20")], ['{"$project": {"app": 1, "n": 1, "_id": 0}}'], ["And: "]),
    (f"SELECT h, n FROM ({ARMS}) q ORDER BY h, n", [("**h1", "1"), ("**h2", "20"), ("*h22", "300"), ("a", "300"), ("h1", "1"), ("h2", "20"), ("h22", "300")],
     ["And: db.getCollection", "Then, over all, in process: [", "$_mt_lpad"], ["$unionWith"]),
    (f"SELECT count(*), sum(n) FROM ({ARMS}) q", [("7", "942")], ["And: db.getCollection"], ["$unionWith"]),
    ("SELECT host, n FROM t UNION ALL SELECT app, n FROM t ORDER BY n, host LIMIT 2", [("a", "1"), ("h1", "1")], ["$unionWith"], ["in process"]),
    ("SELECT host, n FROM t WHERE n = 1 UNION ALL SELECT 'x', 2 ORDER BY n", [("h1", "1"), ("x", "2")], ["$documents"], []),
    ("SELECT h FROM (SELECT host AS h FROM t UNION ALL SELECT reverse(app) FROM t) q WHERE h > 'a' UNION ALL SELECT app || 'x' FROM t ORDER BY 1",
     [("ax",), ("ax",), ("b",), ("bx",), ("h1",), ("h2",), ("h22",)], ["And: db.getCollection", "Then, over all, in process: ["], ["$unionWith"]),
    ("SELECT host FROM t INTERSECT (SELECT 'h' || n / 10 FROM t EXCEPT SELECT reverse(app) FROM t) ORDER BY 1", [("h2",)], ["And: db.", "Then, over all, in process: ["], ["$unionWith"]),
    # windows run on the server if they mean the same there
    ("SELECT n, row_number() OVER (ORDER BY n DESC), lag(n, 1, 0) OVER (PARTITION BY app ORDER BY n) FROM t ORDER BY n", [("1", "3", "0"), ("20", "2", "0"), ("300", "1", "1")], ["$setWindowFields", '"default": '], ["in process"]),
    ("SELECT n, sum(n) OVER (PARTITION BY app ORDER BY host ROWS UNBOUNDED PRECEDING), count(*) OVER () FROM t ORDER BY n", [("1", "1", "3"), ("20", "20", "3"), ("300", "301", "3")], ["$setWindowFields"], ["in process"]),
    ("SELECT host, sum(count(*)) OVER (ORDER BY host ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM t GROUP BY host ORDER BY host", [("h1", "2"), ("h2", "3"), ("h22", "2")], ["$setWindowFields"], ["in process"]),
    ("SELECT host, sum(sum(n)) OVER (ORDER BY host ROWS 1 PRECEDING) FROM t GROUP BY host ORDER BY host", [("h1", "1"), ("h2", "21"), ("h22", "320")], ["$_mtWindow"], ["$setWindowFields"]),
    ("SELECT n, count(*) OVER (ORDER BY app) FROM t ORDER BY n", [("1", "2"), ("20", "3"), ("300", "2")], ["$_mtWindow"], ["$setWindowFields"]),
    ("SELECT n, sum(n::float8) OVER (ORDER BY n ROWS 1 PRECEDING) FROM t ORDER BY n", [("1", "1"), ("20", "21"), ("300", "320")], ["$_mtWindow"], ["$setWindowFields"]),
    ("SELECT n, ntile(2) OVER w, row_number() OVER w FROM t WINDOW w AS (ORDER BY n) ORDER BY n", [("1", "1", "1"), ("20", "1", "2"), ("300", "2", "3")], ["$_mtWindow"], ["$setWindowFields"]),
]
# times before 2000 and before 1970: bins that a server without $dateTrunc computes by a remainder
SETUP += ["CREATE TABLE old (ts timestamptz TIME, n bigint MEASURE) USING rows",
          "INSERT INTO old VALUES ('1969-12-31 23:59:59.999', 1), ('1970-01-01', 2), ('1999-12-31 12:34:56.789', 3), ('2000-01-02 23:59:59', 4), ('2000-01-03', 5), ('2024-02-29 12:00', 6), (NULL, 7), ('1883-11-18', 8)"]
TRUNCATED = "SELECT n, {} FROM old ORDER BY n"
CASES += [
    (TRUNCATED.format("date_trunc('week', ts)::text"), [("1", "1969-12-29 00:00:00+00"), ("2", "1969-12-29 00:00:00+00"), ("3", "1999-12-27 00:00:00+00"), ("4", "1999-12-27 00:00:00+00"), ("5", "2000-01-03 00:00:00+00"), ("6", "2024-02-26 00:00:00+00"), ("7", None), ("8", "1883-11-12 00:00:00+00")], [], []),
    ("SELECT date_trunc('week', ts), sum(n) FROM old GROUP BY 1 ORDER BY 1", [("1883-11-12 00:00:00+00", "8"), ("1969-12-29 00:00:00+00", "3"), ("1999-12-27 00:00:00+00", "7"), ("2000-01-03 00:00:00+00", "5"), ("2024-02-26 00:00:00+00", "6"), (None, "7")], [], ["in process"]),
    ("SELECT date_trunc('day', ts), sum(n) FROM old WHERE n < 7 GROUP BY 1 ORDER BY 1", [("1969-12-31 00:00:00+00", "1"), ("1970-01-01 00:00:00+00", "2"), ("1999-12-31 00:00:00+00", "3"), ("2000-01-02 00:00:00+00", "4"), ("2000-01-03 00:00:00+00", "5"), ("2024-02-29 00:00:00+00", "6")], [], ["in process"]),
    ("SELECT time_bucket('7 hours', ts), sum(n) FROM old WHERE n IN (1, 3, 6) GROUP BY 1 ORDER BY 1", [("1969-12-31 22:00:00+00", "1"), ("1999-12-31 09:00:00+00", "3"), ("2024-02-29 12:00:00+00", "6")], [], ["in process"]),
    ("SELECT date_trunc('second', ts + interval '1 day'), sum(n) FROM old WHERE n IN (1, 3) GROUP BY 1 ORDER BY 1", [("1970-01-01 23:59:59+00", "1"), ("2000-01-01 12:34:56+00", "3")], [], ["in process"]),
]
CASES += [
    (TRUNCATED.format("to_char(ts, 'YYYY-MM-DD HH24:MI:SS.MS')"), [("1", "1969-12-31 23:59:59.999"), ("2", "1970-01-01 00:00:00.000"), ("3", "1999-12-31 12:34:56.789"), ("4", "2000-01-02 23:59:59.000"), ("5", "2000-01-03 00:00:00.000"), ("6", "2024-02-29 12:00:00.000"), ("7", None), ("8", "1883-11-18 00:00:00.000")], ["$dateToString"], ["in process"]),
    ("SELECT to_char(ts, 'yyyy') AS y, extract(year FROM ts), sum(n) FROM old GROUP BY 1, 2 HAVING extract(year FROM ts) > 1969 ORDER BY y", [("1970", "1970", "2"), ("1999", "1999", "3"), ("2000", "2000", "9"), ("2024", "2024", "6")], ["$substrBytes"], ["in process"]),
    ("SELECT extract(year FROM ts), sum(n) FROM old GROUP BY 1 ORDER BY 1", [("1883", "8"), ("1969", "1"), ("1970", "2"), ("1999", "3"), ("2000", "9"), ("2024", "6"), (None, "7")], [], ["in process"]),
    ("SELECT DISTINCT extract(isodow FROM ts) FROM old WHERE n < 7 ORDER BY 1", [("1",), ("3",), ("4",), ("5",), ("7",)], [], ["in process"]),
    ("SELECT count(DISTINCT extract(quarter FROM ts)), min(extract(dow FROM ts)) FROM old", [("2", "0")], [], ["in process"]),
    (TRUNCATED.format("to_char(ts, 'Mon')"), [("1", "Dec"), ("2", "Jan"), ("3", "Dec"), ("4", "Jan"), ("5", "Jan"), ("6", "Feb"), ("7", None), ("8", "Nov")], ["$_mt_to_char"], ["$dateToString"]),
]
# averages of integers: PostgreSQL's number of decimals, rounded half away from zero
SETUP += ["CREATE TABLE av (k integer, n bigint, i integer) USING rows",
          "INSERT INTO av VALUES (1, 0, 0), (1, 0, NULL), (2, 1, -2), (2, 2, -2), (2, 2, -1), (3, 9223372036854775807, 2147483647), (3, 9223372036854775806, 2147483646), (4, NULL, NULL), (5, -99999, 12345), (5, -99999, 12346)"]
CASES += [
    ("SELECT k, avg(n), avg(i) FROM av GROUP BY k ORDER BY k", [("1", "0.00000000000000000000", "0.00000000000000000000"), ("2", "1.6666666666666667", "-1.6666666666666667"), ("3", "9223372036854775807", "2147483646.50000000"),
                                                              ("4", None, None), ("5", "-99999.000000000000", "12345.5000000000000000")], ["$trunc"], ["in process", "$_mtAvg"]),
    ("SELECT k FROM av GROUP BY k HAVING avg(n) > 0 ORDER BY avg(n) DESC", [("3",), ("2",)], ["$trunc"], ["in process", "$_mtAvg"]),
    ("SELECT avg(n) FROM av WHERE k > 9", [(None,)], ["$trunc"], ["in process"]),
    ("SELECT i, avg(i) OVER (ORDER BY i ROWS 1 PRECEDING) FROM av WHERE k = 2 OR k = 5 ORDER BY i DESC LIMIT 2", [("12346", "12345.5000000000000000"), ("12345", "6172.0000000000000000")], ["$setWindowFields"], ["in process"]),
    ("SELECT lpad(k::text, 2, '0') AS p, avg(i) FROM av WHERE k = 2 GROUP BY 1", [("02", "-1.6666666666666667")], ["$_mtAvg"], ["$trunc"]),
]
# the same over a table with a partition for each day: first one partition is read, then one, two
# and four at once, the newest first
SETUP += ["CREATE TABLE days (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE) USING rows WITH (partition_by = 'day')",
          "INSERT INTO days SELECT t, 'k' || extract(day FROM t), extract(day FROM t) FROM generate_series('2024-01-01'::timestamptz, '2024-01-08', '1 day') t"]
LAST = "SELECT max(ts)::date, last(n, ts) FROM days WHERE k = 'k%d'"
# so many partitions that a read at once is a tree of unions
SETUP += ["CREATE TABLE many (ts timestamptz TIME NOT NULL, n bigint MEASURE) USING rows WITH (partition_by = 'day')",
          "INSERT INTO many SELECT t, extract(month FROM t) FROM generate_series('2024-01-01'::timestamptz, '2024-02-10', '1 day') t"]
TREE = "SELECT max(ts)::date FROM many WHERE n = %d"
CASES += [
    (LAST % 8, [("2024-01-08", "8")], ["Partitions: up to 8 of 8, newest first", 'And: db.getCollection("days_2024_01_07")', '$unionWith": {"coll": "days_2024_01_05"', '"$_mtUntil": ["z0", "z1"]'], []),
    (LAST % 1, [("2024-01-01", "1")], [], []),
    (LAST % 9, [(None, None)], [], []),
    ("SELECT min(ts)::date, max(ts)::date FROM days", [("2024-01-01", "2024-01-08")], ["from both ends", 'db.getCollection("days_2024_01_08")', 'And: db.getCollection("days_2024_01_01")'], []),
    ("SELECT count(*) FROM days WHERE ts = (SELECT max(ts) FROM days)", [("1",)], ["Partitions: 1 of 8: days_2024_01_08"], ["$_mtUntil"]),
    (TREE % 2, [("2024-02-10",)], ["Partitions: up to 41 of 41, newest first"], []),
    (TREE % 1, [("2024-01-31",)], [], []),
    ("SELECT n, count(*) FROM many GROUP BY n ORDER BY n", [("1", "31"), ("2", "10")], ["Partitions: 41 of 41: many_2024_01_01 to many_2024_02_10"], ["And: "]),
    ("SELECT n, reverse(n::text) FROM many WHERE ts > '2024-01-20' ORDER BY n DESC, ts LIMIT 1", [("2", "2")], ["Partitions: 22 of 41"], []),
    ("SELECT n FROM many ORDER BY ts DESC LIMIT 1", [("2",)], ['db.getCollection("many_2024_02_10")', "And: 40 similar stages omitted (the last reads many_2024_01_01); VERBOSE shows them"], ["many_2024_02_09"]),
    ("SELECT n FROM many WHERE reverse(n::text) = '1' LIMIT 3", [("1",)] * 3, ["And: 40 similar stages omitted (the last reads many_2024_02_10)"], ["$unionWith"]),
    ("SELECT m::date FROM (SELECT max(ts) AS m FROM days) s", [("2024-01-08",)], ["Partitions: 8 of 8: "], ["$_mtUntil"]),
]
# the counts of EXPLAIN ANALYZE: a statement, and how many collections it reads
READ = [(LAST % 8, 1), (LAST % 7, 2), (LAST % 6, 4), (LAST % 1, 8), (LAST % 9, 8), ("SELECT min(ts), max(ts) FROM days", 2), ("SELECT min(ts) FROM days WHERE n > 1", 2), ("SELECT n FROM days ORDER BY ts DESC LIMIT 3", 3),
        (TREE % 2, 1), (TREE % 1, 16), (TREE % 3, 41)]
# the tree of EXPLAIN (ANALYZE, TIMING off, COSTS off): where each step runs, and the rows of the
# steps that mtsql sees
DRAWN = [
    ("SELECT lpad(host, 4, '*'), k FROM t JOIN (VALUES ('h1', 5), ('h2', 6)) v (h, k) ON h = host WHERE n < 100",
     ["Hash Join  [in process]  (actual rows=2)", "Hash Cond: (v.h = t.host)", "->  Scan on t using rows, cut at records  [server]  (actual rows=2)", "Filter: (n < 100::int8)",
      "->  Values Scan on *VALUES*  [in process]  (actual rows=2)"]),
    ("SELECT host, ntile(2) OVER (ORDER BY ts) FROM t", ["WindowAgg  [in process]  (actual rows=3)", "Window: (ORDER BY ts)", "->  Scan on t using rows, cut at records  [server]  (actual rows=3)"]),
]
# the parts that pushdown_off keeps from the server
OFF = [
    ("SET pushdown_off = '$group'", None),
    ("EXPLAIN SELECT host, sum(n) FROM t WHERE n > 1 GROUP BY host", '{"$match": {"n": {"$gt": NumberLong("1")}}},\n{"$project": {"host": 1, "n": 1, "_id": 0}}\n])\nThen, in process: [\n{"$group"'),
    ("SET pushdown_off = ' $match , $sort'", None),
    ("EXPLAIN SELECT n FROM t WHERE n > 1 ORDER BY n", '{"$project": {"n": 1, "_id": 0}}\n])\nThen, in process: [\n{"$match"'),
    ("SET pushdown_off = '*'", None),
    ("EXPLAIN SELECT host, sum(n) FROM t WHERE n > 1 GROUP BY host", '{"$project": {"n": 1, "host": 1, "_id": 0}}\n])\nThen, in process: [\n{"$match"'),
    ("EXPLAIN SELECT i * 2 FROM generate_series(1, 3) i", '{"$documents": [{}]}\n])\nThen, in process: [\n{"$_mtSeries"'),
    ("SELECT max(i) || 'th of ' || count(*) FROM generate_series(1, 3) i", "3th of 3"),
    ("SELECT string_agg(n::text, ' ') FROM (VALUES (1), (2)) v (n)", "1 2"),
    ("SET pushdown_off = 'group'", 'invalid value for parameter "pushdown_off": "group"'),
    ("RESET pushdown_off", None),
]
REFUSED = [
    ("SET require_full_pushdown = on", None),
    (f"SELECT count(*) FROM ({ARMS}) q", "require_full_pushdown is on"),
    ("SELECT host, sum(n) OVER (ORDER BY ts ROWS 1 PRECEDING) FROM t", None),
    ("SELECT host, ntile(2) OVER (ORDER BY ts) FROM t", "The server can't run the step WindowAgg, Window: (ORDER BY ts): only mtsql has $_mtWindow."),
    ("SELECT host, array_agg(n) OVER (PARTITION BY host) FROM t", "The server can't run the step WindowAgg, Window: (PARTITION BY host): only mtsql has $_mtWindow."),
    ("SELECT lpad(host, 4, '*') FROM t", "The server can't compute lpad(host, 4, '*'): only mtsql has $_mt_lpad."),
    ("SELECT n FROM t WHERE lpad(host, 4, '*') = 'x'", "The server can't compute lpad(host, 4, '*') in the step Scan on t using rows, cut at records: only mtsql has $_mt_lpad."),
    ("SELECT host, string_agg(host, ',') FROM t WHERE n > 1 GROUP BY host", "The server can't compute the aggregate string_agg in the step Group: only mtsql has"),
    ("SELECT n FROM t ORDER BY n, ts FETCH FIRST ROW WITH TIES", "The server can't run the step Limit, Count: 1 with ties: only mtsql has $_mtLimitTies."),
    (r"SELECT n FROM (SELECT n FROM t WHERE host ~ '^h\d' ORDER BY n LIMIT 5) q", r"The server can't compute (host ~ '^h\d') in the step Scan"),
]


def main():
    with database(chosen(), "split") as target:
        asked = SETUP + [s for sql, *_ in CASES for s in (sql, "EXPLAIN " + sql)] + ["EXPLAIN (ANALYZE, TIMING off, COSTS off) " + sql for sql, _ in DRAWN + READ] + [sql for sql, _ in OFF + REFUSED]
        answers = mtsql.run(asked, target)
    for a in answers[:len(SETUP)]:
        a.must()
    at = len(SETUP)
    for sql, rows, has, has_not in CASES:
        got, plan = answers[at], answers[at + 1]
        at += 2
        text = plan.error or "\n".join(r[0] for r in plan.rows)
        flat = "\n".join(line.strip() for line in text.split("\n"))
        same(sql, got.rows or got.error, rows)
        check(f"EXPLAIN {sql}", all(h in flat for h in has) and not any(h in flat for h in has_not), f"{text}\n   has to have {has}, and not {has_not}")
    for sql, has in DRAWN:
        lines = [line[0].strip() for line in answers[at].must()]
        check(f"EXPLAIN ANALYZE {sql}", all(h in lines for h in has), "\n".join(lines) + f"\n   has to have {has}")
        at += 1
    for sql, count in READ:
        lines = [line[0].strip() for line in answers[at].must()]
        check(f"EXPLAIN ANALYZE {sql}", f"Collections read: {count}" in lines, "\n".join(lines) + f"\n   has to read {count} collections")
        at += 1
    for (sql, text), got in zip(OFF, answers[at:]):
        shown = got.error or "\n".join(r[0].strip() for r in got.rows)
        check(sql, text in shown if text else got.error is None, f"{shown}\n   has to have {text}")
    at += len(OFF)
    for (sql, text), got in zip(REFUSED, answers[at:]):
        check(sql, text in (got.error or "") if text else got.error is None, f"   got {got.rows or got.error}, expected an error: {text}")
    return finish()


sys.exit(main())

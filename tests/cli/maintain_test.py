#!/usr/bin/env python3
"""--maintain on a store: its steps, their errors, exit codes, and two passes at once."""
import json
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run, same
from clock import ahead
from command import environment, shell, start
from waiting import until

SETUP = """
CREATE TABLE r (ts timestamptz TIME NOT NULL, k text DIMENSION, v int MEASURE) USING nested WITH (cluster_by = 'k', levels = 'ts', expire_after = '30 days');
INSERT INTO r SELECT t, 'a', 1 FROM generate_series (now() - interval '60 days', now(), '1 hour') t;
INSERT INTO r SELECT t, 'a', 1 FROM generate_series (now() - interval '2 days', now(), '1 hour') t;
CREATE MATERIALIZED VIEW daily WITH (continuous) AS SELECT time_bucket ('1 day', ts) AS day, count(*) AS n FROM r GROUP BY 1 WITH NO DATA;
CREATE MATERIALIZED VIEW all_of WITH (continuous) AS SELECT time_bucket ('1 year', day) AS year, sum(n) AS n FROM daily GROUP BY 1 WITH NO DATA;
"""


def store(folder):
    return os.path.join(folder, "s.mts")


def sql(target, text):
    r = shell("-qAt", "-v", "ON_ERROR_STOP=1", target, text=text)
    if r.returncode:
        raise AssertionError(r.stderr)
    return r.stdout


def maintain(target, **env):
    r = shell("--maintain", target, env=environment(**env))
    return r.returncode, [json.loads(line) for line in r.stdout.splitlines()], r.stderr


def steps(lines):
    return [(line["step"], line["object"]) for line in lines]


def test_pass(folder):
    target = store(folder)
    sql(target, SETUP)
    code, lines, said = maintain(target)
    same("exit", (code, said), (0, ""))
    same("steps", steps(lines), [("retention", "r"), ("refresh", "daily"), ("refresh", "all_of"), ("vacuum", "r")])
    check("refreshed", "buckets refreshed" in lines[1]["detail"], lines)
    same("stored", sql(target, "SELECT sum(n) FROM _mtsql_stored.all_of"), sql(target, "SELECT count(*) FROM r"))
    code, lines, said = maintain(target)
    same("again", (code, [line.get("detail", "") for line in lines if line["step"] == "refresh"]), (0, ['continuous view "daily" is already up-to-date', 'continuous view "all_of" is already up-to-date']))


def test_policy(folder):
    target = store(folder)
    sql(target, SETUP + "SELECT add_continuous_aggregate_policy ('daily', '10 days', '1 day', '1 hour'); SELECT add_continuous_aggregate_policy ('all_of', NULL, NULL, '0');")
    first, again = maintain(target)[1], maintain(target)[1]
    same("due", [steps(x).count(("refresh", "daily")) for x in (first, again)], [1, 0])
    same("always due", [steps(x).count(("refresh", "all_of")) for x in (first, again)], [1, 1])
    same("its window", sql(target, "SELECT count(*) FROM _mtsql_stored.daily"), "8\n")
    same("shown", sql(target, "SELECT viewname, start_offset, schedule_interval, refreshed IS NOT NULL FROM pg_continuous_views WHERE policy ORDER BY 1"), "all_of||00:00:00|t\ndaily|10 days|01:00:00|t\n")


def test_clock(folder):
    """A pass whose clock was ahead doesn't keep later passes from refreshing."""
    target = store(folder)
    sql(target, "CREATE TABLE r (ts timestamptz TIME NOT NULL) USING rows; CREATE MATERIALIZED VIEW daily WITH (continuous) AS SELECT time_bucket ('1 day', ts) AS day, count(*) AS n FROM r GROUP BY 1 WITH NO DATA;"
        "SELECT add_continuous_aggregate_policy ('daily', NULL, NULL, '1 hour');")
    passes = [maintain(target, **ahead(folder, 400)), maintain(target), maintain(target)]
    same("refreshes", [steps(x[1]).count(("refresh", "daily")) for x in passes], [1, 1, 0])


def test_errors(folder):
    target = store(folder)
    sql(target, SETUP + "CREATE FUNCTION f (x int) RETURNS int LANGUAGE sql AS '10 / x';"
        "CREATE MATERIALIZED VIEW bad WITH (continuous) AS SELECT time_bucket ('1 day', ts) AS day, sum(f (v)) AS s FROM r GROUP BY 1; INSERT INTO r VALUES (now(), 'b', 0);")
    code, lines, said = maintain(target)
    bad = [line for line in lines if "error" in line]
    same("one step failed", (code, steps(bad), bad[0]["sqlstate"], said), (3, [("refresh", "bad")], "22012", ""))
    same("the others ran", len(lines), 5)


def test_usage(folder):
    r = shell("--maintain")
    same("no target", (r.returncode, r.stderr), (1, "mtsql: error: option --maintain needs a target\n"))
    r = shell("--maintain", "x", "-c", "SELECT 1")
    same("two tasks", (r.returncode, r.stderr), (1, "mtsql: error: option --maintain cannot be used with other actions\n"))
    r = shell("--maintain", store(folder))
    same("no store", (r.returncode, r.stderr), (2, f'mtsql: error: there is no store "{store (folder)}"\n'))
    sql(store(folder), "CREATE TABLE t (a int)")
    same("nothing to do", maintain(store(folder)), (0, [], ""))
    r = shell("--read-only", "--maintain", store(folder))
    same("read-only", (r.returncode, r.stderr), (3, "ERROR:  cannot maintain a read-only target\n"))


def test_together(folder):
    target = store(folder)
    sql(target, "".join(f"CREATE TABLE t{i} (ts timestamptz TIME NOT NULL) USING rows WITH (expire_after = '1 day');\n" for i in range(200)))
    p = start("--maintain", target)
    until(lambda: p.stdout.readline(), p)
    p.send_signal(signal.SIGKILL)
    p.wait()
    same("killed", p.returncode, -signal.SIGKILL)
    code, lines, said = maintain(target)
    same("its claim stays", (code, lines), (5, []))
    check("and says so", said.startswith("ERROR:  another program maintains this target\n"), said)


sys.exit(run(globals()))

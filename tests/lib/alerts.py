"""The cases of alerts on any target, for tests/cli/alerts_test.py and tests/servers/alerts_test.py.
"""
import json
import os
import re
import stat
import time

from cases import check, same
from command import environment, shell, start
from waiting import HANG_S

TABLE = "CREATE TABLE load (time timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, cpu double precision MEASURE) USING rows"
# Prints its arguments and the variables of the notice, one in a line, sorted by name.
SCRIPT = """#!/usr/bin/env python3
import os, sys
with open(sys.argv[1], "a") as f:
    f.write(repr((sys.argv[2:], {k: v for k, v in sorted(os.environ.items()) if k.startswith("MTSQL_")})) + "\\n")
print("printed by the command")
"""


def sql(target, *statements):
    r = shell("-q", "-t", "-A", *(a for s in statements for a in ("-c", s)), target)
    assert r.returncode == 0, r.stderr
    return r.stdout


def alerts(target, *names, options=(), **env):
    """Checks the alerts. Returns the exit code, the notices, and standard error."""
    r = shell("--check-alerts", *options, target, *names, env=environment(**env))
    return r.returncode, [json.loads(line) for line in r.stdout.splitlines()], r.stderr


def brief(result):
    code, notices, stderr = result
    return code, [(n["alert"], n["state"], n["row"]) for n in notices], stderr


def script(folder):
    path = os.path.join(folder, "note it.py")
    with open(path, "w") as f:
        f.write(SCRIPT)
    os.chmod(path, 0o700)
    return path


def noted(path):
    """Returns the arguments and variables of each run of the command, without the variables of the
    test runner.
    """
    with open(path) as f:
        runs = [eval(line) for line in f]
    return [(words, {k: v for k, v in variables.items() if not k.startswith("MTSQL_RUNNING_")}) for words, variables in runs]


def state(target, name):
    return sql(target, f"SELECT state, firing FROM pg_alerts WHERE alertname = '{name}'").strip()


def check_rows(target):
    """Each row begins and ends by itself. A check that finds no change prints nothing."""
    sql(target, TABLE, "CREATE ALERT hot AS SELECT host, max(cpu) AS cpu, count(*) > 1 AS many, NULL::text AS none FROM load GROUP BY host HAVING max(cpu) > 90")
    sql(target, "INSERT INTO load VALUES ('2024-05-01', 'a', 95.5), ('2024-05-01', 'b \"x\"', 99), ('2024-05-01', 'c', 3)")
    code, notices, stderr = alerts(target)
    same("two begin", (code, stderr), (4, ""))
    same("their rows", [(n["alert"], n["state"], n["row"]) for n in notices], [
        ("hot", "firing", {"host": "a", "cpu": 95.5, "many": False, "none": None}), ("hot", "firing", {"host": 'b "x"', "cpu": 99, "many": False, "none": None})])
    check("since", all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", n["since"]) for n in notices), notices)
    same("no news", alerts(target), (4, [], ""))
    same("the state", state(target, "hot"), "firing|2")
    sql(target, "INSERT INTO load VALUES ('2024-05-02', 'a', 97), ('2024-05-02', 'd', 91)", "DELETE FROM load WHERE host LIKE 'b%'")
    code, later, stderr = alerts(target)
    later.sort(key=lambda n: n["row"]["host"])
    same("one ends with its last row, one begins, and one has another value", (code, [(n["state"], n["row"]["host"], n["row"]["cpu"]) for n in later], stderr),
         (4, [("ok", 'b "x"', 99), ("firing", "d", 91)], ""))
    same("since when it fired", later[0]["since"], notices[1]["since"])
    sql(target, "DELETE FROM load WHERE cpu > 90")
    code, ended, _ = alerts(target)
    same("all end", [(n["state"], n["row"]["host"]) for n in ended], [("ok", "a"), ("ok", "d")])
    same("the code", (code, state(target, "hot")), (0, "ok|0"))
    sql(target, "DROP ALERT hot", "DROP TABLE load")


def check_lasting(target):
    sql(target, TABLE, "CREATE ALERT slow AS SELECT host FROM load WHERE cpu > 90 FOR '1 s'", "INSERT INTO load VALUES ('2024-05-01', 'a', 95)")
    same("pending", alerts(target), (0, [], ""))
    same("its state", state(target, "slow"), "pending|0")
    time.sleep(1.1)
    same("fires", brief(alerts(target)), (4, [("slow", "firing", {"host": "a"})], ""))
    sql(target, "INSERT INTO load VALUES ('2024-05-01', 'b', 95)", "ALTER ALERT slow RENAME TO slower")
    same("a new row is pending by itself, and a new name keeps the state", alerts(target), (4, [], ""))
    sql(target, "DELETE FROM load WHERE host = 'b'")
    same("what was pending ends silently", alerts(target), (4, [], ""))
    sql(target, "CREATE OR REPLACE ALERT slower AS SELECT host FROM load WHERE cpu > 90")
    same("OR REPLACE begins anew", brief(alerts(target)), (4, [("slower", "firing", {"host": "a"})], ""))
    sql(target, "DROP ALERT slower", "CREATE ALERT slower AS SELECT host FROM load WHERE cpu > 90 EVERY '1 day'")
    same("DROP forgets", alerts(target)[0::2], (4, ""))
    sql(target, "DELETE FROM load")
    same("not due", alerts(target), (4, [], ""))
    sql(target, "ALTER ALERT slower DISABLE")
    same("disabled", alerts(target), (0, [], ""))
    sql(target, "ALTER ALERT slower SET EVERY '1 ms'", "ALTER ALERT slower ENABLE")
    same("due", brief(alerts(target)), (0, [("slower", "ok", {"host": "a"})], ""))
    sql(target, "DROP ALERT slower", "DROP TABLE load")


def check_missing(target):
    sql(target, TABLE, "CREATE ALERT mean AS SELECT avg(cpu) AS cpu FROM load HAVING avg(cpu) > 90", "CREATE ALERT by_host AS SELECT DISTINCT host, avg(cpu) FROM load GROUP BY 1 HAVING avg(cpu) > 90 ORDER BY 1 LIMIT 5",
        "CREATE ALERT counted AS SELECT count(*) AS n FROM load HAVING count(*) > 0", "CREATE ALERT plain AS SELECT host FROM load WHERE cpu > 90")
    same("no data", brief(alerts(target)), (4, [("by_host", "missing", None), ("mean", "missing", None)], ""))
    same("still none", alerts(target), (4, [], ""))
    same("the states", [state(target, n) for n in ("by_host", "mean", "counted", "plain")], ["missing|0", "missing|0", "ok|0", "ok|0"])
    sql(target, "INSERT INTO load VALUES ('2024-05-01', 'a', 95)")
    same("data come", brief(alerts(target, "mean", "BY_HOST")), (4, [("by_host", "ok", None), ("by_host", "firing", {"host": "a", "avg": 95}), ("mean", "ok", None), ("mean", "firing", {"cpu": 95})], ""))
    sql(target, "DELETE FROM load")
    same("what fired is not known to have ended", brief(alerts(target, "mean")), (4, [("mean", "missing", None)], ""))
    sql(target, "INSERT INTO load VALUES ('2024-05-01', 'a', 5)")
    same("then it is", brief(alerts(target, "mean")), (0, [("mean", "ok", None), ("mean", "ok", {"cpu": 95})], ""))
    sql(target, "DROP ALERT mean, by_host, counted, plain", "DROP TABLE load")


def check_errors(target):
    sql(target, TABLE, "INSERT INTO load VALUES ('2024-05-01', 'a', 95)", "CREATE TABLE gone (a int)", "CREATE ALERT a AS SELECT a FROM gone",
        "CREATE ALERT b AS SELECT host, 1 / (cpu - 95)::int AS x FROM load", "CREATE ALERT c AS SELECT host FROM load", "DROP TABLE gone")
    code, notices, stderr = alerts(target)
    same("the others go on", (code, [n["alert"] for n in notices]), (3, ["c"]))
    same("one error each", stderr, 'mtsql: error: alert "a": relation "gone" does not exist\nmtsql: error: alert "b": division by zero\n')
    same("only one", alerts(target, "c"), (4, [], ""))
    same("no such alert", alerts(target, "cc")[::2], (3, 'ERROR:  alert "cc" does not exist\nHINT:  Perhaps you meant "c".\n'))
    same("read-only", alerts(target, options=["-r"])[::2], (3, "ERROR:  cannot check the alerts of a read-only target\nHINT:  A check saves in the target what fires.\n"))
    sql(target, "CREATE ALERT many AS SELECT i::text AS i FROM generate_series(1, 10001) i")
    same("too many rows", alerts(target, "many")[::2], (3, 'mtsql: error: alert "many": the query of an alert cannot have more than 10000 rows, or 8 MB\nHINT:  Group the rows, or select fewer.\n'))
    sql(target, "CREATE ALERT large AS SELECT repeat(i::text, 1000000) AS i FROM generate_series(1, 9) i")
    same("too large rows", alerts(target, "large")[::2], (3, 'mtsql: error: alert "large": the query of an alert cannot have more than 10000 rows, or 8 MB\nHINT:  Group the rows, or select fewer.\n'))
    sql(target, "CREATE VIEW v AS SELECT 1 AS n, 'x' AS x", "CREATE ALERT starred AS SELECT * FROM v", "DROP VIEW v", "CREATE VIEW v AS SELECT 'x' AS y")
    same("another column", alerts(target, "starred")[::2], (3, 'mtsql: error: alert "starred": the query has no column "x" any more\nHINT:  Use CREATE OR REPLACE ALERT.\n'))
    sql(target, "DROP ALERT a, b, c, many, large, starred", "DROP VIEW v", "DROP TABLE load")


def check_commands(target, folder):
    out, program = os.path.join(folder, "noted"), script(folder)
    command = f"""'{program}' {out} $(touch {folder}/made) ; "rm -rf" * `id` "it's \\"quoted\\"" $HOME '\\x' a\\ b ''"""
    sql(target, TABLE, "INSERT INTO load VALUES ('2024-05-01', 'a; touch $(x) \"q\"', 95)",
        f"CREATE ALERT hot AS SELECT host, cpu AS \"CPU %\", NULL::int AS uri FROM load NOTIFY $n${command}$n$")
    r = alerts(target, MTSQL_URI="elsewhere", MTSQL_STATE="x")
    same("no notice is printed", r, (4, [], "printed by the command\n"))
    ((words, variables),) = noted(out)
    same("words, without a shell", words, [f"$(touch", f"{folder}/made)", ";", "rm -rf", "*", "`id`", 'it\'s "quoted"', "$HOME", "\\x", "a b", ""])
    since = variables.pop("MTSQL_SINCE")
    same("its variables", variables, {"MTSQL_ALERT": "hot", "MTSQL_CPU__": "95", "MTSQL_HOST": 'a; touch $(x) "q"', "MTSQL_STATE": "firing"})
    check("nothing was made", not os.path.exists(f"{folder}/made"))
    same("restricted", alerts(target, options=["--restricted"]), (4, [], ""))
    sql(target, "DELETE FROM load")
    same("the end, refused", alerts(target, options=["--restricted"]), (3, [], 'mtsql: error: alert "hot": NOTIFY is not allowed in restricted mode\n'))
    same("the end", alerts(target), (0, [], "printed by the command\n"))
    same("its variables", noted(out)[1][1], {"MTSQL_ALERT": "hot", "MTSQL_CPU__": "95", "MTSQL_HOST": 'a; touch $(x) "q"', "MTSQL_SINCE": since, "MTSQL_STATE": "ok"})
    sql(target, "DROP ALERT hot", "DROP TABLE load")


def check_failing_commands(target, folder):
    made = os.path.join(folder, "made")
    sql(target, "CREATE ALERT a AS SELECT 'x' AS x NOTIFY '/nowhere/at/all'", "CREATE ALERT b AS SELECT 'x' AS x NOTIFY 'false'", "CREATE ALERT c AS SELECT 'x' AS x",
        "CREATE ALERT d AS SELECT 'x' AS x NOTIFY $$python3 -c 'import os; os.kill(os.getpid(), 9)'$$", f"CREATE ALERT e AS SELECT 'x' AS x NOTIFY 'test -e {made}'")
    code, notices, stderr = alerts(target)
    same("the others go on", (code, [n["alert"] for n in notices]), (3, ["c"]))
    same("one error each", stderr, "".join(f"mtsql: error: alert {e}\n" for e in (
        '"a": could not run command "/nowhere/at/all": No such file or directory', '"b": command "false" failed with exit status 1', '"d": command "python3" ended by signal 9',
        '"e": command "test" failed with exit status 1')))
    same("a notice that failed is not given", state(target, "e"), "pending|0")
    open(made, "w").close()
    same("but at the next check", (alerts(target, "e"), state(target, "e")), ((4, [], ""), "firing|1"))
    sql(target, "DROP ALERT a, b, c, d, e")


def check_hanging(target, folder):
    """A command that hangs is killed, with the processes that it started. The other alerts go on.
    Nobody else checks meanwhile.
    """
    pids = os.path.join(folder, "pids")
    with open(os.path.join(folder, "hang.sh"), "w") as f:
        f.write(f"#!/bin/sh\nsleep 1000 &\necho $$ $! > {pids}\nsleep 1000\n")
    os.chmod(f.name, stat.S_IRWXU)
    sql(target, f"CREATE ALERT hangs AS SELECT 'x' AS x NOTIFY '{f.name}'", "CREATE ALERT later AS SELECT 'x' AS x")
    p = start("--check-alerts", target)
    end = time.monotonic() + HANG_S
    while not os.path.exists(pids) or len(open(pids).read().split()) < 2:
        assert time.monotonic() < end, "the command didn't start"
        time.sleep(0.01)
    same("a second check", alerts(target)[::2], (3, "ERROR:  another program checks the alerts of this target\nHINT:  If that program was killed, its claim ends within 90 seconds.\n"))
    out, err = p.communicate(timeout=HANG_S)
    same("hangs", (p.returncode, [json.loads(line)["alert"] for line in out.splitlines()], err), (3, ["later"], f'mtsql: error: alert "hangs": command "{f.name}" did not end within 30 seconds\n'))
    for pid in open(pids).read().split():
        same("killed", open(f"/proc/{pid}/stat").read().split()[2] == "Z" if os.path.exists(f"/proc/{pid}") else True, True)
    sql(target, "DROP ALERT hangs, later")


def check_together(target):
    """If several checks run at once, one of them gives each notice, and the others give none."""
    sql(target, "CREATE ALERT x AS SELECT i::text AS i FROM generate_series(1, 50) i")
    running = [start("--check-alerts", target) for _ in range(6)]
    ended = [(p.communicate(timeout=HANG_S), p.returncode) for p in running]
    got = sorted(json.loads(line)["row"]["i"] for (out, _), _ in ended for line in out.splitlines())
    same("each notice once", got, sorted(str(i) for i in range(1, 51)))
    check("the others found nothing to do, or the one at work", all(code == 4 or (code == 3 and "another program" in err) for (_, err), code in ended), ended)
    sql(target, "DROP ALERT x")

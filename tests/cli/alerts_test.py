#!/usr/bin/env python3
"""--check-alerts on a store: rows that begin and end, commands, errors, exit codes, and two checks
at once.
"""
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import alerts
from alerts import sql
from cases import check, run, same
from clock import ahead
from command import environment, shell, start
from paths import MTSQL
from waiting import HANG_S, until


def store(folder):
    return os.path.join(folder, "s.mts")


def test_rows(folder):
    alerts.check_rows(store(folder))


def test_lasting(folder):
    alerts.check_lasting(store(folder))


def test_missing(folder):
    alerts.check_missing(store(folder))


def test_errors(folder):
    alerts.check_errors(store(folder))


def test_commands(folder):
    alerts.check_commands(store(folder), folder)


def test_failing_commands(folder):
    alerts.check_failing_commands(store(folder), folder)


def test_hanging(folder):
    alerts.check_hanging(store(folder), folder)


def test_together(folder):
    alerts.check_together(store(folder))


def test_clock(folder):
    """A check whose clock was ahead doesn't keep later checks from reporting a row."""
    sql(store(folder), "CREATE TABLE t (a int)", "CREATE ALERT x AS SELECT a FROM t FOR '1 s' EVERY '1 s'", "INSERT INTO t VALUES (1)")
    same("ahead: pending", alerts.brief(alerts.alerts(store(folder), **ahead(folder, 400)))[:2], (0, []))
    same("back: pending", alerts.brief(alerts.alerts(store(folder)))[:2], (0, []))
    until(lambda: alerts.brief(alerts.alerts(store(folder)))[:2] == (4, [("x", "firing", {"a": 1})]))
    same("the row fires", alerts.state(store(folder), "x"), "firing|1")


def test_usage(folder):
    def usage(*args, **env):
        r = shell(*args, env=environment(**env))
        return r.returncode, r.stderr
    same("no target", usage("--check-alerts"), (1, "mtsql: error: option --check-alerts needs a target\n"))
    same("two tasks", usage("--check-alerts", "x", "-c", "SELECT 1"), (1, "mtsql: error: option --check-alerts cannot be used with other actions\n"))
    same("names without it", usage("a", "b"), (1, 'mtsql: error: more than one target: "b"\n'))
    sql(store(folder), "CREATE TABLE t (a int)")
    same("no alerts", alerts.alerts(store(folder)), (0, [], ""))
    same("by the variable", usage("--check-alerts", MTSQL_URI=store(folder)), (0, ""))
    other = os.path.join(folder, "other.mts")
    same("no store", usage("--check-alerts", other), (2, f'mtsql: error: there is no store "{other}"\n'))
    check("it is not made", not os.path.exists(other))
    r = shell("--restricted", store(folder), "-c", "CREATE ALERT x AS SELECT 'x' AS x NOTIFY 'true'")
    check("no commands in a restricted session", r.returncode == 3 and "NOTIFY is not allowed in restricted mode" in r.stderr, r)


def test_dump(folder):
    """A dump has the alerts and the rows that fire. As a target it is read-only."""
    sql(store(folder), "CREATE ALERT x AS SELECT 'x' AS x")
    same("fires", alerts.alerts(store(folder))[0], 4)
    shell("--dump", os.path.join(folder, "dump"), store(folder))
    dumped = os.path.join(folder, "dump", "s")
    same("its state is there", alerts.state(dumped, "x"), "firing|1")
    same("read-only", alerts.alerts(dumped)[0], 3)


def test_lost_output(folder):
    """The next check gives a notice again that could not be written."""
    sql(store(folder), "CREATE ALERT x AS SELECT 'x' AS x", "CREATE ALERT y AS SELECT i::text AS i FROM generate_series(1, 3) i", f"CREATE ALERT z AS SELECT 'z' AS z NOTIFY 'touch {folder}/z'")
    with open("/dev/full", "w") as full:
        r = subprocess.run([MTSQL, "--check-alerts", store(folder)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=HANG_S, env=environment())
    same("not given", (r.returncode, r.stderr), (3, "mtsql: error: could not write the output: No space left on device\n"))
    check("commands still run", os.path.exists(f"{folder}/z"))
    r = subprocess.run(f"{MTSQL} --check-alerts {store(folder)} | true; echo ${{PIPESTATUS[0]}}", shell=True, executable="/bin/bash", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    same("nobody reads", (r.stdout, r.stderr), ("141\n", ""))
    same("given at the next check", [n["alert"] for n in alerts.alerts(store(folder))[1]], ["x", "y", "y", "y"])


def test_interrupted(folder):
    """Control-C kills the command and ends the check. The claim is given back, and the next check
    gives the notice again.
    """
    sql(store(folder), "CREATE ALERT x AS SELECT 'x' AS x NOTIFY 'sleep 1000'", "CREATE ALERT y AS SELECT 'y' AS y")
    p = start("--check-alerts", store(folder))
    children = f"/proc/{p.pid}/task/{p.pid}/children"
    until(lambda: open(children).read().strip(), p)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=HANG_S)
    check("ended", p.returncode == 3 and out == "" and "canceling command" in err, (p.returncode, out, err))
    sql(store(folder), "ALTER ALERT x SET NOTIFY ''")
    same("given then", alerts.brief(alerts.alerts(store(folder))), (4, [("x", "firing", {"x": "x"}), ("y", "firing", {"y": "y"})], ""))


if __name__ == "__main__":
    sys.exit(run(globals(), *sys.argv[1:]))

#!/usr/bin/env python3
"""Runs suites of tests and adds up what they counted.

    run_tests.py [--build DIR] [--jobs N] SUITE...

A suite is a list of commands. A command's result is the last `N passed, N failed[, N skipped]` line or cmocka's own summary in its
output; a command that prints neither counts as one test by its exit code (77: skipped), and one that counted nothing as failed. Output of what failed is shown. Tests find
the build in the environment: BUILD (folder), MTSQL (the command), ROOT (the source tree), PYTHON.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN = re.compile(r"^(?:\S+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
CMOCKA = {"passed": r"\[  PASSED  \] (\d+) test", "failed": r"\[  FAILED  \] (\d+) test", "skipped": r"\[  SKIPPED \] (\d+) test"}
TIMEOUT_S = 1800


def python_tests(*patterns):
    return [[sys.executable, f] for p in patterns for f in sorted(glob.glob(os.path.join(ROOT, p)))]


# What has to install programs first.
MORE = {"mongosh_test.py", "tools_test.py", "oracle_test.py"}


def on_server(name):
    """The tests that take a server; those that need a special one of their own start it, once, with SecantusDB's."""
    takes = lambda path: re.search(r"\b(chosen|Server)\(\)", open(path, encoding="utf-8").read())
    return [c + [name] for c in python_tests("tests/servers/*_test.py") if takes(c[1]) or name == "secantus"]


def suite(name, build):
    """The commands of a suite; those that may not run beside others come as a second list."""
    if name == "unit":
        return [[t] for t in sorted(glob.glob(f"{build}/tests/*_test")) if os.access(t, os.X_OK)], []
    if name == "golden":
        return [], [[sys.executable, f"{ROOT}/tools/golden.py", "--build", build, "--jobs", str(ARGS.jobs)]]
    if name == "shell":
        scripts = [[f] for f in sorted(glob.glob(f"{ROOT}/tests/shell/*_test.sh"))]
        return scripts + python_tests("tests/shell/*_test.py"), []
    if name == "examples":
        return python_tests("tests/examples/*_test.py"), []
    if name == "cli":
        return python_tests("tests/cli/*_test.py"), []
    if name == "reference":
        return python_tests("tests/reference/*_test.py") + [[sys.executable, f"{ROOT}/tests/oracle/retention.py", "--cases", "4"]], []
    if name == "reference-long":
        return [], [[sys.executable, f"{ROOT}/tests/reference/property_test.py", "--tables", os.environ.get("TABLES", "300")]]
    if name == "oracle":
        return [], [[sys.executable, f"{ROOT}/tools/golden.py", "--build", build, "--postgres"],
                    [sys.executable, f"{ROOT}/tests/compat/compat.py"],
                    [sys.executable, f"{ROOT}/tests/oracle/oracle.py", "--statements", os.environ.get("N", "20000")],
                    [sys.executable, f"{ROOT}/tests/oracle/tlp.py"],
                    [sys.executable, f"{ROOT}/tests/oracle/changes.py"],
                    [sys.executable, f"{ROOT}/tests/oracle/sessions.py"],
                    [sys.executable, f"{ROOT}/tests/oracle/retention.py", "--cases", "40"]]
    if name == "servers":
        return [], [c for c in on_server("secantus") if os.path.basename(c[1]) not in MORE]
    if name == "all-servers":
        servers = os.environ.get("ON", "secantus documentdb " + os.environ.get("MTSQL_TEST_URI", ""))
        return [], [c for server in servers.split() for c in on_server(server)]
    sys.exit(f"run_tests.py: unknown suite: {name}")


def count(output, rc):
    plain = PLAIN.findall(output)
    if plain:
        passed, failed, skipped = (int(x or 0) for x in plain[-1])
    else:
        passed, failed, skipped = (sum(map(int, re.findall(CMOCKA[k], output))) for k in ("passed", "failed", "skipped"))
        if not passed + failed + skipped and rc in (0, 77):
            passed, skipped = int(rc == 0), int(rc == 77)
    if not failed and (rc not in (0, 77) or not passed + skipped):
        failed = 1
    return passed, failed, skipped


def run(command, env):
    start = time.time()
    try:
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env, cwd=ROOT, timeout=TIMEOUT_S)
        out, rc = p.stdout.decode("utf-8", "replace"), p.returncode
    except subprocess.TimeoutExpired as e:
        out, rc = (e.stdout or b"").decode("utf-8", "replace") + f"\ntimed out after {TIMEOUT_S} s", 1
    return command, out, rc, count(out, rc), time.time() - start


def report(suite_name, result):
    command, out, rc, (passed, failed, skipped), seconds = result
    script = next((c for c in command if "/tests/" in c or "/tools/" in c), command[0])
    where = command[-1] if "/tests/servers/" in script else suite_name
    print(f"{where:10} {os.path.basename(script):32} {passed:6} passed {failed:4} failed {skipped:4} skipped {seconds:7.1f} s", flush=True)
    if failed or rc not in (0, 77):
        tail = out if len(out) < 20000 else out[:6000] + "\n[…]\n" + out[-14000:]
        print(tail.rstrip() + f"\n(exit {rc})", flush=True)
    else:
        for line in re.findall(r"^(?:SKIP|NOTE)\b.*$", out, re.M):
            print(f"{'':10} {line}", flush=True)


def main():
    build = os.path.abspath(ARGS.build)
    env = dict(os.environ, BUILD=build, MTSQL=f"{build}/mtsql", ROOT=ROOT, PYTHON=sys.executable, LC_ALL="C.UTF-8", TZ="UTC")
    env.setdefault("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0")
    env.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    total = [0, 0, 0]
    for name in ARGS.suite:
        together, alone = suite(name, build)
        with concurrent.futures.ThreadPoolExecutor(ARGS.jobs) as pool:
            results = pool.map(lambda c: run(c, env), together)
            for r in results:
                report(name, r)
                total = [a + b for a, b in zip(total, r[3])]
        for c in alone:
            r = run(c, env)
            report(name, r)
            total = [a + b for a, b in zip(total, r[3])]
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] or not total[0] else 0


parser = argparse.ArgumentParser()
parser.add_argument("--build", default="build")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("suite", nargs="+")
ARGS = parser.parse_args()
sys.exit(main())

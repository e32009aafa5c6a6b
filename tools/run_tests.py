#!/usr/bin/env python3
"""Runs suites of tests and adds up what they counted.

    run_tests.py [--build DIR] [--jobs N] SUITE...

A suite is a list of commands, of which N run at a time; those on one server run one after the other. A command's result is the last `N passed, N failed[, N skipped]` line or cmocka's own summary in its
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
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN = re.compile(r"^(?:\S+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
CMOCKA = {"passed": r"\[  PASSED  \] (\d+) test", "failed": r"\[  FAILED  \] (\d+) test", "skipped": r"\[  SKIPPED \] (\d+) test"}
TIMEOUT_S = 1800
PRINTING = threading.Lock()


def python_tests(*patterns):
    return [[sys.executable, f] for p in patterns for f in sorted(glob.glob(os.path.join(ROOT, p)))]


# What has to install programs first.
MORE = {"mongosh_test.py", "tools_test.py", "oracle_test.py"}


def on_server(name):
    """The tests that take a server; those that need a special one of their own start it, once, with SecantusDB's."""
    takes = lambda path: re.search(r"\b(chosen|Server)\(\)", open(path, encoding="utf-8").read())
    return [c + [name] for c in python_tests("tests/servers/*_test.py") if takes(c[1]) or name == "secantus"]


def servers():
    return os.environ.get("ON", "secantus documentdb " + os.environ.get("MTSQL_TEST_URI", "")).split()


def each(commands):
    return [[c] for c in commands]


def oracle(*command):
    return [sys.executable, os.path.join(ROOT, "tests", "oracle", command[0]), *command[1:]]


def golden(build, *options):
    return [sys.executable, f"{ROOT}/tools/golden.py", "--build", build, *options]


# The suites: each a function from the build's folder to lanes, which may run beside each other; a lane is a list of commands, one after the other.
SUITES = {
    "unit": lambda build: each([t] for t in sorted(glob.glob(f"{build}/tests/*_test")) if os.access(t, os.X_OK)),
    "golden": lambda build: each([golden(build, "--jobs", "1")]),
    "shell": lambda build: each([[f] for f in sorted(glob.glob(f"{ROOT}/tests/shell/*_test.sh"))] + python_tests("tests/shell/*_test.py")),
    "examples": lambda build: each(python_tests("tests/examples/*_test.py")),
    "cli": lambda build: each(python_tests("tests/cli/*_test.py")),
    "reference": lambda build: each(python_tests("tests/reference/*_test.py") + [oracle("retention.py", "--cases", "4"), oracle("sums.py", "--cases", "4")]),
    "reference-long": lambda build: each([[sys.executable, f"{ROOT}/tests/reference/property_test.py", "--tables", os.environ.get("TABLES", "300")],
                                     [sys.executable, f"{ROOT}/tests/reference/buckets_test.py", "--all", "--postgres"]]),
    "oracle": lambda build: each([oracle("oracle.py", "--statements", os.environ.get("N", "20000")), golden(build, "--postgres"), [sys.executable, f"{ROOT}/tests/compat/compat.py"],
                                  oracle("tlp.py"), oracle("patterns.py"), oracle("changes.py"), oracle("sessions.py"), oracle("retention.py", "--cases", "40"), oracle("sums.py", "--cases", "30")]),
    # a server's tests one after the other
    "servers": lambda build: [[c for c in on_server("secantus") if os.path.basename(c[1]) not in MORE]],
    "all-servers": lambda build: [on_server(server) for server in servers()],
    # all-servers without what `servers` runs
    "more-servers": lambda build: [[c for c in on_server(server) if server != "secantus" or os.path.basename(c[1]) in MORE] for server in servers()],
}


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


def run_lane(suite_name, lane, env):
    counts = []
    for command in lane:
        result = run(command, env)
        with PRINTING:
            report(suite_name, result)
        counts.append(result[3])
    return counts


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
    lanes = [(name, lane) for name in ARGS.suite for lane in SUITES[name](build)]
    lanes.sort(key=lambda l: len(l[1]) == 1)  # the long ones first
    total = [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(ARGS.jobs) as pool:
        for results in concurrent.futures.as_completed([pool.submit(run_lane, name, lane, env) for name, lane in lanes]):
            for counts in results.result():
                total = [a + b for a, b in zip(total, counts)]
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] or not total[0] else 0


parser = argparse.ArgumentParser()
parser.add_argument("--build", default="build")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("suite", nargs="+", choices=SUITES)
ARGS = parser.parse_args()
sys.exit(main())

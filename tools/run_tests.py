#!/usr/bin/env python3
"""Runs suites of tests and adds up what they counted.

    run_tests.py [--build DIR] [--jobs N] SUITE...

A suite is a list of commands. N workers take commands from one queue, the longest first. A worker
keeps one server of each kind for the tests that need one, and starts a new one after a failure.
A command's result is the last `N passed, N failed[, N skipped]` line or cmocka's own summary in its
output. A command that prints neither counts as one test by its exit code (77: skipped). A command
that counted nothing has failed. The output of a failed command is shown. Tests find the build in the
environment: BUILD (folder), MTSQL (the command), ROOT (the source tree), PYTHON.
"""
import argparse
import contextlib
import glob
import os
import queue
import re
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "servers"))
import server  # noqa: E402

PLAIN = re.compile(r"^(?:\S+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
CMOCKA = {"passed": r"\[  PASSED  \] (\d+) test", "failed": r"\[  FAILED  \] (\d+) test", "skipped": r"\[  SKIPPED \] (\d+) test"}
TIMEOUT_S = 1800
LONG_TIMEOUT_S = 3 * 3600  # of the campaigns at length
PRINTING = threading.Lock()


def python_tests(*patterns):
    return [[sys.executable, f] for p in patterns for f in sorted(glob.glob(os.path.join(ROOT, p)))]


# What has to install programs first, or takes minutes.
MORE = {"mongosh_test.py", "pushdown_test.py", "tools_test.py", "oracle_test.py", "intents_test.py"}


# What mostly waits, for minutes: `make check` and CI run it on one server. check-servers runs it on all.
ON_ONE = {"intents_test.py": "documentdb", "lease_test.py": "secantus", "stopped_test.py": "secantus"}


def briefly(command):
    """Whether a test on a server belongs to the suites that CI runs."""
    return ON_ONE.get(os.path.basename(command[1]), command[-1]) == command[-1]


def on_server(name):
    """The tests that take a server; those that need a special one of their own start it, once, with SecantusDB's."""
    takes = lambda path: re.search(r"\b(chosen|Server)\(\)", open(path, encoding="utf-8").read())
    return [c + [name] for c in python_tests("tests/servers/*_test.py") if takes(c[1]) or name == "secantus"]


def servers():
    return os.environ.get("ON", "secantus documentdb " + os.environ.get("MTSQL_TEST_URI", "")).split()


def oracle(*command):
    return [sys.executable, os.path.join(ROOT, "tests", "oracle", command[0]), *command[1:]]


def golden(build, *options):
    return [sys.executable, f"{ROOT}/tools/golden.py", "--build", build, *options]


def oracles(build, statements, retention, sums, sketches):
    return [oracle("oracle.py", "--statements", os.environ.get("N", statements)), golden(build, "--postgres"), [*python_tests("tests/clients/catalog_test.py")[0], "--postgres"], python_tests("tests/compat/compat.py")[0],
            oracle("tlp.py"), oracle("changes.py"), oracle("sessions.py"), oracle("retention.py", "--cases", retention), oracle("sums.py", "--cases", sums),
            oracle("timeseries.py", "--statements", os.environ.get("N", statements)), oracle("periods.py"), oracle("states.py"), oracle("sketches.py", "--cases", sketches)]


# The suites: each a function from the build's folder to a list of commands.
SUITES = {
    "unit": lambda build: [[t] for t in sorted(glob.glob(f"{build}/tests/*_test")) if os.access(t, os.X_OK)],
    "golden": lambda build: [golden(build, "--jobs", "1")],
    "shell": lambda build: [[f] for f in sorted(glob.glob(f"{ROOT}/tests/shell/*_test.sh"))] + python_tests("tests/shell/*_test.py"),
    "examples": lambda build: python_tests("tests/examples/*_test.py"),
    "cli": lambda build: python_tests("tests/cli/*_test.py"),
    # for sanitizers: without what reads large files or only repeats examples
    "cli-asan": lambda build: [c for c in python_tests("tests/cli/*_test.py") if os.path.basename(c[1]) not in ("json_files_test.py", "docs_test.py")],
    "reference": lambda build: python_tests("tests/reference/*_test.py"),
    # PostgreSQL's clients, and every third golden file by psql
    "clients": lambda build: python_tests("tests/clients/*_test.py") + [golden(build, "--jobs", "1", "--psql", "--every", os.environ.get("EVERY", "3"))],
    # what `oracle` runs at length and needs no PostgreSQL for
    "campaigns": lambda build: [oracle("retention.py", "--cases", "4"), oracle("sums.py", "--cases", "4"), oracle("periods.py", "--cases", "100"), oracle("sketches.py", "--cases", "100"), oracle("timeseries.py", "--statements", "500")],
    "oracle": lambda build: oracles(build, "3000", "12", "10", "1000"),
    "oracle-long": lambda build: oracles(build, "20000", "40", "30", "10000") + [["env", "MTSQL_TEST_LONG=1", f"{build}/tests/lying_server_test"], oracle("patterns.py")] + [[sys.executable, f"{ROOT}/tests/reference/property_test.py", "--tables", os.environ.get("TABLES", "300")],
                                                                        [sys.executable, f"{ROOT}/tests/reference/rollups_test.py", "--tables", os.environ.get("TABLES", "300")],
                                                                        [sys.executable, f"{ROOT}/tests/reference/buckets_test.py", "--all", "--postgres"]],
    "servers": lambda build: [c for c in on_server("secantus") if briefly(c) and os.path.basename(c[1]) not in MORE],
    "all-servers": lambda build: [c for server in servers() for c in on_server(server)],
    # all-servers without what `servers` runs, and without what runs on one server only
    "more-servers": lambda build: [c for server in servers() for c in on_server(server) if briefly(c) and (server != "secantus" or os.path.basename(c[1]) in MORE)],
}


# The commands that take longest, which begin first so that no worker waits for one at the end.
LONGEST = ["oracle.py", "goldens_test.py", "intents_test.py", "continuous_test.py", "dashboard_test.py", "dashboards_test.py", "json_files_test.py", "property_test.py", "delete_sums_test.py", "tlp.py", "sessions.py", "retention.py", "changes.py", "kill_test.py",
           "lease_test.py", "oracle_test.py", "retention_test.py", "repl_test.sh", "golden.py"]


def rank(job):
    name = os.path.basename(script(job[1]))
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def script(command):
    return next((c for c in command if "/tests/" in c or "/tools/" in c), command[0])


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


def run(command, env, limit_s):
    start = time.time()
    try:
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env, cwd=ROOT, timeout=limit_s)
        out, rc = p.stdout.decode("utf-8", "replace"), p.returncode
    except subprocess.TimeoutExpired as e:
        out, rc = (e.stdout or b"").decode("utf-8", "replace") + f"\ntimed out after {limit_s} s", 1
    return command, out, rc, count(out, rc), time.time() - start


class Worker(threading.Thread):
    """Runs jobs (suite, command) until there are none; `counts` is the sum of theirs."""

    def __init__(self, jobs, env):
        super().__init__()
        self.jobs, self.env, self.counts, self.servers = jobs, env, [0, 0, 0], {}

    def run(self):
        try:
            while True:
                suite, command = self.jobs.get_nowait()
                result = run(command, self.env | self.shared(command), LONG_TIMEOUT_S if suite.endswith("-long") else TIMEOUT_S)
                with PRINTING:
                    report(suite, result)
                self.counts = [a + b for a, b in zip(self.counts, result[3])]
                if result[3][1]:
                    self.stop(command[-1])
        except queue.Empty:
            pass
        finally:
            for name in list(self.servers):
                self.stop(name)

    def shared(self, command):
        """The variable that tells a test the URI of this worker's server, if the test needs one."""
        name = command[-1]
        if name not in server.SERVERS:
            return {}
        if name not in self.servers:
            started = server.Server(name)
            with contextlib.suppress(SystemExit):  # the test says why it is skipped
                self.servers[name] = started, started.__enter__()
        return {server.running(name): self.servers[name][1]} if name in self.servers else {}

    def stop(self, name):
        if name in self.servers:
            self.servers.pop(name)[0].__exit__()


def report(suite_name, result):
    command, out, rc, (passed, failed, skipped), seconds = result
    where = command[-1] if "/tests/servers/" in script(command) else suite_name
    print(f"{where:10} {os.path.basename(script(command)):32} {passed:6} passed {failed:4} failed {skipped:4} skipped {seconds:7.1f} s", flush=True)
    if failed or rc not in (0, 77):
        tail = out if len(out) < 20000 else out[:6000] + "\n[…]\n" + out[-14000:]
        print(tail.rstrip() + f"\n(exit {rc})", flush=True)
    else:
        for line in re.findall(r"^(?:SKIP|NOTE)\b.*$", out, re.M):
            print(f"{'':10} {line}", flush=True)


def main():
    build = os.path.abspath(ARGS.build)
    env = dict(os.environ, BUILD=build, MTSQL=f"{build}/mtsql", ROOT=ROOT, PYTHON=sys.executable, LC_ALL="C.UTF-8", TZ="UTC",
               LSAN_OPTIONS=f"suppressions={ROOT}/tests/lib/leaks.supp:print_suppressions=0")
    env.setdefault("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0")
    env.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    jobs = queue.SimpleQueue()
    for job in sorted(((name, command) for name in ARGS.suite for command in SUITES[name](build)), key=rank):
        jobs.put(job)
    workers = [Worker(jobs, env) for _ in range(ARGS.jobs)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    total = [sum(n) for n in zip(*(w.counts for w in workers))]
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] or not total[0] else 0


parser = argparse.ArgumentParser()
parser.add_argument("--build", default="build")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("suite", nargs="+", choices=SUITES)
ARGS = parser.parse_args()
sys.exit(main())

#!/usr/bin/env python3
"""Golden files: tests/sql/FOLDER/NAME.sql through the real command, compared with NAME.out beside it.

    golden.py [--build DIR] [--jobs N] [--accept] [--uri mongodb://…] [--postgres] [--psql] [NAME...]

FOLDER is the subject. A name occurs in one folder only, and is enough to say which file is meant.

Each file runs in a temporary folder of its own with links to tests/sql/data and extensions/. The
target is a new store. Lines at the top of a file steer:

    -- args: --csv store        arguments instead of `store`
    -- also: mongo postgres     runs also on the server of --uri, and by psql on PostgreSQL (--postgres), with the same expected output

Statements are echoed and errors don't stop the file; the exit code must be 3 when there was one, and 0 otherwise. Milliseconds are printed as N ms.
"""
import argparse
import concurrent.futures
import difflib
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SQL = os.path.join(ROOT, "tests", "sql")
TIMEOUT_S = 120
FILES = {}  # the path of each name, without its ending
for path in sorted(glob.glob(f"{SQL}/*/*.sql")):
    if FILES.setdefault(os.path.basename(path)[:-4], path[:-4]) != path[:-4]:
        sys.exit(f"golden.py: two files have the name of {path}")


def sql_of(name):
    return FILES[name] + ".sql"


def out_of(name):
    return FILES[name] + ".out"


def steering(path):
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"-- (args|also): *(.*)", line)
            if not m:
                break
            found[m.group(1)] = m.group(2).strip()
    return found


def normalise(text, folder):
    text = text.replace(folder + "/", "").replace(folder, ".")
    text = re.sub(r"\b\d+\.\d+ ms\b", "N ms", text)
    text = re.sub(r'"\$oid":"[0-9a-f]{24}"', '"$oid":"%s"' % ("x" * 24), text)
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


def run(name, build, target=None):
    path = sql_of(name)
    steer = steering(path)
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        if os.path.isdir(os.path.join(SQL, "data")):
            os.symlink(os.path.join(SQL, "data"), os.path.join(folder, "data"))
        os.symlink(os.path.join(ROOT, "extensions"), os.path.join(folder, "extensions"))
        args = [target] if target else shlex.split(steer.get("args", "store"))
        command = [os.path.join(build, "mtsql"), "-X", "-a", "-v", "ON_ERROR_STOP=0", "-f", path] + args
        try:
            p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=folder, timeout=TIMEOUT_S,
                               env=dict(os.environ, HOME=folder, LC_ALL="C.UTF-8", TZ="UTC"))
            out, rc = p.stdout.decode("utf-8", "replace"), p.returncode
        except subprocess.TimeoutExpired as e:
            out, rc = (e.stdout or b"").decode("utf-8", "replace") + f"timed out after {TIMEOUT_S} s\n", -1
        out = normalise(out.replace(path, name + ".sql"), folder)
    wanted = 3 if re.search(r"^(?:mtsql:[^ ]* )?(?:ERROR|FATAL): ", out, re.M) else 0
    return out if rc == wanted else out + f"exit status {rc}, expected {wanted}\n"


# ---- PostgreSQL: what a table is called there ----


def plain_table(line):
    """CREATE TABLE without what only mtsql knows."""
    line = re.sub(r" TIME(?: PERIOD '[^']*')?(?: FIELD '[^']*')?(?=[ ,)])", "", line)
    line = re.sub(r" (?:DIMENSION|MEASURE(?: COUNTER)?)(?=[ ,)])", "", line)
    return re.sub(r"\) USING \w+(?: WITH \(.*\))?;", ");", line)


def run_postgres(name, pg):
    path, there = sql_of(name), {}
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        copy = os.path.join(folder, name + ".sql")
        with open(path, encoding="utf-8", newline="") as f, open(copy, "w", encoding="utf-8", newline="") as out:
            for line in f:
                mine = plain_table(line) if line.startswith("CREATE TABLE") else line
                there[mine] = line
                out.write(mine)
        pg.recreate("golden")
        p = subprocess.run(pg.psql("-a", "-v", "ON_ERROR_STOP=0", "-d", "golden", "-f", copy), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=SQL)
        text = "".join(there.get(line, line) for line in p.stdout.decode("utf-8", "replace").splitlines(True))
        return normalise(re.sub(r"^psql:\S*?(\d+): ", "mtsql:%s.sql:\\1: " % name, text, flags=re.M), folder)


def expected_of(name):
    path = out_of(name)
    return open(path, encoding="utf-8").read() if os.path.exists(path) else ""


def postgres_way(names, accept):
    """Runs the files marked `also: postgres` by psql: to compare, or to write what is expected."""
    sys.path[:0] = [os.path.join(ROOT, "tests", "oracle"), os.path.join(ROOT, "tests", "lib")]
    from postgres import Postgres
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="golden-pg-") as folder:
        pg = Postgres(os.path.join(folder, "pg"))
        os.chmod(folder, 0o755)
        try:
            pg.start()
            for name in names:
                if "postgres" not in steering(sql_of(name)).get("also", ""):
                    continue
                got = run_postgres(name, pg)
                if accept:
                    open(out_of(name), "w", encoding="utf-8").write(got)
                diff = "".join(difflib.unified_diff(expected_of(name).splitlines(True), got.splitlines(True), f"{name}.out", f"{name} on PostgreSQL"))
                passed, failed = passed + (not diff), failed + bool(diff)
                if diff:
                    print(f"FAIL {name} on PostgreSQL\n{diff}")
        finally:
            pg.stop()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


# ---- psql, by PostgreSQL's protocol ----


def other_in_psql():
    """The files that print something else in psql, or read files, which its sessions may not."""
    with open(os.path.join(ROOT, "tests", "clients", "other_in_psql.txt"), encoding="utf-8") as f:
        return {line.split()[0] for line in f if line.strip() and not line.startswith("#")}


def run_psql(name, build):
    """Runs a file by psql and `mtsql --listen`."""
    path = sql_of(name)
    env = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        os.symlink(os.path.join(SQL, "data"), os.path.join(folder, "data"))
        server = subprocess.Popen([os.path.join(build, "mtsql"), "-X", "--listen", f"unix:{folder}/socket", "--trust", "store"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder, env=dict(env, HOME=folder, LC_ALL="C.UTF-8"))
        try:
            server.stdout.readline()
            command = ["psql", "-X", "-a", "-v", "ON_ERROR_STOP=0", "-f", path, f"host={folder}/socket user=golden"]
            p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=folder, timeout=TIMEOUT_S, env=dict(env, HOME=folder, LC_ALL="C.UTF-8"))
        finally:
            server.terminate()
            code = server.wait(TIMEOUT_S)
        text = re.sub(r"^psql:\S*?(\d+): ", "mtsql:%s.sql:\\1: " % name, p.stdout.decode("utf-8", "replace"), flags=re.M)
        return normalise(text, folder) + (f"the server ended with {code}\n" if code else "")


def check_psql(name, build):
    wanted = [line for line in expected_of(name).splitlines(True) if line != "CHECK TABLE\n"]  # psql prints rows or a tag
    return [(f"{name} in psql", "".join(difflib.unified_diff(wanted, run_psql(name, build).splitlines(True), f"{name}.out", f"{name} in psql")))]


def check(name, build, uri):
    """(what ran, difference or '') for each way in which the file runs."""
    results = []
    expected = expected_of(name)
    ways = [("local", None)]
    if uri and "mongo" in steering(sql_of(name)).get("also", ""):
        ways = [("mongo", f"{uri.rstrip('/')}/golden_{name}_{os.getpid()}")]
    elif uri:
        return []
    for way, target in ways:
        got = run(name, build, target)
        diff = "".join(difflib.unified_diff(expected.splitlines(True), got.splitlines(True), f"{name}.out", f"{name} on {way}"))
        results.append((f"{name} on {way}", diff))
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--uri", help="run the files marked `also: mongo` on this server, and no others")
    parser.add_argument("--postgres", action="store_true", help="run the files marked `also: postgres` by psql; with --accept, what it prints is expected")
    parser.add_argument("--psql", action="store_true", help="run the files by psql and mtsql --listen")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="run each Nth file only")
    parser.add_argument("name", nargs="*")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    names = args.name or sorted(FILES)[::args.every]
    unknown = [n for n in names if n not in FILES]
    if unknown:
        sys.exit(f"golden.py: no file in tests/sql has the name {unknown[0]}")
    if args.postgres:
        return postgres_way(names, args.accept)
    if args.accept:
        for n in names:
            with open(out_of(n), "w", encoding="utf-8") as f:
                f.write(run(n, build))
            print(f"wrote {os.path.relpath(out_of(n), ROOT)}")
        return 0
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        if args.psql:
            names = args.name or [n for n in names if n not in other_in_psql()]
        one = (lambda n: check_psql(n, build)) if args.psql else (lambda n: check(n, build, args.uri))
        for results in pool.map(one, names):
            for what, diff in results:
                passed, failed = passed + (not diff), failed + bool(diff)
                if diff:
                    print(f"FAIL {what}\n{diff}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""--restricted under strace: a session touches no file except its target, no program and no other
target.

Every backslash command that \\? lists gets arguments that name files, commands and targets. The
same runs without --restricted. There exactly the refused commands must touch something. Otherwise
the arguments would prove nothing.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from cases import Skip, check, run, same  # noqa: E402
from command import environment  # noqa: E402
from paths import MTSQL  # noqa: E402
from terminal import Terminal  # noqa: E402
from waiting import HANG_S  # noqa: E402

CALLS = "trace=%file,%network,execve,fork,vfork,write"
# Allowed: libraries, locales and converters, time zones, descriptions of terminals, files that the
# sanitizers read
# about the system, and the driver's counters.
SYSTEM = re.compile(
    r"/(usr/)?lib(64|32|exec)?/|/usr/local/lib/|/usr/share/(zoneinfo|locale|terminfo)(/|$)|"
    r"/etc/(ld\.so\.|localtime$|terminfo(/|$)|os-release$)|"
    r"/(proc|sys)/|/dev/(null|tty|urandom|shm/mongoc-\d+)$"
)


# the folder of bundled extensions
BUNDLED = re.compile(re.escape(os.path.dirname(str(MTSQL))) + r"/(\.\./)?(extensions|mtsql|lib/mtsql)/\w+\.so$")
MADE = sorted(["home", "old", ".mtsqlrc", ".editrc", ".mtsql_history", ".mtsqlpass"])


class Place:
    """A target, files outside of it, and the environment of a user who wants to leave the target.
    """

    def __init__(self, folder):
        self.target, self.temporary, self.outside = (
            os.path.join(folder, name) for name in ("target", "temporary", "outside")
        )
        self.here = os.path.join(self.outside, "home")  # the folder in which the program is started
        for path in (self.temporary, self.outside, self.here):
            os.mkdir(path)
        self.log = os.path.join(folder, "log")
        self.old, self.new = (os.path.join(self.outside, name) for name in ("old", "new"))
        with open(self.old, "w", encoding="utf-8") as f:
            f.write("SELECT 'a secret';\n")
        self.touch = f"touch {self.outside}/touched"
        for name in MADE[:4]:
            shutil.copy(self.old, os.path.join(self.here, name))

    def files(self):
        return sorted(
            name for _, folders, names in os.walk(self.outside) for name in folders + names
        )

    def environment(self):
        programs = {
            name: self.touch
            for name in (
                "PAGER",
                "MTSQL_PAGER",
                "PSQL_PAGER",
                "EDITOR",
                "VISUAL",
                "PSQL_EDITOR",
                "MTSQL_EDITOR",
                "SHELL",
            )
        }
        return environment(
            **programs,
            HOME=self.here,
            MTSQLRC=self.old,
            MTSQL_HISTORY=self.new,
            HISTFILE=self.new,
            TMPDIR=self.temporary,
            ASAN_OPTIONS="detect_leaks=0",
        )

    def allows(self, path):
        whole = os.path.normpath(os.path.join(self.here, path))
        above = os.path.dirname(self.target)  # it is synced when the target is new
        ours = whole in (above, os.path.join(self.here, ".terminfo")) or any(
            whole == p or whole.startswith(p + "/") for p in (self.target, self.temporary)
        )
        return ours or BUNDLED.match(path) or (bool(SYSTEM.match(whole)) and ".." not in path)


def command(place, restricted, *args):
    return [
        "strace",
        "-f",
        "-o",
        place.log,
        "-s",
        "400",
        "-e",
        CALLS,
        MTSQL,
        "-q",
        *(["--restricted"] if restricted else []),
        *args,
    ]


def faults(place):
    """Returns what was touched and may not be: (the last mark before it, the system call). The
    first execve starts the program itself.
    """
    mark, found, started = "start", [], False
    with open(place.log, encoding="utf-8", errors="replace") as f:
        for line in f:
            call = re.match(r"\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed)(.*)", line)
            if not call:
                continue
            name, rest = call[1], call[2]
            marked = re.search(r'"@@(.*?)"', rest) if name == "write" else None
            mark = marked[1] if marked else mark
            if name == "execve" and not started:
                started = True
            elif name in ("execve", "fork", "vfork") or (
                name in ("socket", "connect", "bind") and "AF_NETLINK" not in rest
            ):
                found.append((mark, line.strip()))
            elif name == "readlink" and rest.startswith('"/proc/self/exe"'):
                continue  # a sanitizer reads the program's name
            elif name not in ("write", "execve"):
                paths = re.findall(r'"((?:[^"\\]|\\.)*)"', rest)
                found += [
                    (mark, line.strip()) for path in paths[:2] if path and not place.allows(path)
                ]
    return found


def traced(place, restricted, text, *args):
    p = subprocess.run(
        command(place, restricted, *args),
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=HANG_S,
        env=place.environment(),
        errors="replace",
        cwd=place.here,
    )
    if "ptrace" in p.stderr and "not permitted" in p.stderr:
        raise Skip("strace may not trace here")
    return p.stdout + p.stderr, faults(place)


def commands():
    listed = subprocess.run(
        [MTSQL, "-X", "-c", "\\?"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=HANG_S,
        env=environment(),
    ).stdout
    return re.findall(r"^  \\(\S+?)(?:\[\+\])? ", listed, re.M)


def arguments(place):
    """Returns arguments of a command that name something outside."""
    return [
        "",
        place.old,
        place.new,
        f"'{place.old}'",
        f"|{place.touch}",
        f"`{place.touch}`",
        place.touch,
        f"x {place.new}",
        f"{place.old} x",
        f"../{os.path.relpath(place.old, '/')}",
        f"t FROM {place.old}",
        f"t TO {place.new}",
        f"t FROM PROGRAM '{place.touch}'",
        f"t TO PROGRAM '{place.touch}'",
        f"t TO '{place.new}'",
        f"(SELECT 1) TO {place.new}",
        f"(format=csv) {place.new}",
        f"(format=csv) |{place.touch}",
        "mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=10",
        f"{place.new}.mts",
        f"- - - {place.new}",
        f"1 {place.new} c=1",
        "c=1 0",
        f"pager {place.touch}",
        f"HISTFILE {place.new}",
    ]


def script(place, name):
    """Returns a script with each argument after a query in the buffer. Two commands need more to do
    anything.
    """
    lines = []
    words = arguments(place)
    if name == "watch":  # it does not end without a number of repetitions
        words = [f"{word} c=1" for word in words if " " not in word]
    for n, argument in enumerate(words):
        lines += [
            f"\\warn '@@{name} {n}'",
            "SELECT 1 AS a, 'SELECT 2' AS b",
            f"\\{name} {argument}",
            "\\r",
        ]
        lines += ["x", "\\r"] if name == "prompt" else []
        lines += ["\\endif"] if name == "if" else []
        lines += ["\\o", f"\\cd {place.here}"] if name in ("o", "cd") else []
    return "\n".join(lines + [""])


STATEMENTS = [
    "COPY t FROM '{old}'",
    "COPY t TO '{new}'",
    "COPY (SELECT 1) TO '{new}'",
    "COPY t FROM '{old}' WITH (FORMAT csv)",
    "COPY t TO '{new}.gz'",
    "COPY t FROM PROGRAM '{touch}'",
    "COPY t TO PROGRAM '{touch}'",
    "LOAD '{old}'",
    "LOAD '{outside}/../outside/old'",
    "CREATE FUNCTION f(integer) RETURNS integer LANGUAGE c AS '{old}', 'f'",
    "CREATE FUNCTION f(integer) RETURNS integer LANGUAGE c AS 'old'",
    "CREATE EXTENSION old",
    "SET TimeZone = '{old}'",
    "SET TimeZone = '../../../{old}'",
    "SET TimeZone = '/etc/hostname'",
    "SET TimeZone = 'Europe/../../../../etc/hostname'",
    "SELECT now() AT TIME ZONE '../../../..{old}'",
    "SELECT timestamptz '2024-01-01 ../../../..{old}'",
    "SELECT now() AT TIME ZONE 'Europe/Berlin'",
    "SELECT count(*) FROM pg_timezone_names",
    "SELECT pg_read_file('{old}')",
    "SELECT pg_ls_dir('{outside}')",
    "SELECT lo_import('{old}')",
    "SELECT lo_export(1, '{new}')",
    "SELECT pg_stat_file('{old}')",
    'SELECT * FROM "{old}"',
    "SELECT * FROM '{old}'",
    "SELECT * FROM read_csv('{old}')",
    "CREATE TABLE a (k integer) USING rows WITH (collection = '../../{new}')",
    'CREATE TABLE "../outside/new" (k integer)',
    "CREATE TEMPORARY TABLE u AS SELECT * FROM generate_series(1, 20000)",
    "SET work_mem = '64kB'",
    "SELECT a FROM generate_series(1, 20000) a ORDER BY a DESC LIMIT 1 OFFSET 15000",
    "SET log_directory = '{new}'",
    "SET dynamic_library_path = '{outside}'",
    "SET search_path = '{old}'",
    "VACUUM",
    "CHECK TABLE t",
    "ANALYZE",
    "EXPLAIN ANALYZE SELECT * FROM t",
    "COPY t TO STDOUT WITH (ENCODING 'SJIS')",
    "COPY t TO STDOUT WITH (ENCODING '../../../..{old}')",
    "INSERT INTO t VALUES (1)",
    "DROP TABLE t",
    "SELECT version(), current_setting('data_directory')",
]


def whole_script(place):
    """Returns all commands except the one that ends the session, the statements, and variables."""
    text = "CREATE TABLE IF NOT EXISTS t (k integer);\n"
    text += "".join(script(place, name) for name in commands() if name != "q")
    for n, statement in enumerate(STATEMENTS):
        text += f"\\warn '@@statement {n}'\n" + statement.format(**vars(place)) + ";\n"
    lines = ["\\warn '@@variables'", f"\\set HISTFILE {place.new}", f"\\set EDITOR '{place.touch}'"]
    lines += [f"\\set PROMPT1 '%`{place.touch}`'", f"\\set x `{place.touch}`"]
    lines += [f"\\echo `{place.touch}`", f"SELECT 'COPY (SELECT 1) TO ''{place.new}''' \\gexec"]
    lines += [f"SELECT '\\i {place.old}' \\gexec", "\\q"]
    return text + "\n".join(lines + [""])


def test_everything_in_a_restricted_session(folder):
    place = Place(folder)
    said, found = traced(place, True, whole_script(place), "-v", "ON_ERROR_STOP=0", place.target)
    same("nothing outside is touched", found, [])
    check(
        "the script ran to its end",
        "not allowed in a restricted session" in said
        and f"@@statement {len(STATEMENTS) - 1}" in said,
        said[-2000:],
    )
    check("no secret is shown", "a secret" not in said, said)
    same("no file was made", place.files(), MADE)


def test_the_arguments_would_show_it(folder):
    place = Place(folder)
    said, _ = traced(place, True, whole_script(place), "-v", "ON_ERROR_STOP=0", place.target)
    refused = set(re.findall(r"\\(\S+) is not allowed in a restricted session", said))
    reaching = set()
    for name in commands():
        shutil.rmtree(place.outside)
        shutil.rmtree(place.target, ignore_errors=True)
        shutil.rmtree(place.temporary)
        place = Place(folder)
        _, found = traced(
            place,
            False,
            script(place, name).replace(f"`{place.touch}`", ""),
            "-X",
            "-v",
            "ON_ERROR_STOP=0",
            place.target,
        )
        reaching |= {name for mark, _ in found if mark.startswith(name + " ")}
    same("what is refused is what reaches out", sorted(refused - {"setenv"}), sorted(reaching))


def test_arguments_of_the_program(folder):
    place = Place(folder)
    for args in (
        ["--aggregate", "../outside/old", "[]"],
        ["--aggregate", place.old, "[{$out: '" + place.new + "'}]"],
        ["-c", f"\\i {place.old}"],
        ["-c", f"COPY (SELECT 1) TO '{place.new}'"],
        ["-c", "\\infer ../outside/old"],
        ["-P", f"pager={place.touch}", "-c", "SELECT 1"],
        ["-v", f"HISTFILE={place.new}", "-c", "SELECT 1"],
        ["-1", "-c", f"\\o {place.new}"],
    ):
        _, found = traced(place, True, "", *args, place.target)
        same(" ".join(args), found, [])


def test_a_terminal(folder):
    """The pager, the history, completion, prompts, and the files of the line editor."""
    place = Place(folder)
    env = {k: v for k, v in place.environment().items() if k not in ("LC_ALL", "TZ")}
    t = Terminal(
        "--restricted",
        place.target,
        under=["strace", "-f", "-o", place.log, "-s", "400", "-e", CALLS],
        rc=True,
        **{**env, "TERM": "xterm"},
    )
    t.until("=> ")
    t.send("SELECT * FROM generate_series(1, 200);\r")
    t.until("(200 rows)")
    t.send("\\pset pager always\rSELECT 1;\r")
    t.until("(1 row)")
    for start in ("\\i ", "\\o ", "\\copy t FROM ", "\\c ", "COPY t FROM '"):
        t.send(f"{start}{place.outside}/\t\t\x15")
    t.send(f"\\e\r\\s {place.new}\r\\set PROMPT1 '%`{place.touch}`> '\r\\echo the end\r")
    t.until("the end")
    t.until("the end")
    t.send("\x15\\q\r")
    same("it ends well", t.end(), 0)
    same("nothing outside is touched", faults(place), [])
    same("no file was made", place.files(), MADE)


if __name__ == "__main__":
    if not shutil.which("strace"):
        print("SKIP restricted_test.py: there is no strace\n0 passed, 0 failed, 1 skipped")
        sys.exit(0)
    sys.exit(run(globals(), *sys.argv[1:]))

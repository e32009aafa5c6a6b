#!/usr/bin/env python3
"""COPY TO and \\g FILE replace a file only when the new one is complete. An error or an interrupt
leaves the old file, and no other.
"""
import os
import signal
import stat
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import cases
import command
from cases import check, same
from paths import MTSQL

ROWS, OLD = 200000, "old\n"
FAILS = f"SELECT n, 1 / ({ROWS} - n) AS v FROM generate_series (1, {ROWS}) n"  # the error comes at the last row
WORKS = f"SELECT n FROM generate_series (1, {ROWS}) n"
ALL = "".join(f"{n + 1}\n" for n in range(ROWS))
NOBODY = 65534


def mtsql(folder, sql, user=None):
    p = subprocess.run([MTSQL, "-X", "-q", "-At"], input=sql, capture_output=True, text=True, timeout=command.HANG_S, cwd=folder, env=command.environment(), user=user)
    return p.returncode, p.stdout, p.stderr


def put(path, text=OLD):
    with open(path, "w") as f:
        f.write(text)


def read(path):
    with open(path) as f:
        return f.read()


WAYS = {"COPY": ("COPY ({}) TO '{}' (FORMAT csv);\n", False), "\\g": ("{} \\g '{}'\n", False), "\\g of Arrow": ("\\pset format arrow\n{} \\g '{}'\n", True)}


def test_errors_keep_the_old_file(folder):
    for name, (way, binary) in WAYS.items():
        put(f"{folder}/there")
        for file in "there", "new":
            rc, _, err = mtsql(folder, way.format(FAILS, file))
            check(f"{name} fails", rc != 0 and "division by zero" in err, err)
        same(f"{name}: the old file stays, and no other", (os.listdir(folder), read(f"{folder}/there")), (["there"], OLD))
        rc, _, err = mtsql(folder, way.format(WORKS, "there"))
        check(f"{name} replaces the file", rc == 0 and os.listdir(folder) == ["there"] and (os.path.getsize(f"{folder}/there") > ROWS if binary else read(f"{folder}/there") == ALL), err)


def test_large_files(folder):
    """Parts of a large file go to disk while others are written."""
    query = "COPY (SELECT n, repeat ('x', 90 + n % 7) FROM generate_series (1, 400000) n) TO {};\n"
    out = mtsql(folder, query.format("STDOUT"))[1]
    put(f"{folder}/there")
    for name in "there", "new":
        rc, _, err = mtsql(folder, query.format(f"'{name}'"))
        check(f"a large file, {name}", rc == 0 and len(out) > 30 << 20 and read(f"{folder}/{name}") == out, err)
    same("nothing beside them", sorted(os.listdir(folder)), ["new", "there"])


def test_cancelled(folder):
    put(f"{folder}/there")
    rc, _, err = mtsql(folder, f"SET statement_timeout = 300; COPY (SELECT n, m FROM generate_series (1, 100000) n, generate_series (1, 100000) m) TO 'there' (FORMAT csv);")
    check("COPY is cancelled", rc != 0 and "statement timeout" in err, err)
    same("the old file", (os.listdir(folder), read(f"{folder}/there")), (["there"], OLD))
    p = subprocess.Popen([MTSQL, "-X", "-q", "-c", "SELECT n, m FROM generate_series (1, 100000) n, generate_series (1, 100000) m \\g there"], cwd=folder, env=command.environment(),
                         stderr=subprocess.DEVNULL)
    while len(os.listdir(folder)) < 2 and p.poll() is None:
        time.sleep(0.01)
    same("the draft is beside the file", sorted(n.split(".")[-1] for n in os.listdir(folder)), ["there", "tmp"])
    p.send_signal(signal.SIGINT)
    p.wait(command.HANG_S)
    same("\\g was interrupted", (os.listdir(folder), read(f"{folder}/there")), (["there"], OLD))


def test_the_file_that_is_read(folder):
    put(f"{folder}/t.csv", "n\n" + ALL)
    rc, _, err = mtsql(folder, "COPY (SELECT n FROM 't.csv' WHERE n > 10) TO 't.csv' (FORMAT csv, HEADER);")
    check("COPY TO the file that the query reads", rc == 0 and read(f"{folder}/t.csv").count("\n") == ROWS - 9, err)


def test_links_and_modes(folder):
    put(f"{folder}/there")
    os.chmod(f"{folder}/there", 0o640)
    os.symlink("there", f"{folder}/link")
    os.symlink("nowhere", f"{folder}/dangling")
    for name, (way, binary) in WAYS.items():
        put(f"{folder}/there")
        for file in "link", "dangling":
            rc, _, err = mtsql(folder, way.format(WORKS, file))
            check(f"{name} to the file of a link", rc == 0 and (binary or read(f"{folder}/{file}") == ALL), err)
        same(f"{name}: links stay", sorted(n for n in os.listdir(folder) if os.path.islink(f"{folder}/{n}")), ["dangling", "link"])
        same(f"{name}: the permissions stay", oct(stat.S_IMODE(os.stat(f"{folder}/there").st_mode)), "0o640")
        os.unlink(f"{folder}/nowhere")
    os.umask(0o027)
    mtsql(folder, f"COPY ({WORKS}) TO 'new';")
    same("a new file's permissions", oct(stat.S_IMODE(os.stat(f"{folder}/new").st_mode)), "0o640")
    os.umask(0o022)


def test_without_rights(folder):
    user = NOBODY if os.getuid() == 0 else None
    for outer in folder, os.path.dirname(MTSQL):
        if user and subprocess.run(["test", "-x", outer], user=user).returncode and outer != folder:
            raise cases.Skip("another user can't run the program")
    os.chmod(folder, 0o755)
    put(f"{folder}/theirs")
    os.chmod(f"{folder}/theirs", 0o666)
    put(f"{folder}/mine")
    os.chmod(f"{folder}/mine", 0o444)
    if not user:
        os.chmod(folder, 0o555)
    rc, _, err = mtsql(folder, f"COPY ({WORKS}) TO 'theirs';", user)
    check("a folder without drafts", rc == 0 and read(f"{folder}/theirs") == ALL, err)
    os.chmod(folder, 0o777)
    for way, _ in WAYS.values():
        rc, _, err = mtsql(folder, way.format(WORKS, "mine"), user)
        check("a file that can't be written isn't replaced", "ermission denied" in err and read(f"{folder}/mine") == OLD, err)


def test_written_directly(folder):
    os.mkfifo(f"{folder}/pipe")
    for way, binary in WAYS.values():
        got = []
        reader = threading.Thread(target=lambda: got.append(len(open(f"{folder}/pipe", "rb").read())))
        reader.start()
        rc, _, err = mtsql(folder, way.format(WORKS, "pipe"))
        reader.join(command.HANG_S)
        check("a FIFO", rc == 0 and (got[0] > ROWS if binary else got == [len(ALL)]) and os.listdir(folder) == ["pipe"], err)
    with open(f"{folder}/out", "w") as f:
        p = subprocess.run([MTSQL, "-X", "-q", "-c", "COPY (SELECT 7) TO '/dev/stdout'"], stdout=f, env=command.environment(), timeout=command.HANG_S)
    same("standard output", (p.returncode, read(f"{folder}/out")), (0, "7\n"))
    rc, _, err = mtsql(folder, "COPY (SELECT 1) TO '/dev/null'; SELECT 1 \\g /dev/null\n")
    check("a device", rc == 0 and not err, err)
    long = "x" * 250
    rc, _, err = mtsql(folder, f"COPY ({WORKS}) TO '{long}';")
    check("a name that leaves no room for a draft's", rc == 0 and read(f"{folder}/{long}") == ALL, err)


sys.exit(cases.run(globals(), *sys.argv[1:]))

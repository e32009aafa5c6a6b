#!/usr/bin/env python3
"""Sequences with several clients. No value is given twice: on a server, and in process also after
writers were killed.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from checks import MTSQL, check, finish, mtsql, same
from server import Server, chosen

CLIENTS = 4


def client(target, statements):
    """Starts a client that runs the statements one after the other, and goes on after errors."""
    p = subprocess.Popen([MTSQL, "-XAtq", "-v", "ON_ERROR_STOP=0", target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    p.stdin.write("SET lock_timeout = '20s';\n" + "\n".join(statements) + "\n")
    return p


def values(out):
    return [int(v) for v in re.findall(r"^(\d+)$", out, re.M)]


def run(target):
    mtsql(target, "-c", "CREATE SEQUENCE s", "-c", "CREATE TABLE t (id bigserial, v integer)")
    work = ["SELECT nextval('s');", "SELECT nextval('s') FROM generate_series(1, 7);", "INSERT INTO t (v) VALUES (1), (2) RETURNING id * 1000000;",
            "INSERT INTO t (v) SELECT 1 / (x - 3) FROM generate_series(1, 3) x;"] * 12
    clients = [client(target, work) for _ in range(CLIENTS)]
    outs = [p.communicate(timeout=300) for p in clients]
    given = [v for out, _ in outs for v in values(out) if v < 1000000]
    same("all values were given", len(given), CLIENTS * 12 * 8)
    same("no value was given twice", len(set(given)), len(given))
    rows = mtsql(target, "-Atc", "SELECT count(*), count(DISTINCT id) FROM t").stdout
    same("no id was given twice", rows, f"{CLIENTS * 24}|{CLIENTS * 24}\n")
    errors = {line for _, err in outs for line in err.splitlines() if "ERROR" in line and "division by zero" not in line}
    same("no other errors", errors, set())
    one = mtsql(target, "-Atc", "SELECT nextval('s')", "-c", "SELECT nextval('s') FROM generate_series(1, 20)", "-c", "SELECT nextval('s')").stdout
    got = values(one)
    same("a single client leaves no gaps", got, list(range(got[0], got[0] + 22)))


def kill(target):
    """Kills clients while they take values. Values that they were given are not given again."""
    mtsql(target, "-c", "CREATE SEQUENCE k")
    given = []
    for i in range(6):
        p = client(target, ["SELECT nextval('k');"] * 5 + ["SELECT nextval('k') FROM generate_series(1, 50);"] + ["SELECT nextval('k');"] * 2000)
        p.stdin.flush()
        while len(given) < 56 * (i + 1):
            given += values(p.stdout.readline())
        p.send_signal(signal.SIGKILL)
        given += values(p.communicate()[0])
    given += values(mtsql(target, "-Atc", "SELECT nextval('k')").stdout)
    check("values were given", len(given) > 300, given)
    same("none twice, after kills", len(set(given)), len(given))


with tempfile.TemporaryDirectory() as folder:
    run(os.path.join(folder, "store"))
    kill(os.path.join(folder, "store"))
with Server() as uri:
    run(uri)
    kill(uri)
finish()

#!/usr/bin/env python3
"""A server that falls silent in a transaction block. ROLLBACK, and a COMMIT that has nothing to
write, end the block without it. SET and SHOW do not wait for it, either.

The server is scripted (fake.py). The connection's own limits end no wait.
"""
import sys
import threading

from checks import HANG_S, check, run, same
from fake import DEFAULTS, SILENCE, Fake, keeping
from terminal import Terminal

PATIENT = f"?connectTimeoutMS={2000 * HANG_S}&serverSelectionTimeoutMS={2000 * HANG_S}"
TIMED = "hello", "isMaster", "ismaster", "find", "aggregate", "listCollections"


def falling_silent(silent):
    """Returns answers that stop when `silent` is set."""
    kept = {**DEFAULTS, **keeping()}

    def answer(name):
        return lambda fake, command: SILENCE if silent.is_set() else kept[name](fake, command)

    return {**kept, **{name: answer(name) for name in TIMED}}


def ask(t, statement):
    """Returns the output up to the next prompt, which has a mark in a block."""
    t.send(statement + ";\n")
    shown = t.until("\nmtsql")
    t.until("> ")
    return shown


def end_of_block(fake, silent, within, end):
    what = f"{end} behind {within}"
    t = Terminal(fake.uri + PATIENT)
    t.until("=> ")
    for statement in ("SET statement_timeout = '1s'", "BEGIN", within):
        ask(t, statement)
    silent.set()
    for statement in (end, "SET statement_timeout = 0", "SHOW statement_timeout"):
        shown = ask(t, statement)
        check(f"{what}: {statement}", "ERROR" not in shown, shown)
    silent.clear()
    shown = ask(t, "SELECT 4711 AS x")
    check(f"{what}: the session goes on", "(1 row)" in shown, shown)
    t.send("\\q\n")
    same(f"{what}: exit", t.end(), 0)


def test_end_of_block():
    silent = threading.Event()
    with Fake(falling_silent(silent)) as fake:
        for within in ("SELECT nonsense", "SELECT 1"):
            for end in ("ROLLBACK", "COMMIT"):
                end_of_block(fake, silent, within, end)


sys.exit(run(globals()))

"""What random tests share: their options, and their closing lines. The seed and a case's number
determine the case.
"""
import argparse
import contextlib
import os
import shutil
import tempfile
import time

import cases

STARTED = time.time()


def options(counted, count, variable=None, engine=None):
    """Returns a parser with --COUNTED N (or the environment's variable COUNTED) and --seed S
    (SEED). With `engine`, it also has --engine; `engine` says what lies on the server.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument(f"--{counted}", type=int, default=int(os.environ.get(variable or counted.upper(), count)))
    parser.add_argument("--seed", default=os.environ.get("SEED", "1"))
    if engine:
        parser.add_argument("--engine", help=f"the server that has the {engine}: one of tests/servers/server.py, by its name, or a URI")
    return parser


def on_server(name, prefix):
    """A context with a new database of that server, which is dropped at the end. Without a name:
    None.
    """
    import server  # tests/servers
    return server.database(name, prefix) if name else contextlib.nullcontext()


@contextlib.contextmanager
def place(prefix, uri, number):
    """A context with the place of a case's tables, which is removed at the end: a store, or with a
    server's URI a database.
    """
    import server  # tests/servers
    folder = tempfile.mkdtemp(prefix=f"{prefix}-")
    target = server.with_database(uri, f"{prefix}_{os.getpid()}_{number}") if uri else os.path.join(folder, "store")
    try:
        yield target
    finally:
        if uri:
            server.drop(target)
        shutil.rmtree(folder, ignore_errors=True)


def numbers(only, count):
    """Returns the numbers of the cases to try: only one, or the first `count`."""
    return [only] if only is not None else range(count)


def closing(seed, tried, wrong, told, skipped=0):
    """Prints the seed, the result, and the closing line for `tried` cases, of which `wrong` failed.
    """
    print(f"NOTE seed {seed}: {told}, {time.time() - STARTED:.0f} s")
    cases.COUNTS.update(passed=tried - wrong, failed=wrong, skipped=skipped)
    return cases.finish()

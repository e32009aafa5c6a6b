"""What random tests have in common: their options, and what they tell in the end. The seed and a case's number say all of a case."""
import argparse
import contextlib
import os
import shutil
import tempfile
import time

import cases

STARTED = time.time()


def options(counted, count, variable=None, engine=None):
    """A parser with --COUNTED N (or the environment's variable, COUNTED), --seed S (SEED), and --engine, if something can be on a server: what."""
    parser = argparse.ArgumentParser()
    parser.add_argument(f"--{counted}", type=int, default=int(os.environ.get(variable or counted.upper(), count)))
    parser.add_argument("--seed", default=os.environ.get("SEED", "1"))
    if engine:
        parser.add_argument("--engine", help=f"the server that has the {engine}: one of tests/servers/server.py, by its name, or a URI")
    return parser


def on_server(name, prefix):
    """`with` a database of that server, gone afterwards; without a name: None."""
    import server  # tests/servers
    return server.database(name, prefix) if name else contextlib.nullcontext()


@contextlib.contextmanager
def place(prefix, uri, number):
    """Where a case's tables are, a store or (with a server's URI) a database of its own; gone afterwards."""
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
    """Which cases are tried: one again, or so many."""
    return [only] if only is not None else range(count)


def closing(seed, tried, wrong, told, skipped=0):
    """The seed, what it came to, and the closing line of so many that were tried, of which `wrong` are."""
    print(f"NOTE seed {seed}: {told}, {time.time() - STARTED:.0f} s")
    cases.COUNTS.update(passed=tried - wrong, failed=wrong, skipped=skipped)
    return cases.finish()

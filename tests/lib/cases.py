"""Runs the cases of a test and counts what they find. The last line that it prints is `N passed, N
failed, N skipped`, which tools/run_tests.py adds up.
"""
import collections
import inspect
import tempfile

COUNTS = collections.Counter()


class Skip(Exception):
    """Raised if a case can't run here. The text says why."""


def passes(count=1):
    COUNTS["passed"] += count


def fails(what, shown=""):
    COUNTS["failed"] += 1
    print(f"FAIL {what}" + (f"\n{shown}" if shown else ""), flush=True)


def skips(what, why):
    COUNTS["skipped"] += 1
    print(f"SKIP {what}: {why}", flush=True)


def check(what, ok, shown=""):
    passes() if ok else fails(what, shown)
    return bool(ok)


def same(what, got, wanted):
    return check(what, got == wanted, f"   got      {got!r:.4000}\n   expected {wanted!r:.4000}")


def finish():
    """Prints the closing line. Returns the exit code. A test that tried nothing has failed."""
    if not sum(COUNTS.values()):
        fails("nothing was tested")
    print(f"{COUNTS['passed']} passed, {COUNTS['failed']} failed, {COUNTS['skipped']} skipped")
    return 1 if COUNTS["failed"] else 0


def run_one(name, test, given):
    """Runs one case. A case without checks that only asserts counts as one check."""
    before = sum(COUNTS.values())
    with tempfile.TemporaryDirectory(prefix="case-") as folder:
        wanted = {k: v for k, v in {"folder": folder, **given}.items() if k in inspect.signature(test).parameters}
        try:
            test(**wanted)
        except Skip as why:
            skips(name, why)
        except Exception as e:  # the other cases still run
            fails(name, f"{e!r}"[:4000])
        else:
            passes(sum(COUNTS.values()) == before)


def run(named, only="", **given):
    """Runs the functions test_… among these (a module's globals ()) in their order. With words on
    the command line, it runs only those with one of the words in their names. A function gets the
    arguments that it names: `folder`, an empty folder of its own, and those given here.
    """
    for name, test in [(n, t) for n, t in named.items() if n.startswith("test_") and only in n]:
        run_one(name, test, given)
    return finish()

#!/usr/bin/env python3
"""Random sequences of statements (sequences.py) in sessions of PostgreSQL 15 and of mtsql. Each
step must have the same answer.

    sessions.py [--statements N] [--seed N] [--engine SERVER] [--only N] [--wording]

A sequence that differs is made smaller, as long as some step still differs: steps are left out,
then each is made smaller. The comparison of a sequence ends if mtsql refuses a step (0A000), if
only one program computes a value, or if PostgreSQL refuses to drop or alter an object because views
(2BP01) or open cursors (55006) read it.

--wording also reports errors with different texts.
"""
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter

from oracle import STATS, code, mtsql, same_rows
import randoms
from postgres import Postgres
from sequences import FEED_HERE, FEED_THERE, SETUP, Sequences
from tree import PICKS

REFUSED_FIRST = {"42883", "42P01", "42703", "42804", "42601", "42803"}  # invalid input, or a transaction that only reads
UNTYPED = ("42P18", "42804")  # PostgreSQL does not find the types of these parameters. An argument of any type takes them as text.
STEPS = 25
TRIES = 250
NOTICE = re.compile(r"^(?:(?:mtsql|psql):\S*?:\d+: )?(WARNING|NOTICE):  (?:[0-9A-Z]{5}: )?", re.M)
REFUSALS, WORDINGS, ERRORS = Counter(), Counter(), Counter()
BEFORE = ["\\set VERBOSITY verbose", "SET statement_timeout = '10s'", "\\set QUIET off"]


class Step:
    """A step, in the form that the comparison of answers takes."""

    def __init__(self, node):
        self.node = node

    def select(self):
        return self.node.sql()

    def in_order(self):
        return self.node.ordered()

    def picks(self):
        return bool(PICKS.search(self.select())) or self.select().startswith(("EXECUTE", "FETCH"))


class Both:
    """PostgreSQL, and the place of mtsql's tables. Both are empty at the start of each sequence."""

    def __init__(self, pg, folder, target):
        self.pg, self.folder, self.target, self.runs = pg, folder, target, 0

    def there(self, first, steps):
        fresh = ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public", *SETUP, FEED_THERE, *first]
        return self.pg.run(fresh + BEFORE + [s.select() for s in steps])[len(fresh) + len(BEFORE):]

    def here(self, first, steps):
        self.runs += 1
        store = self.target or os.path.join(self.folder, f"store{self.runs}")
        gone = [f"DROP {kind} IF EXISTS {name}" for kind, name in DROPPED] if self.target else []
        fresh = gone + [*SETUP, *FEED_HERE, *first]
        answers = mtsql.run(fresh + BEFORE + [s.select() for s in steps], store)
        for a in answers[len(gone):len(fresh)]:
            a.must()
        if not self.target:
            shutil.rmtree(store, ignore_errors=True)
        return answers[len(fresh) + len(BEFORE):]

    def run(self, first, steps):
        return [(s, clean(a), clean(b)) for s, a, b in zip(steps, self.there(first, steps), self.here(first, steps))]


DROPPED = [(kind, f"made{i}") for i in range(1, 5) for kind in ("VIEW", "MATERIALIZED VIEW", "TABLE")] + [("TABLE", t) for t in ("stock", "moves", "pairs", "feed")]


def clean(answer):
    """Returns notices without their places in a file and a source, and without a code."""
    if answer.error is not None and not mtsql.FAILED.search(answer.error) and "the command stopped" not in answer.error:
        answer = mtsql.parse(NOTICE.sub(r"\1:  ", answer.error))
    if answer.rows is not None:
        answer.rows = [tuple(None if v is None else NOTICE.sub(r"\1:  ", v) for v in row) for row in answer.rows if not (row and (row[0] or "").startswith("LOCATION:"))]
    return answer


def message(answer):
    found = re.search(r"(?:ERROR|FATAL): +[0-9A-Z]{5}: +(.*)", answer.error)
    return found.group(1) if found else answer.error


def verdict(step, there, here):
    """Compares two answers. "same" goes on. "wrong" is a difference. Any other value ends the
    sequence.
    """
    a, b = code(there), code(here)
    if a is None and b is None:
        return "same" if same_rows(step, there.rows, here.rows) else "wrong"
    if a == b:
        if message(there) != message(here):
            WORDINGS[f"{step.select()[:400]}\n      there {message(there)}\n      here  {message(here)}"] += 1
        return "same"
    if step.select().startswith("PREPARE") and (a in UNTYPED or b in UNTYPED or (a or "")[:2] == (b or "")[:2] == "42"):
        return "same" if a and b else "typed by one alone"
    if b == "0A000":
        REFUSALS[re.sub(r'".*?"', '"…"', message(here))] += 1
        return "refused"
    if a in ("55006", "2BP01") and b is None:
        return "in use there alone"
    if b == "42809" and a is None and "is a view" in here.error:
        REFUSALS["changing the columns of a view"] += 1
        return "refused"
    if b == "55000" and "not been populated" in here.error:
        return "same" if a else "read here alone"  # checked before the rest of the statement, even if WHERE false leaves it out
    if "25006" in (a, b) and {a, b} & REFUSED_FIRST:
        return "same"
    if a == "57014" or b == "57014":
        return "slow"
    kinds = {(x or "")[:2] for x in (a, b)}
    if kinds == {"22"} or kinds <= {"22", "21", "23"} and a and b:
        return "same"  # if there are several errors, either may come first
    if kinds <= {"22", "21", ""}:
        return "computed by one alone"
    return "wrong"


def first_difference(both, first, steps, count=False):
    """Returns the number of the step that differs, or None."""
    for i, (step, there, here) in enumerate(both.run(first, steps)):
        found = verdict(step, there, here)
        if count:
            STATS["statements"] += 1
            STATS["errors there"] += there.error is not None
            ERRORS[code(there)] += there.error is not None
        if found != "same":
            STATS[found] += count
            return i if found == "wrong" else None
    return None


def shrink(both, first, steps):
    """Returns the smallest sequence found that still differs. Its last step differs."""
    at, tries = first_difference(both, first, steps), 0
    steps = steps[:at + 1]

    def still(shorter):
        nonlocal tries
        tries += 1
        found = first_difference(both, first, shorter)
        return None if found is None else shorter[:found + 1]

    size = len(steps) // 2
    while size and tries < TRIES:
        i = 0
        while i + size <= len(steps) and tries < TRIES:
            less = still(steps[:i] + steps[i + size:])
            steps, i = (less, i) if less else (steps, i + size)
        size //= 2
    again = True
    while again and tries < TRIES:
        again = False
        for i in reversed(range(len(steps))):
            for form in steps[i].node.smaller():
                if len(form.sql()) > len(steps[i].select()) or tries >= TRIES:
                    continue
                less = still(steps[:i] + [Step(form)] + steps[i + 1:])
                if less:
                    steps, again = less, True
                    break
            if again:
                break
    return steps


def describe(both, number, first, steps):
    step, there, here = both.run(first, steps)[-1]
    lines = [f"FAIL sequence {number}: after the rows of --only {number}"] + [f"   {s.select()};" for s in steps]
    for name, a in (("PostgreSQL", there), ("mtsql", here)):
        lines.append(f"   {name + ':':12}" + (f"error {a.error[:500]}" if a.error is not None else f"{len(a.rows)} rows"))
    if there.error is None and here.error is None:
        a, b = Counter(there.rows), Counter(here.rows)
        lines.append(f"   only there: {str(list((a - b).items())[:4])[:600]}\n   only here:  {str(list((b - a).items())[:4])[:600]}" if a != b else f"   there {str(there.rows)[:500]}\n   here  {str(here.rows)[:500]}")
    return "\n".join(lines)


def run(args, target):
    folder, wrong = tempfile.mkdtemp(prefix="sessions-"), 0
    os.chmod(folder, 0o755)
    pg = Postgres(os.path.join(folder, "pg"))
    both = Both(pg, folder, target)
    numbers = randoms.numbers(args.only, (args.statements + STEPS - 1) // STEPS)
    try:
        pg.start()
        for n in numbers:
            first, nodes = Sequences(random.Random(f"{args.seed}/{n}")).sequence(STEPS)
            steps = [Step(x) for x in nodes]
            if first_difference(both, first, steps, count=True) is not None:
                wrong += 1
                if wrong <= args.show:
                    print(describe(both, n, first, shrink(both, first, steps)), flush=True)
    finally:
        pg.stop()
        shutil.rmtree(folder, ignore_errors=True)
    for text, count in REFUSALS.most_common(args.refusals):
        print(f"NOTE refused {count} times: {text}")
    print(f"NOTE errors there: {dict(ERRORS.most_common(12))}")
    for text, count in WORDINGS.most_common() if args.wording else ():
        print(f"WORDING {count} times: {text}")
    return randoms.closing(args.seed, STATS["statements"], wrong, f"{len(numbers)} sequences, {dict(STATS)}")


def main():
    parser = randoms.options("statements", 3000, "STEPS", engine="tables")
    parser.add_argument("--only", type=int, help="the number of a sequence")
    parser.add_argument("--show", type=int, default=8, help="differences shown")
    parser.add_argument("--refusals", type=int, default=5, help="kinds of refusals shown")
    parser.add_argument("--wording", action="store_true", help="errors whose text differs")
    args = parser.parse_args()
    with randoms.on_server(args.engine, "sessions") as target:
        return run(args, target)


if __name__ == "__main__":
    sys.exit(main())

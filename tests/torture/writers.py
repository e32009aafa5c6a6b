#!/usr/bin/env python3
"""Runs two writers, a VACUUM that never stops, and readers on one store, each in a process of its
own. Every transaction keeps sums that every reader must see. At the end nothing is lost, nothing is
there twice, and CHECK TABLE finds no fault.

    writers.py [SECONDS]
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

from kills import MTSQL, environment, mtsql, no_faults, rows, seeded

ACCOUNTS = 200
EACH = 1000
SETUP = f"""
CREATE TABLE accounts (id integer PRIMARY KEY, balance bigint);
INSERT INTO accounts SELECT n, {EACH} FROM generate_series(1, {ACCOUNTS}) n;
CREATE TABLE journal (writer integer, i integer, giver integer, taker integer, amount bigint);
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL,
  n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k', presum = 'ts');
"""
START = "timestamptz '2024-01-01 00:00+00'"
WAIT = "SET lock_timeout = '120s';\n"


class Session:
    """The command at the other end of two pipes. Its errors and notices go to a file. A pipe of
    them, which nobody reads while it runs, could become full.
    """

    def __init__(self, store):
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [MTSQL, "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", store],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            text=True,
            env=environment(),
        )
        self.ask(WAIT)

    def ask(self, sql):
        """Returns the lines that the statements print."""
        self.process.stdin.write(f"{sql}\n\\echo .\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == ".\n":
                return lines
            lines.append(line.rstrip("\n"))
        code = self.process.wait()
        self.said.seek(0)
        raise AssertionError(f"it ended with {code}: {self.said.read()[-2000:]}\n{sql}")

    def close(self):
        self.process.communicate()
        assert self.process.returncode == 0, self.process.returncode


def transfer(writer, i, rng):
    """Moves an amount from one account to another. Adds pairs to t whose sum is 0, and takes other
    pairs away.
    """
    giver, taker = rng.sample(range(1, ACCOUNTS + 1), 2)
    amount, x = rng.randrange(1, 50), rng.randrange(1, 1000)
    at, before = (f"{START} + {n} * interval '1 minute'" for n in (i % 5000, i % 5000 - 40))
    take = f"UPDATE accounts SET balance = balance - {amount} WHERE id = {giver};"
    again = f"ROLLBACK TO s; {take}" if i % 5 == 0 else ""
    gone = f"DELETE FROM t WHERE k LIKE 'w{writer}%' AND ts < {before};" if i % 60 == 0 else ""
    return f"""BEGIN; SAVEPOINT s; {take} {again}
UPDATE accounts SET balance = balance + {amount} WHERE id = {taker};
INSERT INTO journal VALUES ({writer}, {i}, {giver}, {taker}, {amount});
INSERT INTO t SELECT {at}, 'w{writer} ' || n % 7, CASE WHEN n % 2 = 0 THEN {x} ELSE -{x} END
  FROM generate_series(0, 27) n; {gone}
COMMIT;"""


def write(store, writer, seed, until, done):
    rng, s = random.Random(seed), Session(store)
    while time.monotonic() < until:
        s.ask(transfer(writer, done[writer], rng))
        done[writer] += 1
    s.close()


def vacuum(store, until, done):
    s = Session(store)
    while time.monotonic() < until:
        for table in ("t", "accounts", "journal"):
            s.ask(f"VACUUM {table};")
            done["vacuum"] += 1
    s.close()


TOTAL = f"{ACCOUNTS}|{ACCOUNTS * EACH}"
SUMS = "SELECT coalesce(sum(n), 0), count(*) % 28 FROM t"
LOOKS = (
    ("SELECT count(*), sum(balance) FROM accounts;", [TOTAL]),
    (
        "SELECT a.s + b.s FROM (SELECT sum(balance) s FROM accounts WHERE id <= 77) a,"
        " (SELECT sum(balance) s FROM accounts WHERE id > 77) b;",
        [f"{ACCOUNTS * EACH}"],
    ),
    (
        "SELECT count(*) FROM accounts a"
        " LEFT JOIN (SELECT giver, sum(amount) s FROM journal GROUP BY giver) g ON g.giver = a.id"
        " LEFT JOIN (SELECT taker, sum(amount) s FROM journal GROUP BY taker) g2 ON g2.taker = a.id"
        f" WHERE balance <> {EACH} - coalesce(g.s, 0) + coalesce(g2.s, 0);",
        ["0"],
    ),
    (
        "SELECT count(*) FROM"
        " (SELECT writer FROM journal GROUP BY writer HAVING count(*) <> max(i) + 1) x;",
        ["0"],
    ),
    (f"SET layout = 'rows'; {SUMS}; RESET layout;", ["0|0"]),
    (f"SET layout = 'packed'; {SUMS}; RESET layout;", ["0|0"]),
    (
        "SET layout = 'packed';"
        " SELECT count(*) FROM (SELECT ts FROM t GROUP BY ts HAVING sum(n) <> 0) x; RESET layout;",
        ["0"],
    ),
    (
        "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*), sum(balance) FROM accounts;"
        " SELECT sum(n) IS NULL OR sum(n) = 0 FROM t; COMMIT;",
        [TOTAL, "t"],
    ),
)


def read(store, seed, until, done):
    """Reads by a session that stays open, and by new ones."""
    rng, s = random.Random(seed), Session(store)
    while time.monotonic() < until:
        sql, right = rng.choice(LOOKS)
        if rng.random() < 0.1:
            s.close()
            s = Session(store)
        answer = s.ask(sql)
        assert answer == right, f"{sql} {answer} instead of {right}"
        done["reads"] += 1
    s.close()


def guarded(problems, until, f, *args):
    try:
        f(*args)
    except Exception as e:
        problems.append(f"{f.__name__}: {e}")


def check(store, done):
    no_faults(store, ("t", "accounts", "journal"), "in the end")
    for sql, right in LOOKS:
        answer = Session(store).ask(sql)
        if answer != right:
            sys.exit(f"in the end: {sql} {answer} instead of {right}")
    written = rows(store, "SELECT writer, count(*) FROM journal GROUP BY writer;")
    journal = {int(w): int(n) for w, n in written}
    if journal != {w: done[w] for w in (0, 1)}:
        sys.exit(f"acknowledged were {done}, there are {journal}")


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 15
    rng = seeded()
    with tempfile.TemporaryDirectory() as folder:
        store = str(pathlib.Path(folder) / "s.mts")
        mtsql(store, SETUP)
        done, problems = {0: 0, 1: 0, "vacuum": 0, "reads": 0}, []
        until = time.monotonic() + seconds
        jobs = [(vacuum, store, until, done)]
        for w in (0, 1):
            jobs.append((write, store, w, rng.random(), until, done))
            jobs.append((read, store, rng.random(), until, done))
        threads = [threading.Thread(target=guarded, args=(problems, until, *job)) for job in jobs]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if problems:
            sys.exit("\n".join(problems))
        check(store, done)
        print(
            f"{done[0]} and {done[1]} transactions, {done['vacuum']} VACUUMs,"
            f" {done['reads']} reads: all sums kept"
        )


if __name__ == "__main__":
    main()

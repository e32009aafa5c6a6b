#!/usr/bin/env python3
"""Measures many clients of one store: `mtsql --listen` beside PostgreSQL, by the same client
programs over the same rows.

    listen.py [--build DIR] [--rows N] [--runs N] [--seconds S] [--only WORD] [--folder DIR]
              [--output FILE]

--only: the measurements with this word in their names. PostgreSQL has its default settings (fsync
and synchronous_commit are on). Connections are Unix sockets. The runs of the two programs take
turns.
"""
import pathlib
import time

import adbc_driver_postgresql.dbapi as adbc
import psycopg

from against import HEAD, Against, load, main

OURS = "CREATE TABLE ev (time timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows;\nCREATE TABLE p (id int PRIMARY KEY, k text, v bigint);\n"
THEIRS = "DROP TABLE IF EXISTS ev, p;\nCREATE TABLE ev (time timestamptz NOT NULL, k text NOT NULL, v bigint);\nCREATE TABLE p (id int PRIMARY KEY, k text, v bigint);\n"
FILL = "INSERT INTO p SELECT i, 'k' || i % 10, i * 7 FROM generate_series (1, {0}) i;\nANALYZE p;\n"
INSERT = "\\set a random(1, 100000000)\nINSERT INTO ev VALUES ('2024-05-01 00:00:00+00'::timestamptz + interval '1 s' * :a, 'k', :a);\n"
POINT = "\\set a random(1, {0})\nSELECT k, v FROM p WHERE id = :a;\n"
MANY = 200


def memory(pids):
    """Returns a process's memory in MB. Shared pages are divided among the processes that have
    them.
    """
    return sum(int(line.split()[1]) for p in pids for line in pathlib.Path(f"/proc/{p}/smaps_rollup").read_text("ascii").splitlines() if line.startswith("Pss:")) / 1000


def family(pid):
    return [pid] + [int(p) for p in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


class Listen(Against):
    def dsn(self, where):
        return f"host={where[1]} user={where[3]} dbname={where[4]}"

    def pids(self, where):
        if where is self.ours:
            return [self.server.pid]
        return family(int(pathlib.Path(self.pg.data, "postmaster.pid").read_text("ascii").split()[0]))

    def pairs(self, measure):
        """Runs measure (where) for both programs in turn. Returns two lists of results."""
        found = [(measure(self.theirs), measure(self.ours)) for _ in range(self.args.runs)]
        return [t for t, _ in found], [o for _, o in found]

    def rates(self, what, unit, clients, script, goal, *options):
        if self.args.only in what:
            self.row(what, unit, *self.pairs(lambda where: self.rate(where, clients, script, *options)), goal, digits=0)

    def psycopg(self, where):
        with psycopg.connect(self.dsn(where)) as c:
            start = time.monotonic()
            rows = len(c.execute("SELECT id, k, v FROM p").fetchall())
            return rows / (time.monotonic() - start)

    def adbc(self, where):
        with adbc.connect(f"postgresql:///{where[4]}?host={where[1]}&user={where[3]}") as c, c.cursor() as cur:
            start = time.monotonic()
            cur.execute("SELECT id, k, v FROM p")
            return cur.fetch_arrow_table().num_rows / (time.monotonic() - start)

    def held(self, where):
        """Returns the MB that each of many connections needs after a query, and the MB of the
        server with all of them.
        """
        before, all_of_them = memory(self.pids(where)), []
        try:
            for _ in range(MANY):
                all_of_them.append(psycopg.connect(self.dsn(where), autocommit=True))
                all_of_them[-1].execute("SELECT k, v FROM p WHERE id = 7").fetchall()
            after = memory(self.pids(where))
        finally:
            for c in all_of_them:
                c.close()
        return (after - before) / MANY, after

    def run(self):
        rows = self.args.rows
        self.say("# Many clients of one store\n")
        self.say(f"Made by `make bench-listen`: pgbench for {self.args.seconds} s, psycopg and ADBC, to PostgreSQL 15 and to `mtsql --listen` with the same {rows:,} rows. "
                 f"Medians of {self.args.runs} pairs of runs. {load()}\n\n{HEAD}")
        self.fresh(OURS + FILL.format(rows), THEIRS + FILL.format(rows))
        self.listen()
        try:
            for n in (1, 8):
                self.rates(f"INSERT, {n} client{'s' * (n > 1)}", "/s", n, INSERT, 1)
            for protocol in ("simple", "prepared"):
                for n in (1, 8, 64):
                    self.rates(f"point query, {protocol}, {n} client{'s' * (n > 1)}", "/s", n, POINT.format(rows), 0.7, "-M", protocol)
            self.rates("a connection for each SELECT 1, 1 client", "/s", 1, "SELECT 1;\n", None, "-C")
            for what, measure in (("rows to psycopg", self.psycopg), ("rows to ADBC", self.adbc)):
                if self.args.only in what:
                    self.row(what, "/s", *self.pairs(measure), 1, digits=0)
            if self.args.only in "memory":
                theirs, ours = self.held(self.theirs), self.held(self.ours)
                self.row("memory of an idle connection after a query", "MB", [theirs[0]], [ours[0]])
                self.row(f"memory of the server with {MANY} connections", "MB", [theirs[1]], [ours[1]], digits=0)
                self.say(f"\nGoal: {MANY} connections within 1,000 MB: {'yes' if ours[1] <= 1000 else 'NO'}.")
        finally:
            self.stop()


main(Listen, __doc__, rows=100_000, runs=5, seconds=5, only="")

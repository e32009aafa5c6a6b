#!/usr/bin/env python3
"""Kills the command (SIGKILL, at random moments) during loads, events, VACUUM, ADD and DROP LAYOUT
and REPAIR. What was acknowledged must be there once, and CHECK TABLE must find no fault.

On a server a statement is no commit, so REPAIR TABLE comes first. Every second time, the REPAIR is
killed, too, before one is let end.

    maintain_kill.py [KILLS [SERVER [SERVER_KILLS]]]

Without SERVER it uses a store. With SERVER (secantus, documentdb) it starts a server, and kills it
SERVER_KILLS times: one of its processes, or all of them.
"""
import collections
import os
import pathlib
import re
import sys
import tempfile
import time

from kills import in_layouts, mtsql, no_faults, seeded, still, writer_killed

LAYOUTS = ["rows", "packed", "sums"]
SETUP = """
CREATE TABLE e (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, id bigint MEASURE NOT NULL) USING rows;
ALTER TABLE e ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts', flush_levels = 400);
ALTER TABLE e ADD LAYOUT sums USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
"""
GENERATION = 25  # kills before the tables are made anew


class Writer:
    """Makes a stream of statements, each followed by the line that acknowledges it."""

    def __init__(self, rng, folder, remote):
        self.rng, self.folder, self.remote = rng, folder, remote
        self.next = 0

    def load(self):
        n, first = self.rng.choice([1, 1, 20, 300]), self.next
        self.next += n
        values = f"SELECT '2020-01-01'::timestamptz + i * interval '1 s', 'k' || i % 3, i FROM generate_series ({first}, {first + n - 1}) g (i)"
        return f"INSERT INTO e {values};", f"load {first} {n}"

    def copy(self):
        n, first = self.rng.choice([50, 1500]), self.next
        self.next += n
        path = self.folder / f"rows{first}.csv"
        path.write_text("".join(f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(1577836800 + i))}+00,k{i % 3},{i}\n" for i in range(first, first + n)))
        return f"COPY e FROM '{path}' WITH (FORMAT csv);", f"copy {first} {n}"

    def event(self):
        return f"INSERT INTO hits VALUES ('2020-01-01 {self.rng.randrange(24):02}:{self.rng.randrange(60):02}+00', 'm{self.rng.randrange(3)}', 1);", "event"

    def layout(self):
        other = self.rng.choice(["per_day", "nested WITH (levels = 'ts, k', presum = 'ts')", "nested WITH (levels = 'ts, k', presum = 'ts', raw_values = false)"])
        return f"ALTER TABLE e DROP LAYOUT IF EXISTS extra;\nALTER TABLE e ADD LAYOUT extra USING {other};", "layout"

    def maintain(self):
        kind = self.rng.choice(["VACUUM", "VACUUM FULL", "REPAIR"])
        return {"VACUUM": "VACUUM e;", "VACUUM FULL": "VACUUM FULL e;", "REPAIR": "SET intent_timeout = 0; REPAIR TABLE e;"}[kind], kind

    def statement(self):
        """Returns a statement, and the line that acknowledges it: its kind, which the report
        counts, and the number of rows that it adds.
        """
        return self.rng.choice([self.load] * 5 + [self.event] * 6 + [self.copy, self.layout] + [self.maintain] * 3)()


class Kills:
    def __init__(self, target, rng, folder, remote):
        self.target, self.rng, self.folder, self.remote = target, rng, folder, remote
        self.amidst = collections.Counter()
        self.kills = self.statements = self.left = self.server_kills = self.repair_kills = 0
        self.begin()

    def begin(self):
        mtsql(self.target, "DROP TABLE IF EXISTS e, hits;" + SETUP)
        self.writer = Writer(self.rng, self.folder, self.remote)
        self.there, self.open, self.hits, self.open_hits = set(), [], 0, 0

    def run(self, kill, may_fail=False):
        """Runs a writer until it, or its server, is killed some moments after a few acknowledged
        statements. Returns what it acknowledged.
        """
        statements = [self.writer.statement() for _ in range(120)]
        script = "".join(f"{sql}\n\\echo {line}\n" for sql, line in statements)
        enough = max(self.rng.randrange(10), 1 + self.kills - self.statements)  # at the end as many as kills
        writer = writer_killed(self.target, script, self.folder, self.rng, (0, 0.4 if self.remote else 0.1), enough, kill, ["-v", "ON_ERROR_STOP=1"])
        if "ERROR" in writer.problems and not may_fail:
            sys.exit(f"kill {self.kills}: a statement failed: {writer.problems}")
        self.kills += 1
        self.acknowledge(writer.acknowledged, [line for _, line in statements])

    def acknowledge(self, lines, all_lines):
        done = len(lines)
        if lines != all_lines[:done]:
            sys.exit(f"kill {self.kills}: the writer said {lines}")
        self.statements += done
        self.amidst[re.sub(r" \d.*", "", all_lines[done]) if done < len(all_lines) else "nothing"] += 1
        self.hits += lines.count("event")
        self.open_hits += "event" in all_lines[done:]  # one more may have been under way
        for i, line in enumerate(all_lines):
            m = re.search(r"(\d+) (\d+)$", line)
            ids = range(int(m[1]), int(m[1]) + int(m[2])) if m else ()
            if i < done:
                self.there.update(ids)
            elif m:
                self.open.append(ids)

    def settle(self):
        still(self.answers)

    def answers(self):
        return mtsql(self.target, "SET layout = 'rows'; SELECT count(*), sum(id) FROM e; RESET layout; SELECT sum(hits) FROM hits;").stdout

    def killed_repair(self):
        """A REPAIR of what a dead writer left is killed, too."""
        writer_killed(self.target, "SET intent_timeout = 0; REPAIR TABLE e; REPAIR TABLE hits; VACUUM e;\n", self.folder, self.rng, (0, 0.3))
        self.repair_kills += 1

    def check(self, when):
        if self.remote:
            self.settle()
            if self.rng.random() < 0.5:
                self.killed_repair()
                self.settle()
            p = mtsql(self.target, "SET intent_timeout = 0; REPAIR TABLE e; REPAIR TABLE hits;")
            self.left += "made again" in p.stderr or "corrected" in p.stderr
        no_faults(self.target, ["e", "hits"], when)
        ids = [int(i) for i in mtsql(self.target, "SET layout = 'rows'; SELECT id FROM e;").stdout.split()]
        have = set(ids)
        if len(have) != len(ids) or not self.there <= have:
            sys.exit(f"{when}: {len(ids) - len(have)} rows are there twice, {sorted(self.there - have)[:10]} were acknowledged and are gone")
        for batch in self.open:
            n = len(have & set(batch))
            if n not in (0, len(batch)) and not self.remote:
                sys.exit(f"{when}: {n} of the {len(batch)} rows of one statement are there")
        if have - self.there - {i for batch in self.open for i in batch}:
            sys.exit(f"{when}: rows are there that nobody wrote")
        same = in_layouts(self.target, LAYOUTS, "SELECT count(*), sum(id) FROM e")
        if set(same) != {f"{len(have)}|{sum(have)}" if have else "0|"}:
            sys.exit(f"{when}: the layouts differ: {same}")
        hits = int(mtsql(self.target, "SELECT coalesce(sum(hits), 0) FROM hits;").stdout)
        if not self.hits <= hits <= self.hits + self.open_hits:
            sys.exit(f"{when}: {hits} events are there, of {self.hits} that were acknowledged and {self.open_hits} on their way")
        self.there, self.open, self.hits, self.open_hits = have, [], hits, 0

    def client(self, kills):
        for n in range(kills):
            if self.kills and self.kills % GENERATION == 0:
                self.begin()
            self.run(lambda p: p.kill())
            self.check(f"kill {n}")

    def server(self, kills, server):
        """Kills the server with -9, and starts it again on the same folder."""
        name = self.target.rsplit("/", 1)[1]
        for n in range(kills):
            def kill(p):
                there = server.processes()
                for pid in self.rng.choice([there] + [[pid] for pid in there]):
                    os.kill(pid, 9)
                time.sleep(0.2)
                p.kill()
            self.run(kill, may_fail=True)
            time.sleep(0.2)
            self.target = server.restart().rstrip("/") + "/" + name
            self.server_kills += 1
            self.check(f"kill {n} of the server")

    def summary(self):
        at_server = f", {self.server_kills} of them of the server" if self.server_kills else ""
        at_server += f", and {self.repair_kills} of REPAIR and VACUUM behind one" if self.repair_kills else ""
        mended = f"; after {self.left} of them REPAIR had something to do" if self.remote else ""
        print(f"{self.kills} kills{at_server} amidst {self.statements} acknowledged statements: all of these are there once, and CHECK TABLE finds no fault{mended}")
        print("amidst " + ", ".join(f"{n} {kind}" for kind, n in self.amidst.most_common()))
        if self.statements < self.kills:
            sys.exit("hardly anything was written: the test says nothing")


def on_server(name, kills, server_kills):
    from server import Server, drop, with_database
    if server_kills:  # otherwise it loses what it acknowledged when its process ends
        os.environ["SECANTUS_OPTIONS"] = "--sync-on-commit"
    server = Server(name, own=True)
    with tempfile.TemporaryDirectory(prefix="mtsql-kill-") as folder, server as uri:
        target = with_database(uri, f"kill_{os.getpid()}")
        k = Kills(target + ("&" if "?" in target else "?") + "journal=true", seeded(), pathlib.Path(folder), True)
        k.client(kills)
        if server.processes():
            k.server(server_kills, server)
        drop(k.target)
        k.summary()


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    if len(sys.argv) > 2:
        return on_server(sys.argv[2], kills, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    with tempfile.TemporaryDirectory(prefix="mtsql-kill-") as folder:
        k = Kills(f"{folder}/store", seeded(), pathlib.Path(folder), False)
        k.client(kills)
        k.summary()


if __name__ == "__main__":
    main()

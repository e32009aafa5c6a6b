#!/usr/bin/env python3
"""Measures how times and memory grow with the rows, beside DuckDB, on the packed lesson's feed.

    growing.py [--build DIR] [--sizes "1 4 16 64"] [--runs N] [--output FILE]

The sizes are millions of rows. Each program loads the same rows from a pipe, in a process of its
own, and then answers in one process. Memory is the largest anonymous memory of that process, read
every 20 ms. Pages of files do not count.
"""
import os
import shutil
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "bench")]

import duckdb  # noqa: E402
from beside import measure  # noqa: E402
from board import FEED, for_duckdb  # noqa: E402
from page import load  # noqa: E402
from rollups import Shell  # noqa: E402
from run import CREATE, folder_bytes  # noqa: E402

LAYOUTS = {"rows": "rows", "nested": "nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts')"}
ASKED = ["count by minute", "sum by minute and command, vAppid <> ''", "dProcessTime > 500, count by command", "three keys, top 5 by count", "count (DISTINCT vAppid) by command",
         "newest 10", "largest 10 by dProcessTime", "median of dProcessTime by command", "top 3 minutes of each command"]
SORT = ("all rows sorted, the last one", "SELECT * FROM calls ORDER BY dProcessTime, ts, vAppid, vCmdid, iResult OFFSET {}")


class Memory:
    """The largest anonymous memory of a process, in MB, while the context lasts."""

    def __init__(self, pid):
        self.path, self.most, self.ended = f"/proc/{pid}/status", 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def look(self):
        try:
            with open(self.path, encoding="ascii") as f:
                self.most = max([self.most, *(int(line.split()[1]) / 1024 for line in f if line.startswith("RssAnon"))])
        except OSError:
            self.ended.set()

    def watch(self):
        while not self.ended.wait(0.02):
            self.look()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.look()
        self.ended.set()
        self.thread.join()


class Growing:
    def __init__(self, args, folder, page):
        self.args, self.folder, self.page = args, folder, page
        self.build = os.path.abspath(args.build)
        self.cells = {}

    def note(self, line, size, value):
        self.cells.setdefault(line, {})[size] = value

    def feed(self, rows):
        return subprocess.Popen([f"{self.build}/generate", "--rows", str(rows), "--format", "csv"], stdout=subprocess.PIPE)

    def loaded(self, name, size, using, store):
        """Loads the rows into a store of mtsql, and notes time, memory and size."""
        feed, start = self.feed(size * 1000000), time.monotonic()
        copy = "COPY calls FROM STDIN WITH (FORMAT csv, HEADER, EPOCH 's')"
        p = subprocess.Popen([f"{self.build}/mtsql", "-Xq", "-c", CREATE + using, "-c", copy, store], stdin=feed.stdout)
        with Memory(p.pid) as memory:
            p.wait()
        if p.returncode or feed.wait():
            sys.exit(f"loading {size} million rows failed")
        self.note(f"{name}: load, s a million rows", size, f"{(time.monotonic() - start) / size:.2f}")
        self.note(f"{name}: memory of the load, MB", size, f"{memory.most:.0f}")
        self.note(f"{name}: store, MB a million rows", size, f"{folder_bytes(store) / size / 1e6:.1f}")

    def duckdb(self, size):
        """Loads the rows into DuckDB. Returns the connection."""
        feed, start = self.feed(size * 1000000), time.monotonic()
        duck = duckdb.connect(os.path.join(self.folder, "duck.db"), config={"threads": 2})
        columns = "{'timestamp': 'BIGINT', 'iResult': 'VARCHAR', 'vCmdid': 'VARCHAR', 'vAppid': 'VARCHAR', 'totalCount': 'BIGINT', 'dProcessTime': 'DOUBLE'}"
        duck.execute(f"CREATE TABLE calls AS SELECT make_timestamp(1000000 * timestamp) AS ts, * EXCLUDE timestamp FROM read_csv('/proc/self/fd/{feed.stdout.fileno()}', header = true, columns = {columns}, "
                     "allow_quoted_nulls = false, auto_detect = false, quote = '\"', escape = '\"', delim = ',')")
        feed.wait()
        self.note("DuckDB: load, s a million rows", size, f"{(time.monotonic() - start) / size:.2f}")
        return duck

    def best(self, fn, *args):
        times = []
        for _ in range(self.args.runs):
            start = time.perf_counter()
            fn(*args)
            times.append(time.perf_counter() - start)
        return min(times)

    def size(self, size):
        queries = [(name, sql) for name, sql in FEED if name in ASKED] + [(SORT[0], SORT[1].format(size * 1000000 - 1))]
        duck = self.duckdb(size)
        theirs = {name: self.best(lambda q: duck.execute(q).fetchall(), for_duckdb(sql)) for name, sql in queries}
        duck.close()
        os.remove(os.path.join(self.folder, "duck.db"))
        for layout, using in LAYOUTS.items():
            store = os.path.join(self.folder, "store.mts")
            self.loaded(layout, size, using, store)
            shell = Shell(f"{self.build}/mtsql", store)
            with Memory(shell.p.pid) as memory:
                for name, sql in queries:
                    ours = self.best(shell, sql)
                    self.note(f"{layout}: {name}", size, f"{1000 * ours / size:.2f} ({ours / theirs[name]:.2f})")
            self.note(f"{layout}: memory of all queries, MB", size, f"{memory.most:.0f}")
            shell.close()
            shutil.rmtree(store)

    def run(self):
        sizes = [int(n) for n in self.args.sizes.split()]
        self.page.section("The packed feed")
        self.page.say(f"Queries: ms a million rows, the best of {self.args.runs}, and the ratio to DuckDB's time in parentheses. {load()}\n")
        for size in sizes:
            self.size(size)
        self.page.say("| |" + "".join(f" {size} million rows |" for size in sizes) + "\n|---|" + "---|" * len(sizes))
        for line, cells in sorted(self.cells.items(), key=lambda item: item[0].split(":")[0]):
            self.page.say(f"| {line} | " + " | ".join(cells.get(size, "") for size in sizes) + " |")


if __name__ == "__main__":
    measure(Growing, __doc__, "# Growing\n\nHow times and memory grow with the rows, beside DuckDB in one run, made by `make bench-growing`.", sizes="1 4 16 64", runs=3)

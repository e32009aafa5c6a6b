"""What the benchmarks beside PostgreSQL 15 share: both servers in one folder, clients by pgbench,
and rows of ratios.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "oracle"), str(ROOT / "tests" / "lib")]
from postgres import Postgres  # noqa: E402

HEAD = "| what | PostgreSQL | mtsql | ratio | goal |\n|---|---|---|---|---|"


def load():
    return f"{os.cpu_count()} processors, shared by clients, servers and what else ran: a load average of {os.getloadavg()[0]:.1f} when this began."


class Against:
    """A cluster of PostgreSQL that syncs its commits, and `mtsql --listen` on a store beside it."""

    def __init__(self, args, folder):
        self.args, self.folder, self.lines = args, folder, []
        self.mtsql, self.socket, self.server = os.path.abspath(f"{args.build}/mtsql"), os.path.join(folder, "socket"), None
        self.pg = Postgres(os.path.join(folder, "pg"), ("fsync = on", "max_connections = 210"))
        os.mkdir(self.socket, 0o700)
        self.theirs, self.ours = ("-h", self.pg.socket, "-U", "postgres", "postgres"), ("-h", self.socket, "-U", "root", "s.mts")

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def row(self, what, unit, theirs, ours, goal=None, less=False, digits=2):
        """Adds a row of medians and their ratio. goal: the largest ratio if `less`, otherwise the
        least one.
        """
        theirs, ours = statistics.median(theirs), statistics.median(ours)
        text = ""
        if goal is not None:
            met = "yes" if (ours <= goal * theirs if less else ours >= goal * theirs) else "NO"
            text = f"{'at most' if less else 'at least'} {goal}: {met}"
        self.say(f"| {what} | {theirs:,.{digits}f} {unit} | {ours:,.{digits}f} {unit} | {ours / theirs:.2f} | {text} |")

    def fresh(self, ours, theirs, name="s.mts"):
        """Makes a new store and new tables by these statements. Returns the store's path. `theirs`
        must drop PostgreSQL's old tables.
        """
        store = os.path.join(self.folder, name)
        shutil.rmtree(store, ignore_errors=True)
        subprocess.run([self.mtsql, "-X", "-q", store], input=ours, text=True, check=True)
        subprocess.run(self.pg.psql("-q", "-v", "ON_ERROR_STOP=1"), input=theirs, text=True, check=True, stderr=subprocess.DEVNULL)
        return store

    def listen(self):
        """Starts mtsql's server on the store s.mts. stop () ends it."""
        self.server = subprocess.Popen([self.mtsql, "-X", "--max-connections", "210", "--listen", f"unix:{self.socket}", "s.mts"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(f"{self.socket}/.s.PGSQL.5432") and self.server.poll() is None:
            time.sleep(0.01)

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def rate(self, where, clients, script, *options):
        """Returns the transactions a second of pgbench."""
        path = os.path.join(self.folder, "client.sql")
        pathlib.Path(path).write_text(script, encoding="utf-8")
        p = subprocess.run([f"{self.pg.bin}/pgbench", "-n", "-f", path, "-c", str(clients), "-j", str(min(clients, 2)), "-T", str(self.args.seconds), *options, *where],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
        return float(re.search(r"tps = ([\d.]+)", p.stdout).group(1))


def main(bench, doc, **numbers):
    """Runs bench (args, folder).run () and writes its page. doc: the program's help. numbers: the
    options of the program and their defaults.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    for name, default in numbers.items():
        parser.add_argument("--" + name, type=type(default), default=default)
    parser.add_argument("--folder", help="where the stores and the cluster are made; must not be a file system in memory")
    parser.add_argument("--output")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="against-", dir=args.folder)
    os.chmod(folder, 0o755)
    b = bench(args, folder)
    try:
        b.pg.start()
        b.run()
    finally:
        b.pg.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if args.output:
        pathlib.Path(args.output).write_text("\n".join(b.lines) + "\n", encoding="utf-8")

"""The servers for tests, one row each: private ones that are gone afterwards, or one that runs already, by its URI.

A test takes the server's name, or a URI, as its first argument: `engine_tables_test.py documentdb`. Without one it is SecantusDB.
"""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# name -> the script that starts and stops it, the file of what it does wrong (see faults), and how much it is given to do by random tests
SERVERS = {
    "secantus": ("secantus.sh", "secantus_faults.json", {"statements": 20, "rows": 500, "tables": 8, "table_rows": 80, "sets": 3, "pipelines": 60}),  # an aggregation over 4,000 documents takes it a second
    "secantus-rust": ("secantus_rust.sh", "secantus_faults.json", {"statements": 200, "rows": 2000, "tables": 20, "table_rows": 250, "sets": 6, "pipelines": 100}),
    "documentdb": ("documentdb.sh", "documentdb_faults.json", {"statements": 300, "rows": 4000, "tables": 24, "table_rows": 1000, "sets": 12, "pipelines": 150}),
}
IN_SET = ["--set"]  # SecantusDB as a set of one, which has transactions
CANNOT = 77


def chosen(argv=sys.argv):
    name = argv[1] if len(argv) > 1 else "secantus"
    if name not in SERVERS and "://" not in name:
        sys.exit(f"unknown server: {name} (there are {', '.join(SERVERS)}, or a URI)")
    return name


def faults(name):
    """{case: why the server is wrong there, by MongoDB's manual}; none for a server of unknown kind."""
    if name not in SERVERS:
        return {}
    with open(os.path.join(HERE, SERVERS[name][1]), encoding="utf-8") as f:
        return json.load(f)


def load(name, what):
    """How many statements, rows or tables a random test is to try on that server; the environment (STATEMENTS, ROWS, TABLES, TABLE_ROWS, PIPELINES) overrides it."""
    return os.environ.get(what.upper()) or str(SERVERS.get(name, SERVERS["documentdb"])[2][what])


def running(name):
    """The name of the variable with the URI of a server of that kind that a runner of tests shares."""
    return "MTSQL_RUNNING_" + name.upper().replace("-", "_")


class Server:
    """`with Server (name) as uri:`. Ends the program with SKIP and the reason if there is no such server.

    A server that the runner of the tests shares is used, unless the test needs its own. A test needs
    its own to kill it (own=True), to pass command-line options, or to keep its data in a folder."""

    def __init__(self, name=None, folder=None, options=(), own=False):
        self.name, self.folder, self.stays, self.options = name or chosen(), folder, folder, options
        self.shared = None if own or folder or options else os.environ.get(running(self.name))

    def script(self, what, **kw):
        options = self.options if what == "start" else ()
        return subprocess.run(["bash", os.path.join(HERE, SERVERS[self.name][0]), what, self.folder, *options], stdin=subprocess.DEVNULL, env=dict(os.environ, VENV=sys.prefix), **kw)

    def __enter__(self):
        if self.name not in SERVERS or self.shared:
            return self.shared or self.name
        self.folder = self.stays or tempfile.mkdtemp(prefix=self.name + "-")
        # to files, not pipes: the server would keep a pipe open
        with open(os.path.join(self.folder, "uri"), "w+", encoding="utf-8") as out, open(os.path.join(self.folder, "problems"), "w+", encoding="utf-8") as problems:
            rc = self.script("start", stdout=out, stderr=problems).returncode
            out.seek(0)
            problems.seek(0)
            if rc == 0:
                return out.read().strip()
            why = problems.read().strip()
        self.remove()
        if rc == CANNOT:
            print(f"SKIP no {self.name}: {why.splitlines()[-1] if why else 'no reason given'}")
            sys.exit(CANNOT)
        sys.exit(f"{self.name} didn't start: {why}")

    def processes(self):
        """The ids of the processes that a test may kill; empty for a shared or foreign server."""
        for name in ("pid", "pids"):
            path = os.path.join(self.folder or "", name)
            if self.folder and os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    return [int(pid) for pid in f.read().split()]
        return []

    def restart(self):
        """After some of its processes were killed: the same folder, and perhaps another port."""
        p = self.script("start", stdout=subprocess.PIPE, text=True)
        if p.returncode:
            sys.exit(f"{self.name} didn't start again")
        return p.stdout.strip()

    def __exit__(self, *args):
        if self.folder:
            self.script("stop")
            self.remove()

    def remove(self):
        if not self.stays:
            shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def database(name, prefix):
    """The URI of a new database on that server; gone afterwards."""
    with Server(name) as uri:
        target = with_database(uri, f"{prefix}_{os.getpid()}")
        try:
            yield target
        finally:
            drop(target)


def drop(target):
    import pymongo
    client = pymongo.MongoClient(target)
    client.drop_database(client.get_default_database().name)
    client.close()


def with_database(uri, name):
    head, _, options = uri.partition("?")
    scheme, _, rest = head.partition("://")
    return f"{scheme}://{rest.split('/')[0]}/{name}" + (f"?{options}" if options else "")

"""The servers for tests, one in a row. Private ones are removed at the end. Another one runs
already, and has a URI.

A test takes the server's name, or a URI, as its first argument: `engine_tables_test.py documentdb`.
The default is SecantusDB.
"""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# name -> the script that starts and stops it, the file with its faults, and how much a random test
# tries on it. SecantusDB takes a second for an aggregation over 4,000 documents.
SERVERS = {
    "secantus": ("secantus.sh", "secantus_faults.json", {"statements": 20, "rows": 500, "tables": 8, "table_rows": 80, "sets": 3, "pipelines": 60}),
    "secantus-rust": ("secantus_rust.sh", "secantus_faults.json", {"statements": 200, "rows": 2000, "tables": 20, "table_rows": 250, "sets": 6, "pipelines": 100}),
    "documentdb": ("documentdb.sh", "documentdb_faults.json", {"statements": 300, "rows": 4000, "tables": 24, "table_rows": 1000, "sets": 12, "pipelines": 150}),
}
IN_SET = ["--set"]  # SecantusDB as a replica set of one, which has transactions
CANNOT = 77


def chosen(argv=sys.argv):
    name = argv[1] if len(argv) > 1 else "secantus"
    if name not in SERVERS and "://" not in name:
        sys.exit(f"unknown server: {name} (there are {', '.join(SERVERS)}, or a URI)")
    return name


def faults(name):
    """Returns {case: why the server is wrong by MongoDB's manual}. It is empty for a server of
    unknown kind.
    """
    if name not in SERVERS:
        return {}
    with open(os.path.join(HERE, SERVERS[name][1]), encoding="utf-8") as f:
        return json.load(f)


def load(name, what):
    """Returns the number of statements, rows or tables that a random test tries on that server. The
    environment (STATEMENTS, ROWS, TABLES, TABLE_ROWS, PIPELINES) overrides it.
    """
    return os.environ.get(what.upper()) or str(SERVERS.get(name, SERVERS["documentdb"])[2][what])


def running(name):
    """Returns the name of the variable with the URI of the server of that kind that a test runner
    shares.
    """
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
        """Returns the ids of the processes that a test may kill. There are none for a shared or
        foreign server.
        """
        for name in ("pid", "pids"):
            path = os.path.join(self.folder or "", name)
            if self.folder and os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    return [int(pid) for pid in f.read().split()]
        return []

    def restart(self):
        """Starts the server again after some of its processes were killed: on the same folder, and
        perhaps on another port.
        """
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
    """A context with the URI of a new database on that server, which is dropped at the end."""
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

#!/usr/bin/env python3
"""The lessons' dashboards on a server. Every panel shows the same as in process. While the server
is away, the panel says so.
"""
import os
import sys
import tempfile
import urllib.parse

from checks import BUILD, ROOT, finish, mtsql, same
from cases import run_one
from dashboards import Board
from proxy import Proxy
from server import chosen, database
from terminal import Screen

FEEDS = (("--towers-csv", "-o", "towers.csv"), ("--records", "3000", "--rate", "10", "--bad", "999", "-o", "feed.xml"), ("--records", "1000", "--rate", "10", "--users", "1010", "--start", "1367316000", "--seed", "7", "-o", "late.xml"))
# The lessons' tables with fewer rows.
TABLES = {
    "metrics": """CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
INSERT INTO hits SELECT timestamptz '2010-10-03 00:00+00' + n * interval '40 minutes', 'metric-' || m, m * (1 + n) FROM generate_series(0, 100) n, generate_series(1, 3) m;""",
    "monitoring": """CREATE TABLE load (ts timestamptz TIME PERIOD '1 min', item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE NOT NULL) USING mms WITH (style = 'hierarchical', months = true);
INSERT INTO load SELECT timestamptz '2020-01-01 00:07+00' + n * interval '6 hours', 'bits', 'mem', 'host-' || h, n FROM generate_series(0, 200) n, generate_series(1, 2) h;""",
}


def make(name, target):
    """Makes the tables of a lesson, in the folder of its files."""
    args = ("-c", TABLES[name]) if name in TABLES else ("-f", str(ROOT / "examples" / name / "lesson.sql"))
    r = mtsql("-q", "-o", "/dev/null", *args, target)
    same(f"{name}: it is made in {target[:8]}", r.returncode, 0)


def page(name, target):
    r = mtsql("--dashboard", str(ROOT / "examples" / name / "dashboard.sql"), "-o", "page.html", target)
    same(f"{name}: no error in {target[:8]}", (r.returncode, r.stdout, r.stderr), (0, "", ""))
    with open("page.html", encoding="utf-8") as f:
        return Board(f.read())


def same_panels(name, uri, folder):
    local = os.path.join(folder, f"{name}.mts")
    for target in (local, uri):
        make(name, target)
    here, there = page(name, local), page(name, uri)
    for a, b in zip(here.panels, there.panels):
        same(f"{name}: {a['title']}", b, a)
    same(f"{name}: all panels", len(there.panels), len(here.panels))


def lost(uri, folder):
    """The connection is cut while the dashboard is shown. The next refresh works again, or names
    the fault.
    """
    board = os.path.join(folder, "d.sql")
    with open(board, "w", encoding="utf-8") as f:
        f.write("\\panel Hits\nSELECT sum(hits) AS hits FROM hits;\n")
    parts = urllib.parse.urlsplit(uri)
    proxy = Proxy(parts.port)
    through = uri.replace(f":{parts.port}/", f":{proxy.port}/") + ("&" if "?" in uri else "?") + "serverSelectionTimeoutMS=1000&connectTimeoutMS=1000"
    wanted = mtsql("-Atc", "SELECT sum(hits) FROM hits", uri).stdout.strip()
    t = Screen("--dashboard", board, through, NO_COLOR="1")
    t.shows(f"{wanted} hits")
    proxy.plan("down", 1, refuse=True)
    t.send("r")
    t.shows("ERROR: ")
    proxy.plan()
    t.send("r")
    t.shows(f"{wanted} hits")
    t.send("q")
    same("lost: exit", t.end(), 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for args in FEEDS:
            os.spawnv(os.P_WAIT, str(BUILD / "feed"), ["feed", *args])
        for name in ("metrics", "monitoring", "location"):
            with database(chosen(), "board") as uri:
                same_panels(name, uri, folder)
                if name == "metrics":
                    run_one("lost", lost, {"uri": uri, "folder": folder})
    return finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The dashboards of the lessons, by the commands of examples/README.md: on a terminal, in a pipe,
and as pages that Chromium draws. Every panel shows something.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../cli")
from cases import check, run, same
from command import environment, shell
from dashboard_test import drawn
from dashboards import Board
from paths import BUILD, MTSQL, ROOT
from terminal import Screen

# For each lesson: the values of variables to try, and the text that the page then shows.
LESSONS = {
    "metrics": [({}, ["1890989", "metric-4", "2010-10-05 06:30:00+00"]), ({"metric": "metric-3"}, ["377997", "metric-3"]), ({"range": "1 day"}, ["metric-1"])],
    "monitoring": [({}, ["361", "2020-12-31 00:00", "host-3"]), ({"host": "host-2"}, ["360", "2020-12-30 18:07"]), ({"range": "30 days"}, ["121"])],
    "location": [({}, ["19980", "1000", "18", "tower 40"]), ({"user": "42"}, ["19980"]), ({"range": "5 minutes"}, ["tower"])],
}


def commands():
    """Returns (lesson, the command that makes its store, the command that draws its dashboard), as
    the README has them.
    """
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^    (examples/(\w+)/lesson\.sh --store (\S+))\n    (build/mtsql --dashboard (\S+) \3)$", text, re.M)
    same("the README has the lessons with a dashboard", [f[1] for f in found], list(LESSONS))
    return [(f[1], f[2], f[4]) for f in found]


def test_lessons(folder):
    for lesson, store, board in commands():
        path = os.path.join(folder, store)
        made = subprocess.run([ROOT / "examples" / lesson / "lesson.sh", "--build", os.path.relpath(BUILD, ROOT), "--store", path, *(["--plot", f"{folder}/plot.svg"] if lesson == "metrics" else [])],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        same(f"{lesson}: the store is made", made.returncode, 0)
        for values, wanted in LESSONS[lesson]:
            looks(folder, lesson, ROOT / board, path, values, wanted)
        drawn(f"{folder}/{lesson}.html", folder)
        on_terminal(lesson, str(ROOT / board), path)


def looks(folder, lesson, board, store, values, wanted):
    what, page = f"{lesson} {values}", f"{folder}/{lesson}{'-other' if values else ''}.html"
    args = [a for k, v in values.items() for a in ("-v", f"{k}={v}")]
    r = shell("--dashboard", str(board), "-o", page, *args, store)
    same(f"{what}: the page", (r.returncode, r.stdout, r.stderr), (0, "", ""))
    with open(page, encoding="utf-8") as f:
        p = Board(f.read())
    same(f"{what}: variables", {k: p.variables[k] for k in values}, values)
    same(f"{what}: no panel fails or is empty", [x["title"] for x in p.panels if "failed" in x["classes"] or "No " in x["text"] or not x["text"].strip()], [])
    shown = [x for x in wanted if any(x in panel["text"] for panel in p.panels)]
    same(f"{what}: what it shows", shown, wanted)
    r = shell("--dashboard", str(board), *args, store)
    same(f"{what}: as text", (r.returncode, r.stderr), (0, ""))
    same(f"{what}: at most 80 columns", [x for x in r.stdout.split("\n") if len(x) > 80], [])
    check(f"{what}: all panels", all(f"── {x['title']} ─" in r.stdout for x in p.panels), r.stdout)
    r = subprocess.run([MTSQL, "-X", "-f", str(board), *args, store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment(), check=False)
    same(f"{what}: as a script", (r.returncode, r.stderr.decode()), (0, ""))


def on_terminal(lesson, board, store):
    t = Screen("--dashboard", board, store, rows=50, columns=120)
    t.shows("q quits")
    text = t.text()
    check(f"{lesson}: the window has all panels", "Up and Down" not in text and "ERROR" not in text, text)
    t.send("q")
    same(f"{lesson}: q", t.end(), 0)


if __name__ == "__main__":
    sys.exit(run(globals(), *sys.argv[1:]))

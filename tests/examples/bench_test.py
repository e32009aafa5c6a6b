#!/usr/bin/env python3
"""The scripts of bench/ run as documented, at small sizes, in process and on SecantusDB. Each page
has its sections and tables. It marks what was not run, and keeps what an earlier run measured. No
figure is checked.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(__file__) + "/../" + folder for folder in ("lib", "../bench")]
import events
from cases import check, run
from paths import BUILD, ROOT
from waiting import HANG_S


def page(script, *args, before=None):
    """Returns what the script makes of a page."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.md")
        if before:
            with open(path, "w", encoding="utf-8") as f:
                f.write(before)
        p = subprocess.run([sys.executable, ROOT / "bench" / script, "--build", BUILD, "--output", path, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        check(f"{script}: exit", p.returncode == 0, p.stdout[-500:])
        with open(path, encoding="utf-8") as f:
            return f.read()


def test_locations():
    before = ("# Locations\n\n## In process: two processes on one store\n\n| records | 0 | 40 |\n|---|---|---|\n| 207M | 11 | 12 |\n| 2M | not run | not run |\n\n"
              "| | seconds |\n|---|---|\n| load 207M | 1 |\n\n## On a server: documentdb\n\nas it was\n")
    text = page("locations.py", "--on", "local", "--sizes", "0.01", "--rates", "0 40", "--seconds", "1", "--minute", "1", "--feed-rate", "1000", before=before)
    local = text.partition("## In process")[2].partition("\n## ")[0]
    check("an earlier run's row stays", "| 207M | 11 | 12 |" in local and "Of earlier runs: 207M.\n" in local and "| load 207M | 1 |\n" in local, local)
    check("what wasn't run says so", "| 2M | not run | not run |" in local and "| 103M | not run | not run |" in local, local)
    check("what was run", re.search(r"^\| 0\.01M \| [0-9,]+ \| ([0-9,]+|X) \|$", local, re.M), local)
    check("all are counted", "Counted afterwards: 501,000, none missing" in " ".join(local.split()), local)
    check("another target's section stays", "## On a server: documentdb\n\nas it was\n" in text, text)
    check("the published table is last", text.rpartition("\n## ")[2].startswith("As published") and "| 207M | 56 | 58 | 64 | - | - | - | - | X | X |" in text, text)


def test_monitoring():
    text = page("monitoring.py", "--on", "local", "--series", "5")
    for row in ["by their first hit", "by chance, 1/12 a hit", "the same without Bloom filters", "by PREALLOCATE", "days", "months of days"]:
        check(f"a row {row}", f"\n| {row} |" in text, text)
    check("365 and 12 documents are read", re.search(r"^\| days \| 1,095 \| 365 \|", text, re.M) and re.search(r"^\| months of days \| 36 \| 12 \|", text, re.M), text)


def test_files():
    text = page("files.py", "--rows", "3000", "--written", "2000", "--runs", "1", "--without-duckdb")
    for row in ["`COPY` into a declared table", "`CREATE TABLE … FROM 'calls.csv'`", "`COPY … TO 'x.csv'`", "`COPY … TO 'x.arrow'`"]:
        check(f"a row {row}", re.search(rf"^\| {re.escape(row)} \| [0-9.]+ \| [0-9,]+ \| [0-9.]+ \| [0-9]+ \|$", text, re.M), text)
    check("the goals are answered", len(re.findall(r"\b(yes|no)\b", text)) == 3, text)


def test_advise():
    text = page("advise.py", "--sets", "calls cpu", "--rows", "2000", "--layouts", "4", "--runs", "1", before="# Advise\n\n## flights\n\nas it was\n")
    for name, queries in (("calls", 16), ("cpu", 13)):
        part = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        check(f"{name}: proposed and random layouts", "\n| proposed | `" in part and part.count("\n| random | `") == 4, part)
        errors = [float(x) for x in re.findall(r"\| ([+-][0-9.]+)% \|$", part, re.M)]
        check(f"{name}: bytes are estimated within 20%", len(errors) > 4 and max(map(abs, errors)) <= 20, errors)
        check(f"{name}: a row a query", len(re.findall(r"\| \d+ of \d+ \| \d+ of \d+ \|$", part, re.M)) == queries, part)
        check(f"{name}: what the constants do", re.search(r"as reading so many bytes: 0: \d+%, .*, 1000: \d+%\.", " ".join(part.split())), part)
        check(f"{name}: sets", re.search(r"Proposed set as the planner reads it: [0-9.]+ ms; [1-9]\d* random sets: ", " ".join(part.split())), part)
    check("a set that wasn't run stays", "## flights\n\nas it was\n" in text, text)


def test_pushdown():
    text = page("pushdown.py", "--on", "secantus", "--sizes", "300", "--rows", "60", "--queries", "2", before="# Push-down\n\n## On documentdb\n\nas it was\n")
    part = text.partition("\n## On secantus\n")[2].partition("\n## ")[0]
    check("the newest rows beside a native find", re.search(r"^\| 300 \| [0-9.]+( \| [0-9.]+ \| [0-9.]+){4} \|$", part, re.M), part)
    check("a row for each way of each query", len(re.findall(r"^\| [^|]+( \| [0-9.]+ \| [0-9,]+){3} \|$", part, re.M)) == 7, part)
    check("bytes of so many queries, and their sum", re.search(r"^\| query \| bytes \| fetched \|\n\|---\|---\|---\|\n(\| plain: [^|]+ \| [0-9,]+ \| [0-9,]+ \|\n){2}\| all \|", part, re.M), part)
    check("another server's section stays", "## On documentdb\n\nas it was\n" in text, text)


def test_plots():
    check("axes have round numbers", [events.axis(v) for v in (1, 9, 11, 3720, 937225, 1105083)] == [1, 2, 5, 1000, 200000, 500000])
    svg = events.svg([("published", {form: list(zip(events.PUBLISHED_HOURS, v)) for form, v in events.PUBLISHED.items()})])
    check("a line a form", svg.count("<polyline") == 3 and ">5,000</text>" in svg and svg.endswith("</svg>\n"), svg)


def test_arguments(folder):
    """A program of bench/ refuses unknown arguments, and makes no store."""
    for args in (["events", "--help"], ["events", "s", "--nonsense"], ["events", "s", "--series", "ten"], ["events", "s", "--seconds", "1x"], ["events", "s", "--form", "round"],
                 ["events", "s", "--window", "-5"], ["events", "s", "--series"], ["latency", "--help", "5"], ["latency", "s", "3x"], ["latency", "s", "0"],
                 ["lookups", "--help", "1", "10", "1", "SELECT 1"], ["lookups", "s", "long", "5", "5", "SELECT 1"], ["lookups", "s", "1", "0", "1", "SELECT %llu"]):
        p = subprocess.run([BUILD / args[0], *args[1:]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG_S)
        check(f"{args}: says how it is used", p.returncode == 2 and p.stderr.startswith(f"usage: {args[0]} "), (p.returncode, p.stderr))
        check(f"{args}: makes nothing", not os.listdir(folder), os.listdir(folder))
    for script in ("events", "locations", "monitoring", "servers", "statements"):
        p = subprocess.run([sys.executable, ROOT / "bench" / f"{script}.py", "--build", BUILD, "--output", f"{folder}/page.md", "--on", "nowhere"], capture_output=True, text=True, timeout=HANG_S)
        check(f"{script}: knows no target of that name", p.returncode == 2 and 'no target is called "nowhere": ' in p.stderr and not os.listdir(folder), p.stderr)


def test_nothing_is_built():
    """A lesson without a build prints what is missing."""
    for lesson in sorted((ROOT / "examples").glob("*/lesson.sh")):
        p = subprocess.run([lesson, "--build", "/nonexistent"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG_S)
        check(f"{lesson.parent.name}: says that nothing is built", p.returncode == 1 and p.stdout == "" and p.stderr.startswith("lesson.sh: there is no /nonexistent/mtsql: "), (p.returncode, p.stderr))


sys.exit(run(globals()))

#!/usr/bin/env python3
"""The first hour of a new user, on data of others (the package vega_datasets): from a CSV file
without a description to an answer, a picture, a packed layout and a comparison. Python computes
mtsql's answers once more.
"""
import collections
import csv
import datetime
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time

import pyarrow

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
sys.path.insert(0, os.path.dirname(__file__) + "/../servers")
from cases import check, finish, same
from paths import MTSQL
from terminal import Terminal

DATA = os.path.join(os.path.dirname(importlib.util.find_spec("vega_datasets").origin), "_data")
STEPS = []


def records(name):
    with open(os.path.join(DATA, name), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def run(folder, step, *args):
    """Runs the program in the folder. Returns its standard output, without the last line end."""
    start = time.monotonic()
    r = subprocess.run([MTSQL, "-X", *args], cwd=folder, capture_output=True, text=True, env={**os.environ, "PGTZ": "UTC"})
    STEPS.append(f"{step} {time.monotonic() - start:.2f} s")
    same(f"{step}: exit", r.returncode, 0)
    check(f"{step}: no complaint", not r.stderr, r.stderr)
    return r.stdout.rstrip("\n")


def by(rows, key, value):
    groups = collections.defaultdict(list)
    for r in rows:
        groups[key(r)].append(value(r))
    return sorted(groups.items())


def ask_files(folder):
    stocks = by(records("stocks.csv"), lambda r: r["symbol"], lambda r: float(r["price"]))
    answer = run(folder, "a question to a file", "-Atc", "SELECT symbol, count(*), max(price) FROM 'stocks.csv' GROUP BY ALL ORDER BY ALL")
    same("a question to a file", answer, "\n".join(f"{s}|{len(v)}|{max(v):g}" for s, v in stocks))
    same("the file as a target", run(folder, "the file as a target", "stocks.csv", "-Atc", "SELECT symbol, count(*), max(price) FROM stocks GROUP BY 1 ORDER BY 1"), answer)
    months = sorted({datetime.datetime.strptime(r["date"], "%b %d %Y").strftime("%Y-%m-%d") for r in records("stocks.csv")})
    same("dates with names of months", run(folder, "dates with names of months", "-Atc", "SELECT DISTINCT date FROM 'stocks.csv' ORDER BY 1").split("\n"), months)
    same("a JSON file", run(folder, "a JSON file", "-Atc", "SELECT \"Origin\", count(*) FROM 'cars.json' GROUP BY 1 ORDER BY 1"), "Europe|73\nJapan|79\nUSA|254")


def load(folder):
    """\\infer's proposal runs unchanged. It makes the table that CREATE TABLE … FROM makes in one
    step.
    """
    weather = records("seattle-weather.csv")
    proposal = run(folder, "\\infer", "-c", r"\infer seattle-weather.csv")
    with open(os.path.join(folder, "load.sql"), "w", encoding="utf-8") as f:
        f.write(proposal)
    run(folder, "load", "proposed.mts", "-qf", "load.sql")
    using = re.search(r"\) USING (.*);", proposal)[1]
    run(folder, "load in one step", "home.mts", "-qc", f"CREATE TABLE weather FROM 'seattle-weather.csv' USING {using}")
    proposed = run(folder, "the rows", "proposed.mts", "-Atc", 'SELECT * FROM "seattle-weather" ORDER BY date')
    same("both ways make the same rows", run(folder, "the rows", "home.mts", "-Atc", "SELECT * FROM weather ORDER BY date"), proposed)
    same("all rows", len(proposed.split("\n")), len(weather))
    answer = run(folder, "a question", "home.mts", "-Atc", "SELECT date_trunc('year', date)::date, round(sum(precipitation)::numeric, 1), max(temp_max) FROM weather GROUP BY 1 ORDER BY 1")
    expected = by(weather, lambda r: r["date"][:4], lambda r: (float(r["precipitation"]), float(r["temp_max"])))
    same("a question", answer, "\n".join(f"{y}-01-01|{sum(p for p, _ in v):.1f}|{max(t for _, t in v):g}" for y, v in expected))
    run(folder, "hourly temperatures", "home.mts", "-qc", "CREATE TABLE temps FROM 'sf-temps.csv'")


def pack(folder):
    """A packed layout answers the same, and touches less."""
    query = "SELECT date_trunc('month', date) AS month, round(avg(temp)::numeric, 3) FROM temps GROUP BY 1 ORDER BY 1"
    before = run(folder, "months", "home.mts", "-Atc", query)
    months = by(records("sf-temps.csv"), lambda r: r["date"][:7], lambda r: float(r["temp"]))
    same("months", [float(line.split("|")[1]) for line in before.split("\n")], [round(sum(v) / len(v), 3) for _, v in months])
    run(folder, "pack", "home.mts", "-qc", "ALTER TABLE temps ADD LAYOUT packed USING nested WITH (levels = 'month, date', presum = 'month')")
    same("months, packed", run(folder, "months, packed", "home.mts", "-Atc", query), before)
    compared = {line.split("|")[0]: line.split("|") for line in run(folder, "\\compare", "home.mts", "-At", "-c", r"\compare " + query).split("\n")}
    same("\\compare: layouts", sorted(compared), ["packed", "rows"])
    touched = {layout: int(fields[4]) for layout, fields in compared.items()}
    check("\\compare: the packed layout touches less", touched["packed"] * 10 < touched["rows"], str(touched))
    check("EXPLAIN: the packed layout answers", run(folder, "EXPLAIN", "home.mts", "-Atc", f"EXPLAIN {query}").startswith("-> packed on temps, cut at month"))


def pictures_and_files(folder):
    run(folder, "\\chart", "home.mts", "-qc", "SELECT date, temp FROM temps", "-c", r"\chart temps.svg", "-c", r"\chart temps.png")
    with open(os.path.join(folder, "temps.svg"), encoding="utf-8") as f:
        check("\\chart: SVG", "</svg>" in f.read())
    with open(os.path.join(folder, "temps.png"), "rb") as f:
        same("\\chart: PNG", f.read(8), b"\x89PNG\r\n\x1a\n")
    run(folder, "to Arrow", "home.mts", "-qc", "COPY (SELECT * FROM temps) TO 'temps.arrow'")
    same("to Arrow", pyarrow.ipc.open_file(os.path.join(folder, "temps.arrow")).read_all().num_rows, len(records("sf-temps.csv")))


def in_the_shell(folder):
    os.chdir(folder)
    t = Terminal("home.mts")
    t.until("=> ")
    t.send("SELECT wether FROM weather;\n")
    check("a wrong name: hint", 'Perhaps you meant to reference the column "weather.weather".' in t.until("=> "))
    t.send("SELECT date, temp FROM temps WHERE date < '2010-01-03';\n")
    t.until("(48 rows)")
    t.until("=> ")
    t.send("\\chart\n")
    drawn = t.until("=> ")
    check("\\chart in the terminal", "temp" in drawn and "2010-01-02" in drawn, drawn)
    t.send("\\q\n")
    same("the shell: exit", t.end(), 0)


def main():
    with tempfile.TemporaryDirectory(prefix="mtsql-first-hour-") as folder:
        for name in ("stocks.csv", "seattle-weather.csv", "sf-temps.csv", "cars.json"):
            os.symlink(os.path.join(DATA, name), os.path.join(folder, name))
        for step in (ask_files, load, pack, pictures_and_files, in_the_shell):
            step(folder)
    print("NOTE " + ", ".join(STEPS))
    return finish()


if __name__ == "__main__":
    sys.exit(main())

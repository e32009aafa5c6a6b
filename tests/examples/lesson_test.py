#!/usr/bin/env python3
"""The first lesson's printed output, at 20,000 rows, but for what the clock says. --accept rewrites the expected output."""
import difflib
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("BUILD", os.path.join(ROOT, "build"))
EXPECTED = os.path.join(HERE, "lesson.out")


def normal(text):
    text = re.sub(r"\d+\.\d+ s, \d+ rows/s", "N s, N rows/s", text)
    text = re.sub(r" *█+", " ###", text)
    text = re.sub(r" *\d+(\.\d+)? ms\b", " N ms", text)
    return text


with tempfile.TemporaryDirectory() as folder:
    svg = os.path.join(folder, "lesson.svg")
    p = subprocess.run([os.path.join(ROOT, "examples/packed/lesson.sh"), "--rows", "20000", "--build", os.path.relpath(BUILD, ROOT), "--plot", svg], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    out = normal(p.stdout.decode("utf-8", "replace"))
    plot = open(svg, encoding="utf-8").read() if os.path.exists(svg) else ""

if "--accept" in sys.argv:
    open(EXPECTED, "w", encoding="utf-8").write(out)
expected = open(EXPECTED, encoding="utf-8").read() if os.path.exists(EXPECTED) else ""
checks = {"exit": p.returncode == 0, "output": out == expected, "plot": plot.count("<rect") == 11 and plot.endswith("</svg>\n"), "answers agree": "DIFFERENT" not in out}
if not checks["output"]:
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), out.splitlines(True), "lesson.out", "lesson.sh"))
for name, ok in checks.items():
    if not ok:
        print(f"FAIL {name}")
print(f"{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed, 0 skipped")
sys.exit(0 if all(checks.values()) else 1)

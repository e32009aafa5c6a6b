#!/usr/bin/env python3
"""The lesson of the minute layout: its printed output. --accept rewrites the expected output."""
import difflib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("BUILD", os.path.join(ROOT, "build"))
EXPECTED = os.path.join(HERE, "minute.out")

p = subprocess.run([os.path.join(ROOT, "examples/minute/lesson.sh"), "--build", os.path.relpath(BUILD, ROOT)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
out = p.stdout.decode("utf-8", "replace")
if "--accept" in sys.argv:
    open(EXPECTED, "w", encoding="utf-8").write(out)
expected = open(EXPECTED, encoding="utf-8").read() if os.path.exists(EXPECTED) else ""
ok = out == expected and p.returncode == 0
if not ok:
    print(f"exit {p.returncode}")
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), out.splitlines(True), "minute.out", "lesson.sh"))
print(f"{int(ok)} passed, {int(not ok)} failed, 0 skipped")
sys.exit(0 if ok else 1)

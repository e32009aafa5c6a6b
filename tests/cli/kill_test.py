#!/usr/bin/env python3
"""Runs a few of the kills of tests/torture/maintain_kill.py, statements_kill.py and
continuous_kill.py. `make check-kill` runs 500.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, finish
from paths import TESTS

for script, kills in (("maintain", "12"), ("statements", "6"), ("continuous", "8")):
    check(script, subprocess.call([sys.executable, TESTS / "torture" / f"{script}_kill.py", kills]) == 0)
sys.exit(finish())

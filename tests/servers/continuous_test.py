#!/usr/bin/env python3
"""Random statements over continuous views on a server (tests/reference/continuous_test.py), and a client that is killed (tests/torture/continuous_kill.py)."""
import subprocess
import sys

from checks import ROOT
from server import chosen

name = chosen()
killed = subprocess.call([sys.executable, ROOT / "tests/torture/continuous_kill.py", "2", name])
sys.exit(subprocess.call([sys.executable, ROOT / "tests/reference/continuous_test.py", "--engine", name, "--cases", "5"]) or killed)

#!/usr/bin/env python3
"""Random documents in the published shapes of counters, read in place on a real server (tests/reference/published_test.py)."""
import subprocess
import sys

from checks import ROOT
from server import chosen, load

name = chosen()
sys.exit(subprocess.call([sys.executable, ROOT / "tests/reference/published_test.py", "--engine", name, "--sets", load(name, "sets"), "--queries", "4"]))

#!/usr/bin/env python3
"""Random documents in the published shapes of counters, read in place on a real server (tests/reference/published_test.py)."""
import os
import subprocess
import sys

from server import chosen, load

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

name = chosen()
sys.exit(subprocess.call([sys.executable, os.path.join(ROOT, "tests/reference/published_test.py"), "--engine", name, "--sets", load(name, "sets"), "--queries", "4"]))

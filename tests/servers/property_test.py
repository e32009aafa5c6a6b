#!/usr/bin/env python3
"""Random descriptors, rows and queries on a real server, each legal cut forced (tests/reference/property_test.py)."""
import subprocess
import sys

from checks import ROOT
from server import chosen, load

name = chosen()
sys.exit(subprocess.call([sys.executable, ROOT / "tests/reference/property_test.py", "--engine", name, "--tables", load(name, "tables"), "--rows", load(name, "table_rows")]))

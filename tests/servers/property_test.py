#!/usr/bin/env python3
"""Random descriptors, rows and queries on a real server, each legal cut forced (tests/reference/property_test.py)."""
import os
import subprocess
import sys

from server import chosen, load

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

name = chosen()
sys.exit(subprocess.call([sys.executable, os.path.join(ROOT, "tests/reference/property_test.py"), "--engine", name, "--tables", load(name, "tables"), "--rows", load(name, "table_rows")]))

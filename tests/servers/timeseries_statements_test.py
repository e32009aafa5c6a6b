#!/usr/bin/env python3
"""Random statements with time-series functions on a real server, its layouts and legal cuts. The
rows must be those in process, and DuckDB's (tests/oracle/timeseries.py).
"""
import subprocess
import sys

from checks import ROOT
from server import chosen, load

name = chosen()
sys.exit(subprocess.call([sys.executable, ROOT / "tests/oracle/timeseries.py", "--engine", name, "--statements", load(name, "statements")]))

#!/usr/bin/env python3
"""Random statements on a real server, its layouts and legal cuts: the same rows as PostgreSQL's (tests/oracle/oracle.py)."""
import glob
import subprocess
import sys

from checks import ROOT
from server import chosen, load

if not glob.glob("/usr/lib/postgresql/*/bin/initdb"):
    print("SKIP PostgreSQL isn't installed: tools/deps.sh oracle")
    sys.exit(77)
name = chosen()
sys.exit(subprocess.call([sys.executable, ROOT / "tests/oracle/oracle.py", "--engine", name, "--statements", load(name, "statements"), "--rows", load(name, "rows")]))

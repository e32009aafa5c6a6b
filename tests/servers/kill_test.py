#!/usr/bin/env python3
"""A few of the kills, of clients and of the server, of tests/torture/maintain_kill.py on a server, of which `make check-kill` has more."""
import subprocess
import sys

from checks import ROOT
from server import chosen

sys.exit(subprocess.call([sys.executable, ROOT / "tests/torture/maintain_kill.py", "2", chosen(), "1"]))

#!/usr/bin/env python3
"""Runs a few of the kills of tests/torture/maintain_kill.py on a server: of clients, and of the
server. `make check-kill` runs more.
"""
import subprocess
import sys

from checks import ROOT
from server import chosen

sys.exit(subprocess.call([sys.executable, ROOT / "tests/torture/maintain_kill.py", "2", chosen(), "1"]))

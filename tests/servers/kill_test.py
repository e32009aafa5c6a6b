#!/usr/bin/env python3
"""A few of the kills, of clients and of the server, of tests/torture/maintain_kill.py on a server, of which `make check-kill` has more."""
import os
import subprocess
import sys

from server import chosen

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torture", "maintain_kill.py")
sys.exit(subprocess.call([sys.executable, SCRIPT, "2", chosen(), "1"]))

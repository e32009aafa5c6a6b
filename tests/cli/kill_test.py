#!/usr/bin/env python3
"""A few of the kills of tests/torture/maintain_kill.py, of which `make check-kill` has 500."""
import os
import subprocess
import sys

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torture", "maintain_kill.py")
sys.exit(subprocess.call([sys.executable, SCRIPT, "12"]))

#!/usr/bin/env python3
"""A few of the kills of tests/torture/maintain_kill.py and statements_kill.py, of which `make check-kill` has 500."""
import os
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torture")
sys.exit(any([subprocess.call([sys.executable, os.path.join(FOLDER, f"{script}_kill.py"), kills]) for script, kills in (("maintain", "12"), ("statements", "6"))]))

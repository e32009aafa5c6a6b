#!/usr/bin/env python3
"""Random statements over continuous views on a server (tests/reference/continuous_test.py)."""
import subprocess
import sys

from checks import ROOT
from server import chosen

sys.exit(subprocess.call([sys.executable, ROOT / "tests/reference/continuous_test.py", "--engine", chosen(), "--cases", "5"]))

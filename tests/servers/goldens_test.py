#!/usr/bin/env python3
"""The golden files marked `-- also: mongo`, on a real server."""
import subprocess
import sys

from checks import BUILD, ROOT
from server import Server

with Server() as uri:
    sys.exit(subprocess.call([sys.executable, ROOT / "tools/golden.py", "--build", BUILD, "--jobs", "1", "--uri", uri]))

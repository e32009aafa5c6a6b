#!/usr/bin/env python3
"""The golden files marked `-- also: mongo`, on a real server."""
import os
import subprocess
import sys

from server import Server

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

with Server() as uri:
    build = os.environ.get("BUILD", os.path.join(ROOT, "build"))
    sys.exit(subprocess.call([sys.executable, os.path.join(ROOT, "tools", "golden.py"), "--build", build, "--jobs", "1", "--uri", uri]))

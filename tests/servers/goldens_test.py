#!/usr/bin/env python3
"""The golden files marked `-- also: mongo`, on a real server. SecantusDB, which takes twice the
time of DocumentDB, runs half of them, or all with MTSQL_TEST_LONG.
"""
import os
import subprocess
import sys

from checks import BUILD, ROOT
from server import Server, chosen

every = "2" if chosen() == "secantus" and not os.environ.get("MTSQL_TEST_LONG") else "1"
with Server() as uri:
    sys.exit(subprocess.call([sys.executable, ROOT / "tools/golden.py", "--build", BUILD, "--jobs", "1", "--every", every, "--uri", uri]))

#!/usr/bin/env python3
"""The engine on a server: runs build/tests/mongo_test on it."""
import os
import subprocess
import sys

from checks import BUILD
from server import Server, chosen

with Server() as uri:
    known = {"MTSQL_TEST_ATOMIC": "0"} if chosen() == "secantus" else {}
    sys.exit(subprocess.run([BUILD / "tests/mongo_test"], env={**os.environ, **known, "MTSQL_TEST_URI": uri}).returncode)

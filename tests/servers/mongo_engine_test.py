#!/usr/bin/env python3
"""The engine on a server: runs build/tests/mongo_test on it."""
import os
import pathlib
import subprocess
import sys

from server import Server, chosen

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / os.environ.get("BUILD", ROOT / "build")

with Server() as uri:
    known = {"MTSQL_TEST_ATOMIC": "0"} if chosen() == "secantus" else {}
    sys.exit(subprocess.run([BUILD / "tests/mongo_test"], env={**os.environ, **known, "MTSQL_TEST_URI": uri}).returncode)

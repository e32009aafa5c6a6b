#!/usr/bin/env python3
"""The engine on a server: runs build/tests/mongo_test against MTSQL_TEST_URI, or a SecantusDB of its own."""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / os.environ.get("BUILD", ROOT / "build")
SERVER = ROOT / "tests/servers/secantus.sh"


def main():
    with tempfile.TemporaryDirectory(prefix="mtsql-mongo-") as folder:
        uri = os.environ.get("MTSQL_TEST_URI")
        own = not uri
        if own:
            uri = subprocess.run([SERVER, "start", folder], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        try:
            return subprocess.run([BUILD / "tests/mongo_test"], env={**os.environ, "MTSQL_TEST_URI": uri}).returncode
        finally:
            if own:
                subprocess.run([SERVER, "stop", folder], check=True)


sys.exit(main())

"""The paths of the sources, and of the build that is tested. tools/run_tests.py sets both in the
environment (BUILD, MTSQL).
"""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"
BUILD = ROOT / os.environ.get("BUILD", "build")
MTSQL = os.path.abspath(os.environ.get("MTSQL", BUILD / "mtsql"))
GENERATE = str(BUILD / "generate")
STORE_TORTURE = str(BUILD / "tests" / "store_torture")

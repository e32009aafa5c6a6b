"""Where things are: the sources, and the build that is tested, which the environment names (BUILD, MTSQL: tools/run_tests.py sets both)."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"
BUILD = ROOT / os.environ.get("BUILD", "build")
MTSQL = os.path.abspath(os.environ.get("MTSQL", BUILD / "mtsql"))
GENERATE = str(BUILD / "generate")
STORE_TORTURE = str(BUILD / "tests" / "store_torture")

"""The functions of tests/lib that the server tests use, under the names that are usual here."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
from cases import check, finish, run, same  # noqa: E402,F401
from command import environment, shell as mtsql, start  # noqa: E402,F401
from paths import BUILD, MTSQL, ROOT  # noqa: E402,F401
from waiting import HANG_S, still, until  # noqa: E402,F401

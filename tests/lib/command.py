"""Starts the command as a user would: with arguments, an input, and an environment that is the same
everywhere.
"""
import os
import subprocess

from paths import MTSQL
from waiting import HANG_S


def environment(**more):
    """Returns the environment: without a home, and without the variables whose value is None."""
    env = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/nonexistent", **more}
    return {k: v for k, v in env.items() if v is not None}


def start(*args, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=None, **kw):
    return subprocess.Popen([MTSQL, "-X", *args], stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, text=True, env=env or environment(), **kw)


def shell(*args, text=None, env=None, **kw):
    return subprocess.run([MTSQL, "-X", *args], input=text, stdin=subprocess.DEVNULL if text is None else None, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=HANG_S, env=env or environment(), **kw)

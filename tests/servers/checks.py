"""What the server tests share: counting, and running the shell."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / os.environ.get("BUILD", ROOT / "build")
MTSQL = os.environ.get("MTSQL", str(BUILD / "mtsql"))
sys.path.insert(0, str(ROOT / "tests/lib"))
from waiting import HANG_S, still, until  # noqa: E402

passed = failed = 0


def check(what, ok, shown=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAIL {what}\n{shown}", flush=True)
    return ok


def same(what, got, wanted):
    return check(what, got == wanted, f"   got      {got!r}\n   expected {wanted!r}")


def finish():
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def environment(**more):
    env = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", **more}
    return {k: v for k, v in env.items() if v is not None}


def start(*args, env=None, **kw):
    return subprocess.Popen([MTSQL, "-X", *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=env or environment(), **kw)


def mtsql(*args, text=None, env=None, **kw):
    return subprocess.run([MTSQL, "-X", *args], input=text, stdin=subprocess.DEVNULL if text is None else None, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=HANG_S, env=env or environment(), **kw)

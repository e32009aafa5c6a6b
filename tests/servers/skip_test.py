#!/usr/bin/env python3
"""If a server can't be installed, its script exits with 77 and the reason, and leaves nothing
behind.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import check, finish

SCRIPT = pathlib.Path(__file__).resolve().parent / "documentdb.sh"
NO_MOUNT = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin", "--"]

# (the fault, how to run the script, its PATH, its message)
CASES = [
    ("not root", ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"], None, "only root can make a Debian sid in a folder"),
    ("no debootstrap", [], "/usr/bin:/bin", "debootstrap isn't installed"),
    ("no leave to mount", NO_MOUNT, None, "mounting is refused here"),
]


def main():
    if os.getuid() != 0 or not shutil.which("debootstrap"):
        print("SKIP not root, or no debootstrap")
        return 77
    for what, way, path, says in CASES:
        with tempfile.TemporaryDirectory(prefix="skip-") as folder:
            os.chmod(folder, 0o777)
            env = dict(os.environ, SERVERS=os.path.join(folder, "servers"), **({"PATH": path} if path else {}))
            p = subprocess.run([*way, "bash", SCRIPT, "start", os.path.join(folder, "run")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, env=env)
            ok = p.returncode == 77 and says in p.stdout and not os.path.exists(os.path.join(folder, "servers", "sid"))
            check(what, ok, f"   exit {p.returncode}, says {p.stdout!r}, expected exit 77 and {says!r}")
    return finish()


sys.exit(main())

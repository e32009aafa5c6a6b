#!/usr/bin/env python3
"""The units of systemd as `make install` installs them. systemd accepts them. Their commands and
exit codes are those of the program.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
from cases import check, run, same
from command import shell
from paths import MTSQL, ROOT

UNITS = ["mtsql-check-alerts@.service", "mtsql-check-alerts@.timer", "mtsql-listen@.service", "mtsql-listen@.socket", "mtsql-maintain@.service", "mtsql-maintain@.timer"]


def installed(folder):
    os.makedirs(f"{folder}/usr/bin")
    os.symlink(MTSQL, f"{folder}/usr/bin/mtsql")
    subprocess.run([f"{ROOT}/tools/units.sh", f"{folder}/usr"], check=True)
    return f"{folder}/usr/lib/systemd/system"


def test_units(folder):
    units = installed(folder)
    same("the units", sorted(os.listdir(units)), UNITS)
    check("the example", os.path.exists(f"{folder}/usr/share/doc/mtsql/target.conf"))
    for name in UNITS:
        with open(f"{units}/{name}", encoding="utf-8") as f:
            text = f.read()
        same(f"{name}: all is filled in", re.findall("@[A-Z]+@", text), [])
        if name.startswith("mtsql-listen") and name.endswith(".service"):
            command = re.search("^ExecStart=(.*)$", text, re.M)[1]
            same(f"{name}: the command", command, f"{folder}/usr/bin/mtsql --listen ${{LISTEN}} --users /etc/mtsql/%i.users $OPTIONS ${{TARGET}}")
        elif name.endswith(".service"):
            program, action, *rest = re.search("^ExecStart=(.*)$", text, re.M)[1].split()
            same(f"{name}: the command", (program, rest), (f"{folder}/usr/bin/mtsql", ["$OPTIONS", "${TARGET}"]))
            run_it(folder, action, re.search("^SuccessExitStatus=(.*)$", text, re.M)[1])
    if not shutil.which("systemd-analyze"):
        return
    for name in UNITS:
        r = subprocess.run(["systemd-analyze", "verify", "--man=no", f"{units}/{name}"], capture_output=True, text=True, timeout=60)
        same(f"{name}: systemd", (r.returncode, [x for x in r.stderr.splitlines() if name in x or "mtsql" in x]), (0, []))


def run_it(folder, action, success):
    """A target without faults gives 0. An alert that fires gives the code that the unit counts as
    success.
    """
    store = f"{folder}/{action}.mts"
    shell("-q", store, "-c", "CREATE TABLE t (ts timestamptz TIME, v int)")
    same(f"{action}: exit", shell(action, store).returncode, 0)
    if action == "--check-alerts":
        shell("-q", store, "-c", "CREATE ALERT high AS SELECT 1 AS v")
        same("a firing alert: exit", str(shell(action, store).returncode), success)


if __name__ == "__main__":
    sys.exit(run(globals()))

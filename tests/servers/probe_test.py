#!/usr/bin/env python3
"""docs/servers.md says of the server what probing it says."""
import os
import subprocess
import sys

import probe
from server import chosen, faults


def listed(name):
    """The server's column of the page's table, and its lines of faults."""
    with open(probe.PAGE, encoding="utf-8") as f:
        lines = f.read().split(probe.BEGIN)[1].split(probe.END)[0].split("\n")
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    at = cells[0].index(name)
    return {c[0]: c[at] for c in cells[2:]}, "\n".join(lines)


def main():
    name = chosen()
    found = probe.column(name)
    if name not in probe.TESTED:
        print(probe.table({name: found}))
        print(f"{len(found)} passed, 0 failed, 0 skipped")
        return 0
    if name == "documentdb":
        versions = subprocess.run(["bash", os.path.join(os.path.dirname(os.path.abspath(__file__)), "documentdb.sh"), "versions"], stdout=subprocess.PIPE, text=True).stdout
        print("NOTE " + ", ".join(versions.splitlines()))
    said, text = listed(name)
    wrong = [f"{what}: the page says {said.get(what)}, the server {now}" for (what, _), now in zip(probe.ABILITIES, found) if said.get(what) != now]
    wrong += [f"the page lacks: {why}" for why in faults(name).values() if why not in text]
    for w in wrong:
        print(f"FAIL {w} (tests/servers/probe.py writes the page)")
    print(f"{len(found) + len(faults(name)) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


sys.exit(main())

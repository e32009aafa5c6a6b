#!/usr/bin/env python3
"""docs/servers.md has the server's abilities as probing finds them."""
import os
import subprocess
import sys

import probe
from checks import check, finish, same
from cases import passes
from server import chosen, faults


def listed(name):
    """Returns the server's column of the page's table, and its faults, without line breaks."""
    with open(probe.PAGE, encoding="utf-8") as f:
        lines = f.read().split(probe.BEGIN)[1].split(probe.END)[0].split("\n")
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    at = cells[0].index(name)
    return {c[0]: c[at] for c in cells[2:]}, " ".join(" ".join(lines).split())


def main():
    name = chosen()
    found = probe.column(name)
    if name not in probe.TESTED:
        print(probe.table({name: found}))
        passes(len(found))
        return finish()
    if name == "documentdb":
        versions = subprocess.run(["bash", os.path.join(os.path.dirname(os.path.abspath(__file__)), "documentdb.sh"), "versions"], stdout=subprocess.PIPE, text=True).stdout
        print("NOTE " + ", ".join(versions.splitlines()))
    said, text = listed(name)
    for (what, _), now in zip(probe.ABILITIES, found):
        same(f"{what}, by the page that tests/servers/probe.py writes", said.get(what), now)
    for why in faults(name).values():
        check(f"the page says: {why}", " ".join(why.split()) in text)
    return finish()


sys.exit(main())

#!/usr/bin/env python3
"""\\h of layouts. Each example runs. Its table then has the inserted rows, in documents of the form
shown.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import cases
from paths import MTSQL

LEVELS = ["document", "list", "map", "slots", "scalar"]
ROWS = "('2024-03-01 00:00+00', 'attic', 18.5), ('2024-03-02 00:00+00', 'attic', 18.5), ('2024-03-02 00:00+00', 'hall', 17)"


def run(*args):
    p = subprocess.run([MTSQL, "-X", "-q", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return p.returncode, p.stdout.decode()


def examples(name):
    """Returns (document, statements) of each example."""
    rc, text = run("-c", f"\\h {name}")
    assert rc == 0, text
    parts = re.split(r"^Example: ", text, flags=re.M)[1:]
    return [(p.split("\n", 1)[0], p.split("\n", 1)[1].split("\n\n")[0]) for p in parts]


def wrong(document, statements):
    table = re.search(r"CREATE TABLE (\w+)", statements)[1]
    collection = re.search(r'"collection": "(\w+)"', statements)[1]
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        rc, out = run("-c", statements, "-c", f"INSERT INTO {table} VALUES {ROWS}", "-c", f"SELECT sum(celsius) FROM {table} WHERE room = 'attic'", "-At", store)
        if rc or out.strip() != "37":
            return f"{rc}: {out}\n{statements}"
        run("--dump", os.path.join(folder, "dump"), store)
        fields = re.findall(r"(\w+): ", re.sub(r"\{[^{}]*\}", "", document.split("{", 1)[1].rsplit("}", 1)[0]))
        text = open(next(os.path.join(w, f) for w, _, fs in os.walk(folder) for f in fs if f == collection + ".bson"), "rb").read()
        lacks = [f for f in fields if f.encode() + b"\0" not in text]
        return f"the documents lack {lacks}" if lacks else None


def main():
    found = {name: examples(name) for name in ["CREATE LAYOUT"] + LEVELS}
    for name, shown in found.items():
        cases.check(f"{name} has examples", len(shown) == (2 if name == "CREATE LAYOUT" else 1), shown)
        for i, (document, statements) in enumerate(shown):
            why = wrong(document, statements)
            cases.check(f"{name} {i}", why is None, why)
    return cases.finish()


if __name__ == "__main__":
    sys.exit(main())

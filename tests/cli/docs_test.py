#!/usr/bin/env python3
"""The README's examples, run as they stand: each block's statements, in order, on one store, and what it says they print."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, finish
from paths import GENERATE, MTSQL, ROOT

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def run(text, cwd, *args):
    p = subprocess.run([MTSQL, "-X", "-q", *args, "calls.mts"], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd, timeout=300)
    return p.returncode, p.stdout.decode()


def plain(text):
    """Without times (the numbers with three decimals of \\compare), column padding, and the spaces that align."""
    text = re.sub(r"\b\d+\.\d{3}\b", "MS", text)
    lines = [re.sub(r"-{3,}", "---", re.sub(r" +", " ", line)).strip() for line in text.strip().split("\n")]
    return "\n".join(line for line in lines if line)


def blocks(path):
    """(kind, text): sql statements, or what the block before prints."""
    with open(path, encoding="utf-8") as f:
        for lang, text in FENCE.findall(f.read()):
            if lang == "sql":
                yield "run", text
            elif text.startswith("\\") or text.startswith("mtsql=> "):
                yield ("session" if text.startswith("mtsql") else "run"), text
            else:
                yield "prints", text


def session(text, cwd):
    """mtsql=> STATEMENT, then what it answers."""
    first, rest = text.split("\n", 1)
    rc, out = run(first[len("mtsql=> "):] + "\n", cwd)
    return plain(re.sub(r"^mtsql:<stdin>:\d+: ", "", out)), plain(rest)


def expressions(cwd):
    """What the README says of documents that other software wrote: each expression finds something."""
    with open(os.path.join(cwd, "sensors.jsonl"), "w", encoding="utf-8") as f:
        f.write('{"at": {"room": "attic", "floor": 1}, "tags": ["a", "b"], "value": 1.5}\n{"at": {"room": "kitchen", "floor": 0}, "tags": [], "value": 2}\n')
    with open(ROOT / "README.md", encoding="utf-8") as f:
        found = re.findall(r"`((?:jsonb_path_query\()?(?:at|tags)\b [^`]+|jsonb_path_query\(at[^`]+)`", f.read())
    check("the README has expressions on documents", len(found) >= 4, str(found))
    for expression in found:
        p = subprocess.run([MTSQL, "-X", "-A", "-t", "-c", f"SELECT {expression} FROM sensors", "sensors.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd, timeout=300)
        lines = p.stdout.decode().split()
        check(expression, p.returncode == 0 and any(v in ("t", "attic", '"attic"') for v in lines), p.stdout.decode())


def main():
    with tempfile.TemporaryDirectory() as cwd:
        subprocess.run([GENERATE, "--rows", "500000", "-o", "calls.csv"], cwd=cwd, check=True)
        out = ""
        for kind, text in blocks(ROOT / "README.md"):
            if kind == "run":
                explain = text.startswith("EXPLAIN")
                rc, out = run(text, cwd, *(["-t", "-A"] if explain else []))
                ok, got, want = rc == 0, out, "exit 0"
            elif kind == "prints":
                got, want = plain(out), plain(text)
                ok = got == want
            else:
                got, want = session(text, cwd)
                ok = got == want
            check(kind, ok, f"{text}--- got\n{got}\n--- wanted\n{want}\n")
        expressions(cwd)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The guides docs/how-to/connect.md and attach.md. Each page's program fills a server. Its
statements run in order, and must print what the page shows.
"""
import os
import re
import subprocess
import sys
import tempfile

from checks import ROOT, check, environment, finish, mtsql, same
from server import chosen, database

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def plain(text):
    """Returns the text without padding, and without sizes that depend on the server."""
    text = re.sub(r"\(cost=[^)]*\)|\(\d+ (bytes|kB)\)", "", text)
    lines = [re.sub(r"-{3,}", "---", re.sub(r" +", " ", line)).strip() for line in text.strip().split("\n")]
    return "\n".join(line for line in lines if line)


def page(name, uri, folder):
    with open(ROOT / "docs" / "how-to" / name, encoding="utf-8") as f:
        blocks = FENCE.findall(f.read())
    p = subprocess.run([sys.executable, "-c", blocks[0][1]], env=dict(os.environ, URI=uri), stderr=subprocess.PIPE, text=True)
    check(f"{name}: the program", p.returncode == 0, p.stderr)
    out = ""
    for lang, text in blocks[1:]:
        if lang == "sql":
            p = mtsql("-q", *(["-t", "-A"] if text.startswith("EXPLAIN") else []), uri, text=text, cwd=folder, env=environment(HOME=folder))
            out = p.stdout
            check(text, p.returncode == 0 and not p.stderr, p.stderr)
        else:
            same(f"{name}: what {text[:40]!r} shows", plain(out), plain(text))


def main():
    for name in ("connect.md", "attach.md"):
        with database(chosen(), "connecting") as uri, tempfile.TemporaryDirectory() as folder:
            page(name, uri, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

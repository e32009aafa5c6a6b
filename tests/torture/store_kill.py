#!/usr/bin/env python3
"""Kills a writer of an embedded store again and again (SIGKILL, at random moments). What it
acknowledged must be there, and nothing of an unfinished step. Then it reads while another process
writes, lets system calls fail, and flips single bits of the files.

    store_kill.py [KILLS [FLIPS]]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from kills import seeded
from paths import STORE_TORTURE as TOOL


def last_line(path):
    lines = path.read_text().split("\n")[:-1]  # a line without its end was not acknowledged
    return int(lines[-1]) if lines else None


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    flips = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = seeded()
    with tempfile.TemporaryDirectory(prefix="mtsql-torture-") as folder:
        store, out = f"{folder}/store", pathlib.Path(folder) / "out"
        acknowledged = 0
        for n in range(kills):
            with open(out, "w") as f:
                writer = subprocess.Popen([TOOL, "write", store], stdout=f)
                time.sleep(rng.uniform(0.01, 0.35))
                writer.kill()
                if writer.wait() != -9:
                    sys.exit(f"kill {n}: the writer ended by itself")
            acknowledged = last_line(out) or acknowledged
            if os.path.exists(f"{store}/MANIFEST"):
                # The last step may be done but not acknowledged. The next writer begins after it,
                # and may be killed before it acknowledges one.
                found = subprocess.run([TOOL, "check", store, str(acknowledged)], check=True, stdout=subprocess.PIPE)
                acknowledged = int(found.stdout)
        print(f"{kills} kills, {acknowledged} steps acknowledged: none lost, none half done")
        if acknowledged < kills:
            sys.exit("hardly anything was written: the test says nothing")
        watched = f"{folder}/watched"
        writer = subprocess.Popen([TOOL, "write", watched], stdout=subprocess.DEVNULL)
        try:
            subprocess.run([TOOL, "watch", watched, "4"], check=True)
        finally:
            writer.kill()
            writer.wait()
        subprocess.run([TOOL, "faults", f"{folder}/faults", str(flips // 4), str(rng.randrange(1 << 30))], check=True)
        for k in range(2):  # two copies, because nothing writes to a damaged store
            copy = f"{folder}/copy{k}"
            shutil.copytree(store, copy)
            subprocess.run([TOOL, "flip", copy, str(flips // 2), str(rng.randrange(1 << 30))], check=True)


main()

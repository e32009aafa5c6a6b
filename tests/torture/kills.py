"""What the tests share that kill (-9) the command at random moments: running it, killing a writer,
and reading what is left.
"""
import collections
import os
import random
import subprocess
import sys
import time

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{TESTS}/lib", f"{TESTS}/servers"]
from command import environment  # noqa: E402
from paths import MTSQL  # noqa: E402
from waiting import HANG_S, still, until  # noqa: E402,F401

# acknowledged: the lines that it printed; problems: its error output; code: -9 if it was killed
Killed = collections.namedtuple("Killed", "acknowledged problems code")


def seeded():
    seed = int(os.environ.get("SEED", time.time()))
    print(f"seed {seed}", flush=True)
    return random.Random(seed)


def mtsql(target, sql, check=True, options=("-A",)):
    p = subprocess.run([MTSQL, "-X", "-q", "-t", *options, target], input=sql, capture_output=True, text=True, timeout=HANG_S, env=environment())
    if check and p.returncode:
        sys.exit(f"{sql[:200]}: {p.stdout}{p.stderr}")
    return p


def rows(target, sql):
    """Returns the rows of all statements, as lists of texts."""
    return [line.split(",") for line in mtsql(target, sql, options=("--csv",)).stdout.splitlines() if line]


def writer_killed(target, script, folder, rng, moment_s, enough=0, kill=lambda p: p.kill(), options=(), env=None):
    """Runs a script until it has printed `enough` lines, waits between moment_s[0] and moment_s[1],
    and kills it, or calls `kill`.
    """
    sql, out = folder / "script", folder / "out"
    sql.write_text(script)
    with open(sql) as i, open(out, "w") as o:
        p = subprocess.Popen([MTSQL, "-X", "-q", "-t", "-A", *options, target], stdin=i, stdout=o, stderr=subprocess.PIPE, text=True, env=environment(**(env or {})))
        until(lambda: out.read_text().count("\n") >= enough, p)
        time.sleep(rng.uniform(*moment_s))
        kill(p)
        _, problems = p.communicate(timeout=HANG_S)
    return Killed(out.read_text().split("\n")[:-1], problems, p.returncode)  # a line without its end was not acknowledged


def no_faults(target, tables, when):
    p = mtsql(target, "".join(f"CHECK TABLE {t};\n" for t in tables), check=False)
    if p.returncode:
        sys.exit(f"{when}: {p.stdout[:2000]}{p.stderr}")


def in_layouts(target, layouts, query):
    """Returns the query's answer by each layout."""
    return mtsql(target, "".join(f"SET layout = '{layout}';\n{query};\n" for layout in layouts)).stdout.split()

#!/usr/bin/env python3
"""Each statement of bench/cancel.py's list ends with 57014 on Ctrl-C, and the session goes on. Asserts no times."""
import importlib.util
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve()
spec = importlib.util.spec_from_file_location("cancel", ROOT / "bench/cancel.py")
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)

failed = 0
for name, before, statement in bench.STATEMENTS:
    delay, said = bench.one_run(BUILD, ["\\set VERBOSITY verbose\nSELECT 1", *before], statement, 0.1)
    if delay is None or "57014" not in said or not said.endswith("goes on\n"):
        failed += 1
        print(f"FAILED {name}: {said!r}")
print(f"{len(bench.STATEMENTS) - failed} passed, {failed} failed")
sys.exit(failed > 0)

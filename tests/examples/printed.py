"""A lesson's printed output beside the expected one. --accept rewrites the expected output."""
import difflib
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("BUILD", os.path.join(ROOT, "build"))


def run(lesson, normal=lambda text: text, plot=None):
    """Runs examples/LESSON/lesson.sh, holds normal (its output) against LESSON.out, and exits. plot: a function that says whether its SVG is right."""
    expected_path = os.path.join(HERE, lesson + ".out")
    with tempfile.TemporaryDirectory() as folder:
        svg = os.path.join(folder, "plot.svg")
        p = subprocess.run([os.path.join(ROOT, "examples", lesson, "lesson.sh"), "--build", os.path.relpath(BUILD, ROOT)] + (["--plot", svg] if plot else []), stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        out = normal(p.stdout.decode("utf-8", "replace"))
        checks = {"exit": p.returncode == 0}
        if plot:
            checks["plot"] = os.path.exists(svg) and plot(open(svg, encoding="utf-8").read())
    if "--accept" in sys.argv:
        open(expected_path, "w", encoding="utf-8").write(out)
    expected = open(expected_path, encoding="utf-8").read() if os.path.exists(expected_path) else ""
    checks["output"] = out == expected
    if not checks["output"]:
        sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), out.splitlines(True), lesson + ".out", "lesson.sh"))
    for name, ok in checks.items():
        if not ok:
            print(f"FAIL {name}")
    print(f"{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed, 0 skipped")
    sys.exit(0 if all(checks.values()) else 1)

"""A lesson's printed output beside the expected one. --accept rewrites the expected output."""
import difflib
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
from cases import check, finish
from paths import BUILD, ROOT, TESTS


def without_times(text):
    """Returns the output without the times of \\compare, and their bars. Its columns are as wide as
    their figures.
    """
    text = re.sub(r" *\d+\.\d{3} [█▏▎▍▌▋▊▉]* *\|", " N |", text)
    return re.sub(r" +ms +\|", " ms |", re.sub(r"-{3,}", "---", text))


def run(lesson, normal=lambda text: text, plot=None, args=(), expected=None):
    """Runs examples/LESSON/lesson.sh, compares its output, after `normal`, with EXPECTED.out
    (LESSON.out), and exits. plot: a function that returns whether its SVG is right.
    """
    path = TESTS / "examples" / f"{expected or lesson}.out"
    with tempfile.TemporaryDirectory() as folder:
        svg = os.path.join(folder, "plot.svg")
        p = subprocess.run([ROOT / "examples" / lesson / "lesson.sh", "--build", os.path.relpath(BUILD, ROOT), *args] + (["--plot", svg] if plot else []), stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        out = normal(p.stdout.decode("utf-8", "replace"))
        check("exit", p.returncode == 0)
        if plot:
            check("plot", os.path.exists(svg) and plot(open(svg, encoding="utf-8").read()))
    if "--accept" in sys.argv:
        path.write_text(out, encoding="utf-8")
    wanted = path.read_text(encoding="utf-8") if path.exists() else ""
    check("output", out == wanted, "".join(difflib.unified_diff(wanted.splitlines(True), out.splitlines(True), path.name, "lesson.sh")))
    check("answers agree", "DIFFERENT" not in out)
    sys.exit(finish())

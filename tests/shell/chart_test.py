#!/usr/bin/env python3
"""Tests \\chart: pictures in UTF-8 and ASCII, wrong words, many rows, and the terminal.

    chart_test.py [--accept]    --accept writes the pictures anew
"""
import fcntl
import os
import re
import resource
import struct
import sys
import termios
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run, same
from command import environment, shell
from paths import TESTS, MTSQL
from terminal import Terminal

CHARTS = TESTS / "shell" / "charts"


def draw(sql, words="", **env):
    """Returns what \\chart prints for a query, and the exit code."""
    p = shell("-q", text=f"{sql}\n\\chart {words}\n", env=environment(**env))
    return p.stdout + re.sub(r"^mtsql:<stdin>:\d+: ", "", p.stderr), p.returncode


def pictures(name, locale):
    p = shell("-q", "-v", f"blocks={locale != 'C'}", "-f", str(CHARTS / "charts.sql"), env=environment(LC_ALL=locale))
    path = CHARTS / name
    if "--accept" in sys.argv:
        path.write_text(p.stdout + p.stderr, encoding="utf-8")
    got, want = p.stdout + p.stderr, path.read_text(encoding="utf-8")
    parts = lambda text: dict(part.partition("\n")[::2] for part in text.split("== ")[1:])
    for title, picture in parts(want).items():
        same(f"{name}: {title}", parts(got).get(title), picture)
    same(f"{name}: the whole", got, want)
    return got


def test_utf8():
    pictures("utf8.txt", "C.UTF-8")


def test_ascii():
    got = pictures("ascii.txt", "C").replace("Küche 東京", "")
    check("ASCII has only ASCII", got.isascii(), [c for c in got if not c.isascii()])


def test_errors():
    series = "SELECT 1 AS a, 'x' AS b"
    for sql, words, wanted in [
        (series, "pie", 'ERROR:  \\chart: unknown kind "pie"\nHINT:  Kinds are line, bar, scatter, hist and heat. The name of a file ends with .svg or .png.\n'),
        (series, "lin", 'ERROR:  \\chart: unknown kind "lin"\nHINT:  Perhaps you meant line.\n'),
        (series, "line bar", 'ERROR:  \\chart: more than one kind: "bar"\n'),
        (series, "titel=x", 'ERROR:  \\chart: unknown option "titel"\nHINT:  Perhaps you meant title.\n'),
        (series, "style=wide", 'ERROR:  \\chart: invalid value for style: "wide"\nHINT:  The value is auto|braille|blocks|ascii.\n'),
        (series, "width=1", 'ERROR:  \\chart: invalid value for width: "1"\nHINT:  The value is NUMBER.\n'),
        (series, "x=c", 'ERROR:  \\chart: the query has no column "c" for x\n'),
        (series, "x=3", 'ERROR:  \\chart: the query has no column "3" for x\n'),
        ("SELECT 1 AS watts", "y=wats", 'ERROR:  \\chart: the query has no column "wats" for y\nHINT:  Perhaps you meant "watts".\n'),
        (series, "line y=b", 'ERROR:  \\chart line: y must be a number, but column "b" is text\n'),
        ("SELECT 'x' AS b", "", "ERROR:  \\chart bar: the query has no column of numbers to draw\nHINT:  Add a number, for example count(*) and GROUP BY.\n"),
        ("SELECT 1 AS b", "heat", "ERROR:  \\chart heat: the query has only one column\nHINT:  Select a column for each axis, and a number for the shade.\n"),
        ("SELECT now() AS t, g, g::text AS s FROM generate_series(1, 25) g", "",
         "ERROR:  \\chart: more than 24 series\nHINT:  Filter or group the query, name another column with by=, or draw \\chart heat.\n"),
        ("SELECT 'a' AS k, 's' AS s, 1 AS n FROM generate_series(1, 2)", "",
         'ERROR:  \\chart bar: two rows for bar "a", series "s"\nHINT:  Group the query by both columns.\n'),
        ("SELECT nothing", "", 'ERROR:  column "nothing" does not exist\nLINE 1: SELECT nothing\n               ^\n'),
    ]:
        same(f"{sql} \\chart {words}", draw(sql, words), (wanted, 3))
    same("no query", draw("", "line"), ("error: \\chart cannot be used with an empty query\n", 3))


def test_words():
    text, _ = draw("SELECT 1 AS \"A b\", 2 AS c", "line x='\"A b\"' y=C height=6")
    check("a name with capital letters and a space", text.startswith("c\n"), text)
    text, _ = draw("CREATE TEMP TABLE t (v bigint)", "")
    same("a statement without rows is run, and draws nothing", text, "")
    p = shell("-q", text="SELECT 1 AS one;\n\\chart height=6\nSELECT 2 AS two\n\\g\n\\chart height=6\n")
    check("the last query is drawn again", "two" in p.stdout.rsplit("(1 row)", 1)[1], p.stdout)
    p = shell("-q", text="\\h \\chart\n")
    check("\\h lists the kinds and the options", all(w in p.stdout for w in ("scatter ", "scale=linear|log", "theme=")), p.stdout)


def bounded(sql, words, kilobytes):
    """Draws, and checks that the memory of the process stays below a limit. AddressSanitizer needs
    memory of its own.
    """
    if "/asan/" in MTSQL:
        kilobytes = 1 << 40
    p = shell("-q", text=f"{sql}\n\\chart {words}\n", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (kilobytes << 10,) * 2))
    same(f"{words}: bounded memory", (p.returncode, p.stderr), (0, ""))
    return p.stdout


def test_many_rows():
    rows = "SELECT timestamp '2024-05-01' + (g * 7919 % 100000) * interval '1 s' AS t, sin(g) * 100 + CASE g WHEN 77777 THEN 900 ELSE 0 END AS v, g FROM generate_series(1, 100000) g"
    text = bounded(rows, "line y=v height=12", 200000)
    check("line: the highest of many points is drawn", "1000 ┤" in text and re.search(r"[⠀-⣿]", text.split("\n")[2] + text.split("\n")[1]), text)
    text = bounded("SELECT g % 1000 AS x, g / 1000 AS y FROM generate_series(0, 99999) g", "scatter height=12", 200000)
    check("scatter: all cells are drawn", text.count("⣿") > 200, text)
    text = bounded("SELECT g % 1000 AS v FROM generate_series(0, 99999) g", "hist height=8", 200000)
    check("hist: the counts are exact", re.search(r"^5000 ┤█+$", text, re.M), text)
    text = bounded("SELECT x::float8 FROM (SELECT CASE WHEN g > 9000 THEN 1e200 ELSE g END AS x, g FROM generate_series(1, 18000) g) s ORDER BY g", "hist height=7", 200000)
    check("hist: later values are far beyond the first ones", re.search(r"^10000 ┤▆+ +▆+$", text, re.M) and "1e+200" in text, text)
    for type, low, high in (("timestamp", "4713-01-01 BC", "294000-01-01"), ("interval", "-170000000 years", "170000000 years")):
        text = bounded(f"VALUES ({type} '{low}'), ('{high}')", "hist height=5", 200000)
        check(f"hist: the largest range of {type}", re.search(r"^1 ┤█+ +█+$", text, re.M), text)
    text = bounded("SELECT 'n' || g AS k, g AS n FROM generate_series(1, 5000) g", "bar", 200000)
    check("bar: the rest is counted", text.endswith("(4800 more rows are not drawn; add LIMIT or GROUP BY)\n") and len(text.split("\n")) == 202, text[-300:])


SVG = "{http://www.w3.org/2000/svg}"
TWO = "SELECT g, g * g % 7 AS a, 10 - g * g % 5 AS b FROM generate_series(0, 10) g"


def strokes(svg):
    """Returns the number of points on each line of a series, by colour."""
    found = {}
    for path in svg.iter(SVG + "path"):
        match = re.search(r"stroke:rgb\(([^)]*)\)", path.get("style") or "")
        if match and len(path.get("d").split()) > 8:
            color = tuple(round(float(part.strip("% ")) * 2.55) for part in match[1].split(","))
            found[color] = path.get("d").count("L ") + 1
    return found


def test_svg(folder):
    path = os.path.join(folder, "a=b.svg")
    same("svg: nothing is printed", draw(TWO, f"line x=1 title='A & B' {path}"), ("", 0))
    svg = ElementTree.parse(path).getroot()
    same("svg: size", (svg.get("width"), svg.get("height"), svg.get("viewBox")), ("900px", "450px", "0 0 900 450"))
    same("svg: title and description", (svg.find(SVG + "title").text, svg.find(SVG + "desc").text), ("A & B", "g: a, b"))
    same("svg: a line through the points of each series", strokes(svg), {(0, 114, 178): 11, (213, 94, 0): 11})
    glyphs = len(list(svg.iter("{http://www.w3.org/2000/svg}use")))
    same("svg: as many characters as title, legend and labels have", glyphs, len("A & Bab") + len("0246810") + len("012345678910") + len("g"))
    same("svg: nothing else is left", os.listdir(folder), ["a=b.svg"])
    draw(TWO, f"line x=1 theme=dark width=1800 height=400 {path}")
    svg = ElementTree.parse(path).getroot()
    same("svg: another size", svg.get("viewBox"), "0 0 1800 400")
    check("svg: other colours on dark", (0, 114, 178) not in strokes(svg) and len(strokes(svg)) == 2, strokes(svg))


def test_png(folder):
    for kind, sql in {
        "line": TWO, "bar": "SELECT 'a' AS k, 1 AS n", "scatter": TWO, "hist": "SELECT g FROM generate_series(1, 9) g",
        "heat": "SELECT g % 3 AS x, g % 2 AS y, g FROM generate_series(1, 9) g", "bar x=1": TWO,
    }.items():
        path = os.path.join(folder, "x.png")
        same(f"png: {kind}", draw(sql, f"{kind} width=640 height=360 {path}"), ("", 0))
        with open(path, "rb") as f:
            head = f.read(33)
        same(f"png: {kind}: header and size", (head[:8], head[12:16], struct.unpack(">II", head[16:24])), (b"\x89PNG\r\n\x1a\n", b"IHDR", (640, 360)))


def test_file_errors(folder):
    path = os.path.join(folder, "none", "x.svg")
    same("a folder that isn't there", draw(TWO, path), (f'ERROR:  could not write the file "{path}": No such file or directory\n', 3))
    path = os.path.join(folder, "x.svg")
    same("no rows: no file", draw("SELECT 1 AS v WHERE false", path), ("(0 rows)\n", 0))
    same("two files", draw(TWO, f"{path} {path}"), (f'ERROR:  \\chart: more than one file: "{path}"\n', 3))
    same("without the library", draw(TWO, path, MTSQL_EXTENSIONS=folder),
         ('ERROR:  \\chart: the library "chart_cairo.so", which draws files, is not installed\n', 3))
    p = shell("-q", "--restricted", text=f"{TWO}\n\\chart {path}\n")
    check("a restricted session writes no file", p.returncode == 3 and "restricted session" in p.stderr, p.stderr)
    same("nothing is written", os.listdir(folder), [])
    same("what is not drawn is printed", draw("SELECT NULL AS t, 1 AS v UNION ALL SELECT '2024-05-01'::date, 2", path),
         ("(1 row is not drawn, because a value is NULL)\n", 0))


def terminal(rows, columns, **env):
    t = Terminal(**{"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **env})
    resize(t, rows, columns)
    t.until("=> ")
    return t


def resize(t, rows, columns):
    fcntl.ioctl(t.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def answer(t, text):
    """Returns the output for a line without its echo. The echo of the query ends where the picture
    begins.
    """
    t.send(text + "\n")
    t.until(text[-8:])
    return t.until("=> ")


def lines_of(text):
    """Returns the lines of a picture without colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", text).replace("\r", "").strip("\n").split("\n")


def test_colours():
    for env, colours in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        t = terminal(24, 60, **env)
        t.send("\\set q 'SELECT g, g AS a, 10 - g AS b FROM generate_series(0, 10) g'\n\\echo :{?q}\n")
        t.until("TRUE")  # a prompt may be drawn again while a long line is typed
        t.until("=> ")
        text = answer(t, ":q \\chart line x=1").split("\r\n", 1)[1]
        check(f"{env}: colours", ("\x1b[38;5;33m" in text and "\x1b[38;5;208m" in text) == colours, repr(text))
        check(f"{env}: without colours, marks tell series apart", ("•" in text and "+" in text) != colours, repr(text))
        widest = max(map(len, lines_of(text)))
        check(f"{env}: the width of the window", 50 < widest <= 60, widest)
        t.send("\\q\n")
        same(f"{env}: exit", t.end(), 0)


def test_pager():
    """Colours take no room, so a picture that fits in the window does not go through the pager.
    less gets the option to show colours.
    """
    t = terminal(24, 60, MTSQL_PAGER="sed s/^/paged:$LESS:/", LESS=None)
    text = answer(t, "SELECT g, g % 7 AS a FROM generate_series(0, 300) g \\chart line x=g")
    check("pager: not for a picture", "paged:" not in text and "\x1b[38;5;33m" in text, repr(text))
    check("pager: for a long one", "paged:R:" in answer(t, "SELECT g, g % 7 AS a FROM generate_series(0, 300) g \\chart height=40"))
    t.send("\\q\n")
    same("pager: exit", t.end(), 0)


def watched(t):
    """Returns the next picture, and by how many lines the cursor moved up before it."""
    up = t.until("A\r\x1b[J").rpartition("\x1b[")[2]
    t.until("(every 0.1s)\r\n")
    text = t.until("\x1b[")
    t.seen = "\x1b[" + t.seen
    return lines_of(text), up


def test_watch():
    t = terminal(24, 60, NO_COLOR="1")
    answer(t, "SELECT g, g * g AS square FROM generate_series(0, 10) g \\chart line height=8")
    t.send("\\watch 0.1\n")
    first, up = watched(t)
    same("watch: the picture", (first[0], len(first)), ("square", 8))
    same("watch: the next picture begins where the last one did", up, str(1 + len(first)))
    same("watch: the same picture again", watched(t), (first, up))
    resize(t, 24, 40)
    t.until("\x1b[H\x1b[2J")
    wide = max(map(len, watched(t)[0]))
    check("watch: a new size draws a picture of that size at once", 30 < wide <= 40, wide)
    t.send("\x03")
    t.until("=> ")
    answer(t, "SELECT 40 + 2 AS answer;")
    text = answer(t, "\\watch 0.1 c=1")
    check("watch: after another query, its rows are printed", "(1 row)" in text and "42" in text, text)
    t.send("\\q\n")
    same("watch: exit", t.end(), 0)


def test_complete():
    t = terminal(24, 80, TERM="xterm")
    t.send("SELECT 1 AS a \\chart hi\tsty\tasc\theig\t6\n")
    t.until("rows\r\n")
    lines = lines_of(t.until("=> "))
    check("kinds, options and values are completed", "#####" in lines[0] and len(lines) == 7, lines)
    t.send("\\q\n")
    t.end()


if __name__ == "__main__":
    sys.exit(run(globals()))

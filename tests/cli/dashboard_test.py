#!/usr/bin/env python3
"""--dashboard: the panels on a terminal, in a pipe and as a page, the variables, and the errors of
a file. In the page, no text of the data becomes markup. Chromium, if it is installed, draws it.
"""
import os
import re
import signal
import sys
import termios

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import browser
from cases import check, run, same
from command import environment, shell, start
from dashboards import Board
from terminal import Screen
from waiting import HANG_S, until

POWER = """CREATE TABLE power (time timestamptz TIME PERIOD '1 h' NOT NULL, house text DIMENSION NOT NULL, watts bigint MEASURE NOT NULL) USING rows;
INSERT INTO power SELECT t, h, 100 * length(h) + extract(hour FROM t)::int FROM generate_series(timestamptz '2024-05-01', '2024-05-02 23:00', '1 hour') t, unnest(ARRAY['north', 'south', 'west']) h;"""
FILE = r"""-- power of houses
\dashboard 'Power of houses' refresh=100ms
\default house north
\default range '1 day'
\set shown 'house = ' :'house' ' AND time > (SELECT max(time) FROM power) - interval ' :'range'
SET timezone = 'UTC';

\panel 'Records'
SELECT count(*) AS records FROM power WHERE house = :'house';
\panel 'Newest'
SELECT max(time)::text FROM power
\g
\panel 'Watts' wide
SELECT time, watts FROM power WHERE :shown ORDER BY time
\chart line
\panel 'By house'
SELECT house, sum(watts) FROM power GROUP BY house ORDER BY house
\chart bar
\panel 'Rows'
SELECT time, watts FROM power WHERE :shown ORDER BY time LIMIT 5;
"""


def store(folder, sql=POWER):
    path = os.path.join(folder, "s.mts")
    r = shell("-q", "-v", "ON_ERROR_STOP=1", path, text=sql)
    same("the store is made", (r.returncode, r.stderr), (0, ""))
    return path


def file(folder, text, name="d.sql"):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def page(folder, text, *args, code=0):
    """Returns the page of a dashboard over the folder's store, and the reported errors."""
    out = os.path.join(folder, "page.html")
    r = shell("--dashboard", file(folder, text), "-o", out, *args, *([os.path.join(folder, "s.mts")] if os.path.exists(os.path.join(folder, "s.mts")) else []))
    same("the page: exit, output", (r.returncode, r.stdout), (code, ""))
    with open(out, encoding="utf-8") as f:
        return Board(f.read()), r.stderr


def test_pipe(folder):
    path, board = store(folder), file(folder, FILE)
    r = shell("--dashboard", board, path)
    same("exit", (r.returncode, r.stderr), (0, ""))
    lines = r.stdout.splitlines()
    same("title and variables", lines[0], "Power of houses   house = north, range = 1 day")
    check("two numbers side by side", re.fullmatch(r"── Records ─+   ── Newest ─+", lines[2]) and re.fullmatch(r"48 records +2024-05-02 23:00:00\+00 max", lines[3]), r.stdout)
    same("each line has the width of the screen at most", [x for x in lines if len(x) > 80], [])
    same("the titles", re.findall(r"^── (.+?) ─+$", r.stdout, re.M), ["Records ───────────────────────────   ── Newest", "Watts", "By house", "Rows"])
    check("a line", "┤" in r.stdout and "time (UTC)" in r.stdout and "⠒" in r.stdout, r.stdout)
    check("bars", re.search(r"^south │█+▏? 24552$", r.stdout, re.M) or re.search(r"^south │█+", r.stdout, re.M), r.stdout)
    check("a table", re.search(r"^ 2024-05-02 00:00:00\+00 \|   500$", r.stdout, re.M), r.stdout)
    wide = shell("-P", "columns=120", "--dashboard", board, path).stdout
    check("panels side by side", re.search(r"^── By house ─+   ── Rows ─+$", wide, re.M), wide)
    plain = shell("--dashboard", board, path, env=environment(LC_ALL="C", LANG="C")).stdout
    check("without UTF-8", plain.isascii() and "-- Records -" in plain, plain)
    r = shell("--dashboard", board, "-o", f"{folder}/out.txt", path)
    same("-o FILE", (r.returncode, r.stdout, open(f"{folder}/out.txt", encoding="utf-8").read()), (0, "", "\n".join(lines) + "\n"))


def test_script(folder):
    """The file also runs as a script."""
    path, board = store(folder), file(folder, FILE)
    r = shell("-f", board, path)
    same("exit", (r.returncode, r.stderr), (0, ""))
    check("titles, rows and charts", all(x in r.stdout for x in ("Power of houses\n", "\nWatts\n", "48\n(1 row)", "┤", "(5 rows)")), r.stdout)
    r = shell("-q", "-At", "-v", "house=west", "-f", board, path)
    check("quiet: no titles", "Watts" not in r.stdout and r.stdout.startswith("48\n"), r.stdout)
    r = shell("-At", "-c", "\\default a 1", "-c", "\\default a 2", "-c", "\\echo :a")
    same("\\default keeps a value", r.stdout, "1\n")


def test_variables(folder):
    store(folder)
    p, _ = page(folder, FILE)
    same("defaults", p.variables, {"house": "north", "range": "1 day"})
    p, _ = page(folder, FILE, "-v", "house=west", "-v", "range=3 hours")
    same("-v", p.variables, {"house": "west", "range": "3 hours"})
    check("they are used", "402" not in p.panel("Rows")["text"] and "421" in p.panel("Rows")["text"] and "420" not in p.panel("Rows")["text"], p.panel("Rows")["text"])
    p, _ = page(folder, r"""SELECT count(*) AS n FROM power \gset
\default n 7
\panel N
SELECT :n AS n;
\if :{?more}
\panel More
SELECT 1;
\endif
""")
    same("a query sets a variable, and \\if leaves a panel out", ([x["title"] for x in p.panels], p.panel("N")["text"].split()), (["N"], ["144", "n"]))


def test_page(folder):
    store(folder)
    p, said = page(folder, FILE)
    same("nothing is reported", said, "")
    same("the title", p.title, "Power of houses")
    same("the panels", [(x["title"], x["classes"]) for x in p.panels], [("Records", ["panel", "number"]), ("Newest", ["panel", "number"]), ("Watts", ["panel", "chart", "wide"]), ("By house", ["panel", "chart"]), ("Rows", ["panel", "table"])])
    same("the charts", [x["svg"] for x in p.panels], [0, 0, 1, 1, 0])
    same("what they show", p.labels, ["line of watts by time (UTC)", "bar of sum by house"])
    check("their texts are texts", all(x in p.panel("Watts")["text"] for x in ("watts", "time (UTC)")) and "24552" in p.panel("By house")["text"], p.panel("By house")["text"])
    check("the time", re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC", p.text))
    text = open(f"{folder}/page.html", encoding="utf-8").read()
    same("nothing is loaded, and nothing runs", re.findall(r"(?i)https?://|url\(|@import|src=|<script|refresh", text), [])


def test_markup(folder):
    """Texts of the file and of the data stay texts."""
    evil = "<script>alert(1)</script>"
    p, said = page(folder, rf"""\dashboard '{evil}'
\default v '"><img src=x>&amp;'
\panel '</h2>{evil}'
SELECT '{evil}' AS "</small>{evil}";
\panel 'chart'
SELECT '{evil}' AS "x</text>", 3 AS "</svg>{evil}" UNION ALL SELECT E'b\x01\u202e', 2
\chart bar
\panel 'lines'
SELECT n AS "{evil}", n * n AS "<b>", '{evil}' AS "by" FROM generate_series(1, 4) n
\chart line by=by x=1 y=2
\panel 'rows'
SELECT n, '{evil}' AS "<i>", E'a\nb' FROM generate_series(1, 2) n;
\panel 'error'
SELECT '{evil}'::int;
""", code=3)
    check("the error is reported", f"d.sql:14: ERROR:  invalid input syntax for type integer: \"{evil}\"" in said, said)
    same("the title", p.title, evil)
    same("the variable", p.variables, {"v": '"><img src=x>&amp;'})
    same("the panels", [x["title"] for x in p.panels], [f"</h2>{evil}", "chart", "lines", "rows", "error"])
    check("their texts", all(evil in x["text"] for x in p.panels), str(p.panels))
    same("the classes", [x["classes"][1] for x in p.panels], ["number", "chart", "chart", "table", "failed"])
    same("no tags but its own", p.tags & {"script", "img", "i", "b", "link", "iframe", "object", "foreignobject"}, set())
    same("no attributes of events", {a for a in p.attributes if a.startswith("on") or a in ("src", "href", "srcdoc")}, set())
    check("no control character", "\x01" not in p.text)


def test_errors_of_panels(folder):
    path = store(folder)
    board = file(folder, r"""\panel 'One'
SELECT 1 / (watts - watts) FROM power;
\panel 'Two'
SELECT nope FROM power
\chart
\panel 'Three'
SELECT 3 AS three;
\panel 'Four'
INSERT INTO power VALUES ('2025-01-01', 'x', 1);
\panel 'Five'
SELECT house FROM power
\chart line y=house
""")
    r = shell("--dashboard", board, path)
    same("exit", r.returncode, 3)
    for line, error in ((2, "division by zero"), (5, 'column "nope" does not exist'), (9, 'cannot write to table "power": the target is read-only'), (12, r"\\chart line: y must be a number")):
        check(f"line {line} is reported", re.search(rf"^mtsql:{board}:{line}: ERROR:  .*{error}", r.stderr, re.M), r.stderr)
    check("the panels say so", re.search(r"ERROR: division by zero", r.stdout) and "3 three" in r.stdout and 'ERROR: column "nope"' in r.stdout, r.stdout)
    same("nothing was written", shell("-At", path, "-c", "SELECT count(*) FROM power").stdout, "144\n")
    p, _ = page(folder, open(board, encoding="utf-8").read(), code=3)
    same("the page has all panels", [x["classes"][1] for x in p.panels], ["failed", "failed", "number", "failed", "failed"])


BAD = {
    "\\dashboard\n": (1, "\\dashboard: missing required argument"),
    "\\dashboard A refresh=soon\n": (1, '\\dashboard: invalid value for refresh: "soon"'),
    "\\dashboard A refresh=0\n": (1, '\\dashboard: invalid value for refresh: "0"'),
    "\\dashboard A refresh=-1s\n": (1, '\\dashboard: invalid value for refresh: "-1s"'),
    "\\dashboard A refresh=nan\n": (1, '\\dashboard: invalid value for refresh: "nan"'),
    "\\dashboard A refresh=25h\n": (1, '\\dashboard: invalid value for refresh: "25h"'),
    "\\dashboard A colour=red\n": (1, '\\dashboard: unknown option "colour=red"'),
    "\\dashboard A B\n": (1, '\\dashboard: unknown option "B"'),
    "\\dashboard A\n\\dashboard B\n": (2, "\\dashboard: a file describes one dashboard"),
    "\\dashboard A\n": (1, "the dashboard has no \\panel"),
    "": (1, "the dashboard has no \\panel"),
    "\n\\panel\n": (2, "\\panel: missing required argument"),
    "\\panel A tall\nSELECT 1;\n": (1, '\\panel: unknown option "tall"'),
    "\\panel A\n\n\\panel B\nSELECT 1;\n": (1, "the panel has no query"),
    "\\panel A\nSELECT 1;\n\\panel B\n": (3, "the panel has no query"),
    "\\panel A\nSELECT 1;\nSELECT 2;\n": (3, "the panel has a query already"),
    "\\panel A\nSELECT 1;\n\\chart\n": (3, "the panel has a query already"),
    "\\panel A\nSELECT 1\n\\panel B\nSELECT 2;\n": (3, "\\panel: the query before it has no end"),
    "SELECT 1;\n\\panel A\nSELECT 1;\n": (1, "the query has no \\panel before it"),
    "SELECT 1\n\\chart\n": (2, "the query has no \\panel before it"),
    "\\panel A\nSELECT 1 AS x\n\\chart lines\n": (3, '\\chart: unknown kind "lines"'),
    "\\panel A\nSELECT 1 AS x\n\\chart line colour=red\n": (3, '\\chart: unknown option "colour"'),
    "\\panel A\nSELECT 1 AS x\n\\chart bins=many\n": (3, '\\chart: invalid value for bins: "many"'),
    "\\panel A\nSELECT 1 AS x\n\\chart x.svg\n": (3, "\\chart: a file, width, height and theme are not for a dashboard"),
    "\\panel A\nSELECT 1 AS x\n\\chart height=10\n": (3, "\\chart: a file, width, height and theme are not for a dashboard"),
    "\\panel A\nSELECT 1 AS x\n\\gset\n": (3, "a panel's query ends with ; or \\chart"),
    "\\panel A\nSELECT 1 AS x\n\\g out.txt\n": (3, "a panel's query ends with ; or \\chart"),
    "\\panel A\n\\bind 1\nSELECT $1;\n": (3, "\\bind is not for a dashboard"),
    "\\panel A\nSELECT 1\n\\watch 2\n": (3, "\\watch is not for a dashboard"),
    "\\panel A\n\\d\n": (2, "\\d is not for a dashboard"),
    "\\panl A\n": (1, "invalid command \\panl"),
    "\\default a\n": (1, "\\default: missing required argument"),
    "\\default a-b 1\n": (1, 'invalid variable name: "a-b"'),
    "\\panel 'A\nSELECT 1;\n": (1, "unterminated quoted string"),
    "\\if true\n\\panel A\nSELECT 1;\n": (3, "reached EOF without finding closing \\endif(s)"),
    "SET nope = 1;\n": (1, 'unrecognized configuration parameter "nope"'),
    "".join(f"\\panel P{i}\nSELECT 1;\n" for i in range(101)): (201, "\\panel: a dashboard has at most 100 panels"),
    "".join(f"\\default v{i} 1\n" for i in range(33)): (33, "\\default: a dashboard has at most 32 variables"),
}


def test_bad_files(folder):
    for text, (line, error) in BAD.items():
        path = file(folder, text)
        for args in ((), ("-o", f"{folder}/no.html")):
            r = shell("--dashboard", path, *args)
            what = f"{text!r:.60} {' '.join(args[:1])}"
            check(f"{what}: the error", re.match(rf"mtsql:{re.escape(path)}:{line}: (error: |ERROR:  ){re.escape(error)}\n", r.stderr), r.stderr)
            same(f"{what}: one error", len(re.findall(r"(?i)error:", r.stderr)), 1)
            same(f"{what}: exit, output", (r.returncode, r.stdout), (3, ""))
    check("no page", not os.path.exists(f"{folder}/no.html"))


def test_bad_calls(folder):
    path, board = store(folder), file(folder, FILE)
    for args, code, error in ((("--dashboard",), 1, "option --dashboard needs an argument: FILE"), (("--dashboard", board, "-c", "SELECT 1"), 1, "option --dashboard cannot be used with other actions"),
                              (("--dashboard", board, "--check-alerts", path), 1, "cannot be used with other actions"), (("--dashbord", board), 1, 'unrecognized option "--dashbord"'),
                              (("--dashboard", f"{folder}/none.sql", path), 3, f"{folder}/none.sql: No such file or directory"), (("--dashboard", folder, path), 3, f"{folder}: it is a directory"),
                              (("--dashboard", board, f"{folder}/none.mts"), 2, f'"{folder}/none.mts" does not exist'),
                              (("--dashboard", board, "-o", f"{folder}/none/x.html", path), 3, "No such file or directory")):
        r = shell(*args)
        check(f"{args}: the error", r.returncode == code and error in r.stderr and not r.stdout, f"{r.returncode} {r.stderr} {r.stdout}")
    check("no store was made", not os.path.exists(f"{folder}/none.mts"))
    page_path = file(folder, "old", "page.html")
    os.chmod(page_path, 0o640)
    shell("--dashboard", board, "-o", page_path, path)
    same("a page replaces the old one, with its permissions", (os.stat(page_path).st_mode & 0o777, open(page_path, encoding="utf-8").read()[:15]), (0o640, "<!DOCTYPE html>"))
    same("no drafts are left", sorted(os.listdir(folder)), ["d.sql", "page.html", "s.mts"])
    r = shell("--dashboard", "-", path, text=FILE)
    check("from standard input", r.returncode == 0 and "48 records" in r.stdout, r.stderr)


def test_many_rows(folder):
    """Panels keep a part of the rows, and say so."""
    text = r"""\panel 'Rows'
SELECT n, repeat('x', 5000) AS long FROM generate_series(1, 100000) n;
\panel 'Points'
SELECT n % 70 AS x, n / 70 % 60 AS y FROM generate_series(1, 300000) n
\chart scatter
\panel 'None'
SELECT 1 AS x, 2.5 AS y WHERE false
\chart
\panel 'No rows'
SELECT 1 AS x WHERE false;
"""
    p, _ = page(folder, text)
    rows = re.search(r"The first (\d+) rows", p.panel("Rows")["text"])
    check("a part of the rows", rows and 100 < int(rows[1]) <= 500, p.panel("Rows")["text"][-300:])
    check("the end of long values is left out", "x" * 4096 + "…" in p.panel("Rows")["text"] and "x" * 4097 not in p.panel("Rows")["text"])
    with open(f"{folder}/page.html", encoding="utf-8") as f:
        same("points on one another are drawn once", f.read().count("<circle"), 70 * 60)
    check("nothing to draw", "No value to draw in 0 rows" in p.panel("None")["text"] and "No rows" in p.panel("No rows")["text"])
    out = shell("--dashboard", f"{folder}/d.sql").stdout
    check("on the terminal, too", re.search(r"^\(the first \d+ rows\)$", out, re.M) and "(0 rows)" in out, out)


def mode(t):
    return termios.tcgetattr(t.fd)[3] & (termios.ICANON | termios.ECHO | termios.ISIG)


def live(*args, **more):
    t = Screen("--dashboard", *args, **more)
    t.raw, read = "", t.read

    def keep():
        text = read()
        t.raw += text
        return text

    t.read = keep
    return t


def test_terminal(folder):
    """The dashboard is drawn in the window's size, again after changes, and until q."""
    path, board = store(folder), file(folder, FILE)
    t = live(board, path, rows=44, columns=100, NO_COLOR="1")
    cooked = termios.ICANON | termios.ECHO | termios.ISIG
    t.shows("q quits")
    same("key by key, without echo, with signals", mode(t), termios.ISIG)
    text = t.text().split("\n")
    same("the first line", text[0], "Power of houses   house = north, range = 1 day")
    check("the last line", re.fullmatch(r"Read at \d\d:\d\d:\d\d, every 0.1s. r reads again, v sets a variable, q quits", text[-1]), text[-1])
    same("it fills the window", len(text), 44)
    check("two panels side by side", any(re.fullmatch(r"── By house ─+   ── Rows ─+", x) for x in text), t.text())
    shell("-q", path, "-c", "INSERT INTO power VALUES ('2024-05-03', 'north', 7)")
    t.shows("49 records")
    t.resize(44, 70)
    t.wait(lambda: any(re.fullmatch(r"── By house ─{58}", x) for x in t.text().split("\n")), "panels below each other")
    t.resize(12, 70)
    t.wait(lambda: "Up and Down" in t.text(), "the rest is below")
    check("the head stays", t.text().startswith("Power of houses"))
    check("the end is not in the window", "24:00" not in t.text() and "Rows" not in t.text(), t.text())
    t.send("\x1b[F")
    t.wait(lambda: re.search(r"\(\d+ more rows\)|2024-05-02 0\d:00:00\+00 \|", t.text()), "the last panel")
    t.send("\x1b[H")
    t.shows("49 records")
    for rows, columns in ((1, 1), (3, 7), (5, 19), (44, 100)):
        t.resize(rows, columns)
        before = len(t.raw)
        t.wait(lambda: len(t.raw) > before + 20, f"{rows} by {columns}")
    t.shows("49 records")
    t.send("q")
    fd = os.dup(t.fd)
    same("q: exit", t.end(), 0)
    t.fd = fd
    check("the screen of before comes back", t.raw.count("\x1b[?1049h") == 1 and t.raw.rstrip().endswith("\x1b[?1049l"), t.raw[-80:])
    same("the mode of before comes back", mode(t), cooked)
    os.close(fd)


def test_new_values(folder):
    """v asks for the value of a variable. The file is read again, so everything that depends on the
    variable changes. An error is shown, and the dashboard stays.
    """
    path, board = store(folder), file(folder, FILE.replace("refresh=100ms", "refresh=1h"))
    t = live(board, path, rows=44, columns=100, NO_COLOR="1")
    last = lambda: t.text().split("\n")[-1]
    ask = lambda keys, shown: (t.send(keys), t.wait(lambda: last().startswith(shown), shown))
    head = lambda values: t.wait(lambda: t.text().startswith(f"Power of houses   {values}") and "q quits" in last(), values)
    head("house = north, range = 1 day")
    ask("v", "Set name=value. Tab")
    ask("\t", "Set house=north")
    ask("\t", "Set range=1 day")
    ask("\t", "Set house=north")
    ask("\x17", "Set house=")
    ask("west", "Set house=west")
    t.send("\r")
    head("house = west, range = 1 day")
    t.wait(lambda: re.search(r"2024-05-02 00:00:00\+00 \|   400", t.text()), "the rows of west, by \\set")
    ask("v", "Set name=value")
    ask("ra\t", "Set range=1 day")
    ask("\x1b[D\x1b[D\x1b[D\x7f3 hours and\x15", "Set day")
    ask("\x05\x15range=\x1b[200~3 hours\n\x1b[201~", "Set range=3 hours")
    t.send("\r")
    head("house = west, range = 3 hours")
    t.wait(lambda: "21:00:00+00 |   421" in t.text() and "20:00:00+00" not in t.text(), "the rows of three hours")
    for cancel in ("\x1b", "\x03", "\x04"):
        ask("v", "Set name=value")
        ask("house=no", "Set house=no")
        t.send(cancel)
        head("house = west, range = 3 hours")
    ask("vnone=1\r", "Set none=1   The dashboard has no such variable")
    ask("\x15house\r", "Set house   Type name=value")
    t.resize(44, 30)
    t.wait(lambda: last().startswith("Set house"), "in a small window")
    t.resize(44, 100)
    ask("\x15range=a\u00e4 while\r", "Read at")
    head("house = west, range = a\u00e4 while")
    t.shows('ERROR: invalid input syntax for type interval: "a\u00e4 while"')
    ask("vrange=2 h\r", "Read at")
    head("house = west, range = 2 h")
    os.rename(board, board + ".away")
    ask("vrange=9 h\r", "Read at")
    t.wait(lambda: "No such file or directory" in last() and "range = 2 h" in t.text(), "the file is away")
    os.rename(board + ".away", board)
    t.send("r")
    head("house = west, range = 2 h")
    t.send("q")
    same("exit", t.end(), 0)
    raw = t.raw.split("\x1b[?1049l")[-1]
    same("nothing is printed outside of the picture", raw.strip(), "")


def test_values_of_statements(folder):
    """A statement of the file runs again, and its error keeps the dashboard as it was. \\if may change the panels."""
    path = store(folder)
    board = file(folder, r"""\default zone UTC
SET timezone = :'zone';
SELECT :'zone' = 'UTC' AS plain \gset
\echo is not seen
\panel Zone
SELECT current_setting('timezone') AS zone;
\if :plain
\panel Plain
SELECT 1 AS one;
\endif
""")
    t = live(board, path, NO_COLOR="1")
    t.shows("v sets a variable")
    check("both panels", "UTC zone" in t.text() and "1 one" in t.text(), t.text())
    t.send("v\x15zone=Nowhere\r")
    t.wait(lambda: "d.sql:2: ERROR:  invalid value" in t.text().split("\n")[-1] and "zone = UTC" in t.text() and "1 one" in t.text(), "the error, and the panels of before")
    t.send("v\x15zone=Asia/Tokyo\r")
    t.wait(lambda: "Asia/Tokyo zone" in t.text() and "Plain" not in t.text(), "one panel")
    t.send("q")
    same("exit", t.end(), 0)
    t = live(file(folder, "\\panel One\nSELECT 1 AS one;\n", "plain.sql"), path, NO_COLOR="1")
    t.shows("r reads again, q quits")
    t.send("v")
    t.shows("The file has no variables")
    t.send("q")
    same("exit", t.end(), 0)


def test_waiting(folder):
    """Without an interval the queries run once, and again by r. An error is in its panel only."""
    path = store(folder)
    board = file(folder, "\\dashboard Here\n\\panel One\nSELECT count(*) AS ones FROM power;\n\\panel Two\nSELECT count(*) AS twos FROM added;\n")
    for ending in ("q", "\x03", "\x04"):
        t = live(board, path, NO_COLOR="1")
        t.shows("q quits")
        check("the error", 'ERROR: relation "added" does not exist' in t.text() and "144 ones" in t.text(), t.text())
        check("no interval", "every" not in t.text())
        shell("-q", path, "-c", "CREATE TABLE added (ts timestamptz TIME, v int) USING rows")
        t.send("r")
        t.shows("0 twos")
        shell("-q", path, "-c", "DROP TABLE added")
        t.send(ending)
        same(f"{ending!r}: exit", t.end(), 0)
        check(f"{ending!r}: the screen of before", "\x1b[?1049l" in t.raw)
    t = live(board, path)
    t.shows("q quits")
    os.kill(t.pid, signal.SIGTERM)
    same("SIGTERM: exit", t.end(), -signal.SIGTERM)
    check("SIGTERM: the screen of before", "\x1b[?1049l" in t.raw, t.raw[-80:])


def test_long_query(folder):
    """Ctrl-C ends a long query at once."""
    board = file(folder, "\\panel Long\nSELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b WHERE a.a * b.b = -1;\n")
    t = live(board, NO_COLOR="1")
    t.shows("Reading Long")
    until(lambda: processor_ms(t.pid) > 300)
    t.send("\x03")
    same("exit", t.end(), 0)


def test_interrupted(folder):
    """Ctrl-C while a page or a text is made: nothing is written, and the old page stays."""
    board, out = file(folder, "\\panel One\nSELECT 1 AS one;\n\\panel Long\nSELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b WHERE a.a * b.b = -1;\n"), file(folder, "old", "p.html")
    for args in ((), ("-o", out)):
        p = start("--dashboard", board, *args)
        until(lambda: processor_ms(p.pid) > 300, p)
        p.send_signal(signal.SIGINT)
        printed, said = p.communicate(timeout=HANG_S)
        same(f"{args}: exit, output", (p.returncode, printed), (3, ""))
        check(f"{args}: the error", "ERROR:  canceling statement due to user request" in said, said)
        same(f"{args}: the old page", open(out, encoding="utf-8").read(), "old")


def processor_ms(pid):
    """Returns the processor time that a process has used. It grows while its query runs."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
        return sum(int(x) for x in f.read().rpartition(") ")[2].split()[11:13]) * 1000 / os.sysconf("SC_CLK_TCK")


def test_drawn(folder):
    """Chromium: in light and dark, wide and narrow, every panel has ink, and nothing is cut off or lies on another."""
    store(folder)
    page(folder, FILE)
    drawn(f"{folder}/page.html", folder)


def drawn(path, folder):
    boxes = """[...document.querySelectorAll('.panel')].map(e => { const b = e.getBoundingClientRect();
        return {title: e.querySelector('h2').textContent, box: [b.left, b.top, b.right, b.bottom].map(Math.round),
                out: [...e.querySelectorAll('*')].filter(x => { const c = x.getBoundingClientRect(); return !x.parentElement.closest('.rows, .plot') && (c.left < b.left || c.right > b.right || c.top < b.top || c.bottom > b.bottom); }).map(x => x.outerHTML.slice(0, 99))}; })"""
    letters = "[...document.querySelectorAll('svg')].map(e => e.getAttribute('font-size') * e.getBoundingClientRect().width / e.viewBox.baseVal.width)"
    for width in (1280, 1000, 600):
        found = browser.measure(path, f"{{wide: document.documentElement.scrollWidth, window: innerWidth, high: document.documentElement.scrollHeight, letters: {letters}, panels: {boxes}}}", width)
        same(f"{width}: letters of charts have 8 to 16 pixels", [x for x in found["letters"] if not 8 <= x <= 16], [])
        same(f"{width}: as wide as the window", found["wide"], found["window"])
        same(f"{width}: nothing leaves its panel", [p["out"] for p in found["panels"] if p["out"]], [])
        for i, a in enumerate(found["panels"]):
            for b in found["panels"][:i]:
                (l, t, r, d), (l2, t2, r2, d2) = a["box"], b["box"]
                check(f"{width}: {a['title']} beside {b['title']}", r <= l2 or r2 <= l or d <= t2 or d2 <= t, f"{a} {b}")
        for dark in (False, True):
            picture = f"{folder}/{width}-{dark}.png"
            browser.screenshot(path, picture, width, found["high"], dark)
            image = browser.picture(picture)
            paper = (27, 32, 39) if dark else (255, 255, 255)
            for p in found["panels"]:
                left, top, right, bottom = p["box"]
                seen = browser.colours(image, (left + 4, top + 4, right - 4, bottom - 4))
                size = sum(seen.values())
                ink = size - seen.get(paper, 0)
                what = f"{width} {'dark' if dark else 'light'}: {p['title']}"
                check(f"{what}: paper and ink", size - ink > size / 4 and ink > 300, f"{ink} of {size}")
                check(f"{what}: several colours", len(seen) > 8, str(len(seen)))
                same(f"{what}: the margin is free", set(browser.colours(image, (right - 6, top + 12, right - 5, bottom - 12))), {paper})


if __name__ == "__main__":
    sys.exit(run(globals(), *sys.argv[1:]))

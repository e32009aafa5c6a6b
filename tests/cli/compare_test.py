#!/usr/bin/env python3
"""\\compare: the table with its bars, and the page. The page must have every layout. It marks the
parts that are read according to EXPLAIN. No text of the data becomes markup. Chromium, if it is
installed, draws the page.
"""
import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import browser
from cases import check, run, same
from command import environment, shell
from comparison import Page
from terminal import Terminal

POWER = """CREATE TABLE power (time timestamptz TIME PERIOD '1 min' NOT NULL, house text DIMENSION NOT NULL, room text DIMENSION NOT NULL, watts bigint MEASURE NOT NULL) USING rows;
ALTER TABLE power ADD LAYOUT packed USING nested WITH (cluster_by = 'house', levels = 'time, room', presum = 'time');
ALTER TABLE power ADD LAYOUT daily USING per_day;
ALTER TABLE power ADD LAYOUT sums USING nested WITH (levels = 'time, house, room', raw_values = false);
INSERT INTO power SELECT t, h, r, 7 FROM generate_series(timestamptz '2024-05-01', '2024-05-02 23:59', '1 minute') t, unnest(ARRAY['north', 'south']) h, unnest(ARRAY['attic', 'bath']) r;"""
HITS = """CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
ALTER TABLE hits ADD LAYOUT tree USING daily_metrics WITH (style = 'hierarchical');
INSERT INTO hits SELECT timestamptz '2010-10-03 00:00+00' + n * interval '1 minute', 'metric-' || m, 1 FROM generate_series(0, 2879) n, generate_series(1, 3) m;"""
# Each query, and what its layouts read of a document, found by hand from the layouts' documents.
QUERIES = {
    "SELECT house, sum(watts) FROM power GROUP BY house": {"rows": "house, watts", "packed": "house, sum_watts", "daily": "house, values.0", "sums": "_._._.0, _._.d"},
    "SELECT count(*) FROM power": {"rows": "", "packed": "count", "daily": "values[]", "sums": "count"},
    "SELECT max(watts) FROM power WHERE room = 'attic'": {"rows": "room, watts", "packed": "_._.d, _._.v.0", "daily": "room, values.0", "sums": None},
    "SELECT ts, sum(hits) FROM hits WHERE metric = 'metric-1' AND ts >= '2010-10-03 12:00+00' AND ts < '2010-10-03 12:30+00' GROUP BY ts": {"daily_metrics": "_id, minute.*", "tree": "_id, minute.*.*"},
    "SELECT metric, sum(hits) FROM hits WHERE ts >= '2010-10-03' AND ts < '2010-10-04' GROUP BY metric": {"daily_metrics": "_id, daily", "tree": "_id, daily"},
}


def store(folder, sql=POWER + HITS):
    path = os.path.join(folder, "s.mts")
    r = shell("-q", "-v", "ON_ERROR_STOP=1", path, text=sql)
    same("the store is made", (r.returncode, r.stderr), (0, ""))
    return path


def page(path, file, query):
    r = shell(path, "-c", f"\\compare {file} {query}")
    same(f"{query}: nothing is printed", (r.returncode, r.stdout, r.stderr), (0, "", ""))
    with open(os.path.join(os.path.dirname(path), file), encoding="utf-8") as f:
        return f.read()


def explained(path, layout, query):
    """Returns the fields that a layout reads according to EXPLAIN. None: the layout can't answer.
    """
    r = shell("-qAt", path, "-c", f"SET layout = '{layout}'", "-c", f"EXPLAIN (VERBOSE, FORMAT JSON) {query}")
    if r.returncode:
        return None
    read = json.loads(r.stdout)[0]["fields_read"]
    return [p for paths in read.values() for p in paths]


def is_read(path, fields):
    """Returns whether a part of a document is read, by the paths of EXPLAIN."""
    names = path.split(".")
    return any(len(f) <= len(names) and all(a in ("*", b) for a, b in zip(f, names)) for f in (x.split(".") for x in fields if not x.endswith("[]")))


def table(out):
    rows = [[c.strip() for c in line.split("|")] for line in out.splitlines() if "|" in line]
    return rows[0], rows[1:]


def test_table(folder):
    path, query = store(folder), "\\compare SELECT house, sum(watts) FROM power GROUP BY house"
    head, rows = table(shell(path, "-c", query).stdout)
    same("the columns", head, ["layout", "cut", "documents", "bytes stored", "bytes touched", "ms", "runs", "rows"])
    same("the layouts", [r[0] for r in rows], ["rows", "packed", "daily", "sums"])
    same("the runs", [r[6] for r in rows], ["5"] * 4)
    touched = [re.fullmatch(r"(\d+) ([█▏▎▍▌▋▊▉]+)", r[4]) for r in rows]
    if check("each number of bytes has a bar", all(touched), str(rows)):
        most = max(int(m[1]) for m in touched)
        width = {"█": 8, "▉": 7, "▊": 6, "▋": 5, "▌": 4, "▍": 3, "▎": 2, "▏": 1}
        for m in touched:
            same(f"the bar of {m[1]}", sum(width[c] for c in m[2]), max(1, int(int(m[1]) / most * 80 + 0.5)))
    times = [re.fullmatch(r"(\d+\.\d{3}) ([█▏▎▍▌▋▊▉]+)", r[5]) for r in rows]
    if check("each time has a bar", all(times), str(rows)):
        slowest = max(times, key=lambda m: float(m[1]))
        same("the slowest has the longest", slowest[2], "█" * 10)
    plain = shell(path, "-c", query, env=environment(LC_ALL="C", LANG="C")).stdout
    check("bars without UTF-8", plain.isascii() and "#" * 10 in plain, plain)
    for width, bar in ((100, "█" * 5), (75, "")):
        out = shell(path, "-c", f"\\pset columns {width}", "-c", query).stdout
        longest = max(len(line) for line in out.splitlines() if "|" in line)
        check(f"it fits on {width} columns", longest <= width or not bar, out)
        check(f"bars on {width} columns", (bar in out) if bar else "█" not in out, out)
    out = shell("-At", path, "-c", query).stdout
    check("no bars for programs", re.fullmatch(r"(\w+\|\w+\|\d+\|\d+\|\d+\|\d+\.\d{3}\|5\|2\n){4}", out), out)
    out = shell(path, "-c", query.replace("compare", "compare+")).stdout
    check("the pipelines", all(f'db.getCollection("power{c}")' in out for c in ("", "_packed", "_daily", "_sums")), out)


def test_long_run(folder):
    """A run of more than a second is not repeated."""
    path = store(folder, "CREATE TABLE t (ts timestamptz TIME, v bigint MEASURE) USING rows; INSERT INTO t VALUES ('2024-01-01', 1);")
    out = shell("-At", path, "-c", "\\compare SELECT v FROM t WHERE pg_sleep(1.1 * v) IS NOT NULL").stdout.split("|")
    check("one run", len(out) == 8 and out[6] == "1" and float(out[5]) > 1000, str(out))


def test_cancel(folder):
    """Ctrl-C returns the prompt at once, and no page is written."""
    path = store(folder, "CREATE TABLE t (ts timestamptz TIME, v bigint MEASURE) USING rows; INSERT INTO t SELECT timestamptz '2024-01-01' + n * interval '1 s', n FROM generate_series(1, 3000) n;")
    for command in ("\\compare", f"\\compare {folder}/no.html"):
        t = Terminal(path)
        t.until("=> ")
        t.send(f"{command} SELECT count(*) FROM t a, t b, t c WHERE a.v + b.v * c.v = 0\n")
        time.sleep(1)
        t.send("\x03")
        start = time.monotonic()
        got = t.until("=> ")
        check(f"{command}: Ctrl-C", "canceling statement" in got and time.monotonic() - start < 5, got)
        t.send("SELECT 6 * 7;\n")
        check(f"{command}: the next statement", "42" in t.until("(1 row)"))
        t.send("\\q\n")
        t.end()
    check("no page", not os.path.exists(f"{folder}/no.html"))


def test_page(folder):
    os.chdir(folder)
    path = store(folder)
    for query, by_layout in QUERIES.items():
        p = Page(page(path, "p.html", query))
        same(f"{query}: the layouts", list(p.lines), list(by_layout))
        check(f"{query}: it is there", query in p.text)
        for layout, by_hand in by_layout.items():
            what, fields, lines = f"{query}: {layout}", explained(path, layout, query), p.lines[layout]
            same(f"{what}: EXPLAIN", None if fields is None else ", ".join(sorted(fields)), by_hand)
            check(f"{what}: a document", lines)
            shown = [x for x in lines if "more" not in x["classes"]]
            marked = {x["path"] for x in shown if "read" in x["classes"]}
            same(f"{what}: what is marked", marked, {x["path"] for x in shown if is_read(x["path"], fields or [])})
            same(f"{what}: marks", p.marks[layout], len([x for x in lines if "read" in x["classes"]]))
            counted = {x["path"] + "[]" for x in shown if "counted" in x["classes"]}
            same(f"{what}: what is counted", counted, {f for f in fields or [] if f.endswith("[]")})
            same(f"{what}: the fields", p.codes[layout][1:], fields or [])
            check(f"{what}: every field that is read is shown", all(any(is_read(x["path"], [f.removesuffix("[]")]) for x in shown) for f in fields or []), str(fields))


def test_figures(folder):
    """The page's figures are those of EXPLAIN ANALYZE, and of the table."""
    os.chdir(folder)
    path = store(folder)
    query = "SELECT house, sum(watts) FROM power GROUP BY house ORDER BY house"
    p = Page(page(path, "p.html", query))
    rows = [dict(r) for r in p.costs if r]
    _, printed = table(shell("-P", "columns=60", path, "-c", f"\\compare {query}").stdout)
    same("a row for each layout", len(rows), 4)
    for row, line in zip(rows, printed):
        r = shell("-qAt", path, "-c", "SET enable_columns = off", "-c", f"SET layout = '{line[0]}'", "-c", f"EXPLAIN (ANALYZE, FORMAT JSON) {query}")
        plan = json.loads(r.stdout)[0]
        same(f"{line[0]}: read", (row["documents"], row["bytes"]), (plan["documents_read"], plan["bytes_touched"]))
        same(f"{line[0]}: stored", (row["bytes"], row["stored"]), (float(line[4]), float(line[3])))
        check(f"{line[0]}: a time", row["time"] > 0)
    check("the rows", re.search(r"house\s*sum\s*north\s*40320\s*south\s*40320\s*2 rows", p.text), p.text[-600:])
    check("the runs", "rows of 5 runs, packed of 5 runs" in p.text, p.text[-300:])
    p = Page(page(path, "p.html", "SELECT max(watts) FROM power"))
    why = re.findall(r"sums\s*can’t answer: (.+)", p.text)
    check("why a layout can't answer, in both places", len(why) == 2 and why[0] == why[1] and "max" in why[0], str(why))
    p = Page(page(path, "p.html", "SELECT time, house FROM power"))
    check("the first rows", "The first rows of 11,520 rows" in p.text, p.text[-600:])
    same("ten of them", len(re.findall(r"2024-05-01 00:0\d:00\+00", p.text)), 10)


def test_nothing_else(folder):
    """No scripts, no other files; names and values are text."""
    os.chdir(folder)
    evil = "<script>alert(1)</script>"
    path = store(folder, f"""CREATE TABLE "{evil}" (ts timestamptz TIME NOT NULL, "{evil}" text DIMENSION NOT NULL, "a&quot;'b" bigint MEASURE) USING rows;
        ALTER TABLE "{evil}" ADD LAYOUT "<img src=x onerror=alert(2)>" USING per_day;
        INSERT INTO "{evil}" VALUES ('2024-01-01', '</li></ul><script>alert(3)</script>"''&amp;', 1), ('2024-01-02', E'\\x01\\u202e\\n', NULL);""")
    text = page(path, "p.html", f'SELECT "{evil}", sum("a&quot;\'b") AS "</style><b>" FROM "{evil}" WHERE "{evil}" <> \'<i>\' GROUP BY 1')
    p = Page(text)
    check("no tags but its own", not p.tags & {"script", "img", "i", "link", "iframe", "object"}, str(p.tags))
    same("no attributes but its own", p.attributes - {"class", "data-layout", "data-path", "data-value", "style", "scope", "colspan", "lang", "charset", "name", "content", "http-equiv"}, set())
    same("nothing is loaded", re.findall(r"(?i)https?://|url\(|@import|src=", text.replace("&#60;img src=x", "")), [])
    check("the names are shown", evil in p.text and "<img src=x onerror=alert(2)>" in p.text and "</style><b>" in p.text and "a&quot;'b" in p.text)
    check("the values are shown", "</li></ul><script>alert(3)</script>" in p.text)
    same("the layouts", list(p.lines), ["rows", "<img src=x onerror=alert(2)>"])
    check("no control character", "\x01" not in text)


def test_file(folder):
    """An error leaves the old file, or none. Names, and where the query comes from."""
    os.chdir(folder)
    path = store(folder, POWER)
    for query, error in (("SELECT nope FROM power", 'column "nope" does not exist'), ("SELECT 1", "requires a query over tables"), ("DROP TABLE power", "takes a SELECT"), ("SELECT 1 / (watts - 7) FROM power", "division by zero")):
        r = shell(path, "-c", f"\\compare x.html {query}")
        check(f"{query}: the error", r.returncode and error in r.stderr, r.stderr)
        check(f"{query}: no file", not os.path.exists("x.html"))
    with open("x.html", "w", encoding="utf-8") as f:
        f.write("old")
    shell(path, "-c", "\\compare x.html SELECT nope FROM power")
    with open("x.html", encoding="utf-8") as f:
        same("the old file", f.read(), "old")
    r = shell(path, "-c", "\\compare no/x.html SELECT count(*) FROM power")
    check("no folder", r.returncode and 'could not write the file "no/x.html": No such file or directory' in r.stderr, r.stderr)
    r = shell("--restricted", path, "-c", "\\compare y.html SELECT count(*) FROM power")
    check("restricted", r.returncode and "restricted" in r.stderr and not os.path.exists("y.html"), r.stderr)
    for name, text, file in (("quoted", "\\compare 'a ''b''.html' SELECT count(*) FROM power;\n", "a 'b'.html"), ("upper case", "\\compare C.HTML SELECT count(*) FROM power\n", "C.HTML"),
                             ("the buffer", "SELECT count(*)\nFROM power\n\\compare d.html\n", "d.html"), ("the query before", "SELECT count(*) FROM power;\n\\compare e.html\n", "e.html"),
                             ("two lines", "SELECT count(*)\n\\compare f.html FROM power;\n", "f.html"), ("home", "\\compare ~/g.html SELECT count(*) FROM power\n", "g.html")):
        r = shell("-qAt", path, text=text, env=environment(HOME=folder))
        check(f"{name}: the page", not r.stderr and os.path.exists(file) and "count(*)" in Page(open(file, encoding="utf-8").read()).text, r.stderr)
    same("nothing else is left", sorted(f for f in os.listdir(".") if not f.endswith((".html", ".mts", ".HTML"))), [])


def test_drawn(folder):
    """In light and dark, the page has its background, marks and bars, and nothing is wider than the window."""
    os.chdir(folder)
    path = store(folder, POWER)
    page(path, "p.html", "SELECT house, sum(watts) FROM power GROUP BY house")
    colours = {"light": ((255, 255, 255), (255, 216, 102), (47, 111, 179)), "dark": ((16, 22, 29), (242, 199, 68), (106, 169, 233))}
    for scheme, (paper, read, bar) in colours.items():
        browser.screenshot("p.html", f"{scheme}.png", 900, 1000, dark=scheme == "dark")
        image = browser.picture(f"{scheme}.png")
        seen = browser.colours(image)
        same(f"{scheme}: the paper", image.getpixel((0, 0)), paper)
        check(f"{scheme}: marks", seen.get(read, 0) > 2000, str(seen.get(read)))
        check(f"{scheme}: bars", seen.get(bar, 0) > 2000, str(seen.get(bar)))
        same(f"{scheme}: the right margin is free", set(browser.colours(image, (image.width - 20, 0, image.width - 19, image.height))), {paper})


if __name__ == "__main__":
    sys.exit(run(globals(), *sys.argv[1:]))

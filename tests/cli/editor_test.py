#!/usr/bin/env python3
"""The line editor: pasted text, statements of several lines, the history, keys, and the terminal's mode after every end."""
import os
import re
import signal
import sys
import termios
import unicodedata

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, finish, passes, run_one, same
from command import shell
from terminal import Screen, Terminal

UP, DOWN, LEFT, PAGE_UP = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[5~"


def pasted(text):
    return f"\x1b[200~{text}\x1b[201~"


def start(**env):
    s = Screen(**env)
    s.ends_with("mtsql=>")
    return s


def leave(s):
    s.send("\x03\\q\r")
    same("it ends well", s.end(), 0)


def cooked(s):
    return termios.tcgetattr(s.fd)[3] & (termios.ICANON | termios.ECHO) == termios.ICANON | termios.ECHO


def bare(text):
    """Returns the text without accents. The emulator puts one on the character before it, and drops
    another.
    """
    return unicodedata.normalize("NFD", text).replace("\u0301", "")


def pastes():
    s = start()
    s.send(pasted("select a,\r\n\tcount(*)\rfrom (values (1)) v (a)\n\tgroup\tby 1;\n"))
    s.ends_with("\nmtsql=>")
    same("a paste is shown as it is", s.text(), "mtsql=> select a,\nmtsql->         count(*)\nmtsql-> from (values (1)) v (a)\nmtsql->         group   by 1;\nmtsql=>")
    s.send("\r")
    s.shows("(1 row)")
    s.send("\x0c" + pasted("create table p (n int, t text);\ncopy p from stdin;\n1\tone\n2\ttwo\n\\.\nselect t as total from p order by n;"))
    s.ends_with("order by n;")
    check("nothing of it runs before Enter", "CREATE" not in s.text())
    s.send("\r")
    s.shows(" two\n(2 rows)")
    s.fresh()
    s.send(pasted("a\x1b[31mb\x07c\0d"))
    s.ends_with("a[31mbcd")
    s.fresh()
    s.send(pasted("select cardinality (array[" + "1," * 20000 + "1]);") + "\r")
    s.shows(" 20001")
    leave(s)


def lines():
    s = start()
    s.send("SELECT 1,\r2\r")
    s.ends_with("\nmtsql->")
    s.send(f"{UP}{UP}\x05 11,{DOWN}\x01  ")
    s.ends_with("11,\nmtsql->   2\nmtsql->")
    same("Up and Down move within the statement", s.cursor(), (1, 10))
    s.send(f"{DOWN};\r")
    s.shows("(1 row)")
    s.send("\x0cSELECT 'x\ry';\r")
    s.shows("(1 row)")
    s.send(f"\x0c{UP}")
    s.ends_with("y';")
    same("a statement comes back with its lines", s.text(), "mtsql=> SELECT 'x\nmtsql'> y';")
    s.send(UP * 2)
    s.ends_with("\nmtsql-> ;")
    same("and the one before it", s.text(), "mtsql=> SELECT 1, 11,\nmtsql->   2\nmtsql-> ;")
    s.send(f"{PAGE_UP}new")
    s.ends_with(";new")
    s.send("\x1b>" + "typed ")
    s.ends_with("mtsql=> typed")
    s.fresh()
    s.send("SELECT 5\x1b\r;\r")
    s.shows(" 5\n")
    s.fresh()
    s.send("SELECT 1 AS\rquit\r")
    s.shows("Use \\q to quit.")
    s.send("\x03")
    s.fresh()
    s.send(pasted("SELECT 1 \\chart bar\nSELECT 2 \\pipeline\nSELECT 3 \\g\nSELECT 4 \\p\n\\r"))
    s.ends_with("\\r")
    same("commands that end a statement", re.findall("mtsql(..) ", s.text()), ["=>", "=>", "=>", "=>", "->"])
    s.fresh()
    s.send("SELECT (1\r)\r\\p\r")
    s.shows("mtsql-> \\p\nSELECT (1\n)\nmtsql->")
    leave(s)


def keys():
    s = start()
    # the keys, and the line that they make
    for typed, line in (
        ("one two three\x17\x17four \x19", "one four two three"),
        ("one two\x01\x1bd\x1bd\x05 \x19", " one two"),
        ("abc\x15def\x19", "defabc"),
        ("ab\x17cd\x17\x19\x1by", "ab"),
        ("one two\x1f", "one"),
        ("one two\x1f\x1f\x1b_\x1b_x", "one twox"),
        ("acb\x14", "abc"),
        ("one two\x1bb\x1bu", "one TWO"),
        (f"añb日c{LEFT}{LEFT}x\x01y", "yañbx日c"),
        ("e\u0301\u0301x\x02\x02|", "|e\u0301\u0301x"),
        ("a\x16\x07b", "a^Gb"),
        ("ab\x02\x0bcd\x1b[1~>", ">acd"),
        ("x\x1b[99~\x1b[1;9Zy", "xy"),
    ):
        s.send(typed)
        s.wait(lambda line=line: bare(s.shown.display[0].rstrip()) == bare(f"mtsql=> {line}"), repr(line))
        s.send("\x03\x0c")
        s.wait(lambda: s.text() == "mtsql=>", "an empty line")
    check("keys", True)
    s.send("SELECT " + "日本" * 40 + "\x02\x02\x02")
    s.wait(lambda: s.cursor() == (2, 10), "the cursor in a wrapped line of wide characters")
    s.send(f"{UP}")
    s.wait(lambda: s.cursor() == (1, 10), "the cursor a row higher")
    s.fresh()
    s.send("x" * 72)
    s.wait(lambda: s.cursor() == (1, 0), "the cursor behind a full row")
    s.send("\x7f")
    s.wait(lambda: s.cursor() == (0, 79), "the cursor in the last column")
    s.fresh()
    s.send("x" * 100)
    s.shows("\nxxx")
    s.resize(24, 132)
    os.kill(s.pid, signal.SIGWINCH)
    s.wait(lambda: "x" * 100 in s.text(), "one row in a wider window")
    s.fresh()
    s.resize(5, 80)
    s.send("SELECT 0," + "\r1," * 10)
    s.wait(lambda: s.text() == "mtsql-> 1,\n" * 4 + "mtsql-> 1,", "the end of a text that is higher than the window")
    s.send("\x1b[1;5H")
    s.wait(lambda: s.text().startswith("mtsql=> SELECT 0,\n") and s.cursor()[0] == 0, "its start")
    leave(s)


# the keys in vi's mode, and the line that they make, which is not empty; | is typed at the cursor
VI = (
    ("one two\x1bi|", "one tw|o"),
    ("one two\x1b0i|", "|one two"),
    ("  one\x1b^i|", "  |one"),
    ("one two\x1b0$i|", "one tw|o"),
    ("one two\x1bI|", "|one two"),
    ("one two\x1b0A|", "one two|"),
    ("one two\x1b0a|", "o|ne two"),
    ("a.b cd\x1b0wi|", "a|.b cd"),
    ("a.b cd\x1b02wi|", "a.|b cd"),
    ("a.b cd\x1b0Wi|", "a.b |cd"),
    ("a.b cd\x1bbbi|", "a.|b cd"),
    ("a.b cd\x1bBBi|", "|a.b cd"),
    ("one two\x1b0ei|", "on|e two"),
    ("one two\x1b0ea|", "one| two"),
    ("a.b cd\x1b0Ea|", "a.b| cd"),
    ("one two\x1b05|i|", "one |two"),
    ("one two\x1b03li|", "one| two"),
    ("one two\x1b2hi|", "one |two"),
    ("f(a, (b))\x1b0%a|", "f(a, (b))|"),
    ("f(a, (b))\x1b%i|", "f|(a, (b))"),
    ("a,b,c\x1b0f,i|", "a|,b,c"),
    ("a,b,c\x1b02f,i|", "a,b|,c"),
    ("a,b,c\x1b0t,i|", "|a,b,c"),
    ("a,b,c\x1b0f,;i|", "a,b|,c"),
    ("a,b,c\x1b0f,;,i|", "a|,b,c"),
    ("a,b,c\x1b0t,;;i|", "a,|b,c"),
    ("a,b,c\x1bT,;i|", "a,|b,c"),
    ("a,b,c\x1bF,i|", "a,b|,c"),
    ("a,b,c\x1bT,i|", "a,b,|c"),
    ("abc\x1bx|", "ab"),
    ("abc\x1b0x", "bc"),
    ("abcd\x1b02x", "cd"),
    ("abcd\x1bX", "abd"),
    ("añb\x1bhx", "ab"),
    ("one two\x1b0Dix", "x"),
    ("one two\x1b0wD", "one"),
    ("one two\x1b0Cx", "x"),
    ("one two\x1bSx", "x"),
    ("one two\x1bddix", "x"),
    ("one two\x1bccx", "x"),
    ("one two three\x1b0dw", "two three"),
    ("one two three\x1b02dw", "three"),
    ("one two three\x1b0d2w", "three"),
    ("one two\x1bdb", "one o"),
    ("one two\x1b0cwx", "x two"),
    ("one two three\x1b0c2wx", "x three"),
    ("a b\x1b0cwx", "x b"),
    ("one two\x1b0dex", "two"),
    ("one two\x1b0wd$", "one"),
    ("one two\x1bd0", "o"),
    ("a,b,c\x1b0df,", "b,c"),
    ("a,b,c\x1b0dt,", ",b,c"),
    ("a,b,c\x1bdF,", "a,bc"),
    ("f(a) b\x1b0ld%", "f b"),
    ("one two\x1b0dwp", "tone wo"),
    ("one two\x1b0dwP", "one two"),
    ("one two\x1b0ywP", "one one two"),
    ("ab\x1b0xp", "ba"),
    ("ab\x1byyp", "ab\nab"),
    ("ab\x1bYPix", "xab\nab"),
    ("ab\x1b0x3p", "baaa"),
    ("abc\x1b0rx", "xbc"),
    ("abc\x1b02rx", "xxc"),
    ("abc\x1b09rx", "abc"),
    ("abc\x1b0Rxy", "xyc"),
    ("abc\x1b0Rwxyz", "wxyz"),
    ("abc\x1b0sx", "xbc"),
    ("aBc\x1b03~", "AbC"),
    ("a\x1bob", "a\nb"),
    ("a\x1b0Ob", "b\na"),
    ("a\x1bob\x1bkJ", "a b"),
    ("a\x1bob\x1boc\x1bggix", "xa\nb\nc"),
    ("a\x1bob\x1boc\x1b2Gix", "a\nxb\nc"),
    ("one two\x1bgzi|", "one tw|o"),
    ("a\x1bob\x1boc\x1bkdj", "a"),
    ("a\x1bob\x1boc\x1bkdd", "a\nc"),
    ("a\x1bob\x1boc\x1b2kddjp", "b\nc\na"),
    ("one\x1buix", "x"),
    ("one two\x1buix", "x"),
    ("one\x1b0iabc def \x1bu", "one"),
    ("one two\x1b0dwxu", "two"),
    ("one two\x1b0dwx2u", "one two"),
    ("one two\x1b0cwx y\x1bu", "one two"),
    ("a b c d\x1b0dw..", "d"),
    ("a b c\x1b0cwx\x1bw.w.", "x x x"),
    ("ab\x1b0ax\x1b..", "axxxb"),
    ("ab\x1b0i\x16x\x1b.", "xxab"),
    ("one\x1b" + LEFT + "i|", "o|ne"),
    ("one\x1b\x1b\x1bzqi|", "on|e"),
    ("one\x1bdzi|", "on|e"),
    ("one\x1bd\x1bi|", "on|e"),
    ("one\x1b0~~~~~i|", "ON|E"),
    ("\x1bxXDdwdd~rJpi|", "\n|"),
)


def vi():
    s = start(EDITOR="true")
    s.send("\\set EDITING vi\r")
    s.ends_with("\nmtsql=>")
    s.send("\x03\x0c")
    s.wait(lambda: s.text() == "mtsql=>", "an empty line")
    for typed, line in VI:
        s.send(typed)
        s.wait(lambda line=line: re.sub("mtsql.> ?", "", s.text()) == line, f"{typed!r} -> {line!r}")
        passes()
        s.send("\x03\x0c")
        s.wait(lambda: s.text() == "mtsql=>", f"an empty line after {typed!r}")
    for sql in ("SELECT 11;", "SELECT 22\x1boAS b;\x1b", "SELECT 33;\x1b0"):
        s.send(sql + "\r")
        s.shows("(1 row)")
        s.fresh()
    s.send(f"{UP} x y\x1bu")
    s.wait(lambda: s.text() == "mtsql=> SELECT 33;", "u leads back to the statement of the history")
    s.fresh()
    s.send("\x1bk")
    s.ends_with("SELECT 33;")
    s.send("k")
    s.ends_with("22\nmtsql-> AS b;")
    s.send("2k")
    s.ends_with("SELECT 11;")
    s.send("3j")
    s.ends_with("SELECT 33;")
    s.send("/22\r")
    s.wait(lambda: s.text() == "mtsql=> SELECT 22\nmtsql-> AS b;", "the statement that / finds")
    s.send("?33\r")
    s.wait(lambda: s.text() == "mtsql=> SELECT 33;", "the statement that ? finds")
    s.send("/SELECT\rnn")
    s.wait(lambda: s.text() == "mtsql=> SELECT 11;", "the next ones")
    s.send("N")
    s.wait(lambda: s.text() == "mtsql=> SELECT 22\nmtsql-> AS b;", "one back")
    s.send("wcw44\r")
    s.shows(" b\n----\n 44\n")
    s.fresh()
    s.send("SELECT (5\x1b0\r)\r")
    s.ends_with("SELECT (5\nmtsql(> )\nmtsql->")
    check("Enter in command mode begins a line at the end", True)
    s.fresh()
    s.send("SELECT 1 AS x;\x1b[D\x1bOD!")
    s.ends_with("SELECT 1 AS !x;")
    s.fresh()
    leave(s)


def inputrc(folder):
    path = f"{folder}/.inputrc"
    for text, mode in (
        ("set editing-mode vi\n", "vi"),
        ("# set editing-mode vi\n", "emacs"),
        ("set editing-mode vi\n  Set Editing-Mode emacs # no\n", "emacs"),
        ("$if Bash\nset editing-mode vi\n$else\nset editing-mode emacs\n$endif\n", "emacs"),
        ("$if mode=emacs\nset editing-mode vi\n$endif\n", "emacs"),
        ("$if psql\n$if term=x\n$else\nset editing-mode vi\n$endif\n$endif\n", "vi"),
        ("$endif\n$else\nset\nset editing-mode\n\0\nset editing-mode vi", "vi"),
    ):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        s = start(HOME=folder)
        s.send("\\echo :EDITING\r")
        s.ends_with(f"\n{mode}\nmtsql=>")
        passes()
        leave(s)
    s = start(INPUTRC=path, HOME="/nonexistent")
    s.send("abc\x1b0x")
    s.ends_with("=> bc")
    leave(s)
    s = Screen("-v", "EDITING=emacs", INPUTRC=path)
    s.ends_with("mtsql=>")
    s.send("\\echo :EDITING\r")
    s.ends_with("\nemacs\nmtsql=>")
    s.send("\\set EDITING ed\r")
    s.shows("Available values are: emacs, vi.")
    leave(s)


def searches():
    s = start()
    for sql in ("SELECT 'first' AS a;", "SELECT 'second'\rAS b;", "SELECT 'third' AS c;"):
        s.send(sql + "\r")
        s.shows("(1 row)")
        s.fresh()
    s.send("\x12select 'S")
    s.shows("(failed reverse-i-search)`select 'S': ")
    s.send("\x7fs")
    s.shows("(reverse-i-search)`select 's': SELECT 'second'\nmtsql-> AS b;")
    s.send("\x7f\x12")
    s.shows("(reverse-i-search)`select '': SELECT 'second'")
    s.send("\x13")
    s.shows("(i-search)`select '': SELECT 'third'")
    s.send("\x07")
    s.wait(lambda: s.text() == "mtsql=>", "Ctrl-G leads back")
    s.send("\x12seco\r")
    s.shows(" second\n(1 row)")
    check("a statement that was found runs", True)
    leave(s)


def history(folder):
    path = f"{folder}/history"
    with open(path, "w", encoding="utf-8") as f:
        f.write("_HiStOrY_V2_\nSELECT\\040'old\\134'\\012\\040\\040AS\\040x;\n\\134timing\\040on\n")
    s = start(MTSQL_HISTORY=path)
    s.send(UP)
    s.ends_with("mtsql=> \\timing on")
    s.send(UP)
    s.ends_with("AS x;")
    same("libedit's file is read", s.text(), "mtsql=> SELECT 'old\\'\nmtsql->   AS x;")
    s.send("\x1b>SELECT 1\r-- 2026-01-02 03:04:05+00\r;\r")
    s.ends_with("(1 row)\n\nmtsql=>")
    other = start(MTSQL_HISTORY=path)
    other.send("SELECT 2;\r")
    other.ends_with("(1 row)\n\nmtsql=>")
    s.fresh()
    s.send("SELECT 3;\r")
    s.ends_with("(1 row)\n\nmtsql=>")
    leave(other)
    leave(s)
    with open(path, encoding="utf-8") as f:
        lines = [re.sub(r"^-- (1970|2\d\d\d)-\d\d-\d\d \d\d:\d\d:\d\d\+00$", "TIME", line) for line in f.read().split("\n")]
    same("the history is text", lines, ["TIME", "SELECT 'old\\'", "  AS x;", "TIME", "\\timing on", "TIME", "SELECT 1", " -- 2026-01-02 03:04:05+00", ";", "TIME", "SELECT 2;", "TIME", "SELECT 3;", "TIME", "\\q", "TIME", "\\q", ""])
    s = start(MTSQL_HISTORY=path)
    s.send(PAGE_UP * 5)
    s.ends_with("\nmtsql-> ;")
    same("and read back as it was", s.text(), "mtsql=> SELECT 1\nmtsql-> -- 2026-01-02 03:04:05+00\nmtsql-> ;")
    leave(s)
    s = Screen("-v", "HISTSIZE=2", MTSQL_HISTORY=path)
    s.ends_with("mtsql=>")
    s.send("SELECT 4;\r")
    s.shows("(1 row)")
    leave(s)
    with open(path, encoding="utf-8") as f:
        same("it is not longer than HISTSIZE", [line for line in f.read().split("\n") if line[:2] != "--"], ["SELECT 4;", "\\q", ""])


def ends():
    for what, sig in (("SIGTERM", signal.SIGTERM), ("SIGHUP", signal.SIGHUP), ("SIGQUIT", signal.SIGQUIT)):
        s = start()
        check(f"{what}: keys are read one by one", not cooked(s))
        s.send("SELECT 1")
        s.ends_with("SELECT 1")
        os.kill(s.pid, sig)
        try:
            while s.read():
                pass
        finally:
            check(f"{what}: the terminal has its mode again", cooked(s))
        same(f"{what} ends it", os.waitstatus_to_exitcode(os.waitpid(s.pid, 0)[1]), -sig)
        os.close(s.fd)
    s = start()
    s.send("SELECT 42 AS\r")
    s.ends_with("\nmtsql->")
    os.kill(s.pid, signal.SIGSTOP)
    os.waitpid(s.pid, os.WUNTRACED)
    os.kill(s.pid, signal.SIGCONT)
    s.send("n;\r")
    s.shows(" 42\n")
    s.ends_with("\nmtsql=>")  # before the prompt, the terminal itself takes Ctrl-D
    s.send("\x04")
    same("Ctrl-D ends it", s.end(), 0)


def dumb():
    for term in ("dumb", ""):
        t = Terminal(TERM=term)
        t.until("=> ")
        t.send("SELECT 6 *\n")
        t.until("mtsql-> ")
        t.send("7 AS n;\n")
        shown = t.until("mtsql=> ")
        check(f"TERM={term}: plain lines", " 42" in shown and "\x1b" not in shown, shown)
        t.send("SELECT 1\x03")
        t.until("^C")
        t.until("mtsql=> ")
        t.send("SELECT 2;\n")
        check(f"TERM={term}: Ctrl-C drops the line", " 2\r" in t.until("mtsql=> "))
        t.send("\x04")
        same(f"TERM={term}: Ctrl-D ends it", t.end(), 0)


STYLES = {"default": ".", "cyan": "k", "brown": "s", "magenta": "n", "brightblack": "c", "green": "v"}


def styles(s):
    """Returns a letter for the colour of each character of the window: k(eyword) s(tring) n(umber)
    c(omment) v(ariable or command) !(bad) ^(match).
    """
    rows = []
    for y in range(len(s.text().split("\n"))):
        chars = [s.shown.buffer[y][x] for x in range(80)]
        row = "".join("^" if c.underscore else "!" if c.fg == "red" else "." if c.data == " " else STYLES[c.fg] for c in chars)
        rows.append(row[8 : max(8, len(s.shown.display[y].rstrip()))])
    return "\n".join(rows)


def colours():
    s = start()
    for typed, wanted in (
        ("select time, 'a' || 1.5 from t -- x", "kkkkkk ....  sss .. nnn kkkk . cc c"),
        ("select (1 + (2)", "kkkkkk !n . ^n^"),
        ("select 'open", "kkkkkk !ssss"),
        ("select f (a[1)];", "kkkkkk . !..n!.."),
        ("select :x, :'y', a::text;", "kkkkkk vv. vvvv. ........"),
        ("create table key (\x1b\rtext date);", "kkkkkk kkkkk ... .\n.... .....;"),
        ("\\d+ select", "vvv ......"),
        ("/* a\x1b\rb */ select", "cc c\nc cc kkkkkk"),
        ("where oops 'x' order", "kkkkk .... sss kkkkk"),
    ):
        s.send(typed)
        wanted = wanted.replace(";", ".").replace(" ", ".")
        try:
            s.wait(lambda wanted=wanted: styles(s).replace(" ", ".") == wanted, "")
        except AssertionError:
            same(f"the colours of {typed}", styles(s), wanted)
        else:
            check(typed, True)
        s.fresh()
    s.send("\\set HIGHLIGHT off\rselect (1")
    s.ends_with("select (1")
    same("no colours by a variable", styles(s).split("\n")[-1], "." * 9)
    leave(s)
    s = start(NO_COLOR="1")
    s.send("select (1")
    s.ends_with("select (1")
    same("no colours by the environment", styles(s), "." * 9)
    leave(s)


SCHEMA = r"""CREATE TABLE power (ts timestamptz TIME, house text DIMENSION, vCmdid text DIMENSION, watts bigint MEASURE) USING rows;
ALTER TABLE power ADD LAYOUT packed USING nested WITH (cluster_by = 'house', levels = 'ts, vcmdid', presum = 'ts');
CREATE TABLE other (a int, "b c" text);
INSERT INTO power SELECT timestamptz '2024-01-01' + i * interval '1 min', 'h' || i % 3, $$c'$$ || i % 5, i FROM generate_series (1, 100) i;
"""
# the text before the cursor and after it, and the words that are offered, or the text that results
PLACES = (
    ("SELECT * FROM power WHERE vc", "", "SELECT * FROM power WHERE vCmdid "),
    ("SELECT * FROM power WHERE vCmdid = '", "", "SELECT * FROM power WHERE vCmdid = 'c''"),
    ("SELECT * FROM power p WHERE p.house IN ('h0', '", "", "SELECT * FROM power p WHERE p.house IN ('h0', 'h"),
    ("SELECT * FROM power p WHERE house = 'h", "", ["h0'", "h1'", "h2'"]),
    ("SELECT * FROM power WHERE ", "", ["house", "ts", "vCmdid", "watts"]),
    ("SELECT p.", " FROM power p, other", ["house", "ts", "vCmdid", "watts"]),
    ("SELECT ", " FROM power", ["house", "ts", "vCmdid", "watts"]),
    ("WITH c AS (SELECT house AS h, sum (watts) AS total FROM power GROUP BY 1) SELECT ", "", ["h", "total"]),
    ("WITH zzc AS (SELECT 1 AS one) SELECT * FROM zz", "", "WITH zzc AS (SELECT 1 AS one) SELECT * FROM zzc "),
    ("SELECT q.zz FROM (SELECT house AS zz, 1 AS yy FROM power) q WHERE q.", "", ["yy", "zz"]),
    ("SELECT (SELECT ", " FROM other) FROM power", ['"b c"', "a", "house", "ts", "vCmdid", "watts"]),
    ("SELECT ", " FROM power WHERE 1 = (SELECT a FROM other)", ["house", "ts", "vCmdid", "watts"]),
    ("SELECT house AS h, sum (watts) total FROM power GROUP BY 1 ORDER BY tota", "", "SELECT house AS h, sum (watts) total FROM power GROUP BY 1 ORDER BY total "),
    ("SELECT upper (house) AS upper_case, ts AS q, q.x y FROM power GROUP BY ", "", ["house", "q", "ts", "upper_case", "vCmdid", "watts", "y"]),
    ("SELECT a AS one FROM (SELECT a, a + 1 AS two FROM other ORDER BY ", ") q", ['"b c"', "a", "two"]),
    ("SELECT (SELECT a AS one FROM other LIMIT 1) AS two FROM power ORDER BY tw", "", "SELECT (SELECT a AS one FROM other LIMIT 1) AS two FROM power ORDER BY two "),
    ("SELECT x FROM (SELECT a FROM other WHERE ", "", ['"b c"', "a"]),
    ("SELECT x FROM (SELECT a FROM other WHERE ", ") q", ['"b c"', "a"]),
    ("SELECT count(*) FROM power GROUP ", "", "SELECT count(*) FROM power GROUP BY "),
    ("DROP TABLE ", "", ["IF", "other", "power"]),
    ("DROP TABLE p", "", "DROP TABLE power "),
    ("DROP TABLE t", "", "DROP TABLE t"),
    ("ALTER TABLE power DROP LAYOUT ", "", ["IF", "packed", "rows"]),
    ("ALTER TABLE power RENAME COLUMN w", "", "ALTER TABLE power RENAME COLUMN watts "),
    ("INSERT INTO power (", "", ["house", "ts", "vCmdid", "watts"]),
    ("COPY other (", "", ['"b c"', "a"]),
    ("COPY power TO STDOUT (for", "", ["force_not_null", "force_null", "force_quote", "format"]),
    ("COPY power TO STDOUT (FORMAT ", "", ["arcanum", "arrow", "arrows", "binary", "csv", "jsonl", "text"]),
    ("EXPLAIN (", "", ["analyze", "costs", "format", "hypothetical", "summary", "timing", "verbose"]),
    ("EXPLAIN (format ", "", ["json", "text"]),
    ("COPY power FROM 'x' (FORCE_NULL (", "", ["house", "ts", "vCmdid", "watts"]),
    ("CREATE TABLE n (a int) USING n", "", "CREATE TABLE n (a int) USING nested "),
    ("CREATE TABLE n (a int) USING nested WITH (pre", "", "CREATE TABLE n (a int) USING nested WITH (presum"),
    ("SET layout = ", "", ["packed", "rows"]),
    ("SET enable_cuts TO of", "", "SET enable_cuts TO off "),
    ("SET client_min_messages = deb", "", "SET client_min_messages = debug"),
    ("SET statement_timeout = ", "", "SET statement_timeout = DEFAULT "),
    ("SET default_transaction_isolation = ", "", ["'read committed'", "'read uncommitted'", "'repeatable read'", "serializable"]),
    ("SET on_malformed = 's", "", "SET on_malformed = 'skip' "),
    ("CREATE TABLE n (a int, b text) USING nested WITH (levels = '", "", ["a", "b"]),
    ("ALTER TABLE power ADD LAYOUT l USING nested WITH (presum = 'ts, ho", "", "ALTER TABLE power ADD LAYOUT l USING nested WITH (presum = 'ts, house "),
    ("CREATE TABLE n (a int) USING nested WITH (raw_values = ", "", ["false", "true"]),
    ("CREATE TABLE n (a int) USING nested WITH (presums = ", "", "CREATE TABLE n (a int) USING nested WITH (presums = '"),
    ("EXECUTE ", "", "EXECUTE later "),
    ("DEALLOCATE ", "", ["ALL", "PREPARE", "later"]),
    ("FETCH FROM ", "", "FETCH FROM held "),
    ("SELECT * FROM power TABLESAMPLE ", "", ["bernoulli (", "system ("]),
    ("SELECT sum (watts) OVER ", " FROM power WINDOW by_ts AS (ORDER BY ts)", "SELECT sum (watts) OVER by_ts"),
    ("SELECT * FROM read_csv ('shell/READ", "", "SELECT * FROM read_csv ('shell/README.md' "),
    ("SELECT ts, sum (watts) AS total FROM power GROUP BY ts \\chart y=", "", "SELECT ts, sum (watts) AS total FROM power GROUP BY ts \\chart y=t"),
    ("SELECT ts, sum (watts) AS total FROM power GROUP BY ts \\chart line x=ts y=to", "", "SELECT ts, sum (watts) AS total FROM power GROUP BY ts \\chart line x=ts y=total "),
    ("SELECT 1 AS one, 2 AS \"t w\", 3 AS three \\chart y=one,", "", ['"t w"', "one", "three"]),
    ("\\chart by=", "", "\\chart by=seven "),
    ("\\chart style=b", "", "\\chart style=b"),
    ("\\chart bins=", "", "\\chart bins="),
    ("\\chart line shell/READ", "", "\\chart line shell/README.md "),
    ("SELECT house AS h, ts FROM power \\crosstabview ", "", ["h", "ts"]),
    ("\\compare ", "", ["DESCRIBE", "FROM", "SELECT", "SHOW", "SUMMARIZE", "TABLE", "VALUES", "WITH"]),
    ("\\compare SELECT hou", "", "\\compare SELECT house "),
    ("\\advise shell/READ", "", "\\advise shell/README.md "),
    ("\\infer p", "", "\\infer power "),
    ("\\watch ", "", ["c=", "i="]),
    ("\\set HISTC", "", "\\set HISTCONTROL "),
    ("\\set VERBOSITY ", "", ["default", "sqlstate", "terse", "verbose"]),
    ("\\bind_named ", "", "\\bind_named later "),
    ("\\dconfig statement_", "", "\\dconfig statement_timeout "),
    ("SET TIME ZONE 'Europe/Be", "", ["Europe/Belfast'", "Europe/Belgrade'", "Europe/Berlin'"]),
    ("UPDATE other SET ", "", ['"b c"', "a"]),
    ("SELECT 1::bi", "", ["bigint", "bit"]),
    ("SELECT a FROM other ORDER BY a NULLS ", "", ["FIRST", "LAST"]),
    ("SELECT a FROM other WHERE a NOT ", "", ["BETWEEN", "ILIKE", "IN", "LIKE", "SIMILAR"]),
    ("ALTER TABLE power ADD ", "", ["CHECK", "COLUMN", "CONSTRAINT", "FOREIGN", "IF", "LAYOUT", "PRIMARY", "UNIQUE"]),
    ("SELECT 1; DROP ", "", ["ALERT", "DOMAIN", "EXTENSION", "FUNCTION", "INDEX", "LAYOUT", "MATERIALIZED", "SCHEMA", "SEQUENCE", "TABLE", "TYPE", "VIEW"]),
    ("CREATE VIEW ", "", "CREATE VIEW "),
    ("-- sel", "", "-- sel"),
    ("SELECT :x + wa", "", "SELECT :x + watts "),
    ("SELECT width_b", "", "SELECT width_bucket("),
)


def completes(folder):
    store = f"{folder}/t.mts"
    made = shell("-q", store, text=SCHEMA)
    assert made.returncode == 0, made.stderr
    s = Screen(store, columns=200, NO_COLOR="1")
    s.ends_with("t=>")
    s.send(pasted("PREPARE later AS SELECT 1;\nDECLARE held CURSOR WITH HOLD FOR SELECT 1;\nSELECT 7 AS seven;") + "\r")
    s.ends_with("(1 row)\n\nt=>")
    s.fresh()
    for before, behind, wanted in PLACES:
        s.send(before + behind + "\x02" * len(behind) + "\t")
        if isinstance(wanted, str):
            s.send("|")
            s.wait(lambda: "|" in s.text(), "the cursor's mark")
            same(f"{before}⇥{behind}", s.text().partition("=> ")[2].partition("|")[0], wanted)
        else:
            s.wait(lambda wanted=wanted: re.split(r"  +", "  ".join(s.text().split("\n")[1:]).strip()) == wanted, f"{before}⇥{behind} with {wanted}")
            passes()
        s.fresh()
    s.send("SELECT round (1.5, ")
    s.shows("round(numeric, digits int4) -> numeric: ")
    s.send("2), power (")
    s.shows("power(float8, float8) -> float8: ")
    s.fresh()
    s.send("INSERT INTO power (")
    s.ends_with("power (")
    leave(s)


def absent(folder):
    path = f"{folder}/typo.mts"
    t = Terminal("-v", "QUIET=off", path, "-c", "SELECT 1")
    t.until(f'mtsql: warning: there is no store "{path}"; nothing was written, so none was made')
    same("a store that isn't there: exit code", t.end(), 0)
    s = Screen("-v", "QUIET=off", path, columns=200)
    s.shows("typo.mts, which the first write makes\n")
    s.ends_with("typo=>")
    leave(s)
    check("no folder is left", not os.path.exists(path))


def elsewhere(folder):
    program = f"{folder}/program"
    with open(program, "w", encoding="utf-8") as f:
        f.write('#!/bin/sh\nsed -i s/1/6/ "$1"\n')
    os.chmod(program, 0o755)
    s = start(EDITOR=program)
    s.send("SELECT 1 *\r7;\x18\x05")
    s.ends_with("SELECT 6 *\nmtsql-> 7;")
    s.send("\r")
    s.shows(" 42\n")
    check("another program edits the text", True)
    leave(s)


def main():
    for case in (pastes, lines, keys, vi, inputrc, searches, history, ends, dumb, colours, completes, absent, elsewhere):
        run_one(case.__name__, case, {})
    return finish()


if __name__ == "__main__":
    sys.exit(main())

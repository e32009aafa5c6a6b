#!/usr/bin/env python3
"""A terminal that stops reading: a change of its size leaves the rows as they are, and Ctrl-C ends
only them. And a terminal that is asked about itself.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, finish, run_one
from terminal import Terminal

ROWS = 200000


def unread(fmt, last):
    t = Terminal(TERM="xterm")
    t.size(24)
    t.until("=> ")
    t.send(f"\\pset format {fmt}\nSELECT * FROM generate_series(1, {ROWS}) AS g (n);\n")
    t.until("99")
    for rows in (30, 20, 25):
        t.stuck()
        t.size(rows)
        t.until("9")
    check(f"{fmt}: all rows come, whatever size the terminal has", "could not write" not in t.until(last))
    t.until("=> ")
    t.send(f"SELECT * FROM generate_series(1, {ROWS}) AS g (n);\n")
    t.until("99")
    t.stuck()
    t.send("\x03")
    got = t.until("=> ")
    check(f"{fmt}: Ctrl-C gives the prompt back", last not in got and "could not write" not in got)
    t.send("SELECT 40 + 2 AS answer;\n")
    t.until("42")
    t.send("\\q\n")
    check(f"{fmt}: the session goes on, and ends well", t.end() == 0)


def asks():
    t = Terminal(TERM="xterm", NO_COLOR="1")  # with colours the prompt is drawn again
    t.until("=> ")
    t.send("\\prompt 'which \\171ear? ' year\n")
    t.until("which year? ")
    t.send("2017\n")
    t.until("=> ")
    t.send("SELECT :year + 10 AS later;\n")
    t.until("2027")
    t.until("=> ")
    t.send("\\prompt 'which \\171ear? ' year\n")
    t.until("which year? ")
    t.send("\x03")
    check("prompt: Ctrl-C ends the question, without a complaint", "could not" not in t.until("=> "))
    t.send("\\echo :year\n")
    check("prompt: and the variable is as it was", "2017" in t.until("=> "))
    t.send("\\q\n")
    t.end()


def main():
    run_one("prompt", asks, {})
    for fmt, last in (("csv", f"\n{ROWS}\r"), ("aligned", f" {ROWS}\r"), ("json", f'"n":{ROWS}')):
        run_one(fmt, unread, {"fmt": fmt, "last": last})
    return finish()


if __name__ == "__main__":
    sys.exit(main())

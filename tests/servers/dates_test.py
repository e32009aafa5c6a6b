#!/usr/bin/env python3
"""Comparisons with infinite times on a server. They give the usual rows, or are refused in words of
SQL if the server can't have such times.
"""
import sys

from checks import check, finish, mtsql, same
from server import chosen, database

TABLE = "CREATE TABLE far (ts timestamptz TIME NOT NULL, other timestamptz, day date, v integer MEASURE) USING rows"
ROWS = "INSERT INTO far VALUES ('2020-01-01', '2020-01-01', '2020-01-01', 1), ('2021-01-01', NULL, NULL, 2)"
QUESTIONS = [  # a condition, and the rows for which it is true
    ("ts < 'infinity'", "1\n2\n"),
    ("ts > '-infinity'", "1\n2\n"),
    ("ts BETWEEN '-infinity' AND 'infinity'", "1\n2\n"),
    ("ts >= 'infinity'", ""),
    ("other <> 'infinity'", "1\n"),
    ("other IN ('infinity', '2020-01-01')", "1\n"),
    ("coalesce (other, 'infinity') > '2020-06-01'", "2\n"),
    ("day < 'infinity'", "1\n"),
    ("date_trunc('day', coalesce(other, '-infinity')) < '2019-01-01'", "2\n"),
]
MADE = [  # results of sub-selects, and expressions of them
    ("SELECT date_trunc('day', t) + interval '1 day' FROM (SELECT v, coalesce(other, 'infinity') AS t FROM far) x ORDER BY v", "2020-01-02 00:00:00+00\ninfinity\n"),
    ("SELECT extract(year FROM max(t)) FROM (SELECT coalesce(day, 'infinity') AS t FROM far) x", "Infinity\n"),
    ("SELECT date_trunc('month', t), count(*) FROM (SELECT ts AS t FROM far UNION ALL SELECT '-infinity') x GROUP BY 1 ORDER BY 1", "-infinity|1\n2020-01-01 00:00:00+00|1\n2021-01-01 00:00:00+00|1\n"),
    ("SELECT lag(day, 1, 'infinity') OVER (ORDER BY v) + 1 FROM far ORDER BY v", "infinity\n2020-01-02\n"),
]

CHRIST = "INSERT INTO far VALUES ('0045-12-31 23:59 BC', NULL, '0001-01-01 BC', 3), ('0001-06-01', NULL, '0001-01-01', 4)"
YEARS = [("SELECT extract(year FROM ts), extract(isoyear FROM ts), extract(year FROM day), date_part('isoyear', day) FROM far ORDER BY v",
          "2020|2020|2020|2020\n2021|2020||\n-45|-44|-1|-2\n1|1|1|1\n"),
         ("SELECT extract(year FROM ts), count(*) FROM far GROUP BY 1 ORDER BY 1", "-45|1\n1|1\n2020|1\n2021|1\n")]


def refused(stderr):
    return "ERROR:  0A000: this server takes no times before the year 1 or after 9999" in stderr and "HINT" in stderr


def test_questions(uri):
    for condition, rows in QUESTIONS:
        r = mtsql(uri, "-Atq", "-c", "\\set VERBOSITY verbose", "-c", f"SELECT v FROM far WHERE {condition} ORDER BY v")
        check(condition, (r.stdout, r.stderr) == (rows, "") or (r.stdout == "" and refused(r.stderr)), f"{r.stdout!r} {r.stderr}")


def test_made(uri):
    for statement, rows in MADE:
        r = mtsql(uri, "-Atq", "-c", "\\set VERBOSITY verbose", "-c", statement)
        check(statement, (r.stdout, r.stderr) == (rows, "") or (r.stdout == "" and refused(r.stderr)), f"{r.stdout!r} {r.stderr}")


def test_years(uri):
    """There is no year 0, whatever a server prints. SecantusDB has no such times."""
    r = mtsql(uri, "-q", "-c", "\\set VERBOSITY verbose", "-c", CHRIST)
    if refused(r.stderr):
        return
    same("years before Christ come in", r.stderr, "")
    for statement, rows in YEARS:
        r = mtsql(uri, "-Atq", "-c", statement)
        same(statement, (r.stdout, r.stderr), (rows, ""))


def main():
    with database(chosen(), "dates") as uri:
        same("made", mtsql(uri, "-q", "-c", TABLE, "-c", ROWS).stderr, "")
        test_questions(uri)
        test_made(uri)
        test_years(uri)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

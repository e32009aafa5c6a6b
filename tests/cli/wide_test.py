#!/usr/bin/env python3
"""Deep and wide statements. Each is answered, or ends with the error of a limit. The command never
crashes.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import mtsql
from cases import check, finish

LIMITS = {"54000", "54001", "54011", "54023", "42622"}


def nested(before, inner, after, n):
    return before * n + inner + after * n


def scalar(n):
    sql = "1"
    for _ in range(n):
        sql = f"(SELECT {sql} + 1)"
    return f"SELECT {sql}"


def derived(n):
    sql = "SELECT 1 AS x"
    for i in range(n):
        sql = f"SELECT x + 1 AS x FROM ({sql}) q{i}"
    return sql


def case(n):
    sql = "0"
    for i in range(n):
        sql = f"CASE WHEN a0 > {i} THEN {sql} ELSE {i} END"
    return f"SELECT {sql} FROM wide"


def joined(n):
    return "SELECT count(*) FROM " + " JOIN ".join(f"(SELECT {i} AS k{i}, a0 FROM wide) j{i}" + (f" ON j{i}.a0 = j0.a0" if i else "") for i in range(n))


def views(n):
    out = ["CREATE VIEW v0 AS SELECT a0, 1 AS x FROM wide"]
    return out + [f"CREATE VIEW v{i} AS SELECT a0, x + 1 AS x FROM v{i - 1}" for i in range(1, n)]


COLUMNS = ", ".join(f"a{i} integer" for i in range(1000))
# (description, statement, the rows if it is answered (None: any), whether it must be answered)
CASES = [
    ("a table of 1,000 columns", f"CREATE TABLE wide ({COLUMNS})", None, True),
    ("a row of 1,000 values", "INSERT INTO wide VALUES (" + ", ".join(map(str, range(1000))) + ")", None, True),
    ("all of 1,000 columns", "SELECT * FROM wide", [tuple(str(i) for i in range(1000))], True),
    ("a sum of 1,000 columns", "SELECT " + " + ".join(f"a{i}" for i in range(1000)) + " FROM wide", [("499500",)], False),
    ("1,000 aggregates", "SELECT " + ", ".join(f"sum(a{i})" for i in range(1000)) + " FROM wide", [tuple(str(i) for i in range(1000))], True),
    ("groups by 300 columns", "SELECT count(*) FROM wide GROUP BY " + ", ".join(f"a{i}" for i in range(300)), [("1",)], True),
    ("an order by 300 columns", "SELECT a0 FROM wide ORDER BY " + ", ".join(f"a{i} DESC" for i in range(300)), [("0",)], True),
    ("1,600 columns", "SELECT " + ", ".join(["1"] * 1600), [("1",) * 1600], True),
    ("1,601 columns", "SELECT " + ", ".join(["1"] * 1601), None, False),
    ("1,700 columns by a star", "SELECT *, " + ", ".join(["1"] * 700) + " FROM wide", None, False),
    ("a table of 1,700 columns", "CREATE TABLE wider (" + ", ".join(f"a{i} integer" for i in range(1700)) + ")", None, False),
    ("CUBE of 9 columns", "SELECT count(*) FROM (SELECT count(*) FROM wide WHERE a0 = 0 GROUP BY CUBE (" + ", ".join(f"a{i}" for i in range(9)) + ")) q", [("512",)], False),
    ("CUBE of 40 columns", "SELECT count(*) FROM wide GROUP BY CUBE (" + ", ".join(f"a{i}" for i in range(40)) + ")", None, False),
    ("10,000 values of IN", "SELECT count(*) FROM wide WHERE a7 IN (" + ", ".join(map(str, range(10000))) + ")", [("1",)], True),
    ("10,000 values of NOT IN", "SELECT count(*) FROM wide WHERE a7 NOT IN (" + ", ".join(map(str, range(10, 10010))) + ")", [("1",)], True),
    ("10,000 texts of IN, computed", "SELECT count(*) FROM wide WHERE a7::text || 'x' IN (" + ", ".join(f"'{i}x'" for i in range(10000)) + ")", [("1",)], True),
    ("a disjunction of 10,000", "SELECT count(*) FROM wide WHERE " + " OR ".join(f"a{i % 1000} = {i}" for i in range(10000)), [("1",)], False),
    ("a conjunction of 10,000", "SELECT count(*) FROM wide WHERE " + " AND ".join(f"a{i % 1000} <> {-i - 1}" for i in range(10000)), [("1",)], False),
    ("50 joined sub-selects", joined(50), [("1",)], True),
    ("200 joined sub-selects", joined(200), [("1",)], True),
    ("200 arms of a union", " UNION ALL ".join(f"SELECT {i} FROM wide" for i in range(200)), [(str(i),) for i in range(200)], True),
    ("2,000 arms of a union", " UNION ALL ".join(f"SELECT {i}" for i in range(2000)), [(str(i),) for i in range(2000)], False),
    ("100 common tables", "WITH " + ", ".join(f"w{i} AS (SELECT {f'x + 1 AS x FROM w{i - 1}' if i else 'a0 AS x FROM wide'})" for i in range(100)) + " SELECT x FROM w99", [("99",)], False),
    ("60 parentheses", "SELECT " + nested("(", "a7", ")", 60) + " FROM wide", [("7",)], True),
    ("60 functions", "SELECT " + nested("abs(", "a7", ")", 60) + " FROM wide", [("7",)], True),
    ("60 sub-selects as values", scalar(60), [("61",)], True),
    ("60 sub-selects in FROM", derived(60), [("61",)], True),
    ("60 CASEs", case(60), [("59",)], True),
    ("60 casts", "SELECT a7" + "::text::integer" * 30 + " FROM wide", [("7",)], True),
    ("60 negations", "SELECT " + nested("NOT (", "a7 = 7", ")", 60) + " FROM wide", [("t",)], True),
    ("60 EXISTS", "SELECT 1 WHERE " + nested("EXISTS (SELECT 1 WHERE ", "true", ")", 60), [("1",)], True),
    ("60 IN", "SELECT 1 WHERE " + nested("1 IN (SELECT 1 WHERE ", "true", ")", 60), [("1",)], True),
    ("60 WITHs", nested("WITH w AS (", "SELECT 1 AS x", ") SELECT x FROM w", 60), [("1",)], True),
    ("60 joins in parentheses", "SELECT count(*) FROM " + "(" * 60 + "wide w" + "".join(f" CROSS JOIN (SELECT 1) j{i})" for i in range(60)), [("1",)], True),
    ("5,000 parentheses", "SELECT " + nested("(", "1", ")", 5000), [("1",)], False),
    ("100,000 parentheses", "SELECT " + nested("(", "1", ")", 100000), [("1",)], False),
    ("100,000 open parentheses", "SELECT " + "(" * 100000, None, False),
    ("5,000 functions", "SELECT " + nested("abs(", "a7", ")", 5000) + " FROM wide", [("7",)], False),
    ("900 functions", "SELECT " + nested("abs(", "a7", ")", 900) + " FROM wide", [("7",)], False),
    ("5,000 sub-selects", scalar(5000), [("5001",)], False),
    ("300 sub-selects as values", scalar(300), [("301",)], False),
    ("300 sub-selects in FROM", derived(300), [("301",)], False),
    ("5,000 sub-selects in FROM", derived(5000), [("5001",)], False),
    ("900 CASEs", case(900), [("899",)], False),
    ("100,000 additions", "SELECT " + "1+" * 100000 + "1", [("100001",)], False),
    ("900 additions of a column", "SELECT " + "a1+" * 900 + "a1 FROM wide", [("901",)], False),
    ("100,000 minus signs", "SELECT " + "- " * 100000 + "1", [("1",)], False),
    ("100,000 NOTs", "SELECT " + "NOT " * 100000 + "true", [("t",)], False),
    ("100,000 casts", "SELECT 1" + "::int" * 100000, [("1",)], False),
    ("1,500 casts to another type and back", "SELECT a7" + "::text::integer" * 750 + " FROM wide", [("7",)], False),
    ("10,000 concatenations", "SELECT length(" + " || ".join(["'ab'"] * 10000) + ")", [("20000",)], False),
    ("10,000 arguments", "SELECT length(concat(" + ", ".join(["a7"] * 10000) + ")) FROM wide", [("10000",)], False),
    ("a CASE of 5,000 branches", "SELECT CASE a7 " + " ".join(f"WHEN {i} THEN {i + 1}" for i in range(5000)) + " END FROM wide", [("8",)], False),
    ("a text of a megabyte", "SELECT length('" + "x" * (1 << 20) + "')", [(str(1 << 20),)], True),
    ("a megabyte of comments", "SELECT /* " + "x" * (1 << 20) + " */ 1", [("1",)], True),
    ("a megabyte of nested comments", "SELECT " + nested("/*", "", "*/", 1 << 18) + " 1", [("1",)], True),
    ("a text of 17 megabytes", "SELECT length('" + "x" * (17 << 20) + "')", None, False),
    ("a name of a megabyte", 'SELECT 1 AS "' + "x" * (1 << 20) + '"', None, False),
    ("100,000 rows of VALUES", "SELECT count(*), sum(column1) FROM (VALUES " + ", ".join(f"({i})" for i in range(100000)) + ") v", [("100000", "4999950000")], True),
    ("100,000 rows put in", "INSERT INTO wide (a0) VALUES " + ", ".join(f"({i + 1000})" for i in range(100000)), None, True),
    ("100,001 rows counted", "SELECT count(*), max(a0) FROM wide", [("100001", "100999")], True),
    ("a window of 300 functions", "SELECT max(s) FROM (SELECT " + " + ".join(f"row_number() OVER (ORDER BY a0 + {i})" for i in range(100)) + " AS s FROM wide WHERE a0 < 1010) q", None, False),
    ("100 sorts of windows", "SELECT " + ", ".join(f"rank() OVER (ORDER BY a{i})" for i in range(100)) + " FROM wide WHERE a0 = 0", [("1",) * 100], False),
]


def stated(answer):
    """Returns the SQLSTATE, or the other output."""
    found = re.search(r"(?:ERROR|FATAL): +([0-9A-Z]{5}):", answer.error)
    return found.group(1) if found else "stopped: " + answer.error[-300:]


def main():
    verbose = "\\set VERBOSITY verbose"
    deep = views(60) + ["SELECT x FROM v59 WHERE a0 = 0"]
    with tempfile.TemporaryDirectory(prefix="wide-") as folder:
        store = os.path.join(folder, "store")
        for what, sql, rows, must in CASES:
            a = mtsql.run([verbose, sql], store)[1]
            if a.error is not None:
                check(what, not must and stated(a) in LIMITS, f"{stated(a)}: {a.error[:200]}")
            else:
                check(what, rows is None or a.rows == rows, str(a.rows)[:200])
        last = mtsql.run([verbose] + deep, store)[-1]
        check("60 views over views", last.error is None and last.rows == [("60",)], last.error or str(last.rows))
    return finish()


if __name__ == "__main__":
    sys.exit(main())

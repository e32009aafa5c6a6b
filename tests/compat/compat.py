#!/usr/bin/env python3
"""Checks which features of SQL mtsql has.

It runs the statements of features.txt on mtsql and on PostgreSQL 15, and writes their table,
docs/reference/compatibility.md.

    compat.py [--accept]

mtsql must answer a statement marked "+" as PostgreSQL does, and refuse one marked "-" with 0A000.
--accept writes the marks and the table anew. A statement that mtsql neither answers alike nor
refuses stays a failure.
"""
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests", "lib"), os.path.join(ROOT, "tests", "oracle")]
import mtsql
from postgres import Postgres

FEATURES, TABLE = os.path.join(HERE, "features.txt"), os.path.join(ROOT, "docs", "reference", "compatibility.md")
SETUP = ["CREATE TABLE t (id integer, a integer, b integer, c text, d numeric(10,2), e double precision, ts timestamp, dt date, ok boolean)",
         "INSERT INTO t VALUES (1, 1, 2, 'a', 1.50, 0.5, '2024-01-01 10:00', '2024-01-01', true), (2, 1, 3, 'ab', 2.25, 1.5, '2024-02-29 23:59', '2024-02-29', false), "
         "(3, 2, 2, 'b', -1.00, -2, '2024-03-31 02:30', '2024-03-31', true), (4, NULL, 5, NULL, NULL, NULL, NULL, NULL, NULL), (5, 3, NULL, 'A', 10.00, 4, '2024-12-31 00:00', '2024-12-31', false)",
         "CREATE TABLE u (id integer, a integer, name text)",
         "INSERT INTO u VALUES (1, 1, 'one'), (2, 4, 'two'), (3, 2, NULL), (9, NULL, 'nine')"]
# The tables that statements change are made anew for each statement.
CHANGED = ["DROP TABLE IF EXISTS w", "CREATE TABLE w (id integer, a integer, c text)", "INSERT INTO w VALUES (1, 5, 'v'), (2, 6, NULL)"]
UNCOMPARED = re.compile(r"EXPLAIN|SHOW ALL|SELECT .*\bINTO\b", re.I)


class Case:
    def __init__(self, mark, sql):
        self.mark, self.sql, self.found, self.why = mark, sql, None, ""

    def script(self):
        return (CHANGED if re.search(r"\bw\b", self.sql) else []) + self.sql.split("; ")


def read():
    """Returns [(section, [(feature, [Case])])], and the comments at the top of the file."""
    head, sections = [], []
    for line in open(FEATURES, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("== "):
            sections.append((line[3:], []))
        elif line.startswith("#"):
            head.append(line)
        elif re.match(r"[-+?] ", line):
            sections[-1][1][-1][1].append(Case(line[0], line[2:]))
        elif line:
            sections[-1][1].append((line, []))
    return head, sections


def write(head, sections):
    with open(FEATURES, "w", encoding="utf-8") as f:
        f.write("\n".join(head) + "\n")
        for section, features in sections:
            f.write(f"\n== {section}\n")
            for feature, cases in features:
                f.write(f"{feature}\n" + "".join(f"{c.mark} {c.sql}\n" for c in cases))


def code(answer):
    if answer.error is None:
        return None
    found = re.search(r"(?:ERROR|FATAL): +([0-9A-Z]{5}):", answer.error)
    return found.group(1) if found else "stopped"


def without_notices(answer):
    """Drops NOTICE lines. They are no part of a statement's answer."""
    if answer.error is not None and re.search(r"NOTICE:|WARNING:", answer.error) and "ERROR:" not in answer.error:
        return mtsql.Answer(rows=[])
    return answer


def verdict(case, there, here):
    """Returns "+", "-", or a description of what is wrong."""
    for sql, a, b in zip(case.script(), there, here):
        if code(b) == "0A000":
            return "-"
        if code(a) != code(b):
            return f"{sql}: SQLSTATE {code(b)}, PostgreSQL's is {code(a)}: {(b.error or a.error)[:300]}"
        if a.error is None and not UNCOMPARED.match(sql) and sorted(a.rows, key=repr) != sorted(b.rows, key=repr):
            return f"{sql}: {b.rows[:5]}, PostgreSQL's are {a.rows[:5]}"
    return "+"


def run(cases, store, pg):
    """Runs each case in a process of its own. So a transaction or a setting of one case can't
    change the next.
    """
    for a in mtsql.run(SETUP, store) + pg.run(SETUP):
        a.must()
    before = ["\\set VERBOSITY verbose"]
    quiet = ["SET client_min_messages = error"]
    scripts = [c.script() for c in cases]
    there = pg.run(before + [x for s in scripts for x in (*quiet, *s, "ROLLBACK")])[1:]
    at = 0
    for case, script in zip(cases, scripts):
        here = [without_notices(a) for a in mtsql.run(before + script, store)[1:]]
        case.found = verdict(case, there[at + 1:at + 1 + len(script)], here)
        at += len(script) + 2


def state(cases):
    return "yes" if all(c.found == "+" for c in cases) else "no" if all(c.found == "-" for c in cases) else "in part"


def table(sections):
    cases = [c for _, features in sections for _, own in features for c in own]
    out = ["# Compatibility", "", "Which features of SQL mtsql has. tests/compat/compat.py makes this page: it runs the statements of", "tests/compat/features.txt on mtsql and on PostgreSQL 15.", "",
           "- `yes`: mtsql answers as PostgreSQL does.", "- `no` or `in part`: the statements shown are refused with SQLSTATE 0A000.", "",
           "The ids are those of the SQL standard, as appendix D of PostgreSQL's manual lists them, or chapters", "and commands of that manual.", "",
           f"{sum(c.found == '+' for c in cases)} of {len(cases)} statements are answered."]
    for section, features in sections:
        out += ["", f"## {section}", "", "| feature | there | refused |", "|---|---|---|"]
        for feature, own in features:
            refused = "; ".join("`" + c.sql.replace("|", "\\|") + "`" for c in own if c.found == "-")
            out.append(f"| {feature} | {state(own)} | {refused} |")
    return "\n".join(out) + "\n"


def main():
    accept = sys.argv[1:] == ["--accept"]
    head, sections = read()
    cases = [c for _, features in sections for _, own in features for c in own]
    with tempfile.TemporaryDirectory(prefix="compat-") as folder:
        os.chmod(folder, 0o755)
        pg = Postgres(os.path.join(folder, "pg"))
        try:
            pg.start()
            run(cases, os.path.join(folder, "store"), pg)
        finally:
            pg.stop()
    failed = 0
    for c in cases:
        if accept and c.found in "+-":
            c.mark = c.found
        if c.mark != c.found:
            failed += 1
            print(f"FAIL {c.sql}\n   expected {c.mark}, found {c.found}")
    if accept:
        write(head, sections)
        open(TABLE, "w", encoding="utf-8").write(table(sections))
    elif not os.path.exists(TABLE) or open(TABLE, encoding="utf-8").read() != table(sections):
        failed += 1
        print("FAIL docs/reference/compatibility.md isn't what the tests make: tests/compat/compat.py --accept")
    print(f"{len(cases) + 1 - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

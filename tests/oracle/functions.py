#!/usr/bin/env python3
"""Writes tests/unit/data/functions.tsv: PostgreSQL 15's type and text for each expression in
tests/unit/data/functions.in. A line has the expression, the type, and the text (or ERROR and the
SQLSTATE), separated by tabs.

    tests/oracle/functions.py [psql options, e.g. -h /tmp -p 5433 -U postgres]

The server must be PostgreSQL 15 in the C locale. The session's zone is UTC. Run it after a change
of functions.in, and read the difference like code. The unit test fn_test compares mtsql with the
file.
"""
import os
import subprocess
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "data")


def expressions():
    with open(os.path.join(DATA, "functions.in"), encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield line


def ask(options, exprs):
    script = ["\\set VERBOSITY sqlstate", "\\pset format unaligned", "\\pset tuples_only on", "\\pset fieldsep '\\t'", "\\pset null 'NULL'",
              "SET timezone = 'UTC'; SET datestyle = 'ISO, MDY'; SET intervalstyle = 'postgres'; SET bytea_output = 'hex';"]
    for e in exprs:
        script.append("\\echo @@@")
        script.append("SELECT pg_typeof(x), CASE WHEN x IS NULL THEN 'NULL' ELSE format('%%s', x) END FROM (SELECT %s AS x) q;" % e)
    done = subprocess.run(["psql", "-X", "-q"] + options + ["-d", "postgres"], input="\n".join(script), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    return done.stdout.split("@@@\n")[1:]


def main():
    exprs = list(expressions())
    answers = ask(sys.argv[1:], exprs)
    assert len(answers) == len(exprs), (len(answers), len(exprs))
    with open(os.path.join(DATA, "functions.tsv"), "w", encoding="utf-8") as out:
        for e, a in zip(exprs, answers):
            a = a.rstrip("\n")
            if a.startswith("ERROR:"):
                a = "ERROR\t" + a.split()[-1]
            out.write("%s\t%s\n" % (e, a.replace("\n", "\\n")))
    print("%d expressions" % len(exprs))


if __name__ == "__main__":
    main()

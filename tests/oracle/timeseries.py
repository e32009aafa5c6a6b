#!/usr/bin/env python3
"""Random statements with time-series functions. Every layout, legal cut and engine must give the
same answer. It must be the answer of DuckDB, and of small models in Python.

    timeseries.py [--statements N] [--seed N] [--first N] [--forced N] [--engine SERVER]

A case is a table of few random rows (points.py) in several layouts, and a plain table with the same
rows in process. Random statements (questions.py) read one of them. The plain table's answer must be
that of the model and of DuckDB, if they have one. Then each layout and cut must give the plain
table's answer, in a store, or on a server: a name of tests/servers/server.py, or a URI.
"""
import contextlib
import os
import random
import re
import sys
from collections import Counter

import duckdb

from oracle import candidates, mtsql
import randoms
import server
from points import make_table
from questions import Within, make_question

STATS, ERRORS = Counter(), Counter()
AT_ONCE = 50  # statements of a case
TIME = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\+00$")


def number(text):
    with contextlib.suppress(ValueError, TypeError):
        return float(text)
    return None


def canonical(value):
    """Returns a value of an answer, of DuckDB or of a model as None, a float, or a text."""
    if value is None or isinstance(value, (float, Within)):
        return value
    if isinstance(value, bool):
        return "t" if value else "f"
    text = str(value)
    found = TIME.match(text)
    if found:
        return found.group(1)
    as_number = number(text)
    return text if as_number is None else as_number


def same(a, b, slack, relative):
    if isinstance(b, Within):
        return b.has(a)
    if not isinstance(a, float) or not isinstance(b, float):
        return a == b
    return a == b or a != a and b != b or abs(a - b) <= max(relative * max(abs(a), abs(b)), slack)


def order(row):
    """Returns a key by which equal rows sort alike, apart from errors of rounding."""
    return [("3", 0.0, "") if isinstance(v, Within) else ("0", 0.0, "") if v is None else ("1", 0.0, "NaN") if v != v else ("1", float(f"{v:.5g}"), "") if isinstance(v, float) else ("2", 0.0, v) for v in row]


def differ(got, wanted, question):
    """Returns the difference between two lists of rows, or None."""
    a, b = (sorted((tuple(map(canonical, r)) for r in rows), key=order) for rows in (got, wanted))
    if len(a) != len(b):
        return f"{len(a)} rows instead of {len(b)}: {[r for r in a if r not in b][:2]} instead of {[r for r in b if r not in a][:2]}"
    for x, y in zip(a, b):
        if len(x) != len(y) or not all(same(p, q, question.slack, question.relative) for p, q in zip(x, y)):
            return f"{x} instead of {y}"
    return None


def state(answer):
    found = re.search(r"(?:ERROR|FATAL): +([0-9A-Z]{5}):", answer.error)
    return found.group(1) if found else answer.error


class Duck:
    """A table's rows in DuckDB. Its times have no zone, because everything is in UTC."""

    def __init__(self, table):
        self.connection = duckdb.connect(":memory:", config={"threads": 1})
        self.connection.execute(f"CREATE TABLE t ({', '.join(f'{c} {t}' for c, t in table.columns)})".replace("timestamptz", "timestamp"))
        if table.rows:
            self.connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' for _ in table.columns)})", [[r.value(c) for c, _ in table.columns] for r in table.rows])

    def rows(self, sql):
        sql = re.sub(r"timestamptz '([^']*)\+00'", r"timestamp '\1'", sql).replace("{t}", "t")
        try:
            return self.connection.execute(sql).fetchall()
        except duckdb.OutOfRangeException:
            STATS["out of DuckDB's range"] += 1
            return None


def plans(answers):
    return [[c for c in candidates(a) if c["legal"]] for a in answers]


class Case:
    def __init__(self, seed, number, forced, count):
        self.name, self.forced = f"--seed {seed} --first {number}", forced
        self.rng = random.Random(f"timeseries/{seed}/{number}")
        self.table = make_table(self.rng)
        self.questions = [make_question(self.rng, self.table) for _ in range(count)]

    def wrong(self, question, how, what):
        return f"FAIL {self.name}, {how}: {what}\n   {question.sql.replace('{t}', 't')}"

    def check_plain(self, duck, question, answer):
        """Compares the plain table's answer with those of DuckDB and the model."""
        if answer.error is not None:
            if question.model is not None and not question.may_fail:
                return self.wrong(question, "plain", answer.error)
            STATS["errors"] += 1
            ERRORS[re.sub(r'"[^"]*"', '"…"', answer.error.split("\n")[0].split("ERROR:  ")[-1])] += 1
            return None
        if question.model is not None:
            STATS["by a model"] += 1
            wanted = question.model(answer.rows) if question.judges else differ(answer.rows, question.model(), question)
            if wanted:
                return self.wrong(question, "the model", wanted)
        if question.duck is not None:
            rows = duck.rows(question.duck)
            STATS["by DuckDB"] += rows is not None
            wanted = rows is not None and differ(answer.rows, rows, question)
            if wanted:
                return self.wrong(question, "DuckDB", f"{wanted}\n   {question.duck}")
        return None

    def check_other(self, question, plain, answer, how):
        STATS["forced" if how else "free"] += 1
        if answer.error is None and plain.error is None:
            what = None if question.judges and question.loose else differ(answer.rows, plain.rows, question)
            what = what or question.judges and question.model(answer.rows)
        elif answer.error is not None and plain.error is not None:
            STATS["errors alike"] += 1
            what = None if state(answer) == state(plain) else f"{answer.error} instead of {plain.error}"
        elif answer.error and ("can answer this query" in answer.error or "has no layout" in answer.error):
            STATS["refused"] += 1
            what = None
        else:
            what = f"{answer.error} instead of rows" if answer.error else f"rows instead of {plain.error}"
        return self.wrong(question, how or "free", what) if what else None

    def run(self, target):
        """Returns what is wrong. The layouts are in the target. The plain table is always in
        process.
        """
        verbose = ["\\set VERBOSITY verbose", "SET TimeZone = 'UTC'"]
        for a in mtsql.run(self.table.create("://" in target), target):
            if a.error and "no time-series collections" in a.error:
                STATS["servers without time-series collections"] += 1
            else:
                a.must()
        alone = self.table.create_plain()
        plain = mtsql.run(alone + verbose + [q.sql.replace("{t}", "t") for q in self.questions])
        for a in plain[:len(alone)]:
            a.must()
        plain = plain[len(alone) + 2:]
        explained = [f"EXPLAIN (FORMAT JSON) {q.sql.replace('{t}', 't')}" for q in self.questions]
        found = plans(mtsql.run(verbose + explained, target)[2:])
        jobs = []
        for i, (q, legal) in enumerate(zip(self.questions, found)):
            jobs.append((i, "", ["RESET layout", "RESET cut"]))
            for c in self.rng.sample(legal, min(self.forced, len(legal))):
                cut = f"SET cut = '{c['cut']}'" if q.reads == 1 else "RESET cut"
                jobs.append((i, f"{c['layout']} at {c['cut']}", [f"SET layout = '{c['layout']}'", cut]))
                STATS["above the records"] += "records" not in c["cut"]
        answers = mtsql.run(verbose + [s for i, _, force in jobs for s in (*force, self.questions[i].sql.replace("{t}", "t"))], target)[4::3]
        duck = Duck(self.table)
        wrong = [self.check_plain(duck, q, a) for q, a in zip(self.questions, plain)]
        wrong += [self.check_other(self.questions[i], plain[i], a, how) for (i, how, _), a in zip(jobs, answers)]
        return [w for w in wrong if w]


def main():
    parser = randoms.options("statements", 20000, "N", engine="tables")
    parser.add_argument("--first", type=int, default=0, help="the first case, to run one again")
    parser.add_argument("--forced", type=int, default=2, help="legal cuts forced a statement")
    args, failed, asked = parser.parse_args(), 0, 0
    with server.Server(args.engine) if args.engine else contextlib.nullcontext() as uri:
        for number in range(args.first, args.first + (args.statements + AT_ONCE - 1) // AT_ONCE):
            case = Case(args.seed, number, args.forced, min(AT_ONCE, args.statements - asked))
            with randoms.place("timeseries", uri, number) as target:
                wrong = case.run(target)
            asked += len(case.questions)
            failed += len(wrong)
            for w in wrong[:3]:
                print(w[:3000], flush=True)
            if failed > 100:
                break
    for text, count in ERRORS.most_common(8):
        print(f"NOTE {count} times: {text}")
    compared = STATS["forced"] + STATS["free"]
    return randoms.closing(args.seed, asked + compared, failed, f"{asked} statements, {dict(STATS)}")


if __name__ == "__main__":
    sys.exit(main())

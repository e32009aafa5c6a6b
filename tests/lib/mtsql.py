"""Runs many statements in one process of the command, and returns the answer of each."""
import csv
import io
import json
import os
import re
import subprocess
import tempfile

from bson import json_util
from paths import MTSQL

csv.field_size_limit(1 << 30)  # a pipeline with long lists
NULL = "\u2205NULL"
MARK = "@@statement-%d@@"


FAILED = re.compile(r"^(?:(?:mtsql|psql):\S*:\d+: )?(?:ERROR|FATAL):  ", re.M)


class SqlError(Exception):
    """The command's error, where the caller expected rows."""


class Answer:
    """The answer of a statement. rows: tuples of text, with None for NULL. error: the error's text.
    """

    def __init__(self, rows=None, error=None):
        self.rows, self.error = rows, error

    def must(self):
        if self.error is not None:
            raise SqlError(self.error)
        return self.rows


def parse(chunk):
    if chunk.startswith(("ERROR", "FATAL", "mtsql:")) or FAILED.search(chunk):  # rows may come before an error
        return Answer(error=chunk.strip())
    rows = [tuple(None if v == NULL else v for v in r or [""]) for r in csv.reader(io.StringIO(chunk, newline=""))]
    return Answer(rows=rows)


def split(text, count, rc):
    """Splits a program's output at the marks. Returns the answers."""
    answers, at = [], 0
    for i in range(count):
        start = text.find((MARK % i) + "\n", at)
        end = text.find((MARK % (i + 1)) + "\n", at)
        if start < 0 or end < 0:
            answers.append(Answer(error=f"the command stopped (exit {rc}): " + text[max(0, len(text) - 2000):]))
            continue
        at = end
        answers.append(parse(text[start + len(MARK % i) + 1:end]))
    return answers


def run(statements, target=None, args=(), timeout=600, env=None):
    """Runs statements in one process, and returns an answer for each. A statement has no semicolon
    at its end. One that begins with a backslash is a command of the shell.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8", newline="") as f:
        f.write(f"\\pset null '{NULL}'\n")
        for i, s in enumerate(statements):
            f.write(f"\\echo {MARK % i}\n{s}{'' if s.startswith(chr(92)) else ';'}\n")
        f.write(f"\\echo {MARK % len(statements)}\n")
        f.flush()
        command = [MTSQL, "-X", "-q", "-t", "--csv", "-v", "ON_ERROR_STOP=0", "-f", f.name, *args]
        if target:
            command.append(target)
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=timeout,
                           env=dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", **(env or {})))
    return split(p.stdout.decode("utf-8", "replace"), len(statements), p.returncode)


def query(sql, target=None, **kw):
    return run([sql], target, **kw)[0].must()


def dump(target, collection, pipeline=None, timeout=600):
    """Returns the documents of a collection, read with --aggregate."""
    p = subprocess.run([MTSQL, "-X", target, "--aggregate", collection, json.dumps(pipeline or [])], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       stdin=subprocess.DEVNULL, timeout=timeout)
    if p.returncode:
        raise SqlError(p.stderr.decode("utf-8", "replace"))
    options = json_util.JSONOptions(json_mode=json_util.JSONMode.CANONICAL, tz_aware=True)
    return [json_util.loads(line, json_options=options) for line in p.stdout.decode("utf-8").split("\n") if line]

#!/usr/bin/env python3
"""Messages name SQL and the user's documents. They do not name pipelines, their operators and the
nodes of plans.

The first case reads the output of golden files. The others read the calls in the sources that set
an error. Operators may be named where the user wrote the pipeline: in `--aggregate` and in
templates.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from cases import check, run  # noqa: E402
from paths import ROOT  # noqa: E402

SAID = re.compile(r"\b(?:ERROR|WARNING|NOTICE|INFO|DETAIL|HINT|CONTEXT):  ?(.*)")
CALL = re.compile(r"\bmt_(?:error|refuse|warn|note|bad|layout_invalid)\w* \(")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
STAGES = "facet|lookup|unwind|group|project|match|unionWith|addFields|replaceRoot|replaceWith|expr|convert|objectToArray|arrayToObject|switch"
OPERATOR = re.compile(rf"\$_mt|\$(?:{STAGES})\b|\$to[A-Z]")
INTERNAL = re.compile(r"XX000|\b(?:memory of a stage|kind %?\d|kind %d|node %?d|undefined variable|pipeline|malformed)\b")
# Folders whose operators and stages a user's pipeline can name, and the SQLSTATEs of these errors.
PIPELINES = ("engine/local/", "functions/")
OF_PIPELINES = ("MT_E_PARAMETER", "MT_E_FEATURE", "mt_bad", "more than 32 variables")


def sources():
    folders = ("base", "types", "parser", "engine", "layouts", "copy", "catalog", "query", "functions", "analyze", "planner", "session", "shell")
    return sorted(f for folder in folders for f in glob.glob(os.path.join(ROOT, folder, "**", "*.c"), recursive=True))


def calls():
    """Returns (place, call, text) of each call that sets an error. The text joins all its literals.
    """
    for path in sources():
        with open(path, encoding="utf-8") as f:
            source = f.read()
        for m in CALL.finditer(source):
            call = source[m.start():source.index(";", m.end())] if ";" in source[m.end():] else ""
            line = source.count("\n", 0, m.start()) + 1
            yield f"{os.path.relpath(path, ROOT)}:{line}", call, " ".join(TEXT.findall(call))


def test_golden_files_print_no_internal_word():
    said = 0
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "sql", "*", "*.out"))):
        with open(path, encoding="utf-8", errors="replace") as f:
            for number, line in enumerate(f, 1):
                m = SAID.search(line)
                said += bool(m)
                if m and (OPERATOR.search(m[1]) or re.search(r"XX000|memory of a stage|kind \d|undefined variable", m[1])):
                    check(f"{os.path.basename(path)}:{number}", False, line)
    check("golden files print messages", said > 1000, f"only {said}")


def test_internal_errors_are_in_plain_words():
    found = [(place, text) for place, call, text in calls() if "MT_E_INTERNAL" in call]
    check("there are internal errors", len(found) > 10)
    for place, text in found:
        check(place, not OPERATOR.search(text) and not INTERNAL.search(text), text)


def test_operators_are_named_in_errors_of_pipelines_alone():
    named = 0
    for place, call, text in calls():
        if OPERATOR.search(text):
            named += 1
            own = place.startswith(PIPELINES) and any(word in call for word in OF_PIPELINES)
            check(place, own or "put other text into $literal" in text, text)
        check(place, not re.search(r"memory of a stage|kind %d", text), text)
    check("errors of pipelines name operators", named > 10, f"only {named}")


run(globals())

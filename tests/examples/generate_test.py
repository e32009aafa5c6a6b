#!/usr/bin/env python3
"""The generator gives the same bytes everywhere, the published counts, and the same rows in every
format.
"""
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys

import bson

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import run
from paths import GENERATE, TESTS

SHA = {"csv": "fea66c66381a3c8d7fae9d544e2e35c787a420b639a183f0b0159fdc3772224f"}


def made(*args):
    return subprocess.run([GENERATE, *args], stdout=subprocess.PIPE, check=True).stdout


def csv_rows(data):
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


def test_same_bytes():
    assert hashlib.sha256(made("--rows", "10000")).hexdigest() == SHA["csv"]


def test_full_size():
    """271 periods, 285,522 combinations, 5,927 clean, 13,115 pairs of minute and command with a known application."""
    got = made("--describe").decode()
    assert got == open(TESTS / "examples" / "packed_full.out", encoding="utf-8").read(), got


def test_describe_is_true():
    """The counts of --describe are those that a reader of the CSV finds."""
    rows = csv_rows(made("--rows", "30000"))[1:]
    combos = {tuple(r[1:4]) for r in rows}
    clean = [c for c in combos if all(re.fullmatch("[A-Za-z0-9_-]+", v) for v in c)]
    facts = {"rows": len(rows), "periods": len({r[0] for r in rows}), "combinations": len(combos), "clean combinations": len(clean),
             "rows with vAppid = ''": sum(r[3] == "" for r in rows), "timestamp, vCmdid pairs": len({(r[0], r[2]) for r in rows if r[3]}),
             "sum of totalCount": sum(int(r[4]) for r in rows), "sum of dProcessTime": sum(int(r[5]) for r in rows)}
    said = dict(re.findall(r"^(.*?) {2,}(\d+)$", made("--rows", "30000", "--describe").decode(), re.M))
    assert {k: int(said[k]) for k in facts} == facts, (said, facts)


def test_formats_agree():
    rows = csv_rows(made("--rows", "5000"))[1:]
    docs = [json.loads(line) for line in made("--rows", "5000", "--format", "jsonl").decode("utf-8").split("\n") if line]
    stored = bson.decode_all(made("--rows", "5000", "--format", "bson"))
    assert len(rows) == len(docs) == len(stored) == 5000
    for r, d, s in zip(rows, docs, stored):
        s.pop("_id")
        assert s == d, (s, d)
        assert r == [str(d["timestamp"]), d["iResult"], d["vCmdid"], d["vAppid"], str(d["totalCount"]), str(int(d["dProcessTime"]))], (r, d)


def test_dirty_values():
    values = {v for r in csv_rows(made("--rows", "100000"))[1:] for v in r[1:4]}
    for what, holds in {"empty": lambda v: v == "", "dot": lambda v: "." in v, "dollar": lambda v: v.startswith("$"), "quote": lambda v: '"' in v and "'" not in v, "apostrophe": lambda v: "'" in v,
                        "backslash": lambda v: "\\" in v, "tab": lambda v: "\t" in v, "line feed": lambda v: "\n" in v, "wide": lambda v: "\u5e94" in v, "zero width": lambda v: "\u200b" in v,
                        "control": lambda v: "\x1b" in v, "long": lambda v: len(v) == 1000, "looks null": lambda v: v in ("NULL", "None", "\\N")}.items():
        assert any(map(holds, values)), what


def test_clean():
    assert all(re.fullmatch("[A-Za-z0-9_-]+", v) for r in csv_rows(made("--rows", "20000", "--clean"))[1:] for v in r[1:4])


def test_bad_arguments():
    for args in (["--rows", "x"], ["--rows", "0"], ["--format", "xml"], ["--data", "none"], ["--rows"], ["-o", "/nowhere/x"]):
        p = subprocess.run([GENERATE, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert p.returncode == 1 and p.stderr.startswith(b"generate: "), (args, p)


sys.exit(run(globals()))

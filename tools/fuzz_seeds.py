#!/usr/bin/env python3
"""Seeds and dictionaries of the libFuzzer targets, made of the tests' own files.

    fuzz_seeds.py TARGET FOLDER DICTIONARY

Writes a file a seed into FOLDER, and the words that stand in most of them into DICTIONARY.
Targets without a row in SEEDS have none: their corpus is tests/fuzz/TARGET/.
"""

import collections
import glob
import hashlib
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST_BYTES = 8192
WORDS = 1500


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return f.read()


def files(*pattern):
    return sorted(glob.glob(os.path.join(ROOT, *pattern), recursive=True))


def lines_of_sql(text):
    """The lines of statements: no backslash commands, and nothing of COPY's data."""
    data = False
    for line in text.splitlines():
        if data or line.startswith("\\"):
            data = data and line != "\\."
            continue
        data = bool(re.search(r"FROM STDIN\b", line, re.I)) and line.rstrip().endswith(";")
        if not line.startswith("--"):
            yield line


def statements():
    for path in files("tests/sql/*/*.sql"):
        one = []
        for line in lines_of_sql(read(path)):
            one.append(line)
            if line.rstrip().endswith(";"):
                yield "\n".join(one)
                one = []
        yield "\n".join(one)


def sql():
    yield from statements()
    for path in files("tests/sql/*/*.sql") + files("examples/**/*.sql"):
        yield "\n".join(lines_of_sql(read(path)))


def literals():
    for statement in statements():
        for text in re.findall(r"'((?:[^']|'')*)'", statement):
            yield text.replace("''", "'")


def descriptors():
    yield from (text for text in literals() if '"stores"' in text)
    for path in files("docs/*.md"):
        yield from (
            block
            for block in re.findall(r"```[a-z]*\n(.*?)```", read(path), re.S)
            if '"is":' in block
        )


def engine_cases():
    for path in files("tests/engine/*.json"):
        yield from json.loads(read(path))


def pipelines():
    for case in engine_cases():
        yield ("" if case.get("no_collection") else "c\n") + json.dumps(case["pipeline"])
    for line in read(os.path.join(ROOT, "tests/sql/inspect/mongosh_syntax.sql")).splitlines():
        yield line


def values():
    for case in engine_cases():
        for value in [case["pipeline"]] + case["docs"]:
            yield json.dumps(value)


def jsons():
    documents = [text for text in literals() if re.match(r"\s*[\[{\"0-9tfn-]", text)]
    paths = [text for text in literals() if re.match(r"\s*(strict |lax )?[$-]", text)]
    for i, document in enumerate(documents):
        yield paths[i % len(paths)].replace("\n", " ") + "\n" + document
    for path in paths:
        yield path.replace("\n", " ") + '\n{"a": [1, "x", {"b": null}], "c": {"d": 2.5}}'
    yield from map(read, files("tests/sql/data/*.jsonl"))


def copied():
    """COPY's data, behind its options in the form that csv_fuzz reads."""
    for path in files("tests/sql/*/*.sql"):
        for options, data in re.findall(
            r"^COPY [^\n]*FROM STDIN([^\n]*);\n(.*?)^\\\.$", read(path), re.S | re.M
        ):
            words = ["csv" if "csv" in options.lower() else "text"]
            words += [
                f"{name.lower()}={value}"
                for name, value in re.findall(
                    r"\b(NULL|DELIMITER|QUOTE|ESCAPE|ENCODING|EPOCH) E?'([^']*)'", options
                )
            ]
            words += ["header=true"] if re.search(r"\bHEADER\b", options) else []
            yield ";".join(words) + "\n" + data
    row = '1,x,1.5,2024-02-29 12:00:00+01,12.50,2024-02-29,t,"{a,NULL,""b,c""}",'
    row += '"{""k"": [1]}",\\x00ff,1 mon 2 days\n'
    yield "csv\n" + row + ',"",NaN,infinity,NaN,-infinity,,{},null,,-00:00:01\n'
    options = "csv;header=true;null=N;delimiter=|;quote=';escape=\\\n"
    yield options + "a|b|c|ts|n|d|k|l|j|y|i\n" + "N|'it\\'s'" + "|N" * 9 + "\n"
    yield "text\n" + "\\N\ta\\tb\\x41\\101\\\\" + "\t\\N" * 9 + "\n\\.\n"
    yield "csv;epoch=ms;encoding=LATIN1\n" + "2,\udce9,1,1700000000000" + "," * 7 + "\n"


def samples():
    """CSV files, behind the byte that sniff_fuzz reads."""
    for i, path in enumerate(files("tests/sql/data/*.csv") + files("tests/sql/data/files/*.csv")):
        yield chr(i % 16) + read(path)
    for i, text in enumerate(re.findall(r'TEXT \(((?:"(?:[^"\\]|\\.)*"\s*)+)\)', read("tests/unit/sniff_test.c"))):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))
        yield chr(i % 16) + text.encode("latin-1", "replace").decode("unicode_escape")


def typed():
    """Keys, behind the byte that editor_fuzz reads."""
    yield "\x50SELECT a\x1b[D\x1b[Cb\x01\x05\x0b\x19\x1f\x1b_\x1bb\x1bf\x1bd\x7f\x08\t\t;\r"
    yield "\x14one\x1b[200~two\r\nthree\tfour\x1b[201~\x1b[A\x1b[B\x1b[H\x1b[F\x1b[3~\x12o\x12\x13\x07(\r;\r"
    yield "\x00\u00e9\u4e2d\U0001f600e\u0301\x1b[1;5D\x1b[1;5C\x1b[3;5~\x14\x1bu\x1bl\x1bc\x18e\x18\x15\x0c\x16\x07\x1b[5~\x1b[6~;\r"
    for i, text in enumerate(sql()):
        yield chr(i % 100) + text[:1000]


def feeds():
    yield from map(read, files("tests/sql/data/*.xml"))


SEEDS = {
    "sql_fuzz": sql,
    "parser_fuzz": sql,
    "descriptor_fuzz": descriptors,
    "pipeline_fuzz": pipelines,
    "mongosh_fuzz": values,
    "json_fuzz": jsons,
    "json_file_fuzz": values,
    "csv_fuzz": copied,
    "sniff_fuzz": samples,
    "editor_fuzz": typed,
    "arcanum_fuzz": feeds,
}


def dictionary(texts):
    words = collections.Counter()
    for text in texts:
        words.update(set(re.findall(r"\$?[A-Za-z_][A-Za-z_0-9]{1,30}|[^\sA-Za-z0-9_]{2,4}", text)))
    for word, _ in words.most_common(WORDS):
        if word.isascii() and word.isprintable():
            yield '"%s"' % word.replace("\\", "\\\\").replace('"', '\\"')


def main(target, folder, words):
    texts = sorted(set(text for text in SEEDS.get(target, list)() if 0 < len(text) <= MOST_BYTES))
    for text in texts:
        data = text.encode("utf-8", "surrogateescape")
        with open(os.path.join(folder, hashlib.sha1(data).hexdigest()), "wb") as f:
            f.write(data)
    with open(words, "w", encoding="ascii") as f:
        f.writelines(line + "\n" for line in dictionary(texts))


if __name__ == "__main__":
    main(*sys.argv[1:4])

#!/usr/bin/env python3
"""Reports how many cases of MongoDB's bson-corpus give the published result: python tools/bson_corpus.py FOLDER [MTSQL]. FOLDER has the files source/bson-corpus/tests/*.json of
github.com/mongodb/specifications, which are not part of this project.

Valid documents are read from files of BSON and of extended JSON, and printed as canonical and as relaxed extended JSON. Wrong ones must be refused."""
import glob
import json
import os
import subprocess
import sys
import tempfile


class Reader:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def read(self, name, content, *options):
        """The lines that a pipeline without stages gives for a file of this content, and the exit status."""
        path = os.path.join(self.folder, name)
        with open(path, "wb") as f:
            f.write(content)
        r = subprocess.run([self.program, "-X", *options, "--aggregate", name.split(".")[0], "[]", path], capture_output=True)
        return r.stdout.decode("utf-8", "replace").split("\n")[:-1], r.returncode

    def each(self, name, contents, *options):
        """The line of each document: all in one file, or one by one if one of them is refused."""
        lines, code = self.read(name, b"\n".join(contents) if name.endswith("jsonl") else b"".join(contents), *options)
        if code == 0 and len(lines) == len(contents):
            return lines
        alone = [self.read(name, content, *options) for content in contents]
        return [lines[0] if code == 0 and len(lines) == 1 else "refused" for lines, code in alone]


def same(a, b):
    """Whether two texts are the same JSON, with the fields in the same order. The corpus leaves the form of doubles open."""
    fields = lambda pairs: [(k, repr(float(v)) if k == "$numberDouble" else v) for k, v in pairs]
    pairs = lambda text: json.loads(text, object_pairs_hook=fields, parse_float=lambda s: ("float", repr(float(s))), parse_int=lambda s: ("int", int(s)))
    try:
        return pairs(a) == pairs(b)
    except ValueError:
        return False


def valid(reader, cases):
    """(name, got, wanted) of each way to read a valid case."""
    ways = [("canonical_bson", "d.bson", "canonical_extjson", ()), ("canonical_bson", "d.bson", "relaxed_extjson", ("--relaxed",)), ("degenerate_bson", "d.bson", "canonical_extjson", ()),
            ("canonical_extjson", "d.jsonl", "canonical_extjson", ()), ("degenerate_extjson", "d.jsonl", "canonical_extjson", ()), ("relaxed_extjson", "d.jsonl", "relaxed_extjson", ("--relaxed",))]
    for source, file, result, options in ways:
        some = [c for c in cases if source in c and result in c and not (c.get("lossy") and file == "d.jsonl")]
        contents = [bytes.fromhex(c[source]) if file == "d.bson" else c[source].replace("\n", " ").encode() for c in some]
        for case, line in zip(some, reader.each(file, contents, *options) if some else []):
            yield f"{case['file']}: {case['description']}: {source} to {result}", line, case[result]


def main():
    if len(sys.argv) < 2 or not glob.glob(os.path.join(sys.argv[1], "*.json")):
        print("usage: bson_corpus.py FOLDER [MTSQL]; FOLDER has the corpus' *.json", file=sys.stderr)
        return 2
    program = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else "build/mtsql")
    cases, errors, parses = [], [], []
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json"))):
        with open(path, encoding="utf-8") as f:
            table = json.load(f)
        name = os.path.basename(path)[:-5]
        cases += [dict(c, file=name) for c in table.get("valid", [])]
        errors += [(f"{name}: {c['description']}", bytes.fromhex(c["bson"])) for c in table.get("decodeErrors", [])]
        parses += [(f"{name}: {c['description']}", json.dumps({"d": {"$numberDecimal": c["string"]}}) if table["bson_type"] == "0x13" else c["string"]) for c in table.get("parseErrors", [])]
    wrong = {}
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(program, folder)
        for name, got, wanted in valid(reader, cases):
            if not same(got, wanted):
                wrong.setdefault("valid", {}).setdefault(name.rsplit(": ", 1)[0], f"{name}\n   got      {got}\n   expected {wanted}")
        for kind, list_, file in (("decode errors", errors, "e.bson"), ("parse errors", parses, "e.jsonl")):
            for name, content in list_:
                lines, code = reader.read(file, content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
                if code == 0:
                    wrong.setdefault(kind, {})[name] = f"{name}\n   got {lines}"
    for kind in wrong.values():
        print("\n".join(kind.values()))
    for kind, count in (("valid", len(cases)), ("decode errors", len(errors)), ("parse errors", len(parses))):
        print(f"{kind}: {count - len(wrong.get(kind, {}))} of {count} cases give the published result")
    return 0


sys.exit(main())

#!/usr/bin/env python3
"""Makes the pages of docs/reference/ from what the program says of itself.

    reference.py [--check] MTSQL

Writes the pages, or with --check compares them and fails if one differs. The sources of the pages
are the program's help (\\?, \\h, --help), its lists (\\df, \\do), SHOW ALL, base/error.h, the tables of engine/local,
and tests/servers/pushdown.csv.
"""
import csv
import io
import os
import re
import subprocess
import sys

from prose import wrapped

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = os.path.join(ROOT, "docs", "reference")
NOTE = "<!-- Made by tools/reference.py. Change the row that it comes from, then run `make reference`. -->\n"
WITHOUT_EFFECT = "Has no effect: only PostgreSQL's planner uses it"


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments, text=None):
        p = subprocess.run([self.path, "-X", *arguments], input=text, stdout=subprocess.PIPE, text=True, check=True, env=dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC"))
        return p.stdout

    def rows(self, command):
        return list(csv.DictReader(io.StringIO(self.run("--csv", "-q", "-c", command))))

    def help(self, names):
        return self.run("-q", text="".join(f"\\h {name}\n" for name in names))


def cell(text):
    """Text for a table's cell."""
    return re.sub(r"([|<>*_])", r"\\\1", text)


def code(text):
    """Code for a table's cell."""
    return "`" + text.replace("|", "\\|") + "`" if text else ""


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def sections(text):
    """(heading, its indented lines) of a help text."""
    found = []
    for line in text.splitlines():
        if line and not line.startswith(" "):
            found.append((line.rstrip(":"), []))
        elif line.strip() and found:
            found[-1][1].append(line.strip())
    return found


def entry(line):
    """(name, description) of a line of help: two spaces or more stand between them, or the name ends where it is too long."""
    parts = re.split(r"\s{2,}", line, maxsplit=1)
    return parts if len(parts) == 2 else line.split(" ", 1)


def statements(program):
    """Each statement: what it does, and its syntax."""
    listed = dict(sections(program.run("-c", "\\h")))["Available help"]
    names = [re.split(r"\s{2,}| (?=[a-z])", line, maxsplit=1)[0] for line in listed]
    found = {}
    for block in re.split(r"^Command:", program.help(names), flags=re.M)[1:]:
        name, rest = block.strip().split("\n", 1)
        about, syntax = re.match(r"Description: (.*?)\nSyntax:\n(.*)", rest, re.S).groups()
        found.setdefault(name, f"## {name}\n\n{about[0].upper()}{about[1:]}.\n\n```text\n{syntax.strip()}\n```\n")
    missing = [name for name in names if name not in found]
    if missing:
        raise SystemExit(f"no help for {missing}")
    return "# Statements\n\nThe shell shows the same: `\\h` lists the statements, `\\h INSERT` explains one.\n\n" + "\n".join(found.values())


def functions(program):
    """Functions by kind and name, then operators."""
    kinds = {"agg": "Aggregates", "window": "Window functions", "func": "Functions"}
    rows, parts = program.rows("\\df+"), []
    for kind, title in kinds.items():
        parts.append(f"## {title}\n")
        named = {}
        for row in rows:
            if row["Kind"] == kind:
                named.setdefault(row["Name"], []).append(row)
        for name, overloads in named.items():
            about, lines = [], []
            for row in overloads:
                taken, given = row["Signature"].rsplit("->", 1)
                lines.append(f"{name}({taken.strip()}) → {given.strip()}")
                if row["Description"] not in about:
                    about.append(row["Description"])
            shown = overloads[0]["Example"].replace(" => ", "\n   → ")
            parts.append(f"### {name}\n\n{cell('; '.join(about))}\n\n```text\n" + "\n".join(lines) + (f"\n\n{shown}" if shown else "") + "\n```\n")
    parts.append("## Operators\n")
    named = {}
    for row in program.rows("\\do+"):
        operands = " ".join(filter(None, (row["Left arg type"], row["Name"], row["Right arg type"])))
        named.setdefault(row["Name"], {}).setdefault(row["Description"], []).append(f"{operands} → {row['Result type']}")
    for name, meanings in named.items():
        parts.append(f"### {code(name)}\n")
        parts += [f"{cell(about)}\n\n```text\n" + "\n".join(lines) + "\n```\n" for about, lines in meanings.items()]
    return ("# Functions and operators\n\nThe shell shows the same: `\\df` lists the functions, `\\h time_bucket` explains one, `\\do` lists the\n"
            "operators. Each example is run as a test.\n\n" + "\n".join(parts))


def settings(program):
    rows = program.rows("SHOW ALL")
    own = [row for row in rows if not row["description"].startswith(WITHOUT_EFFECT)]
    kept = [row for row in rows if row["description"].startswith(WITHOUT_EFFECT)]
    show = lambda row: (code(row["name"]), code(row["setting"]))
    return ("# Settings\n\n`SET name = value` changes a setting of the session, `SHOW name` shows it, `RESET name` changes it back.\n"
            "`SHOW ALL` lists them.\n\n" + table(("setting", "default", "meaning"), [(*show(row), cell(row["description"])) for row in own]) +
            "\n## Settings without effect\n\nPostgreSQL's planner has these settings. mtsql keeps them, so that programs can set them.\n\n" +
            table(("setting", "value"), [show(row) for row in kept]))


def joined(lines):
    """A command whose name is long has its summary on the next line."""
    out = []
    for line in lines:
        if line.lstrip().startswith("\\"):
            out.append(line)
        else:
            out[-1] += "  " + line.strip()
    return out


def commands(program):
    parts = ["# Commands and options\n", "The shell shows the same: `\\?` lists the commands, `mtsql --help` the options. `man mtsql` has more.\n", "## Options\n"]
    options = dict(sections(program.run("--help")))
    parts.append(table(("option", "meaning"), [(code(name), cell(about)) for name, about in map(entry, options["Options"])]))
    for title, lines in sections(program.run("-c", "\\?")):
        rows = [(code(name), cell(about)) for name, about in map(entry, joined(lines))]
        parts.append(f"## {title}\n\n" + table(("command", "meaning"), rows))
    return "\n".join(parts)


def layouts(program):
    listed = dict(sections(program.run("-c", "\\h")))
    presets = [entry(line)[0] for line in listed["Presets of layouts"]]
    parts = ["# Layouts\n", "A layout says how a table's records lie in documents. A preset is a layout with a name and options.\nThe shell shows the same: `\\h nested` explains a preset. "
             "[Choose a layout](../how-to/layout.md) helps to\nchoose. [The grammar of descriptors](../lemma.md) lets you write your own.\n", "## Presets\n"]
    for block in re.split(r"^Preset: *", program.help(presets), flags=re.M)[1:]:
        block = re.split(r"^\w+: {5,}", block, flags=re.M)[0] if not block.split("\n", 1)[0] in presets else block
        name, about, example, rest = re.match(r"(\S+)\nDescription: (.*?)\nExample: *(.*?)\nOptions:\n(.*)", block, re.S).groups()
        options = re.findall(r"^   (\S+) = (.*)\n      (.*?)(?:; otherwise: (.*))?$", rest, re.M)
        parts.append(f"### {name}\n\n{about[0].upper()}{about[1:]}.\n\n```text\n{example.replace(' USING ', chr(10) + '   USING ')}\n```\n")
        parts.append(table(("option", "values", "meaning", "default"), [(code(o), code(v), cell(m), cell(d)) for o, v, m, d in options]))
    parts.append("## Levels\n\n" + table(("level", "meaning"), [(code(name), cell(about)) for name, about in map(entry, listed["Levels of layouts"])]))
    return "\n".join(parts)


def errors(program):
    """SQLSTATEs with PostgreSQL's names for them. Where base/error.h gives no name, the macro's is PostgreSQL's."""
    with open(os.path.join(ROOT, "base", "error.h"), encoding="utf-8") as f:
        found = re.findall(r'#define MT_E_(\w+) "(\w{5})"(?: +/\* ([^*]*?) \*/)?', f.read())
    rows = []
    for macro, state, about in found:
        name, note = re.match(r"(\w*)[\s:,;]*(.*)", about, re.S).groups()
        rows.append((code(state), code(name or macro.lower()), cell(" ".join(note.split()))))
    codes = re.search(r"^Exit status: (.*)\.$", program.run("--help"), re.M).group(1)
    exits = [item.strip().split(" ", 1) for item in codes.split(",")]
    return ("# Errors and exit codes\n\nEach error has a SQLSTATE, as in PostgreSQL. `\\errverbose` shows that of the last error. A feature that\nis missing has 0A000.\n\n"
            "## Exit codes of the shell\n\n" + table(("code", "meaning"), [(code(number), cell(about)) for number, about in exits]) +
            "\n## SQLSTATEs\n\n" + table(("SQLSTATE", "PostgreSQL's name", "note"), sorted(rows)))


# section of tools/mongodb_names.txt -> the tables of the engine: file, the text at which its rows begin, and a row's name
LANGUAGE = {
    "Stages": [("stage/stages.c", "stages[] = {", r'{"(\$[a-z]\w*)",')],
    "Operators of expressions": [("expr/parse.c", "specials[] = {", r'{"(\$\w+)",'), ("expr/parse.c", "random_row = {", r'"(\$\w+)",')] + [
        (f"expr/op_{name}.c", "const MtOpRow mt_ops_", r'[({]\s*"(\$[a-zA-Z]\w*)",') for name in ("arithmetic", "compare", "string", "date", "convert", "array", "stat", "hash", "encode")],
    "Accumulators of $group": [("group/accum.c", "const MtAccRow rows[] = {", r'[({]\s*"(\$[a-zA-Z]\w*)",')],
    "Functions of $setWindowFields": [("window/outputs.c", "const Row rows[] = {", r'[({]\s*"(\$[a-zA-Z]\w*)"'), ("stage/scaler.c", "bool mt_scaler_begin", r'"(\$[a-zA-Z]\w*)"')],
    "Operators of $match": [("expr/match_parse.c", "MtMatch *unknown_operator", r'"(\$[a-zA-Z]\w*)"'), ("expr/match_parse.c", "MtMatch *parse_top", r'strcmp \(name, "(\$\w+)"\)')],
    "Variables": [("expr/parse.c", "parse_variable", r'strcmp \(name, "([A-Z]+)"\)'), ("expr/bind.c", "MtShape *variable", r'strcmp \(name, "([A-Z]+)"\)'), ("expr/parse.c", "MtExecExpr *element_names", r'index, "([A-Z]+)"'), ("stage/redact.c", "decisions[] = {", r'"([A-Z]+)"')],
}


def local_source(file):
    with open(os.path.join(ROOT, "engine", "local", file), encoding="utf-8") as f:
        return f.read()


def in_tables(tables):
    """The names in the tables. A table ends at the first line that closes it."""
    found = set()
    for file, begin, row in tables:
        text = local_source(file)
        if begin not in text:
            raise SystemExit(f"engine/local/{file} has no {begin}")
        names = re.findall(row, re.split(r"^}", text[text.index(begin):], maxsplit=1, flags=re.M)[0])
        if not names:
            raise SystemExit(f"no names behind {begin} of engine/local/{file}")
        found.update(name if name.startswith("$") else "$$" + name for name in names)
    return found


def aggregation(program):
    """MongoDB's names by kind, and whether pipelines in process have them."""
    with open(os.path.join(ROOT, "tools", "mongodb_names.txt"), encoding="utf-8") as f:
        kinds = re.findall(r"^\[([^]]*)\]\n(.*?)(?=^\[|\Z)", f.read(), re.M | re.S)
    text = local_source("expr/refused.c")
    reasons = {name: f"{reason} ({number})" for name, number, reason in re.findall(r'#define (\w+) (\d+), "([^"]+)"', text)}
    refused = {name: reasons[reason] for name, reason in re.findall(r'{"(\$+\w+)", (\w+)}', text)}
    parts = ["# Aggregation language\n", "`mtsql --aggregate` runs MongoDB's pipelines. On a server, the server runs them. Over a store and\n"
             "over files, mtsql runs them in the process. The tables list the names of MongoDB's manual 8.3, and\n"
             "what pipelines in process do with them. A refused name is an error with SQLSTATE 0A000, and with the\n"
             "number in parentheses. An error of a pipeline names MongoDB's number and codeName of it:\n",
             "```\nERROR:  can't $divide by zero\nDETAIL:  MongoDB reports this error as 2 (BadValue).\n```\n",
             "Options of aggregate stand behind the stages: allowDiskUse, batchSize, collation, comment, hint,\nlet and maxTimeMS. `mtsql --aggregate calls '[{$match: …}], {let: {least: 5}}'` is one form, and\n"
             "`db.calls.aggregate([…], {…})` the other. `--explain` shows how the pipeline ran. Documents are\nprinted in canonical extended JSON, and with `--relaxed` in the relaxed form.\n",
             "In process, text is compared by its bytes, or by the option `collation`. Collations are those of\n"
             "the library ICU, as MongoDB's are. MongoDB has ICU 57.1, and mtsql the system's version. So the\n"
             "order of newer characters may differ. As in MongoDB, collations apply to comparisons, but not to\n"
             "regular expressions, `$strcasecmp`, `$indexOfCP` and `$jsonSchema`. A collection has no\n"
             "collation of its own.\n"]
    for kind, names in kinds:
        has = in_tables(LANGUAGE[kind])
        rows = [(code(name), "yes" if name in has else "refused" + (": " + refused[name] if name in refused else "")) for name in names.split()]
        parts.append("## " + re.sub(r"(\$\w+)", r"`\1`", kind) + "\n\n" + table(("name", "in process"), rows))
    return "\n".join(parts)


def ran(row):
    """How much of a query a server runs, for a cell."""
    kind, _, what = row["in process"].partition(" ")
    where = {"": "all", "on": "on request", "own": f"not {code(what)}", "lacks": f"lacks {code(what)}"}[kind]
    return [where, row["documents"], row["bytes"]]


def pushdown(_):
    """What tests/servers/pushdown_test.py recorded of the queries in pushdown.sql."""
    names, folder = {"secantus": "SecantusDB", "documentdb": "DocumentDB"}, os.path.join(ROOT, "tests", "servers")
    with open(os.path.join(folder, "pushdown.csv"), encoding="utf-8", newline="") as f:
        found = {(row["query"], row["server"]): row for row in csv.DictReader(f)}
    with open(os.path.join(folder, "pushdown.sql"), encoding="utf-8") as f:
        queries = [(name, text) for name, text in re.findall(r"^-- (.+)\n((?:[^-].*\n)+)", f.read(), re.M) if not name.startswith("set-up")]
    whole = {server: sum(row["in process"] in ("", "on request") for (_, of), row in found.items() if of == server) for server in names}
    parts = ["# What servers run\n", "These are queries that analysts send. They read collections that nobody declared (plain), tables of\nrows, and packed layouts. `tests/servers/pushdown_test.py` runs them on each server and in process,\n"
             "and compares the rows. [Servers](../servers.md#what-runs-where) explains what runs where.\n",
             table(("server", "run wholly on it"), [(title, f"{whole[server]} of {len(queries)}") for server, title in names.items()]),
             "- all: the server runs the whole query (`require_full_pushdown` accepts it). The text of EXPLAIN,\n  pasted into mongosh, gives the documents that mtsql fetches.\n"
             "- on request: so it does with `SET require_full_pushdown = on`. Otherwise mtsql joins in process,\n  because that is cheaper. It computes percentiles and gaps there, because groups can be too large\n  for servers.\n- not `$_mt…`: the query needs an operator that only mtsql has.\n- lacks `$…`: the server lacks the operator, or gets it wrong.\n- documents, bytes: what mtsql fetches, as BSON.\n"]
    for kind, title in (("plain", "Plain collections"), ("rows", "Tables of rows"), ("packed", "Packed layouts")):
        own = [(name, text) for name, text in queries if name.startswith(kind + ": ")]
        short = lambda name: name.split(": ", 1)[1]
        parts.append(f"## {title}\n")
        parts.append(table(("query", *(head for s in names for head in (names[s], "documents", "bytes"))), [[cell(short(name)), *(c for s in names for c in ran(found[name, s]))] for name, _ in own]))
        parts.append("```text\n" + "\n".join(f"-- {short(name)}\n{text.strip()}" for name, text in own) + "\n```\n")
    return "\n".join(parts)


MADE = {"aggregation.md": aggregation, "statements.md": statements, "functions.md": functions, "settings.md": settings, "commands.md": commands, "layouts.md": layouts, "errors.md": errors, "pushdown.md": pushdown}


def main(arguments):
    program, stale = Program(os.path.abspath(arguments[-1])), []
    for name, make in MADE.items():
        path, text = os.path.join(PAGES, name), NOTE + wrapped(make(program))
        if "--check" not in arguments:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            stale.append(name)
    for name in stale:
        print(f"docs/reference/{name} is stale: run `make reference`")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

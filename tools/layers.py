#!/usr/bin/env python3
"""Checks that the code keeps to the plan of its folders.

    layers.py BUILD

Fails when
- a file includes a header of a folder that its own may not use, or calls a function there (by the
  symbols of the objects in BUILD/obj: build first);
- a library is included where it isn't that folder's business;
- another file than base/bson.c calls a function of the driver that appends to BSON;
- two headers have the same include guard, or define the same type or macro;
- a README names a file that isn't there;
- a function takes more than six parameters, has more than 75 lines, or a branch of `? :` is another
  `? :`;
- a function or table that a header declares is used by no other file, tests and extensions included;
- a folder has more files than it should, functions call each other in too large a circle of files,
  a header declares too many functions, or a private header (*_int.h) is included by another folder.

Of the last kind tools/layers.known lists what is still beyond the goal. A measure beyond what is
listed fails, and so does one that is better: then write the new one there.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# What every room of session/ may use of the rest.
LAYOUTS = [f"layouts{r}" for r in ("", "/presets", "/descriptor", "/collections", "/read", "/pack", "/infer")]
BELOW_SESSION = ["base", "types", "parser", "engine", "include", *LAYOUTS, "arrow", "copy", "catalog", "query", "functions", "analyze", "analyze/routines", "planner/emit", "planner/cut", "planner/plan"]

# What every room of analyze/ may use of the rest.
BELOW_ANALYZE = ["base", "types", "parser", "query", "functions/core", "functions", "planner/emit"]

# Each folder, and those whose headers it may include beside its own.
USES = {
    "base": [],
    "types": ["base"],
    "parser": ["base"],
    "engine": ["base", "types", "engine/local", "engine/local/expr", "engine/local/exec", "engine/local/stage", "engine/mongo"],
    "engine/local/documents": ["base"],
    "engine/local/store": ["base", "types", "engine", "engine/local/documents"],
    "engine/local/expr": ["base", "types", "engine", "engine/local/store"],
    "engine/local/group": ["base", "types", "engine", "engine/local/documents", "engine/local/expr"],
    "engine/local/window": ["base", "types", "engine", "engine/local/store", "engine/local/expr", "engine/local/group"],
    "engine/local/exec": ["base", "types", "engine", "engine/local/documents", "engine/local/store", "engine/local/expr", "engine/local/group", "engine/local/window"],
    "engine/local/stage": ["base", "types", "engine", "engine/local/store", "engine/local/expr", "engine/local/group", "engine/local/window", "engine/local/exec"],
    "engine/local": ["base", "types", "engine", "engine/local/store", "engine/local/expr", "engine/local/exec", "engine/local/stage"],
    "engine/mongo/net": ["base"],
    "engine/mongo/conn": ["base", "engine", "engine/mongo/net"],
    "engine/mongo/write": ["base", "engine", "engine/mongo/net", "engine/mongo/conn"],
    "engine/mongo/undo": ["base", "engine", "engine/mongo/net", "engine/mongo/conn", "engine/mongo/write"],
    "engine/mongo": ["base", "types", "engine", "engine/mongo/net", "engine/mongo/conn", "engine/mongo/write", "engine/mongo/undo"],
    "include": ["base", "types", "engine/local/expr", "engine/local/group", "arrow", "copy", "query"],
    "layouts": ["base", "types", "engine", "engine/local/group"],
    "layouts/presets": ["base", "types", "layouts"],
    "layouts/descriptor": ["base", "types", "engine", "layouts", "layouts/presets"],
    "layouts/collections": ["base", "types", "engine", "layouts"],
    "layouts/read": ["base", "types", "engine", "engine/local/group", "layouts", "layouts/collections"],
    "layouts/pack": ["base", "types", "engine", "engine/local/group", "layouts", "layouts/collections", "layouts/read"],
    "layouts/infer": ["base", "types", "layouts", "layouts/presets", "layouts/descriptor", "layouts/read"],
    "arrow": ["base", "types"],
    "copy": ["base", "types", "arrow", "layouts", "layouts/presets"],
    "catalog": ["base", "types", "engine", "layouts", "layouts/collections", "layouts/descriptor"],
    "query": ["base", "types", "parser", "engine/local/expr", "layouts"],
    "functions/core": ["base", "types", "query"],
    "functions/text": ["base", "types", "parser", "engine/local/expr", "query", "functions/core"],
    "functions/time": ["base", "types", "query", "functions/core"],
    "functions/json": ["base", "types", "engine/local/expr", "query", "functions/core", "functions/text"],
    "functions/timeseries": ["base", "types", "engine/local/expr", "engine/local/group", "query", "functions/core"],
    "functions": ["base", "types", "engine", "engine/local/expr", "engine/local/group", "query", "functions/core", "functions/text", "functions/time", "functions/json", "functions/timeseries"],
    "planner/emit": ["base", "types", "engine", "engine/local/stage", "query", "functions/core", "functions/text", "functions"],
    "planner/rewrite": ["base", "types", "query", "functions"],
    "analyze/state": [*BELOW_ANALYZE],
    "analyze/types": [*BELOW_ANALYZE, "analyze/state"],
    "analyze/calls": [*BELOW_ANALYZE, "analyze/state", "analyze/types"],
    "analyze/names": [*BELOW_ANALYZE, "analyze/state", "analyze/types", "analyze/calls"],
    "analyze/from": [*BELOW_ANALYZE, "engine", "engine/local/exec", "engine/local/stage", "planner/rewrite", "analyze/state", "analyze/types", "analyze/calls", "analyze/names"],
    "analyze/group": [*BELOW_ANALYZE, *(f"analyze/{r}" for r in ("state", "types", "calls", "names", "from"))],
    "analyze/sub": [*BELOW_ANALYZE, "planner/rewrite", *(f"analyze/{r}" for r in ("state", "types", "calls", "names", "from", "group"))],
    "analyze/expr": [*BELOW_ANALYZE, *(f"analyze/{r}" for r in ("state", "types", "calls", "names", "group", "sub"))],
    "analyze/block": [*BELOW_ANALYZE, *(f"analyze/{r}" for r in ("state", "types", "calls", "names", "from", "group", "sub", "expr"))],
    "analyze/routines": [*BELOW_ANALYZE, "engine/local/group", *(f"analyze/{r}" for r in ("state", "types", "calls", "block"))],
    "analyze": [*BELOW_ANALYZE, "planner/rewrite", *(f"analyze/{r}" for r in ("state", "types", "calls", "block"))],
    "planner/cut": ["base", "types", "engine", "engine/local/group", "layouts", "query", "functions", "planner/emit"],
    "planner/plan": ["base", "types", "engine", "engine/local/group", "layouts", "query", "functions", "planner/emit", "planner/rewrite", "planner/cut"],
    "session/state": [*BELOW_SESSION],
    "session/coordinate": [*BELOW_SESSION, "session/state"],
    "session/continuous": [*BELOW_SESSION, "session/state", "session/coordinate"],
    "session/files": [*BELOW_SESSION, "session/state"],
    "session/core": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/files"],
    "session/dml": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/files", "session/core"],
    "session/ddl": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/files", "session/core", "session/dml"],
    "session/upkeep": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/files", "session/core", "session/dml", "session/ddl"],
    "session/maintain": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/core", "session/dml", "session/ddl"],
    "session/advise": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/files", "session/core", "session/dml", "session/ddl"],
    "session/inspect": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/files", "session/core", "session/dml", "session/ddl", "session/maintain", "session/advise"],
    "session/run": [*BELOW_SESSION, "session/state", "session/coordinate", "session/continuous", "session/files", "session/core", "session/dml", "session/ddl", "session/upkeep", "session/maintain", "session/advise", "session/inspect"],
    "shell/format": ["base", "types", "include"],
    "shell/edit": ["base", "shell/format"],
    "shell/chart": ["base", "types", "include", "shell/format"],
    "shell/core": ["base", "types", "include", "shell/format", "shell/edit", "shell/chart"],
    "shell/dashboard": ["base", "types", "include", "shell/format", "shell/edit", "shell/chart", "shell/core"],
    "shell/commands": ["base", "types", "include", "shell/format", "shell/edit", "shell/chart", "shell/core", "shell/dashboard"],
    "wire": ["base", "types", "include"],
    "shell": ["base", "types", "include", "parser", "wire", "shell/format", "shell/edit", "shell/chart", "shell/core", "shell/dashboard", "shell/commands"],
}
# The rooms that define the functions of include/mtsql.h.
DEFINES_MTSQL_H = [f"session/{r}" for r in ("state", "core", "inspect", "run", "ddl")]
# Whose functions it may call, too: those that headers of others declare.
CALLS = {
    "shell/core": ["parser", *DEFINES_MTSQL_H],
    "shell/dashboard": DEFINES_MTSQL_H,
    "shell/commands": DEFINES_MTSQL_H,
    "shell": DEFINES_MTSQL_H,
    "wire": DEFINES_MTSQL_H,
    "session/inspect": ["engine/local/store"],  # mt_store_salvage of engine/engine.h
    "session/files": ["engine/local/store"],  # mt_json_stream of engine/read.h
}
# What is not for every folder: the library's headers, and who includes them.
LIBRARIES = {"mongoc": [f for f in USES if f.startswith("engine/mongo")], "bson": [f for f in USES if f != "parser"]}

# The driver's functions that append to BSON, and the file that checks them for all.
APPENDS = re.compile(r"\b(?:bson_append_|BSON_APPEND_|BCON_)\w+")
BUILDER = pathlib.Path("base/bson.c")

# The goal of each measure, and the list of what is beyond it.
LIMITS = {"files": 30, "circle": 8, "functions": 60, "private": 0}
KNOWN = ROOT / "tools" / "layers.known"

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]*)[>"]', re.M)
GUARD = re.compile(r"^#ifndef (\w+)\n#define \1\b", re.M)
FUNCTION = re.compile(r"^(?!typedef|static|#|\s|/|extern \")[A-Za-z_][\w\s*]*?\b(\w+) \([^;{]*\)[^;{]*;", re.M)
TYPE = re.compile(r"^(?:typedef )?(?:struct|union|enum) (\w+)\s*\{", re.M)
MACRO = re.compile(r"^#\s*define\s+(\w+)", re.M)
NAMED_FILE = re.compile(r"`([\w/]+\.[chy])`")
faults = []


def fault(text):
    faults.append(text)


def sources():
    """Each folder's files."""
    folders = {}
    for name in USES:
        folders[name] = sorted(p for p in (ROOT / name).iterdir() if p.suffix in (".c", ".h", ".y"))
    return folders


# ---- includes ----


def check_includes(folder, path, text):
    for mark, header in INCLUDE.findall(text):
        for library, folders in LIBRARIES.items():
            if re.match(rf"{library}\b", header) and folder not in folders:
                fault(f"{path}: includes {header}, which is not {folder}'s business")
        where = header.rpartition("/")[0] or folder
        if mark == "<" or where == folder:
            continue
        if where not in USES[folder]:
            fault(f'{path}: includes "{header}": {folder} may not use {where}')
        elif header.endswith("_int.h"):
            measure("private", f"{path} {header}", 1)


def check_appends(path, text):
    for name in set(APPENDS.findall(text)) if path != BUILDER else []:
        fault(f"{path}: calls {name}: base/bson.h builds BSON")


# ---- names ----


def check_names(texts):
    places = collections.defaultdict(set)
    for path, text in texts.items():
        shared = path.suffix == ".h"
        guard = GUARD.search(text)
        if shared and not guard:
            fault(f"{path}: has no include guard")
        for name in MACRO.findall(text) if shared else []:
            places["guard" if guard and name == guard.group(1) else "macro", name].add(path)
        for name in TYPE.findall(text):
            if shared or name.startswith("Mt"):
                places["type", name].add(path)
    for (what, name), where in sorted(places.items()):
        if len(where) > 1:
            fault(f"the {what} {name} is defined {len(where)} times: {', '.join(map(str, sorted(where)))}")


def check_readme(folder):
    readme = ROOT / folder / "README.md"
    if not readme.exists():
        return
    for name in set(NAMED_FILE.findall(readme.read_text())):
        if not any((ROOT / where / name).exists() for where in (folder, "", "tests/unit", *USES)):
            fault(f"{folder}/README.md: names {name}, which isn't there")


# ---- symbols ----


def symbols(build):
    """The files whose functions and data each file uses. Checks that all that is shared has a user."""
    defines, needs = {}, collections.defaultdict(set)
    objects = build / "obj"
    lines = subprocess.run(["nm", "-A", "-P", "-g", *sorted(objects.glob("**/*.o"))], capture_output=True, text=True, check=True)
    for line in lines.stdout.splitlines():
        where, symbol, kind = line.split()[:3]
        name = str(pathlib.Path(where.rstrip(":")).relative_to(objects).with_suffix(".c"))
        if name.startswith("gen/"):
            name = name.replace("gen/", "parser/").replace(".c", ".y")
        if name.rpartition("/")[0] not in USES or not (ROOT / name).exists():
            continue
        needs[name]  # so that it is there
        if kind == "U":
            needs[name].add(symbol)
        elif kind not in "wvWV":
            defines[symbol] = name
    check_shared(defines, set().union(*needs.values()))
    return {f: {defines[s] for s in wanted if s in defines} - {f} for f, wanted in needs.items()}


# The API of the library, and what else uses its functions.
USERS = [p for folder in ("include", "extensions", "examples", "tests", "bench") for p in ROOT.glob(f"{folder}/**/*.[ch]")]


def check_shared(defines, wanted):
    words = set(re.findall(r"\w+", "".join(p.read_text() for p in USERS)))
    for symbol, file in sorted(defines.items()):
        if symbol not in wanted and symbol not in words and symbol != "main" and not file.endswith(".y"):
            fault(f"{file}: no other file uses {symbol}; make it static")


def circles(graph):
    """Tarjan's: the strongly connected components, each as a list."""
    index, low, stack, out = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in graph[v]:
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            at = stack.index(v)
            out.append(stack[at:])
            del stack[at:]

    for v in sorted(graph):
        if v not in index:
            visit(v)
    return out


def check_calls(calls):
    for file, others in sorted(calls.items()):
        folder = file.rpartition("/")[0]
        for other in sorted(others):
            where = other.rpartition("/")[0]
            if where not in (folder, *USES[folder], *CALLS.get(folder, [])):
                fault(f"{file}: calls {other}: {folder} may not use {where}")


# ---- form ----

# Who may take more parameters: the builders that rules of the grammar call, and expat's callbacks.
MANY_PARAMETERS = re.compile(r"^parser/build|XMLCALL")
MOST_PARAMETERS = 6
MOST_LINES = 75
# Comments, literals, attributes, and lines of the preprocessor other than macros.
NO_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|__attribute__ \(\(.*?\)\)|^[ \t]*#(?!\s*define)[^\n]*""", re.S | re.M)
DEFINITION = re.compile(r"^[A-Za-z_][^;{}()=]*?\b(\w+) \(((?:[^(){};]|\([^()]*\))*)\)\s*\{", re.M)
BRANCH = re.compile(r"[?:]\s*_?\s*\?\?\s*(:|$)")


def chains(code):
    """The lines that end a conditional whose branch is another one, as such or within parentheses."""
    parts, line = [""], 1
    for c in code:
        line += c == "\n"
        if c in "([{":
            parts.append("")
            continue
        if c in ")]},;":
            part = parts.pop()
            if part.replace("??", "").count("?") > 1 or BRANCH.search(part):
                yield line
            if c in ",;" or not parts:
                parts.append("")
            else:
                # "??" is a conditional within parentheses, "_" is anything else within them
                parts[-1] += "??" if c == ")" and "?" in part else "_"
        else:
            parts[-1] += c


def check_form():
    for path in sorted(p.relative_to(ROOT) for p in ROOT.glob("**/*.[chy]")):
        if path.parts[0] == "tests" or path.parts[0].startswith(("build", ".")):
            continue
        code = NO_CODE.sub(lambda m: "\n" * m.group().count("\n"), (ROOT / path).read_text())
        for m in DEFINITION.finditer(code):
            count = len(re.sub(r"\([^()]*\)", "", m.group(2)).split(","))
            if count > MOST_PARAMETERS and not MANY_PARAMETERS.search(f"{path} {m.group()}"):
                fault(f"{path}: {m.group(1)} takes {count} parameters; give those that belong together a struct")
            end = code.find("\n}", m.end() - 1)
            lines = code.count("\n", m.end(), end) if code[m.end()] == "\n" else 1
            if lines > MOST_LINES:
                fault(f"{path}: {m.group(1)} has {lines} lines; split it")
        for line in chains(code.replace("\\\n", "\n")):
            fault(f"{path}:{line}: a branch of `? :` is another one; write a switch, a table or a function")


# ---- measures ----

measured = {}


def measure(what, where, value):
    measured[what, where] = value


def check_measures():
    known = {}
    for line in KNOWN.read_text().splitlines():
        what, where, value = line.rsplit(" ", 1)[0].split(" ", 1) + [int(line.rsplit(" ", 1)[1])]
        known[what, where] = value
    for (what, where), value in sorted(measured.items()):
        limit = max(known.get((what, where), 0), LIMITS[what])
        if value > limit:
            fault(f"{what} of {where}: {value}, and may be {limit}")
    for (what, where), limit in sorted(known.items()):
        value = measured.get((what, where), 0)
        if value < limit:
            fault(f"{what} of {where}: {value} now; tools/layers.known still says {limit}")


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    sys.setrecursionlimit(10000)
    texts = {}
    for folder, files in sources().items():
        measure("files", folder, len([f for f in files if f.suffix != ".h"]))
        check_readme(folder)
        for path in files:
            texts[path.relative_to(ROOT)] = text = path.read_text()
            check_includes(folder, path.relative_to(ROOT), text)
            check_appends(path.relative_to(ROOT), text)
            if path.suffix == ".h":
                measure("functions", str(path.relative_to(ROOT)), len(FUNCTION.findall(text)))
    check_names(texts)
    check_form()
    calls = symbols(build)
    check_calls(calls)
    for folder in USES:
        inside = {f: {o for o in others if o.rpartition("/")[0] == folder} for f, others in calls.items() if f.rpartition("/")[0] == folder}
        measure("circle", folder, max([len(c) for c in circles(inside)], default=1))
    check_measures()
    print("\n".join(faults) or "layers: as planned")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

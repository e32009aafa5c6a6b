#!/usr/bin/env python3
"""The examples of the documentation. Each page's blocks run in order, in a folder and a store of the
page's own, and print what the page says.

    ```sql    statements, given to mtsql
    ```sh     commands, given to bash
    ```c      a program, compiled with the library and run
    ```       begins with \\ or mtsql=>: given to mtsql; else: what the block before prints

Blocks in another language are not run. The test also checks the form of all pages, and that the
generated ones are those that the program makes.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(__file__) + "/../" + folder for folder in ("lib", "../tools")]
from cases import check, finish
from paths import BUILD, MTSQL, ROOT
from prose import WIDTH, prose

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
WHERE = re.compile(r"^mtsql:<stdin>:\d+: ", re.M)
STORE = "home.mts"
PAGES = ["README.md", "docs/tutorial/README.md", *(f"docs/how-to/{name}.md" for name in ("clients", "query", "time-series", "states", "chart", "dashboards", "files", "load", "layout", "rollup", "retention", "continuous", "alerts", "backup", "scripts", "short", "embed", "functions", "extend")), "docs/reference/states.md"]


def run(command, cwd, text=""):
    path = f"{os.path.dirname(MTSQL)}:{os.environ['PATH']}"
    p = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd, timeout=300, env=dict(os.environ, PATH=path, HOME=cwd, TZ="UTC", LC_ALL="C.UTF-8"))
    return p.returncode, p.stdout.decode()


def statements(text, cwd, *args):
    return run([MTSQL, "-X", "-q", *args, STORE], cwd, text)


def program(text, cwd):
    """Compiles a program with the build's library, and runs it."""
    with open(os.path.join(cwd, "program.c"), "w", encoding="utf-8") as f:
        f.write(text)
    driver = (subprocess.run(["pkg-config", "--cflags", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False) for name in ("libbson-1.0", "bson2"))
    flags = shlex.split(next((p.stdout.decode() for p in driver if p.returncode == 0), ""))
    flags += {"asan": ["-fsanitize=address,undefined"], "tsan": ["-fsanitize=thread"]}.get(BUILD.name, [])
    rc, out = run([os.environ.get("CC", "gcc"), f"-I{ROOT}", f"-I{ROOT}/include", *flags, "-o", "program", "program.c", f"{BUILD}/libmtsql.so", f"-Wl,-rpath,{os.path.abspath(BUILD)}"], cwd)
    return (rc, out) if rc else run(["./program"], cwd)


def plain(text):
    """Returns the text without times (numbers with three decimals, and their bars), and without
    padding of columns.
    """
    text = re.sub(r"\b\d+\.\d{3}\b( [█▏▎▍▌▋▊▉]+)?", "MS", text)
    lines = [re.sub(r"-{3,}", "---", re.sub(r" +", " ", line)).strip() for line in text.strip().split("\n")]
    return "\n".join(line for line in lines if line)


def blocks(text):
    """Returns (kind, text) of each block: something to run, or the output of the block before."""
    for lang, block in FENCE.findall(text):
        if lang in ("sql", "sh", "c"):
            yield lang, block
        elif not lang:
            yield ("session" if block.startswith("mtsql=> ") else "sql" if block.startswith("\\") else "prints"), block


def session(text, cwd):
    """Returns pairs of a statement after mtsql=> and its answer."""
    first, rest = text.split("\n", 1)
    rc, out = statements(first[len("mtsql=> "):] + "\n", cwd)
    return plain(WHERE.sub("", out)), plain(rest)


def examples(page, text, cwd):
    out = ""
    for kind, block in blocks(text):
        if kind == "prints":
            got, want = plain(WHERE.sub("", out)), plain(WHERE.sub("", block))
        elif kind == "session":
            got, want = session(block, cwd)
        else:
            if kind == "sh":
                rc, out = run(["bash", "-e", "-c", block], cwd)
            elif kind == "c":
                rc, out = program(block, cwd)
            else:
                rc, out = statements(block, cwd, *(["-t", "-A"] if block.startswith("EXPLAIN") else []))
            got, want = f"exit {rc}" + (f"\n{out}" if rc else ""), "exit 0"
        check(f"{page}: {kind}", got == want, f"{block}--- got\n{got}\n--- wanted\n{want}\n")


def expressions(page, text, cwd):
    """Runs a page's expressions on documents of other software. Each must find something."""
    with open(os.path.join(cwd, "sensors.jsonl"), "w", encoding="utf-8") as f:
        f.write('{"at": {"room": "attic", "floor": 1}, "tags": ["a", "b"], "value": 1.5}\n{"at": {"room": "kitchen", "floor": 0}, "tags": [], "value": 2}\n')
    found = re.findall(r"`((?:at|tags) [^`]+|jsonb_path_query\(at[^`]+)`", text)
    check(f"{page} has expressions on documents", len(found) >= 4, str(found))
    for expression in found:
        rc, out = run([MTSQL, "-X", "-A", "-t", "-c", f"SELECT {expression} FROM sensors", "sensors.jsonl"], cwd)
        check(expression, rc == 0 and any(v in ("t", "attic", '"attic"') for v in out.split()), out)


def form(page, text):
    """Checks that lines of prose have at most WIDTH columns."""
    long = [number for number, line in prose(text) if len(line) > WIDTH]
    check(f"{page}: lines of at most {WIDTH} columns", not long, f"lines {long}")


def main():
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as cwd:
            examples(page, text, cwd)
            if page.endswith("query.md"):
                expressions(page, text, cwd)
    readme = (ROOT / "README.md").read_text(encoding="utf-8").split("\n")
    check("README.md has at most 150 lines", len(readme) <= 151, str(len(readme)))
    folders = [path for path in ROOT.iterdir() if path.is_dir() and path.name not in ("build", ".git")]
    for path in sorted([*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))]):
        form(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    rc, out = run([sys.executable, ROOT / "tools" / "pictures.py", "--check"], ROOT)
    check("the pictures are as drawn", rc == 0, out)
    rc, out = run([sys.executable, ROOT / "tools" / "reference.py", "--check", MTSQL], ROOT)
    check("the reference is as the program has it", rc == 0, out)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

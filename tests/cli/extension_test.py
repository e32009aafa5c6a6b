#!/usr/bin/env python3
"""Extensions. The template of examples/extension is built outside of the source tree, with
installed headers. Taken names and wrong rows are refused.
"""
import os
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run, same
from paths import MTSQL, ROOT

CC = os.environ.get("CC", "gcc")
BSON = shlex.split(next((p.stdout for p in (subprocess.run(["pkg-config", "--cflags", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for name in ("libbson-1.0", "bson2")) if p.returncode == 0), ""))

BROKEN = """
#include "include/mtsql_ext.h"
static void begin (MtFmt *f) {}
static void row (MtFmt *f, const MtStr *cells) {}
static void finish (MtFmt *f, const char *const *footers) {}
static bool command (MtCall *c) { c->tools->print (c, "%s\\n", c->name); return true; }
static bool fn (MtEval *ev, const MtVal *args, int argc, MtVal *out) { *out = mt_v_int64 (argc); return true; }
static bool total (MtEval *ev, const MtVal *args, int argc, MtVal *out) { double d = 0; for (int i = 0; i < argc; i++) d += args[i].d; *out = mt_v_double (d); return true; }
static bool step (MtEval *ev, void *state, const MtVal *args, int argc) { ++*(int64_t *) state; return true; }
static bool merge (MtEval *ev, void *into, const void *from) { *(int64_t *) into += *(const int64_t *) from; return true; }
static bool final (MtEval *ev, const void *state, MtVal *out) { *out = mt_v_int64 (*(const int64_t *) state); return true; }
static const MtAggState state = {.size = 8, .step = step, .merge = merge, .final = final};
static const MtFunc functions[] = {FUNCTION {0}};
static const MtAgg aggregates[] = {AGGREGATE {0}};
static const MtFormat formats[] = {FORMAT {0}};
static const MtCommand commands[] = {COMMAND {0}};
MT_MODULE (.name = "broken", .version = "1.0", .doc = "e", .functions = functions, .aggregates = aggregates, .formats = formats, .commands = commands);
"""
FUNCTION = '{.name = "%s", .signature = "%s", .op = MT_EXT_OP (fn), .summary = "s", .example = "e"},'
AGGREGATE = '{.name = "%s", .signature = "%s", .state = %s, .summary = "s", .example = "e"},'
FORMAT = '{.name = "%s", .begin = begin, .row = row, .finish = finish, .summary = "s"},'
COMMAND = '{.group = "Own", .name = "%s", .args = "", .summary = "s", .run = command, .max_args = 0, .reach = MT_REACHES_OUT},'


def mtsql(folder, *arguments):
    p = subprocess.run([MTSQL, "-X", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, timeout=60, text=True)
    return p.returncode, p.stdout


def template(folder):
    """Returns a copy of the template, with the headers as installed."""
    headers = os.path.join(folder, "include")
    subprocess.run(["tools/install-headers.sh", headers, CC, "-I.", "-Iinclude", *BSON], cwd=ROOT, check=True)
    return shutil.copytree(ROOT / "examples/extension", os.path.join(folder, "notebook")), shlex.join([f"-I{headers}", *BSON])


def without_make():
    """Returns the environment without the variables that make sets for other makes."""
    return {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}


def test_the_template(folder):
    copy, headers = template(folder)
    p = subprocess.run(["make", "-s", "check", f"CC={CC}", f"MTSQL={MTSQL}", f"HEADERS={headers}", "CFLAGS=-O1 -Wall -Wextra -Wno-unused-parameter -Werror"],
                       cwd=copy, env=without_make(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    same("make check", (p.returncode, p.stdout), (0, ""))
    subprocess.run(["make", "-s", "install", f"CC={CC}", f"HEADERS={headers}", f"LIBDIR={folder}/lib"], cwd=copy, check=True)
    same("installed", sorted(os.listdir(folder + "/lib")), ["notebook.control", "notebook.so"])


def control(folder, name, **keys):
    with open(os.path.join(folder, name + ".control"), "w", encoding="utf-8") as f:
        f.writelines(f"{key} = '{value}'\n" for key, value in {"default_version": "1.0", **keys}.items())


def script(folder, name, text):
    with open(os.path.join(folder, name + ".sql"), "w", encoding="utf-8") as f:
        f.write(text)


def sql(folder, *statements, options=()):
    """Runs statements on the store of the folder, with extensions in the folder itself."""
    env = dict(os.environ, MTSQL_EXTENSIONS=folder)
    p = subprocess.run([MTSQL, "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=0", *options, "s.mts", *(x for s in statements for x in ("-c", s))],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, timeout=60, text=True, env=env)
    return p.stdout


F = "CREATE FUNCTION %s RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT %d';\n"


def test_versions(folder):
    control(folder, "w", default_version="1.2", comment="it''s words")
    script(folder, "w--1.0", "-- first\n" + F % ("w_one()", 1) + F % ("w_two(x int)", 2))
    script(folder, "w--1.0--1.1", F.replace("CREATE", "CREATE OR REPLACE") % ("w_one()", 11))
    script(folder, "w--1.1--1.2", F % ("w_three()", 3))
    script(folder, "w--1.2--1.0", "\n\nSELECT 1;")
    same("an older version", sql(folder, "CREATE EXTENSION w VERSION '1.0'", "SELECT w_one()", "ALTER EXTENSION w UPDATE TO '1.1'", "SELECT w_one()"), "1\n11\n")
    same("to the newest", sql(folder, "ALTER EXTENSION w UPDATE", "SELECT w_three(), extversion FROM pg_extension"), "3|1.2\n")
    out = sql(folder, "ALTER EXTENSION w UPDATE TO '1.0'", "SELECT extversion FROM pg_extension", "ALTER EXTENSION w UPDATE TO '9'")
    check("a script with another statement", "can only have CREATE FUNCTION" in out and 'The statement is in "w--1.2--1.0.sql", line 3.' in out and "\n1.2\n" in out, out)
    check("no path", 'no update path from version "1.2" to version "9"' in out, out)
    same("dropped", sql(folder, "DROP EXTENSION w", "CREATE EXTENSION w", "SELECT w_one(), w_three()", "SELECT installed_version, comment FROM pg_available_extensions"), "11|3\n1.2|it's words\n")
    out = sql(folder, "DROP EXTENSION w", "SELECT w_one()", "CREATE FUNCTION w_one() RETURNS int LANGUAGE sql AS 'SELECT 7'", "CREATE EXTENSION w", "SELECT w_two(1)", "SELECT w_one()")
    check("a function of the user stays", "w_one() does not exist" in out and "already exists" in out and "w_two(integer) does not exist" in out and out.endswith("7\n"), out)


def test_requires(folder):
    for name, requires in (("a", ""), ("b", "a"), ("c", "b, a"), ("loop", "loop")):
        control(folder, name, requires=requires)
        script(folder, name + "--1.0", F % (f"{name}_f()", 1))
    out = sql(folder, "CREATE EXTENSION c", "CREATE EXTENSION loop CASCADE", "CREATE EXTENSION c CASCADE", "SELECT extname FROM pg_extension ORDER BY 1", "DROP EXTENSION a")
    for text in ('required extension "b" is not installed', 'extension "loop" requires itself', 'installing required extension "b"', "a\nb\nc\n", "cannot drop extension a because other objects depend on it", "extension b depends on extension a"):
        check(text, text in out, out)
    check("a list", "cannot drop" not in sql(folder, "DROP EXTENSION a, c, b", "CREATE EXTENSION c CASCADE"), "")
    out = sql(folder, "DROP EXTENSION a CASCADE", "SELECT count(*) FROM pg_extension", "SELECT c_f()")
    check("cascade", "drop cascades to extension c" in out and "\n0\n" in out and "c_f() does not exist" in out, out)


def test_faulty_control_files(folder):
    for name, text, wanted in (("a", "comment = 'x'\n", "has no default_version"), ("b", "default_version = '1.0\n", "syntax error"), ("c", "default_version = '1'\ncolour = 'red'\n", 'unrecognized parameter "colour"'),
                               ("d", "default_version = '1'\nmodule_pathname = '/etc/x'\n", "module_pathname is not a name"), ("e", "default_version 1\n", "syntax error")):
        with open(os.path.join(folder, name + ".control"), "w", encoding="utf-8") as f:
            f.write(text)
        out = sql(folder, f"CREATE EXTENSION {name}", "SELECT 5")
        check(name, wanted in out and out.endswith("5\n"), out)
    check("names", all("is not available" in sql(folder, f'CREATE EXTENSION "{name}"') for name in ("../x", "a--b", "x/y", "-a")))
    same("faulty files are not listed", sql(folder, "SELECT count(*) FROM pg_available_extensions"), "0\n")


def test_what_the_catalog_keeps(folder):
    control(folder, "own", module_pathname="$libdir/own")
    rows = dict(function=FUNCTION % ("own_f", "text -> bigint"), aggregate=AGGREGATE % ("own_agg", "text -> bigint", "&state"), form=FORMAT % "ownformat", command=COMMAND % "own")
    broken(folder, "own", **rows)
    same("created", sql(folder, "CREATE EXTENSION own"), "")
    used = ("SELECT own_f('x'), own_agg(x) FROM (VALUES ('a'), ('b')) t (x) GROUP BY 1", "\\own", "\\pset format ownformat")
    same("used when the target is opened again", sql(folder, *used), "1|2\nown\n")
    same("a format by an option", sql(folder, "SELECT 1", options=["-P", "format=ownformat"]), "")
    check("an unknown one", 'Perhaps you meant "ownformat"' in sql(folder, "SELECT 1", options=["-P", "format=ownformatt"]))
    out = sql(folder, *used, options=["--restricted"])
    check("restricted: the function is there, the command is refused", out.startswith("1|2\n") and "\\own is not allowed in a restricted session" in out, out)
    for statement in ("CREATE EXTENSION w", "ALTER EXTENSION own UPDATE", "DROP EXTENSION own"):
        check("restricted: " + statement, "is not allowed in restricted mode" in sql(folder, statement, options=["--restricted"]))
    check("read-only", "read-only" in sql(folder, "DROP EXTENSION own", options=["--readonly"]))
    broken(folder, "own", minor=9, **rows)
    out = sql(folder, "SELECT 1", "SELECT own_f('x')", "SELECT 2")
    check("a library that is too new", 'WARNING:  extension "own" cannot be used: library' in out and "2.9 of the extension interface" in out and 'use DROP EXTENSION "own"' in out, out)
    check("the target is usable, and the error has a hint", "\n1\n" in out and out.endswith("2\n") and 'The extension "own" of the catalog cannot be used.' in out, out)
    os.remove(os.path.join(folder, "own.control"))
    out = sql(folder, "SELECT 1", "DROP EXTENSION own", "SELECT 2")
    check("a library that is gone", "no folder of extension_path has the file" in out and out.endswith("2\n"), out)
    same("dropped", sql(folder, "SELECT count(*) FROM pg_extension"), "0\n")


def broken(folder, name="broken", function="", aggregate="", form="", command="", minor=1):
    """Builds a library with these rows."""
    with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as f:
        f.write(BROKEN.replace('"broken"', f'"{name}"') if minor == 1 else BROKEN.replace("MT_MODULE", f"#undef MT_EXT_ABI_MINOR\n#define MT_EXT_ABI_MINOR {minor}\nMT_MODULE"))
    rows = {"FUNCTION": function, "AGGREGATE": aggregate, "FORMAT": form, "COMMAND": command}
    subprocess.run([CC, "-shared", "-fPIC", f"-I{ROOT}", *BSON, *(f"-D{k}={v}" for k, v in rows.items()), "-o", name + ".so", name + ".c"], cwd=folder, check=True)


def test_stored_values_of_another_type(folder):
    """A function of doubles reads the integers of a document as doubles, in each argument, also of
    a variadic function.
    """
    broken(folder, function='{.name = "total", .signature = "double precision -> double precision", .flags = MT_F_VARIADIC, .op = MT_EXT_OP (total), .summary = "s", .example = "e"},')
    with open(os.path.join(folder, "x.json"), "w", encoding="utf-8") as f:
        f.write('{"i": 1, "x": 0.5}\n{"i": 2, "x": 2}\n')
    same("totals", mtsql(folder, "-A", "-t", "-q", "-c", "LOAD './broken.so'", "-c", "SELECT total(x), total(x, x, x) FROM read_json('x.json') ORDER BY i"), (0, "0.5|1.5\n2|6\n"))


def load(folder, **rows):
    broken(folder, **rows)
    return mtsql(folder, "-c", "LOAD './broken.so'")[1]


def test_rows_that_are_refused(folder):
    for rows, kind, name, why in (
        ({"function": FUNCTION % ("abs", "bigint -> bigint")}, "function", "abs", "already exists"),
        ({"function": FUNCTION % ("sum", "text -> bigint")}, "function", "sum", "already exists"),
        ({"aggregate": AGGREGATE % ("sum", "text -> bigint", "&state")}, "aggregate", "sum", "already exists"),
        ({"aggregate": AGGREGATE % ("lower", "text -> bigint", "&state")}, "aggregate", "lower", "already exists"),
        ({"aggregate": AGGREGATE % ("rank", "text -> bigint", "&state")}, "aggregate", "rank", "already exists"),
        ({"form": FORMAT % "json"}, "output format", "json", "already exists"),
        ({"command": COMMAND % "dt"}, "backslash command", "dt", "already exists"),
        ({"aggregate": AGGREGATE % ("x", "-> bigint", "&state")}, "aggregate", "x", "has an invalid definition"),
        ({"aggregate": AGGREGATE % ("x", "text -> bigint", "0")}, "aggregate", "x", "has an invalid definition"),
        ({"form": FORMAT % "two words"}, "output format", "two words", "has an invalid definition"),
        ({"command": COMMAND % "x+"}, "backslash command", "x+", "has an invalid definition"),
    ):
        out = load(folder, **rows)
        check(f"{kind} {name}: {why}", f'{kind} "{name}" of extension "broken" {why}' in out, out)
    same("overloads, and names of its own", load(folder, function=FUNCTION % ("abs", "text -> bigint"), aggregate=AGGREGATE % ("x", "text -> bigint", "&state"), form=FORMAT % "x", command=COMMAND % "xx"), "LOAD\n")


if __name__ == "__main__":
    sys.exit(run(globals()))

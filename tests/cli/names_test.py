#!/usr/bin/env python3
"""Names of collections and fields that other software may have chosen. Each is used correctly, or
refused with one clear error. None reaches the terminal raw, and none leads a dump out of its
folder.
"""
import datetime
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import bson
from cases import check, run, same
from command import shell

RAW = "\x1b\x01\u202e"
DOCUMENT = {"_id": 1, "v": 7, "$dollar": 1, "a.b": 2, "": 3, "c\x01": 4, "\x1b[31mred": 5, "\u202erev": 6, "n" * 1001: 8, "in": {"m" * 999: 9, "$x": 1, "": {"": 1}}, "tab\tname": 10,
            "ts": datetime.datetime(2020, 1, 1)}
NAMES = ("plain", "%2Fabs", "a%2Fb", "a%252Fb", "\x1b[31mred", "new\nline", "\u202edlr")


def folder_of(root):
    folder = os.path.join(root, "db")
    os.mkdir(folder)
    for name in NAMES:
        with open(os.path.join(folder, name + ".bson"), "wb") as f:
            f.write(bson.encode(DOCUMENT, check_keys=False))
    return folder


def clean(what, r, code=0):
    same(f"{what}: exit", r.returncode, code)
    check(f"{what}: no control character is raw", not any(c in r.stdout + r.stderr for c in RAW), r.stdout + r.stderr)
    check(f"{what}: one error at most", r.stderr.count("ERROR:") == (code != 0), r.stderr)


def test_fields():
    """A field whose name can't be a column's name does not change the others."""
    with tempfile.TemporaryDirectory() as root:
        folder = folder_of(root)
        for name in ("plain", "/abs", "a/b", "a%2Fb", "\x1b[31mred", "\u202edlr"):
            r = shell("-qAt", folder, "-c", f'SELECT v, "c\x01", "\x1b[31mred", "\u202erev", "tab\tname" FROM "{name}"')
            clean(f"fields {name!a}", r)
            same(f"fields {name!a}: values", r.stdout, "7|4|5|6|10\n")
            clean(f"\\d {name!a}", shell(folder, "-c", f'\\d "{name}"'))
            clean(f"EXPLAIN {name!a}", shell(folder, "-c", f'EXPLAIN SELECT "\x1b[31mred" FROM "{name}" WHERE "\u202erev" = 6'))
        clean("\\d", shell(folder, "-c", "\\d"))
        clean("an unknown column", shell(folder, "-c", 'SELECT "no\x1b[31m\u202e" FROM plain'), 3)
        clean("an unknown table", shell(folder, "-c", 'SELECT 1 FROM "no\x1b[31m\u202e"'), 3)


def test_infer():
    """\\infer prints statements that run and that read the collection. Nothing in them is raw."""
    with tempfile.TemporaryDirectory() as root:
        folder, catalog, script = folder_of(root), os.path.join(root, "catalog"), os.path.join(root, "infer.sql")
        for name in ("plain", "/abs", "\x1b[31mred", "\u202edlr", "it's \"\\0041"):
            with open(os.path.join(folder, name.replace("/", "%2F") + ".bson"), "wb") as f:
                f.write(bson.encode({**DOCUMENT, "back\\slash\x01": 1}, check_keys=False))
            quoted = '"' + name.replace('"', '""') + '"'
            r = shell(folder, "-c", f"\\infer {quoted}")
            clean(f"\\infer {name!a}", r)
            check(f"\\infer {name!a}: a comment and a statement", r.stdout.startswith("-- From 1 of 1") and r.stdout.split("\n")[1].startswith("CREATE TABLE "), r.stdout)
            with open(script, "w", encoding="utf-8") as f:
                f.write(r.stdout)
            r = shell("-qAt", "--catalog", catalog, folder, "-f", script, "-c", f'SELECT v, "c\x01", "\x1b[31mred", "\u202erev", "tab\tname", "back\\slash\x01" FROM {quoted}')
            clean(f"\\infer {name!a}: declares it", r)
            same(f"\\infer {name!a}: values", r.stdout, "7|4|5|6|10|1\n")


def test_infer_files():
    """\\infer of a CSV file prints statements that run, whatever the names of the file and its
    columns.
    """
    with tempfile.TemporaryDirectory() as root:
        folder, store, script = (os.path.join(root, name) for name in ("csv", "store", "infer.sql"))
        os.mkdir(folder)
        for name in ("\x1bred", "\u202edlr", 'quo"te'):
            with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8") as f:
                f.write('ts,"h\u202eost","a""b"\n')
                f.writelines(f'2020-01-01 00:{i // 60 % 60:02}:{i % 60:02},x{i % 3},{i if i % 2 else chr(34) * 2}\n' for i in range(2000))
            quoted = '"' + name.replace('"', '""') + '"'
            r = shell(folder, "-c", f"\\infer {quoted}")
            clean(f"\\infer {name!a}", r)
            check(f"\\infer {name!a}: packs the records", "USING nested WITH" in r.stdout, r.stdout)
            with open(script, "w", encoding="utf-8") as f:
                f.write(r.stdout)
            r = shell("-qAt", store, "-f", script, "-c", f'SELECT count(*), count("h\u202eost"), count("a""b") FROM {quoted}')
            clean(f"\\infer {name!a}: makes the table", r)
            same(f"\\infer {name!a}: rows", r.stdout, "2000|2000|1000\n")


def files(folder):
    return {os.path.relpath(os.path.join(d, f), folder) for d, _, names in os.walk(folder) for f in names}


def test_dump():
    """Each file of a dump lies in its folder. The dump reads like the dumped target."""
    for options in ((), ("--gzip",)):
        with tempfile.TemporaryDirectory() as root:
            folder, out = folder_of(root), os.path.join(root, "within", "out")
            os.mkdir(os.path.dirname(out))
            before = files(root)
            r = shell(folder, *options, "--dump", out)
            clean(f"dump {options}", r)
            new = files(root) - before
            check(f"dump {options}: nothing beside it", new and all(f.startswith("within/out/db/") and f.count("/") == 3 for f in new), str(new))
            again = shell("-qAt", os.path.join(out, "db"), "-c", 'SELECT v FROM "a/b"', "-c", 'SELECT v FROM "/abs"')
            same(f"dump {options}: reads again", (again.returncode, again.stdout), (0, "7\n7\n"))


def test_left_out():
    """A file is no collection if its collection would lie above the folder, or if its name begins
    with ".". A notice says so.
    """
    with tempfile.TemporaryDirectory() as root:
        folder = folder_of(root)

        def add(name, content=bson.encode({"_id": 1})):
            with open(os.path.join(folder, name), "wb") as f:
                f.write(content)

        add(".DS_Store")
        add(".settings.json", b"{}")
        same("left out: others' hidden files", shell(folder, "-c", "\\d").stderr, "")
        add("..%2Fout.bson")
        r = shell(folder, "-qAt", "-c", "SELECT v FROM plain")
        clean("left out", r)
        same("left out: told", (r.stdout, r.stderr.count("WARNING"), "..%2Fout.bson\" is left out" in r.stderr), ("7\n", 1, True))
        add("..%2F\x1b[31mred.json", b"{}")
        add(".hidden.bson.gz")
        r = shell(folder, "-qAt", "-c", "SELECT v FROM plain")
        clean("left out: three", r)
        check("left out: three are told", " and 2 more are left out" in r.stderr, r.stderr)


def test_copy():
    """\\copy to and from files of odd names."""
    with tempfile.TemporaryDirectory() as root:
        store = os.path.join(root, "store")
        shell("-q", store, "-c", "CREATE TABLE t (a integer, b text)", "-c", "INSERT INTO t VALUES (1, 'x')")
        for name in ("sp ace.csv", "it's.csv", 'quo"te.csv', "\x1b[31mred.csv", "\u202edlr.csv", "..%2Fup.csv", "$v.csv", "-q", "back\\slash.csv", "ü.csv", "star*.csv", ":v.csv"):
            path = os.path.join(root, name)
            quoted = "'" + path.replace("'", "''") + "'"  # a backslash is itself, as in psql
            r = shell("-q", store, "-c", f"\\copy t TO {quoted} CSV")
            clean(f"\\copy to {name!a}", r)
            check(f"\\copy to {name!a}: is there", os.path.exists(path), str(os.listdir(root)))
            r = shell("-qAt", store, "-c", f"\\copy t FROM {quoted} CSV", "-c", "SELECT count(*) FROM t", "-c", "DELETE FROM t", "-c", "INSERT INTO t VALUES (1, 'x')")
            clean(f"\\copy from {name!a}", r)
            same(f"\\copy from {name!a}: rows", r.stdout, "2\n")
        clean("\\copy from nothing", shell(store, "-c", "\\copy t FROM '/no\x1b[31m\u202e'"), 3)


def test_tables():
    """CREATE TABLE: a name is stored and shown as it is, or refused."""
    with tempfile.TemporaryDirectory() as root:
        store = os.path.join(root, "store")
        for name, taken in (("/abs", True), ("a/b", True), ("\x1b[31mred", True), ("\u202edlr", True), ("../evil", True), ("..", False), (".hidden", False), ("a$b", False), ("system.x", False), ("", False)):
            r = shell("-q", store, "-c", f'CREATE TABLE "{name}" (ts timestamptz TIME, "\x1b" integer MEASURE)', "-c", f"""INSERT INTO "{name}" VALUES ('2020-01-01', 1)""", "-c", f'SELECT * FROM "{name}"', "-c", f'\\d "{name}"')
            check(f"table {name!a}: right or refused", r.returncode in (0, 3) and (r.returncode == 0) == (not r.stderr) and "XX000" not in r.stderr, r.stderr)
            check(f"table {name!a}: nothing raw", not any(c in r.stdout + r.stderr for c in RAW), r.stdout + r.stderr)
            if not taken or name in ("/abs", "a/b"):
                same(f"table {name!a}: taken", r.returncode == 0, taken)
        clean("tables: \\d", shell(store, "-c", "\\d"))


sys.exit(run(globals()))

#!/usr/bin/env python3
"""The library in other programs: exported names, C++, pkg-config, static linking, and the programs
of examples/library/.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import Skip, check, run, same
from paths import BUILD, ROOT

LIBRARY = (BUILD / "libmtsql.so").resolve()
CC = shlex.split(os.environ.get("CC", "gcc"))
SANITIZED = BUILD.name in ("asan", "tsan")
FLAGS = {"asan": ["-fsanitize=address,undefined"], "tsan": ["-fsanitize=thread"]}.get(BUILD.name, [])
BSON = "libbson-1.0" if subprocess.run(["pkg-config", "--exists", "libbson-1.0"]).returncode == 0 else "bson2"
EXAMPLES = ROOT / "examples" / "library"
CPP = """#include <mtsql.h>
#include <cstdio>
int main ()
{
   MtError err;
   MtSession *s;
   MtPrepared *p;
   MtResult *r;
   MtOpenOptions options = MtOpenOptions ();
   MtVal value = mt_v_int64 (20);
   bool more;
   if (!mt_open (&options, &s, &err) || !mt_prepare (s, "SELECT $1 + 1", -1, &p, &err) || !mt_execute (p, &value, 1, &r, &err) || !mt_result_next (r, &more, &err)) {
      std::puts (err.message);
      return 1;
   }
   std::puts (mt_result_text (r, 0, nullptr));
   mt_result_free (r);
   mt_prepared_free (p);
   mt_close (s);
   return 0;
}
"""


def output(*command, **options):
    p = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, **options)
    return p.returncode, p.stdout.decode()


def installed(folder):
    """Returns the headers and the file for pkg-config as `make install` installs them."""
    bson = output("pkg-config", "--cflags", BSON)[1].split()
    rc, out = output(ROOT / "tools" / "install-headers.sh", f"{folder}/include/mtsql", *CC, "-D_GNU_SOURCE", "-I.", f"-I{BUILD}", "-Iinclude", *bson, cwd=ROOT)
    assert rc == 0, out
    (pathlib.Path(folder) / "lib" / "pkgconfig").mkdir(parents=True)
    rc, out = output(ROOT / "tools" / "pc.sh", folder, "0.1.0", BSON)
    (pathlib.Path(folder) / "lib" / "pkgconfig" / "mtsql.pc").write_text(out)


def flags(folder, *options):
    paths = f"{folder}/lib/pkgconfig:{os.environ.get('PKG_CONFIG_PATH', '')}"
    rc, out = output("pkg-config", "--cflags", "--libs", *options, "mtsql", env=dict(os.environ, PKG_CONFIG_PATH=paths))
    assert rc == 0, out
    return out.split()


def test_exported_names():
    names = set(re.findall(r" [A-Z] (\w+)$", output("nm", "-D", "--defined-only", LIBRARY)[1], re.M))
    ours = {n for n in names if n.startswith("mt_")}
    check("public functions are exported", {"mt_open", "mt_query", "mt_prepare", "mt_result_arrow", "mt_alloc", "mt_copy_value"} <= ours, str(len(ours)))
    if not SANITIZED:
        same("nothing else is", names - ours, set())
    headers = "".join(p.read_text() for folder in ("include", "base", "types", "engine", "layouts", "copy", "query", "arrow") for p in (ROOT / folder).rglob("*.h"))
    same("each is declared in a header", {n for n in ours if not re.search(rf"\b{n} \(", headers)}, set())
    same("private ones are not exported", ours & {"mt_binder_new", "mt_plan_query", "mt_run_one", "mt_arrow_open", "mt_session_open"}, set())


def test_cpp(folder):
    installed(folder)
    (pathlib.Path(folder) / "p.cpp").write_text(CPP)
    options = [f for f in flags(folder) if not f.startswith(("-L", "-lmtsql"))]
    for standard in ("c++11", "c++20"):
        rc, out = output("g++", f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *FLAGS, "p.cpp", "-o", "p", *options, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", cwd=folder)
        check(f"{standard} compiles without warnings", rc == 0, out)
    same("it runs", output("./p", cwd=folder), (0, "21\n"))


def test_static(folder):
    """Only the archive is there, so the linker needs everything that pkg-config names."""
    if SANITIZED:
        raise Skip("the archive needs the sanitizers")
    installed(folder)
    os.symlink((BUILD / "libmtsql.a").resolve(), f"{folder}/lib/libmtsql.a")
    rc, out = output(*CC, EXAMPLES / "parameters.c", "-o", "p", *flags(folder, "--static"), cwd=folder)
    check("pkg-config --static links", rc == 0, out[:2000])
    same("it runs", output("./p", cwd=folder), (0, "north: 7910\no'brien: 5460\n"))


def test_columns(folder):
    installed(folder)
    options = [f for f in flags(folder) if not f.startswith(("-L", "-lmtsql"))]
    rc, out = output(*CC, "-Wall", "-Wextra", "-Werror", *FLAGS, EXAMPLES / "columns.c", "-o", "p", *options, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", cwd=folder)
    check("it compiles", rc == 0, out)
    same("it runs", output("./p", cwd=folder), (0, "column n: i\ncolumn half: g\n100000 rows in 2 batches, 75000 values, sum 1875000000.0\n"))


def test_python():
    if SANITIZED:
        raise Skip("Python has no sanitizers")
    rc, out = output(sys.executable, EXAMPLES / "frame.py", LIBRARY)
    lines = out.split("\n")
    same("it ends well", rc, 0)
    same("types", lines[:3], ["time: timestamp[us, tz=UTC]", "house: string", "watts: int64"])
    check("rows", "datetime.datetime(2024, 5, 2" in out and "'watts': 402" in out and "'watts': 403" in out and "401" not in out, out)
    same("an error", lines[4], '22P02: invalid input syntax for type integer: "many"')


if __name__ == "__main__":
    sys.exit(run(globals()))

#!/usr/bin/env python3
"""docs/reference/versions.md: the rules where versions differ."""
import ctypes
import ctypes.util
import os
import re
import shlex
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import Skip, check, run, same
from paths import BUILD, MTSQL, ROOT

SLOT, SLOTS = 64, (0, 4096)  # engine/local/store/manifest.c
PAGE = (ROOT / "docs" / "reference" / "versions.md").read_text(encoding="utf-8")


def mtsql(folder, *arguments):
    p = subprocess.run([MTSQL, "-X", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, timeout=60)
    return p.returncode, p.stdout.decode()


def number(path, name):
    """Returns the value of a macro, or of a variable of the Makefile."""
    return re.search(rf'^(?:#define )?{name}\s+(?::= )?"?([\w.]+?)u?"?$', (ROOT / path).read_text(encoding="utf-8"), re.M).group(1)


def checksum(data):
    library = ctypes.util.find_library("xxhash")
    if not library:
        raise Skip("there is no libxxhash")
    hash64 = ctypes.CDLL(library).XXH3_64bits
    hash64.restype, hash64.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t]
    return hash64(data, len(data))


def versions(path):
    with open(path, "rb") as f:
        data = f.read()
    return [struct.unpack_from("<I", data, at + 8)[0] for at in SLOTS]


def set_version(path, version):
    """Writes the version into both slots, and their checksums."""
    with open(path, "r+b") as f:
        for at in SLOTS:
            f.seek(at)
            slot = bytearray(f.read(SLOT))
            struct.pack_into("<I", slot, 8, version)
            struct.pack_into("<Q", slot, 56, checksum(bytes(slot[:56])))
            f.seek(at)
            f.write(slot)


def store(folder):
    rc, out = mtsql(folder, "s.mts", "-c", "CREATE TABLE t (ts timestamptz TIME, v bigint MEASURE) USING rows", "-c", "INSERT INTO t VALUES ('2024-05-01+00', 1)")
    assert rc == 0, out
    return os.path.join(folder, "s.mts", "MANIFEST")


def test_the_page_has_the_numbers():
    for path, name, row in (("include/mtsql.h", "MTSQL_VERSION", "release"), ("engine/local/store/store_int.h", "MT_STORE_VERSION", "store format"), ("Makefile", "SOVERSION", "library ABI")):
        same(name, re.search(rf"^\| {row} \| (\S+) \|", PAGE, re.M).group(1), number(path, name))
    extension = number("base/extension.h", "MT_EXT_ABI_MAJOR") + "." + number("base/extension.h", "MT_EXT_ABI_MINOR")
    same("extension record", re.search(r"^\| extension record \| (\S+) \|", PAGE, re.M).group(1), extension)


def test_a_newer_store(folder):
    manifest = store(folder)
    known = int(number("engine/local/store/store_int.h", "MT_STORE_VERSION"))
    set_version(manifest, known + 1)
    before = open(manifest, "rb").read()
    rc, out = mtsql(folder, "-v", "VERBOSITY=verbose", "s.mts", "-c", "SELECT count(*) FROM t")
    check("refused", rc and f"format version {known + 1}; this program knows versions up to {known}" in out, out)
    check("unchanged", open(manifest, "rb").read() == before)


def test_an_older_store(folder):
    manifest = store(folder)
    known = int(number("engine/local/store/store_int.h", "MT_STORE_VERSION"))
    set_version(manifest, 1)
    same("read", mtsql(folder, "-A", "-t", "s.mts", "-c", "SELECT count(*) FROM t"), (0, "1\n"))
    same("by reading alone it stays", versions(manifest), [1, 1])
    rc, out = mtsql(folder, "s.mts", "-c", "INSERT INTO t VALUES ('2024-05-02+00', 2)")
    check("written", rc == 0, out)
    check("the commit writes the new version", known in versions(manifest), str(versions(manifest)))


def test_the_library_has_the_number():
    p = subprocess.run(["readelf", "-d", BUILD / "libmtsql.so"], stdout=subprocess.PIPE, text=True, check=True)
    check("soname", f"[libmtsql.so.{number('Makefile', 'SOVERSION')}]" in p.stdout, p.stdout)


def extension(folder, major, minor, size="sizeof (MtModule)"):
    with open(os.path.join(folder, "e.c"), "w", encoding="utf-8") as f:
        f.write('#include "include/mtsql_ext.h"\nstatic const MtFunc none[] = {{0}};\n#undef MT_EXT_ABI_MAJOR\n#undef MT_EXT_ABI_MINOR\n'
                f'#define MT_EXT_ABI_MAJOR {major}\n#define MT_EXT_ABI_MINOR {minor}\nMT_MODULE (.size = {size}, .name = "e", .version = "1.0", .doc = "e", .functions = none);\n')
    flags = next((p.stdout for p in (subprocess.run(["pkg-config", "--cflags", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for name in ("libbson-1.0", "bson2")) if p.returncode == 0), "")
    subprocess.run([os.environ.get("CC", "gcc"), "-shared", "-fPIC", f"-I{ROOT}", *shlex.split(flags), "-o", "e.so", "e.c"], cwd=folder, check=True)
    return mtsql(folder, "-c", f"LOAD '{folder}/e.so'")


def test_extensions(folder):
    same("the same version", extension(folder, "2", "1"), (0, "LOAD\n"))
    # a record of 2.0 ends before the aggregates, so the bytes behind it are not read
    same("an older minor version", extension(folder, "2", "0", "offsetof (MtModule, aggregates), .aggregates = (void *) 1, .formats = (void *) 1, .commands = (void *) 1"), (0, "LOAD\n"))
    for major, minor in ((1, 0), (3, 0), (2, 2)):
        rc, out = extension(folder, major, minor)
        check(f"{major}.{minor}", rc == 3 and f"was built for version {major}.{minor} of the extension interface, this is 2.1" in out, out)


if __name__ == "__main__":
    sys.exit(run(globals()))

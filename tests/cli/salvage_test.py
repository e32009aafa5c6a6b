#!/usr/bin/env python3
"""--salvage makes a new store of the whole parts of a damaged one, and reports the losses. The
damaged store stays as it is.
"""
import contextlib
import glob
import hashlib
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import Skip, run
from paths import MTSQL

ROWS = 4000
CREATE = """CREATE TABLE r (k integer, at timestamptz TIME PERIOD '1 s' NOT NULL, name text DIMENSION NOT NULL, n bigint MEASURE) USING rows;
ALTER TABLE r ADD LAYOUT packed USING nested WITH (cluster_by = 'name', levels = 'at', presum = 'at');
CREATE TABLE c (at timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics"""
ALL = "SELECT k, at, name, n FROM r ORDER BY k"
HITS = "SELECT metric, sum(hits) FROM c GROUP BY metric ORDER BY metric"


def mtsql(*args):
    p = subprocess.run([MTSQL, "-X", "-q", "-t", "-A", *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def good(result):
    assert result[0] == 0, result
    return result[1]


def rows_of(first, last):
    return f"INSERT INTO r SELECT i, timestamptz '2024-01-01 00:00+00' + i * interval '1 s', 'name ' || i % 7, i FROM generate_series({first}, {last}) i"


def loaded(folder):
    """Returns a store with four commits of rows, one of a DELETE, and one of increments that no
    document has yet.
    """
    store = os.path.join(folder, "store")
    good(mtsql(store, "-c", CREATE))
    for first in range(0, ROWS, ROWS // 4):
        good(mtsql(store, "-c", rows_of(first, first + ROWS // 4 - 1)))
    good(mtsql(store, "-c", "DELETE FROM r WHERE k % 10 = 3"))
    good(mtsql(store, "-c", "INSERT INTO c VALUES ('2024-01-01 00:01+00', 'a', 1), ('2024-01-01 00:02+00', 'b', 2)", "-c", "INSERT INTO c VALUES ('2024-01-01 00:01+00', 'a', 4)"))
    return store


@contextlib.contextmanager
def limited_to(address_space):
    """Limits the memory of programs that are started in the context."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (address_space, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def prints(store):
    return {f: hashlib.sha256(open(f, "rb").read()).hexdigest() for f in glob.glob(store + "/*")}


def salvage(folder, damaged):
    """Runs --salvage. Returns the exit code, the report, and the new store, after reading all of
    it.
    """
    new = os.path.join(folder, "new")
    shutil.rmtree(new, ignore_errors=True)
    before = prints(damaged)
    rc, out, err = mtsql("--salvage", damaged, new)
    assert prints(damaged) == before, "the damaged store was changed"
    assert rc in (0, 3), (rc, err)
    assert (rc == 3) == (bool(re.search(r", [1-9]\d* lost|are lost", out)) or "cannot be read" in out or bool(err)), (rc, out, err)
    assert os.path.exists(new) == (not err), (out, err)
    return rc, out, err, new


def damage(folder, store, change):
    copy = os.path.join(folder, "damaged")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(store, copy)
    change(copy)
    return copy


def overwrite(path, at, data):
    with open(path, "r+b") as f:
        f.seek(at)
        f.write(data)


def segment_of_rows(store):
    """Returns the segment of the rows' collection, which was the first one."""
    return min(glob.glob(store + "/*.seg"))


def test_whole_store(folder):
    store = loaded(folder)
    rc, out, err, new = salvage(folder, store)
    assert rc == 0 and "r: 3600 documents saved" in out, (out, err)
    for query in (ALL, HITS):
        assert good(mtsql(new, "-c", query)) == good(mtsql(store, "-c", query))
    assert good(mtsql(new, "-c", "CHECK TABLE r", "-c", "CHECK TABLE c")) == good(mtsql(store, "-c", "CHECK TABLE r", "-c", "CHECK TABLE c"))


def test_both_head_slots(folder):
    store = loaded(folder)
    bad = damage(folder, store, lambda s: [overwrite(s + "/MANIFEST", at, b"\0" * 64) for at in (0, 4096)])
    assert mtsql(bad, "-c", "SELECT 1")[0] == 2
    rc, out, err, new = salvage(folder, bad)
    assert rc == 0, (out, err)
    for query in (ALL, HITS):
        assert good(mtsql(new, "-c", query)) == good(mtsql(store, "-c", query))


def test_damaged_page(folder):
    store = loaded(folder)
    bad = damage(folder, store, lambda s: overwrite(segment_of_rows(s), os.path.getsize(segment_of_rows(s)) * 6 // 10, b"\xff" * 100))
    rc, out, err, new = salvage(folder, bad)
    found = re.search(r"^r: (\d+) documents saved, (\d+) lost in 1 damaged block$", out, re.M)
    assert rc == 3 and found and int(found[1]) + int(found[2]) == 3600 and "REPAIR TABLE" in out, (out, err)
    assert 0 < int(found[2]) <= 1000, f"a commit's block of columns has 1,000 documents at most: {out}"
    good(mtsql(new, "-c", "REPAIR TABLE r"))
    all_rows = set(good(mtsql(store, "-c", ALL)).splitlines())
    saved = good(mtsql(new, "-c", ALL)).splitlines()
    assert len(saved) >= 2600 and set(saved) <= all_rows and len(set(saved)) == len(saved)


def record_starts(manifest):
    data = open(manifest, "rb").read()
    return [m.start() for m in re.finditer(b"MREC", data)]


def test_lost_commit(folder):
    store = loaded(folder)
    starts = record_starts(store + "/MANIFEST")
    everything = set(good(mtsql(store, "-c", "SELECT name, n FROM r")).splitlines())
    for at in starts[3:-2]:
        bad = damage(folder, store, lambda s: overwrite(s + "/MANIFEST", at + 40, b"\xff\xff"))
        assert mtsql(bad, "-c", "SELECT 1")[0] == 2
        rc, out, err, new = salvage(folder, bad)
        assert rc == 3 and "cannot be read" in out, (out, err)
        saved = good(mtsql(new, "-c", "SET layout = 'rows'", "-c", "SELECT name, n FROM r")).splitlines()
        assert everything <= set(saved), f"{len(everything - set(saved))} rows are lost: {out}"
        assert len(set(saved)) == len(saved)


def test_no_manifest(folder):
    store = loaded(folder)
    bad = damage(folder, store, lambda s: os.unlink(s + "/MANIFEST"))
    rc, out, err, new = salvage(folder, bad)
    assert rc == 3 and "salvaged_" in out, (out, err)
    assert re.search(r"^salvaged_\w+: 4000 documents saved$", out, re.M), out


def test_old_manifest(folder):
    store = loaded(folder)
    shutil.copy(store + "/MANIFEST", folder + "/old")
    good(mtsql(store, "-c", rows_of(10000, 12999)))  # these blocks lie in the segment; fewer rows would be in the log only
    expected = set(good(mtsql(store, "-c", ALL)).splitlines())
    bad = damage(folder, store, lambda s: shutil.copy(folder + "/old", s + "/MANIFEST"))
    rc, out, err = mtsql(bad, "-c", "SELECT 1")
    assert rc == 2 and "is an old copy" in err and "--salvage" in err, (rc, err)
    rc, out, err, new = salvage(folder, bad)
    saved = set(good(mtsql(new, "-c", "SET layout = 'rows'", "-c", ALL)).splitlines())
    assert rc == 3 and expected <= saved, (out, len(expected), len(saved))


def test_random_damage(folder):
    store, rng = loaded(folder), random.Random(7)
    known = set(good(mtsql(store, "-c", "SELECT name, n FROM r")).splitlines()) | {f"name {i % 7}|{i}" for i in range(ROWS)}
    opened = 0
    for i in range(40):
        def change(s):
            path = rng.choice([f for f in glob.glob(s + "/*") if os.path.getsize(f)])
            size = os.path.getsize(path)
            if i % 4 == 0:
                os.truncate(path, rng.randrange(size))
            else:
                overwrite(path, rng.randrange(size), rng.randbytes(rng.choice((1, 8, 600, 5000))))
        rc, out, err, new = salvage(folder, damage(folder, store, change))
        if err:
            assert "has nothing that belongs to a store" in err, (out, err)
            continue
        rc, out, err = mtsql(new, "-c", "SET layout = 'rows'", "-c", "SELECT name, n FROM r")
        opened += rc == 0
        assert rc == 0 or "does not exist" in err, (rc, err)
        assert set(out.splitlines()) <= known, "rows that never were"
    assert opened > 25, opened


def test_documents_that_look_like_blocks(folder):
    """Documents that look like blocks take no memory by their sizes. A block's size counts only if
    its checksum is right.
    """
    if "/asan/" in MTSQL:
        raise Skip("AddressSanitizer reserves more address space than this limit allows")
    store, pages = os.path.join(folder, "store"), 0x7FFFFF00 // 4096 + 1
    good(mtsql(store, "-c", "CREATE TABLE b (k integer, v bytea)"))
    for n in range(4):
        head = struct.pack("<4sIQIIIII20xQ", b"MTBK", 4, n, 1000 + n, 1, 0x7FFFFF00, pages, 64 + 4 * pages, 7)
        good(mtsql(store, "-c", f"INSERT INTO b VALUES ({n}, '\\x{head.hex()}'::bytea || decode(repeat('00', 70000), 'hex'))"))  # smaller ones would be in the log
    bad = damage(folder, store, lambda s: overwrite(s + "/MANIFEST", record_starts(s + "/MANIFEST")[-1] + 10, b"\xff" * 20))
    with limited_to(1 << 30):
        rc, out, err, new = salvage(folder, bad)
    assert rc == 3 and "b: 4 documents saved" in out, (rc, out, err)


def test_mistakes(folder):
    store = loaded(folder)
    rc, _, err = mtsql("--salvage", store)
    assert rc == 1 and "needs two arguments: FOLDER NEWFOLDER" in err, err
    rc, _, err = mtsql("--salvage", store, store + "2", "third")
    assert rc == 1 and "cannot be used with other actions" in err, err
    os.mkdir(folder + "/there")
    rc, _, err = mtsql("--salvage", store, folder + "/there")
    assert rc == 3 and "already exists" in err and "HINT:" in err, err
    rc, _, err = mtsql("--salvage", folder + "/nowhere", folder + "/new")
    assert rc == 3 and "is not a folder" in err, err
    rc, _, err = mtsql("--salvage", folder + "/there", folder + "/new")
    assert rc == 3 and "has nothing that belongs to a store" in err and not os.path.exists(folder + "/new"), err


sys.exit(run(globals()))

#!/usr/bin/env python3
"""Faults outside of SQL. Each gives one clear error and the right exit code. Nothing crashes, and
the data stay whole.
"""
import contextlib
import fcntl
import glob
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import Skip, run
from paths import GENERATE, MTSQL

CREATE = ("CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s', iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, "
          "totalCount bigint MEASURE, dProcessTime double precision MEASURE) USING {}")
NESTED = "nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts')"
COPY = "COPY calls FROM '{}' WITH (FORMAT csv, HEADER, EPOCH 's')"
TOTALS = "SELECT count(*), sum(totalCount), count(DISTINCT vAppid), max(dProcessTime) FROM calls"


def mtsql(*args, stdin=None, cwd=None, timeout=120):
    p = subprocess.run([MTSQL, "-X", "-t", "-A", *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, timeout=timeout)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def sql(store, *statements, **kw):
    return mtsql("-q", *[x for s in statements for x in ("-c", s)], store, **kw)


def expect(result, code, *texts):
    rc, out, err = result
    assert rc == code and all(t in err for t in texts), f"exit {rc} (expected {code}), wanted {texts} in: {err[-600:]!r}"
    return out


def good(result):
    return expect(result, 0)


def loaded(folder, rows=5000, using=NESTED):
    """Returns a store with the feed."""
    store, path = os.path.join(folder, "store"), os.path.join(folder, "calls.csv")
    subprocess.run([GENERATE, "--rows", str(rows), "-o", path], check=True)
    good(sql(store, CREATE.format(using), COPY.format(path)))
    return store


# ---- the command line ----


def test_exit_codes(folder):
    assert good(mtsql("-c", "SELECT 1")) == "1\n"
    expect(mtsql("--no-such-option"), 1)
    expect(mtsql("-c", "SELECT 1/0"), 3, "division by zero")
    expect(mtsql("-c", "SELECT 1", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=300"), 2)
    expect(mtsql("-f", os.path.join(folder, "nosuch.sql")), 3, "nosuch.sql")


def test_batch_stops_at_first_error(folder):
    rc, out, err = mtsql(stdin=b"SELECT 1;\nSELECT nosuch;\nSELECT 2;\n")
    assert (rc, out) == (3, "1\n") and "nosuch" in err, (rc, out, err)


def test_standard_input_and_files(folder):
    with open(os.path.join(folder, "a.sql"), "w", encoding="utf-8") as f:
        f.write("SELECT 'file'")
    assert good(mtsql("-c", "SELECT 'first'", "-f", os.path.join(folder, "a.sql"), "-c", "SELECT 'last'")) == "first\nfile\nlast\n"
    assert good(mtsql(stdin=b"SELECT 'from',\n   'stdin';")) == "from|stdin\n"


def test_query_output_only(folder):
    rc, out, err = mtsql("--csv", "-c", "SELECT 1 AS a, '' AS b, NULL AS c")
    assert rc == 0 and err == "" and out.endswith('1,"",\n'), (rc, out, err)


# ---- statements without end ----


def test_parentheses(folder):
    n = 200000
    path = os.path.join(folder, "deep.sql")
    with open(path, "w", encoding="utf-8") as f:
        f.write("SELECT " + "(" * n + "1" + ")" * n + ";\n")
    expect(mtsql("-f", path), 3, "ERROR")


def test_long_sum(folder):
    n = 200000
    path = os.path.join(folder, "long.sql")
    with open(path, "w", encoding="utf-8") as f:
        f.write("SELECT " + "+".join(["1"] * n) + ";\n")
    rc, out, err = mtsql("-f", path)
    assert (rc, out) == (0, f"{n}\n") or (rc == 3 and "ERROR" in err), (rc, out[:100], err[:300])


def test_long_list(folder):
    store = loaded(folder, 1000)
    values = ", ".join(f"'v{i}'" for i in range(10000))
    assert good(sql(store, f"SELECT count(*) FROM calls WHERE vAppid NOT IN ({values})")) == "1000\n"


def test_random_bytes(folder):
    rng = random.Random(4)
    pieces = [b"SELECT ", b"(", b")", b"'", b'"', b"$$", b"--", b"/*", b"FROM ", b"calls ", b"1", b"\x00", b"\xff", b"\\d ", b";", b"\n", b"CASE ", b"::", b"WHERE ", b"E'\\"]
    for _ in range(60):
        text = b"".join(rng.choice(pieces) for _ in range(rng.randint(1, 40)))
        rc, _, _ = mtsql(stdin=text)
        assert rc in (0, 1, 3), (rc, text)


# ---- documents and files ----


def test_document_over_16_mb(folder):
    store, path = os.path.join(folder, "store"), os.path.join(folder, "big.jsonl")
    good(sql(store, CREATE.format("rows"), "INSERT INTO calls VALUES ('2015-01-01', 'a', 'b', 'c', 1, 1)"))
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"ts": "2015-01-01 00:00+00", "iResult": "a", "vCmdid": "b", "vAppid": "c", "totalCount": 1}\n')
        f.write('{"ts": "2015-01-01 00:00+00", "iResult": "a", "vCmdid": "b", "vAppid": "' + "x" * (17 << 20) + '", "totalCount": 1}\n')
    expect(sql(store, f"COPY calls FROM '{path}' WITH (FORMAT jsonl)"), 3, "ERROR", "2")
    assert good(sql(store, "SELECT count(*) FROM calls")) == "1\n"


def test_bson_files(folder):
    rows = subprocess.run([GENERATE, "--rows", "500", "--format", "bson"], stdout=subprocess.PIPE, check=True).stdout
    attach = CREATE.format("rows WITH (collection = 'c', time_encoding = 'epoch_s')").replace("TIME ", "TIME FIELD 'timestamp' ").replace("TIME FIELD 'timestamp' PERIOD '60 s'", "TIME PERIOD '60 s' FIELD 'timestamp'")
    good_dump = os.path.join(folder, "good")
    os.mkdir(good_dump)
    open(os.path.join(good_dump, "c.bson"), "wb").write(rows)
    assert good(sql(good_dump, attach, "SELECT count(*) FROM calls")) == "500\n"
    rng = random.Random(2)
    damages = [rows[:-3], rows[:100], b"\x05", rows + b"\x00\x00", b"\xff\xff\xff\xff" + rows[4:], b"\x00\x00\x00\x00" + rows[4:], b"\xff\xff\xff\x7f" + rows[4:]]
    for _ in range(60):
        bad = bytearray(rows)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        damages.append(bytes(bad))
    for i, bad in enumerate(damages):
        dump = os.path.join(folder, f"bad{i}")
        os.mkdir(dump)
        open(os.path.join(dump, "c.bson"), "wb").write(bad)
        rc, out, err = sql(dump, attach, "SELECT count(*) FROM calls")
        assert rc in (0, 2, 3) and (rc == 0 or "ERROR" in err or "mtsql:" in err), (i, rc, err)
        if i < 7:
            assert rc in (2, 3), (i, rc, out, err)


def test_missing_targets(folder):
    expect(mtsql("-c", "SELECT 1", os.path.join(folder, "nosuch.bson")), 2, "nosuch.bson")
    text = os.path.join(folder, "text.bson")
    open(text, "w", encoding="utf-8").write("this is no BSON")
    rc, _, err = mtsql("--aggregate", "text", "[]", text)
    assert rc in (2, 3) and err, (rc, err)


# ---- the store ----


def damaged(folder, store, change):
    """Returns a copy of the store with one changed file."""
    copy = os.path.join(folder, "copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(store, copy)
    files = sorted(f for f in glob.glob(os.path.join(copy, "**", "*"), recursive=True) if os.path.isfile(f) and os.path.getsize(f))
    change(files)
    return copy


def check_damaged(copy, expected, what):
    rc, out, err = sql(copy, TOTALS)
    assert rc in (0, 2, 3), (what, rc, err[-300:])
    warned = "WARNING:" in err and "is damaged at offset" in err
    assert rc != 0 or out == expected or warned, f"{what}: a silent wrong answer: {out!r}, not {expected!r}"
    assert rc == 0 or err.strip(), what
    return rc != 0 or warned


def test_flipped_bits(folder):
    store = loaded(folder, 3000)
    expected, rng, errors = good(sql(store, TOTALS)), random.Random(11), 0
    for i in range(150):
        def flip(files):
            sizes = [os.path.getsize(f) for f in files]
            path = rng.choices(files, sizes)[0] if i % 2 else rng.choice(files)
            with open(path, "r+b") as f:
                at = rng.randrange(os.path.getsize(path))
                f.seek(at)
                byte = f.read(1)[0]
                f.seek(at)
                f.write(bytes([byte ^ 1 << rng.randrange(8)]))
        errors += check_damaged(damaged(folder, store, flip), expected, f"flip {i}")
    assert errors > 20, f"only {errors} of 150 flips were noticed"


def test_truncated_store(folder):
    store = loaded(folder, 3000)
    expected, rng = good(sql(store, TOTALS)), random.Random(12)
    for i in range(30):
        def cut(files):
            path = rng.choice(files)
            os.truncate(path, rng.randrange(os.path.getsize(path)))
        check_damaged(damaged(folder, store, cut), expected, f"cut {i}")


def big_feed(folder):
    path = os.path.join(folder, "big.csv")
    subprocess.run([GENERATE, "--rows", "400000", "-o", path], check=True)
    with open(path, "rb") as f:
        return path, f.read()


@contextlib.contextmanager
def loading(folder, store, rows):
    """Starts a load, gives it these bytes, and leaves its input open. Returns its process."""
    fifo = os.path.join(folder, "fifo")
    os.mkfifo(fifo)
    p = subprocess.Popen([MTSQL, "-X", "-q", "-c", COPY.format(fifo), store], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with open(fifo, "wb") as f:
        f.write(rows)
        f.flush()
        yield p
    os.unlink(fifo)


def test_killed_load(folder):
    """A load that is killed before its input ends leaves nothing."""
    store, (_, rows) = loaded(folder, 2000), big_feed(folder)
    before = good(sql(store, TOTALS))
    for share in (0, 0.1, 0.5, 1):
        with loading(folder, store, rows[:int(len(rows) * share)]) as p:
            p.kill()
            p.communicate()
        assert p.returncode == -signal.SIGKILL and good(sql(store, TOTALS)) == before, (share, p.returncode, good(sql(store, TOTALS)), before)


def test_killed_commit(folder):
    """A load that is killed at any moment after its input leaves nothing, or is whole."""
    store, (big, rows) = loaded(folder, 2000), big_feed(folder)
    before, complete = good(sql(store, TOTALS)), os.path.join(folder, "complete")
    shutil.copytree(store, complete)
    whole = good(sql(complete, COPY.format(big), TOTALS))
    for i, delay in enumerate((0, 0.001, 0.003, 0.01, 0.03, 0.1)):
        copy = shutil.copytree(store, os.path.join(folder, f"killed{i}"))
        with loading(folder, copy, rows) as p:
            pass
        time.sleep(delay)
        p.kill()
        p.communicate()
        after = good(sql(copy, TOTALS))
        assert after in ((before, whole) if p.returncode else (whole,)), (delay, p.returncode, after, before, whole)


def test_silent_pipe(folder):
    """Ctrl-C ends COPY whatever the other end of its pipe does: it is not open, it sends nothing
    more, or it does not read.
    """
    fifo, csv = os.path.join(folder, "fifo"), "(FORMAT csv)"
    os.mkfifo(fifo)
    reads, writes = ("CREATE TABLE k (a int)", f"COPY k FROM '{fifo}' {csv}"), (f"COPY (SELECT n FROM generate_series (1, 100000) n) TO '{fifo}' {csv}",)
    for statements in (reads, writes):
        expect(mtsql("-c", "SET statement_timeout = 300", *[x for s in statements for x in ("-c", s)]), 3, "canceling statement due to statement timeout")
    other = os.open(fifo, os.O_RDWR)
    os.write(other, b"1\n2\n")
    for statements in (reads, writes):
        expect(mtsql("-c", "SET statement_timeout = 300", *[x for s in statements for x in ("-c", s)]), 3, "canceling statement due to statement timeout")
    os.close(other)
    # COPY waits for an end that opens late, for the end of the data, and for a slow end
    with subprocess.Popen(["sh", "-c", 'sleep 0.3; (echo 1; sleep 0.3; echo 2) > "$1"', "sh", fifo]):
        assert good(mtsql("-q", "-c", reads[0], "-c", reads[1], "-c", "SELECT sum(a) FROM k")) == "3\n"
    taken = os.path.join(folder, "taken")
    with subprocess.Popen(["sh", "-c", 'sleep 0.3; (sleep 0.3; cat) < "$1" > "$2"', "sh", fifo, taken]):
        good(mtsql("-c", writes[0]))
    with open(taken, "rb") as f:
        assert f.read().split() == [b"%d" % (n + 1) for n in range(100000)]


def test_interrupted_load(folder):
    """Ctrl-C during a load that has read all its input but the end."""
    store, (_, rows) = loaded(folder, 2000), big_feed(folder)
    before = good(sql(store, TOTALS))
    with loading(folder, store, rows) as p:
        p.send_signal(signal.SIGINT)
        _, err = p.communicate(timeout=120)
    assert p.returncode == 3 and b"canceling statement due to user request" in err, (p.returncode, err)
    assert good(sql(store, TOTALS)) == before


def test_locked_store(folder):
    """While another writer holds the store's lock, readers go on and writers get an error. They
    write when it is free again.
    """
    store = loaded(folder, 1000)
    insert = "INSERT INTO calls VALUES ('2015-01-02 00:00:00+00', 'a', 'b', 'c', 1, 1)"
    with open(os.path.join(store, "LOCK"), "r+b") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        expect(sql(store, insert), 3, "ERROR")
        assert good(sql(store, "SELECT count(*) FROM calls")) == "1000\n"
        fcntl.flock(f, fcntl.LOCK_UN)
    good(sql(store, insert))
    assert good(sql(store, "SELECT count(*) FROM calls")) == "1001\n"


def test_full_disk(folder):
    if os.getuid() != 0:
        raise Skip("needs root, to mount a small file system")
    disk = os.path.join(folder, "disk")
    os.mkdir(disk)
    if subprocess.call(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], stderr=subprocess.DEVNULL):
        raise Skip("may not mount here")
    try:
        store, big = os.path.join(disk, "store"), os.path.join(folder, "big.csv")
        subprocess.run([GENERATE, "--rows", "1000", "-o", big], check=True)
        good(sql(store, CREATE.format("rows"), COPY.format(big)))
        before = good(sql(store, TOTALS))
        subprocess.run([GENERATE, "--rows", "300000", "-o", big], check=True)
        expect(sql(store, COPY.format(big)), 3, "ERROR", "space")
        assert good(sql(store, TOTALS)) == before
    finally:
        subprocess.call(["umount", disk])


def test_last_sync(folder):
    """A commit that does not wait for the disk, and can't be written at all: the statement fails
    and leaves nothing.
    """
    store = os.path.join(folder, "store")
    good(sql(store, "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics",
             "INSERT INTO hits VALUES ('2010-10-10 00:00+00', 'm', 1)"))
    late = ("SET synchronous_commit = off", "SET wal_writer_delay = '10 s'", "INSERT INTO hits SELECT '2010-10-10'::timestamptz, 'metric ' || i, 1 FROM generate_series(1, 400) i")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    p = subprocess.run([MTSQL, "-X", "-q", *[x for s in late for x in ("-c", s)], store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, preexec_fn=limit)
    assert p.returncode == 3 and b"ERROR:  could not write file" in p.stderr, p.stderr
    assert good(sql(store, "SELECT sum(hits) FROM hits")) == "1\n"
    good(sql(store, *late))
    assert good(sql(store, "SELECT sum(hits) FROM hits")) == "401\n"


def test_temporary_files(folder):
    """Sorts beyond memory go to TMPDIR. They fail with an error if they can't. Nothing stays there.
    """
    store = loaded(folder, 20000)
    sort = ("SET work_mem = '64kB'", "SELECT vAppid, totalCount, ts FROM calls ORDER BY dProcessTime, vAppid, ts")
    temp = os.path.join(folder, "temp")
    os.mkdir(temp)
    os.environ["TMPDIR"] = temp
    try:
        assert good(sql(store, *sort)).count("\n") >= 20000
        assert os.listdir(temp) == []
        os.environ["TMPDIR"] = os.path.join(folder, "nosuch")
        expect(sql(store, *sort), 3, "could not create a temporary file", "nosuch")
    finally:
        del os.environ["TMPDIR"]


def test_not_a_store(folder):
    path = os.path.join(folder, "file")
    open(path, "w", encoding="utf-8").write("hello")
    rc, _, err = mtsql("-c", "SELECT 1", path)
    assert rc == 2 and "file" in err, (rc, err)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (700 << 20, resource.RLIM_INFINITY))


def test_input_without_room(folder):
    """A line that does not fit in memory is an error. It is neither the input's end nor a part of a
    statement.
    """
    if "/asan/" in MTSQL:
        raise Skip("AddressSanitizer reserves more address space than this limit allows")
    path = os.path.join(folder, "long.sql")
    for megabytes in (150, 220, 300):
        with open(path, "w", encoding="ascii") as f:
            f.write("SELECT '" + "a" * (megabytes << 20) + "';\nSELECT 'the end';\n")
        with open(path, "rb") as f:
            p = subprocess.run([MTSQL, "-X", "-t", "-v", "ON_ERROR_STOP=0"], stdin=f, capture_output=True, preexec_fn=limited, timeout=120)
        ended = b"memory" in p.stderr and b"the end" not in p.stdout  # otherwise it was read as a whole
        refused = b"statement is too long" in p.stderr or b"16777216" in p.stderr
        assert p.returncode == 3 and (ended or refused), (megabytes, p.returncode, p.stdout[:200], p.stderr[:500])


def test_a_folder_as_input(folder):
    with open(os.path.join(folder, "x"), "wb"):
        pass
    fd = os.open(folder, os.O_RDONLY)
    p = subprocess.run([MTSQL, "-X"], stdin=fd, capture_output=True, timeout=60)
    os.close(fd)
    assert p.returncode == 3 and b"could not read the input" in p.stderr, (p.returncode, p.stderr)


def test_read_only_folder(folder):
    expect(mtsql("-c", "SELECT 1", "/proc/nosuch/store"), 2)


sys.exit(run(globals(), *sys.argv[1:2]))

#!/usr/bin/env python3
"""Files that are cut short while statements read them: the answer is right, or an error names the file,
and the session goes on."""
import os
import shutil
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import check, run
from command import shell

LONG = os.environ.get("MTSQL_TEST_LONG")
ROWS = 120000
QUERIES = [
    "SELECT count(*), min(length(md5(md5(word)))) FROM t",
    "SELECT count(*), sum(length(word)) FROM t WHERE word LIKE '%a%'",
    "SELECT k, count(*), min(word), max(word) FROM t GROUP BY k ORDER BY k",
    "SELECT md5(string_agg(word, ',' ORDER BY word, id)) FROM t",
    "SELECT count(*) FROM (SELECT word FROM t ORDER BY word, id DESC OFFSET 10) x",
    "SELECT count(*), sum(a.k) FROM t a JOIN t b ON a.word = b.word",
    "SELECT sum(r) FROM (SELECT row_number() OVER (PARTITION BY k ORDER BY word) AS r FROM t) x",
    "SELECT count(DISTINCT word) FROM t",
]


def make(folder):
    store = f"{folder}/whole.mts"
    shell(store, "-c", "CREATE TABLE t (id integer, k integer, word text)",
          "-c", f"""INSERT INTO t SELECT n, n % 97, md5(n::text) || repeat('x', n % 50)
                      FROM generate_series(1, {ROWS}) n""")
    done = shell("--dump", f"{folder}/dump", store)
    bson = [os.path.join(at, "t.bson") for at, _, files in os.walk(f"{folder}/dump") if "t.bson" in files]
    check("the dump has the table", len(bson) == 1, done.stderr)
    segments = [os.path.join(store, f) for f in os.listdir(store) if f.endswith(".seg")]
    return store, max(segments, key=os.path.getsize), bson[0]


def cut(path, after_s, to):
    """Truncates the file a little later. The moment does not matter."""
    timer = threading.Timer(after_s, lambda: os.truncate(path, to))
    timer.start()
    return timer


def attack(what, args, path, sql, right, after_s, to):
    timer = cut(path, after_s, to)
    done = shell("-At", "-v", "ON_ERROR_STOP=0", *args, text=f"{sql};\n{sql};\nSELECT 'next';\n")
    timer.cancel()
    timer.join()
    what = f"{what}, to {to} bytes after {after_s:.3f} s: {sql}"
    check(f"{what}: ended with {done.returncode} {done.stderr[-300:]}", done.returncode >= 0)
    said = f"{done.stdout[-200:]} {done.stderr[-300:]}"
    check(f"{what}: the next statement: {said}", done.stdout.endswith("next\n"))
    answers = done.stdout[:-len("next\n")]
    check(f"{what}: a wrong answer: {said}", answers in ("", right, right * 2))
    errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
    named = all(os.path.basename(path) in e or "damaged" in e for e in errors)
    check(f"{what}: an error that doesn't name the file: {errors}", named)
    check(f"{what}: {errors}", len(errors) + answers.count(right) == 2)
    return "truncated while" in done.stderr


def copies(folder, store, segment, bson):
    """Returns new copies of the file to be cut, and of its target."""
    shutil.rmtree(f"{folder}/s.mts", ignore_errors=True)
    shutil.copytree(store, f"{folder}/s.mts")
    shutil.copy(bson, f"{folder}/t.bson")
    return (f"{folder}/t.bson", f"{folder}/t.bson"), (f"{folder}/s.mts/{os.path.basename(segment)}", f"{folder}/s.mts")


def test_cut_short():
    folder = tempfile.mkdtemp()
    files = make(folder)
    seen = tries = 0
    for round_ in range(12 if LONG else 1):
        for i, sql in enumerate(QUERIES):
            right = shell("-At", files[0], "-c", sql).stdout
            for path, target in copies(folder, *files):
                size = os.path.getsize(path)
                to = (5000, size // 2 + 77, 4096 * 3, size - 70001, size - 9)[(i + round_) % 5]
                after_s = 0.02 + 0.05 * ((i + 3 * round_) % 8)
                tries += 1
                seen += attack(os.path.basename(path), ["-r", target], path, sql, right, after_s, to)
    print(f"{seen} of {tries} files were cut short while they were read")
    check("some files were cut short while they were read", seen > 0)
    shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(run(globals()))

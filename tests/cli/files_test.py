#!/usr/bin/env python3
"""CSV files as tables: as targets, in folders, with \\infer, and faulty files. The statements that
\\infer prints make the same table as CREATE TABLE … FROM.
"""
import gzip
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
import command
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
from cases import check, finish, same
from paths import MTSQL

ROWS = "".join(f"2024-01-01 00:{i // 60 % 60:02}:{i % 60:02},h{i % 7},app {i % 3},{i}.5,{1000 + i}\n" for i in range(3000))
TABLE = "time,host,app,load,requests_total\n" + ROWS


def mtsql(cwd, *args, sql=""):
    p = subprocess.run([MTSQL, "-X", "-q", "-At", *args], input=sql.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=command.HANG_S, cwd=cwd, env=command.environment())
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def put(folder, name, data):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def targets(d):
    put(d, "load.csv", TABLE)
    sql = "SELECT host, count(*), sum(load) FROM load GROUP BY host ORDER BY host LIMIT 1;"
    wanted = (0, "h0|429|643071.0\n", "")
    rc, out, err = mtsql(d, "load.csv", sql=sql)
    check("a file is a target", rc == 0 and out.startswith("h0|429|"), out + err)
    os.mkdir(f"{d}/folder")
    put(d, "folder/load.csv.gz", gzip.compress(TABLE.encode()))
    put(d, "folder/load.jsonl", '{"a": 1}\n')
    same("in a folder, beside documents of its name", mtsql(d, "folder", sql='SELECT count(*) FROM "load.csv.gz"; SELECT a FROM load;')[1], "3000\n1\n")
    rc, out, _ = mtsql(d, "load.csv", "-c", "\\d load")
    check("\\d has the types of the table", "timestamp without time zone" in out and "requests_total" in out, out)
    rc, out, err = mtsql(d, "--restricted", "load.csv", sql="SELECT count(*) FROM load; SELECT * FROM 'load.csv';")
    check("a restricted session reads its target, and no other file", rc != 0 and out == "3000\n" and "restricted mode" in err, out + err)
    rc, out, err = mtsql(d, "load.csv", sql="CREATE TABLE t (a int);")
    check("the target is read-only", rc != 0 and "read-only" in err, err)
    rc, out, err = mtsql(d, "load.csv", "--aggregate", "load", "[]")
    check("a file has no documents", rc != 0 and "no documents" in err, err)
    return wanted


def infer(d):
    rc, text, err = mtsql(d, "-c", "\\infer load.csv")
    check("\\infer of a file", rc == 0 and "nested WITH (cluster_by = 'app', levels = 'time, host')" in text, text + err)
    check("\\infer names roles", "load double precision MEASURE" in text and "requests_total bigint MEASURE COUNTER" in text and "app text DIMENSION" in text, text)
    rc, out, err = mtsql(d, "made.mts", sql=text + "SELECT count(*), sum(load) FROM load; DROP TABLE load;")
    check("its statements load the file", rc == 0 and out.startswith("3000|"), out + err)
    step = next(line for line in text.split("\n") if line.startswith("-- Or in one step: "))[len("-- Or in one step: "):]
    rc, again, err = mtsql(d, "made.mts", sql=step + "SELECT count(*), sum(load) FROM load;")
    same("the one step does the same", again, out)
    check("and tells that it made a COUNTER", 'column "requests_total" of "load" became a COUNTER' in err and "counters => false" in err, err)
    kinds = [mtsql(d, sql=f"CREATE TABLE t {how} USING rows;\n\\d t\n")[1].count("measure, counter") for how in ("FROM 'load.csv'", "FROM read_csv ('load.csv', counters => false)")]
    same("COUNTERs, and none", kinds, [1, 0])
    check("a file that is missing", mtsql(d, "-c", "\\infer nowhere.csv")[0] != 0, "")


def faults(d):
    def fails(name, file, *wanted):
        rc, out, err = mtsql(d, sql=f"SELECT count(*) FROM '{file}';\n")
        check(name, rc != 0 and out == "" and all(w in err for w in wanted) and err.count("ERROR") == 1, out + err)

    os.mkfifo(f"{d}/pipe.csv")
    fails("a pipe", "pipe.csv", "not a regular file")
    fails("a folder", "folder", "is a directory")
    put(d, "wide.csv", "a," * 1000000)
    fails("a million columns", "wide.csv", "at most 1600")
    put(d, "long.csv", "a,b\n1,2\n" * 600000 + "1," + "x" * (70 << 20))
    fails("a record that is too long, behind many", "long.csv", "long.csv, line", "longer than")
    put(d, "line.csv", "x" * (9 << 20))
    fails("one long line", "line.csv", "line.csv")
    put(d, "cut.csv.gz", gzip.compress(TABLE.encode())[:-2000])
    fails("a compressed file that is cut off", "cut.csv.gz", "cut.csv.gz")
    put(d, "mixed.csv", "name,v\n" + "é,1\n" * 300000 + "x" * 10 + ",1\n" * 1 + "y,2\n" * 300000)
    with open(f"{d}/mixed.csv", "r+b") as f:
        f.seek(2400000)
        f.write(b"\xe9\n"[:1])
    fails("another encoding in the middle", "mixed.csv", "mixed.csv")
    for name, first in (("t.parquet", b"PAR1\x15"), ("t.arrow", b"ARROW1\0\0"), ("t.feather", b"FEA1\0\0\0\0"), ("t.xlsx", b"PK\3\4"), ("t.bz2", b"BZh91AY&SY"), ("t.xz", b"\xfd7zXZ")):
        put(d, name, first + b"x" * 100)
        fails(name, name, "not supported", "HINT")
    for first in "PAR1,b", "FEA1,b", "BZh,b", "ARROW1,b":
        put(d, "t.csv", f"{first}\n1,2\n")
        same(f"a header that begins with {first}", mtsql(d, sql="SELECT b FROM 't.csv';")[:2], (0, "2\n"))


def converted(d):
    """Runs the commands of the hint, which make a readable file. Commands of programs that are not
    installed are left out.
    """
    table = pyarrow.table({"n": [1, 2, 3], "s": ["a", None, "it's"]})
    pyarrow.parquet.write_table(table, f"{d}/of columns.parquet")
    pyarrow.feather.write_feather(table, f"{d}/columns.arrow")
    with pyarrow.ipc.new_stream(f"{d}/columns.arrows", table.schema) as w:
        w.write_table(table)
    path = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
    for name in "of columns.parquet", "columns.arrow", "columns.arrows":
        csv, said = name.split(".")[0] + ".csv", set()
        for sql in f"SELECT * FROM '{name}';", f"COPY t FROM '{name}';", f"CREATE TABLE u FROM '{name}';":
            rc, out, err = mtsql(d, "-v", "ON_ERROR_STOP=0", sql="CREATE TABLE t (n bigint, s text);" + sql)
            said.add("\n".join(line for line in err.split("\n") if line.startswith(("HINT", "  "))  and "^" not in line))
        check(f"{name}: one hint wherever it is read", len(said) == 1 and csv in min(said), said)
        commands = [line.strip() for line in min(said).split("\n")[1:]]
        same(f"{name}: two commands", len(commands), 2)
        run = 0
        for command_line in commands:
            module = command_line.split("import ")[-1].split(";")[0] if "polars" in command_line else None
            if not shutil.which(command_line.split()[0], path=path) or (module and not importlib.util.find_spec(module)):
                continue
            p = subprocess.run(command_line, shell=True, cwd=d, env={**os.environ, "PATH": path}, capture_output=True, text=True)
            same(command_line, (p.returncode, mtsql(d, sql=f"SELECT * FROM '{csv}' ORDER BY n;")[1]), (0, "1|a\n2|\n3|it's\n"))
            os.unlink(f"{d}/{csv}")
            run += 1
        check(f"{name}: a command was run", run > 0)


def sampled(d):
    """A file with more records than a sample is sampled to its end, even if it is short enough to
    be read completely.
    """
    put(d, "short.csv", "v\n" + "1\n" * 500000 + "word\n" + "2\n" * 20)
    same("the end of a file of short records", mtsql(d, sql="SELECT count(*), max(v) FROM 'short.csv'")[1], "500021|word\n")


def changes(d):
    """A file that grows while it is read gives an error, not a part of its rows."""
    put(d, "grows.csv", "a,b\n" + "1,2\n" * 1500000)
    p = subprocess.Popen([MTSQL, "-X", "-q", "-At", "-c", "SELECT count(*) FROM 'grows.csv'"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=d, env=command.environment())
    for _ in range(200):
        with open(f"{d}/grows.csv", "ab") as f:
            f.write(b"1,2\n")
        if p.poll() is not None:
            break
        os.sched_yield()
        subprocess.run(["sleep", "0.005"], check=False)
    out, err = (s.decode() for s in p.communicate(timeout=command.HANG_S))
    check("a file that changes", "changed while it was read" in err and out == "", out + err)


def main():
    with tempfile.TemporaryDirectory() as d:
        targets(d)
        infer(d)
        faults(d)
        sampled(d)
        converted(d)
        changes(d)
    return finish()


sys.exit(main())

#!/usr/bin/env python3
"""Clients in other languages: pgx (go/), node-postgres (node/), tokio-postgres and sqlx (rust/).
Each program prints a line for each answer.

    languages_test.py [--accept] [--postgres]

--accept writes expected.txt in the folders. --postgres also runs the programs on PostgreSQL 15.
`make check-clients` builds the programs in Go and Rust, and fetches pgjdbc. Otherwise they run only
if they were built before.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import jdbc_test
from listening import HANG_S, TESTS, add, certificate, free_of_libpq, listening
from cases import Skip, check, run, same
import psycopg

HERE = pathlib.Path(__file__).resolve().parent
BUILT = pathlib.Path(os.environ.get("BUILD", "build")).resolve() / "clients"
BUILD_S = 1200
MADE = r"""CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE v (id int PRIMARY KEY, i2 smallint, i4 int, i8 bigint, f4 real, f8 double precision, n numeric, n2 numeric(12, 3), b boolean, t text, vc varchar(20), c char(5), y bytea, d date, tm time, ts timestamp, tz timestamptz, iv interval,
   u uuid, j json, jb jsonb, m mood, i2s smallint[], i4s int[], i8s bigint[], f8s double precision[], ns numeric[], bs boolean[], txs text[], ys bytea[], ds date[], tzs timestamptz[], us uuid[], jbs jsonb[], ms mood[]);
INSERT INTO v VALUES (1, -7, 2147483647, -1099511627776, 1.5, 0.1, 12345678901234567890.0123400, 12.5, true, E'ä€\t"''\\', 'short', 'ab', '\x00ff7f', '2024-02-29', '03:04:05.678', '1969-12-31 23:59:59.999', '2024-06-01 12:00:00.123+02',
   '1 year 2 mons -3 days 04:05:06.000007', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"b": [1, null],  "a": 1.50}', '{"b": [1, null],  "a": 1.50}', 'ok', '{1,NULL,-3}', '{1,2,3,4}', '{9223372036854775807}', '{0.5,-Infinity}', '{1.50,NULL,NaN}',
   '{t,f,NULL}', '{"a,b","","NULL",NULL,"c\\\"d"}', '{"\\x00ff"}', '{2024-02-29}', '{"2024-06-01 12:00:00+00"}', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', '{"{\"a\": 1}"}', '{sad,NULL,happy}'),
   (2, 0, 0, 0, 0, 0, 0, 0, false, '', '', '', '', '2000-01-01', '00:00', '2000-01-01', '2000-01-01Z', '0', '00000000-0000-0000-0000-000000000000', 'null', 'null', 'sad', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}');
INSERT INTO v (id) VALUES (3);
INSERT INTO v (id, i2, i4, i8, f4, f8, n, n2, d, tm, iv) VALUES (4, -32768, -2147483648, -9223372036854775808, -1e-10, 'NaN', -0.00001, -999999999.999, '1900-03-01', '23:59:59.999999', '-1 mons');
CREATE TABLE p (id int PRIMARY KEY, n int CONSTRAINT positive CHECK (n > 0)); INSERT INTO p VALUES (1, 1);
CREATE TABLE copied (id int PRIMARY KEY, name text, at timestamptz, f double precision, a int[], n numeric);
CREATE TABLE packed (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts');
INSERT INTO packed SELECT '2024-01-01'::timestamptz + i * interval '10 min', 'h' || i % 3, i FROM generate_series (0, 999) i"""
PLAIN = re.sub(r" (TIME|DIMENSION|MEASURE)(?= NOT NULL)| USING nested WITH \([^)]*\)", "", MADE)


def go(built, package=".", name="check"):
    """Returns the compiled program."""
    subprocess.run(["go", "build", "-o", built / name, package], cwd=built, env=dict(os.environ, GOTOOLCHAIN="local", GOFLAGS="-mod=mod"), check=True, timeout=BUILD_S)
    return [built / name]


def node(built):
    if not (built / "node_modules").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], cwd=built, check=True, timeout=BUILD_S)
    return ["node", built / "check.js"]


def rust(built, name="check"):
    subprocess.run(["cargo", "build", "--quiet", "--bin", name], cwd=built, check=True, timeout=BUILD_S)
    return [built / "target" / "debug" / name]


# For each language: the command that prints its version, the oldest version that the packages
# accept, the function that builds the program, and a file that exists after the build.
LANGUAGES = {"go": (["go", "version"], (1, 25), go, "check"), "node": (["node", "--version"], (16, 0), node, "node_modules"), "rust": (["cargo", "--version"], (1, 94), rust, "target/debug/check")}


def program(language):
    """Returns the command that runs the program. Its sources are copied, because package managers
    write files beside them.
    """
    version, oldest, build, made = LANGUAGES[language]
    built = BUILT / language
    if not shutil.which(version[0]) or language == "node" and not shutil.which("npm"):
        raise Skip(f"no {version[0]}")
    said = subprocess.run(version, capture_output=True, text=True, timeout=HANG_S).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    if not found or tuple(map(int, found.groups())) < oldest:
        raise Skip(f"{'.'.join(map(str, oldest))} or later is needed: {said.strip()}")
    if language != "node" and not (built / made).exists() and os.environ.get("EVERY") != "1":
        raise Skip("`make check-clients` builds it")
    shutil.copytree(HERE / language, built, dirs_exist_ok=True)
    return build(built)


def answers(command, *more, **variables):
    p = subprocess.run([*command, *more], capture_output=True, text=True, env=free_of_libpq() | {"PGUSER": "tester", "PGDATABASE": "store", "PGSSLMODE": "disable"} | variables, timeout=HANG_S)
    check(f"{command[-1]} ends well", p.returncode == 0, p.stdout[-500:] + p.stderr[-4000:])
    return p.stdout.splitlines()


def compare(what, found, wanted):
    for i, (got, want) in enumerate(zip(found, wanted)):
        same(f"{what}, line {i + 1}", got, want)
    same(f"{what}, the number of lines", len(found), len(wanted))


def expected(folder, found):
    """Compares lines with expected.txt of a folder."""
    file = HERE / folder / "expected.txt"
    if "--accept" in sys.argv:
        file.write_text("\n".join(found) + "\n")
    compare(folder, found, file.read_text().splitlines())


def make(dsn, statements=MADE):
    with psycopg.connect(dsn, autocommit=True) as c:
        c.execute(statements)


def beside_postgres(language, command, folder, found):
    """The same answers from PostgreSQL 15."""
    sys.path.insert(0, str(HERE.parent / "oracle"))
    from postgres import Postgres
    os.chmod(folder, 0o755)
    server = Postgres(f"{folder}/postgres", ["max_prepared_transactions = 0"])
    server.start()
    try:
        server.recreate("store")
        make(f"host={server.socket} user=postgres dbname=store", PLAIN)
        there = answers(command, PGHOST=server.socket, PGPORT="5432", PGUSER="postgres")
        refused = ["LISTEN channel" in line for line in there]
        compare(f"{language} beside PostgreSQL", [f for f, r in zip(found, refused) if not r], [t for t, r in zip(there, refused) if not r])
    finally:
        server.stop()


def logins(language, command, folder):
    """A Unix socket, a password, a wrong one, and TLS."""
    with listening(f"{folder}/store", address=f"unix:{folder}/socket") as s:
        same(f"{language} on a Unix socket", set(answers(command, "one", PGHOST=f"{folder}/socket", PGPORT="5432")), {"logged in"})
    users, (cert, key) = f"{folder}/users", certificate(folder)
    add(users, "ann", "päss wörd")
    with listening(f"{folder}/store", "--users", users, "--tls-cert", cert, "--tls-key", key) as s:
        for mode in ("disable", "require", "verify-ca"):
            more = {"PGHOST": "127.0.0.1", "PGPORT": str(s.port), "PGUSER": "ann", "PGSSLMODE": mode} | ({"PGSSLROOTCERT": cert} if mode == "verify-ca" else {})
            same(f"{language} with a password, sslmode={mode}", set(answers(command, "one", PGPASSWORD="päss wörd", **more)), {"logged in"})
            check(f"{language} with a wrong password, sslmode={mode}", all("28P01" in line for line in answers(command, "one", PGPASSWORD="wrong", **more)))


def language_case(language, folder):
    command = program(language)
    with listening(f"{folder}/store") as s:
        make(s.dsn())
        found = answers(command, PGHOST="127.0.0.1", PGPORT=str(s.port))
    expected(language, found)
    if "--postgres" in sys.argv:
        beside_postgres(language, command, folder, found)
    logins(language, command, folder)


def test_go(folder):
    language_case("go", folder)


def test_node(folder):
    language_case("node", folder)


def test_rust(folder):
    language_case("rust", folder)


# ---- the programs in docs/how-to/clients.md ----

PAGE = TESTS.parent / "docs" / "how-to" / "clients.md"
POWER = """CREATE TABLE power (time timestamptz TIME NOT NULL, room text DIMENSION NOT NULL, watts bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'room', levels = 'time', presum = 'time');
INSERT INTO power SELECT '2024-05-01'::timestamptz + i * interval '1 min', 'attic', i % 7 FROM generate_series (1, 1440) i"""


def blocks(language, port):
    """Returns the page's programs in a language, with the server's port."""
    return [b.replace("5432", str(port)) for b in re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)]


def page_commands(language, port):
    """Returns the commands that run the page's programs."""
    built = BUILT / language
    if language == "java":
        if not jdbc_test.driver():
            raise Skip("no pgjdbc")
        built.mkdir(exist_ok=True)
        (built / "Page.java").write_text(blocks("java", port)[0])
        return [["java", "-cp", jdbc_test.JAR, built / "Page.java"]]
    program(language)
    if language == "go":
        (built / "page").mkdir(exist_ok=True)
        (built / "page" / "main.go").write_text(blocks("go", port)[0])
        return [go(built, "./page", "page_program")]
    if language == "node":
        (built / "page.js").write_text(blocks("js", port)[0])
        return [["node", built / "page.js"]]
    (built / "src" / "bin").mkdir(exist_ok=True)
    for i, block in enumerate(blocks("rust", port)):
        (built / "src" / "bin" / f"page{i}.rs").write_text(block)
    return [rust(built, f"page{i}") for i in range(2)]


def page_case(language, folder):
    users = f"{folder}/users"
    add(users, "ann", "a long password")
    with listening(f"{folder}/home.mts", "--users", users) as s:
        make(s.dsn("ann", password="'a long password'"), POWER)
        for command in page_commands(language, s.port):
            p = subprocess.run(command, cwd=BUILT / language, capture_output=True, text=True, env=free_of_libpq(), timeout=HANG_S)
            same(f"the page's program: {' '.join(map(str, command))}", (p.stdout.strip(), p.returncode), ("attic 1230", 0))
            check("it says nothing else", not p.stderr.strip(), p.stderr)


def test_page_go(folder):
    page_case("go", folder)


def test_page_node(folder):
    page_case("node", folder)


def test_page_rust(folder):
    page_case("rust", folder)


def test_page_java(folder):
    page_case("java", folder)


def test_page_python(folder):
    """All blocks in Python, one after the other. libpq's variables say where the server is."""
    users = f"{folder}/users"
    add(users, "ann", "a long password")
    with listening(f"{folder}/home.mts", "--users", users) as s:
        make(s.dsn("ann", password="'a long password'"), POWER)
        code = "\n".join(blocks("python", s.port)) + "\nprint(rows[0]['room'], len(frame))"
        p = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=free_of_libpq() | {"PGPORT": str(s.port), "PGPASSWORD": "a long password"}, timeout=HANG_S)
        same("the page's programs in Python", (p.stdout.split("\n")[:2], p.returncode), (["[('attic', Decimal('1230'))]", "attic 1"], 0))
        check("they say nothing else", not p.stderr.strip(), p.stderr)


if __name__ == "__main__":
    sys.exit(run(globals(), next((a for a in sys.argv[1:] if not a.startswith("-")), "")))

#!/usr/bin/env python3
"""Logins to `mtsql --listen`: users, passwords, TLS, roles. libpq (psycopg) is the client."""
import contextlib
import pathlib
import subprocess
import sys
import threading
import time

from listening import Raw, add, certificate, listening
from cases import check, run, same
from command import shell
import psycopg


def refused(dsn):
    try:
        psycopg.connect(dsn).close()
    except psycopg.OperationalError as e:
        return str(e).strip()
    return "not refused"


def one(dsn, sql):
    with psycopg.connect(dsn, autocommit=True) as c:
        return c.execute(sql).fetchone()[0]


def test_users(folder):
    users = pathlib.Path(folder) / "users"
    same("a user", add(users, "ann", "s3cret"), (0, ""))
    same("one who reads", add(users, "ro", "päss wörd", "-r"), (0, ""))
    same("mode", users.stat().st_mode & 0o777, 0o600)
    check("no password in it", "s3cret" not in users.read_text() and users.read_text().startswith("ann:read-write:SCRAM-SHA-256$4096:"))
    for name, password in (("", "x"), ("a:b", "x"), ("a\nb", "x"), ("bob", "")):
        check(f"user {name!r}, password {password!r}", add(users, name, password)[0] == 1)
    with listening(f"{folder}/s", "--users", str(users)) as s:
        dsn = s.dsn("ann", password="s3cret")
        with psycopg.connect(dsn, autocommit=True) as c:
            c.execute("CREATE TABLE t (ts timestamptz TIME NOT NULL, v int MEASURE) USING rows")
        began = time.time()
        for user, password in (("ann", "wrong"), ("nobody", "s3cret"), ("ann", "s3cre")):
            check(f"{user} with {password}", f'password authentication failed for user "{user}"' in refused(s.dsn(user, password=password)))
        check("guessing takes time", time.time() - began >= 3)
        check("no password at all", "no password supplied" in refused(s.dsn("ann")))
        reader = s.dsn("ro", password="'päss wörd'")
        same("a reader reads", one(reader, "SELECT count(*) FROM t"), 0)
        with psycopg.connect(reader, autocommit=True) as c:
            for sql in ("INSERT INTO t VALUES (now(), 1)", "DROP TABLE t", "SET default_transaction_read_only = off; INSERT INTO t VALUES (now(), 1)"):
                with contextlib.suppress(psycopg.errors.ReadOnlySqlTransaction):
                    c.execute(sql)
                    check(f"a reader's {sql}", False)
        same("a new password", add(users, "ann", "other"), (0, ""))
        check("the old one", "failed" in refused(dsn))
        same("the new one", one(s.dsn("ann", password="other"), "SELECT 1"), 1)
        same("the other user", one(reader, "SELECT 1"), 1)
        users.chmod(0o644)
        check("others can read the file", "others can read" in refused(reader))
        users.chmod(0o600)
        users.write_text(users.read_text() + "wrong\n")
        check("a wrong line", "line 3" in refused(s.dsn("nobody", password="x")))
    check("the log names no password", "authentication failed" in s.log and "s3cre" not in s.log, s.log)
    users.write_text("# nobody\n\n")
    with listening(f"{folder}/s", "--users", str(users)) as s:
        check("a file without users", "failed" in refused(s.dsn("ann", password="other")))


def test_guesses(folder):
    """Many wrong passwords at the same time."""
    users = f"{folder}/users"
    add(users, "ann", "right")
    with listening(f"{folder}/s", "--users", users) as s:
        said = []
        threads = [threading.Thread(target=lambda: said.append(refused(s.dsn("ann", password="x")))) for _ in range(40)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        same("all are refused", [m for m in said if "authentication failed" not in m], [])
        same("the right one", one(s.dsn("ann", password="right"), "SELECT 1"), 1)


def test_tls(folder):
    users = f"{folder}/users"
    add(users, "ann", "right")
    cert, key = certificate(folder)
    with listening(f"{folder}/s", "--users", users, "--tls-cert", cert, "--tls-key", key) as s:
        for more in ({"sslmode": "require"}, {"sslmode": "require", "channel_binding": "require"}, {"sslmode": "verify-full", "sslrootcert": cert}, {"sslmode": "require", "channel_binding": "disable"},
                     {"sslmode": "require", "ssl_max_protocol_version": "TLSv1.2"}, {"sslmode": "disable"}):
            same(f"{more}", one(s.dsn("ann", password="right", **more), "SELECT 1"), 1)
        check("a wrong password", "authentication failed" in refused(s.dsn("ann", password="x", sslmode="require")))
        rows = "SELECT string_agg (repeat ('x', 1000), '') FROM generate_series (1, 3000)"
        same("3 MB", len(one(s.dsn("ann", password="right", sslmode="require"), rows)), 3000000)
        for version in ("-tls1", "-tls1_1"):
            p = subprocess.run(["openssl", "s_client", "-starttls", "postgres", "-connect", f"127.0.0.1:{s.port}", version, "-cipher", "ALL:@SECLEVEL=0"], input="", capture_output=True, text=True, timeout=30)
            check(f"{version} is refused", p.returncode != 0 and "Cipher    : 0000" in p.stdout or "no protocols available" in p.stderr or "alert protocol version" in p.stderr, p.stdout[-500:] + p.stderr)
        with Raw(s, greet=False) as c:  # plain bytes after the request for TLS
            c.socket.sendall(bytes.fromhex("0000000804d2162f") + b"x" * 100)
            c.socket.shutdown(1)
            same("bytes before TLS end the connection", (c.take(1), c.receive()), (b"S", None))
    p = shell("--listen", "127.0.0.1:0", "--users", users, "--tls-cert", users, f"{folder}/s")
    check("no certificate", p.returncode == 2 and "could not load" in p.stderr, p.stderr)


sys.exit(run(globals()))

#!/usr/bin/env python3
"""Login by SCRAM-SHA-256 over TLS, to a SecantusDB that demands both. No password is visible
anywhere.
"""
import pathlib
import subprocess
import sys
import tempfile

import pymongo

from checks import check, environment, finish, mtsql, same
from server import Server
from terminal import Terminal

SECRET = "s3cr3t/p@ss:w%rd"
QUOTED = "s3cr3t%2Fp%40ss%3Aw%25rd"


def openssl(folder, *args):
    subprocess.run(["openssl", *args], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def certificates(folder):
    """Makes a CA, its certificate for localhost, and an unrelated CA."""
    for name in ("ca", "other"):
        openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN=mtsql test {name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")
    openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
    pathlib.Path(folder, "names").write_text("subjectAltName=DNS:localhost\n")
    openssl(folder, "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "server.pem")


def outputs(result):
    return result.stdout + result.stderr


def refused(what, result, words):
    same(f"{what}: exit", result.returncode, 2)
    check(f"{what}: error", words in result.stderr and result.stderr.count("error:") == 1, result.stderr)
    check(f"{what}: no password shown", SECRET not in outputs(result) and QUOTED not in outputs(result), outputs(result))


def test_tls(port, folder):
    address = f"localhost:{port}/db"
    login = f"mongodb://ann:{QUOTED}@{address}?authSource=admin&tls=true"
    ok = mtsql(f"{login}&tlsCAFile={folder}/ca.pem", "-Atc", "SELECT 42")
    same("TLS and SCRAM", (ok.returncode, ok.stdout, ok.stderr), (0, "42\n", ""))
    refused("another CA", mtsql(f"{login}&tlsCAFile={folder}/other.pem", "-c", "SELECT 1"), "TLS with server \"localhost\" failed")
    refused("the system's CAs", mtsql(login, "-c", "SELECT 1"), "TLS with server \"localhost\" failed")
    refused("another name", mtsql(f"{login}&tlsCAFile={folder}/ca.pem".replace("localhost", "127.0.0.1"), "-c", "SELECT 1"), "TLS with server \"127.0.0.1\" failed")
    refused("no such CA file", mtsql(f"{login}&tlsCAFile={folder}/none.pem", "-c", "SELECT 1"), "TLS")
    refused("no revocation check", mtsql(f"{login}&tlsDisableOCSPEndpointCheck=true", "-c", "SELECT 1"), "is not supported")
    ok = mtsql(f"{login}&tlsAllowInvalidCertificates=true", "-Atc", "SELECT 42")
    same("unverified only when asked", (ok.returncode, ok.stdout), (0, "42\n"))
    refused("no TLS", mtsql(f"mongodb://ann:{QUOTED}@{address}?authSource=admin", "-c", "SELECT 1"), "")


def test_passwords(port, folder):
    uri = f"mongodb://ann@localhost:{port}/db?authSource=admin&tls=true&tlsCAFile={folder}/ca.pem"
    refused("wrong password", mtsql(uri, "-c", "SELECT 1", env=environment(MTSQL_PASSWORD="wrong")), 'password authentication failed for user "ann"')
    refused("no password", mtsql(uri, "-c", "SELECT 1"), "no password supplied")
    refused("wrong user", mtsql(uri.replace("ann", "bob"), "-c", "SELECT 1", env=environment(MTSQL_PASSWORD=SECRET)), 'password authentication failed for user "bob"')
    ok = mtsql(uri, "-Atc", "SELECT 42", env=environment(MTSQL_PASSWORD=SECRET))
    same("from the environment", (ok.returncode, ok.stdout, ok.stderr), (0, "42\n", ""))
    file = pathlib.Path(folder, "passfile")
    escaped = SECRET.replace("\\", "\\\\").replace(":", "\\:")
    file.write_text(f"# host:port:database:user:password\nlocalhost:1:*:ann:wrong\nlocalhost:{port}:*:ann:{escaped}\n")
    file.chmod(0o600)
    ok = mtsql(uri, "-Atc", "SELECT 42", env=environment(MTSQL_PASSFILE=str(file)))
    same("from the password file", (ok.returncode, ok.stdout, ok.stderr), (0, "42\n", ""))
    file.chmod(0o644)
    public = mtsql(uri, "-c", "SELECT 1", env=environment(MTSQL_PASSFILE=str(file)))
    refused("a file that others can read", public, "no password supplied")
    check("a file that others can read: warning", f'WARNING: password file "{file}" has group or world access' in public.stderr, public.stderr)


def test_hidden(port, folder):
    """The password is neither in the output, nor in the history, nor in the output of ps."""
    uri = f"mongodb://ann:{QUOTED}@localhost:{port}/db?authSource=admin&tls=true&tlsCAFile={folder}/ca.pem"
    shown = mtsql(uri, "-c", "\\conninfo", "-c", "\\echo :DBNAME", "-c", "\\set", "-c", "EXPLAIN SELECT 1", "-c", f"\\c {uri}")
    check("shown: user and host", f"mongodb://ann@localhost:{port}/db" in shown.stdout, outputs(shown))
    check("shown: no password", QUOTED not in outputs(shown) and SECRET not in outputs(shown), outputs(shown))
    command_line = mtsql(uri, "-c", f"\\c {uri}", "-c", "\\! tr '\\0' ' ' < /proc/$PPID/cmdline").stdout
    check("ps: no password", QUOTED not in command_line and "mongodb://ann:***" in command_line, command_line)
    history = pathlib.Path(folder, "history")
    t = Terminal(f"mongodb://ann@localhost:{port}/db?authSource=admin&tls=true&tlsCAFile={folder}/ca.pem", MTSQL_HISTORY=str(history))
    t.until("Password for user ann: ")
    t.send(SECRET + "\n")
    seen = t.until("=> ")
    t.send(f"\\c {uri}\n")
    t.until("=> ")
    t.send("\\q\n")
    t.end()
    check("prompt: not echoed", SECRET not in seen, seen)
    kept = history.read_text()
    check("history: no password", "ann:***@localhost" in kept.replace("\\072", ":").replace("\\052", "*") and QUOTED not in kept, kept)
    check("server's log: no password", SECRET not in pathlib.Path(folder, "log").read_text(errors="replace"))


def test_shown_forms():
    """The part of a URI that is hidden as the password, in URIs of several kinds, also in an
    invalid one.
    """
    for given in ("mongodb://u:pw@h.invalid/db", "mongodb://u:p%40w@h.invalid,g.invalid:1/db", "mongodb://u:pw/x@h.invalid/db"):
        r = mtsql(given + "?connectTimeoutMS=300", "-c", "SELECT 1")
        same(f"{given}: exit", r.returncode, 2)
        check(f"{given}: hidden", 'could not translate host name "' in r.stderr and "pw" not in r.stderr and "p%40w" not in r.stderr and "/x@" not in r.stderr, r.stderr)
    r = mtsql("mongodb://127.0.0.1:1,127.0.0.1:2/db?appName=a@b", "-c", "SELECT 1")
    check("no user, an @ in an option", 'connection to server at "127.0.0.1", port' in r.stderr, r.stderr)


def main():
    with tempfile.TemporaryDirectory(prefix="mtsql-login-") as folder:
        certificates(folder)
        with Server("secantus", folder) as at:
            pymongo.MongoClient(at).admin.command("createUser", "ann", pwd=SECRET, roles=["root"], mechanisms=["SCRAM-SHA-256"])
        with Server("secantus", folder, ["--auth", "--tls-cert-file", f"{folder}/server.pem", "--tls-key-file", f"{folder}/server.key"]) as at:
            for test in (test_tls, test_passwords, test_hidden):
                test(int(at.rpartition(":")[2]), folder)
            test_shown_forms()
    return finish()


if __name__ == "__main__":
    sys.exit(main())

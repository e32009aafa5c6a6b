"""A server of `mtsql --listen`, and raw messages of PostgreSQL's protocol."""
import contextlib
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "lib"), str(TESTS / "servers")]
from command import environment, shell  # noqa: E402
from paths import MTSQL  # noqa: E402
from waiting import HANG_S  # noqa: E402


class Listening:
    """One server on a free port of the loopback address, or on a Unix socket."""

    def __init__(self, target, *options, address="127.0.0.1:0", env=None):
        self.said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # a pipe that nobody reads would stop the server
        self.process = subprocess.Popen([MTSQL, "-X", *options, "--listen", address, target], stdout=subprocess.PIPE, stderr=self.said, text=True, env=environment(**(env or {})))
        self.line = self.process.stdout.readline()
        found = re.search(r":(\d+)$", self.line.strip())
        self.port = int(found.group(1)) if found else None
        self.log = ""

    def dsn(self, user="tester", **more):
        return " ".join(f"{k}={v}" for k, v in {"host": "127.0.0.1", "port": self.port, "user": user, "connect_timeout": HANG_S, **more}.items())

    def stop(self, how=signal.SIGTERM):
        """Ends the server. Returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.communicate(timeout=HANG_S)
        if not self.said.closed:
            self.said.seek(0)
            self.log = self.said.read()
            self.said.close()
        return self.process.returncode


@contextlib.contextmanager
def listening(target, *options, **more):
    server = Listening(str(target), *(options or ("--trust",)), **more)
    try:
        yield server
    finally:
        server.stop()
    if server.process.returncode or "Sanitizer" in server.log or "runtime error" in server.log:
        raise AssertionError(f"the server ended with {server.process.returncode}: {server.log[-4000:]}")


class Raw:
    """A connection that sends and receives single messages."""

    def __init__(self, server, version=0x30000, parameters=(("user", "tester"),), greet=True):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=HANG_S)
        self.data, self.key = b"", b""
        if greet:
            self.packet(struct.pack("!I", version) + b"".join(k.encode() + b"\0" + v.encode() + b"\0" for k, v in parameters) + b"\0")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def packet(self, body):
        self.socket.sendall(struct.pack("!I", len(body) + 4) + body)

    def send(self, kind, body=b""):
        self.socket.sendall(kind.encode() + struct.pack("!I", len(body) + 4) + body)

    def take(self, n):
        while len(self.data) < n:
            more = self.socket.recv(65536)
            if not more:
                return None
            self.data += more
        out, self.data = self.data[:n], self.data[n:]
        return out

    def receive(self):
        """Returns type and content of the next message, or None at the end of the connection."""
        head = self.take(5)
        if head is None:
            return None
        return chr(head[0]), self.take(struct.unpack("!I", head[1:])[0] - 4)

    def until(self, last="Z"):
        """Returns the messages up to one of this type, or to the end."""
        found = []
        while True:
            m = self.receive()
            if m is None:
                return found
            found.append(m)
            if m[0] == last:
                return found

    def query(self, sql):
        self.send("Q", sql.encode() + b"\0")
        return self.until()

    def kinds(self, last="Z"):
        return "".join(kind for kind, _ in self.until(last))


def fields(body):
    """Returns the fields of an error or a notice, by their letters."""
    return {part[:1].decode(): part[1:].decode() for part in body.split(b"\0") if part}


def errors(messages):
    return [fields(body)["C"] for kind, body in messages if kind == "E"]


def rows(messages):
    """Returns the rows among messages, as lists of bytes."""
    found = []
    for kind, body in messages:
        if kind != "D":
            continue
        row, at = [], 2
        for _ in range(struct.unpack_from("!H", body)[0]):
            n = struct.unpack_from("!i", body, at)[0]
            row.append(None if n < 0 else body[at + 4:at + 4 + n])
            at += 4 + max(n, 0)
        found.append(row)
    return found


def text(s):
    return s.encode() + b"\0"


def add(users, name, password, *options):
    """Adds a user to a file of users. Returns the exit status and the output."""
    p = shell("--user-add", name, "--users", users, *options, text=password + "\n")
    return p.returncode, p.stderr


def certificate(folder):
    """Makes a certificate of this machine and its key. Returns the names of their files."""
    names = [f"{folder}/{n}.pem" for n in ("cert", "key")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", names[0], "-keyout", names[1]], check=True, capture_output=True)
    return names


def free_of_libpq(**more):
    """Returns an environment without the variables that libpq reads."""
    return {k: v for k, v in environment(**more).items() if not k.startswith("PG")}


__all__ = ["Listening", "Raw", "add", "certificate", "errors", "fields", "free_of_libpq", "listening", "os", "rows", "text"]

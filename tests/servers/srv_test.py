#!/usr/bin/env python3
"""Names after mongodb+srv, and a name server that never answers. Ctrl-C and connectTimeoutMS end
the look-up. The test runs in namespaces of its own, which needs root. The resolver itself would
wait for longer than a test may take.
"""
import fcntl
import os
import socket
import struct
import subprocess
import sys
import tempfile

from checks import HANG_S, check, finish, same
from fake import Fake
from terminal import Terminal

BIND = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
ENTER = "unshare", "--mount", "--net", "sh", "-c", BIND
INSIDE = "MTSQL_TEST_INSIDE"
NAME = "mongodb+srv://db.example.test/test"
PATIENT = f"{NAME}?connectTimeoutMS={2000 * HANG_S}"
RESOLVER = "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n"


def raise_loopback():
    up_and_running, set_flags = 0x41, 0x8914
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, set_flags, struct.pack("16sH14x", b"lo", up_and_running))


class Resolver:
    """A name server that accepts questions and does nothing else."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.socket.settimeout(HANG_S)

    def asked(self):
        return bool(self.socket.recv(4096))

    def forget(self):
        self.socket.setblocking(False)
        try:
            while self.socket.recv(4096):
                pass
        except BlockingIOError:
            self.socket.settimeout(HANG_S)


def answer(t):
    shown = t.until("\nmtsql")
    t.until("=> ")
    return shown


def inside():
    raise_loopback()
    resolver = Resolver()
    t = Terminal(PATIENT)
    check("start: it asks", resolver.asked())
    t.send("\x03")
    check("start: Ctrl-C ends it", t.end() != 0)
    with Fake() as fake:
        t = Terminal(fake.uri)
        t.until("=> ")
        resolver.forget()
        t.send(f"\\c {PATIENT}\n")
        check("\\c: it asks", resolver.asked())
        t.send("\x03")
        shown = answer(t)
        check("\\c: Ctrl-C ends it", "canceling statement due to user request" in shown, shown)
        t.send(f"\\c {NAME}?connectTimeoutMS=500\n")
        shown = answer(t)
        check("\\c: connectTimeoutMS ends it", "within connectTimeoutMS" in shown, shown)
        t.send("SELECT 4711 AS x;\n")
        shown = answer(t)
        check("the old connection stays", "(1 row)" in shown, shown)
        t.send("\\q\n")
        same("exit", t.end(), 0)
    return finish()


def main():
    if os.environ.get(INSIDE):
        return inside()
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as f:
        f.write(RESOLVER)
        f.flush()
        enter = [*ENTER, f.name]
        tried = subprocess.run([*enter, "true"], capture_output=True)
        if os.geteuid() != 0 or tried.returncode:
            print("SKIP namespaces can't be made here\n0 passed, 0 failed, 1 skipped")
            return 0
        again = [*enter, sys.executable, *sys.argv]
        return subprocess.run(again, env={**os.environ, INSIDE: "1"}).returncode


if __name__ == "__main__":
    sys.exit(main())

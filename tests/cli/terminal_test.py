#!/usr/bin/env python3
"""A terminal that doesn't take what is printed: a change of its size leaves the rows as they are, Ctrl-C ends them and nothing else."""
import array
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import mtsql

HANG_S = 120
ROWS = 200000


class Terminal:
    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = dict(os.environ, TERM="xterm", MTSQL_HISTORY="/nonexistent/history", MTSQL_PAGER="", LC_ALL="C.UTF-8")
            os.execve(mtsql.MTSQL, [mtsql.MTSQL, "-X", "-q"], env)
        self.size(24)
        self.seen = ""

    def size(self, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))

    def send(self, text):
        os.write(self.fd, text.encode())

    def until(self, text):
        """What comes before the text; None: it doesn't come."""
        end, parts, tail = time.monotonic() + HANG_S, [], self.seen
        while text not in tail:
            parts.append(tail[: -len(text)])
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            try:
                part = os.read(self.fd, 1 << 16).decode("utf-8", "replace") if ready else ""
            except OSError:  # how Linux says that nobody has the other side any more
                part = ""
            if not part:
                return None
            tail = tail[-len(text):] + part
        before, self.seen = tail.split(text, 1)
        return "".join(parts) + before

    def stuck(self):
        """Waits until the program stands, since nobody reads: it sleeps, and nothing more comes."""
        end, looks = time.monotonic() + HANG_S, [None]
        while (len(looks) < 4 or len(set(looks[-4:])) > 1 or looks[-1][0] != "S") and time.monotonic() < end:
            time.sleep(0.02)
            waiting = array.array("i", [0])
            fcntl.ioctl(self.fd, termios.FIONREAD, waiting)
            with open(f"/proc/{self.pid}/stat", encoding="utf-8") as f:
                looks.append((f.read().rpartition(") ")[2][0], waiting[0]))


def check(name, ok, results):
    results.append(ok)
    if not ok:
        print(f"FAILED {name}")


def one(fmt, last, results):
    t = Terminal()
    t.until("=> ")
    t.send(f"\\pset format {fmt}\nSELECT * FROM generate_series(1, {ROWS}) AS g (n);\n")
    t.until("99")
    for rows in (30, 20, 25):
        t.stuck()
        t.size(rows)
        t.until("9")
    got = t.until(last)
    check(f"{fmt}: all rows come, whatever size the terminal has", got is not None and "could not write" not in got, results)
    t.until("=> ")
    t.send(f"SELECT * FROM generate_series(1, {ROWS}) AS g (n);\n")
    t.until("99")
    t.stuck()
    t.send("\x03")
    got = t.until("=> ")
    check(f"{fmt}: Ctrl-C gives the prompt back", got is not None and last not in got and "could not write" not in got, results)
    t.send("SELECT 40 + 2 AS answer;\n")
    check(f"{fmt}: the session goes on", t.until("42") is not None, results)
    t.send("\\q\n")
    t.until("nothing more")
    os.close(t.fd)
    check(f"{fmt}: and ends well", os.waitstatus_to_exitcode(os.waitpid(t.pid, 0)[1]) == 0, results)


def main():
    results = []
    for fmt, last in (("csv", f"\n{ROWS}\r"), ("aligned", f" {ROWS}\r"), ("json", f'"n":{ROWS}')):
        one(fmt, last, results)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed, 0 skipped")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

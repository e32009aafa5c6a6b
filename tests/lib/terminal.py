"""The shell at a pseudo-terminal."""
import array
import fcntl
import os
import pty
import select
import struct
import termios
import time

from command import environment
from paths import MTSQL
from waiting import HANG_S, until


class Terminal:
    def __init__(self, *args, under=(), rc=False, **env):
        """`under`: a program, with arguments, that starts it; rc: it reads its start-up file."""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            command = [*under, MTSQL, *([] if rc else ["-X"]), "-q", *args]
            os.execvpe(command[0], command, environment(**{"TERM": "dumb", "MTSQL_HISTORY": "/nonexistent/history", "MTSQL_PAGER": "", **env}))
        self.seen = ""

    def until(self, text):
        """What comes before the text."""
        end, parts, tail = time.monotonic() + HANG_S, [], self.seen
        while text not in tail:
            parts.append(tail[: -len(text)])
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            part = self.read() if ready else ""
            if not part:
                raise AssertionError(f"{text!r} did not come: {(''.join(parts) + tail)[-2000:]!r}")
            tail = tail[-len(text):] + part
        before, self.seen = tail.split(text, 1)
        return "".join(parts) + before

    def read(self):
        try:
            return os.read(self.fd, 1 << 16).decode("utf-8", "replace")
        except OSError:  # how Linux says that nobody has the other side any more
            return ""

    def send(self, text):
        os.write(self.fd, text.encode())

    def size(self, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))

    def stuck(self):
        """Waits until the program stands, since nobody reads: it sleeps, and nothing more comes."""
        looks = []

        def stands():
            waiting = array.array("i", [0])
            fcntl.ioctl(self.fd, termios.FIONREAD, waiting)
            with open(f"/proc/{self.pid}/stat", encoding="utf-8") as f:
                looks.append((f.read().rpartition(") ")[2][0], waiting[0]))
            return looks[-8:] == [("S", waiting[0])] * 8

        until(stands)

    def end(self):
        """Waits for the program to end by itself; its exit code."""
        while self.read():
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

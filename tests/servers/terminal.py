"""The shell at a pseudo-terminal."""
import os
import pty
import select
import time

from checks import HANG_S, MTSQL, environment


class Terminal:
    def __init__(self, *args, **env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(MTSQL, [MTSQL, "-X", "-q", *args], environment(**{"TERM": "dumb", "MTSQL_HISTORY": "/nonexistent/history", "MTSQL_PAGER": "", **env}))
        self.seen = ""

    def until(self, text):
        until = time.monotonic() + HANG_S
        while text not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], max(0, until - time.monotonic()))
            part = os.read(self.fd, 65536).decode("utf-8", "replace") if ready else ""
            if not part:
                raise AssertionError(f"{text!r} did not come: {self.seen!r}")
            self.seen += part
        before, self.seen = self.seen.split(text, 1)
        return before

    def send(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        """Waits for the program to end by itself; its exit code."""
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:  # how Linux says that nobody has the other side any more
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

"""The shell at a pseudo-terminal."""
import array
import codecs
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


# The usual prompt has the target's name. On a server this is the database's name.
PROMPTS = ["-v", "PROMPT1=mtsql%R%x> ", "-v", "PROMPT2=mtsql%R%x> "]


class Terminal:
    def __init__(self, *args, under=(), rc=False, **env):
        """under: a program, with arguments, that starts the shell. rc: whether the shell reads its
        start-up file.
        """
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            on_server = any(arg.startswith("mongodb") for arg in args)
            command = [*under, MTSQL, *([] if rc else ["-X"]), "-q", *(PROMPTS if on_server else []), *args]
            os.execvpe(command[0], command, environment(**{"TERM": "dumb", "MTSQL_HISTORY": "/nonexistent/history", "MTSQL_PAGER": "", **env}))
        self.seen, self.decoder = "", codecs.getincrementaldecoder("utf-8")("replace")

    def until(self, text):
        """Returns the output before the text."""
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
            while part := os.read(self.fd, 1 << 16):
                if text := self.decoder.decode(part):  # "" if only the first bytes of a character came
                    return text
        except OSError:  # Linux's error when no process has the other side open
            pass
        return ""

    def ready(self, writes=()):
        """Waits until the terminal can be read, or written. Fails if that takes too long."""
        readable, writable, _ = select.select([self.fd], writes, [], HANG_S)
        if not readable and not writable:
            raise AssertionError(f"nothing came, and nothing was taken in, for {HANG_S} s")
        return readable

    def send(self, text):
        """Sends the text. Reads while the program takes no input, since otherwise each side could
        wait for the other.
        """
        data = text.encode()
        os.set_blocking(self.fd, False)
        try:
            while data:
                try:
                    data = data[os.write(self.fd, data):]
                except BlockingIOError:
                    if self.ready(writes=[self.fd]):
                        self.seen += self.read()
        finally:
            os.set_blocking(self.fd, True)

    def size(self, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))

    def stuck(self):
        """Waits until the program is blocked because nobody reads its output: it sleeps, and no
        more output comes.
        """
        looks = []

        def stands():
            waiting = array.array("i", [0])
            fcntl.ioctl(self.fd, termios.FIONREAD, waiting)
            with open(f"/proc/{self.pid}/stat", encoding="utf-8") as f:
                looks.append((f.read().rpartition(") ")[2][0], waiting[0]))
            return looks[-8:] == [("S", waiting[0])] * 8

        until(stands)

    def end(self):
        """Waits until the program ends by itself. Returns its exit code."""
        while self.ready() and self.read():
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Screen(Terminal):
    """An emulator of the terminal's window."""

    def __init__(self, *args, rows=24, columns=80, **env):
        import pyte

        self.shown = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.shown)
        super().__init__(*args, **{"TERM": "xterm", **env})
        self.resize(rows, columns)

    def resize(self, rows, columns):
        self.shown.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        text = super().read()
        self.stream.feed(text)
        return text

    def text(self):
        """Returns the rows of the window, without the empty ones at the end."""
        return "\n".join(line.rstrip() for line in self.shown.display).rstrip()

    def cursor(self):
        return self.shown.cursor.y, self.shown.cursor.x

    def wait(self, is_so, what):
        end = time.monotonic() + HANG_S
        while not is_so():
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            if not ready or not self.read():
                raise AssertionError(f"{what} did not come:\n{self.text()}")

    def shows(self, text):
        self.wait(lambda: text in self.text(), repr(text))

    def ends_with(self, text):
        """Waits until the last row with text is this one."""
        self.wait(lambda: self.text().endswith(text), f"{text!r} at the end")

    def fresh(self):
        """Drops the text, and clears the window."""
        self.send("\x03")
        self.ends_with("=>")
        self.send("\x0c")
        self.wait(lambda: self.text().endswith("=>") and "\n" not in self.text(), "an empty window")

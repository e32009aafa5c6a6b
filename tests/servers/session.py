"""A session of the shell that stays open during a test."""
import subprocess

from checks import start


class Session:
    """A session that goes on, while others come and go."""

    def __init__(self, uri):
        self.p = start("-q", "-t", "-A", "-v", "ON_ERROR_STOP=0", uri, stdin=subprocess.PIPE, stderr=subprocess.STDOUT)

    def ask(self, sql):
        self.p.stdin.write(f"{sql};\n\\echo done\n")
        self.p.stdin.flush()
        lines = []
        while (line := self.p.stdout.readline()) not in ("done\n", ""):
            lines.append(line.rstrip("\n"))
        return lines

    def close(self):
        self.p.stdin.close()
        self.p.stdout.read()
        self.p.wait()

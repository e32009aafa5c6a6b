"""A private PostgreSQL: a cluster in a folder, with a socket in it. Both are removed at the end."""
import glob
import os
import shutil
import subprocess
import tempfile

import mtsql


class Postgres:
    def __init__(self, folder, settings=()):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not found:
            raise SystemExit("PostgreSQL isn't installed: tools/deps.sh oracle")
        self.bin, self.folder, self.settings = next((b for b in found if "/15/" in b), found[-1]), folder, settings
        self.data, self.socket = os.path.join(folder, "data"), tempfile.mkdtemp(prefix="pg-")

    def as_owner(self, command):
        """Returns the command run as another user, because the server refuses to run as root."""
        return ["runuser", "-u", "postgres", "--"] + command if os.getuid() == 0 else command

    def call(self, command):
        p = subprocess.run(self.as_owner(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd="/")
        if p.returncode:
            raise SystemExit(f"{command[0]}: {p.stdout.decode('utf-8', 'replace')[-2000:]}")

    def start(self):
        os.makedirs(self.folder, exist_ok=True)
        for d in (self.folder, self.socket):
            if os.getuid() == 0:
                shutil.chown(d, "postgres")
            os.chmod(d, 0o755)
        self.call([f"{self.bin}/initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"])
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as f:
            f.write(f"listen_addresses = ''\nunix_socket_directories = '{self.socket}'\nfsync = off\ntimezone = 'UTC'\nlog_timezone = 'UTC'\n")
            f.writelines(f"{s}\n" for s in self.settings)
        # not through a pipe: the server would keep it open
        p = subprocess.run(self.as_owner([f"{self.bin}/pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.socket, "log"), "start"]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL, cwd="/")
        if p.returncode:
            raise SystemExit("PostgreSQL didn't start: " + open(os.path.join(self.socket, "log"), encoding="utf-8", errors="replace").read()[-2000:])

    def stop(self):
        subprocess.run(self.as_owner([f"{self.bin}/pg_ctl", "-D", self.data, "-m", "immediate", "stop"]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        shutil.rmtree(self.socket, ignore_errors=True)

    def psql(self, *args):
        return [f"{self.bin}/psql", "-X", "-h", self.socket, "-U", "postgres", "-d", "postgres", *args]

    def recreate(self, database):
        """Makes an empty database of that name."""
        for sql in (f"DROP DATABASE IF EXISTS {database}", f"CREATE DATABASE {database} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"):
            subprocess.run(self.psql("-c", sql), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def run(self, statements, timeout=600):
        """Returns an answer for each statement, in the form of mtsql.run."""
        with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8", newline="") as f:
            f.write(f"\\set ON_ERROR_STOP 0\n\\pset null '{mtsql.NULL}'\n")
            for i, s in enumerate(statements):
                f.write(f"\\echo {mtsql.MARK % i}\n{s}{'' if s.startswith(chr(92)) else ';'}\n")
            f.write(f"\\echo {mtsql.MARK % len(statements)}\n")
            f.flush()
            p = subprocess.run(self.psql("-q", "-t", "--csv", "-f", f.name), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=timeout, env=dict(os.environ, PGCLIENTENCODING="UTF8"))
        return mtsql.split(p.stdout.decode("utf-8", "replace"), len(statements), p.returncode)

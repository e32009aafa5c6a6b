"""A server for tests: MTSQL_TEST_URI's, or a private SecantusDB that is gone afterwards."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Server:
    def __enter__(self):
        self.folder = None
        if os.environ.get("MTSQL_TEST_URI"):
            return os.environ["MTSQL_TEST_URI"]
        self.folder = tempfile.mkdtemp(prefix="secantus-")
        env = dict(os.environ, VENV=sys.prefix)
        # to a file, not a pipe: the server would keep a pipe open
        with open(os.path.join(self.folder, "uri"), "w+", encoding="utf-8") as out:
            rc = subprocess.call(["bash", os.path.join(HERE, "secantus.sh"), "start", self.folder], stdout=out, stdin=subprocess.DEVNULL, env=env)
            out.seek(0)
            return out.read().strip() if rc == 0 else None

    def __exit__(self, *args):
        if self.folder:
            subprocess.call(["bash", os.path.join(HERE, "secantus.sh"), "stop", self.folder])
            shutil.rmtree(self.folder, ignore_errors=True)

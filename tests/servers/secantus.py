"""A SecantusDB with options of one's own."""
import os
import signal
import socket
import subprocess
import sys
import time

from checks import HANG_S

SECANTUS = os.path.join(sys.prefix, "bin", "secantusd-py")


class Secantus:
    def __init__(self, folder, *options):
        with socket.create_server(("127.0.0.1", 0)) as s:
            self.port = s.getsockname()[1]
        self.log = open(os.path.join(folder, "log"), "ab")
        self.process = subprocess.Popen([SECANTUS, "--port", str(self.port), "--storage-path", os.path.join(folder, "data"), *options],
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        until = time.monotonic() + HANG_S
        while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:
            assert self.process.poll() is None and time.monotonic() < until, "the server did not start"
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

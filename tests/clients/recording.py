"""A proxy between a client and a server that keeps the statements that the client sends."""
import contextlib
import re
import socket
import struct
import threading

from listening import HANG_S

CATALOG = re.compile(r"\b(pg_catalog|information_schema|pg_[a-z_]+|current_(schema|database|setting)s?|version)\b", re.I)


class Recording:
    """Listens on a port of its own. `statements` has the text of each simple query and each Parse, in order."""

    def __init__(self, port):
        self.behind, self.statements = port, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.behind), timeout=HANG_S)
            server.settimeout(None)
            threading.Thread(target=self.pass_on, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(server, client, False), daemon=True).start()

    def pass_on(self, source, target, reads):
        data, started = b"", False
        with contextlib.suppress(OSError):
            while more := source.recv(65536):
                target.sendall(more)
                if reads:
                    data, started = self.read(data + more, started)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def read(self, data, started):
        """Takes whole messages from the data, and returns the rest. Messages before the start-up
        message have no type.
        """
        while len(data) >= 5 and not (started and len(data) < 5):
            size = struct.unpack_from("!I", data, 1 if started else 0)[0] + (1 if started else 0)
            if len(data) < size:
                break
            if started and data[:1] in b"QP":
                body = data[5:size].split(b"\0")
                self.statements.append(body[0 if data[:1] == b"Q" else 1].decode())
            started = started or struct.unpack_from("!I", data, 4)[0] >> 16 == 3
            data = data[size:]
        return data, started

    def catalog(self):
        """The different statements about the catalog."""
        return list(dict.fromkeys(s for s in self.statements if CATALOG.search(s) and "pg_sleep" not in s))


@contextlib.contextmanager
def recording(server):
    found = Recording(server.port)
    try:
        yield found
    finally:
        found.listener.close()

"""Proxies between mtsql and a server that break or wait. A connection is cut once, after a number
of bytes in one direction. Later connections are whole.
"""
import select
import socket
import struct
import threading


class Proxy:
    def __init__(self, port):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.plan()
        threading.Thread(target=self.accept, daemon=True).start()

    def plan(self, direction=None, after=0, refuse=False):
        """From now on: cut after `after` bytes went "up" (to the server) or "down", and refuse
        connections after that.
        """
        self.direction, self.left, self.refuse = direction, after, refuse
        self.cut = False
        self.passed = {"up": 0, "down": 0}

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.cut and self.refuse:
                client.close()
                continue
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        server = socket.create_connection(("127.0.0.1", self.target))
        ends = {client: (server, "up"), server: (client, "down")}
        try:
            while True:
                for s in select.select(list(ends), [], [])[0]:
                    to, direction = ends[s]
                    data = s.recv(65536)
                    if not data or not self.forward(data, to, direction):
                        return
        except OSError:
            pass
        finally:
            client.close()
            server.close()

    def forward(self, data, to, direction):
        if not self.cut and direction == self.direction and len(data) >= self.left:
            to.sendall(data[:self.left])
            self.cut = True
            if self.left % 2:  # a reset instead of an end of the stream
                to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        if direction == self.direction:
            self.left -= len(data)
        self.passed[direction] += len(data)
        to.sendall(data)
        return True


class Gate(Proxy):
    """Holds back the bytes with a word in them that go up, or the next bytes that come down after
    them.
    """

    def hold(self, direction, word):
        self.direction_held, self.word, self.armed, self.held, self.go = direction, word, False, threading.Event(), threading.Event()

    def forward(self, data, to, direction):
        self.armed = self.armed or (direction == "up" and self.word in data)
        if self.armed and direction == self.direction_held and not self.held.is_set():
            self.held.set()
            self.go.wait(60)
        return super().forward(data, to, direction)


class Hole(Proxy):
    """Swallows all bytes in both directions, or reads no more. No connection ends. The swallowed
    bytes are lost, so connections of that time stay deaf.
    """

    def __init__(self, port):
        self.reads, self.swallowed, self.here = threading.Event(), None, threading.local()
        self.reads.set()
        super().__init__(port)

    def swallow(self):
        """Returns an event that is set when bytes have come since."""
        self.swallowed = threading.Event()
        return self.swallowed

    def stop_reading(self):
        self.reads.clear()

    def restore(self):
        """Connections made from now on work."""
        self.swallowed = None
        self.reads.set()

    def carry(self, client):
        self.here.deaf = False
        super().carry(client)

    def forward(self, data, to, direction):
        self.reads.wait()
        swallowed = self.swallowed
        if swallowed:
            swallowed.set()
        self.here.deaf = self.here.deaf or swallowed is not None
        if self.here.deaf:
            return True
        return super().forward(data, to, direction)

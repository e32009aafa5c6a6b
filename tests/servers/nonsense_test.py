#!/usr/bin/env python3
"""A server that lies: in each kind of answer it sends values of other types, impossible numbers,
missing fields, an answer of another length or without BSON, or no answer. mtsql always ends by
itself, with success, or with one error and its exit status (2: the connection, 3: the statement).

    nonsense_test.py [SEED [COUNT]]

With arguments it sends this many random lies instead.
"""
import random
import re
import struct
import subprocess
import sys

import bson
from bson.int64 import Int64

from checks import check, finish, mtsql, same
from fake import OP_MSG, Fake, batch, exactly, keeping, read_message, read_query, write_message, write_reply

SETUP = "CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows"
COUNTERS = "CREATE TABLE c (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics"
STATEMENTS = (SETUP, COUNTERS, "INSERT INTO t VALUES ('2020-01-01', 'a', 1)", "INSERT INTO c VALUES ('2020-01-01', 'a', 1)", "SELECT k, v FROM t", "DELETE FROM t WHERE k = 'b'", "DROP TABLE t")
TOLD = ("hello", "isMaster", "buildInfo", "find", "aggregate", "getMore", "listCollections", "create", "insert", "update", "delete", "drop", "createIndexes")
VALUES = (None, True, "text", -1, 0, 2**31 - 1, Int64(-2**63), Int64(2**63 - 1), 1e308, float("nan"), [], {}, [None], {"": {}}, b"\0")


def places(doc, way=()):
    """Returns the paths of all values."""
    for key, value in doc.items() if isinstance(doc, dict) else enumerate(doc):
        yield way + (key,)
        if isinstance(value, (dict, list)):
            yield from places(value, way + (key,))


def changed(doc, way, value):
    """Returns a copy with another value there, or without one if the value is `...`."""
    out = dict(doc) if isinstance(doc, dict) else list(doc)
    if len(way) > 1:
        out[way[0]] = changed(out[way[0]], way[1:], value)
    elif value is ...:
        del out[way[0]]
    else:
        out[way[0]] = value
    return out


def another_value(rng, reply, request):
    where = rng.choice(list(places(reply)))
    return message(changed(reply, where, rng.choice((..., *VALUES))), request)


def message(reply, request):
    return write_message(request, reply)


def without_code(rng, reply, request):
    return message({"ok": 0.0}, request)


def other_error(rng, reply, request):
    return message({"ok": 0.0, "code": rng.choice(VALUES), "errmsg": rng.choice(VALUES)}, request)


def nothing_in_it(rng, reply, request):
    return message({}, request)


def write_errors(rng, reply, request):
    return message({**reply, "writeErrors": [{"index": rng.choice((-1, 7, 2**31 - 1, "x")), "code": rng.choice((11000, 112, "x")), "errmsg": rng.choice(("no", 7))}]}, request)


def unknown_cursor(rng, reply, request):
    return message({**reply, "cursor": {**reply.get("cursor", {"ns": "test.t", "firstBatch": []}), "id": Int64(rng.choice((77, -1, 2**63 - 1)))}}, request)


def cut_short(rng, reply, request):
    whole = message(reply, request)
    return whole[:rng.randrange(1, len(whole))] + b"cut"


def other_length(rng, reply, request):
    whole = message(reply, request)
    return struct.pack("<i", rng.choice((0, 1, 15, 16, 20, len(whole) - 1, len(whole) + 1, 2**31 - 1, -1, -2**31))) + whole[4:] + b"cut"


def other_bytes(rng, reply, request):
    whole = bytearray(message(reply, request))
    for _ in range(rng.randrange(1, 4)):
        whole[rng.randrange(8, len(whole))] = rng.randrange(256)
    return bytes(whole) + b"cut"


def other_request(rng, reply, request):
    return message(reply, request + 1)


LIES = (another_value, without_code, other_error, nothing_in_it, write_errors, unknown_cursor, cut_short, other_length, other_bytes, other_request)


class Lying(Fake):
    """The nth answer to commands of that name is a lie. With `on`, all later ones are lies, too."""

    def __init__(self, name, nth, lie, rng, on=False):
        super().__init__(keeping())
        self.name, self.left, self.lie, self.rng, self.on, self.told = name, nth, lie, rng, on, 0

    def one(self, s, number):
        length, request, _, opcode = struct.unpack("<iiii", exactly(s, 16))
        body = exactly(s, length - 16)
        command = read_message(body) if opcode == OP_MSG else read_query(body)
        reply = self.answer(number, command)
        if next(iter(command)).lower() == self.name.lower():
            self.left -= 1
            if self.left == 0 or (self.left < 0 and self.on):
                self.told += 1
                raw = self.lie(self.rng, reply, request) if opcode == OP_MSG else write_reply(request, bson.decode(self.lie(self.rng, reply, request)[21:])) if self.lie in (another_value, other_error, without_code, nothing_in_it) else b"cut"
                s.sendall(raw.removesuffix(b"cut"))
                return not raw.endswith(b"cut")  # mtsql would wait for the rest of a message that is shorter than its length
        s.sendall(write_message(request, reply) if opcode == OP_MSG else write_reply(request, reply))
        return True


def clear(what, r):
    errors = re.findall(r"^(?:ERROR:|mtsql: error:)", r.stderr, re.M)
    check(f"{what}: ends as it says", r.returncode in (0, 2, 3) and "Sanitizer" not in r.stderr and "runtime error" not in r.stderr, f"{r.returncode}\n{r.stderr}")
    check(f"{what}: one error, or none", len(errors) == (r.returncode != 0) or (len(errors) <= 2 and r.returncode == 2), r.stderr)


def lie_once(name, nth, lie, seed, on=False):
    what = f"{name} {nth} {lie.__name__} {seed}{' and on' if on else ''}"
    with Lying(name, nth, lie, random.Random(seed), on) as fake:
        try:
            r = mtsql("-v", "VERBOSITY=verbose", "-c", "SET statement_timeout = '3s'", *[a for s in STATEMENTS for a in ("-c", s)], fake.uri + "?connectTimeoutMS=2000&serverSelectionTimeoutMS=2000")
        except subprocess.TimeoutExpired as e:
            check(f"{what}: it ends", False, f"it hangs\n{e.stderr}")
            return
        clear(what, r)


def for_ever():
    """A cursor that never ends and never has documents, and one whose next batch is missing."""
    said = []
    for more in (lambda f, c: batch("test.t", [], 5, "nextBatch"), lambda f, c: {"ok": 1.0}, lambda f, c: {"ok": 0.0}):
        kept = keeping()
        aggregate = lambda f, c, kept=kept: batch("test.t", [], 5) if c["aggregate"] == "t" else kept["aggregate"](f, c)
        with Fake({**kept, "aggregate": aggregate, "getMore": more}) as fake:
            r = mtsql("-v", "VERBOSITY=verbose", "-q", "-c", SETUP, "-c", "SET statement_timeout = '1s'", "-c", "SELECT count(*) FROM t", fake.uri)
            clear("for ever", r)
            said.append((r.returncode, re.findall("ERROR:  (.....)", r.stderr)))
    same("for ever: the time is over", said[0], (3, ["57014"]))
    kept, parts = keeping(), [[{"c0": 1}], [], [], [{"c0": 2}], []]
    first = lambda f, c: batch("test.t", [], 5) if c["aggregate"] == "t" else kept["aggregate"](f, c)
    with Fake({**kept, "aggregate": first, "getMore": lambda f, c: batch("test.t", parts.pop(0), 5 if parts else 0, "nextBatch")}) as fake:
        r = mtsql("-qAt", "-c", SETUP, "-c", "SELECT v FROM t", fake.uri)
        same("for a while: nothing of it is lost", (r.returncode, r.stdout, r.stderr), (0, "1\n2\n", ""))
    check("for ever: no batch is no answer", all(code in (2, 3) and len(errors) == 1 for code, errors in said[1:]), str(said))


def deep():
    """Returns documents in documents, each with a value of a rarer type after the next one. They
    are a valid answer.
    """
    kept, within = keeping(), {}
    for _ in range(60):
        within = {"a": within, "b": b"\0"}
    with Fake({**kept, "aggregate": lambda f, c: batch("test.t", [{"c0": 1, "x": within}]) if c["aggregate"] == "t" else kept["aggregate"](f, c)}) as fake:
        try:
            r = mtsql("-qAt", "-c", SETUP, "-c", "SET statement_timeout = '3s'", "-c", "SELECT v FROM t", fake.uri)
            same("deep: it is read", (r.returncode, r.stdout, r.stderr), (0, "1\n", ""))
        except subprocess.TimeoutExpired:
            check("deep: it is read", False, "it hangs")


def wordless():
    """An error without a message gets one from mtsql."""
    for reply in ({"ok": 0.0, "code": 1, "errmsg": ""}, {"n": 0, "ok": 1.0, "writeErrors": [{"index": 0, "code": 1, "errmsg": ""}]}):
        kept = keeping()
        answer = lambda f, c, reply=reply, kept=kept: reply if c["insert"] == "t" else kept["insert"](f, c)
        with Fake({**kept, "insert": answer}) as fake:
            r = mtsql("-q", "-c", SETUP, "-c", STATEMENTS[2], fake.uri)
            same("wordless", (r.returncode, r.stderr), (3, "ERROR:  the server gave no reason for its error\n"))


def nameless():
    """A cursor has more documents, but no name of its collection: in a small message, and in one
    that is passed on in parts.
    """
    for text in ("small", "large" * 40000):
        kept = keeping()
        reply = {"cursor": {"id": Int64(5), "firstBatch": [{"c0": 1, "x": text}]}, "ok": 1.0}
        answer = lambda f, c, kept=kept, reply=reply: reply if c["aggregate"] == "t" else kept["aggregate"](f, c)
        with Fake({**kept, "aggregate": answer}) as fake:
            r = mtsql("-v", "VERBOSITY=verbose", "-q", "-c", SETUP, "-c", "SELECT v FROM t", fake.uri)
            clear("nameless", r)
            same("nameless: an error", r.returncode in (2, 3), True)


def at_random(seed, count):
    rng = random.Random(seed)
    for i in range(count):
        lie_once(rng.choice(TOLD), rng.randrange(1, 8), rng.choice(LIES), seed * 100000 + i, rng.random() < 0.3)


def main():
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        at_random(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100)
        return finish()
    for i, name in enumerate(TOLD):
        for j in range(3):
            lie_once(name, 1 + (i + j) % 4, LIES[(3 * i + j) % len(LIES)], i * 10 + j, j == 1)
    for_ever()
    deep()
    wordless()
    nameless()
    return finish()


if __name__ == "__main__":
    sys.exit(main())

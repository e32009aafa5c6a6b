"""A scripted server. It speaks MongoDB's wire protocol, records each command, and answers as a test
says.

    with Fake(answers) as fake:
        … mtsql at fake.uri …
    fake.commands   list of (connection number, command document)

`answers` maps a command's name to a function (fake, command) -> a reply document, SILENCE (never
answers), or CUT (closes the connection). Other commands get the answers of an empty MongoDB 7.
"""
import copy
import socket
import struct
import threading
import time

import bson
from bson.int64 import Int64

OP_REPLY, OP_QUERY, OP_MSG = 1, 2004, 2013
SILENCE, CUT = object(), object()


def hello(fake, command):
    return {"isWritablePrimary": True, "ismaster": True, "maxBsonObjectSize": 16777216, "maxMessageSizeBytes": 48000000,
            "maxWriteBatchSize": 100000, "logicalSessionTimeoutMinutes": 30, "minWireVersion": 0, "maxWireVersion": 21, "ok": 1.0}


def batch(namespace, docs, cursor=0, name="firstBatch"):
    return {"cursor": {"id": Int64(cursor), "ns": namespace, name: docs}, "ok": 1.0}


def empty_collection(fake, command):
    first = next(iter(command))
    where = command[first] if isinstance(command[first], str) else "$cmd.aggregate"
    docs = []
    for stage in command.get("pipeline", []):
        docs = stage.get("$documents", docs)
    return batch(f"{command.get('$db', 'test')}.{where}", docs)


DEFAULTS = {
    "hello": hello, "ismaster": hello, "isMaster": hello,
    "buildInfo": lambda f, c: {"version": "7.0.0-fake", "ok": 1.0},
    "aggregate": empty_collection, "find": empty_collection,
    "listCollections": lambda f, c: batch("test.$cmd.listCollections", []),
    "insert": lambda f, c: {"n": len(c.get("documents", [])), "ok": 1.0},
}


OPERATORS = {"$inc": lambda old, v: v if old is None else old + v, "$min": lambda old, v: v if old is None else min(old, v),
             "$max": lambda old, v: v if old is None else max(old, v), "$set": lambda old, v: v}


def place(doc, path, make=False):
    """Returns the value that contains the path's last part, and that part. The value is None if it
    does not exist.
    """
    *way, last = path.split(".")
    for part in way:
        if isinstance(doc, list):
            doc = doc[int(part)] if int(part) < len(doc) else None
        elif doc is not None:
            doc = doc.setdefault(part, {}) if make else doc.get(part)
    return doc, int(last) if isinstance(doc, list) else last


def adjust(doc, path, op, v):
    holder, last = place(doc, path, True)
    old = holder[last] if isinstance(holder, list) else holder.get(last)
    holder[last] = op(old, v)


def meets(doc, query):
    """Returns whether a document meets a filter. It knows the filters of the catalog: values, and
    missing fields.
    """
    for path, want in query.items():
        if path == "_id" or path.startswith("$"):
            continue
        holder, last = place(doc or {}, path)
        has = holder is not None and (isinstance(holder, list) or last in holder)
        if (has if isinstance(want, dict) and want.get("$exists") is False else not has or holder[last] != want):
            return False
    return doc is not None


def beside(kept, command):
    """Returns the document of another collection that a $unionWith at the end of a pipeline reads."""
    union = (command["pipeline"] or [{}])[-1].get("$unionWith", {})
    if "coll" not in union or "_id" not in union["pipeline"][0].get("$match", {}):
        return []
    doc = kept.get(union["coll"], {}).get(str(union["pipeline"][0]["$match"]["_id"]))
    return [{field: doc for field, value in union["pipeline"][1]["$project"].items() if value == "$$ROOT"}] if doc else []


def keeping():
    """Returns answers that keep collections by _id, as far as a catalog needs it: whole documents,
    found by _id or all of them.
    """
    kept = {}

    def of(command):
        return kept.setdefault(command[next(iter(command))], {})

    def insert(fake, command):
        of(command).update({str(d["_id"]): d for d in command["documents"]})
        return {"n": len(command["documents"]), "ok": 1.0}

    def update(fake, command):
        new = [{"index": i, "_id": u["q"]["_id"]} for i, u in enumerate(command["updates"]) if u.get("upsert") and str(u["q"]["_id"]) not in of(command)]
        matched = 0
        for u in command["updates"]:
            key, change = str(u["q"]["_id"]), u["u"]
            if any(not k.startswith("$") for k in change):
                of(command)[key] = change
            elif key not in of(command) and u.get("upsert"):
                of(command)[key] = {"_id": u["q"]["_id"]}
                for path, v in change.get("$setOnInsert", {}).items():
                    adjust(of(command)[key], path, OPERATORS["$set"], copy.deepcopy(v))
            elif not meets(of(command).get(key), u["q"]):
                continue
            matched += 1
            for op, values in change.items():
                for path, v in values.items() if op in OPERATORS else ():
                    adjust(of(command)[key], path, OPERATORS[op], v)
        return {"n": matched, "nModified": 0, "ok": 1.0, **({"upserted": new} if new else {})}

    def delete(fake, command):
        gone = [of(command).pop(str(d["q"]["_id"]), None) for d in command["deletes"] if "_id" in d["q"]]
        return {"n": sum(d is not None for d in gone), "ok": 1.0}

    def find(fake, command):
        wanted = command.get("filter", {}).get("_id")
        keys = {str(x) for x in (wanted["$in"] if isinstance(wanted, dict) and "$in" in wanted else [wanted])}
        return batch(f"test.{command['find']}", [d for k, d in of(command).items() if wanted is None or k in keys])

    def aggregate(fake, command):
        docs = list(of(command).values()) if isinstance(command["aggregate"], str) and not command["pipeline"] else []
        reply = empty_collection(fake, command)
        reply["cursor"]["firstBatch"] = docs + reply["cursor"]["firstBatch"] + beside(kept, command)
        return reply

    def listed(fake, command):
        return batch("test.$cmd.listCollections", [{"name": k, "type": "collection"} for k in kept])

    def create(fake, command):
        of(command)
        return {"ok": 1.0}

    def drop(fake, command):
        kept.pop(command["drop"], None)
        return {"ok": 1.0}

    return {"drop": drop, "insert": insert, "update": update, "delete": delete, "find": find, "aggregate": aggregate, "listCollections": listed, "create": create}


def error(code, name, text):
    return {"ok": 0.0, "code": code, "codeName": name, "errmsg": text}


class Fake:
    def __init__(self, answers=None):
        self.answers = {**DEFAULTS, **(answers or {})}
        self.commands, self.lock, self.changed = [], threading.Lock(), threading.Condition()
        self.connections = 0
        self.open = []

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.uri = f"mongodb://127.0.0.1:{self.port}/test"
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *args):
        self.listener.close()
        for s in self.open:
            s.close()

    def accept(self):
        while True:
            try:
                s, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            self.open.append(s)
            threading.Thread(target=self.serve, args=(s, self.connections), daemon=True).start()

    def serve(self, s, number):
        try:
            while self.one(s, number):
                pass
        except (OSError, EOFError):
            pass
        finally:
            s.close()

    def one(self, s, number):
        length, request, _, opcode = struct.unpack("<iiii", exactly(s, 16))
        body = exactly(s, length - 16)
        command = read_message(body) if opcode == OP_MSG else read_query(body)
        reply = self.answer(number, command)
        if reply is CUT:
            return False
        if reply is not SILENCE:
            s.sendall(write_message(request, reply) if opcode == OP_MSG else write_reply(request, reply))
        return True

    def answer(self, number, command):
        with self.changed:
            self.commands.append((number, command))
            self.changed.notify_all()
        handler = self.answers.get(next(iter(command)), lambda f, c: {"ok": 1.0})
        return handler(self, command)

    def named(self, name):
        """Returns the commands of that name up to now."""
        with self.changed:
            return [c for _, c in self.commands if next(iter(c)) == name]

    def wait_for(self, name, matching=lambda c: True, seconds=180):
        """Returns the first command of that name. AssertionError if none came."""
        until = time.monotonic() + seconds
        with self.changed:
            while True:
                for _, c in self.commands:
                    if next(iter(c)) == name and matching(c):
                        return c
                left = until - time.monotonic()
                assert left > 0, f"no {name} came; only {[next(iter(c)) for _, c in self.commands]}"
                self.changed.wait(left)


def exactly(s, n):
    parts = []
    while n:
        part = s.recv(min(n, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        n -= len(part)
    return b"".join(parts)


def read_message(body):
    """Returns a message. Section 0 is the command. A section 1 is one of its arrays."""
    at, command, arrays = 4, None, {}
    flags = struct.unpack_from("<I", body, 0)[0]
    end = len(body) - (4 if flags & 1 else 0)
    while at < end:
        kind, at = body[at], at + 1
        size = struct.unpack_from("<i", body, at)[0]
        if kind == 0:
            command = bson.decode(body[at:at + size])
        else:
            name_end = body.index(b"\0", at + 4)
            arrays[body[at + 4:name_end].decode()] = bson.decode_all(body[name_end + 1:at + size])
        at += size
    return {**command, **arrays}


def read_query(body):
    at = body.index(b"\0", 4) + 1 + 8
    command = bson.decode(body[at:])
    return command.get("$query", command)


def write_message(request, reply):
    doc = bson.encode(reply)
    return struct.pack("<iiiiI", 21 + len(doc), 1, request, OP_MSG, 0) + b"\0" + doc


def write_reply(request, reply):
    doc = bson.encode(reply)
    return struct.pack("<iiiiiqii", 36 + len(doc), 1, request, OP_REPLY, 8, 0, 0, 1) + doc

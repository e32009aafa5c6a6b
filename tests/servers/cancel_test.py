#!/usr/bin/env python3
"""Ctrl-C and statement_timeout while a server is busy: the commands that the server gets, and that
nobody waits for a server that does not answer.

Most servers here are scripted (fake.py), because they have to block forever. Nothing here measures
a time. Without cancelling, a statement would never end, or only at the connection's own limits,
which are longer than HANG_S. stopped_test.py does the same with real servers that are stopped.
"""
import os
import re
import signal
import sys
import tempfile
import threading
import time

from checks import HANG_S, check, mtsql, run, same, start, until
from fake import CUT, DEFAULTS, SILENCE, Fake, batch, empty_collection, error, hello, keeping
from proxy import Hole
from terminal import Terminal

PATIENT = f"?connectTimeoutMS={2000 * HANG_S}&serverSelectionTimeoutMS={2000 * HANG_S}"  # longer than a test may take
CANCELED = "ERROR:  canceling statement due to user request"
LATE = "ERROR:  canceling statement due to statement timeout"

QUERY = "--aggregate", "events", '[{"$match": {"slow": true}}]'


def is_query(command):
    return command.get("aggregate") == "events"


def interrupt_when(fake, process, name, matching=is_query):
    fake.wait_for(name, matching)
    process.send_signal(signal.SIGINT)


def outcome(process):
    out, err = process.communicate(timeout=HANG_S)
    return process.returncode, out, err


def only(reply):
    """Returns answers with this one for queries, and the usual ones for all else."""
    return lambda fake, command: reply(fake, command) if is_query(command) else empty_collection(fake, command)


def test_server_stops():
    """The server obeys killSessions. The statement ends with the server's error, and the connection
    stays.
    """
    killed = threading.Event()

    def wait(fake, command):
        killed.wait(HANG_S)
        return error(11601, "Interrupted", "operation was interrupted")

    def kill(fake, command):
        killed.set()
        return {"ok": 1.0}

    with Fake({"aggregate": only(wait), "killSessions": kill}) as fake:
        p = start(fake.uri, *QUERY)
        interrupt_when(fake, p, "aggregate")
        rc, out, err = outcome(p)
        same("stopped: exit", rc, 3)
        check("stopped: error", "ERROR:  canceling statement due to user request\n" in err and "DETAIL" not in err, err)
        kills = fake.named("killSessions")
        same("stopped: one killSessions", len(kills), 1)
        same("stopped: of the statement's session", kills[0]["killSessions"], [fake.wait_for("aggregate", is_query)["lsid"]])
        numbers = {next(iter(c)): n for n, c in fake.commands if next(iter(c)) in ("killSessions",) or is_query(c)}
        check("stopped: over a second connection", numbers["killSessions"] != numbers["aggregate"], str(numbers))
        same("stopped: no killOp where sessions can be killed", fake.named("killOp"), [])


def test_server_deaf():
    """The server answers killSessions, but the statement goes on. The connection is given up."""
    with Fake({"aggregate": only(lambda f, c: SILENCE)}) as fake:
        p = start(fake.uri, *QUERY)
        interrupt_when(fake, p, "aggregate")
        rc, out, err = outcome(p)
        same("deaf: exit", rc, 3)
        check("deaf: error", "ERROR:  canceling statement due to user request\n" in err, err)
        check("deaf: says what may go on", "The server did not stop in time" in err, err)
        same("deaf: was asked", len(fake.named("killSessions")), 1)


def test_all_silent():
    """The server answers nothing any more, on the second connection neither."""
    silent = threading.Event()

    def go_silent(fake, command):
        silent.set()
        return SILENCE

    def greet(fake, command):
        return SILENCE if silent.is_set() else hello(fake, command)

    with Fake({"aggregate": only(go_silent), "hello": greet, "isMaster": greet, "ismaster": greet}) as fake:
        p = start(fake.uri + PATIENT, *QUERY)
        interrupt_when(fake, p, "aggregate")
        rc, out, err = outcome(p)
        same("silent: exit", rc, 3)
        check("silent: error", "ERROR:  canceling statement due to user request\n" in err, err)


def test_kill_op():
    """A server without killSessions gets killOp for the operations with the session's comment."""
    killed = threading.Event()

    def aggregate(fake, command):
        if is_query(command):
            killed.wait(HANG_S)
            return error(11601, "Interrupted", "operation was interrupted")
        if any("$currentOp" in s for s in command["pipeline"]):
            return batch("admin.$cmd.aggregate", [{"opid": 4711, "command": {"comment": "x"}}])
        return empty_collection(fake, command)

    def kill(fake, command):
        killed.set()
        return {"ok": 1.0}

    with Fake({"aggregate": aggregate, "killSessions": lambda f, c: error(59, "CommandNotFound", "no such command: killSessions"), "killOp": kill}) as fake:
        p = start(fake.uri, *QUERY)
        interrupt_when(fake, p, "aggregate")
        rc, out, err = outcome(p)
        same("killOp: exit", rc, 3)
        same("killOp: of the operation", [c["op"] for c in fake.named("killOp")], [4711])
        comment = fake.wait_for("aggregate", is_query)["comment"]
        asked = fake.wait_for("aggregate", lambda c: c.get("aggregate") == 1 and "$currentOp" in c["pipeline"][0])
        same("killOp: found by comment", asked["pipeline"][1]["$match"]["command.comment"], comment)
        check("killOp: comment names us", re.fullmatch("mtsql [0-9a-f]{16}", comment), comment)


def test_between_batches():
    """The server is idle while rows are printed. Then the cursor is killed."""
    def more(fake, command):
        time.sleep(0.05)
        return batch("test.events", [{"n": 1}] * 100, cursor=99, name="nextBatch")

    with Fake({"aggregate": only(lambda f, c: batch("test.events", [{"n": 1}] * 101, cursor=99)), "getMore": more}) as fake:
        p = start(fake.uri, *QUERY)
        ended = []
        reader = threading.Thread(target=lambda: ended.append(outcome(p)))
        reader.start()
        interrupt_when(fake, p, "getMore", lambda c: True)
        reader.join(HANG_S)
        rc, out, err = ended[0]
        same("batches: exit", rc, 3)
        check("batches: error", "canceling statement due to user request" in err, err)
        check("batches: the cursor is gone", [c["cursors"] for c in fake.named("killCursors")] in ([[99]], []), str(fake.named("killCursors")))
        check("batches: server asked to stop", fake.named("killCursors") or fake.named("killSessions"))


def test_statement_timeout():
    """statement_timeout is sent as maxTimeMS. The connection to a server that ignores it is given
    up.
    """
    with Fake({"aggregate": lambda f, c: SILENCE if "$documents" in c["pipeline"][0] and c.get("maxTimeMS") else empty_collection(f, c)}) as fake:
        r = mtsql(fake.uri, "-c", "SET statement_timeout = '2s'", "-c", "SELECT 1")
        same("timeout: exit", r.returncode, 3)
        check("timeout: error", "canceling statement due to statement timeout" in r.stderr, r.stderr)
        limit = fake.wait_for("aggregate", lambda c: "maxTimeMS" in c)["maxTimeMS"]
        check("timeout: maxTimeMS", 0 < limit <= 2000, str(limit))
    with Fake({"aggregate": lambda f, c: error(50, "MaxTimeMSExpired", "operation exceeded time limit") if c.get("maxTimeMS") else empty_collection(f, c)}) as fake:
        r = mtsql(fake.uri, "-c", "SET statement_timeout = '20s'", "-c", "SELECT 1")
        check("timeout: by the server", "ERROR:  canceling statement due to statement timeout" in r.stderr, r.stderr)


TABLE = "CREATE TABLE t (ts timestamptz TIME, v integer MEASURE) USING rows"
INSERT = "INSERT INTO t VALUES ('2020-01-01', 1)"


def is_insert(command):
    return command.get("insert") == "t"


def test_write_is_undone():
    """An INSERT blocks. Its connection is given up. Over a new connection the session is killed,
    and the written rows are deleted.
    """
    with Fake({**keeping(), "insert": lambda f, c: SILENCE}) as fake:
        p = start(fake.uri, "-c", TABLE, "-c", INSERT)
        interrupt_when(fake, p, "insert", is_insert)
        rc, out, err = outcome(p)
        same("undo: exit", rc, 3)
        check("undo: error", "ERROR:  canceling statement due to user request" in err, err)
        check("undo: complete", "WARNING" not in err, err)
        sent = fake.wait_for("insert", is_insert)["documents"][0]["_id"]
        deletes = [c for c in fake.named("delete") if c["delete"] == "t"]
        same("undo: deleted", [d["q"] for c in deletes for d in c["deletes"]], [{"_id": sent}])
        order = [next(iter(c)) for _, c in fake.commands]
        check("undo: the lost session is killed before", "killSessions" in order[order.index("insert"):order.index("delete", order.index("insert"))], str(order))


def test_second_interrupt():
    """The second Ctrl-C also ends the undoing. The error says what may remain."""
    with Fake({**keeping(), "insert": lambda f, c: SILENCE, "delete": lambda f, c: SILENCE if c["delete"] == "t" else empty_collection(f, c)}) as fake:
        p = start(fake.uri, "-c", TABLE, "-c", INSERT)
        interrupt_when(fake, p, "insert", is_insert)
        interrupt_when(fake, p, "delete", lambda c: c["delete"] == "t")
        rc, out, err = outcome(p)
        same("insist: exit", rc, 3)
        check("insist: error", "ERROR:  canceling statement due to user request" in err, err)
        check("insist: says what may remain", 'WARNING:  the statement could not be undone completely: documents of it may remain in "t"' in err, err)


def truncate(*before, silent=False):
    """Runs TRUNCATE of a table with two layouts on a server that is slow to drop the first, or
    never answers. Returns the output, the dropped collections, and whether the catalog still has
    the intent.
    """
    kept, drops = keeping(), []

    def drop(fake, command):
        drops.append(command["drop"])
        if silent:
            return SILENCE
        time.sleep(0.6)
        return kept["drop"](fake, command)

    with Fake({**kept, "drop": drop}) as fake:
        made = mtsql(fake.uri, "-c", TABLE, "-c", "ALTER TABLE t ADD LAYOUT days USING per_day", "-c", INSERT)
        assert made.returncode == 0, made.stderr
        p = start(fake.uri, "-v", "ON_ERROR_STOP=1", *[a for s in (*before, "TRUNCATE t") for a in ("-c", s)])
        if silent:
            interrupt_when(fake, p, "drop", lambda c: True)
        rc, out, err = outcome(p)
        left = [d for d in kept["find"](fake, {"find": "_mtsql_catalog"})["cursor"]["firstBatch"] if d.get("kind") == "intent"]
        return rc, err, drops, len(left)


def test_truncate():
    """A dropped collection can't be put back. So a timeout between two collections does not leave
    one empty and one full.
    """
    rc, err, drops, left = truncate("SET statement_timeout = '400ms'")
    same("truncate: it is done", (rc, err, sorted(drops), left), (0, "", ["t", "t_days"], 0))
    rc, err, drops, left = truncate(silent=True)
    check("truncate: Ctrl-C ends it, and what is to be done is said", rc == 3 and "canceling statement due to user request" in err and "REPAIR TABLE t" in err, err)


def test_prompt_comes_back():
    """At a terminal, Ctrl-C returns the prompt. The next statement works over a new connection."""
    blocked = threading.Event()

    def aggregate(fake, command):
        if command.get("comment") and not blocked.is_set() and any("$documents" in s for s in command["pipeline"]) and "4711" in str(command):
            blocked.set()
            return SILENCE
        return empty_collection(fake, command)

    with Fake({"aggregate": aggregate}) as fake:
        t = Terminal(fake.uri)
        t.until("=> ")
        t.send("SELECT 4711 AS x;\n")
        fake.wait_for("aggregate", lambda c: "4711" in str(c))
        t.send("\x03")
        shown = t.until("=> ")
        shown += t.until("=> ") if "ERROR" not in shown else ""
        check("prompt: error", "canceling statement due to user request" in shown, shown)
        before = fake.connections
        t.send("SELECT 5;\n")
        shown = t.until("(1 row)")
        check("prompt: the next statement works", "5" in shown, shown)
        check("prompt: over a new connection", fake.connections > before, f"{before} {fake.connections}")
        t.send("\\q\n")
        t.end()


# ---- servers that say nothing at all ----


class Session:
    """The shell at a terminal, connected by a proxy that can be closed."""

    def __init__(self, uri, *before):
        self.terminal = Terminal(uri)
        self.terminal.until("=> ")
        for statement in before:
            self.answer(statement)

    def send(self, text):
        self.terminal.send(text + "\n")

    def prompt(self):
        """Returns the output up to the next prompt, without the typed text."""
        return self.terminal.until("\nmtsql")

    def answer(self, text):
        self.send(text + ";")
        shown = self.prompt()
        self.terminal.until("=> ")
        return shown

    def interrupt(self):
        """Sends Ctrl-C. Returns the output up to the prompt."""
        self.terminal.send("\x03")
        shown = self.prompt()
        self.terminal.until("=> ")
        return shown

    def end(self):
        self.send("\\q")
        return self.terminal.end()


def silent_ways(uri, hole, what, start_it):
    """From now on the proxy swallows everything. Ctrl-C ends a statement, statement_timeout ends
    the next one, and the exit does not wait.
    """
    for timeout in (False, True):
        s = Session(uri, *(["SET statement_timeout = '1s'"] if timeout else []))
        way = hole.swallow()
        start_it(s)
        check(f"{what}: it is asked", way.wait(HANG_S))
        shown = s.prompt() + s.terminal.until("=> ") if timeout else s.interrupt()
        check(f"{what}: {'timeout' if timeout else 'Ctrl-C'}", (LATE if timeout else CANCELED) in shown, shown)
        check(f"{what}: one error", shown.count("ERROR:") == 1, shown)
        hole.restore()
        s.send("\\dt")
        shown = s.prompt() + s.terminal.until("=> ")
        check(f"{what}: a command has its own time", "ERROR" not in shown, shown)
        shown = s.answer("RESET statement_timeout") + s.answer("SELECT 4711 AS x")
        check(f"{what}: the session goes on", "4711" in shown, shown)
        hole.swallow()
        same(f"{what}: exit", s.end(), 0)
        hole.restore()


def test_half_open():
    """No bytes pass any more, and no connection ends."""
    with Fake(keeping()) as fake:
        hole = Hole(fake.port)
        uri = f"mongodb://127.0.0.1:{hole.port}/test" + PATIENT
        made = mtsql(fake.uri, "-c", TABLE)
        assert made.returncode == 0, made.stderr
        for what, text in (("half-open SELECT", "SELECT count(*) FROM t;"), ("half-open INSERT", INSERT + ";"), ("half-open CREATE", "CREATE TABLE u (ts timestamptz TIME, v integer MEASURE) USING rows;"),
                           ("half-open \\d", "\\d"), ("half-open DROP", "DROP TABLE t;")):
            silent_ways(uri, hole, what, lambda s, text=text: s.send(text))


def test_silent_in_batches():
    """The proxy swallows everything from between two batches on."""
    kept = keeping()
    with Fake({**kept, "aggregate": lambda f, c: batch("test.t", [{"v": 1}] * 101, cursor=99) if c["aggregate"] == "t" else kept["aggregate"](f, c),
               "getMore": lambda f, c: batch("test.t", [{"v": 1}], cursor=99, name="nextBatch")}) as fake:
        hole = Hole(fake.port)
        assert mtsql(fake.uri, "-c", TABLE).returncode == 0
        s = Session(f"mongodb://127.0.0.1:{hole.port}/test" + PATIENT)
        s.send("SELECT count(DISTINCT md5(v::text)) FROM t;")
        fake.wait_for("getMore")
        check("getMore: it reads on", hole.swallow().wait(HANG_S))
        shown = s.interrupt()
        check("getMore: Ctrl-C", CANCELED in shown, shown)
        same("getMore: exit", s.end(), 0)


def rows_file(folder):
    """Writes more rows for TABLE than are sent before the COPY is cancelled."""
    path = os.path.join(folder, "rows.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"2020-01-01 00:00:{i % 60:02},{i}\n" for i in range(400000))
    return path


def full_pipe(what, path):
    """Uses its own server, because a shared one may still read inserts of an earlier test."""
    with Fake(keeping()) as fake:
        hole = Hole(fake.port)
        assert mtsql(fake.uri, "-c", TABLE).returncode == 0
        s = Session(f"mongodb://127.0.0.1:{hole.port}/test" + PATIENT)
        if what is LATE:
            s.answer("SET statement_timeout = '2s'")
        s.send(f"\\copy t FROM '{path}' CSV")
        fake.wait_for("insert", is_insert)
        hole.stop_reading()
        shown = s.prompt() + s.terminal.until("=> ") if what is LATE else s.interrupt()
        check("full pipe: error", what in shown, shown)
        check("full pipe: what may remain is said", 'may remain in "t"' in shown, shown)
        hole.restore()
        fake.commands.clear()
        shown = s.answer("RESET statement_timeout") + s.answer("SELECT count(*) FROM t")
        check("full pipe: undone behind the prompt", [c for c in fake.named("delete") if c["delete"] == "t"], shown)
        check("full pipe: the session goes on", "count" in shown and "ERROR" not in shown, shown)
        same("full pipe: exit", s.end(), 0)


def test_full_pipe():
    """A COPY whose bytes the server no longer reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = rows_file(folder)
        full_pipe(CANCELED, path)
        full_pipe(LATE, path)


def test_long_undoing():
    """The server answers everything, but undoing takes long. The prompt does not wait for it. The
    next statement does, and so does the end of a script.
    """
    kept, may = keeping(), threading.Event()

    def delete(fake, command):
        if command["delete"] == "t":
            may.wait(HANG_S)
            deleted.append(command)
        return kept["delete"](fake, command)

    def insert(fake, command):
        time.sleep(0.05 if is_insert(command) else 0)
        return kept["insert"](fake, command)

    with Fake({**kept, "delete": delete, "insert": insert}) as fake, tempfile.TemporaryDirectory() as folder:
        path = rows_file(folder)
        s, deleted = Session(fake.uri + PATIENT, TABLE), []
        for what in (CANCELED, LATE):
            if what is LATE:
                s.answer("SET statement_timeout = '2s'")
            fake.commands.clear()
            s.send(f"\\copy t FROM '{path}' CSV")
            fake.wait_for("insert", is_insert)
            shown = s.prompt() + s.terminal.until("=> ") if what is LATE else s.interrupt()
            check("long undoing: error", what in shown, shown)
            check("long undoing: what may remain is said", 'may remain in "t"' in shown, shown)
            same("long undoing: goes on", deleted, [])
            may.set()
            shown = s.answer("SET statement_timeout = 0") + s.answer("SELECT count(*) FROM t")
            check("long undoing: over when the next statement is answered", deleted and "count" in shown and "ERROR" not in shown, shown)
            left = [d for d in kept["find"](fake, {"find": "_mtsql_catalog"})["cursor"]["firstBatch"] if d.get("kind") == "intent"]
            same("long undoing: nothing is to be repaired", left, [])
            may.clear()
            deleted.clear()
        may.set()
        same("long undoing: exit", s.end(), 0)
        may.clear()
        fake.commands.clear()
        p = start(fake.uri + PATIENT, "-c", f"\\copy t FROM '{path}' CSV")
        interrupt_when(fake, p, "insert", is_insert)
        fake.wait_for("delete", lambda c: c["delete"] == "t")
        threading.Timer(0.7, may.set).start()
        rc, out, err = outcome(p)
        check("long undoing: a script", rc and CANCELED in err, (rc, err))
        check("long undoing: a script's end waits", len(deleted) > 0, err)


def silent_hello(fake, command):
    return SILENCE


def test_silent_from_hello():
    """A server accepts connections and sends nothing. Ctrl-C ends the attempt, at the start and in
    \\c.
    """
    with Fake({**{name: silent_hello for name in ("hello", "isMaster", "ismaster")}}) as fake, Fake() as other:
        t = Terminal(fake.uri + PATIENT)
        until(lambda: fake.commands)
        t.send("\x03")
        check("hello: start", t.end() != 0)
        s = Session(other.uri)
        fake.commands.clear()
        s.send("\\c " + fake.uri + PATIENT)
        until(lambda: fake.commands)
        shown = s.interrupt()
        check("hello: \\c", "canceling" in shown, shown)
        shown = s.answer("SELECT 4711 AS x")
        check("hello: the old connection stays", "4711" in shown, shown)
        same("hello: exit", s.end(), 0)


def test_silent_behind_hello():
    """A server answers hello, and then nothing."""
    answers = {**DEFAULTS, **{name: silent_hello for name in DEFAULTS if name.lower() not in ("hello", "ismaster")}}
    with Fake(answers) as fake, Fake() as other:
        t = Terminal(fake.uri + PATIENT)
        fake.wait_for("buildInfo")
        t.send("\x03")
        check("behind hello: start", t.end() != 0)
        s = Session(other.uri)
        fake.commands.clear()
        s.send("\\c " + fake.uri + PATIENT)
        fake.wait_for("buildInfo")
        shown = s.interrupt()
        check("behind hello: \\c", "canceling" in shown, shown)
        same("behind hello: exit", s.end(), 0)


def test_silent_again():
    """The connection is lost, and the next one is never made."""
    silent = threading.Event()
    greet = lambda f, c: SILENCE if silent.is_set() else hello(f, c)
    kept = keeping()
    cut = lambda f, c: CUT if silent.is_set() else kept["aggregate"](f, c)
    with Fake({**kept, "hello": greet, "isMaster": greet, "ismaster": greet, "aggregate": cut}) as fake:
        for late in (False, True):
            silent.clear()
            s = Session(fake.uri + PATIENT, TABLE.replace("TABLE t", f"TABLE t{late:d}"), *(["SET statement_timeout = '1s'"] if late else []))
            silent.set()
            before = fake.connections
            s.send(f"SELECT count(*) FROM t{late:d};")
            until(lambda: fake.connections > before)
            shown = s.prompt() + s.terminal.until("=> ") if late else s.interrupt()
            check("again: error", (LATE if late else CANCELED) in shown, shown)
            same("again: exit", s.end(), 0)


def test_silent_session():
    """A new connection is made, and the server falls silent while the driver begins a session."""
    ends, silent = threading.Event(), threading.Event()
    greet = lambda f, c: SILENCE if silent.is_set() else hello(f, c)
    kept = keeping()

    def version(fake, command):
        if not ends.is_set():
            return {"version": "7.0.0", "ok": 1.0}
        silent.set()
        return error(10107, "NotWritablePrimary", "not primary")  # so the driver sends hello

    cut = lambda f, c: CUT if ends.is_set() else kept["aggregate"](f, c)
    with Fake({**kept, "hello": greet, "isMaster": greet, "ismaster": greet, "buildInfo": version, "aggregate": cut}) as fake:
        for late in (False, True):
            ends.clear()
            silent.clear()
            s = Session(fake.uri + PATIENT, TABLE.replace("TABLE t", f"TABLE t{late:d}"), *(["SET statement_timeout = '1s'"] if late else []))
            ends.set()
            s.send(f"SELECT count(*) FROM t{late:d};")
            check("session: it falls silent", silent.wait(HANG_S))
            shown = s.prompt() + s.terminal.until("=> ") if late else s.interrupt()
            check("session: the reset's error", f"canceling statement due to {'statement timeout' if late else 'user request'}" in shown, shown)
            same("session: exit", s.end(), 0)


def test_silent_commit():
    """If nothing answers a transaction's commit, its outcome is unknown. The error says so."""
    greet = lambda f, c: {**hello(f, c), "setName": "rs", "secondary": False, "hosts": [f"127.0.0.1:{f.port}"], "me": f"127.0.0.1:{f.port}"}
    with Fake({**keeping(), "hello": greet, "isMaster": greet, "ismaster": greet, "commitTransaction": silent_hello}) as fake:
        for late in (False, True):
            fake.answers["commitTransaction"] = lambda f, c: {"ok": 1.0}
            s = Session(fake.uri + PATIENT, TABLE.replace("TABLE t", f"TABLE t{late:d}"), *(["SET statement_timeout = '1s'"] if late else []))
            fake.answers["commitTransaction"] = silent_hello
            fake.commands.clear()
            s.send(f"INSERT INTO t{late:d} VALUES ('2020-01-01', 1);")
            fake.wait_for("commitTransaction")
            shown = s.prompt() + s.terminal.until("=> ") if late else s.interrupt()
            check("commit: error", (LATE if late else CANCELED) in shown, shown)
            check("commit: not known", "whether the transaction was committed is not known." in " ".join(shown.split()), shown)
            same("commit: exit", s.end(), 0)


sys.exit(run(globals()))

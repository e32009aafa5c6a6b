#!/usr/bin/env python3
"""A COPY reads on while a batch is under way. The outcome of that batch is the outcome of the COPY.
The scripted server does not answer the first batch before the rest was read.
"""
import os
import re
import signal
import sys
import tempfile
import threading

from checks import HANG_S, check, finish, mtsql, same, start
from fake import CUT, Fake, error, keeping

TABLE = "CREATE TABLE log (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, x double precision) USING rows"
REFUSED = {"n": 0, "ok": 1.0, "writeErrors": [{"index": 0, "code": 121, "errmsg": "Document failed validation"}]}
FIRST, REST = 300, 600  # the later rows are more than a pipe holds, and less than a batch


def rows(first, count):
    return "".join(f"2020-01-01 10:{i // 60:02}:{i % 60:02}+00,{'k' * 150},{i}\n" for i in range(first, first + count))


def copy(last="", answer=None):
    """Runs a COPY whose first batch gets that answer (None: no fault). Returns (exit code, output,
    error output, the server).
    """
    kept, read, batches = keeping(), threading.Event(), []

    def insert(fake, command):
        if command["insert"] != "log":
            return kept["insert"](fake, command)
        batches.append(command)
        if len(batches) > 1:
            return kept["insert"](fake, command)
        check("the rest is read before the first batch is answered", read.wait(HANG_S))
        return answer or kept["insert"](fake, command)

    with Fake({**kept, "insert": insert}) as fake, tempfile.TemporaryDirectory(prefix="mtsql-sending-") as folder:
        assert mtsql("-q", "-c", TABLE, fake.uri).returncode == 0
        fifo = os.path.join(folder, "fifo")
        os.mkfifo(fifo)
        p = start("-v", "VERBOSITY=verbose", "-c", f"COPY log FROM '{fifo}' WITH (FORMAT csv)", fake.uri)
        with open(fifo, "w", encoding="utf-8") as f:
            f.write(rows(0, FIRST))
            f.flush()
            fake.wait_for("insert", lambda c: c["insert"] == "log")
            f.write(rows(FIRST, REST) + last)
        read.set()
        out, problems = p.communicate(timeout=HANG_S)
        return p.returncode, out.strip(), problems, fake


def refused_late():
    """Returns the error of a COPY of 5,000 lines, whose first batch is refused while later lines
    are read.
    """
    kept = keeping()
    refused = {"n": 7, "ok": 1.0, "writeErrors": [{"index": 7, "code": 121, "errmsg": "Document failed validation"}]}
    with Fake({**kept, "insert": lambda f, c: refused if c["insert"] == "log" else kept["insert"](f, c)}) as fake, tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.write(rows(0, 3000) + rows(0, 2000))
        f.flush()
        return mtsql("-q", "-c", TABLE, "-c", f"COPY log FROM '{f.name}' WITH (FORMAT csv)", fake.uri).stderr


def of_catalog(fake):
    """Returns the commands of a COPY for the catalog, from its intent on: (command, number of
    documents).
    """
    sent = [c for _, c in fake.commands if c[next(iter(c))] == "_mtsql_catalog"]
    begin = next(i for i, c in enumerate(sent) if "'what': 'write'" in str(c))
    return [(next(iter(c)), len(c.get("updates", c.get("deletes", "?")))) for c in sent[begin:]]


def broken(gone=False, cut=False, missing=False):
    """Runs a COPY whose intent others remove before its end, or whose last answer is lost. missing:
    the COPY makes the collection. Returns (exit code, error output, the intents that are left, the
    documents deleted of the table, the dropped collections).
    """
    kept, ends = keeping(), []

    def update(fake, command):
        if command["update"] != "_mtsql_catalog" or not any(c["insert"] == "log" for c in fake.named("insert")) or ends:
            return kept["update"](fake, command)
        ends.append(command)
        for intent in [u["q"] for u in command["updates"] if gone and "'intent'" in str(u["q"])]:
            kept["delete"](fake, {"delete": "_mtsql_catalog", "deletes": [{"q": intent}]})
        reply = kept["update"](fake, command)
        return CUT if cut else reply

    with Fake({**kept, "update": update}) as fake, tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.write(rows(0, FIRST))
        f.flush()
        assert mtsql("-q", "-c", TABLE, fake.uri).returncode == 0
        if missing:
            kept["drop"](fake, {"drop": "log"})
        r = mtsql("-v", "VERBOSITY=verbose", "-c", f"COPY log FROM '{f.name}' WITH (FORMAT csv)", fake.uri)
        catalog = kept["find"](fake, {"find": "_mtsql_catalog"})["cursor"]["firstBatch"]
        return r.returncode, r.stderr, [d for d in catalog if d.get("kind") == "intent"], [c for c in fake.named("delete") if c["delete"] == "log"], fake.named("drop")


def emptied(early):
    """Runs a COPY whose table is emptied when its first batch is on the server. It begins before
    that and ends between the drop and what follows; or it begins when the collection is about to be
    dropped, and ends after everything. Returns (its output, the output of TRUNCATE, the rows and
    intents that are left, the indexes that were made).
    """
    kept, copies, said = keeping(), [], []

    def begin():
        p = start("-q", "-c", f"COPY log FROM '{fifo}' WITH (FORMAT csv)", fake.uri)
        text = open(fifo, "w", encoding="utf-8")
        text.write(rows(0, FIRST))
        text.flush()
        fake.wait_for("insert", lambda c: c["insert"] == "log")
        copies.append((p, text))

    def end():
        p, text = copies[0]
        text.write(rows(FIRST, REST))
        text.close()
        said.append(p.communicate(timeout=HANG_S)[1])

    def drop(fake, command):
        if not early:
            begin()
        reply = kept["drop"](fake, command)
        if early:
            end()
        kept["insert"](fake, {"insert": "log", "documents": [{"_id": "of a batch that came late"}]})
        return reply

    with Fake({**kept, "drop": drop}) as fake, tempfile.TemporaryDirectory(prefix="mtsql-sending-") as folder:
        assert mtsql("-q", "-c", TABLE, fake.uri).returncode == 0
        fifo = os.path.join(folder, "fifo")
        os.mkfifo(fifo)
        if early:
            begin()
        other = mtsql("-q", "-c", "TRUNCATE log", fake.uri).stderr
        if not early:
            end()
        left = kept["find"](fake, {"find": "log"})["cursor"]["firstBatch"]
        return said, other, len(left), "'kind': 'intent'" in str(kept["find"](fake, {"find": "_mtsql_catalog"})), [c for c in fake.named("createIndexes") if c["createIndexes"] == "log"]


def read_again():
    """Runs a COPY while another client makes the table anew. So it reads the catalog again, when it
    has given a sign of life. Returns its output, and whether a field was changed in two ways.
    """
    kept, begun = keeping(), []

    def update(fake, command):
        reply = kept["update"](fake, command)
        if "'what': 'write'" in str(command) and not begun:
            begun.append(command)
            kept["update"](fake, {"update": "_mtsql_catalog", "updates": [{"q": command["updates"][0]["q"], "u": {"$inc": {"beats": 1}}},
                                                                          {"q": {"_id": {"kind": "version"}}, "u": {"$inc": {"n": 1}}}]})
        return reply

    with Fake({**kept, "update": update}) as fake, tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.write(rows(0, FIRST))
        f.flush()
        assert mtsql("-q", "-c", TABLE, fake.uri).returncode == 0
        other = {"kind": "intent", "name": "0" * 24}
        kept["insert"](fake, {"insert": "_mtsql_catalog", "documents": [{"_id": other, **other, "body": {"table": "log", "what": "rebuild"}}]})
        said = mtsql("-q", "-c", f"COPY log FROM '{f.name}' WITH (FORMAT csv)", fake.uri).stderr
        changes = [u["u"] for c in fake.named("update") for u in c["updates"]]
        return said, [u for u in changes if set(u.get("$inc", {})) & set(u.get("$setOnInsert", {}))], any("beats" in u.get("$inc", {}) for u in changes)


def ended(end, *before):
    """Runs a COPY that ends while its first batch is under way, which the server is then asked to
    stop. Returns (error output, the intents that are left).
    """
    kept, asked = keeping(), threading.Event()

    def insert(fake, command):
        if command["insert"] != "log":
            return kept["insert"](fake, command)
        end(p)
        check("the server is asked to stop", asked.wait(HANG_S))
        return error(11601, "Interrupted", "operation was interrupted")

    def stop(fake, command):
        asked.set()
        return {"ok": 1.0}

    with Fake({**kept, "insert": insert, "killSessions": stop}) as fake, tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.write(rows(0, FIRST))
        f.flush()
        assert mtsql("-q", "-c", TABLE, fake.uri).returncode == 0
        p = start(*before, "-c", f"COPY log FROM '{f.name}' WITH (FORMAT csv)", fake.uri)
        problems = p.communicate(timeout=HANG_S)[1]
        catalog = kept["find"](fake, {"find": "_mtsql_catalog"})["cursor"]["firstBatch"]
        check("there was an intent", "'kind': 'intent'" in str(fake.named("update")), str(fake.commands[-8:]))
        return problems, [d for d in catalog if d.get("kind") == "intent"]


def main():
    rc, out, problems, fake = copy()
    same("all is well", (rc, out, problems), (0, f"COPY {FIRST + REST}", ""))
    same("each row once, in order", [d["x"] for c in fake.named("insert") if c["insert"] == "log" for d in c["documents"]], list(range(FIRST + REST)))
    same("an intent and the news of it; the growth, the news of it and a sign of life; the intent's end; and the news of that", of_catalog(fake),
         [("update", 2), ("update", 3), ("delete", 1), ("update", 1)])
    rc, _, problems, _ = copy(answer=REFUSED)
    check("what was refused isn't committed", rc == 3 and "failed validation" in problems, problems)
    problems = refused_late()
    line = re.search("CONTEXT:  COPY log, at or before line ([0-9]+)\n", problems)
    check("it isn't said to be the line at which it was noticed", line and 7 < int(line[1]) < 5000, problems)
    rc, _, problems, _ = copy("nonsense\n", REFUSED)
    check("a batch's error comes before a later row's", rc == 3 and "failed validation" in problems and "nonsense" not in problems, problems)
    rc, _, problems, _ = copy("nonsense\n")
    check("a row's error stays when the batch was taken", rc == 3 and "22007" in problems, problems)
    rc, _, problems, fake = copy(answer=CUT)
    check("what was lost is in doubt", rc == 2 and "08007" in problems, problems)
    check("and taken back over another connection", [c for c in fake.named("delete") if c["delete"] == "log"], str(fake.commands[-8:]))
    for how, code, why in ({"gone": True}, 3, "40001"), ({"cut": True}, 2, "08007"), ({"gone": True, "missing": True}, 3, "40001"), ({"gone": True, "cut": True, "missing": True}, 2, "08007"):
        rc, problems, left, deleted, dropped = broken(**how)
        check(f"isn't committed ({how})", rc == code and why in problems, f"{rc} {problems}")
        same(f"intents that are left ({how})", left, [])
        check(f"its rows are taken back ({how})", deleted)
        same(f"a collection in which others may have rows by now isn't dropped ({how})", dropped, [])
    for early in True, False:
        said, other, left, intents, indexes = emptied(early)
        check(f"emptied ({early}): who wrote is told", len(said) == 1 and "meanwhile" in said[0], str(said))
        same(f"emptied ({early}): who emptied it isn't disturbed, nothing of both is left, and the collection has its indexes", (other, left, intents, len(indexes) > 1), ("", 1, False, True))
    same("read again: no field is changed in two ways", read_again(), ("", [], True))
    problems, left = ended(lambda p: p.send_signal(signal.SIGINT))
    check("cancelled", "canceling statement due to user request" in problems, problems)
    same("no intent is left of what was cancelled", left, [])
    problems, left = ended(lambda p: None, "-c", "SET statement_timeout = '2s'")
    check("timed out", "canceling statement due to statement timeout" in problems, problems)
    same("no intent is left of what took too long", left, [])
    return finish()


sys.exit(main())

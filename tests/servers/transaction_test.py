#!/usr/bin/env python3
"""On a server with transactions, a step that writes little is one transaction. A scripted server
shows the commands. A SecantusDB as a replica set of one shows that a step is all or nothing.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pymongo

import failure_test
from checks import BUILD, HANG_S, check, environment, finish, mtsql, same, start
from fake import CUT, SILENCE, Fake, error, hello, keeping
from proxy import Proxy
from server import IN_SET, Server
from session import Session

CREATE = "CREATE TABLE t (ts timestamptz TIME, name text DIMENSION, v bigint MEASURE NOT NULL) USING rows"
ADD = "ALTER TABLE t ADD LAYOUT n USING nested WITH (levels = 'ts, name')"
INSERT = "INSERT INTO t VALUES ('2020-01-01', 'a', 1)"


def member(fake, command):
    here = f"127.0.0.1:{fake.port}"
    return {**hello(fake, command), "setName": "set", "hosts": [here], "me": here, "primary": here, "secondary": False}


SET = {**keeping(), "hello": member, "isMaster": member, "ismaster": member}


def in_transaction(command):
    return command.get("autocommit") is False


def test_sent():
    with Fake(SET) as fake:
        r = mtsql(fake.uri, "-c", CREATE, "-c", ADD, "-c", INSERT)
        same("sent: exit", (r.returncode, r.stderr), (0, ""))
        data = [c for c in fake.named("insert") if c["insert"] != "_mtsql_catalog"]
        same("sent: both layouts are written", sorted(c["insert"] for c in data), ["t", "t_n"])
        check("sent: in one transaction", all(in_transaction(c) for c in data) and len({(c["lsid"]["id"], c["txnNumber"]) for c in data}) == 1, str(data))
        check("sent: it begins once", [c.get("startTransaction") for c in data] == [True, None], str(data))
        same("sent: the statistics aren't part of it, so that writers don't end each other's", [c for c in fake.named("update") if in_transaction(c)], [])
        commits = fake.named("commitTransaction")
        check("sent: and it is committed", commits and commits[-1]["txnNumber"] == data[0]["txnNumber"], str(commits))
        same("sent: nothing is aborted", fake.named("abortTransaction"), [])
        same("sent: collections are made outside of it", [c for c in fake.named("create") + fake.named("createIndexes") if in_transaction(c)], [])


def test_failing():
    """If the second layout can't be written, the first one is taken back."""
    def insert(fake, command):
        return error(11601, "Interrupted", "no") if command["insert"] == "t_n" else {"n": 1, "ok": 1.0}

    with Fake({**SET, **keeping(), "insert": insert}) as fake:
        r = mtsql(fake.uri, "-c", CREATE, "-c", ADD, "-c", INSERT)
        same("failing: exit", r.returncode, 3)
        check("failing: aborted", fake.named("abortTransaction"), str([next(iter(c)) for _, c in fake.commands]))
        same("failing: nothing is undone in pieces", [c for c in fake.named("delete") if c["delete"] != "_mtsql_catalog"], [])


def test_block_sent():
    """BEGIN … COMMIT is one transaction, also with the reads after the first write. ROLLBACK aborts
    it.
    """
    with Fake({**SET, **keeping()}) as fake:
        r = mtsql(fake.uri, "-c", CREATE, "-c", "BEGIN", "-c", INSERT, "-c", "SELECT count(*) FROM t", "-c", INSERT, "-c", "COMMIT")
        same("block: exit", (r.returncode, r.stderr), (0, ""))
        data = [c for c in fake.named("insert") if c["insert"] == "t"]
        read = [c for c in fake.named("aggregate") if c["aggregate"] == "t" and in_transaction(c)]
        numbers = {c.get("txnNumber") for c in data + read + fake.named("commitTransaction")[-1:]}
        check("block: one transaction", len(data) == 2 and read and len(numbers) == 1 and all(in_transaction(c) for c in data), str(data + read))
        r = mtsql(fake.uri, "-c", "BEGIN", "-c", INSERT, "-c", "ROLLBACK")
        same("block rolled back: exit", (r.returncode, r.stderr), (0, ""))
        check("block rolled back: aborted", fake.named("abortTransaction"), "nothing was aborted")
        r = mtsql(fake.uri, "-c", "BEGIN", "-c", INSERT, "-c", "CREATE TABLE u (a int)")
        check("block: definitions behind what was written are refused", r.returncode == 3 and "in a transaction block that has written is not supported" in r.stderr, r.stderr)
        r = mtsql(fake.uri, "-c", "BEGIN ISOLATION LEVEL SERIALIZABLE")
        check("block: other levels are refused", r.returncode == 3 and "isolation level serializable is not supported" in r.stderr, r.stderr)
        r = mtsql(fake.uri, "-c", INSERT + " ON CONFLICT DO NOTHING")
        same("ON CONFLICT without a key", (r.returncode, r.stdout, r.stderr), (0, "INSERT 0 1\n", ""))
        r = mtsql(fake.uri, "-c", "CREATE TABLE k (id bigint PRIMARY KEY) USING rows", "-c", "BEGIN", "-c", "INSERT INTO k VALUES (1) ON CONFLICT DO NOTHING")
        check("block: ON CONFLICT is refused", r.returncode == 3 and "ON CONFLICT" in r.stderr and "not supported" in r.stderr, r.stderr)
        r = mtsql(fake.uri, "-c", "BEGIN", "-c", "SAVEPOINT s")
        check("block: savepoints are refused", r.returncode == 3 and "savepoints are not supported" in r.stderr, r.stderr)
        before = len(fake.named("insert"))
        r = mtsql(fake.uri, "-c", f"{INSERT}; {INSERT}")
        data = fake.named("insert")[before:]
        check("text: one transaction", r.returncode == 0 and len(data) == 2 and len({c["txnNumber"] for c in data}) == 1 and all(in_transaction(c) for c in data), str(data) + r.stderr)
        r = mtsql(fake.uri, "-c", f"{INSERT}; VACUUM")
        check("text: VACUUM is refused", r.returncode == 3 and "VACUUM cannot run inside a transaction block" in r.stderr, r.stderr)
    with Fake(keeping()) as fake:  # a server without a replica set
        r = mtsql(fake.uri, "-c", CREATE, "-c", "BEGIN", "-c", "SELECT count(*) FROM t", "-c", "COMMIT")
        same("block without transactions: reading", (r.returncode, r.stderr), (0, ""))
        r = mtsql(fake.uri, "-c", f"{INSERT}; DROP INDEX IF EXISTS i; SELECT 1 / 0")
        check("text without transactions: what can't be undone is told", r.returncode == 3 and "WARNING:  the statements before the failed one are committed" in r.stderr, r.stderr)
        r = mtsql(fake.uri, "-c", "SELECT 1; SELECT 1 / 0")
        check("text without transactions: where nothing was written there is nothing to tell", r.returncode == 3 and "WARNING" not in r.stderr, r.stderr)
        r = mtsql(fake.uri, "-c", "BEGIN", "-c", "EXPLAIN " + INSERT)
        check("block without transactions: EXPLAIN says so", r.returncode == 0 and "Commit: none: others see pieces, which ROLLBACK" in r.stdout, r.stdout + r.stderr)


def test_pieces_sent():
    """Statements that make or drop collections are no transaction. On a server without
    transactions, nothing is. Such steps are sent at once, and undone by name.
    """
    made = "CREATE TABLE u (a int)"
    add = "INSERT INTO u VALUES (1)"
    for name, answers in (("set", SET), ("server by itself", {})):
        with Fake({**answers, **keeping()}) as fake:
            r = mtsql(fake.uri, "-c", f"{made}; {add}; SELECT 1 / 0")
            check(f"{name}: text: fails", r.returncode == 3 and "division by zero" in r.stderr and "WARNING" not in r.stderr, r.stderr)
            same(f"{name}: text: in no transaction", [c for c in fake.named("insert") if in_transaction(c)], [])
            same(f"{name}: text: dropped", [c["drop"] for c in fake.named("drop")], ["u"])
            r = mtsql(fake.uri, "-c", "BEGIN", "-c", made, "-c", add)
            same(f"{name}: block left open: dropped", (r.returncode, [c["drop"] for c in fake.named("drop")]), (0, ["u", "u"]))
            r = mtsql(fake.uri, "-c", f"{made}; {add}")
            same(f"{name}: text: stays", (r.returncode, r.stderr, len(fake.named("drop"))), (0, "", 2))
            r = mtsql(fake.uri, "-c", f"DROP TABLE u; SELECT 1 / 0")
            same(f"{name}: text: a drop waits for the end", (r.returncode, len(fake.named("drop"))), (3, 2))
            r = mtsql(fake.uri, "-c", f"DROP TABLE u; SELECT 1")
            same(f"{name}: text: and comes then", (r.returncode, [c["drop"] for c in fake.named("drop")]), (0, ["u"] * 3))


def test_pieces(at):
    """A transaction in pieces: what others see of it, another session's table of the same name, and a
    writer that is killed in it.
    """
    uri = f"{at}/pieces?directConnection=true"
    db = pymongo.MongoClient(uri).get_default_database()
    same("pieces: made", mtsql(uri, "-c", f"{CREATE}; {ADD}; {INSERT}").returncode, 0)
    one, other = Session(uri), Session(uri)
    try:
        one.ask("BEGIN")
        one.ask("DROP TABLE t")
        same("pieces: collections stay until the end", (db["t"].count_documents({}), db["t_n"].count_documents({})), (1, 1))
        one.ask("CREATE TABLE t (a text)")
        one.ask("INSERT INTO t VALUES ('x')")
        same("pieces: the new table is seen", other.ask("SELECT a FROM t"), ["x"])
        same("pieces: what was dropped is listed nowhere", [line for line in other.ask("\\d") if "_mtsql_" in line], [])
        one.ask("ROLLBACK")
        same("pieces: the old one is back", other.ask("SELECT v FROM t"), ["1"])
        same("pieces: nothing else is left", sorted(db.list_collection_names()), ["_mtsql_catalog", "t", "t_n"])
        same("pieces: no intent", list(db["_mtsql_catalog"].find({"kind": "intent"})), [])
        one.ask("BEGIN")
        one.ask("CREATE TABLE u (a int)")
        same("pieces: a name is taken", [line.partition("ERROR:  ")[2] for line in other.ask("CREATE TABLE u (b int)")], ['relation "u" already exists'])
        one.ask("COMMIT")
        same("pieces: committed", (other.ask("SELECT count(*) FROM u"), other.ask("DROP TABLE u")), (["0"], []))
    finally:
        one.close()
        other.close()
    p = start(uri, "-q", "-c", "BEGIN", "-c", "DROP TABLE t", "-c", "CREATE TABLE v (a int)", "-c", "\\! kill -9 $PPID", "-c", "COMMIT")
    p.communicate(timeout=HANG_S)
    r = mtsql(uri, "-q", "-c", "SET intent_timeout = '500ms'", "-c", "CREATE TABLE t (a int)", "-c", "SELECT count(*) FROM t", "-c", "SELECT count(*) FROM v")
    same("pieces: of a killed client: the name can be used again", (r.returncode, r.stdout.count("0\n")), (0, 2))


def test_block(at):
    """On a server, others see all of a block or nothing. An error in the block takes all of it
    back.
    """
    uri = f"{at}/block?directConnection=true"
    db = pymongo.MongoClient(uri).get_default_database()
    same("block: made", mtsql(uri, "-c", CREATE, "-c", ADD, "-c", INSERT).returncode, 0)
    add = "INSERT INTO t VALUES ('2020-01-01', 'b', 2)"
    r = mtsql(uri, "-q", "-t", "-A", "-c", "BEGIN", "-c", add, "-c", "UPDATE t SET v = v + 10", "-c", "SELECT count(*), sum(v) FROM t", "-c", "ROLLBACK",
              "-c", "SELECT count(*), sum(v) FROM t")
    same("block: sees its own writes, and nothing of them after ROLLBACK", (r.returncode, r.stdout.split()), (0, ["2|23", "1|1"]))
    r = mtsql(uri, "-q", "-v", "ON_ERROR_STOP=0", "-c", "BEGIN", "-c", add, "-c", "SELECT 1 / 0", "-c", add, "-c", "COMMIT")
    check("block: a failing statement", r.returncode == 3 and "current transaction is aborted" in r.stderr, r.stderr)
    same("block: leaves nothing", (db["t"].count_documents({}), db["t_n"].count_documents({})), (1, 1))
    r = mtsql(uri, "-q", "-c", "BEGIN", "-c", add, "-c", "DELETE FROM t WHERE name = 'a'", "-c", "COMMIT")
    same("block: committed", (r.returncode, sorted(d["name"] for d in db["t"].find())), (0, ["b"]))
    same("block: made", mtsql(uri, "-c", "CREATE TABLE p (ts timestamptz TIME, name text DIMENSION, v text MEASURE) USING per_day").returncode, 0)
    r = mtsql(uri, "-q", "-t", "-A", "-c", "BEGIN", *[a for hour in (1, 2) for a in ("-c", f"INSERT INTO p VALUES ('2020-01-01 0{hour}:00', 'a', 'x')")], "-c", "SELECT count(*) FROM p", "-c", "COMMIT")
    same("block: a row goes to a document that the block has made", (r.returncode, r.stdout, r.stderr, db["p"].count_documents({})), (0, "2\n", "", 1))
    r = mtsql(uri, "-q", "-c", f"{add}; SELECT 1 / 0")
    check("text: an error undoes all of it", r.returncode == 3 and "division by zero" in r.stderr and db["t"].count_documents({}) == 1, r.stderr)
    r = mtsql(uri, "-q", "-t", "-A", "-c", f"{add}; SELECT count(*) FROM t; ROLLBACK")
    same("text: sees its own writes, and ROLLBACK undoes them", (r.returncode, r.stdout, db["t"].count_documents({})), (0, "2\n", 1))
    p = start(uri, "-q", "-c", "BEGIN", "-c", INSERT, "-c", "\\! kill -9 $PPID", "-c", "COMMIT")
    p.communicate(timeout=HANG_S)
    same("block: of a killed client", db["t"].count_documents({}), 1)


def test_answer_lost():
    """A repeated command has the same number, so that the server does it once. Before the commit
    nothing stays, and the error says so.
    """
    hits = "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, n bigint MEASURE COUNTER) USING daily_metrics"
    one = "INSERT INTO hits VALUES ('2020-01-01', 'a', 1)"
    cuts = iter([CUT])
    with Fake(SET | keeping()) as fake:
        def sent():
            return [c for c in fake.named("update") if c["update"] == "hits"]

        fake.answers["commitTransaction"] = lambda f, c: next(cuts, {"ok": 1.0}) if sent() else {"ok": 1.0}
        r = mtsql(fake.uri, "-c", hits, "-c", one)
        same("answer lost: of a commit", (r.returncode, r.stderr), (0, ""))
        numbers = [(str(c["lsid"]), c["txnNumber"]) for c in sent() + fake.named("commitTransaction")[-2:]]
        same("answer lost: the commit is sent again, and nothing else", (len(numbers), len(set(numbers))), (3, 1))
        r = mtsql(fake.uri, "-c", "EXPLAIN " + one)
        check("answer lost: EXPLAIN promises it", "one transaction up to 16 MB" in r.stdout and "done once" in r.stdout, r.stdout)
    kept, cuts = keeping(), iter([CUT])
    with Fake({**SET, **kept, "update": lambda f, c: c["update"] == "hits" and next(cuts, None) or kept["update"](f, c)}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "-c", hits, "-c", one)
        check("answer lost: within a transaction", r.returncode == 2 and "ERROR:  08006" in r.stderr and "nothing of it stays" in r.stderr, r.stderr)
        hit = [c for c in fake.named("update") if c["update"] == "hits"][-1]
        same("answer lost: which isn't committed", [c for c in fake.named("commitTransaction") if (c["lsid"], c["txnNumber"]) == (hit["lsid"], hit["txnNumber"])], [])


def test_batch_lost():
    """The same beyond a transaction's size: the server did a batch of increments, but its answer is
    lost.
    """
    kept, seen = keeping(), []

    def update(fake, command):
        if command["update"] != "hits":
            return kept["update"](fake, command)
        seen.append((str(command["lsid"]), command.get("txnNumber"), in_transaction(command)))
        return CUT if len(seen) == 2 else kept["update"](fake, command)

    with tempfile.TemporaryDirectory(prefix="mtsql-lost-") as folder, Fake({**SET, **kept, "update": update}) as fake:
        path = os.path.join(folder, "large.csv")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(f"2020-01-01 00:00:00+00,{chr(97 + i) * (1 << 20)},1\n" for i in range(18))
        r = mtsql(fake.uri, "-c", "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, n bigint MEASURE COUNTER) USING daily_metrics",
                  "-c", f"COPY hits FROM '{path}' WITH (FORMAT csv)")
        same("batch lost: exit", (r.returncode, r.stderr), (0, ""))
        same("batch lost: sent again under its number", (len(seen), seen[1] == seen[2], seen[0] == seen[1], seen[1][1] is not None), (3, True, False, True))
        same("batch lost: outside of transactions", {t for _, _, t in seen}, {False})


def test_large():
    """A step beyond the limit is no transaction. It is sent at once."""
    with tempfile.TemporaryDirectory(prefix="mtsql-large-") as folder, Fake(SET | keeping()) as fake:
        path = os.path.join(folder, "large.csv")
        with open(path, "w", encoding="utf-8") as f:
            for i in range(18):
                f.write(f"{1600000000 + i},{chr(97 + i) * (1 << 20)},1\n")
        r = mtsql(fake.uri, "-c", CREATE, "-c", f"COPY t FROM '{path}' WITH (EPOCH 's')")
        same("large: exit", (r.returncode, r.stderr), (0, ""))
        data = [c for c in fake.named("insert") if c["insert"] == "t"]
        check("large: several inserts", len(data) > 1, str(len(data)))
        same("large: outside of transactions", [in_transaction(c) for c in data], [False] * len(data))


def test_gives_way():
    """A transaction that only inserts, under its own _ids, runs again if the server refuses it in
    favour of another client: in a write, or at its end. If others can have the _ids, the error is
    of class 40.
    """
    def transient(code=112):
        return {**error(code, "WriteConflict", "WriteConflict error: this operation conflicted with another operation"), "errorLabels": ["TransientTransactionError"]}

    for where in "insert", "commitTransaction":
        kept, left = {**SET, **keeping()}, [2]

        def some(fake, command, where=where, kept=kept, left=left):
            if in_transaction(command) and left[0]:
                left[0] -= 1
                return transient()
            return kept.get(where, lambda f, c: {"ok": 1.0})(fake, command)

        with Fake({**kept, where: some}) as fake:
            r = mtsql(fake.uri, "-c", CREATE, "-c", ADD, "-c", INSERT)
            same(f"gives way in {where}: well", (r.returncode, r.stderr), (0, ""))
            data = [c for c in fake.named("insert") if in_transaction(c)]
            last = fake.named("commitTransaction")[-1]["txnNumber"]
            same(f"gives way in {where}: three transactions", len({c["txnNumber"] for c in data}), 3)
            same(f"gives way in {where}: all of it in the last", sorted(c["insert"] for c in data if c["txnNumber"] == last), ["t", "t_n"])
            same(f"gives way in {where}: the same documents", len({str(c["documents"]) for c in data if c["insert"] == "t"}), 1)
    for where in "insert", "commitTransaction":
        kept = keeping()
        with Fake({**SET, **kept, where: lambda f, c, kept=kept: transient() if in_transaction(c) else kept["insert"](f, c)}) as fake:
            p = start(fake.uri, "-v", "VERBOSITY=verbose", "-c", CREATE, "-c", INSERT)
            fake.wait_for(where, in_transaction)
            p.send_signal(signal.SIGINT)
            err = p.communicate(timeout=HANG_S)[1]
            same(f"gives way in {where} until the user has enough: exit", p.returncode, 3)
            check(f"gives way in {where} until the user has enough: error", "ERROR:  57014: canceling statement due to user request" in err and err.count("ERROR:") == 1, err)
    kept = keeping()
    with Fake({**SET, **kept, "insert": lambda f, c: transient() if in_transaction(c) else kept["insert"](f, c)}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "-c", CREATE.replace("rows", "per_day"), "-c", INSERT)
        data = [c for c in fake.named("insert") if in_transaction(c)]
        check("gives way: _ids of others", "ERROR:  40001" in r.stderr and len(data) == 1, r.stderr + str(data))


def test_sent_again():
    """Outside of transactions, documents that the server refused in favour of another client are
    sent again, with those after them; collections and indexes, too.
    """
    kept, tries = keeping(), []

    def insert(fake, command):
        if command["insert"] != "t":
            return kept["insert"](fake, command)
        tries.append([d["v"] for d in command["documents"]])
        if len(tries) == 1:
            return error(1, "InternalError", "deadlock detected")
        if len(tries) == 2:
            return {"n": 1, "ok": 1.0, "writeErrors": [{"index": 1, "code": 112, "errmsg": "WriteConflict"}]}
        return kept["insert"](fake, command)

    insert_all = "INSERT INTO t VALUES ('2020-01-01', 'a', 1), ('2020-01-02', 'b', 2), ('2020-01-03', 'c', 3)"
    with Fake({**kept, "insert": insert}) as fake:
        r = mtsql(fake.uri, "-c", CREATE, "-c", insert_all)
        same("sent again: well", (r.returncode, r.stderr), (0, ""))
        same("sent again: what wasn't done", tries, [[1, 2, 3], [1, 2, 3], [2, 3]])
    kept = keeping()

    def always(fake, command):
        if command["insert"] == "t":
            return {"n": 1, "ok": 1.0, "writeErrors": [{"index": 1, "code": 112, "errmsg": "WriteConflict"}]} if len(command["documents"]) > 1 else error(112, "WriteConflict", "no")
        return kept["insert"](fake, command)

    with Fake({**kept, "insert": always}) as fake:
        r = mtsql(fake.uri, "-v", "VERBOSITY=verbose", "-c", CREATE, "-c", insert_all)
        check("sent again for good: class 40", "ERROR:  40001: could not serialize access due to concurrent update" in r.stderr, r.stderr)
        check("sent again for good: what was done is undone", any(c["delete"] == "t" for c in fake.named("delete")), "nothing is deleted")
    kept, left = keeping(), {"create": 2, "createIndexes": 2}

    def giving_way(name):
        def answer(fake, command):
            if "parts_2020" in command[name] and left[name]:
                left[name] -= 1
                return error(112, "WriteConflict", "WriteConflict") if left[name] else error(1, "InternalError", "deadlock detected")
            return kept.get(name, lambda f, c: {"ok": 1.0})(fake, command)
        return answer

    with Fake({**kept, **{name: giving_way(name) for name in left}}) as fake:
        r = mtsql(fake.uri, "-c", CREATE.replace("TABLE t", "TABLE parts") + " WITH (partition_by = 'month')", "-c", "CREATE INDEX ON parts (name)",
                  "-c", "INSERT INTO parts VALUES ('2020-01-01', 'a', 1)")
        same("partitions: made at last", (r.returncode, r.stderr, left["create"]), (0, "", 0))
        same("partitions: the row is there", [c["documents"][0]["v"] for c in fake.named("insert") if c["insert"] == "parts_2020_01"], [1])
        same("partitions: with their index", left["createIndexes"], 0)


def test_cancelled():
    """Ctrl-C kills the session, and aborts the transaction."""
    with Fake({**SET, **keeping(), "insert": lambda f, c: SILENCE}) as fake:
        p = start(fake.uri, "-c", CREATE, "-c", INSERT)
        sent = fake.wait_for("insert", lambda c: c["insert"] == "t")
        p.send_signal(signal.SIGINT)
        _, err = p.communicate(timeout=HANG_S)
        same("cancelled: exit", p.returncode, 3)
        check("cancelled: error", "canceling statement due to user request" in err and "WARNING" not in err, err)
        check("cancelled: its session is killed", any(sent["lsid"] in c["killSessions"] for c in fake.named("killSessions")), str(fake.named("killSessions")))
        same("cancelled: nothing is undone in pieces", [c for c in fake.named("delete") if c["delete"] != "_mtsql_catalog"], [])


def test_all_or_nothing(at):
    """A reader never sees one layout without the other. A killed client leaves nothing."""
    uri = f"{at}/whole?directConnection=true"
    db = pymongo.MongoClient(uri).get_default_database()
    same("whole: made", mtsql(uri, "-c", CREATE, "-c", ADD).returncode, 0)
    seen, over = set(), threading.Event()

    def look():
        while not over.is_set():
            n = db["t_n"].count_documents({}), db["t"].count_documents({})  # a plain step writes t_n first
            seen.add(n[1] >= n[0])

    looker = threading.Thread(target=look)
    looker.start()
    for i in range(20):
        mtsql(uri, "-c", f"INSERT INTO t VALUES ('2020-01-01', 'b{i}', 1)")
    over.set()
    looker.join()
    same("whole: never one without the other", seen, {True})
    before = db["t"].count_documents({}), db["t_n"].count_documents({})
    r = mtsql(uri, "-c", "INSERT INTO t SELECT '2020-01-01'::timestamptz, 'c', 1 / (v - 1) FROM t")
    same("whole: a failing statement", r.returncode, 3)
    same("whole: leaves nothing", (db["t"].count_documents({}), db["t_n"].count_documents({})), before)


def test_change_killed(at):
    """UPDATE and DELETE of a client that is killed at any moment. Each is whole, in both layouts.
    What the client had open stays open on the server for a while, so each client has a database of
    its own.
    """
    rows = ", ".join(f"('2020-01-01 00:{i:02d}+00', 'k{i % 3}', 1)" for i in range(30))
    changes = ["UPDATE t SET v = v + 1", "DELETE FROM t WHERE name = 'k0'", "INSERT INTO t SELECT ts, 'k0', v FROM t WHERE name = 'k1' AND (SELECT count(*) FROM t) = 20"]
    rng = random.Random(7)
    for n in range(8):
        uri = f"{at}/changed{n}?directConnection=true"
        db = pymongo.MongoClient(uri).get_default_database()
        same("changed: made", mtsql(uri, "-c", CREATE, "-c", ADD, "-c", f"INSERT INTO t VALUES {rows}").returncode, 0)
        p = start(uri, "-q", *[word for i, sql in enumerate(changes * 100) for word in ("-c", sql, "-c", f"\\echo {i}")])
        for _ in range(rng.randrange(2, 20)):
            p.stdout.readline()
        time.sleep(rng.uniform(0, 0.03))
        p.kill()
        p.communicate()
        same(f"changed {n}: killed", p.returncode, -signal.SIGKILL)
        plain = sorted((d["name"], d["v"]) for d in db["t"].find())
        packed = sorted((r["d"], x["0"]) for d in db["t_n"].find() for ts in d["_"] for r in ts["_"] for x in r["v"])
        same(f"changed {n}: both layouts", plain, packed)
        check(f"changed {n}: one value, all rows or those that stay", len({v for _, v in plain}) == 1 and len(plain) in (30, 20), str(plain)[:300])
        check(f"changed {n}: something was changed", plain[0][1] > 1 or len(plain) < 30, str(plain)[:300])


def test_cut(at):
    """As failure_test.py's load, with fewer cuts: all of it or nothing, over a connection that
    breaks.
    """
    with tempfile.TemporaryDirectory(prefix="mtsql-cut-") as folder:
        uri, port = f"{at}/cut?directConnection=true", int(at.rpartition(":")[2])
        proxy = Proxy(port)
        failure_test.POINTS = 3
        failure_test.test_load(proxy, uri, uri.replace(f":{port}/", f":{proxy.port}/"), folder)


def main():
    for test in (test_sent, test_failing, test_block_sent, test_answer_lost, test_batch_lost, test_large, test_pieces_sent, test_gives_way, test_sent_again, test_cancelled):
        test()
    with Server("secantus", options=IN_SET) as at:
        rc = subprocess.run([BUILD / "tests/mongo_test"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(MTSQL_TEST_URI=at, MTSQL_TEST_ATOMIC="1")).returncode
        same("the engine's tests with transactions", rc, 0)
        for test in (test_all_or_nothing, test_block, test_pieces, test_change_killed, test_cut):
            test(at)
    return finish()


if __name__ == "__main__":
    sys.exit(main())

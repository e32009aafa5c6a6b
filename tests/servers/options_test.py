#!/usr/bin/env python3
"""The fields that accompany each command: session, comment, read preference and concern, name of
the program. And the way in which a large result is fetched.
"""
import sys
import time

from checks import check, mtsql, run, same
from fake import CUT, Fake, batch, empty_collection, hello, keeping

QUERY = "--aggregate", "events", '[{"$match": {"x": 1}}]'


def member(fake, command):
    here = f"127.0.0.1:{fake.port}"
    return {**hello(fake, command), "setName": "set", "hosts": [here], "me": here, "primary": here, "secondary": False}


def events(fake):
    return [c for c in fake.named("aggregate") if c["aggregate"] == "events"]


def test_plain():
    with Fake() as fake:
        r = mtsql(fake.uri, *QUERY)
        same("plain: exit", (r.returncode, r.stderr), (0, ""))
        sent = events(fake)[0]
        same("plain: sorts on disk", sent["allowDiskUse"], True)
        same("plain: the server's own batches", sent["cursor"], {})
        check("plain: comment", sent["comment"].startswith("mtsql "), str(sent))
        check("plain: no limit of time", "maxTimeMS" not in sent, str(sent))
        same("plain: one session for all", len({c["lsid"]["id"] for c in fake.named("aggregate") + fake.named("find")}), 1)
        same("plain: the program's name", fake.wait_for(next(iter(fake.commands[0][1])))["client"]["application"]["name"], "mtsql")
        check("plain: the session is ended", fake.named("endSessions"), "")


def test_options():
    """Options of aggregate are sent unchanged. explain wraps the command."""
    given = {"let": {"x": 1}, "hint": "_id_", "collation": {"locale": "de"}, "comment": "mine"}
    text = f"db.events.aggregate([], {{let: {{x: 1}}, hint: '_id_', collation: {{locale: 'de'}}, comment: 'mine', batchSize: 7, maxTimeMS: 50000}})"
    with Fake({"explain": lambda fake, c: {"ok": 1.0, "stages": [], "said": c["verbosity"]}}) as fake:
        same("options: exit", mtsql(fake.uri, "--aggregate", "", text).returncode, 0)
        sent = events(fake)[0]
        same("options: sent", {k: sent[k] for k in given}, given)
        same("options: the batch", sent["cursor"], {"batchSize": 7})
        check("options: the time", 40000 < sent["maxTimeMS"] <= 50000, str(sent))
        r = mtsql(fake.uri, "--explain", "--relaxed", "--aggregate", "", text)
        same("explain", (r.returncode, '"said":"executionStats"' in r.stdout, r.stderr), (0, True, ""))
        inner = fake.named("explain")[0]["explain"]
        same("explain: the command", (inner["aggregate"], inner["let"], inner["cursor"]), ("events", {"x": 1}, {"batchSize": 7}))


def test_uri():
    with Fake({"hello": member, "isMaster": member, "ismaster": member}) as fake:
        r = mtsql(fake.uri + "?readConcernLevel=majority&readPreference=secondaryPreferred&appName=reports", *QUERY)
        same("uri: exit", (r.returncode, r.stderr), (0, ""))
        sent = events(fake)[0]
        same("uri: read concern", sent["readConcern"]["level"], "majority")
        same("uri: read preference", sent["$readPreference"]["mode"], "secondaryPreferred")
        same("uri: the name given", fake.commands[0][1]["client"]["application"]["name"], "reports")


def test_retry():
    """A read is sent again if its answer is lost."""
    cuts = iter([CUT])

    def aggregate(fake, command):
        return next(cuts, batch("test.events", [{"n": 7}])) if command["aggregate"] == "events" else empty_collection(fake, command)

    with Fake({"hello": member, "isMaster": member, "ismaster": member, "aggregate": aggregate}) as fake:
        r = mtsql(fake.uri, *QUERY)
        same("retry: succeeds", (r.returncode, r.stdout, r.stderr), (0, '{"n":{"$numberInt":"7"}}\n', ""))
        same("retry: sent twice", len(events(fake)), 2)
    cuts = iter([CUT])
    with Fake({"hello": member, "isMaster": member, "ismaster": member, "aggregate": aggregate}) as fake:
        same("retry: not when the URI says so", mtsql(fake.uri + "?retryReads=false", *QUERY).returncode, 2)


def test_streams():
    """Rows arrive while the server goes on. mtsql asks for the second batch when the first one is
    used up, and not earlier.
    """
    asked = []

    def aggregate(fake, command):
        return batch("test.events", [{"n": 1}] * 101, cursor=9) if command["aggregate"] == "events" else empty_collection(fake, command)

    def more(fake, command):
        asked.append(command.get("batchSize"))
        return batch("test.events", [{"n": 1}] * 1000, cursor=9 if len(asked) < 3 else 0, name="nextBatch")

    with Fake({"aggregate": aggregate, "getMore": more}) as fake:
        r = mtsql(fake.uri, *QUERY)
        same("streams: all rows", r.stdout.count("\n"), 3101)
        same("streams: as large batches as the server likes", asked, [None, None, None])


def test_same_server():
    """The rest of a batch is fetched from the server that gave the batch."""
    def aggregate(fake, command):
        return batch("test.events", [{"n": 1}] * 101, cursor=9) if command["aggregate"] == "events" else empty_collection(fake, command)

    more = {"aggregate": aggregate, "getMore": lambda f, c: batch("test.events", [{"n": 1}] * 7, name="nextBatch")}
    with Fake(more) as first, Fake(more) as second:
        hosts = [f"127.0.0.1:{f.port}" for f in (first, second)]
        for one in (first, second):
            here = {"setName": "set", "hosts": hosts, "me": f"127.0.0.1:{one.port}", "primary": hosts[0], "isWritablePrimary": one is first, "ismaster": one is first, "secondary": one is second}
            one.answers.update({name: lambda f, c, here=here: {**hello(f, c), **here} for name in ("hello", "isMaster", "ismaster")})
        uri = f"mongodb://{','.join(hosts)}/test?replicaSet=set"
        r = mtsql(uri + "&readPreference=secondary", *QUERY)
        same("same server: all rows of the secondary", (r.returncode, r.stdout.count("\n"), r.stderr), (0, 108, ""))
        same("same server: it is asked for the rest", [(len(events(f)), len(f.named("getMore"))) for f in (first, second)], [(0, 0), (1, 1)])
        same("same server: all rows of the primary", mtsql(uri, *QUERY).stdout.count("\n"), 108)
        same("same server: which is asked for the rest", [(len(events(f)), len(f.named("getMore"))) for f in (first, second)], [(1, 1), (1, 1)])


def test_writes():
    """Ordered batches have the same comment, except for servers that refuse it."""
    create = "CREATE TABLE t (ts timestamptz TIME, v bigint MEASURE) USING rows"
    rows = "".join(f"2020-01-01,{i}\n" for i in range(25000))
    for wire in (21, 8):
        kept, first = keeping(), [0.5]  # the seconds of the first batch, in which mtsql reads more rows than a batch holds

        def insert(fake, command):
            if command["insert"] == "t" and first:
                time.sleep(first.pop())
            return kept["insert"](fake, command)

        with Fake({**kept, "insert": insert, **{k: lambda f, c: {**hello(f, c), "maxWireVersion": wire} for k in ("hello", "isMaster", "ismaster")}}) as fake:
            r = mtsql(fake.uri, "-c", create, "-c", "COPY t FROM STDIN WITH (FORMAT csv)", text=rows)
            same("writes: exit", (r.returncode, r.stderr), (0, ""))
            sent = [c for c in fake.named("insert") if c["insert"] == "t"]
            same("writes: all of them", sum(len(c["documents"]) for c in sent), 25000)
            same("writes: in batches of a thousand at most, fewer where the connection is idle", max(len(c["documents"]) for c in sent), 1000)
            same("writes: in order", {c["ordered"] for c in sent}, {True})
            same("writes: comment", ["comment" in c for c in sent], [wire > 8] * len(sent))


def test_no_sessions():
    """A server without sessions gets none."""
    with Fake({k: lambda f, c: {k: v for k, v in hello(f, c).items() if k != "logicalSessionTimeoutMinutes"} for k in ("hello", "isMaster", "ismaster")}) as fake:
        r = mtsql(fake.uri, *QUERY)
        same("no sessions: works", (r.returncode, r.stderr), (0, ""))
        same("no sessions: none sent", [c for _, c in fake.commands if "lsid" in c], [])


sys.exit(run(globals()))

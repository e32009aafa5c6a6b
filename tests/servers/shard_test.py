#!/usr/bin/env python3
"""A router of a sharded cluster (a scripted server that answers isdbgrid). Collections are sharded
as CREATE TABLE demands, and plans begin with the shard key.
"""
import sys

from checks import check, mtsql, run, same
from fake import Fake, hello, keeping

HISTORY = "CREATE TABLE history (ts timestamptz TIME, user_id bigint DIMENSION, tower text DIMENSION, v bigint MEASURE NOT NULL) USING rows WITH (shard_key = '{}')"
HITS = "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, n bigint MEASURE COUNTER) USING daily_metrics WITH (shard_key = '{}')"


def router(fake, command):
    return {**hello(fake, command), "msg": "isdbgrid"}


def mongos():
    return Fake({**keeping(), "hello": router, "isMaster": router, "ismaster": router})


def sharded(*statements):
    """Returns the commands to the router for these statements: {collection: key}, and the output.
    """
    with mongos() as fake:
        r = mtsql(fake.uri, *[a for s in statements for a in ("-c", s)])
        made = [c["create"] for c in fake.named("create")]
        asked = fake.named("shardCollection")
        for c in fake.named("enableSharding") + asked:
            same("sent to admin", c["$db"], "admin")
        same("enabled first", len(fake.named("enableSharding")), len(asked))
        order = [next(iter(c)) for _, c in fake.commands]
        check("made, then sharded", not asked or order.index("create") < order.index("enableSharding") < order.index("shardCollection"), str(order))
        check("only what was made", all(c["shardCollection"].split(".", 1)[1] in made for c in asked), f"{asked} {made}")
        return {c["shardCollection"]: c["key"] for c in asked}, r


def test_keys():
    for option, key in [("user_id, ts", {"user_id": 1, "ts": 1}), ("user_id hashed", {"user_id": "hashed"}), ("_id", {"_id": 1}), ("tower, user_id Hashed", {"tower": 1, "user_id": "hashed"})]:
        keys, r = sharded(HISTORY.format(option))
        same(f"{option}: exit", (r.returncode, r.stderr), (0, ""))
        same(f"{option}: key", keys, {"test.history": key})
        same(f"{option}: in order", list(keys.get("test.history", {})), list(key))
    keys, r = sharded(HITS.format("_id hashed"))
    same("counters", (keys, r.stderr), ({"test.hits": {"_id": "hashed"}}, ""))
    keys, r = sharded(HISTORY.format("_id"), "ALTER TABLE history ADD LAYOUT d USING per_day WITH (shard_key = '_id')")
    same("a further layout", (keys, r.stderr), ({"test.history": {"_id": 1}, "test.history_d": {"_id": 1}}, ""))
    keys, r = sharded("CREATE TABLE ids (id uuid PRIMARY KEY, name text, tags text[], doc jsonb) USING rows WITH (shard_key = 'id hashed')")
    same("a plain column", (keys, r.stderr), ({"test.ids": {"id": "hashed"}}, ""))
    for column in ("tags", "doc"):
        keys, r = sharded(f"CREATE TABLE ids (id uuid, tags text[], doc jsonb) USING rows WITH (shard_key = '{column}')")
        same(f"{column}: refused", (keys, r.returncode, f'can\'t be sharded by "{column}"' in r.stderr), ({}, 3, True))


def test_partitions():
    """Each partition is a collection, which is sharded when it is made. A query for one user's
    month reads that collection by the shard key.
    """
    with mongos() as fake:
        r = mtsql(fake.uri, "-c", HISTORY.format("user_id, ts").replace("WITH (", "WITH (partition_by = 'month', "), "-c", "INSERT INTO history VALUES ('2020-01-31', 7, 'x', 1), ('2020-02-01', 7, 'y', 2), ('2020-02-02', 8, 'y', 3)",
                  "-c", "SELECT tower, v FROM history WHERE user_id = 7 AND ts >= '2020-02-01' AND ts < '2020-03-01'")
        same("exit", (r.returncode, r.stderr), (0, ""))
        asked = {c["shardCollection"]: c["key"] for c in fake.named("shardCollection")}
        same("each of them", asked, {f"test.history_2020_0{month}": {"user_id": 1, "ts": 1} for month in (1, 2)})
        order = [(next(iter(c)), c[next(iter(c))]) for _, c in fake.commands]
        check("before its rows", all(order.index(("shardCollection", f"test.{n}")) < order.index(("insert", n)) for n in ("history_2020_01", "history_2020_02")), str(order))
        read = [c for c in fake.named("aggregate") if str(c["aggregate"]).startswith("history")]
        first = read[-1]["pipeline"][0].get("$match", {})
        check("read: one, by its key", {c["aggregate"] for c in read} == {"history_2020_02"} and first.get("user_id") == 7 and "ts" in first, str(read))


def test_refused():
    for option, wanted in [("user_id,, ts", "invalid value"), ("", "invalid value"), ("user_id hashed, ts hashed", "invalid value"), ("user_id first", "invalid value"), ("who", 'column "who" does not exist'), ("v", "can't be sharded by \"v\"")]:
        keys, r = sharded(HISTORY.format(option))
        same(f"'{option}': refused", (keys, r.returncode, wanted in r.stderr), ({}, 3, True))
    keys, r = sharded(HITS.format("metric"))
    check("counters by a field", not keys and r.returncode == 3 and "shard_key = '_id'" in r.stderr, r.stderr)
    keys, r = sharded(HISTORY.format("user_id"), "UPDATE history SET v = 1")
    check("UPDATE by columns", r.returncode == 3 and "UPDATE is not supported for table" in r.stderr and "is sharded by columns" in r.stderr and "Use DELETE and INSERT" in r.stderr, r.stderr)
    packed = '{"keeps": "records", "stores": [{"collection": "c", "write": "insert", "root": {"is": "document", "bind": [{"column": "k"}], "sub": {"is": "list", "at": "v", "raw": {"columns": {"x": "x"}}}}}]}'
    keys, r = sharded(f"CREATE LAYOUT packed AS '{packed}'", "CREATE TABLE p (k text DIMENSION, x int MEASURE) USING packed WITH (shard_key = 'k')", "DELETE FROM p WHERE x > 1")
    check("DELETE of packed rows by columns", r.returncode == 3 and "DELETE is not supported for table" in r.stderr and "hold several rows" in r.stderr, f"{keys} {r.stderr}")
    keys, r = sharded(HISTORY.format("user_id"), "INSERT INTO history VALUES ('2020-01-01', 7, 'x', 1)", "DELETE FROM history WHERE user_id = 7")
    same("DELETE of whole rows", (r.returncode, r.stderr), (0, ""))


def test_plans():
    """The shard key's columns are in the first $match, so the router reads only the shards that
    have them.
    """
    with mongos() as fake:
        mtsql(fake.uri, "-c", HISTORY.format("user_id, ts"), "-c",
              "SELECT tower, sum(v) FROM history WHERE tower <> 'x' AND user_id = 7 AND ts >= '2020-01-01' GROUP BY tower HAVING sum(v) > 1")
        first = [c["pipeline"][0] for c in fake.named("aggregate") if c["aggregate"] == "history" and c["pipeline"]][-1]
        check("rows: user and time", "$match" in first and first["$match"].get("user_id") == 7 and "$gte" in first["$match"].get("ts", {}), str(first))
        mtsql(fake.uri, "-c", HITS.format("_id"), "-c", "SELECT sum(n) FROM hits WHERE metric = 'm' AND ts >= '2020-01-01' AND ts < '2020-01-02'")
        first = [c["pipeline"][0] for c in fake.named("aggregate") if c["aggregate"] == "hits" and c["pipeline"]][-1]
        check("counters: _id", "$match" in first and "_id" in str(first["$match"]) and "20200101/m" in str(first["$match"]), str(first))


def test_elsewhere():
    with Fake(keeping()) as fake:
        r = mtsql(fake.uri, "-c", HISTORY.format("user_id"))
        same("no router: nothing is asked for", (r.returncode, fake.named("shardCollection")), (0, []))
        check("no router: it is told", "is not sharded" in r.stderr, r.stderr)


sys.exit(run(globals()))

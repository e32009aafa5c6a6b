"""Packed documents of calls as other software writes them: one for each record, one for each
combination and day, nested by application, one for each minute.
"""
import datetime
import random
from collections import defaultdict

from bson.int64 import Int64

FIRST, PERIOD = 1428777120, 60

# The declarations of the collections for mtsql. They are the same, whichever way the documents were
# written.
COLUMNS = "iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE NOT NULL"
DECLARE = {
    "by_row": f"CREATE TABLE rows (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', {COLUMNS}) USING rows WITH (collection = 'by_row')",
    "per_day": f"CREATE TABLE days (ts timestamptz TIME PERIOD '60 s', {COLUMNS}) USING per_day WITH (collection = 'per_day')",
    "nested": f"CREATE TABLE packed (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', {COLUMNS}) USING nested WITH (collection = 'nested', cluster_by = 'vAppid', "
              "levels = 'ts, iResult, vCmdid', presum = 'ts')",
    "memory": "CREATE TABLE memory (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE) USING minute WITH (collection = 'memory')",
}


def records(count=1500, seed=3):
    """Returns (timestamp, iResult, vCmdid, vAppid, totalCount, dProcessTime). One combination may
    come several times in a period.
    """
    rng = random.Random(seed)
    apps = ["wxa8", "appid1", "", "a.b$c", "应用", 'q"\\'] + [f"wx{i:04x}" for i in range(20)]
    return [(FIRST + PERIOD * rng.randrange(30), rng.choice(["0", "0", "-502", "200"]), rng.choice(["16", "18", "10000", "10001"]), rng.choice(apps), rng.randint(1, 9),
             float(rng.randint(0, 400))) for _ in range(count)]


def by_row(rows):
    return [{"_id": i, "timestamp": t, "iResult": r, "vCmdid": c, "vAppid": a, "totalCount": n, "dProcessTime": ms} for i, (t, r, c, a, n, ms) in enumerate(rows)]


def per_day(rows):
    days = {}
    for t, r, c, a, n, ms in rows:
        day = float(t // 86400 * 86400)
        doc = days.setdefault((day, a, c, r), {"_id": f"{day:.0f}.{a}.{c}.{r}", "iResult": r, "vCmdid": c, "vAppid": a, "date": day, "timestamp": float(t), "values": []})
        doc["values"].append({"t": t, "0": ms, "1": n})
    return list(days.values())


def nested(rows):
    apps, docs = defaultdict(lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(list)))), []
    for t, r, c, a, n, ms in sorted(rows):
        apps[a][t][r][c].append((n, ms))
    for i, (app, times) in enumerate(apps.items()):
        levels = []
        for t, results in times.items():
            own = [v for cmds in results.values() for vs in cmds.values() for v in vs]
            below = [{"d": r, "_": [{"d": c, "v": [{"0": n, "1": ms} for n, ms in vs]} for c, vs in cmds.items()]} for r, cmds in results.items()]
            levels.append({"d": float(t), "c": len(own), "0": sum(n for n, _ in own), "1": sum(ms for _, ms in own), "_": below})
        docs.append({"_id": i, "vAppid": app, "count": sum(x["c"] for x in levels), "min_timestamp": min(times), "max_timestamp": max(times),
                     "sum_totalCount": sum(x["0"] for x in levels), "sum_dProcessTime": sum(x["1"] for x in levels), "_": levels})
    return docs


def memory():
    start = datetime.datetime.fromtimestamp(FIRST, datetime.timezone.utc)
    return [{"_id": i, "timestamp_minute": start + datetime.timedelta(minutes=i), "num_samples": 58, "total_samples": Int64(58000000), "type": "memory_used",
             "values": {str(s): 1000000 for s in range(58)}} for i in range(5)]


def collections(rows):
    return {"by_row": by_row(rows), "per_day": per_day(rows), "nested": nested(rows), "memory": memory()}

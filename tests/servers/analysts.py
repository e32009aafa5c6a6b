"""The queries of pushdown.sql, and the documents that they read."""
import datetime
import os
import re

import bson
import pymongo

START = datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone.utc)
# Documents that other programs wrote, and that nobody declared
PLAIN = {
    "hosts": [{"_id": i, "name": f"h{i}", "at": {"room": "cellar" if i % 3 else "attic"}, "tags": ["web", "db"][:2 - i % 2], "cores": bson.Int64(2 * i)} for i in range(1, 9)],
    "events": [{"_id": i, "time": START + datetime.timedelta(minutes=17 * i), "host": f"h{i % 6 + 1}", "ms": i * 0.25 if i % 11 else None, "uid": bson.Int64(i * i % 37),
                **({"level": ["info", "warn", "error"][i % 4]} if i % 4 < 3 else {})} for i in range(200)],
}


def listed():
    """Returns the statements that set up, and {name: query}."""
    with open(os.path.join(os.path.dirname(__file__), "pushdown.sql"), encoding="utf-8") as f:
        parts = re.findall(r"^-- (.+)\n((?:[^-].*\n)+)", f.read(), re.M)
    setup = [s for name, text in parts if name.startswith("set-up") for s in text.rstrip(";\n").split(";\n")]
    return setup, {name: text.rstrip(";\n") for name, text in parts if not name.startswith("set-up")}


def fill(target):
    with pymongo.MongoClient(target) as client:
        for name, docs in PLAIN.items():
            client.get_default_database()[name].insert_many(docs)

"""What the tests of pipelines share: documents as text, for comparing."""
import json

from bson import json_util

OPTIONS = json_util.JSONOptions(json_mode=json_util.JSONMode.CANONICAL, tz_aware=True)


def canonical(doc):
    return json_util.dumps(doc, json_options=OPTIONS)


def relaxed(text):
    """Returns a document where numbers of another width are equal, because servers choose int32 and
    int64 differently.
    """
    def number(d):
        for k in ("$numberInt", "$numberLong"):
            if k in d:
                return int(d[k])
        if "$numberDouble" in d:
            f = float(d["$numberDouble"])
            return f if f != f or f in (float("inf"), float("-inf")) or f != int(f) else int(f)
        return d
    return json.dumps(json.loads(text, object_hook=number))

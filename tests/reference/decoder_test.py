#!/usr/bin/env python3
"""The reference decoder on documents written by hand: the examples of docs/lemma.md, as other
software stores them.
"""
import datetime
import bson
import os
import re
import sys
import json

import decoder

sys.path.insert(0, os.path.dirname(__file__) + "/../lib")
from cases import run
from paths import ROOT

UTC = datetime.timezone.utc
CALLS = decoder.Table({"ts": "timestamptz", "iResult": "text", "vCmdid": "text", "vAppid": "text", "totalCount": "bigint", "dProcessTime": "double precision"},
                      "ts", {"ts": "timestamp"}, 60_000)
T = 1428777120


def layouts():
    """Returns the descriptors printed in docs/lemma.md, by collection."""
    text = (ROOT / "docs" / "lemma.md").read_text(encoding="utf-8").split("## 6. Examples")[1]
    found = {}
    for block in re.findall(r"(?:^    .*\n)+", text, re.M):
        layout = json.loads(block)
        found[layout["stores"][0]["collection"]] = layout["stores"]
    return found


STORE_LISTS = layouts()
STORES = {name: stores[0] for name, stores in STORE_LISTS.items()}


def call(t, result, cmd, app, total, ms):
    return {"ts": t * 1000, "iResult": result, "vCmdid": cmd, "vAppid": app, "totalCount": total, "dProcessTime": float(ms)}


def same(got, expected):
    key = lambda r: sorted((k, str(v)) for k, v in r.items())
    assert sorted(got, key=key) == sorted(expected, key=key), (got, expected)


def test_rows():
    docs = [{"_id": 1, "timestamp": T, "iResult": "-502", "vCmdid": "10000", "vAppid": "wxa8", "totalCount": 1, "dProcessTime": 41},
            {"_id": 2, "timestamp": float(T), "iResult": "", "vCmdid": "18", "totalCount": 2.0, "dProcessTime": 7}]
    same(decoder.records(CALLS, STORES["calls"], docs), [call(T, "-502", "10000", "wxa8", 1, 41), call(T, "", "18", None, 2, 7)])


def test_per_day():
    doc = {"_id": "1428710400.wxa8.10000.-502", "iResult": "-502", "vCmdid": "10000", "vAppid": "wxa8", "date": 1428710400.0, "timestamp": float(T),
           "values": [{"t": T, "0": 41, "1": 1}, {"t": T + 60, "0": 2, "1": 3}]}
    same(decoder.records(CALLS, STORES["calls_day"], [doc]), [call(T, "-502", "10000", "wxa8", 1, 41), call(T + 60, "-502", "10000", "wxa8", 3, 2)])


HITS = decoder.Table({"ts": "timestamptz", "metric": "text", "hits": "bigint"}, "ts", {}, 60_000)
SAMPLES = decoder.Table({"ts": "timestamptz", "item": "text", "grp": "text", "host": "text", "total": "bigint"}, "ts", {}, 60_000)
DAY = 1286668800000  # 2010-10-10


def test_ids():
    """The id counts if the metadata say something else, or name it otherwise."""
    doc = {"_id": "20101010/a/b%25", "metadata": {"date": datetime.datetime(2000, 10, 10, tzinfo=UTC), "measure": "x"}, "daily": 5, "hourly": {"00": 5},
           "minute": {"0000": 2, "61": 3, "1439": 0}}
    assert decoder.sums(HITS, STORES["daily_by_id"], [doc], ["metric"]) == {("a/b%", DAY): {"n": None, "hits": 2}, ("a/b%", DAY + 61 * 60_000): {"n": None, "hits": 3}}
    for wrong in ("20101010", "20101010a/b", "2010101/a", "20101310/a", 20101010):
        try:
            decoder.sums(HITS, STORES["daily_by_id"], [{**doc, "_id": wrong}], ["metric"])
        except (decoder.Malformed, ValueError):
            continue
        raise AssertionError(wrong)


def test_months():
    one = {"_id": "201106-virtual%2Dsize-mem-1499f2", "d": {"1": {"0": {"t": 4, "n": 2}}, "30": {"23": {"t": 0, "n": 1}, "22": {"t": 0, "n": 0}}}}
    hour = decoder.Table(SAMPLES.columns, "ts", {}, 3_600_000)
    key = ("virtual-size", "mem", "1499f2")
    june = 1306886400000
    got = decoder.sums(hour, STORE_LISTS["samples"][1], [one], ["item", "grp", "host"])
    assert got == {key + (june,): {"n": 2, "total": 4}, key + (june + (29 * 24 + 23) * 3_600_000,): {"n": 1, "total": 0}}, got
    try:
        decoder.sums(hour, STORE_LISTS["samples"][1], [{**one, "d": {"31": {"0": {"t": 1, "n": 1}}}}], ["item", "grp", "host"])
    except decoder.Malformed:
        return
    raise AssertionError("June has no 31st")


def test_made_beforehand():
    """Slots of times that do not exist are no fault as long as they counted nothing."""
    hour = decoder.Table(SAMPLES.columns, "ts", {}, 3_600_000)
    doc = {"_id": "201106-bits-mem-00ff", "d": {"1": {"0": {"t": 4, "n": 2}, "24": {"t": 0, "n": 0}, "1": None, "2": {}}, "31": {"0": {"t": 0, "n": 0}}, "32": {}, "33": None}}
    key = ("bits", "mem", "00ff", 1306886400000)
    assert decoder.sums(hour, STORE_LISTS["samples"][1], [doc], ["item", "grp", "host"]) == {key: {"n": 2, "total": 4}}
    for wrong in ({"31": {"0": {"t": 1, "n": 1}}}, {"31": {"x": {"t": 0, "n": 0}}}, {"31": "soon"}):
        try:
            decoder.sums(hour, STORE_LISTS["samples"][1], [{**doc, "d": wrong}], ["item", "grp", "host"])
        except decoder.Malformed:
            continue
        raise AssertionError(wrong)


def nested():
    return {"_id": 1, "vAppid": "appid1", "count": 4, "min_timestamp": T, "max_timestamp": T, "sum_totalCount": 4, "sum_dProcessTime": 69,
            "_": [{"d": float(T), "c": 4, "0": 4, "1": 69, "_": [{"d": "0", "_": [
                {"d": "16", "v": [{"1": 41, "0": 1}]}, {"d": "10000", "v": [{"1": 1, "0": 1}, {"1": 1, "0": 1}]}, {"d": "18", "v": [{"1": 26, "0": 1}]}]}]}]}


def test_nested():
    one = [call(T, "0", "10000", "appid1", 1, 1)]
    same(decoder.records(CALLS, STORES["calls_nested"], [nested()]), [call(T, "0", "16", "appid1", 1, 41), call(T, "0", "18", "appid1", 1, 26)] + one + one)
    assert decoder.check(CALLS, STORES["calls_nested"], [nested()]) == []


def test_pairs_and_arrays():
    table = decoder.Table({"ts": "timestamptz", "type": "text", "value": "double precision"}, "ts")
    want = [{"ts": T * 1000, "type": "a", "value": 1.5}, {"ts": T * 1000 + 1, "type": "a", "value": None}]
    pairs = {"_id": 1, "type": "a", "samples": [[T * 1000, 1.5], [T * 1000 + 1, None]]}
    arrays = {"_id": 1, "type": "a", "t": [bson.DatetimeMS(T * 1000), bson.DatetimeMS(T * 1000 + 1)], "v": [1.5, None]}
    same(decoder.records(table, STORES["pairs"], [pairs]), want)
    same(decoder.records(table, STORES["arrays"], [arrays]), want)
    for store, wrong in (("pairs", {**pairs, "samples": [[1]]}), ("pairs", {**pairs, "samples": [1]}), ("arrays", {**arrays, "v": [1.5]}), ("arrays", {**arrays, "v": None})):
        try:
            decoder.records(table, STORES[store], [wrong])
        except decoder.Malformed:
            continue
        raise AssertionError(wrong)


def test_mutated_sum():
    for path, key in (((), "count"), (("_", 0), "c"), (("_", 0), "1"), ((), "min_timestamp")):
        doc = nested()
        at = doc
        for p in path:
            at = at[p]
        at[key] += 1
        assert len(decoder.check(CALLS, STORES["calls_nested"], [doc])) == 1, key


def test_minute():
    table = decoder.Table({"ts": "timestamptz", "type": "text", "value": "bigint"}, "ts", {}, 1000)
    doc = {"_id": 1, "timestamp_minute": datetime.datetime(2013, 10, 10, 23, 6, tzinfo=UTC), "num_samples": 2, "total_samples": 15, "type": "memory_used", "values": {"0": 5, "59": 10}}
    start = 1381446360000
    same(decoder.records(table, STORES["memory"], [doc]), [{"ts": start, "type": "memory_used", "value": 5}, {"ts": start + 59000, "type": "memory_used", "value": 10}])
    assert decoder.check(table, STORES["memory"], [doc]) == []


def test_slots():
    table = decoder.Table({"ts": "timestamptz", "metric": "text", "hits": "bigint"}, "ts", {}, 60_000)
    doc = {"_id": 1, "day": datetime.datetime(2024, 3, 1, tzinfo=UTC), "metric": "m", "m": [None, 4, 0, 7]}
    day = 1709251200000
    assert decoder.sums(table, STORES["slots"], [doc], ["metric"]) == {("m", day + 60_000): {"n": None, "hits": 4}, ("m", day + 180_000): {"n": None, "hits": 7}}


def test_map_above_map():
    table = decoder.Table({"ts": "timestamptz", "host": "text", "region": "text", "total": "bigint"}, "ts", {}, 3_600_000)
    doc = {"_id": 1, "day": "20240301", "host": "h", "r": {"eu": {"h": {"00": {"n": 2, "t": 5}, "13": {"n": 0, "t": 0}}}, "": {"h": {"7": {"n": 1, "t": 1}}}}}
    day = 1709251200000
    assert decoder.sums(table, STORES["by_region"], [doc], ["host", "region"]) == {
        ("h", "eu", day): {"n": 2, "total": 5}, ("h", "", day + 7 * 3_600_000): {"n": 1, "total": 1}}


def test_counters():
    table = decoder.Table({"ts": "timestamptz", "metric": "text", "hits": "bigint"}, "ts", {}, 60_000)
    doc = {"_id": "20101010/m", "metadata": {"date": datetime.datetime(2010, 10, 10, tzinfo=UTC), "metric": "m"}, "daily": 9, "hourly": {"00": 0, "01": 9},
           "minute": {"00": {"00": 0}, "01": {"05": 4, "59": 5}}}
    hour = 1286668800000 + 3_600_000
    assert decoder.sums(table, STORES["daily"], [doc], ["metric"]) == {("m", hour + 5 * 60_000): {"n": None, "hits": 4}, ("m", hour + 59 * 60_000): {"n": None, "hits": 5}}


def test_malformed():
    bad = [dict(nested(), _=3), dict(nested(), _=[{"d": "soon"}])]
    for doc in bad:
        try:
            decoder.records(CALLS, STORES["calls_nested"], [doc])
        except decoder.Malformed:
            continue
        raise AssertionError(doc)


sys.exit(run(globals()))

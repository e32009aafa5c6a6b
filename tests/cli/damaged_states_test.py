#!/usr/bin/env python3
"""Damaged states of two-step aggregates. Each function that reads a state gives a result or one
error, and the program goes on.

    damaged_states_test.py [--cases N] [--seed S]
"""
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
import randoms
from cases import check, finish
from paths import MTSQL

POINTS = "(VALUES (timestamptz '2020-01-01 00:00', 10.0::float8, 'a'), ('2020-01-01 00:01', 20, 'b'), ('2020-01-01 00:03', 5, 'b'), ('2020-01-01 00:04', -7.5, 'c')) AS t (ts, v, s)"
# type -> aggregates that return it
SEEDS = {
    "statssummary1d": ["stats_agg(v)"],
    "statssummary2d": ["stats_agg(v, v)"],
    "countersummary": ["counter_agg(ts, v)", "with_bounds(counter_agg(ts, v), '2020-01-01', '2020-01-02')"],
    "gaugesummary": ["gauge_agg(ts, v)"],
    "timeweightsummary": ["time_weight('LOCF', ts, v)", "time_weight('linear', ts, v)"],
    "stateagg": ["state_agg(ts, s)", "state_agg(ts, v::bigint)"],
    "compactstateagg": ["compact_state_agg(ts, s)", "compact_state_agg(ts, v::bigint)"],
    "heartbeatagg": ["heartbeat_agg(ts, '2020-01-01 00:00', '10 min', '90 s')"],
    "uddsketch": ["percentile_agg(v)", "uddsketch(20, 0.01, v)"],
    "tdigest": ["tdigest(20, v)"],
    "hyperloglog": ["hyperloglog(16, s)", "hyperloglog(64, v)"],
    "minmaxnints": ["min_n(v::bigint, 3)", "max_n(v::bigint, 3)"],
    "minmaxnfloats": ["min_n(v, 3)", "max_n(v, 3)"],
    "minmaxntimes": ["min_n(ts, 3)"],
    "minmaxnbyints": ["min_n_by(v::bigint, s, 3)"],
    "minmaxnbyfloats": ["max_n_by(v, s, 3)"],
    "minmaxnbytimes": ["max_n_by(ts, v, 3)"],
    "spacesavingbigintaggregate": ["freq_agg(0.1, v::bigint)"],
    "spacesavingtextaggregate": ["mcv_agg(2, s)"],
    "spacesavingaggregate": ["raw_freq_agg(0.1, v)"],
    "countminsketch": ["count_min_sketch(s, 0.1, 0.9)"],
    "candlestick": ["candlestick_agg(ts, v, v)", "ohlc(ts, v)"],
}
# the arguments beside a state, by type
OTHERS = {"text": ["'sample'", "'second'", "'prometheus'", "'a'"], "double precision": ["0.5", "'NaN'", "-1e300"], "double precision[]": ["'{0,0.5,1}'"], "integer": ["3", "0", "-1"],
          "bigint": ["3", "-1"], "interval": ["'5 min'", "'-1 mon'"], "timestamp with time zone": ["'2020-01-01'", "'infinity'"], "anyelement": ["'a'::text", "1", "now()"], "any": ["'a'::text", "1"]}
NUMBERS = [0, -1, 1, 2, 1e308, -1e308, 0.5, 2**31, 2**62, -(2**62), {"$numberDouble": "NaN"}, {"$numberDouble": "Infinity"}, {"$numberDouble": "-Infinity"}, {"$numberDecimal": "1E+6000"}]
OTHER_VALUES = [None, "", "x", True, [], {}, [1], {"t": 1}, {"$date": "1960-01-01T00:00:00Z"}, {"$date": {"$numberLong": "9223372036854775807"}},
                {"$binary": {"base64": "AAECAwQFBgc=", "subType": "00"}}, {"$binary": {"base64": "", "subType": "00"}}]


def run(statements):
    return subprocess.run([MTSQL, "-XAtq", "-v", "ON_ERROR_STOP=0", "-v", "VERBOSITY=verbose"], input="\n".join(statements), capture_output=True, text=True)


def places(value, path=()):
    """Returns the paths of all fields and elements below k and v."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, child in items:
        if path or key not in ("k", "v"):
            yield path + (key,)
            if not (isinstance(child, dict) and any(k.startswith("$") for k in child)):
                yield from places(child, path + (key,))


def damaged(rng, state):
    """Returns a copy with one to three faults."""
    state = json.loads(json.dumps(state))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        path = rng.choice(list(places(state)) or [("n",)])
        parent = state
        for key in path[:-1]:
            parent = parent[key]
        kind = rng.random()
        if kind < 0.2:
            del parent[path[-1]]
        elif kind < 0.3 and isinstance(parent, list):
            rng.shuffle(parent)
        elif kind < 0.4 and isinstance(parent, list):
            parent *= 2
        elif kind < 0.75:
            parent[path[-1]] = rng.choice(NUMBERS)
        else:
            parent[path[-1]] = rng.choice(OTHER_VALUES)
        if not list(places(state)):
            break
    return state


def literal(value):
    return "'" + json.dumps(value).replace("'", "''") + "'"


def functions():
    """Returns type -> (name, types of all arguments) of the functions and aggregates that take it.
    """
    r = run(["SELECT proname, (SELECT string_agg(format_type(o, NULL), ', ') FROM unnest(proargtypes) AS o) FROM pg_proc ORDER BY 1, 2;", "SELECT typname FROM pg_type WHERE oid BETWEEN 90003 AND 90099 ORDER BY 1;"])
    rows = [line.split("|") for line in r.stdout.splitlines()]
    types = [row[0] for row in rows if len(row) == 1]
    calls = [(row[0], row[1].split(", ")) for row in rows if len(row) == 2]
    return {t: [c for c in calls if t in c[1] and c[0] not in ("text", "jsonb")] for t in types}


def call(rng, name, types, state, states):
    args = []
    for t in types:
        if t in states:
            args.append(f"{literal(damaged(rng, state) if rng.random() < 0.9 else state)}::{t}" if rng.random() < 0.95 else f"NULL::{t}")
        else:
            args.append(rng.choice(OTHERS.get(t, ["NULL"])))
    if name == "rollup":  # with one state only, it returns that state unread
        return f"SELECT rollup(s) FROM (VALUES ({args[0]}), ({args[0]})) AS t (s);"
    return f"SELECT {name}({', '.join(args)});"


def main():
    args = randoms.options("cases", 400).parse_args()
    known, rng = functions(), random.Random(args.seed)
    check("every type of states is tried", sorted(known) == sorted(SEEDS), f"{sorted(known)}\n{sorted(SEEDS)}")
    for t in sorted(set(known) & set(SEEDS)):
        check(f"{t}: functions", any(name == "rollup" for name, _ in known[t]) and len(known[t]) > 1, str(known[t]))
        for aggregate in SEEDS[t]:
            made = run([f"SELECT {aggregate} FROM {POINTS};"]).stdout
            check(f"{aggregate}: a state", made.startswith('{"k": "' + t), made)
            statements = [call(rng, *rng.choice(known[t]), json.loads(made), known) for _ in range(args.cases)]
            r = run(statements + ["SELECT 'still here';"])
            check(f"{aggregate} (--seed {args.seed}): the program goes on", r.returncode in (0, 3) and r.stdout.endswith("still here\n"), f"{r.returncode} {r.stdout[-200:]} {r.stderr[-800:]}")
            strange = [line for line in r.stderr.splitlines() if "ERROR:" in line and not re.search(r"ERROR:  (XX001|22\w{3}|42804|0A000|54000)", line)]
            check(f"{aggregate}: errors", not strange, "\n".join(strange[:3] + statements[:1]))
            check(f"{aggregate}: some are refused, some are read", "XX001" in r.stderr and len(r.stdout.splitlines()) > 1, r.stderr[:300])
    return finish()


sys.exit(main())

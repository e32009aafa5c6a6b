#!/usr/bin/env python3
"""The queries of pushdown.sql give the same rows in process and on a server, and run on the server
as recorded. EXPLAIN's text, pasted into the real mongosh, gives the documents that mtsql fetches.

    pushdown_test.py [SERVER] [--accept]

pushdown.csv has a row for each query and server. --accept writes the rows of this server. `make
reference` makes docs/reference/pushdown.md of them.
"""
import csv
import json
import os
import re
import sys
import tempfile

import bson
from analysts import PLAIN, fill, listed
from bson import json_util
from checks import check, finish, same
from pasting import command, documents, normal, paste, piped, raw
from server import HERE, SERVERS, chosen, database
import mtsql

RECORDED = os.path.join(HERE, "pushdown.csv")
WHOLE = ("", "on request")  # with require_full_pushdown; without it, mtsql takes a cheaper plan
HEAD = ["query", "server", "in process", "documents", "bytes"]


def in_process(setup, queries):
    """Returns the answers in process. Undeclared collections are read from a folder of files, which
    is read-only.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, docs in PLAIN.items():
            with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as f:
                f.writelines(json_util.dumps(d, json_options=json_util.CANONICAL_JSON_OPTIONS) + "\n" for d in docs)
        plain = [name for name in queries if name.startswith("plain")]
        answers = dict(zip(plain, mtsql.run([queries[name] for name in plain], folder)))
    others = [name for name in queries if name not in answers]
    made = mtsql.run(setup + [queries[name] for name in others])
    for a in made[:len(setup)]:
        a.must()
    return {**answers, **dict(zip(others, made[len(setup):]))}


def on_server(target, setup, queries):
    """Returns name -> (its answer, what mtsql does in place of the server, the text to paste, its
    plan as JSON). If a server can run a query wholly, the plan is the one that does so.
    """
    fill(target)
    forms = (str, "EXPLAIN {}".format, "EXPLAIN (FORMAT JSON) {}".format)
    asked = [f(q) for q in queries.values() for f in forms]
    answers = mtsql.run([*setup, *asked, "SET require_full_pushdown = on", *asked], target)
    for a in answers[:len(setup)]:
        a.must()
    plain, full = answers[len(setup):len(setup) + len(asked)], answers[-len(asked):]
    text = lambda answer: "\n".join(r[0] for r in answer.must())
    found = {}
    for i, name in enumerate(queries):
        usual, required = plain[3 * i:3 * i + 3], full[3 * i:3 * i + 3]
        whole = required[0].error is None
        plan = required if whole else usual
        if whole:
            same(f"rows if required: {name}", required[0].rows, usual[0].rows)
        on_request = whole and "in_process\": true" in text(usual[2])
        found[name] = (usual[0], "on request" if on_request else reason(required[0]), piped(text(plan[1])), json.loads(text(plan[2]))[0])
    return found


def reason(answer):
    """Returns in a few words what mtsql does in place of the server, or "" if the server does
    everything.
    """
    if answer.error is None:
        return ""
    found = re.search(r"DETAIL:  The server can't .*: (only mtsql has|it lacks) (\$\w+)", answer.error)
    return f"{'own' if found[1].startswith('only') else 'lacks'} {found[2]}" if found else answer.error


def shown(line):
    """Returns the documents that mongosh printed, or its error."""
    try:
        return normal(documents(line))
    except ValueError:
        return line


def recorded():
    if not os.path.exists(RECORDED):
        return []
    with open(RECORDED, encoding="utf-8", newline="") as f:
        return list(csv.reader(f))[1:]


def compare(server, names, rows):
    """Compares the rows with those recorded for this server, or records them."""
    others = [r for r in recorded() if r[1] != server]
    if "--accept" in sys.argv:
        at = {name: i for i, name in enumerate(names)}
        with open(RECORDED, "w", encoding="utf-8", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows([HEAD] + sorted(others + rows, key=lambda r: (at[r[0]], list(SERVERS).index(r[1]))))
        return
    before = {r[0]: r for r in recorded() if r[1] == server}
    for r in rows:
        same(f"recorded: {r[0]}", r, before.get(r[0]))


def main():
    setup, queries = listed()
    same("queries", len(queries), 60)
    server, mongosh, rows = chosen(), command(), []
    here = in_process(setup, queries)
    with database(server, "pushdown") as target:
        there = on_server(target, setup, queries)
        whole = [name for name in queries if there[name][1] in WHOLE]
        pasted = dict(zip(whole, paste(mongosh, target, [there[name][2] for name in whole])))
        for name, (answer, how, _, plan) in there.items():
            same(f"rows: {name}", answer.error or answer.rows, here[name].error or here[name].rows)
            check(f"has rows: {name}", here[name].rows)
            fetched = documents("[" + ",".join(raw(target, plan["collection"], plan["pipeline"])) + "]")
            if name in whole:
                check(f"mongosh: {name}", shown(pasted.get(name, "")) == normal(fetched), f"   mongosh {pasted.get(name)}\n   mtsql   {fetched}")
            rows.append([name, server, how, str(len(fetched)), str(sum(len(bson.encode(d)) for d in fetched))])
    print(f"{server}: {len(whole)} of {len(queries)} run on the server, {sum(int(r[4]) for r in rows)} bytes of documents")
    if server in SERVERS:
        compare(server, list(queries), rows)
    return finish()


sys.exit(main())

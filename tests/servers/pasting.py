"""Pipelines in the real mongosh, and the documents that mtsql gets for the same pipelines."""
import json
import os
import subprocess
import sys
import tempfile

from bson import json_util
from documents import OPTIONS, relaxed
from server import CANNOT, HERE
import mtsql


def command():
    """Returns the command mongosh, installed by mongosh.sh. Ends the program with SKIP and the
    reason if it can't be installed.
    """
    p = subprocess.run(["bash", os.path.join(HERE, "mongosh.sh")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode:
        print("SKIP no mongosh: " + p.stderr.strip())
        sys.exit(CANNOT)
    return p.stdout.strip()


def piped(text):
    """Returns the part of EXPLAIN's text to paste."""
    return text.split("Pipeline: ", 1)[1].split("\nThen, ")[0]


def paste(mongosh, target, texts):
    """Returns a line of canonical extended JSON for each text."""
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as f:
        for t in texts:
            f.write(f"print (EJSON.stringify ((\n{t}\n).toArray (), {{relaxed: false}}));\n")
        f.flush()
        p = subprocess.run([mongosh, "--quiet", "--norc", target, "--file", f.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                           env=dict(os.environ, HOME=os.path.dirname(os.path.dirname(mongosh)), MONGOSH_TELEMETRY="false"))
    return p.stdout.decode("utf-8").split("\n")[:-1]


def raw(target, collection, pipeline):
    """Returns the output of mtsql --aggregate, unchanged."""
    p = subprocess.run([mtsql.MTSQL, "-X", target, "--aggregate", collection or "", json.dumps(pipeline)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return p.stdout.decode("utf-8").split("\n")[:-1]


def normal(docs):
    """Makes integers of whole doubles, as JavaScript does."""
    return sorted(relaxed(json_util.dumps(d, json_options=OPTIONS, sort_keys=True)) for d in docs)


def documents(text):
    """Returns the documents of an array in extended JSON."""
    return json_util.loads(text, json_options=OPTIONS)

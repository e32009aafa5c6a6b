#!/bin/bash
# Runs the whole benchmark into bench/results.md:  bench/bench.sh BUILD ROWS
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 rows=$2
"$build/venv/bin/pip" install --quiet --disable-pip-version-check -r bench/requirements.txt
"$build/venv/bin/python" bench/run.py --build "$build" --rows "$rows" --output bench/results.md

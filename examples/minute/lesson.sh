#!/bin/bash
# A machine's gauges: a document for each series and minute, with values by second.
#    examples/minute/lesson.sh [--rows N] [--build FOLDER]
rows=100000
. "$(dirname "$0")/../begin.sh" "rows" "$@"
"$build/generate" --data minute --rows "$rows" -o "$work/gauges.csv"
cp examples/minute/lesson.sql "$work"
mtsql=$(realpath "$build/mtsql")
cd "$work"
"$mtsql" -X -a -v ON_ERROR_STOP=1 -f lesson.sql gauges.mts
printf '\nOne of its documents:\n'
"$mtsql" -X gauges.mts --aggregate gauges '[{"$match": {"type": "load"}}, {"$sort": {"timestamp_minute": 1}}, {"$limit": 1}, {"$unset": "_id"}]' | cut -c1-300

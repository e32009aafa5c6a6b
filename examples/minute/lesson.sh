#!/bin/bash
# A machine's gauges: one document a series and minute, values by second.
#    examples/minute/lesson.sh [--rows N] [--build FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8 TZ=UTC

rows=100000 build=build
while [ $# -gt 0 ]; do
   case $1 in
   --rows) rows=$2; shift 2 ;;
   --build) build=$2; shift 2 ;;
   *) echo "lesson.sh: unknown option: $1" >&2; exit 1 ;;
   esac
done
work=$(mktemp -d "${TMPDIR:-/tmp}/lesson-XXXXXX")
trap 'rm -rf "$work"' EXIT
"$build/generate" --data minute --rows "$rows" -o "$work/gauges.csv"
cp examples/minute/lesson.sql "$work"
mtsql=$(realpath "$build/mtsql")
cd "$work"
"$mtsql" -X -a -v ON_ERROR_STOP=1 -f lesson.sql gauges.mts
printf '\nOne of its documents:\n'
"$mtsql" -X gauges.mts --aggregate gauges '[{"$match": {"type": "load"}}, {"$sort": {"timestamp_minute": 1}}, {"$limit": 1}, {"$unset": "_id"}]' | cut -c1-300

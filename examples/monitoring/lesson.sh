#!/bin/bash
# A monitoring service's schema: documents of days and of months, and documents that are made before midnight.
#    examples/monitoring/lesson.sh [--build FOLDER] [--store FOLDER.mts]
store=
. "$(dirname "$0")/../begin.sh" "store" "$@"
store_in load.mts
"$build/mtsql" -X -a -v ON_ERROR_STOP=1 -f examples/monitoring/lesson.sql "$store"
documents () { "$build/mtsql" -X "$store" --aggregate "$1" "[{\"\$match\": {\"_id\": {\"\$regex\": \"^$2\"}}}, {\"\$project\": {\"_id\": 1}}, {\"\$sort\": {\"_id\": 1}}]" | sed -n 's/.*"_id" *: *"\([^"]*\)".*/   \1/p'; }
printf '\nDocuments of 31 December, which PREALLOCATE made, and of December by day:\n'
documents load 20201231
documents load_months_month_days 202012
printf '\nOne of the first, before its first hit:\n'
"$build/mtsql" -X "$store" --aggregate load '[{"$match": {"_id": "20201231-bits-mem-host-2"}}]' | cut -c1-300
echo
echo "The chart of the year reads 12 documents of months, or 365 of days. The price is that a sample is written into three"
echo "documents instead of one. A document with all of its slots is large from its first moment on. A server that"
echo "rewrites a changed document pays for that with each sample (make bench-monitoring measures both)."

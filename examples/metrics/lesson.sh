#!/bin/bash
# Daily metrics: hits counted by day, hour and minute, in a document for each metric and day. The lesson
# also measures what the form of the document does to writes a second through a day.
#    examples/metrics/lesson.sh [--day SECONDS] [--build FOLDER] [--plot FILE.svg]
day=2 plot=
. "$(dirname "$0")/../begin.sh" "day plot" "$@"
plot=${plot:-$build/metrics.svg}
here=examples/metrics
sql () { "$build/mtsql" -X -a -v ON_ERROR_STOP=1 -f "$1" "$2"; }

sql $here/lesson.sql "$work/hits.mts"
for c in hits hits_tree; do
   printf '\nA document of %s:\n' $c
   "$build/mtsql" -X "$work/hits.mts" --aggregate $c '[{"$match": {"_id": "20101010/metric-1"}}]' | cut -c1-400
done
printf '\n'
sql $here/published.sql $here/documents

# A simulated day, each hit a step of its own. events ends with an error if a query right behind doesn't give every hit.
printf '\nA day of 100 metrics in %s s, hit in turn as fast as it goes, writes a second by the hour:\n\n' "$day"
for form in flat preallocated hierarchical; do
   case $form in
   flat) options="--form flat" ;;
   preallocated) options="--form flat --preallocate" ;;
   hierarchical) options="--form hierarchical --preallocate" ;;
   esac
   "$build/events" "$work/$form.mts" $options --series 100 --seconds "$day" > "$work/day"
   awk -F'\t' -v form=$form '$1 ~ /^[0-9]+$/ { print form "\t" $1 "\t" $2 }' "$work/day" >> "$work/days"
   awk -F'\t' -v form=$form -v day="$day" '
      $1 ~ /^[0-9]+$/ { v[$1 + 0] = $2; if ($2 > most) most = $2 }
      $1 == "hits" { hits = $2 } $1 == "read" { found = $2 }
      END {
         split ("▁ ▂ ▃ ▄ ▅ ▆ ▇ █", bar, " ")
         for (h = 0; h < 24; h++) { i = int (v[h] / most * 8 + 0.5); line = line bar[i < 1 ? 1 : i] }
         printf "   %-13s %s %9d writes/s, %s\n", form, line, hits / day, found == hits ? "every one read back" : "SOME LOST"
      }' "$work/day"
done
awk -f $here/plot.awk "$work/days" > "$plot"
printf '\nIn pictures: %s\n' "$([ "$plot" = "$build/metrics.svg" ] && echo build/metrics.svg || echo the SVG file)"
echo "As published, in 2012: flat fell from 3,716 at midnight to 395 in the afternoon. A document that grew was"
echo "moved, and a key was found by stepping over those before it. Preallocated fell from 3,720 to 1,453."
echo "Hierarchical fell from 3,630 to 3,104. This store adds up increments beside the documents, so no document"
echo "grows or moves with a hit. Preallocating has a price: one hit in 2,000 (hierarchical: 1,500) makes a"
echo "document of tomorrow. The shorter the day, the more that weighs. make bench-events measures a longer day,"
echo "and servers."

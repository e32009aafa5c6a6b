#!/bin/bash
# Daily metrics: hits counted by day, hour and minute in one document a metric and day, and what its form does to writes a second through a day.
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

# A simulated day, each hit a step of its own; events ends with an error when a query right behind doesn't give every hit.
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
echo "As published, in 2012: flat 3,716 at midnight down to 395 in the afternoon, since a document that grew was moved and a key was found by stepping over those before it;"
echo "preallocated 3,720 down to 1,453; hierarchical 3,630 to 3,104 all day. This store adds up increments beside the documents, so that none of them grows or moves with a hit;"
echo "what preallocating costs is that one hit in 2,000 (hierarchical 1,500) makes a document of tomorrow, which weighs more the shorter the day is (make bench-events: a longer one, and servers)."

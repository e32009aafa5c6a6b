#!/bin/bash
# Daily metrics: hits counted by day, hour and minute, in a document for each metric and day. The lesson
# also measures what the form of the document does to writes a second through a day.
#    examples/metrics/lesson.sh [--day SECONDS] [--build FOLDER] [--plot FILE.svg] [--store FOLDER.mts]
day=2 plot= store=
. "$(dirname "$0")/../begin.sh" "day plot store" "$@"
plot=${plot:-$build/metrics.svg}
here=examples/metrics
store_in hits.mts
sql () { "$build/mtsql" -X -a -v ON_ERROR_STOP=1 -f "$1" "$2"; }

sql $here/lesson.sql "$store"
for c in hits hits_hierarchical; do
   printf '\nA document of %s:\n' $c
   "$build/mtsql" -X "$store" --aggregate $c '[{"$match": {"_id": "20101010/metric-1"}}]' | cut -c1-400
done
printf '\n'
sql $here/published.sql $here/documents

# A simulated day, each hit a step of its own. events ends with an error if a query right behind doesn't give every hit.
printf '\nA day of 100 metrics in %s s, hit in turn as fast as it goes, writes a second by the hour:\n\n' "$day"
printf 'form\thour\twrites\n' > "$work/hours.tsv"
printf 'form\twhat\tn\n' > "$work/totals.tsv"
for form in flat preallocated hierarchical; do
   case $form in
   flat) options="--form flat" ;;
   preallocated) options="--form flat --preallocate" ;;
   hierarchical) options="--form hierarchical --preallocate" ;;
   esac
   "$build/events" "$work/$form.mts" $options --series 100 --seconds "$day" > "$work/day"
   sed -n "s/^[0-9]/$form\t&/p" "$work/day" >> "$work/hours.tsv"
   sed -n "s/^\(hits\|read\)/$form\t&/p" "$work/day" >> "$work/totals.tsv"
done
mtsql=$(realpath "$build/mtsql") plot=$(realpath -m "$plot")
(cd "$work" && "$mtsql" -X -q -P footer=off -v ON_ERROR_STOP=1 -v day="$day" -v plot="$plot" -f "$OLDPWD/$here/day.sql")
printf '\nIn pictures: %s\n' "$([ "$plot" = "$(realpath -m "$build/metrics.svg")" ] && echo build/metrics.svg || echo the SVG file)"
echo "As published, in 2012: flat fell from 3,716 at midnight to 395 in the afternoon. A document that grew was"
echo "moved, and a key was found by stepping over those before it. Preallocated fell from 3,720 to 1,453."
echo "Hierarchical fell from 3,630 to 3,104. This store adds up increments beside the documents, so no document"
echo "grows or moves with a hit. Preallocating has a price: one hit in 2,000 (hierarchical: 1,500) makes a"
echo "document of tomorrow. The shorter the day, the more that weighs. make bench-events measures a longer day,"
echo "and servers."

#!/bin/bash
# The first lesson: one feed, five ways of keeping it, two questions. It goes from a CSV file to a table of results.
#    examples/packed/lesson.sh [--rows N] [--build FOLDER] [--plot FILE.svg]
# The data, the layouts, the questions and the printed pipelines are those of "Query efficiency of different table structures for time
# series in MongoDB" (2015), which measured 8.38 million rows on one server.
rows=500000 plot=
. "$(dirname "$0")/../begin.sh" "rows plot" "$@"
plot=${plot:-$build/lesson.svg}
here=examples/packed
store=$work/calls.mts

say () { printf '%s\n' "$@"; }
part () { printf '\n%s\n%s\n\n' "$1" "$(printf '%*s' ${#1} '' | tr ' ' '=')"; }
sql () { "$build/mtsql" -X -v ON_ERROR_STOP=1 "$@" "$store"; }
number () { sed -n "s/.*\"$1\": *\"\{0,1\}\([0-9.]*\).*/\1/p" | head -1; }
int () { sed -n "s/.*\"$1\":{\"\$number[A-Za-z0-9]*\":\"\([0-9.]*\)\"}.*/\1/p; s/.*\"$1\" *: *{ *\"\$number[A-Za-z0-9]*\" *: *\"\([0-9.]*\)\" *}.*/\1/p" | head -1; }

part "1. The feed"
say "A monitoring system counts calls by result, command and application, once a minute. The feed comes from" \
    "several partitions. So one combination has several rows in a minute. And it is dirty, as feeds are." ""
"$build/generate" --rows "$rows" -o "$work/calls.csv"
say "\$ generate --rows $rows -o calls.csv"
"$build/generate" --rows "$rows" --describe

part "2. One table, five layouts"
cat "$here/lesson.sql"
sql -q -f "$here/lesson.sql"
start=$(date +%s%N)
mtsql=$(realpath "$build/mtsql")
(cd "$work" && "$mtsql" -X -v ON_ERROR_STOP=1 -c "COPY calls FROM 'calls.csv' WITH (FORMAT csv, HEADER, EPOCH 's')" -c "ANALYZE calls" calls.mts)
load_ms=$((($(date +%s%N) - start) / 1000000))
awk -v ms=$load_ms -v n="$rows" 'BEGIN { printf "\nAll five layouts in one pass: %.1f s, %d rows/s\n", ms / 1000, n * 1000 / ms }'

say ""
sql -c '\d calls' | sed -n '/^Layouts/,$p'

part "3. The questions"
q1="SELECT ts, count(*) FROM calls GROUP BY ts"
q2="SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid"
say "Q1, records in each minute:" "   $q1" "Q2, calls by minute and command, of known applications:" "   $q2" ""
say "The planner reads the cheapest layout, at the highest level that can answer:" ""
sql -t -A -c "EXPLAIN $q1" | sed '/Pipeline:/,$d'

layouts="rows by_day by_app by_time no_raw"
collection_of () { case $1 in rows) echo calls ;; *) echo "calls_$1" ;; esac; }
title_of () {
   case $1 in
   rows) echo "by row" ;;
   by_day) echo "per day" ;;
   by_app) echo "nested by vAppid" ;;
   by_time) echo "nested, unclustered" ;;
   no_raw) echo "nested, no raw values" ;;
   esac
}
published_of () { # documents, MB, Q1 s, Q2 s
   case $1 in
   rows) echo "8385340 2900 9.6 21.4" ;;
   by_day) echo "285653 782 10.2 -" ;;
   by_app) echo "1278 411 7.1 18.4" ;;
   by_time) echo "39 276 - -" ;;
   no_raw) echo "5 55 - -" ;;
   esac
}

# The answer of each layout is compared with that of `rows`. All must be the same.
answer () { sql -q -t --csv -c "SET layout = '$1'" -c "$2 ORDER BY 1, 2"; }
took () { sql -q -t -A -c "SET layout = '$1'" -c "EXPLAIN (ANALYZE, FORMAT JSON) $2"; }

: > "$work/table"
for l in $layouts; do
   c=$(collection_of "$l")
   size=$(sql --aggregate "$c" '[{"$group": {"_id": null, "documents": {"$sum": 1}, "bytes": {"$sum": {"$bsonSize": "$$ROOT"}}}}]')
   line="$l $(echo "$size" | int documents) $(echo "$size" | int bytes)"
   for q in "$q1" "$q2"; do
      plan=$(took "$l" "$q")
      cut=$(echo "$plan" | sed -n 's/.*"cut": "\([^"]*\)".*"chosen": true.*/\1/p' | head -1 | tr ' ' '_')
      answer "$l" "$q" > "$work/answer"
      [ -e "$work/first.${#q}" ] || cp "$work/answer" "$work/first.${#q}"
      cmp -s "$work/answer" "$work/first.${#q}" && same=same || same=DIFFERENT
      line="$line $(echo "$plan" | number execution_ms) $(echo "$plan" | number bytes_touched) $cut $(wc -l < "$work/answer") $same"
   done
   echo "$line $(published_of "$l")" >> "$work/table"
done

part "4. Results"
while read -r l docs bytes ms1 touched1 cut1 rows1 same1 ms2 touched2 cut2 rows2 same2 pdocs pmb pq1 pq2; do
   echo "$(title_of "$l")|$docs|$bytes|$ms1|$touched1|$cut1|$rows1 $same1|$ms2|$touched2|$cut2|$rows2 $same2|$pdocs|$pmb|$pq1|$pq2"
done < "$work/table" > "$work/titled"
awk -F'|' 'BEGIN { printf "%-22s %10s %9s   %-24s %-24s\n", "measured here", "documents", "MB", "Q1: ms, MB read, cut", "Q2: ms, MB read, cut" }
   { printf "%-22s %10d %9.1f   %7.1f ms %6.2f %-9s %7.1f ms %6.2f %-9s\n", $1, $2, $3 / 1e6, $4, $5 / 1e6, $6, $8, $9 / 1e6, $10 }' "$work/titled"
say ""
awk -F'|' 'BEGIN { printf "%-22s %10s %9s   %-10s %-10s\n", "as published (8.38 M)", "documents", "MB", "Q1 s", "Q2 s" }
   { printf "%-22s %10d %9.0f   %-10s %-10s\n", $1, $12, $13, $14, $15 }' "$work/titled"
say ""
awk -F'|' '{ printf "%-22s Q1: %s rows; Q2: %s rows\n", $1, $7, $11 }' "$work/titled"
say "" "Q2 in pictures (milliseconds, a bar each; $([ "$plot" = "$build/lesson.svg" ] && echo build/lesson.svg || echo the SVG file) has both questions):"
awk -F'|' '{ name[NR] = $1; ms[NR] = $8; if ($8 > most) most = $8 }
   END { for (i = 1; i <= NR; i++) { bar = ""; for (j = 0; j < ms[i] / most * 48; j++) bar = bar "█"; printf "   %-22s %s %.1f ms\n", name[i], bar, ms[i] } }' "$work/titled"
awk -F'|' -f "$here/plot.awk" "$work/titled" > "$plot"

part "5. What the published pipelines compute"
say "--aggregate runs the study's own pipelines on the same documents. Not all of them answer the question:" ""
pipe () { # what, collection, pipeline, what to add up
   local out n sum
   out=$(sql --aggregate "$2" "$3")
   n=$(printf '%s\n' "$out" | grep -c . || true)
   sum=$(printf '%s\n' "$out" | sed -n 's/.*"x" *: *{ *"\$number[A-Za-z0-9]*" *: *"\([-0-9.]*\)" *}.*/\1/p' | awk '{ s += $1 } END { printf "%d", s }')
   printf '%-44s %6d groups, sum %s\n' "$1" "$n" "$sum"
}
pipe "Q1 by row: count" calls '[{"$group": {"_id": "$timestamp", "x": {"$sum": 1}}}]'
pipe "Q1 nested, c at the timestamp level" calls_by_app '[{"$unwind": "$_"}, {"$group": {"_id": "$_.d", "x": {"$sum": "$_.c"}}}]'
pipe "Q1 nested, size of v at the leaves" calls_by_app '[{"$unwind": "$_"}, {"$unwind": "$_._"}, {"$unwind": "$_._._"}, {"$group": {"_id": "$_.d", "x": {"$sum": {"$size": "$_._._.v"}}}}]'
pipe "Q1 nested, c at the leaves: no c is there" calls_by_app '[{"$unwind": "$_"}, {"$unwind": "$_._"}, {"$unwind": "$_._._"}, {"$group": {"_id": "$_.d", "x": {"$sum": "$_._._.c"}}}]'
pipe "Q1 per day: sums totalCount, counts nothing" calls_by_day '[{"$unwind": "$values"}, {"$group": {"_id": "$values.t", "x": {"$sum": "$values.1"}}}]'
pipe "Q2 by row" calls '[{"$match": {"vAppid": {"$ne": ""}}}, {"$group": {"_id": {"timestamp": "$timestamp", "vCmdid": "$vCmdid"}, "x": {"$sum": "$totalCount"}}}]'
pipe "Q2 nested: by timestamp alone, no vCmdid" calls_by_app '[{"$match": {"vAppid": {"$ne": ""}}}, {"$unwind": "$_"}, {"$group": {"_id": "$_.d", "x": {"$sum": "$_.0"}}}]'
say "" "The sums of the first and the third Q1 line agree. The fourth sums nothing. The fifth adds up another measure." \
    "The last has as many groups as minutes. In section 4 mtsql answered the questions on each layout."

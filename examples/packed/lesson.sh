#!/bin/bash
# The first lesson: one feed, five ways of keeping it, two questions. It goes from a CSV file to a table of results.
#    examples/packed/lesson.sh [--rows N] [--build FOLDER] [--plot FILE.svg] [--page FILE.html] [--store FOLDER.mts]
# --store: the store is made there, in place of one that was there, and kept.
# The data, the layouts, the questions and the printed pipelines are those of "Query efficiency of different table structures for time
# series in MongoDB" (2015), which measured 8.38 million rows on one server.
rows=500000 plot= page= store=
. "$(dirname "$0")/../begin.sh" "rows plot page store" "$@"
plot=${plot:-$build/lesson.svg} page=${page:-$build/lesson.html}
here=examples/packed
kept=$store
store_in calls.mts

mtsql=$(realpath "$build/mtsql")
plot=$(realpath -m "$plot")
say () { printf '%s\n' "$@"; }
part () { printf '\n%s\n%s\n\n' "$1" "$(printf '%*s' ${#1} '' | tr ' ' '=')"; }
# In the folder of the data and the figures.
sql () { (cd "$work" && "$mtsql" -X -v ON_ERROR_STOP=1 "$@" "$store"); }
value () { sql -q -A -t -c "$1"; }

part "1. The feed"
say "A monitoring system counts calls by result, command and application, once a minute. The feed comes from" \
    "several partitions. So one combination has several rows in a minute. And it is dirty, as feeds are." ""
"$build/generate" --rows "$rows" -o "$work/calls.csv"
say "\$ generate --rows $rows -o calls.csv"
"$build/generate" --rows "$rows" --describe

part "2. One table, five layouts"
cat "$here/lesson.sql"
sql -q -f "$PWD/$here/lesson.sql"
start=$(date +%s%N)
sql -c "COPY calls FROM 'calls.csv' WITH (FORMAT csv, HEADER, EPOCH 's')" -c "ANALYZE calls"
load_ms=$((($(date +%s%N) - start) / 1000000))
say "" "$(value "SELECT format('All five layouts in one pass: %s s, %s rows/s', round($load_ms / 1000.0, 1), $rows * 1000 / $load_ms)")"

say ""
sql -c '\d calls' | sed -n '/^Layouts/,$p'

part "3. The questions"
q1="SELECT ts, count(*) FROM calls GROUP BY ts"
q2="SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid"
say "Q1, records in each minute:" "   $q1" "Q2, calls by minute and command, of known applications:" "   $q2" ""
say "The planner reads the cheapest layout, at the highest level that can answer:" ""
sql -t -A -c "EXPLAIN $q1" | sed '/Pipeline:/,$d'

part "4. Results"
# One run of \compare for each question. The table, the picture and the SVG file are made of its figures.
sql --csv -c "\\compare $q1" > "$work/q1.csv"
sql --csv -c "\\compare $q2" > "$work/q2.csv"
say "\\compare ran both questions on each layout: which level it stops at, what it reads, and the median time." ""
sql -q -P footer=off -f "$PWD/$here/results.sql"
say "The same in the study, of 8.38 million rows:" ""
sql -q -P footer=off -P null=- -f "$PWD/$here/published.sql"

# The answer of each layout is compared with that of the first one.
answer () { value "SET layout = '$1'; COPY ($2 ORDER BY 1, 2) TO STDOUT (FORMAT csv)"; }
for q in "$q1" "$q2"; do
   value "SELECT layout FROM 'q1.csv'" | while read -r l; do
      answer "$l" "$q" > "$work/answer"
      [ -e "$work/first" ] || cp "$work/answer" "$work/first"
      cmp -s "$work/answer" "$work/first" || say "DIFFERENT rows of $l: $q"
   done
   rm "$work/first"
done
say "Q1 has $(value "SELECT DISTINCT rows FROM 'q1.csv'") rows and Q2 has $(value "SELECT DISTINCT rows FROM 'q2.csv'"), the same on each layout." "" "The times as a picture, in milliseconds:" ""
times="SELECT layout, q1.ms AS \"Q1\", q2.ms AS \"Q2\" FROM 'q1.csv' q1 JOIN 'q2.csv' q2 USING (layout) ORDER BY array_position (ARRAY['rows', 'by_day', 'by_app', 'by_time', 'no_raw'], layout)"
printf '%s\n' "$times" "\\chart bar" "\\chart bar title='Q1 and Q2 on each layout, milliseconds' '$plot'" | sql -q
sql -q -c "\\compare '$(realpath -m "$page")' $q2"
say "" "$([ "$plot" = "$(realpath -m "$build/lesson.svg")" ] && echo "$build/lesson.svg" || echo The SVG file) is the picture. $([ "$page" = "$build/lesson.html" ] && echo "$page" || echo The page) shows the documents, with the parts that Q2 reads:" "   \\compare lesson.html $q2"

part "5. What the published pipelines compute"
say "--aggregate runs the study's own pipelines on the same documents. Not all of them answer the question:" ""
int () { sed -n "s/.*\"$1\" *: *{ *\"\$number[A-Za-z0-9]*\" *: *\"\([-0-9.]*\)\" *}.*/\1/p"; }
pipe () { # what, collection, stages
   local out
   out=$(sql --aggregate "$2" "[$3, {\"\$group\": {\"_id\": null, \"groups\": {\"\$sum\": 1}, \"x\": {\"\$sum\": \"\$x\"}}}, {\"\$set\": {\"x\": {\"\$toLong\": \"\$x\"}}}]")
   printf '%-44s %6d groups, sum %s\n' "$1" "$(say "$out" | int groups)" "$(say "$out" | int x)"
}
pipe "Q1 on rows: count" calls '{"$group": {"_id": "$timestamp", "x": {"$sum": 1}}}'
pipe "Q1 on by_app, c at the timestamp level" calls_by_app '{"$unwind": "$_"}, {"$group": {"_id": "$_.d", "x": {"$sum": "$_.c"}}}'
pipe "Q1 on by_app, size of v at the leaves" calls_by_app '{"$unwind": "$_"}, {"$unwind": "$_._"}, {"$unwind": "$_._._"}, {"$group": {"_id": "$_.d", "x": {"$sum": {"$size": "$_._._.v"}}}}'
pipe "Q1 on by_app, c at the leaves: no c is there" calls_by_app '{"$unwind": "$_"}, {"$unwind": "$_._"}, {"$unwind": "$_._._"}, {"$group": {"_id": "$_.d", "x": {"$sum": "$_._._.c"}}}'
pipe "Q1 on by_day: sums totalCount, counts nothing" calls_by_day '{"$unwind": "$values"}, {"$group": {"_id": "$values.t", "x": {"$sum": "$values.1"}}}'
pipe "Q2 on rows" calls '{"$match": {"vAppid": {"$ne": ""}}}, {"$group": {"_id": {"timestamp": "$timestamp", "vCmdid": "$vCmdid"}, "x": {"$sum": "$totalCount"}}}'
pipe "Q2 on by_app: by timestamp alone, no vCmdid" calls_by_app '{"$match": {"vAppid": {"$ne": ""}}}, {"$unwind": "$_"}, {"$group": {"_id": "$_.d", "x": {"$sum": "$_.0"}}}'
say "" "The sums of the first and the third Q1 line agree. The fourth sums nothing. The fifth adds up another measure." \
    "The last has as many groups as minutes. In section 4 mtsql answered the questions on each layout."
[ -z "$kept" ] || say "" "The store is kept. Go on with it:" "   $build/mtsql $kept"

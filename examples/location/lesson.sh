#!/bin/bash
# Passive location: a feed of XML, a history of every record, and the last known location of each user.
#    examples/location/lesson.sh [--records N] [--build FOLDER] [--store FOLDER.mts]
records=20000 store=
. "$(dirname "$0")/../begin.sh" "records store" "$@"
feed=$(realpath "$build/feed") mtsql=$(realpath "$build/mtsql")
store_in location.mts
"$feed" --towers-csv -o "$work/towers.csv"
"$feed" --records "$records" --rate 10 --bad 999 -o "$work/feed.xml"
"$feed" --records 5000 --rate 10 --users 1010 --start 1367316000 --seed 7 -o "$work/late.xml"
cp examples/location/lesson.sql "$work"
cd "$work"
echo "A record of the feed:"
sed -n 3,8p feed.xml
printf '%d records of %d bytes each\n\n' "$records" $(($(wc -c < feed.xml) / records))
"$mtsql" -X -a -v ON_ERROR_STOP=1 -f lesson.sql "$store" 2>&1
printf '\n20 bytes of a record are kept (a user of 8, a tower of 4, a time of 8), and 16 are looked up. A document also has names and an _id.\n'
size='{"$group": {"_id": null, "documents": {"$sum": 1}, "bytes": {"$avg": {"$bsonSize": "$$ROOT"}}}}, {"$project": {"_id": 0}}'
for c in History LastKnownLocation; do
   printf '\n%s, one of its documents, and how many bytes they have:\n' $c
   "$mtsql" -X "$store" --aggregate $c '[{"$match": {"Y": {"$gt": 0}}}, {"$sort": {"T": 1, "C": 1}}, {"$limit": 1}]' | sed -E 's/"\$oid" : "[0-9a-f]*"/"$oid" : "…"/; s/"\$oid": ?"[0-9a-f]*"/"$oid": "…"/'
   "$mtsql" -X "$store" --aggregate $c "[$size]"
done

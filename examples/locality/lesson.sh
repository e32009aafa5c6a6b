#!/bin/bash
# Which shard takes the writes, under five kinds of ids.
#    examples/locality/lesson.sh [--build FOLDER] [--plot FILE.svg]
plot=
. "$(dirname "$0")/../begin.sh" "plot" "$@"
plot=${plot:-$build/locality.svg}
sql () { "$build/mtsql" -X -v ON_ERROR_STOP=1 "$@" "$work/ids.mts"; }

sql -q -f extensions/locality_uuid.sql
sql -a -f examples/locality/lesson.sql
plot=$(realpath -m "$plot")
printf '%s\n' "SELECT step * 2 AS minute, kind || ', ' || shard AS shard, share FROM shares ORDER BY kind, shard, step" \
   "\\chart heat x=minute y=shard value=share title='Share of the writes of four shards over two hours' height=620 '$plot'" | sql -q
echo
echo "Ids that begin with their time send every write to the last shard. Random ids and reversed counters spread the"
echo "writes evenly, and so spread ids that were written together. Sequential ids of ten minutes lie together, on"
echo "another shard each time. A shard is hot for ten minutes, but over hours the load is even."
echo "In pictures: $([ "$plot" = "$(realpath -m "$build/locality.svg")" ] && echo build/locality.svg || echo the SVG file)"

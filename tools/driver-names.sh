#!/bin/bash
# Prints a header in which each function of libmongoc that the sources in FOLDER call is a field of
# mt_mongoc, so that the library can be loaded when a server is opened (engine/mongo/net/driver.c).
#    tools/driver-names.sh FOLDER
set -eu
names=$(grep -rhoE '\bmongoc_[a-z0-9_]+ \(' --include='*.c' --include='*.h' "$1" | sed 's/ (//' | sort -u)
[ -n "$names" ] || { echo "$0: no call of libmongoc in $1" >&2; exit 1; }
echo "/* Made by tools/driver-names.sh. */"
echo "#define MT_MONGOC_NAMES \\"
printf '   "%s", \\\n' $names
printf '   NULL\n\ntypedef struct MtMongoc {\n'
for n in $names; do printf '   __typeof__ (%s) *%s;\n' "$n" "$n"; done
printf '} MtMongoc;\n\n/* All NULL until mt_driver_load has loaded the library. */\nextern MtMongoc mt_mongoc;\n\n'
for n in $names; do printf '#define %s mt_mongoc.%s\n' "$n" "$n"; done

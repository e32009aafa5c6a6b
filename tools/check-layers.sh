#!/bin/bash
# Fails when a folder includes a header of a folder above it, or a library that isn't its business.
#    base < parser, engine < layouts < planner < session < include < shell
set -eu
bad=0

complain () { echo "$1"; bad=1; }

# may FILE-GLOB ALLOWED…: project headers that the files include must lie in one of the allowed folders.
may () {
   local files=$1; shift
   local f h dir ok a
   for f in $files; do
      [ -e "$f" ] || continue
      while read -r h; do
         dir=${h%/*}
         [ "$dir" = "$h" ] && dir=$(dirname "$f")
         ok=0
         for a in "$@"; do [ "$dir" = "$a" ] && ok=1; done
         [ $ok = 1 ] || complain "$f includes \"$h\": a layer above it, or beside it"
      done < <(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$f")
   done
}

# never FILE-GLOB REGEX WHY
never () {
   local f
   for f in $1; do
      [ -e "$f" ] || continue
      ! grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$2" "$f" /dev/null || complain "   $3"
   done
}

engine="engine engine/local engine/mongo"
below_planner="base parser $engine layouts"
may "base/*.[ch]" base
may "parser/*.[chy]" base parser
may "engine/*.[ch]" base $engine
may "engine/local/*.[ch]" base engine engine/local
may "engine/mongo/*.[ch]" base engine engine/mongo engine/local
may "layouts/*.[ch]" base $engine layouts
may "planner/*.[ch]" $below_planner planner
may "session/*.[ch]" $below_planner planner session include
may "include/*.h" base engine engine/local include planner
may "shell/*.[ch]" base include parser shell
never "parser/*.[ch]" "bson" "the parser knows no BSON"
for d in base parser engine engine/local layouts planner session include shell; do
   never "$d/*.[ch]" "mongoc" "only engine/mongo includes mongoc"
done

[ $bad = 0 ] && echo "layers: every arrow goes down"
exit $bad

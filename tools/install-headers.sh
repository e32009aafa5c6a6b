#!/bin/bash
# Installs the public headers and whatever of ours they include.
#    tools/install-headers.sh FOLDER CC FLAGS…
set -eu
to=$1; shift
for h in include/*.h; do
   install -D -m 644 "$h" "$to/${h#include/}"
   "$@" -MM -x c "$h" | tr ' \\' '\n\n' | grep -E '^(\./)?(base|types|parser|engine|layouts|copy|catalog|query|functions|planner)/.*\.h$' || true
done | sed 's|^\./||' | sort -u | while read -r h; do install -D -m 644 "$h" "$to/$h"; done

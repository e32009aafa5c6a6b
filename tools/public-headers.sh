#!/bin/bash
# Prints the public headers, and whatever of ours they include, one a line.
#    tools/public-headers.sh CC FLAGS…
set -eu
for h in include/*.h; do
   echo "$h"
   "$@" -MM -x c "$h" | tr ' \\' '\n\n' | grep -E '^(\./)?(base|types|parser|engine|layouts|arrow|copy|catalog|query|functions|planner)/.*\.h$' || true
done | sed 's|^\./||' | sort -u

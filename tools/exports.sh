#!/bin/bash
# Prints a version script for the linker that exports the functions of the public headers only.
# Programs and extensions use these.
#    tools/exports.sh CC FLAGS…
set -eu
headers=$("$(dirname "$0")/public-headers.sh" "$@")
echo "{ global:"
# A declaration has a space before its parenthesis. Names that are not functions do no harm.
grep -hoE '\bmt_[a-z0-9_]+ \(' $headers | sed 's/ (/;/' | sort -u
echo "local: *; };"

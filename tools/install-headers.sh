#!/bin/bash
# Installs the public headers and whatever of ours they include.
#    tools/install-headers.sh FOLDER CC FLAGS…
set -eu
to=$1; shift
"$(dirname "$0")/public-headers.sh" "$@" | while read -r h; do install -D -m 644 "$h" "$to/${h#include/}"; done

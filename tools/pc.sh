#!/bin/bash
# Prints the file for pkg-config. BSON is the pkg-config name of libbson.
#    tools/pc.sh PREFIX VERSION BSON
set -eu
sed -e "s|@PREFIX@|$1|" -e "s|@VERSION@|$2|" -e "s|@BSON@|$3|" "$(dirname "$0")/mtsql.pc.in"

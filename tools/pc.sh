#!/bin/bash
# Prints the file for pkg-config.
#    tools/pc.sh PREFIX VERSION DRIVER…
set -eu
prefix=$1 version=$2; shift 2
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@DRIVER@|$*|" -e "s|@BSON@|$1|" "$(dirname "$0")/mtsql.pc.in"

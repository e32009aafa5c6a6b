#!/bin/bash
# Rows for a month, days for a year, months for ever: what each layout of a table keeps, what it costs, and what can't be asked any more.
#    examples/retention/lesson.sh [--build FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8 TZ=UTC

build=build
while [ $# -gt 0 ]; do
   case $1 in
   --build) build=$2; shift 2 ;;
   *) echo "lesson.sh: unknown option: $1" >&2; exit 1 ;;
   esac
done
work=$(mktemp -d "${TMPDIR:-/tmp}/lesson-XXXXXX")
trap 'rm -rf "$work"' EXIT
"$build/mtsql" -X -a -v ON_ERROR_STOP=1 -f examples/retention/lesson.sql "$work/load.mts" || [ $? -eq 3 ] # some of it is refused, and shown

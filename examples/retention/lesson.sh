#!/bin/bash
# Rows for a month, days for a year, months for ever: what each layout of a table keeps, what it costs,
# and which queries can't be answered any more.
#    examples/retention/lesson.sh [--build FOLDER]
. "$(dirname "$0")/../begin.sh" "" "$@"
"$build/mtsql" -X -a -v ON_ERROR_STOP=1 -f examples/retention/lesson.sql "$work/load.mts" || [ $? -eq 3 ] # some of it is refused, and shown

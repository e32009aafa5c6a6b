#!/bin/sh
# Asks PostgreSQL's own psql what tables look like, and keeps the answers for tests/unit/format_test.c.
#
#    tests/shell/psql_golden.sh [PGBIN]     PGBIN: where initdb is (default Debian's PostgreSQL 15)
#
# Makes a private cluster in a temporary folder. From tables/*.sql it writes tables/*.copy (a line of column names, a line
# of types, then the rows in COPY's text format) and golden/*.out (a section for each line of cases.txt).
set -eu
cd "$(dirname "$0")"
bin=${1:-/usr/lib/postgresql/15/bin}
work=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su postgres -c "$*"; else sh -c "$*"; fi; }
[ "$(id -u)" != 0 ] || chown postgres "$work"
trap 'as "$bin/pg_ctl -D $work/data -m immediate stop" >/dev/null 2>&1; rm -rf "$work"' EXIT
as "$bin/initdb -D $work/data -E UTF8 --locale=C.UTF-8 -A trust -U postgres" >/dev/null
as "$bin/pg_ctl -D $work/data -o '-k $work -c listen_addresses=' -l $work/log -w start" >/dev/null
psql() { LC_ALL=C.UTF-8 "$bin/psql" -X -q -h "$work" -U postgres -d postgres -v ON_ERROR_STOP=1 "$@"; }

for sql in tables/*.sql; do
   name=$(basename "$sql" .sql)
   query=$(cat "$sql")
   {
      psql -c "COPY ($query) TO STDOUT (HEADER)" | head -n 1
      printf '%s \\gdesc\n' "$query" | psql -At -F '	' -R "$(printf '\001')" | tr '\n\001' ' \n' | sed 's/.*	//; s/ *$//' | paste -sd '	' -
      psql -c "COPY ($query) TO STDOUT"
   } >"tables/$name.copy"
   : >"golden/$name.out"
   grep -v '^#' cases.txt | while read -r options; do
      echo "## $options" >>"golden/$name.out"
      {
         for option in $options; do
            case $option in
            fetch=*) echo "\\set FETCH_COUNT ${option#*=}" ;;
            *) printf "\\\\pset %s '%s'\n" "${option%%=*}" "${option#*=}" ;;
            esac
         done
         printf '%s;\n' "$query"
      } | psql >>"golden/$name.out"
   done
done

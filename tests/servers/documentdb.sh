#!/bin/bash
# Starts and stops a DocumentDB (PostgreSQL's extension, from Debian sid) behind FerretDB, for tests.
#    documentdb.sh start FOLDER   installs both if need be; prints the URI when it answers; process ids are in FOLDER/pids: PostgreSQL's and FerretDB's. A
#                                 folder that was one's before is gone on with, also after its processes were killed
#    documentdb.sh stop FOLDER
#    documentdb.sh versions       of what is installed
# What is installed, and a fresh cluster with the extension, stay in $SERVERS (build/servers). Exit 77, with the reason, where it can't be had.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export SERVERS=${SERVERS:-$root/build/servers}
python=${VENV:-$root/build/venv}/bin/python
FERRETDB=v2.7.0
PACKAGE=postgresql-18-documentdb  # 1.0-0-1 when this was written; sid has one version at a time, `versions` says which
BIN=/usr/lib/postgresql/18/bin
folder=${2:-}

as_postgres () { echo "exec setpriv --reuid=postgres --regid=postgres --clear-groups env HOME=/tmp LC_ALL=C.UTF-8 $*"; }

# replaces the process, so that its id is the command's
in_sid () { BIND=$1 exec "$here/sid.sh" run bash -c "$2"; }

# $1: the folder of the cluster (data) and of the socket
postgres () {
   in_sid "$1" "chown postgres /bind /bind/data; chmod 700 /bind/data; $(as_postgres "$BIN/postgres" -D /bind/data -k /bind -c "listen_addresses=''")" >"$1/postgres.log" 2>&1 </dev/null &
   echo $! >>"$1/pids"
}

sql () { (in_sid "$1" "$(as_postgres "$BIN/psql" -X -q -h /bind -d postgres -c "'$2'")"); }

wait_for () {  # SECONDS COMMAND...
   local tries=$((10 * $1))
   shift
   while ! "$@" >/dev/null 2>&1; do
      tries=$((tries - 1))
      [ $tries -gt 0 ] || return 1
      sleep 0.1
   done
}

# SIGINT is PostgreSQL's fast shutdown; FerretDB, begun in the background, doesn't see it
stop () {
   [ -e "$1/pids" ] || return 0
   local pids
   pids=$(tac "$1/pids")
   for pid in $pids; do
      kill -TERM "$pid" 2>/dev/null || continue
      kill -INT "$pid" 2>/dev/null || true
      wait_for 10 sh -c "! kill -0 $pid" || kill -9 "$pid" 2>/dev/null || true
   done
   rm -f "$1/pids"
}

fail () {  # FOLDER MESSAGE
   tail -3 "$1"/*.log >&2 2>/dev/null || true
   stop "$1"
   echo "$2" >&2
   exit 1
}

# A cluster with the extension, which calls back through the socket: making one takes longer than copying it.
make_cluster () {
   local new=$SERVERS/cluster.new
   rm -rf "$new"
   mkdir -p "$new/data"
   (in_sid "$new" "chown postgres /bind/data; $(as_postgres "$BIN/initdb" -D /bind/data -U postgres -A trust -E UTF8 --locale=C --no-sync)") >"$new/initdb.log" 2>&1 || fail "$new" "initdb failed"
   cat >>"$new/data/postgresql.conf" <<-'END'
	shared_preload_libraries = 'pg_cron, pg_documentdb_core, pg_documentdb'
	cron.database_name = 'postgres'
	cron.host = '/bind'
	documentdb.localhost_connection_string = 'host=/bind'
	fsync = off
	timezone = 'UTC'
	log_timezone = 'UTC'
	END
   postgres "$new"
   wait_for 30 sql "$new" "SELECT 1" || fail "$new" "PostgreSQL doesn't answer"
   sql "$new" "CREATE EXTENSION documentdb CASCADE" >"$new/extension.log" 2>&1 || fail "$new" "CREATE EXTENSION documentdb failed"
   stop "$new"
   mv "$new" "$SERVERS/cluster"
}

ensure () {
   mkdir -p "$SERVERS"
   exec 7>"$SERVERS/documentdb.lock"
   flock 7
   "$here/sid.sh" add "$PACKAGE" 7>&-
   "$here/go_tool.sh" ferretdb "github.com/FerretDB/FerretDB/v2/cmd/ferretdb@$FERRETDB" 7>&-
   [ -d "$SERVERS/cluster" ] || make_cluster 7>&-
   exec 7>&-
}

# A postmaster that was killed leaves processes for a moment, next to which no other starts.
postgres_again () {
   for _ in $(seq 30); do
      postgres "$folder"
      local pid=$!
      wait_for 30 sh -c "grep -q 'ready to accept' '$folder/postgres.log' || ! kill -0 $pid 2>/dev/null"
      kill -0 $pid 2>/dev/null && return
      rm -f "$folder/pids"
      sleep 0.3
   done
}

start () {
   mkdir -p "$folder"
   ensure
   if [ -d "$folder/data" ]; then
      stop "$folder"
      postgres_again
   else
      cp -a "$SERVERS/cluster/data" "$folder/data"
      postgres "$folder"
   fi
   wait_for 30 sql "$folder" "SELECT 1" || fail "$folder" "PostgreSQL doesn't answer"
   local port
   port=$("$python" -c 'import socket; s = socket.socket(); s.bind (("127.0.0.1", 0)); print (s.getsockname ()[1])')
   "$SERVERS/bin/ferretdb" --postgresql-url="postgres://postgres@/postgres?host=$folder" --listen-addr="127.0.0.1:$port" --no-auth --debug-addr=- --telemetry=disable \
      --log-level=WARN --state-dir="$folder" >"$folder/ferretdb.log" 2>&1 </dev/null &
   echo $! >>"$folder/pids"
   wait_for 30 "$python" -c "import pymongo; pymongo.MongoClient ('127.0.0.1', $port, serverSelectionTimeoutMS=500).admin.command ('ping')" || fail "$folder" "FerretDB doesn't answer"
   echo "mongodb://127.0.0.1:$port"
}

case ${1:-} in
start) start ;;
stop) stop "$folder" ;;
versions)
   "$here/sid.sh" run dpkg-query -W -f '${Package} ${Version}\n' "$PACKAGE" postgresql-18
   echo "ferretdb $(cat "$SERVERS/bin/ferretdb.version")"
   ;;
*)
   sed -n 2,6p "$0" >&2
   exit 1
   ;;
esac

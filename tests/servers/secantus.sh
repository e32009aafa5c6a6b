#!/bin/bash
# Starts and stops a SecantusDB of one's own, for tests.
#    secantus.sh start FOLDER   prints its URI when it answers; the process id is in FOLDER/pid
#    secantus.sh stop FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
venv=${VENV:-$root/build/venv}
folder=$2

free_port () {
   "$venv/bin/python" -c 'import socket; s = socket.socket(); s.bind (("127.0.0.1", 0)); print (s.getsockname ()[1])'
}

case $1 in
start)
   mkdir -p "$folder/data"
   port=$(free_port)
   "${SECANTUS:-$venv/bin/secantusd-py}" --port "$port" --storage-path "$folder/data" --standalone ${SECANTUS_OPTIONS:-} >"$folder/log" 2>&1 </dev/null &
   echo $! >"$folder/pid"
   for _ in $(seq 150); do
      if "$venv/bin/python" -c "import pymongo; pymongo.MongoClient ('127.0.0.1', $port, serverSelectionTimeoutMS=500).admin.command ('ping')" 2>/dev/null; then
         echo "mongodb://127.0.0.1:$port"
         exit 0
      fi
      kill -0 "$(cat "$folder/pid")" 2>/dev/null || break
      sleep 0.1
   done
   tail -5 "$folder/log" >&2
   kill "$(cat "$folder/pid")" 2>/dev/null || true
   exit 1
   ;;
stop)
   pid=$(cat "$folder/pid")
   kill "$pid" 2>/dev/null || true
   for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
   kill -9 "$pid" 2>/dev/null || true
   ;;
esac

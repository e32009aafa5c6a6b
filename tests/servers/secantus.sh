#!/bin/bash
# Starts and stops a SecantusDB of one's own, for tests.
#    secantus.sh start FOLDER [--set] [OPTION…]   prints its URI when it listens; the process id is in FOLDER/pid. --set: it calls itself a set of one, which has transactions
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
   shift 2
   case ${1:-} in
   --set) shift ;;
   *) set -- --standalone "$@" ;;
   esac
   mkdir -p "$folder/data"
   for _ in 1 2 3; do # somebody else may take the port in between
      port=$(free_port)
      "${SECANTUS:-$venv/bin/secantusd-py}" --port "$port" --storage-path "$folder/data" "$@" ${SECANTUS_OPTIONS:-} >>"$folder/log" 2>&1 </dev/null &
      pid=$!
      echo $pid >"$folder/pid"
      for _ in $(seq 1200); do
         kill -0 $pid 2>/dev/null || break
         if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            kill -0 $pid 2>/dev/null || break # another's
            echo "mongodb://127.0.0.1:$port"
            exit 0
         fi
         sleep 0.1
      done
      kill $pid 2>/dev/null && break
   done
   tail -5 "$folder/log" >&2
   exit 1
   ;;
stop)
   pid=$(cat "$folder/pid")
   kill "$pid" 2>/dev/null || true
   for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
   kill -9 "$pid" 2>/dev/null || true
   ;;
esac

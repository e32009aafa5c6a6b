#!/bin/bash
# Installs mongosh, once, and prints the command. Exit 77, with the reason, where it can't be had.
set -eu
servers=${SERVERS:-$(cd "$(dirname "$0")/../.." && pwd)/build/servers}
VERSION=2.3.9  # the last that Debian 12's Node.js (18) is enough for
folder=$servers/mongosh-$VERSION

cannot () {
   echo "$1" >&2
   exit 77
}

mkdir -p "$servers"
exec 9>"$servers/mongosh.lock"
flock 9
if [ ! -e "$folder/installed" ]; then
   command -v node >/dev/null && command -v npm >/dev/null || cannot "Node.js or npm isn't installed: tools/deps.sh mongosh"
   rm -rf "$folder"
   mkdir -p "$folder"
   echo '{"private": true}' >"$folder/package.json"
   (cd "$folder" && npm install --omit=optional --ignore-scripts --no-audit --no-fund "mongosh@$VERSION" >log 2>&1) || cannot "npm: $(grep -m1 'npm err' -i "$folder/log")"
   touch "$folder/installed"
fi
echo "$folder/node_modules/.bin/mongosh"

#!/bin/bash
# Builds MongoDB's own tools, once, and prints the folder they are in. Exit 77, with the reason, where they can't be had.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export SERVERS=${SERVERS:-$(cd "$here/../.." && pwd)/build/servers}
VERSION=v0.0.0-20221102190735-6d9d341edd33  # of November 2022 (100.6): the newest that module proxies and their checksums agree on
for tool in mongodump mongorestore mongoimport; do
   "$here/go_tool.sh" $tool "github.com/mongodb/mongo-tools/$tool/main@$VERSION"
done
echo "$SERVERS/bin"

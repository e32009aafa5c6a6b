#!/bin/bash
# Builds a program of a Go module, once: go_tool.sh NAME PACKAGE@VERSION. It is $SERVERS/bin/NAME then.
# Debian 12's Go is too old for most; where `go` isn't new enough, sid's is used (which needs root). Exit 77, with the reason, where neither is there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export SERVERS=${SERVERS:-$(cd "$here/../.." && pwd)/build/servers}
name=$1 package=${2%@*} version=${2##*@}
NEEDED=1.25  # of all that is built here

mkdir -p "$SERVERS/bin" "$SERVERS/go"
exec 8>"$SERVERS/go.lock"
flock 8
[ "$(cat "$SERVERS/bin/$name.version" 2>/dev/null)" != "$version" ] || exit 0

new_enough () {
   command -v go >/dev/null || return 1
   local now
   now=$(GOTOOLCHAIN=local go env GOVERSION)
   [ "$(printf '%s\n' "$NEEDED" "${now#go}" | sort -V | head -1)" = "$NEEDED" ]
}

# In a module that requires the version, `go build` names the program as it is told; `go install` would call several of them main.
mkdir -p "$SERVERS/go/$name"
cd "$SERVERS/go/$name"
script='export GOPATH=$1/path GOCACHE=$1/cache GOFLAGS="-modcacherw -mod=mod" CGO_ENABLED=0 GOTOOLCHAIN=local
   cd "$1/$2" && { [ -e go.mod ] || go mod init tool; } && go get "$3@$4" && go build -trimpath -o "$2" "$3"'
if new_enough; then
   bash -c "$script" build "$SERVERS/go" "$name" "$package" "$version" >log 2>&1 || { tail -3 log >&2; exit 77; }
else
   "$here/sid.sh" add golang-go
   BIND=$SERVERS/go "$here/sid.sh" run bash -c "$script" build /bind "$name" "$package" "$version" >log 2>&1 || { tail -3 log >&2; exit 77; }
fi
mv "$name" "$SERVERS/bin/$name"
echo "$version" >"$SERVERS/bin/$name.version"

#!/bin/bash
# SecantusDB's build in Rust, some ten times faster than its Python one, for benchmarks: as secantus.sh.
# It is built once (some ten minutes) by cargo into $SERVERS. Exit 77, with the reason, where it can't be.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export SERVERS=${SERVERS:-$(cd "$here/../.." && pwd)/build/servers}
VERSION=0.5.3-beta.193
NEEDED=1.95  # of rustc; what the crate asks for is newer than it needs

if [ "$1" = start ]; then
   mkdir -p "$SERVERS/rust"
   exec 8>"$SERVERS/rust.lock"
   flock 8
   if [ ! -x "$SERVERS/rust/bin/secantusd-rs" ]; then
      now=$(rustc --version 2>/dev/null | cut -d' ' -f2) || true
      if [ -z "$now" ] || ! command -v cargo >/dev/null || [ "$(printf '%s\n' "$NEEDED" "$now" | sort -V | head -1)" != "$NEEDED" ]; then
         echo "needs cargo and rustc $NEEDED or newer${now:+ (here is $now)}" >&2
         exit 77
      fi
      cargo install secantus-mdb --version "$VERSION" --ignore-rust-version --locked --root "$SERVERS/rust" >"$SERVERS/rust.log" 2>&1 ||
         cargo install secantus-mdb --version "$VERSION" --ignore-rust-version --root "$SERVERS/rust" >>"$SERVERS/rust.log" 2>&1 ||
         { tail -3 "$SERVERS/rust.log" >&2; exit 77; }
   fi
   flock -u 8
fi
SECANTUS=$SERVERS/rust/bin/secantusd-rs exec bash "$here/secantus.sh" "$@" 8>&-

#!/bin/bash
# Builds with libmongoc 2.x and runs on it what runs on a server. Debian 12 has 1.23, so this happens in a Debian sid (sid.sh).
#    driver2.sh BUILD     BUILD: where this system's build is
# The server (SecantusDB) runs outside. Exit 77, with the reason, where there can't be a sid.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
root=${SERVERS:-$source/build/servers}/sid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/sid.sh" add gcc libc6-dev binutils make pkgconf libmongoc-dev libbson-dev lemon libintelrdfpmath-dev libxxhash-dev libpcre2-dev libutf8proc-dev libicu-dev \
   libzstd-dev zlib1g-dev libexpat1-dev libcmocka-dev tzdata || exit

# The parser is this system's: lemon's newest template wants a %realloc that 3.40 doesn't know.
mkdir -p "$root/b/parser"
cmp -s "$build/parser/grammar.c" "$root/b/parser/grammar.c" || cp "$build"/parser/* "$root/b/parser/"
BIND=$source "$here/sid.sh" run sh -c 'cd /bind && make -s BUILD=/b /b/flags' >/dev/null
touch "$root/b/parser/grammar.y"
touch "$root/b/parser/grammar.c" "$root/b/parser/grammar.h"
BIND=$source "$here/sid.sh" run sh -c 'cd /bind && make BUILD=/b lib /b/mtsql /b/tests/mongo_test -j2' >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }

# What was built there runs here, by sid's own loader and libraries: no test has to know of it.
mkdir -p "$work/b/tests"
for program in mtsql tests/mongo_test; do
   printf '#!/bin/sh\nexec %s/lib64/ld-linux-x86-64.so.2 --library-path %s/usr/lib/x86_64-linux-gnu %s/b/%s "$@"\n' "$root" "$root" "$root" "$program" >"$work/b/$program"
   chmod 755 "$work/b/$program"
done
grep -ao 'libmongoc2\.so\.[0-9]*' "$root/b/mtsql" | head -1
failed=0
for test in mongo_engine options transaction cancel failure login; do
   echo "$test:"
   BUILD=$work/b MTSQL=$work/b/mtsql "${PYTHON:-$source/build/venv/bin/python}" "$here/${test}_test.py" || failed=1
done
exit $failed

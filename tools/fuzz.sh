#!/bin/bash
# Builds and runs one libFuzzer target: tools/fuzz.sh BUILD NAME SECONDS of the processor's time.
# It begins with the seeds of tools/fuzz_seeds.py or the target itself, with tests/fuzz/NAME/,
# and with what earlier runs found (BUILD/asan/fuzz/NAME/). The output is BUILD/asan/fuzz/NAME.log;
# an input at fault lies beside it.
set -eu
build=$1/asan name=$2 seconds=$3
here=$build/fuzz
san=-fsanitize=fuzzer,address,undefined
pkg-config --exists libbson-1.0 && bson=libbson-1.0 || bson=bson2
packages="$bson libxxhash libpcre2-8 libutf8proc libzstd zlib"
mkdir -p "$here/$name"
clang -std=gnu11 -g -O1 -D_GNU_SOURCE -I. -I"$build" $(pkg-config --cflags $packages) $san \
   -fno-sanitize-recover=undefined -rdynamic -o "$here/$name.bin" "tests/fuzz/$name.c" \
   "$build/libshell.a" "$build/libmtsql.a" $(pkg-config --libs $packages) -lbidgcc000 -ldl -lm -pthread

rm -rf "$here/$name.seeds"
mkdir "$here/$name.seeds"
python3 tools/fuzz_seeds.py "$name" "$here/$name.seeds" "$here/$name.dict"
grep -q -- '--seeds=' "tests/fuzz/$name.c" && "$here/$name.bin" "--seeds=$here/$name.seeds"
leaks=1
grep -q fuzz_close "tests/fuzz/$name.c" && leaks=0 # it looks for them itself
corpus=("$here/$name" "$here/$name.seeds")
[ -d "tests/fuzz/$name" ] && corpus+=("tests/fuzz/$name")

dictionary=() # libFuzzer refuses an empty one
[ -s "$here/$name.dict" ] && dictionary=("-dict=$here/$name.dict")

"$here/$name.bin" "${dictionary[@]}" -artifact_prefix="$here/$name-" -timeout=60 \
   -rss_limit_mb=2048 -entropic=0 -detect_leaks=$leaks -print_final_stats=1 \
   "${corpus[@]}" > "$here/$name.log" 2>&1 &
pid=$!
used=0
while [ "$used" -lt "$seconds" ] && now=$(ps -o cputimes= -p $pid); do used=$now; sleep 2; done
kill -USR1 $pid 2> /dev/null || true # it ends when the input at hand is done
wait $pid && failed=0 || failed=$?
[ $failed = 0 ] && how=well || how="FAILED ($failed)"
echo "== $name: $how, $used s of processor time"
tail -n "$([ $failed = 0 ] && echo 12 || echo 60)" "$here/$name.log"
exit $failed

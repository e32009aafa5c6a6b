#!/bin/bash
# Builds and runs one libFuzzer target: tools/fuzz.sh BUILD NAME SECONDS. Its corpus is tests/fuzz/NAME/, when there is one.
set -eu
build=$1/asan name=$2 seconds=$3
san=-fsanitize=fuzzer,address,undefined
pkg-config --exists libmongoc-1.0 && driver="libbson-1.0 libmongoc-1.0" || driver="bson2 mongoc2"
packages="$driver libxxhash libpcre2-8 libutf8proc libzstd zlib expat"
mkdir -p "$build/fuzz/$name"
clang -std=gnu11 -g -O1 -D_GNU_SOURCE -I. -I"$build" $(pkg-config --cflags $packages) $san -fno-sanitize-recover=undefined \
   -o "$build/fuzz/$name.bin" "tests/fuzz/$name.c" "$build/libmtsql.a" $(pkg-config --libs $packages) -lbidgcc000 -ldl -lm -pthread
corpus=()
[ -d "tests/fuzz/$name" ] && corpus=("tests/fuzz/$name")
"$build/fuzz/$name.bin" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "$build/fuzz/$name" "${corpus[@]}" \
   2>&1 | tail -12
exit "${PIPESTATUS[0]}"

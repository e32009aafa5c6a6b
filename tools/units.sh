#!/bin/sh
# Installs the units of systemd for programs in PREFIX/bin: units.sh PREFIX [DESTDIR]
set -eu
cd "$(dirname "$0")/../docs/systemd"
units="${2:-}$1/lib/systemd/system" example="${2:-}$1/share/doc/mtsql"
install -d "$units" "$example"
for unit in mtsql-*; do
   sed "s|@PREFIX@|$1|" "$unit" > "$units/$unit"
   chmod 644 "$units/$unit"
done
install -m 644 target.conf "$example/target.conf"

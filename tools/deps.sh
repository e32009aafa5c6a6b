#!/bin/bash
# Installs the Debian packages that a group of tasks needs; silent when nothing is missing.
#    tools/deps.sh build | test | browser | oracle | clang ...
set -eu

packages () {
   case $1 in
   build) echo gcc libc6-dev binutils make pkg-config libbson-dev libmongoc-dev lemon libintelrdfpmath-dev libxxhash-dev libpcre2-dev libutf8proc-dev libicu-dev libzstd-dev zlib1g-dev libssl-dev libexpat1-dev libcairo2-dev libpango1.0-dev fonts-dejavu-core tzdata ;;
   test) echo g++ libcmocka-dev python3 python3-venv strace openssl postgresql-client-15 ;;
   oracle) echo postgresql-15 ;;
   servers) echo debootstrap util-linux ca-certificates ;;
   mongosh) command -v npm >/dev/null || echo nodejs npm ;; # where Node.js came otherwise, Debian's npm doesn't go with it
   clients) # and Go 1.25 and Rust 1.94, which Debian 12 doesn't have: without them their tests say SKIP
      command -v java >/dev/null && command -v mvn >/dev/null || echo openjdk-17-jdk-headless maven
      command -v npm >/dev/null || echo nodejs npm ;;
   browser) echo chromium fonts-dejavu-core ;;
   driver) echo chromium-driver ;;
   valgrind) echo valgrind ;;
   clang) echo clang libclang-rt-14-dev ;;
   *) echo "deps.sh: unknown group: $1" >&2; exit 1 ;;
   esac
}

if ! command -v dpkg-query >/dev/null; then
   echo "This is not a Debian system: please install what stands in tools/deps.sh by your own means." >&2
   { pkg-config --exists libbson-1.0 libmongoc-1.0 || pkg-config --exists bson2 mongoc2; } && pkg-config --exists libxxhash libpcre2-8 libutf8proc icu-i18n libzstd zlib openssl expat pangocairo && exit 0
   exit 1
fi

missing=()
for group in "$@"; do
   for p in $(packages "$group"); do
      dpkg-query -W -f '${Status}\n' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$p")
   done
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
   if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=sudo
   else
      echo "These packages are missing and only root may install them:" >&2
      echo "   apt-get install ${missing[*]}" >&2
      exit 1
   fi
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_all () { $as_root apt-get install -y -q --no-install-recommends "${missing[@]}" >"$log" 2>&1; }
install_all || { $as_root apt-get update -q >"$log" 2>&1 && install_all; } || {
   tail -20 "$log" >&2
   echo "apt-get could not install: ${missing[*]}" >&2
   exit 1
}

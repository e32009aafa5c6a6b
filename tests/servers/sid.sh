#!/bin/bash
# A Debian sid in a folder, for what Debian 12 doesn't have.
#    sid.sh add PACKAGE...   makes the folder and installs packages in it, whatever of it isn't there yet
#    sid.sh run COMMAND...   runs a command in it, as root; $BIND (a folder) is /bind there
# The folder is $SERVERS/sid ($SERVERS: build/servers). Its mounts are in a namespace of their own and go with the process: nothing has to be
# unmounted, and the folder can be removed at any time. Exit 77, with the reason, where this can't be done.
set -eu
servers=${SERVERS:-$(cd "$(dirname "$0")/../.." && pwd)/build/servers}
root=$servers/sid
log=$servers/sid.log

cannot () {
   echo "$1" >&2
   exit 77
}

# `exec`, so that a signal to this process reaches the command
within () {
   export root BIND=${BIND:-}
   exec unshare --mount --propagation private bash -c '
      mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" || exit 77
      [ -z "$BIND" ] || { mkdir -p "$root/bind" && mount --bind "$BIND" "$root/bind"; } || exit 77
      exec chroot "$root" "$@"' within "$@"
}

# The archive that this machine uses itself; debootstrap's own choice where that can't be told.
mirror () {
   [ ! -x /usr/bin/apt-get ] || apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep '/debian/\?$' | head -1
}

make_root () {
   [ "$(id -u)" = 0 ] || cannot "only root can make a Debian sid in a folder"
   command -v debootstrap >/dev/null || cannot "debootstrap isn't installed: tools/deps.sh servers"
   unshare --mount --propagation private true 2>/dev/null || cannot "mounting is refused here"
   rm -rf "$root"
   mkdir -p "$root"
   unshare --mount --propagation private debootstrap --variant=minbase sid "$root" $(mirror) >"$log" 2>&1 || cannot "debootstrap: $(tail -1 "$log")"
   printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
   chmod 755 "$root/usr/sbin/policy-rc.d"
   echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/test-servers"
   printf 'path-exclude=/usr/share/doc/*\npath-exclude=/usr/share/man/*\npath-exclude=/usr/share/locale/*\n' >>"$root/etc/dpkg/dpkg.cfg.d/test-servers"
   mkdir -p "$root/etc/postgresql-common/createcluster.d" "$root/etc/ssl/certs"
   echo 'create_main_cluster = false' >"$root/etc/postgresql-common/createcluster.d/test-servers.conf"
   # who is trusted here is trusted there
   if [ -e /etc/ssl/certs/ca-certificates.crt ]; then cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"; fi
   touch "$root/made"
}

# An archive that isn't written to any more is past the date until which it vouches for its lists.
add () {
   within bash -c 'export DEBIAN_FRONTEND=noninteractive
      { [ -e /updated ] || apt-get update -q -o Acquire::Check-Valid-Until=false && touch /updated; } &&
      apt-get install -y -q --no-install-recommends "$@" && apt-get clean' add "$@"
}

installed () {
   for p in "$@"; do [ -e "$root/var/lib/dpkg/info/$p.list" ] || [ -n "$(compgen -G "$root/var/lib/dpkg/info/$p:*.list")" ] || return 1; done
}

case ${1:-} in
add)
   shift
   mkdir -p "$servers"
   exec 9>"$servers/sid.lock"
   flock 9
   [ -e "$root/made" ] || make_root
   installed "$@" || (add "$@") >>"$log" 2>&1 || cannot "apt-get in sid: $(grep '^E: ' "$log" | tail -1)"
   ;;
run)
   shift
   within "$@"
   ;;
*)
   sed -n 2,6p "$0" >&2
   exit 1
   ;;
esac

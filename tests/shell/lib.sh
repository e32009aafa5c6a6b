# What the shell's tests share: checks, a count, a private home.
set -u
ROOT=${ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
MTSQL=${MTSQL:-$ROOT/build/mtsql}
work=$(mktemp -d)
export HOME="$work" LC_ALL=C.UTF-8
unset PAGER PSQL_PAGER MTSQL_PAGER MTSQLRC MTSQL_HISTORY 2>/dev/null || true
passed=0
failed=0
[ -x "$MTSQL" ] || { echo "SKIP $0: $MTSQL is not built"; exit 77; }

# same NAME EXPECTED ACTUAL
same() {
   if [ "$2" = "$3" ]; then
      passed=$((passed + 1))
   else
      failed=$((failed + 1))
      printf 'FAILED %s\n--- expected\n%s\n--- got\n%s\n' "$1" "$2" "$3"
   fi
}

# holds NAME TEXT ACTUAL
holds() {
   case $3 in
   *"$2"*) passed=$((passed + 1)) ;;
   *)
      failed=$((failed + 1))
      printf 'FAILED %s\n--- should hold\n%s\n--- got\n%s\n' "$1" "$2" "$3"
      ;;
   esac
}

# runs NAME CODE EXPECTED-OUTPUT ARGUMENTS…: output and errors together, input from $input
input=
runs() {
   name=$1 code=$2 expected=$3
   shift 3
   out=$(printf '%s' "$input" | "$MTSQL" "$@" 2>&1)
   rc=$?
   same "$name" "$expected" "$out"
   same "$name: exit code" "$code" "$rc"
   input=
}

finish() {
   rm -rf "$work"
   echo "$passed passed, $failed failed"
   [ "$failed" = 0 ]
}

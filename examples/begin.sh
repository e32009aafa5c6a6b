# How a lesson begins, sourced as `. …/begin.sh "OPTION…" "$@"`: it takes --build FOLDER and each --OPTION VALUE, which become variables of these
# names, is in the project's root then, and has a folder $work that is removed when it ends.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C.UTF-8 TZ=UTC

build=build options=" build $1 "
shift
while [ $# -gt 0 ]; do
   [[ $1 =~ ^--[a-z]+$ && $options == *" ${1#--} "* ]] || { echo "lesson.sh: unknown option: $1" >&2; exit 1; }
   [ $# -gt 1 ] || { echo "lesson.sh: option $1 needs a value" >&2; exit 1; }
   printf -v "${1#--}" %s "$2"
   shift 2
done
[ -x "$build/mtsql" ] || { echo "lesson.sh: there is no $build/mtsql: make builds build/mtsql, --build says where else it is" >&2; exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/lesson-XXXXXX")
trap 'rm -rf "$work"' EXIT

# store_in NAME: sets $store to what --store names, in place of a store that is there, or else to NAME in $work.
store_in () {
   store=$(realpath -m "${store:-$work/$1}")
   [ ! -e "$store/MANIFEST" ] || rm -r "$store"
}

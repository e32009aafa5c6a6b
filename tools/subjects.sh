#!/bin/sh
# Checks the subjects of commits: `area: summary`, at most 72 characters. Those before the rule was
# made are left alone, as is a copy without history.
#    tools/subjects.sh
set -eu
first=92a8e56
git rev-parse --quiet --verify "$first^{commit}" >/dev/null 2>&1 || { echo "subjects: no history here"; exit 0; }
git log --no-merges --format=%s "$first..HEAD" | awk '
   length ($0) > 72 { print "longer than 72 characters: " $0; bad = 1 }
   !/^[a-z0-9_.\/, -]+: [a-z]/ { print "not `area: summary`: " $0; bad = 1 }
   END { if (!bad) print "subjects: " NR " as they should be"; exit bad }'

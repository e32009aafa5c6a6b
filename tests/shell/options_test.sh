#!/bin/sh
# Options, order of input, exit codes, where output goes.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
printf 'SELECT 2 AS b;\n' >two.sql
printf 'SELECT 1 AS a;\nSELECT nope;\nSELECT 3 AS c;\n' >bad.sql
printf '\\if true\nSELECT 1;\n' >open.sql

runs 'one statement' 0 1 -XAt -c 'SELECT 1'
runs 'several in one -c' 0 "$(printf '1\n2')" -XAt -c 'SELECT 1; SELECT 2'
runs 'several in one -c are one transaction' 3 "$(printf 'CREATE TABLE\nINSERT 0 1\nERROR:  division by zero')" -X -c 'CREATE TABLE one (a int)' -c 'INSERT INTO one VALUES (1); SELECT 1 / 0' one_store
runs 'nothing of it stays' 0 0 -XAt -c 'SELECT count(*) FROM one' one_store
runs 'each -c is by itself' 3 "$(printf 'INSERT 0 1\nERROR:  division by zero')" -X -c 'INSERT INTO one VALUES (1)' -c 'SELECT 1 / 0' one_store
input='INSERT INTO one VALUES (2); SELECT 1 / 0'
runs 'and so is each statement of the input' 3 "$(printf 'INSERT 0 1\nmtsql:<stdin>:1: ERROR:  division by zero')" -X one_store
runs 'they stay' 0 2 -XAt -c 'SELECT count(*) FROM one' one_store
runs 'a backslash command ends it' 3 "$(printf 'INSERT 0 1\nnow\nINSERT 0 1\nERROR:  division by zero')" -X -c 'INSERT INTO one VALUES (3); \echo now
INSERT INTO one VALUES (4); SELECT 1 / 0' one_store
runs 'what came before it stays' 0 3 -XAt -c 'SELECT max(a) FROM one' one_store
runs '-c and -f in their order' 0 "$(printf '1\n2\n3')" -XAt -c 'SELECT 1' -f two.sql -c 'SELECT 3'
input='SELECT 5'
runs 'input without a semicolon' 0 5 -XAt
input='SELECT 6;'
runs '-f - is standard input' 0 6 -XAt -f -
input='SELECT 7;'
runs 'standard input is left alone where -c is given' 0 1 -XAt -c 'SELECT 1'
runs 'a long option with =' 0 1 -XAt --command='SELECT 1'
runs 'letters together' 0 'a|1' -XAtx -c 'SELECT 1 AS a'
runs 'a separator' 0 '1;2' -XAt -F ';' -c 'SELECT 1, 2'
runs 'variables in -c' 0 6 -XAt -v x=5 -c 'SELECT :x + 1'
runs 'a quoted variable' 0 "it's" -XAt -v "x=it's" -c "SELECT :'x'"
runs 'csv' 0 "$(printf 'a,b,c\n1,,""')" -X --csv -c "SELECT 1 AS a, NULL AS b, '' AS c"
runs 'json' 0 '[{"a":1,"b":null}]' -X --json -c 'SELECT 1 AS a, NULL AS b'
runs 'arrays as json' 0 '[{"a":[1,null,3],"b":["x","NULL","a,\"}b",null],"c":[[true],[false]],"d":[],"e":[{"k": [1, 2]}],"f":[1.50,"NaN"]}]' -X --json -c "SELECT ARRAY[1,NULL,3] AS a, ARRAY['x','NULL','a,\"}b',NULL] AS b, ARRAY[ARRAY[true],ARRAY[false]] AS c, '{}'::int[] AS d, ARRAY['{\"k\": [1,2]}'::jsonb] AS e, ARRAY[1.50,'NaN'] AS f"
runs 'times as json' 0 '[{"a":"2026-11-23T06:32:15.937+00:00","b":"2026-11-23T06:32:00","c":"-infinity","d":"0044-03-15T10:00:00+00:00 BC","e":["2026-11-23T00:00:00+00:00",null]}]' -X --json -c "SELECT timestamptz '2026-11-23 06:32:15.937+00' AS a, timestamp '2026-11-23 06:32' AS b, timestamptz '-infinity' AS c, timestamptz '0044-03-15 10:00+00 BC' AS d, ARRAY[timestamptz '2026-11-23', NULL] AS e"
runs 'zones of times in json' 0 '[{"a":"2026-11-23T12:02:15+05:30","b":"1800-01-01T00:00:00+05:53:28"}]' -X --json -q -c "SET TimeZone = 'Asia/Kolkata'" -c "SELECT timestamptz '2026-11-23 06:32:15+00' AS a, timestamptz '1800-01-01' AS b"
runs 'jsonl' 0 "$(printf '{"a":1}\n{"a":2}')" -X --jsonl -c 'SELECT 1 AS a UNION ALL SELECT 2'
runs 'aligned' 0 "$(printf ' a \n---\n 1\n(1 row)')" -X -c 'SELECT 1 AS a'
runs 'pset' 0 "$(printf '+---+\n| a |\n+---+\n| 1 |\n+---+')" -X -P border=2 -P footer=off -c 'SELECT 1 AS a'
runs 'echo of queries' 0 "$(printf 'SELECT 1\n1')" -XAte -c 'SELECT 1'

runs 'no such option' 1 "$(printf 'mtsql: error: unrecognized option "--jsno"\nHINT:  Perhaps you meant --json.')" --jsno
runs 'no such letter' 1 "$(printf 'mtsql: error: unrecognized option "-k"\nTry "mtsql --help" for more information.')" -k
runs 'an argument is missing' 1 'mtsql: error: option --command needs an argument: SQL' -c
runs 'an argument too many' 1 'mtsql: error: option --csv takes no argument' --csv=1
runs 'two targets' 1 'mtsql: error: more than one target: "b"' a b
runs 'a bad variable' 1 'mtsql: error: invalid variable name: "a b"' -v 'a b=1'
runs 'a bad format' 1 'mtsql: error: \pset: allowed formats are aligned, wrapped, unaligned, csv, tsv, json, jsonl, arrow, markdown, html, asciidoc, latex' -P format=nope
runs 'a file that is missing' 3 'mtsql: error: nope.sql: No such file or directory' -X -f nope.sql
runs 'a folder as a file' 3 'mtsql: error: .: it is a directory' -X -f .

out=$("$MTSQL" -XAt -f bad.sql 2>err)
same 'a batch stops at an error' '3 1' "$? $out"
holds 'an error names file and line' 'mtsql:bad.sql:2: ERROR:  column "nope" does not exist' "$(cat err)"
holds 'an error shows the place' "$(printf 'LINE 1: SELECT nope;\n               ^')" "$(cat err)"
out=$("$MTSQL" -XAt -v ON_ERROR_STOP=0 -f bad.sql 2>/dev/null)
same 'a batch goes on when told to' "$(printf '3 1\n3')" "$? $out"
"$MTSQL" -XAt -c 'SELECT nope' -c "\\! touch ran" 2>/dev/null
same 'what follows a failed -c is left out' '3 no' "$? $([ -e ran ] && echo yes || echo no)"
runs 'an \if left open' 3 "$(printf '1\nmtsql:open.sql:2: error: reached EOF without finding closing \\endif(s)')" -XAt -f open.sql
"$MTSQL" -XAt -c "SELECT 'x" 2>err
same 'an open quote is an error' 3 $?
holds 'an open quote is named' 'unterminated quoted string' "$(cat err)"
runs 'one transaction' 0 2 -XAtq -1 -c 'CREATE TABLE t (a int)' -c 'INSERT INTO t VALUES (1), (2)' -c 'SELECT count(*) FROM t' store1
runs 'one transaction is kept' 0 2 -XAt -c 'SELECT count(*) FROM t' store1
"$MTSQL" -Xq -1 -c 'DELETE FROM t' -c 'SELECT nope' store1 2>/dev/null
same 'one transaction fails' 3 $?
runs 'one transaction that failed left nothing' 0 2 -XAt -c 'SELECT count(*) FROM t' store1
runs 'AUTOCOMMIT off' 0 0 -XAtq -v AUTOCOMMIT=off -c 'DELETE FROM t' -c 'SELECT count(*) FROM t' store1
runs 'AUTOCOMMIT off commits nothing by itself' 0 1 -XAtq -v AUTOCOMMIT=off -c 'DELETE FROM t WHERE a = 1' -c '/* so */ COMMIT' -c 'DELETE FROM t' -c 'ROLLBACK' -c 'SELECT count(*) FROM t' store1
out=$("$MTSQL" -XAtq -v ON_ERROR_STOP=0 -v ON_ERROR_ROLLBACK=on -c BEGIN -c 'INSERT INTO t VALUES (7)' -c 'SELECT nope' -c 'SAVEPOINT mine' -c 'SELECT nope' -c 'ROLLBACK TO mine' -c COMMIT -c 'SELECT a FROM t ORDER BY a' store1 2>/dev/null)
same 'ON_ERROR_ROLLBACK' "$(printf '3 2\n7')" "$? $out"
input='\q 7
SELECT 1;'
runs 'quit with a code' 7 '' -XAt
input='SELECT 1;
\q
SELECT 2;'
runs 'quit' 0 1 -XAt
"$MTSQL" -X 'mongodb://user:secret@127.0.0.1:1/lab?serverSelectionTimeoutMS=300' -c 'SELECT 1' >out 2>&1
same 'no connection' 2 $?
same 'a password stays hidden' '' "$(grep secret out)"

holds 'help lists options' '--aggregate COLLECTION PIPELINE' "$("$MTSQL" --help)"
same 'help goes well' 0 "$("$MTSQL" --help >/dev/null; echo $?)"
same 'version' "mtsql $(sed -n 's/^#define MTSQL_VERSION "\(.*\)"/\1/p' "$ROOT/include/mtsql.h")" "$("$MTSQL" -V)"

same 'a pipe gets no decoration' '' "$("$MTSQL" -X -c 'SELECT 1' -c '\timing on' -c 'SELECT 2' | grep "$(printf '\033')")"
echo '\set x 8' >.mtsqlrc
runs 'the start-up file' 0 8 -At -c 'SELECT :x'
runs 'the start-up file is left out' 3 "$(printf 'ERROR:  syntax error at or near ":"\nLINE 1: SELECT :x\n               ^')" -XAt -c 'SELECT :x'
rm .mtsqlrc
"$MTSQL" -XAt -o file -c 'SELECT 9'
same 'output to a file' 9 "$(cat file)"
runs 'a restricted session runs no commands' 3 'mtsql: error: \! is not allowed in a restricted session' -X --restricted -c '\! echo hi'
# each command of the list that reaches out of the session, and a few that don't
runs 'a restricted session keeps its query for itself' 3 'mtsql: error: \g is not allowed in a restricted session' -X --restricted -c 'SELECT 1 \g kept'
for command in 'e' 'edit' 'w kept' 'i kept' 'ir kept' "copy (SELECT 1) TO 'kept'" 'o kept' 's kept' 'c kept' 'connect kept' 'cd /' 'setenv A b' '!'; do
   runs "a restricted session refuses \\$command" 3 "mtsql: error: \\${command%% *} is not allowed in a restricted session" -X --restricted -c "\\$command"
done
same 'a restricted session made no file' '' "$(ls kept 2>/dev/null)"
echo '\echo ran' >.mtsqlrc
runs 'a restricted session runs no start-up file' 0 1 -At --restricted -c 'SELECT 1'
rm .mtsqlrc
runs 'a restricted session shows results' 0 1 -XAt --restricted -c '\o' -c 'SELECT 1 \g'
runs 'tags are no JSON' 0 '[{"a":1}]' -X --json -c 'CREATE TABLE j (ts timestamptz TIME)' -c 'SELECT 1 AS a'
runs 'rows of COPY are alone on standard output' 0 '1' -X -c 'COPY (SELECT 1) TO STDOUT'
same 'a statement in process loads neither the driver nor OpenSSL' 0 "$("$MTSQL" -Xqc '\! grep -c -e mongoc -e libssl /proc/$PPID/maps')"
mkdir broken && : > broken/libmongoc-1.0.so.0 && : > broken/libmongoc2.so.2
same 'a driver that is not installed' 'mtsql: error: could not load a library: /libmongoc: file too short
HINT:  Connections to servers need libmongoc, MongoDB'"'"'s driver for C.' "$(LD_LIBRARY_PATH=broken "$MTSQL" -X -c 'SELECT 1' mongodb://localhost:1/d 2>&1 | sed 's|broken/libmongoc[-.0-9a-z]*|/libmongoc|')"
same 'a limit of file sizes is an error' 'ERROR:  could not write' "$(ulimit -f 100; "$MTSQL" -XAt -c 'CREATE TABLE big (ts timestamptz TIME, s text DIMENSION)' \
   -c "INSERT INTO big VALUES ('2020-01-01', repeat('x', 200000))" small.mts 2>&1 | grep -o 'ERROR:  could not write' | head -1)"
same 'a full disk is noticed' 3 "$("$MTSQL" -XAt -c 'SELECT 1' 2>/dev/null >/dev/full; echo $?)"

# where the target comes from
"$MTSQL" -Xq lab.mts -c 'CREATE TABLE t (a int)' -c 'INSERT INTO t VALUES (7)'
printf '# names\n[ other ]\ntarget = none.mts\n[lab]\n  target = %s/lab.mts\nread_only = on\n[odd]\ntarget lab\n[bad]\nuri=x\n[empty]\n' "$work" >"$HOME/.mtsql_service.conf"
runs 'a named target' 0 7 -XAt service=lab -c 'SELECT a FROM t'
runs 'the same as an option' 0 7 -XAt --service lab -c 'SELECT a FROM t'
runs 'it is read-only' 3 'ERROR:  cannot write to table "t": the target is read-only' -X service=lab -c 'DELETE FROM t'
runs 'within a session' 0 7 -XqAt -c '\c service=lab' -c 'SELECT a FROM t'
runs 'a name that is not there' 2 "mtsql: error: definition of service \"nope\" not found in \"$HOME/.mtsql_service.conf\"" -X service=nope
runs 'a line without =' 2 'mtsql: error: syntax error in service file: "target lab"' -X service=odd
runs 'an unknown option' 2 'mtsql: error: unrecognized option "uri" in the service file; there are target and read_only' -X service=bad
runs 'no target' 2 'mtsql: error: service "empty" has no target' -X service=empty
runs 'two targets' 1 'mtsql: error: more than one target: "service=lab"' -X lab.mts --service lab
export MTSQL_SERVICEFILE="$work/no_file"
runs 'no file' 2 "mtsql: error: could not read service file \"$work/no_file\": No such file or directory" -X service=lab
unset MTSQL_SERVICEFILE
export MTSQL_URI=service=lab
runs 'the environment gives the target' 0 7 -XAt -c 'SELECT a FROM t'
runs 'the command line goes before it' 3 'ERROR:  relation "t" does not exist
LINE 1: SELECT a FROM t
                      ^' -Xq new.mts -c 'SELECT a FROM t'
unset MTSQL_URI

# a store is made by the first write
runs 'a misspelt name' 0 f -XAt typo.mts -c 'SELECT false'
same 'leaves no folder' no "$([ -e typo.mts ] && echo yes || echo no)"
same 'nor does a script that only reads' no "$("$MTSQL" -Xq typo.mts -c '\d' -c 'CREATE TEMP TABLE t (a int)' >/dev/null 2>&1; [ -e typo.mts ] && echo yes || echo no)"
runs 'a folder that cannot be there' 2 'mtsql: error: could not create file "none/typo.mts": No such file or directory' -X none/typo.mts -c 'SELECT 1'
"$MTSQL" -Xq late.mts -c 'SELECT 1' -c '\! '"$MTSQL"' -Xq late.mts -c "CREATE TABLE t AS SELECT 5 AS a"' -c 'SELECT a + 1 FROM t' -c 'INSERT INTO t VALUES (9)' >/dev/null 2>&1
runs 'another process makes it meanwhile' 0 '5
9' -XAt late.mts -c 'SELECT a FROM t ORDER BY a'

# time zones, scripts, times
same 'PGTZ goes before TZ' Asia/Tokyo "$(PGTZ=Asia/Tokyo TZ=Europe/Berlin "$MTSQL" -XAtc 'SHOW timezone')"
same 'TZ' '2024-07-01 02:00:00+02' "$(TZ=:Europe/Berlin "$MTSQL" -XAtc "SELECT timestamptz '2024-07-01 00:00Z'")"
same 'an unknown one' 'mtsql: warning: the time zone "No/Where" of the environment is not known; times are in UTC' "$(TZ=No/Where "$MTSQL" -XAtc 'SELECT' 2>&1)"
printf '#!/usr/bin/env -S %s -XAtf\nSELECT 6 * 7;\nSELECT nope;\n' "$MTSQL" >script.sql
chmod +x script.sql
same 'a script that is a program' "42
mtsql:./script.sql:3: ERROR:  column \"nope\" does not exist
LINE 1: SELECT nope;
               ^" "$(./script.sql 2>&1)"
same 'the parts of a time' yes "$("$MTSQL" -XAt -c '\timing on' -c 'SELECT 1' | grep -Eq '^Time: [0-9.]+ ms \(plan [0-9.]+, run [0-9.]+, print [0-9.]+\)$' && echo yes)"
finish

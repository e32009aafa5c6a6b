#!/bin/sh
# Backslash commands in scripts.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

script() { # NAME EXPECTED, the script from standard input
   expected=$2
   cat >script.sql
   same "$1" "$expected" "$("$MTSQL" -XqAt -f script.sql 2>&1)"
}

script 'variables' "$(printf "5\n5\nO'Brien\n:x\n5 O'Brien TRUE FALSE")" <<'END'
\set x 5
\set name 'O''Brien'
\set col 'a b'
SELECT :x;
SELECT :"col" FROM (SELECT 5 AS "a b") q;
SELECT :'name';
SELECT ':x';
\echo :x :name :{?x} :{?nope}
END
script 'conditions' "$(printf 'b\nend')" <<'END'
\if false
SELECT 'a';
\elif yes
SELECT 'b';
\if no
SELECT 'unterminated;
';
\endif
\else
SELECT 'c';
\nonsense here
\endif
\echo end
END
script 'a command behind a statement' "$(printf '1|2\na|3')" <<'END'
SELECT 1, 2 \g
SELECT 3 AS a \gx
END
script 'gset' '1 2' <<'END'
SELECT 1 AS one, 2 AS two \gset p_
\echo :p_one :p_two
END
script 'several statements on a line' "$(printf '1\n2\n3')" <<'END'
SELECT 1; SELECT 2; SELECT
3;
END
script 'quotes and comments hide semicolons' "$(printf ';\n;\na;b\n1')" <<'END'
SELECT ';';
SELECT $$;$$; -- ; \q
SELECT $x$a;b$x$; /* ; /* \q */ ; */
SELECT (1);
END
script 'g to a file and to a command' "$(printf '1\n     1\t2')" <<'END'
SELECT 1 \g out.txt
\! cat out.txt
SELECT 2 \g |cat -n
END
printf '\\ir sub/b.sql\n' >a.sql
mkdir sub
printf '\\ir c.sql\n\\echo b\n' >sub/b.sql
printf '\\echo c\n' >sub/c.sql
script 'files beside files' "$(printf 'c\nb')" <<'END'
\i a.sql
END
printf '\\i loop.sql\n' >loop.sql
holds 'files that include themselves' 'files are included too deeply' "$("$MTSQL" -X -f loop.sql 2>&1)"
script 'words in quotes' "$(printf 'a  b c\td')" <<'END'
\echo 'a  b' 'c\td'
END
script 'o' "$(printf 'out\nx\ny')" <<'END'
\o o.txt
SELECT 'x';
\qecho y
\echo out
\o
\! cat o.txt
END
script 'pset' "$(printf 'a;<>\n1;NULL')" <<'END'
\t off
\pset footer off
\pset fieldsep ';'
\pset null NULL
SELECT 1 AS a, NULL AS "<>";
END
holds 'a command misspelt' "$(printf 'error: invalid command \\pest\nHINT:  Perhaps you meant \\pset.')" "$("$MTSQL" -X -c '\pest' 2>&1)"
holds 'an option misspelt' 'HINT:  Perhaps you meant "border".' "$("$MTSQL" -X -c '\pset boder 1' 2>&1)"
holds 'commands explain themselves' '\compare[+] [QUERY]' "$("$MTSQL" -X -c '\?')"
holds 'presets are explained' 'cluster_by = columns' "$("$MTSQL" -X -c '\h nested')"
holds 'statements are explained' 'Command:     SELECT' "$("$MTSQL" -X -c '\h select')"
holds 'verbosity' 'ERROR:  42703: column "nope"' "$("$MTSQL" -X -c '\set VERBOSITY verbose' -c 'SELECT nope' 2>&1)"
same 'verbosity sqlstate' 'ERROR:  42703' "$("$MTSQL" -X -c '\set VERBOSITY sqlstate' -c 'SELECT nope' 2>&1)"
holds 'timing' 'Time: ' "$("$MTSQL" -X -c '\timing on' -c 'SELECT 1')"
esc=$(printf '\033')
same 'errors quote control characters visibly' "$(printf 'ERROR:  invalid input syntax for type integer: "x\\x1B[31m"\nLINE 1: SELECT '"'"'x\\x1B[31m'"'"'::int, "zz"\n               ^')" \
   "$("$MTSQL" -X -c "SELECT 'x$esc[31m'::int, \"zz\"" 2>&1)"
holds 'titles, too' 'Table "x\x1B[31m"' "$("$MTSQL" -Xq -c "CREATE TABLE \"x$esc[31m\" (ts timestamptz TIME, a int MEASURE)" -c "\d x$esc[31m")"
same 'p shows the buffer' 'SELECT 1' "$(printf 'SELECT 1\n\\p\n\\r\n' | "$MTSQL" -Xq)"
same 'p shows what ran, after r, too' "$(printf '1\nSELECT 1;\nSELECT 1;')" "$(printf 'SELECT 1;\n\\p\nSELECT 2\n\\r\n\\p\n' | "$MTSQL" -XAtq)"
same 'p has no empty line' 'SELECT|1' "$(printf 'SELECT\n\\p\n1;\n' | "$MTSQL" -XAtq | tr '\n' '|' | sed 's/|$//')"
same 'a switch that is told what to be says nothing' 'Tuples only is off.' "$("$MTSQL" -X -c '\pset footer off' -c '\t on' -c '\t')"
same 'separators are told' 'Record separator is <newline>.' "$("$MTSQL" -X -c '\pset recordsep')"
same 'watch ends by itself' "$(printf '1\n1')" "$("$MTSQL" -XAtq -c 'SELECT 1 \watch 0 c=2')"
finish

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
script 'a condition that is none' "$(printf 'mtsql:script.sql:1: error: unrecognized value "perhaps" for "\\if expression": Boolean expected\nno')" <<'END'
\if perhaps
\echo yes
\else
\echo no
\endif
END
script 'a command behind a statement' "$(printf '1|2\na|3')" <<'END'
SELECT 1, 2 \g
SELECT 3 AS a \gx
END
script 'a command that fails leaves the query buffer empty' "$(printf '1\nmtsql:script.sql:3: ERROR:  \\chart: invalid value for y: ""\nHINT:  The value is COLUMN[,COLUMN…].\nmtsql:script.sql:4: error: \\pset: unknown option: nonsense\n2')" <<'END'
\set ON_ERROR_STOP off
SELECT 1;
\chart y=
\g (nonsense=1)
SELECT 2;
END
script 'gset' '1 2' <<'END'
SELECT 1 AS one, 2 AS two \gset p_
\echo :p_one :p_two
END
script 'errverbose' "$(printf 'There is no previous error.\nmtsql:script.sql:3: ERROR:  column "nope" does not exist\nLINE 1: SELECT nope;\n               ^\nmtsql:script.sql:4: error: ERROR:  42703: column "nope" does not exist\nLINE 1: SELECT nope;\n               ^')" <<'END'
\errverbose
\set ON_ERROR_STOP off
SELECT nope;
\errverbose
END
script 'encoding' "$(printf 'UTF8\nmtsql:script.sql:2: error: LATIN1: invalid encoding name or conversion procedure not found')" <<'END'
\encoding
\encoding LATIN1
\encoding unicode
END
script 'crosstabview: too many columns' 'mtsql:script.sql:1: error: \crosstabview: maximum number of columns (1600) exceeded' <<'END'
SELECT 1, n, n FROM generate_series(1, 1601) n \crosstabview
END
script 'crosstabview: an error within' 'mtsql:script.sql:1: ERROR:  division by zero' <<'END'
SELECT n, n + 1, 1 / (n - 3) FROM generate_series(1, 5) n \crosstabview
END
script 'gexec: several statements in a value' "$(printf '1\n2\n;\nmtsql:script.sql:3: error: \\crosstabview: query must return at least three columns\n00000')" <<'END'
SELECT 'SELECT 1; SELECT 2; -- ; 3', 'SELECT '';'';' \gexec
\set ON_ERROR_STOP off
SELECT 1 \crosstabview
\echo :SQLSTATE
END
script 'gexec: a failure, and an end' "$(printf 'mtsql:script.sql:1: ERROR:  division by zero')" <<'END'
SELECT 'SELECT 1/0', 'SELECT 2' \gexec
SELECT 3;
END
script 'gexec: of a query that fails nothing is run' "$(printf 'mtsql:script.sql:4: ERROR:  division by zero\nend')" <<'END'
\set ON_ERROR_STOP off
CREATE TABLE g (ts timestamptz TIME, a bigint) USING rows;
INSERT INTO g SELECT '2020-01-01'::timestamptz + x * interval '1 second', x FROM generate_series(1, 3000) x;
SELECT 'SELECT ' || 10 / (3000 - a) FROM g WHERE a IN (1, 3000) ORDER BY ts \gexec
\echo end
END
cat >ask.sql <<'END'
\prompt 'what? ' v
\echo <:v>
\prompt v
END
same 'prompt: from standard input of a script' "$(printf 'what? <an answer>\nmtsql:ask.sql:3: error: \\prompt: could not read value for variable')" "$(echo 'an answer' | "$MTSQL" -XqAt -v ON_ERROR_STOP=0 -f ask.sql 2>&1)"
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
script 'lists of nothing' "$(printf 'Did not find any tables.\nDid not find any views.\nmtsql:script.sql:3: error: Did not find any relation named "nope".\nmtsql:script.sql:5: error: Did not find any relation named "public.table_of".\nHINT:  Perhaps you meant "tables_of".\nDid not find any views.\nand on')" <<'END'
\dt
\dv
\dt nope
CREATE TABLE tables_of (a int);
\dt public.table_of
\dv
\echo and on
END
script 'lists of all schemas, of roles and settings' "$(printf 'pg_temp.t|2|rows\npublic.t|1|rows\nt|2|rows\nmtsql|Superuser, Bypass RLS\nwork_mem|256MB')" <<'END'
CREATE TABLE t (a int);
CREATE TEMP TABLE t (a int, b int);
\pset footer off
\dt *.t
\dt t
\dg mtsql
\dconfig work_*
END
script 'g to a file and to a command' "$(printf '1\n     1\t2')" <<'END'
SELECT 1 \g out.txt
\! cat out.txt
SELECT 2 \g |cat -n
END
script 'g with display options for its statement alone' "$(printf 'a,b\n1,\na;b\n2;-\n(1 row)\n     1\t3,\n4|')" <<'END'
SELECT 1 AS a, NULL AS b \g (format=csv tuples_only=off)
SELECT 2 AS a, NULL AS b \g ( fieldsep=';' null=- t=off ) options.txt
\! cat options.txt
SELECT 3, NULL \g (format=csv) |cat -n
SELECT 4, NULL \g
END
script 'gx with display options' "$(printf 'two words\n\na;1\nb|2')" <<'END'
SELECT 1 AS a \gx (title='two words' fieldsep=; footer=off tuples_only=off)
SELECT 2 AS b \gx
END
script 'values of variables' "$(printf 'mtsql:script.sql:2: error: unrecognized value "maybe" for "ECHO"\nAvailable values are: all, errors, none, queries.\nmtsql:script.sql:3: error: unrecognized value "perhaps" for "QUIET": Boolean expected\nmtsql:script.sql:4: error: invalid value "few" for "FETCH_COUNT": integer expected\non yes any')" <<'END'
\set ON_ERROR_STOP off
\set ECHO maybe
\set QUIET perhaps
\set FETCH_COUNT few
\set ON_ERROR_ROLLBACK
\set AUTOCOMMIT yes
\set ECHOES any
\echo :ON_ERROR_ROLLBACK :AUTOCOMMIT :ECHOES
END
script 'help with a misspelt name' "$(printf 'No help available for "selct".\nPerhaps you meant "SELECT".\nTry \\h with no arguments to see available help.\nNo help available for "xyzzy".\nTry \\h with no arguments to see available help.')" <<'END'
\h selct
\h xyzzy
END
script 'options of g that are none' "$(printf 'mtsql:script.sql:2: error: \\g: missing right parenthesis\nmtsql:script.sql:3: error: \\pset: unknown option: nothing\nmtsql:script.sql:4: error: unrecognized value "maybe" for "footer": Boolean expected\n1|')" <<'END'
\set ON_ERROR_STOP off
SELECT 1, NULL \g (null=x
\g (null=x nothing)
\g (footer=maybe null=x) options.txt
\g ()
END
printf '\\ir sub/b.sql\n' >a.sql
mkdir sub
printf '\\ir c.sql\n\\echo b\n' >sub/b.sql
printf '\\echo c\n' >sub/c.sql
script 'files beside files' "$(printf 'c\nb')" <<'END'
\i a.sql
END
printf '\\i loop.sql\n' >loop.sql
holds 'files that include themselves' 'too many nested' "$("$MTSQL" -X -f loop.sql 2>&1)"
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
holds 'commands explain themselves' '\compare[+] [FILE.html] [QUERY]' "$("$MTSQL" -X -c '\?')"
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
printf 'SELECT 1;\n-- a remark\nSELECT 2\n  + 3;\n\\echo four\nSELECT 5' >edited.sql
printf '#!/bin/sh\ncp edited.sql "$1"\n' >editor
chmod +x editor
same 'e runs all that was edited' '1 5 four 6' "$(printf '\\e \\echo lost\n+ 1;\n' | EDITOR=./editor "$MTSQL" -XAtq | tr '\n' ' ' | sed 's/ $//')"
printf '#!/bin/sh\ntest $(($(date +%%s) - $(stat -c %%Y "$1"))) -ge 2 && printf "SELECT 8;\\n" >"$1"\n' >quick
chmod +x quick
same 'e sees a quick edit of the same size where times are in whole seconds' '7 8' "$(printf 'SELECT 7;\n\\e\n' | EDITOR=./quick "$MTSQL" -XAtq | tr '\n' ' ' | sed 's/ $//')"
same 'e of a file' '1 5 four 5' "$(printf '\\e edited.sql\n' | EDITOR='echo >>' "$MTSQL" -XAtq | tr '\n' ' ' | sed 's/ $//')"
same 'e runs nothing again that was left as it was' '7 8' "$(printf 'SELECT 7;\n\\e\n\\e edited.sql\nSELECT 8\n\\e\n;' | EDITOR=true "$MTSQL" -XAtq | tr '\n' ' ' | sed 's/ $//')"
same 'sf of what is built in' "$(printf 'ERROR:  function "abs" is built in\nHINT:  Functions that CREATE FUNCTION made have a definition.')" "$("$MTSQL" -X -c '\sf abs' 2>&1)"
holds 'sf of an aggregate, too' 'function "Sum (bigint)" is built in' "$("$MTSQL" -X -c '\sf Sum (bigint)' 2>&1)"
same 'sf of nothing' 'ERROR:  function "absent" does not exist' "$("$MTSQL" -X -c '\sf absent' 2>&1)"
same 'a switch that is told what to be says nothing' 'Tuples only is off.' "$("$MTSQL" -X -c '\pset footer off' -c '\t on' -c '\t')"
same 'separators are told' 'Record separator is <newline>.' "$("$MTSQL" -X -c '\pset recordsep')"
cat >lists.sql <<'END'
CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE);
CREATE VIEW w (key, total) AS SELECT k, sum(n) FROM t GROUP BY k;
CREATE VIEW v (key) AS SELECT k FROM t;
CREATE INDEX i ON t (k);
COMMENT ON TABLE t IS 'a table';
COMMENT ON COLUMN t.k IS 'a key';
END
script 'lists from the catalog' "$(cat <<'END'
public|i|index|mtsql|t
public|i|index|mtsql|t|CREATE INDEX i ON public.t USING btree (k)|
public|mtsql
information_schema|mtsql
pg_catalog|mtsql
public|mtsql
pg_catalog|bigint
pg_catalog|bigint|int8|8|
pg_catalog|<<|bigint|integer|bigint|shift to the left
pg_catalog|<<|integer|integer|integer|shift to the left
pg_catalog|<<|smallint|integer|smallint|shift to the left
public|t|table|a table
public|t.k|column|a key
public|t|table|||
public|v|view|||
public|w|view|||
mtsql|Superuser, Bypass RLS
pg_catalog|objectid|character varying|in assignment
pg_catalog|objectid|text|in assignment
pg_catalog|objectid|timestamp with time zone|no
pg_catalog|pg_index|table|||
CREATE OR REPLACE VIEW v AS
 SELECT k AS key FROM t;
CREATE OR REPLACE VIEW w AS
 SELECT * FROM (SELECT k, sum(n) FROM t GROUP BY k) w (key, total);
row_number|-> int8|window|number of the row within its partition, from 1
END
)" <<'END'
\i lists.sql
\di
\di+ i
\dn
\dnS
\dT bigint
\dT+ pg_catalog.big*
\do <<
\dd
\dp
\du
\dC objectid
\dp pg_catalog.pg_ind?x
\sv v
\sv w
\df row_num*
END
holds 'an index' 'primary key, btree, for table "public.keyed"' "$("$MTSQL" -Xq -c 'CREATE TABLE keyed (id int PRIMARY KEY)' -c '\d keyed_pkey' 2>&1)"
holds 'what the catalog has' 'Table "pg_catalog.pg_am"' "$("$MTSQL" -X -c '\d pg_am' 2>&1)"
holds 'a view of the catalog' ' ordinal_position ' "$("$MTSQL" -X -c '\d information_schema.columns' 2>&1)"
holds 'what is nothing' 'Did not find any relation named "no_such"' "$("$MTSQL" -X -c '\d no_such' 2>&1)"
holds 'a list without rows' 'Did not find any relation named "x".' "$("$MTSQL" -X -c '\di x' 2>&1)"
holds 'the tables of the catalog' ' pg_catalog | pg_class | table |' "$("$MTSQL" -X -c '\dtS pg_cl*' 2>&1)"
holds 'all of the catalog' ' pg_catalog         | pg_am ' "$("$MTSQL" -X -c '\dS' 2>&1)"
same 'lines of a view' '1       CREATE OR REPLACE VIEW v AS
2        SELECT 1 AS a;' "$("$MTSQL" -Xq -c 'CREATE VIEW v AS SELECT 1 AS a' -c '\sv+ v' 2>&1)"
same 'lines of a function' '        CREATE OR REPLACE FUNCTION f(x integer)
         RETURNS integer
         LANGUAGE sql
1       AS $function$SELECT x
2       + 1$function$' "$(printf "CREATE FUNCTION f (x int) RETURNS int LANGUAGE sql AS 'SELECT x\n+ 1';\n\\\\sf+ f\n" | "$MTSQL" -Xq 2>&1)"
same 'the environment of what is started' 'told' "$(printf '\\setenv MT_TOLD told\n\\! echo $MT_TOLD\n\\setenv MT_TOLD\n\\! printf "%%s" "$MT_TOLD"\n' | "$MTSQL" -X)"
holds 'what no variable is named' 'must not contain "="' "$("$MTSQL" -X -c '\setenv a=b c' 2>&1)"
holds 'what is no view' '"pg_class" is not a view' "$("$MTSQL" -X -c '\sv pg_class' 2>&1)"
holds 'items of FROM are explained' 'WITH ORDINALITY' "$("$MTSQL" -X -c '\h select')"
holds 'formats of COPY are explained' 'FORMAT {text | csv | jsonl | arrow | arrows | arcanum}' "$("$MTSQL" -X -c '\h copy')"
holds 'WITH is explained' 'WITH [RECURSIVE] name' "$("$MTSQL" -X -c '\h with')"
holds 'a set is explained' 'generate_series' "$("$MTSQL" -X -c '\h generate_series')"
same 'the buffer outlives an unknown command' '3' "$(printf 'SELECT 1 +\n\\nonsense\n2;\n' | "$MTSQL" -XAtq -v ON_ERROR_STOP=0 2>/dev/null)"
cat >layouts.sql <<'END'
CREATE TABLE a (ts timestamptz TIME PERIOD '60 s' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE a ADD LAYOUT by_time USING nested WITH (levels = 'ts, k', presum = 'ts');
CREATE TABLE b (k text NOT NULL, w bigint NOT NULL);
INSERT INTO a VALUES ('2020-01-01', 'x', 1), ('2020-01-01', 'y', 2);
INSERT INTO b VALUES ('x', 5);
\compare SELECT sum(n * w) FROM a JOIN b USING (k)
END
same 'layouts of several tables are compared' "$(printf 'a.rows|records|2|1\na.by_time|records|1|1\nb.rows|records|1|1')" "$("$MTSQL" -XqAt -f layouts.sql 2>&1 | cut -d '|' -f 1,2,3,8)"
printf '1,a b\n' >'in put.csv'
printf '2,c\n' >in.csv
script '\copy' "$(printf '1|a b\n2|c\n3|d\n1\n2\n4')" <<'END'
CREATE TABLE kept (n int, t text);
\copy kept FROM 'in put.csv' (FORMAT csv);
\copy kept (n, t) from in.csv with (format csv)
\copy kept from stdin csv
3,d
\.
SELECT * FROM kept ORDER BY n;
\copy (SELECT n FROM kept WHERE t <> 'to' AND n < 3 ORDER BY n) to stdout
\copy kept to out.csv csv
CREATE TABLE again (n int, t text);
\copy again from ./out.csv csv
\copy again from ./out.csv csv
SELECT count(DISTINCT n) + 1 FROM again;
END
holds 'a file that is not there' 'nosuch' "$("$MTSQL" -Xq -c 'CREATE TABLE x (n int)' -c '\copy x from nosuch' 2>&1)"
holds 'no file' 'FROM or TO is missing' "$("$MTSQL" -Xq -c '\copy x' 2>&1)"
holds 'a program' 'PROGRAM is not supported' "$("$MTSQL" -Xq -c "\copy x from program 'ls'" 2>&1)"
same 'watch ends by itself' "$(printf '1\n1')" "$("$MTSQL" -XAtq -c 'SELECT 1 \watch 0 c=2')"
script 'parameters' "$(printf '9|o'\''b"\n3\nmtsql:script.sql:4: ERROR:  wrong number of parameters for the prepared statement\nDETAIL:  Expected 0 parameters but got 1.')" <<'END'
SELECT $1::int + $2, $3::text \bind 4 5 'o''b"' \g
SELECT 3 \bind \g
SELECT 4 \bind 1
;
END
same 'parameters are for one query' "$(printf '?column?|text\n2')" \
   "$(printf '%s\n' 'SELECT $1 \bind 5 \gdesc' 'SELECT 2;' | "$MTSQL" -XAtq 2>&1)"
script 'prepared statements' "$(printf "a'b\n7\nmtsql:script.sql:7: ERROR:  prepared statement \"s \"1\" does not exist")" <<'END'
SELECT $1::text \parse 's "1'
\bind_named 's "1' 'a''b' \g
SELECT 7 \parse two
\bind_named two
;
\close_prepared 's "1'
SELECT 1 \bind_named 's "1' x \g
END
same 'a name is needed' 'mtsql: error: \parse: missing required argument' "$("$MTSQL" -Xq -c '\parse' 2>&1)"
finish

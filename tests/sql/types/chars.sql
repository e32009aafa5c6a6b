-- also: mongo postgres
-- char(n): blanks, lengths, comparisons, casts
SELECT 'ab'::char(4) AS a, 'abcdef'::char(4) AS b, 'ab'::char AS c, 'ab'::character(3) AS d, 'äö'::char(3) AS e;
SELECT '[' || 'ab'::char(4) || ']', '[' || 'ab'::char(4)::text || ']', length('ab  '::char(5)), char_length('ab'::char(5));
SELECT 'ab'::char(4) = 'ab', 'ab'::char(4) = 'ab   ', 'ab'::char(4) = 'ab'::char(9), 'ab'::char(4) < 'ac', 'ab'::char(4) = 'ab '::text, 'ab'::char(4) <> 'ab'::varchar;
SELECT 'ab'::char(4) LIKE 'ab', 'ab'::char(4) LIKE 'ab%', 'ab'::char(4) LIKE 'ab  ', 'ab'::char(4) ~ 'b$', 'ab'::char(4) ~ 'b +$', 'ab'::char(4) NOT LIKE 'ab';
SELECT upper('ab'::char(4)) || '|', concat('ab'::char(4), '|'), 5::char(3), '7 '::char(3)::integer + 1, 2.5::char(2);
SELECT pg_typeof('ab'::char(4)), 'x'::char(0);
SELECT 'ab'::char(4) IS DISTINCT FROM 'ab ', nullif('ab'::char(4), 'ab'), coalesce(NULL, 'ab'::char(4)) || '|';
CREATE TABLE t (id integer, c char(4), v varchar(3), d char DEFAULT 'y');
INSERT INTO t VALUES (1, 'ab', 'ab'), (2, 'ab  ', 'ab '), (3, 'abcd   ', 'x'), (4, NULL, NULL), (5, 'b', 'abc  ');
INSERT INTO t SELECT 6, 'abcde'::text, 'x';
INSERT INTO t SELECT 6, 'abcd   '::text, 'abc'::text;
UPDATE t SET c = c || 'xyz' WHERE id = 1;
UPDATE t SET c = c || 'x' WHERE id = 1;
SELECT * FROM t ORDER BY id;
SELECT id, c || '|', v || '|' FROM t ORDER BY id;
SELECT id FROM t WHERE c = 'ab' ORDER BY id;
SELECT id FROM t WHERE c = 'abcd  ' ORDER BY id;
SELECT id FROM t WHERE c IN ('ab ', 'b   ') ORDER BY id;
SELECT id FROM t WHERE c NOT IN ('ab ', 'b   ') ORDER BY id;
SELECT id FROM t WHERE c >= 'abx' ORDER BY id;
SELECT id FROM t WHERE c BETWEEN 'ab' AND 'abcd' ORDER BY id;
SELECT id FROM t WHERE c LIKE 'ab%' ORDER BY id;
SELECT id FROM t WHERE c LIKE 'ab' ORDER BY id;
SELECT id FROM t WHERE c = v ORDER BY id;
SELECT id FROM t WHERE c = ANY ('{ab,b}') ORDER BY id;
SELECT a.id, b.id FROM t a JOIN t b ON a.c = b.c WHERE a.id < b.id ORDER BY 1, 2;
SELECT c, count(*) FROM t GROUP BY c ORDER BY c;
SELECT DISTINCT c FROM t ORDER BY c DESC;
SELECT min(c), max(c), count(DISTINCT c) FROM t;
SELECT max(c) OVER (ORDER BY id), lag(c) OVER (ORDER BY id) FROM t ORDER BY id;
SELECT greatest(c, 'abc'), least(c, 'abc') FROM t ORDER BY id;
SELECT string_agg(c, ',' ORDER BY id), array_agg(c ORDER BY id) FROM t;
SELECT ARRAY['a', 'bc']::char(3)[], '{a,"b "}'::char(2)[];
SELECT '{abc}'::char(2)[];
COPY t FROM STDIN;
7	x 	y	z
\.
COPY t (id, c) FROM STDIN;
8	abcde
\.
COPY (SELECT id, c FROM t WHERE id IN (1, 7) ORDER BY id) TO STDOUT;
PREPARE p AS SELECT id FROM t WHERE c = $1 ORDER BY id;
EXECUTE p ('ab   ');
SELECT attname, format_type(atttypid, atttypmod), atttypmod FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum;
SELECT column_name, data_type, character_maximum_length, character_octet_length, udt_name FROM information_schema.columns WHERE table_name = 't' ORDER BY 1;
SELECT oid, typname, typlen, typcategory FROM pg_type WHERE typname IN ('bpchar', '_bpchar') ORDER BY 1;
CREATE TABLE u AS SELECT c FROM t WHERE id = 1;
SELECT c || '|', c FROM u;
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'u'::regclass AND attnum > 0;
ALTER TABLE t ALTER COLUMN v TYPE char(5);
SELECT v || '|', v FROM t WHERE id = 1;
ALTER TABLE t ALTER COLUMN c TYPE char(2);
ALTER TABLE t ALTER COLUMN c TYPE text;
SELECT c || '|' FROM t WHERE id = 1;
SELECT c FROM (VALUES ('a'::char(3)), ('bcd')) v (c) ORDER BY c;
SELECT 'a'::char(3) UNION SELECT 'a'::char(3) ORDER BY 1;
CREATE TABLE k (c char(3) PRIMARY KEY, n integer);
INSERT INTO k VALUES ('a', 1);
INSERT INTO k VALUES ('a ', 3) ON CONFLICT (c) DO UPDATE SET n = excluded.n;
SELECT * FROM k;

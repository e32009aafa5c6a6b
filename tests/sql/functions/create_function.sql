-- also: mongo postgres
-- Functions of LANGUAGE sql: overloads, defaults, names of arguments, in every position; what can't be.
CREATE FUNCTION inc (x int, step int DEFAULT 1) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT x + step';
SELECT inc(1), inc(1, 5), inc(x => 3), inc(step => 2, x => 1), inc(7, step => 2);
CREATE FUNCTION inc (x text) RETURNS text LANGUAGE sql AS $$ SELECT x || '+' $$;
SELECT inc('a'::text), inc(2), inc(NULL::int), inc(NULL::text);
CREATE OR REPLACE FUNCTION inc (y int, z int) RETURNS bigint LANGUAGE sql AS 'SELECT y';
CREATE OR REPLACE FUNCTION inc (x int, step int = 1) RETURNS int LANGUAGE sql AS 'SELECT x';
CREATE OR REPLACE FUNCTION inc (x int, step int) RETURNS bigint LANGUAGE sql AS 'SELECT x';
CREATE OR REPLACE FUNCTION inc (x int, step int = 2) RETURNS bigint LANGUAGE sql AS 'SELECT x + step;';
SELECT inc(1);
-- a choice among functions by what they need
CREATE FUNCTION pick (a int) RETURNS text LANGUAGE sql AS $$ SELECT 'one int' $$;
CREATE FUNCTION pick (a int, b int = 0) RETURNS text LANGUAGE sql AS $$ SELECT 'two ints' $$;
CREATE FUNCTION pick (a numeric, b numeric) RETURNS text LANGUAGE sql AS $$ SELECT 'numerics' $$;
SELECT pick(1);
SELECT pick(1, 2), pick(1.5, 2), pick(b => 1, a => 2);
CREATE FUNCTION unsure (a int, b int = 0) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION unsure (a int, b text = '') RETURNS int LANGUAGE sql AS 'SELECT 2';
SELECT unsure(1);
SELECT unsure(1, 'x'::text);
-- NULL
CREATE FUNCTION seven (int) RETURNS int LANGUAGE sql AS 'SELECT 7';
CREATE FUNCTION strict_seven (int) RETURNS int STRICT LANGUAGE sql AS 'SELECT 7';
CREATE FUNCTION checked_seven (int) RETURNS int RETURNS NULL ON NULL INPUT LANGUAGE sql AS 'SELECT 7';
SELECT seven(NULL), strict_seven(NULL), checked_seven(NULL), strict_seven(1);
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, v int MEASURE) USING rows;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 01:00+00', 'b', 2), ('2020-01-02 00:00+00', 'a', 4), ('2020-01-03 00:00+00', 'c', NULL);
SELECT k, inc(v), strict_seven(v) FROM t WHERE inc(v) > 3 OR v IS NULL ORDER BY inc(v, 2), k;
SELECT inc(sum(v)::int) FROM t GROUP BY inc(k) HAVING inc(count(*)::int) > 2 ORDER BY 1;
SELECT k, sum(inc(v)) OVER (ORDER BY ts), inc(max(v) OVER ()) FROM t ORDER BY ts;
SELECT a.k, b.v FROM t a JOIN t b ON inc(a.v) = b.v + 1 ORDER BY 1, 2;
SELECT CASE WHEN inc(k) = 'a+' THEN 1 END FROM t ORDER BY ts LIMIT inc(0)::int;
UPDATE t SET v = inc(v)::int WHERE inc(k) = 'b+' RETURNING k, inc(v);
PREPARE p AS SELECT inc($1, $2);
EXECUTE p (3, 4);
-- a body that reads a table
CREATE FUNCTION total (key text DEFAULT 'a') RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT sum(v) FROM t WHERE k = key $$;
SELECT total(), total('b'), total('nothing'), total(key => lower('A'));
SELECT k FROM t WHERE v < total() ORDER BY ts;
CREATE FUNCTION latest (k text) RETURNS timestamptz LANGUAGE sql AS 'SELECT ts FROM t WHERE t.k = $1 ORDER BY ts DESC';
SELECT latest('a'), latest('z');
-- one calls another
CREATE FUNCTION inc_twice (x int) RETURNS bigint LANGUAGE sql AS 'SELECT inc(inc(x)::int)';
SELECT inc_twice(1);
-- errors
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS $$ SELECT x + yy $$;
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS 'SELECT x + yy';
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS $$ SELECT x + $$;
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql IMMUTABLE VOLATILE AS $$ SELECT 1 $$;
-- DROP
DROP FUNCTION IF EXISTS nosuch, inc (date);
DROP FUNCTION inc_twice, inc (int, int);
SELECT inc('x'::text);
DROP FUNCTION inc;

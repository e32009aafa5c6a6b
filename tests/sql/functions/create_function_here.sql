-- also: mongo
-- What is mtsql's own about functions: templates, \sf, \df, bodies that fail where they are called.
\pset format unaligned
CREATE FUNCTION root (x float8, n int DEFAULT 2) RETURNS float8 LANGUAGE mql IMMUTABLE STRICT AS '{"$pow": ["$x", {"$divide": [1, "$n"]}]}';
SELECT root(16), root(n => 4, x => 16), root(NULL);
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 01:00+00', 'b', 4), ('2020-01-02 00:00+00', 'a', NULL);
SELECT k, root(v + 5) FROM t ORDER BY root(v + 5);
EXPLAIN (COSTS OFF) SELECT root(v) FROM t WHERE root(v, 2) > 1;
CREATE FUNCTION dice () RETURNS float8 LANGUAGE mql AS '{"$rand": {}}';
CREATE FUNCTION fixed_dice () RETURNS float8 LANGUAGE mql IMMUTABLE AS '{"$rand": {}}';
SELECT count(*) FROM (SELECT DISTINCT dice() FROM t) q;
SELECT count(*) FROM (SELECT DISTINCT fixed_dice() FROM t) q;
CREATE FUNCTION joined (a text, b text) RETURNS text LANGUAGE mql STRICT AS '{"$concat": ["$a", "-", "$b"]}';
CREATE FUNCTION joined (a text, b text) RETURNS text LANGUAGE mql STRICT AS '{"$concat": ["$a", {"$literal": "-"}, "$b.c"]}';
CREATE FUNCTION other (a text) RETURNS text LANGUAGE mql AS '{"$concat": ["$a", "$b"]}';
CREATE FUNCTION other (a text) RETURNS text LANGUAGE mql AS '{"$getField": {"field": "k", "input": "$$ROOT"}}';
SELECT joined(b => k, a => 'x') FROM t ORDER BY ts;
CREATE FUNCTION twice (x float8) RETURNS float8 LANGUAGE sql AS 'x + x';
SELECT twice(random());
SELECT twice(x) < 2 FROM (SELECT random() AS x) q;
CREATE FUNCTION total (key text) RETURNS float8 LANGUAGE sql AS $$ SELECT sum(v) FROM t WHERE k = key $$;
SELECT k, total(k) FROM t;
SELECT total('a');
CREATE FUNCTION lottery () RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT random()';
CREATE FUNCTION lottery () RETURNS float8 LANGUAGE sql VOLATILE AS 'SELECT random()';
SELECT count(*) FROM (SELECT DISTINCT lottery() FROM t) q;
-- results, bodies and names that aren't taken
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS $$ SELECT 'a'::text $$;
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS $$ SELECT 1, 2 $$;
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS $$ DELETE FROM t $$;
CREATE FUNCTION bad (x int) RETURNS SETOF int LANGUAGE sql AS $$ SELECT 1 $$;
CREATE FUNCTION bad (x int) RETURNS TABLE (a int) LANGUAGE sql AS $$ SELECT 1 $$;
CREATE FUNCTION bad (OUT x int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
CREATE FUNCTION abs (x int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
CREATE FUNCTION abs (x text) RETURNS int LANGUAGE sql AS $$ SELECT length(x) $$;
SELECT abs('four'::text), abs(-4);
CREATE FUNCTION sum (x int, y int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
DROP FUNCTION abs (int);
DROP FUNCTION abs (text);
CREATE FUNCTION inc (x int, step int DEFAULT 1) RETURNS bigint LANGUAGE sql AS 'SELECT x + step';
CREATE FUNCTION inc (y int, z int) RETURNS bigint LANGUAGE sql AS 'SELECT y';
CREATE FUNCTION inc (x text) RETURNS text LANGUAGE sql AS $$ SELECT x || '+' $$;
DROP FUNCTION inc;
CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS $$ SELECT bad(x) $$;
CREATE FUNCTION bad (x int = 1, y int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
CREATE FUNCTION bad (x int, x int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
CREATE FUNCTION bad (x nosuch) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
CREATE FUNCTION bad (x int) RETURNS int AS $$ SELECT 1 $$;
CREATE FUNCTION bad (x int) LANGUAGE sql AS $$ SELECT 1 $$;
SELECT inc(1, 2, 3);
SELECT inc(nosuch => 1);
DROP FUNCTION inc (date);
DROP FUNCTION nosuch;
-- a view over a function that is gone; a function that calls itself
CREATE VIEW w AS SELECT k, twice(v) AS v2 FROM t;
SELECT * FROM w ORDER BY k, v2;
CREATE FUNCTION four_times (x float8) RETURNS float8 LANGUAGE sql AS 'SELECT twice(twice(x))';
DROP FUNCTION twice;
DROP FUNCTION twice CASCADE;
SELECT * FROM w;
SELECT four_times(2);
CREATE FUNCTION twice (x float8) RETURNS float8 LANGUAGE sql AS 'x * 2';
SELECT four_times(2);
CREATE OR REPLACE FUNCTION twice (x float8) RETURNS float8 LANGUAGE sql AS 'SELECT twice(x)';
SELECT twice(1);
-- as text
\sf root
\sf total(text)
\sf joined (text, text)
\sf nothing
\sf
CREATE FUNCTION root (x int) RETURNS text LANGUAGE sql AS $$ SELECT '$function$' $$;
\sf root
\sf root(integer)
\df root
\df total
-- Bodies and options that aren't there are told by name.
CREATE FUNCTION k(a int) RETURNS int LANGUAGE sql RETURN a + 1;
CREATE FUNCTION k(a int) RETURNS int RETURN a + 1;
CREATE FUNCTION k(a int) RETURNS int LANGUAGE sql PARALLEL SAFE AS 'SELECT 1';
CREATE FUNCTION k(a int) RETURNS int LANGUAGE sql COST 10 AS 'SELECT 1';
CREATE FUNCTION k(a int) RETURNS int LANGUAGE sql -- no body
;

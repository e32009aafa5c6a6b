-- also: postgres
-- Set-returning functions of several columns in the select list.
CREATE TABLE j (a int, d json);
INSERT INTO j VALUES (1, '{"x": 1, "y": [2]}'), (2, '{}'), (3, '{"x": null}');
SELECT a, (json_each(d)).key FROM j ORDER BY a, key;
SELECT a, json_each(d), (json_each(d)).value AS v FROM j WHERE a < 3 ORDER BY a, (json_each(d)).key;
SELECT a, (json_each(d)).* FROM j ORDER BY 1, 2;
SELECT (json_each(d)).key, j FROM j ORDER BY a, 1;
SELECT DISTINCT (json_each(d)).key AS k FROM j ORDER BY 1 DESC LIMIT 1;
SELECT k.e, (k.e).key FROM (SELECT json_each(d) AS e, a FROM j) AS k WHERE a = 1 AND (k.e).key = 'y';
SELECT a FROM j WHERE 'x' IN (SELECT (json_each(j.d)).key) ORDER BY a;
SELECT (json_each('{"a": 1}')).key;
CREATE TABLE p (a int, b int, c text, PRIMARY KEY (b, a));
SELECT r.column_name, r.key_seq, r.pk_name FROM (SELECT a.attname AS column_name, (information_schema._pg_expandarray(i.indkey)).n AS key_seq, ci.relname AS pk_name,
      information_schema._pg_expandarray(i.indkey) AS keys, a.attnum AS num
   FROM pg_class ct JOIN pg_attribute a ON ct.oid = a.attrelid JOIN pg_index i ON a.attrelid = i.indrelid JOIN pg_class ci ON ci.oid = i.indexrelid
   WHERE ct.relname = 'p' AND i.indisprimary) r WHERE r.num = (r.keys).x ORDER BY key_seq;
-- The function runs after aggregates and window functions.
SELECT count(*), (json_each('{"a": 1, "b": 2}')).key FROM j;
SELECT count(*), json_each('{"a": 1}');
SELECT a % 2 AS odd, count(*) AS n, (json_each(min(d::text)::json)).* FROM j GROUP BY a % 2 ORDER BY n, key;
SELECT a % 2 AS odd, 'q' AS q, json_each(min(d::text)::json) AS r FROM j GROUP BY 1 HAVING count(*) > 1 ORDER BY count(*), max(a), (json_each(min(d::text)::json)).key DESC;
SELECT a, row_number() OVER (ORDER BY a DESC), (json_each(d)).key FROM j ORDER BY a, 3;
SELECT DISTINCT a % 2 AS o, (json_each(min(d::text)::json)).key FROM j GROUP BY a ORDER BY a % 2, key;
SELECT (SELECT string_agg(key, ',' ORDER BY key) FROM (SELECT (json_each(min(o.d::text)::json)).* FROM j o WHERE o.a = j.a) z) FROM j ORDER BY a;
WITH w AS (SELECT 5 AS x) SELECT x, count(*), (json_each('{"q": 1, "r": 2}')).* FROM w GROUP BY x ORDER BY key DESC LIMIT 1;
CREATE VIEW v AS SELECT a % 2 AS odd, count(*) AS n, (json_each(min(d::text)::json)).* FROM j GROUP BY a % 2;
SELECT * FROM v ORDER BY 1, 3;
DROP VIEW v;
INSERT INTO j SELECT '7', (json_each(json_object_agg(a, d))).value FROM j WHERE a = 1;
DELETE FROM j WHERE a = 7 RETURNING d;
PREPARE p AS SELECT count(*) + $1, (json_each(json_object_agg(a, $2::text))).* FROM j WHERE a < 3;
EXECUTE p (3, 'q');
-- RETURNING gives one row for each changed row
INSERT INTO j VALUES (9, '{"z": 1}') RETURNING json_each(d), a;
UPDATE j SET a = a + 1 RETURNING json_each(d);
DELETE FROM j RETURNING json_each(d), json_each(d);
DELETE FROM j RETURNING generate_series(1, 2);
SELECT a FROM j ORDER BY a;

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
-- RETURNING gives one row for each changed row
INSERT INTO j VALUES (9, '{"z": 1}') RETURNING json_each(d), a;
UPDATE j SET a = a + 1 RETURNING json_each(d);
DELETE FROM j RETURNING json_each(d), json_each(d);
DELETE FROM j RETURNING generate_series(1, 2);
SELECT a FROM j ORDER BY a;

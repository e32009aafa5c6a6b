-- Rows as values: what only mtsql has.
CREATE TABLE u (r record);
CREATE TABLE t (id int NOT NULL, name text);
INSERT INTO t VALUES (1, 'x');
CREATE TABLE u AS SELECT t AS r FROM t;
CREATE MATERIALIZED VIEW mv AS SELECT t AS r FROM t;
ALTER TABLE t ADD COLUMN r record;
CREATE VIEW v AS SELECT t AS r, (t).* FROM t;
\d v
SELECT * FROM v;
SELECT (r).name FROM v;
COPY (SELECT t FROM t) TO STDOUT;
COPY (SELECT t, ROW(1,2) FROM t) TO STDOUT WITH (FORMAT jsonl);
CREATE FUNCTION f (record) RETURNS text LANGUAGE sql AS 'SELECT $1::text';
SELECT f(ROW(1,2));
CREATE TEMP TABLE tt AS SELECT ARRAY[ROW(1,2)] AS a;
EXPLAIN SELECT t FROM t;
PREPARE p AS SELECT t FROM t WHERE id = $1;
EXECUTE p(1);
BEGIN; DECLARE c CURSOR FOR SELECT t FROM t; FETCH 1 FROM c; COMMIT;
SELECT oid, typname, typtype FROM pg_type WHERE typname IN ('record', '_record');
SELECT to_jsonb(l) FROM (SELECT r.id FROM t a LEFT JOIN (SELECT NULL::int AS id) r ON false) l;
SELECT r FROM t a LEFT JOIN (SELECT NULL::int AS id) r ON false;
SELECT * FROM jsonb_to_record('{"a":1}') AS x (a int);
SELECT x FROM jsonb_to_record('{"a":1, "b":2}') AS x (a int, b int);
SELECT e FROM jsonb_each('{"a":1}') e;

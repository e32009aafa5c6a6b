-- json: errors whose context only PostgreSQL adds, layouts, files.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min', k text DIMENSION, j json, v int MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
ALTER TABLE t ADD LAYOUT cells USING per_day;
SELECT 'x'::json;
SELECT '{"a": 01}'::json;
SELECT ''::json;
SELECT j IN ('{}', '[]') FROM t;
UPDATE t SET j = 'x' WHERE v = 2;
INSERT INTO t VALUES ('2024-01-01 00:00+00', 'a', '{"x":  [1, 2]}', 1), ('2024-01-01 00:01+00', 'a', NULL, 2), ('2024-01-01 00:00+00', 'b', '[1,  "y"]', 3);
SELECT k, j, j -> 'x' AS x, j ->> 1 AS y FROM t ORDER BY k, ts;
SELECT k, json_agg(j ORDER BY ts), sum(v) FROM t GROUP BY k ORDER BY k;
SET layout = 'packed';
SELECT k, json_agg(j ORDER BY ts), sum(v) FROM t GROUP BY k ORDER BY k;
SELECT row_to_json(t) FROM t ORDER BY k, ts;
RESET layout;
CHECK TABLE t;
\d t
COPY (SELECT k, j FROM t ORDER BY k, ts) TO 'out.jsonl' WITH (FORMAT jsonl);
CREATE TABLE u (k text, j json);
COPY u FROM 'out.jsonl' WITH (FORMAT jsonl);
SELECT * FROM u ORDER BY k, j::text;
COPY (SELECT E'{"a":\n 1}'::json AS j) TO STDOUT WITH (FORMAT jsonl);
CREATE TABLE p (j json PRIMARY KEY);
CREATE INDEX i ON u (j);
SELECT (j).a FROM u;
SELECT j['a'] FROM u;
SELECT oid, typname, typarray FROM pg_type WHERE typname = 'json';
EXPLAIN SELECT j -> 'x' FROM t WHERE j ->> 'x' IS NOT NULL;

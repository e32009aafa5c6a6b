-- also: mongo
-- char(n): layouts, errors, and where mtsql differs from PostgreSQL
CREATE TABLE t (at timestamptz TIME NOT NULL, who char(4) DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (cluster_by = 'who', levels = 'at', presum = 'at');
INSERT INTO t SELECT timestamptz '2024-05-01' + x * interval '7 min', chr(97 + x % 3) || '  ', x FROM generate_series(0, 99) x;
INSERT INTO t VALUES ('2024-05-02', 'abcde', 1);
SELECT who, sum(n) FROM t GROUP BY who ORDER BY who;
SELECT sum(n) FROM t WHERE who = 'b    ';
SET layout = 'rows';
SELECT who, sum(n) FROM t GROUP BY who ORDER BY who;
SELECT sum(n) FROM t WHERE who >= 'b';
RESET layout;
CHECK TABLE t;
\d t
SET enable_columns = off;
EXPLAIN (COSTS off) SELECT count(*) FROM t WHERE who = 'b ';
RESET enable_columns;
-- a char without a length has no trailing blanks here, and JSON has none
SELECT 'ab  '::bpchar || '|', to_jsonb('a'::char(3)), row_to_json(r) FROM (SELECT 'a'::char(3) AS c) r;
SELECT 'a'::char(-1);
SELECT 'a'::char(40000);

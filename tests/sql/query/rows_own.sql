-- Rows of values: messages whose place differs from PostgreSQL's, what is refused, and how they prune.
CREATE TABLE r (a integer, b numeric, c text);
SELECT (1, 2) LIKE (1, 2);
SELECT (1, 2) IN ((1, 2, 3));
SELECT (1, 2) IN (SELECT a FROM r);
SELECT (1, 2) IN (SELECT a, b, c FROM r);
SELECT (1, 2) IS DISTINCT FROM (1, 2, 3);
SELECT 1 IN (SELECT a, b FROM r);
SELECT ROW(1, 2);
SELECT ((1, 2), 3) = ((1, 2), 3);
SELECT (r.*) = (1, 2, 'x') FROM r;
SELECT (random(), 1) < (0.5, 2);
-- The page after the one that ended with a row: read from the first column's value on.
CREATE TABLE m (ts timestamptz TIME PERIOD '1 min', id integer DIMENSION, v integer MEASURE) USING nested WITH (levels = 'ts, id', presum = 'ts');
INSERT INTO m SELECT TIMESTAMPTZ '2024-01-01 00:00+00' + i * interval '1 min', i % 3, i FROM generate_series(0, 999) i;
SELECT ts, id, v FROM m WHERE (ts, id) > ('2024-01-01 12:00+00', 1) ORDER BY ts, id LIMIT 3;
EXPLAIN SELECT ts, id, v FROM m WHERE (ts, id) > ('2024-01-01 12:00+00', 1) ORDER BY ts, id LIMIT 3;
EXPLAIN SELECT count(*) FROM m WHERE (ts, v) IN (SELECT max(ts), max(v) FROM m GROUP BY id);
SELECT m FROM m ORDER BY ts LIMIT 2;
EXPLAIN SELECT count(m) FROM m;

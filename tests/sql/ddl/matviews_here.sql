-- A materialized view lies in a layout like any table, and may get others.
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, n integer MEASURE NOT NULL) USING rows;
INSERT INTO t SELECT '2020-01-01 00:00+00'::timestamptz + i * interval '1 hour', 'k' || i % 3, i FROM generate_series(0, 47) AS g (i);
CREATE MATERIALIZED VIEW daily USING nested WITH (levels = 'day, k', presum = 'day') AS SELECT date_trunc('day', ts) AS day, k, sum(n) AS total FROM t GROUP BY 1, 2;
SELECT * FROM daily ORDER BY day, k;
EXPLAIN SELECT day, sum(total) FROM daily GROUP BY day;
\d daily
ALTER TABLE daily ADD LAYOUT plain USING rows;
INSERT INTO t VALUES ('2020-01-03 00:00+00', 'k0', 100);
REFRESH MATERIALIZED VIEW CONCURRENTLY daily;
SET layout = 'plain';
SELECT day, sum(total) FROM daily GROUP BY day ORDER BY day;
SET layout = 'nested';
SELECT day, sum(total) FROM daily GROUP BY day ORDER BY day;
RESET layout;
ALTER TABLE t ADD COLUMN x integer;
CREATE MATERIALIZED VIEW everything AS SELECT * FROM t;
ALTER TABLE t ADD COLUMN y integer;
ALTER TABLE t RENAME TO u;
COPY daily FROM STDIN;
\.
COMMENT ON MATERIALIZED VIEW daily IS 'by day';
EXPLAIN CREATE MATERIALIZED VIEW m AS SELECT 1 AS one;
\dm
\sv daily
\dt public.t*
\dt
DROP MATERIALIZED VIEW everything;
ALTER TABLE t ADD COLUMN y integer;
ALTER MATERIALIZED VIEW daily RENAME COLUMN total TO sum;

-- What can't be a continuous view, and wrong calls.
SET TimeZone = 'UTC';
CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION, v int MEASURE) USING rows;
CREATE TABLE loose (ts timestamptz TIME, v int MEASURE) USING rows;
CREATE TABLE dims (k text DIMENSION, name text DIMENSION) USING rows;
INSERT INTO t VALUES ('2024-01-01', 'a', 1);
CREATE MATERIALIZED VIEW plain AS SELECT k, ts FROM t;

-- no bucket
CREATE MATERIALIZED VIEW c WITH (continuous) AS SELECT k, count(*) FROM t GROUP BY k;
CREATE MATERIALIZED VIEW c WITH (continuous) AS SELECT time_bucket ('1 hour', ts) FROM t;
CREATE MATERIALIZED VIEW c WITH (continuous) AS SELECT ts, count(*) FROM t GROUP BY ts;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b, time_bucket ('1 day', ts) AS d FROM t GROUP BY b, d;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT max(ts) AS m, time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts + '1 day') AS b FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT date_trunc ('day', ts) AS b, count(*) FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b, count(*) FROM loose GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b, count(*) FROM plain GROUP BY b;

-- clauses
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b LIMIT 1;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b ORDER BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT DISTINCT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b, rank () OVER () FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY ROLLUP (b);
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b
      UNION ALL SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t WHERE v > (SELECT 0) GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t WHERE ts > now() GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b, sum(random()) FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM (SELECT * FROM t) x GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', t.ts) AS b FROM t JOIN t u ON u.k = t.k GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous)
   AS SELECT time_bucket ('1 hour', t.ts) AS b FROM dims d LEFT JOIN t ON d.k = t.k GROUP BY b;

-- options
CREATE MATERIALIZED VIEW c WITH (continuous = maybe)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (materialized_only)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
CREATE TABLE c WITH (continuous) AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (timescaledb.compress)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
CREATE MATERIALIZED VIEW c WITH (continuous = false) AS SELECT k FROM t;
DROP MATERIALIZED VIEW c;

CREATE MATERIALIZED VIEW c (b, n) USING rows WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts), count(*) FROM t GROUP BY ALL HAVING count(*) > 0;
SELECT * FROM c;
CREATE MATERIALIZED VIEW IF NOT EXISTS c WITH (continuous)
   AS SELECT time_bucket ('1 hour', ts) AS b FROM t GROUP BY b;
INSERT INTO c VALUES ('2024-01-01', 1);
SELECT * FROM _mtsql_stored.nothing;

-- calls
CALL refresh_continuous_aggregate ('c');
CALL refresh_continuous_aggregate ('c', NULL, NULL, forced => true);
CALL refresh_continuous_aggregate ('missing', NULL, NULL);
CALL refresh_continuous_aggregate ('t', NULL, NULL);
CALL refresh_continuous_aggregate ('plain', NULL, NULL);
CALL refresh_continuous_aggregate (NULL, NULL, NULL);
CALL refresh_continuous_aggregate ('c', 'soon', NULL);
CALL refresh_continuous_aggregate ('c', '2024-01-02', '2024-01-01');
SELECT refresh_continuous_aggregate ('c', NULL, NULL);
CALL refresh_all ();
REFRESH MATERIALIZED VIEW c WITH NO DATA;
CALL refresh_continuous_aggregate ('c', NULL, NULL, force => true);
REFRESH MATERIALIZED VIEW CONCURRENTLY c;
BEGIN READ ONLY;
CALL refresh_continuous_aggregate ('c', NULL, NULL);
ROLLBACK;

-- policies
SELECT add_continuous_aggregate_policy ('c', start_offset => INTERVAL '1 month',
   end_offset => INTERVAL '1 hour', schedule_interval => INTERVAL '1 hour');
CALL add_continuous_aggregate_policy ('c', NULL, NULL, '1 hour');
CALL add_continuous_aggregate_policy ('c', NULL, NULL, '1 hour', if_not_exists => true);
SELECT remove_continuous_aggregate_policy ('c');
CALL remove_continuous_aggregate_policy ('c');
CALL remove_continuous_aggregate_policy ('c', if_exists => true);
CALL add_continuous_aggregate_policy ('c', '1 hour', '1 day', '1 hour');
CALL add_continuous_aggregate_policy ('c', NULL, NULL, '-1 hour');

-- options of ALTER
ALTER MATERIALIZED VIEW c SET (materialized_only);
ALTER MATERIALIZED VIEW c SET (materialized_only = maybe);
ALTER MATERIALIZED VIEW c SET (timescaledb.continuous = false);
ALTER MATERIALIZED VIEW c SET (timescaledb.compress = true);
ALTER MATERIALIZED VIEW c SET (materialized_only = false, expire_after = '1 day');
ALTER MATERIALIZED VIEW c SET (timescaledb.materialized_only = off, continuous);
ALTER MATERIALIZED VIEW plain SET (materialized_only);
ALTER MATERIALIZED VIEW t SET (materialized_only);
ALTER MATERIALIZED VIEW nosuch SET (materialized_only);
ALTER MATERIALIZED VIEW IF EXISTS nosuch SET (materialized_only);

-- renaming, and a transaction that is rolled back
ALTER MATERIALIZED VIEW c RENAME TO renamed;
BEGIN;
INSERT INTO t VALUES ('2024-01-01 00:10', 'a', 1);
CALL refresh_continuous_aggregate ('renamed', NULL, NULL);
SELECT * FROM renamed;
ROLLBACK;
SELECT * FROM renamed;
CALL refresh_continuous_aggregate ('renamed', NULL, NULL);
ALTER TABLE t RENAME TO u;
ALTER TABLE t DROP COLUMN ts;
ALTER TABLE t ALTER COLUMN v TYPE bigint;
DROP MATERIALIZED VIEW renamed;

-- A refresh stores its rows in the order of their buckets, so that few blocks hold those of one.
SET TimeZone = 'UTC';
CREATE TABLE readings (ts timestamptz TIME NOT NULL, host int DIMENSION NOT NULL, v int MEASURE) USING rows;
INSERT INTO readings SELECT '2024-01-01'::timestamptz + i * interval '1 hour', h, i
  FROM generate_series (0, 39) h, generate_series (0, 999) i;
CREATE MATERIALIZED VIEW hourly WITH (continuous) AS
  SELECT host, time_bucket ('1 hour', ts) AS hour, sum(v) AS v FROM readings GROUP BY 1, 2;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT count(*) FROM _mtsql_stored.hourly WHERE hour = '2024-01-21 00:00+00';
DROP MATERIALIZED VIEW hourly;
DROP TABLE readings;

-- also: mongo
-- Continuous views: stored buckets, the fresh tail, and what statements touch.
SET TimeZone = 'UTC';
CREATE TABLE sites (device text DIMENSION NOT NULL, site text DIMENSION NOT NULL) USING rows;
CREATE TABLE readings (ts timestamptz TIME NOT NULL, device text DIMENSION NOT NULL, v int MEASURE)
   USING rows;
INSERT INTO sites VALUES ('a', 'north'), ('b', 'south');
INSERT INTO readings
   SELECT t, d, 1 FROM generate_series (timestamptz '2024-01-01', '2024-01-01 04:50', '10 min') t,
                       unnest (ARRAY['a', 'b']) d;

CREATE MATERIALIZED VIEW hourly WITH (timescaledb.continuous, timescaledb.materialized_only = false)
   AS SELECT time_bucket ('1 hour', r.ts) AS bucket, site, count(*) AS n, sum(v) AS total
        FROM readings r JOIN sites s ON s.device = r.device GROUP BY bucket, site;
SELECT * FROM hourly ORDER BY 1, 2;
CALL refresh_continuous_aggregate ('hourly', NULL, NULL);

-- a late row, and a row behind the stored buckets: reads have them at once
INSERT INTO readings VALUES ('2024-01-01 01:30', 'a', 100), ('2024-01-01 06:00', 'b', 7);
SELECT * FROM hourly WHERE total > 6 ORDER BY 1, 2;
SELECT count(*), sum(total) FROM _mtsql_stored.hourly;
-- only the buckets within the window are computed
CALL refresh_continuous_aggregate ('hourly', '2024-01-01 02:00', '2024-01-01 03:00');
CALL refresh_continuous_aggregate ('hourly', '2024-01-01 01:15', '2024-01-01 02:00');
CALL refresh_continuous_aggregate ('hourly', NULL, '2024-01-01 05:59');
CALL refresh_continuous_aggregate (hourly, NULL, NULL);
CALL refresh_continuous_aggregate ('hourly', NULL, NULL);
SELECT count(*), sum(total) FROM _mtsql_stored.hourly;

-- reads of stored buckets only, and of all again
INSERT INTO readings VALUES ('2024-01-01 01:40', 'a', 1000);
ALTER MATERIALIZED VIEW hourly SET (timescaledb.materialized_only = true);
SELECT count(*), sum(total) FROM hourly;
ALTER MATERIALIZED VIEW hourly SET (materialized_only = off);
SELECT count(*), sum(total) FROM hourly;
DELETE FROM readings WHERE v = 1000;
CALL refresh_continuous_aggregate ('hourly', NULL, NULL);
-- words in strings and in quoted names
CREATE MATERIALIZED VIEW words WITH (continuous)
   AS SELECT time_bucket ('1 day', ts) AS "now", count(*) FILTER (WHERE device <> 'select now()') AS "select it's"
        FROM readings WHERE device <> 'current_date' GROUP BY 1;
SELECT * FROM words;
DROP MATERIALIZED VIEW words;

-- UPDATE touches the old and the new bucket
UPDATE readings SET ts = '2024-01-01 03:30' WHERE v = 100;
SELECT * FROM hourly WHERE total > 6 ORDER BY 1, 2;
CALL refresh_continuous_aggregate ('hourly', NULL, NULL);
DELETE FROM readings WHERE v = 100;
SELECT * FROM hourly WHERE total > 6 ORDER BY 1, 2;
CALL refresh_continuous_aggregate ('hourly', NULL, NULL);
DELETE FROM readings WHERE ts < '2024-01-01 02:00';
SELECT min(bucket), count(*) FROM hourly;
CALL refresh_continuous_aggregate ('hourly', NULL, NULL);

-- a view over a view
CREATE MATERIALIZED VIEW daily WITH (continuous)
   AS SELECT time_bucket ('1 day', bucket) AS day, sum(total) AS total FROM hourly GROUP BY 1;
SELECT * FROM daily;
INSERT INTO readings VALUES ('2024-01-01 02:05', 'a', 1000);
SELECT * FROM daily;
CALL refresh_continuous_aggregate ('daily', NULL, NULL);
CALL refresh_continuous_aggregate ('hourly', NULL, NULL);
CALL refresh_continuous_aggregate ('daily', NULL, NULL);
SELECT * FROM _mtsql_stored.daily;

-- stored buckets only
CREATE MATERIALIZED VIEW stored WITH (continuous, materialized_only)
   AS SELECT date_trunc ('month', ts, 'UTC') AS month, max(v) AS most FROM readings GROUP BY 1
   WITH NO DATA;
SELECT * FROM stored;
CALL refresh_continuous_aggregate ('stored', NULL, NULL);
INSERT INTO readings VALUES ('2024-02-10', 'a', 3), ('2024-03-01', 'a', 4), ('2024-01-02', 'b', 5000);
SELECT * FROM stored ORDER BY 1;
CALL refresh_continuous_aggregate ('stored', NULL, NULL);
SELECT * FROM stored ORDER BY 1;
REFRESH MATERIALIZED VIEW stored;

-- what can't be dropped, and what can
DROP TABLE readings;
DROP MATERIALIZED VIEW hourly;
TRUNCATE readings;
SELECT count(*) FROM hourly;
SELECT count(*) FROM daily;
DROP MATERIALIZED VIEW daily, hourly, stored;
DROP TABLE readings;

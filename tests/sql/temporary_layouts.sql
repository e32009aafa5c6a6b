-- also: mongo
-- Temporary tables lie in layouts like others.
CREATE TEMP TABLE feed (ts timestamptz TIME, k text DIMENSION, n integer MEASURE NOT NULL) USING nested WITH (levels = 'ts, k', presum = 'ts');
INSERT INTO feed SELECT '2020-01-31 22:00+00'::timestamptz + i * interval '1 min', 'k' || i % 3, i FROM generate_series(1, 300) i;
SELECT count(*), sum(n), min(ts) FROM feed;
SELECT date_trunc('hour', ts, 'UTC') AS hour, k, sum(n) FROM feed GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 4;
EXPLAIN (COSTS OFF) SELECT ts, sum(n) FROM feed WHERE ts > '2020-02-01 02:50+00' GROUP BY ts;
ALTER TABLE feed ADD LAYOUT parts USING rows WITH (partition_by = 'month');
CHECK TABLE feed;
CREATE INDEX feed_k ON feed (k);
COMMENT ON TABLE feed IS 'of this session';
COMMENT ON COLUMN feed.n IS 'a number';
\d+ feed
UPDATE feed SET n = n + 1 WHERE ts > '2020-02-01 02:55+00';
DELETE FROM feed WHERE ts < '2020-02-01 02:50+00';
SELECT * FROM feed ORDER BY ts LIMIT 3;
CHECK TABLE feed;
VACUUM feed;
ANALYZE feed;
REPAIR TABLE feed;
EXPLAIN (COSTS OFF) DELETE FROM feed WHERE k = 'k1';
CREATE TEMP TABLE hits (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics;
INSERT INTO hits VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 00:00+00', 'a', 2), ('2020-01-01 00:05+00', 'b', 5);
INSERT INTO hits VALUES ('2020-01-01 00:00+00', 'a', 4);
SELECT metric, date_trunc('hour', ts, 'UTC'), sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1;
CREATE TEMP TABLE newest (ts timestamptz TIME, k text DIMENSION, n integer MEASURE) USING latest WITH (key = 'k');
INSERT INTO newest SELECT ts, k, n FROM feed;
SELECT DISTINCT ON (k) * FROM newest ORDER BY k, ts DESC;
COPY (SELECT k, last (n, ts) FROM newest GROUP BY k ORDER BY k) TO STDOUT WITH (FORMAT csv);
CREATE TABLE "pg_temp.x" (a integer);
CREATE TABLE y (a integer) USING rows WITH (collection = 'pg_temp.y');
CREATE TEMP TABLE z (a integer) USING rows WITH (collection = 'zz');
INSERT INTO z VALUES (1);
CREATE TABLE zz (a integer);
SELECT * FROM zz;
CREATE VIEW over_it AS SELECT * FROM public.zz JOIN z USING (a);
CREATE MATERIALIZED VIEW over_it AS SELECT * FROM z;
CREATE TEMP TABLE aged (ts timestamptz TIME, a integer) USING rows WITH (expire_after = '1 day');
\d

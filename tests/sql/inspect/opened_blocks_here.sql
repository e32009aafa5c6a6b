-- Which blocks conditions open is asked of the store, if a layout could be cheaper than it seems.
SET enable_columns = off;
CREATE TABLE load (ts timestamptz TIME PERIOD '10 s' NOT NULL, host text DIMENSION NOT NULL, region text DIMENSION NOT NULL, v double precision MEASURE NOT NULL) USING rows;
-- The rows of a host follow each other, so each block has nearly all times.
INSERT INTO load SELECT timestamptz '2024-05-01' + t * interval '10 seconds', 'host ' || h, 'region ' || h % 7, t % 97 FROM generate_series(100, 199) h, generate_series(0, 1999) t;
ALTER TABLE load ADD LAYOUT packed USING per_day;
ANALYZE load;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT max(v) FROM load WHERE host IN ('host 110', 'host 111', 'host 112', 'host 113', 'host 114', 'host 115', 'host 116', 'host 117') AND ts >= '2024-05-01 01:00+00' AND ts < '2024-05-01 01:45+00';
SELECT max(v) FROM load WHERE host IN ('host 110', 'host 111', 'host 112', 'host 113', 'host 114', 'host 115', 'host 116', 'host 117') AND ts >= '2024-05-01 01:00+00' AND ts < '2024-05-01 01:45+00';
-- As if the store had no ranges.
SET enable_skipping = off;
EXPLAIN SELECT max(v) FROM load WHERE host IN ('host 110', 'host 111', 'host 112', 'host 113', 'host 114', 'host 115', 'host 116', 'host 117') AND ts >= '2024-05-01 01:00+00' AND ts < '2024-05-01 01:45+00';

-- also: mongo
-- Roll-ups: sums, extremes and states of each bucket of time, beside a layout of records. Each answer is that of the records.
SET timezone = 'UTC';
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, region text DIMENSION, v double precision MEASURE, w bigint MEASURE);
INSERT INTO m SELECT timestamptz '2024-05-01' + i * interval '7 min', 'h' || i % 3, 'r' || i % 2, i * 37 % 101 / 4.0, CASE WHEN i % 11 > 0 THEN i END FROM generate_series(0, 599) i;
ALTER TABLE m ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour, 1 day', by = 'host', keep = 'sum(v), min(v), max(v), avg(w), percentile_agg(v), hyperloglog(64, region), uddsketch(100, 0.01, w)');
SET layout = 'hourly';
SELECT host, date_trunc('day', ts), count(*), avg(v), min(v), max(v), sum(w), count(w), approx_percentile(0.5, percentile_agg(v)) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
-- New rows are merged into the entries, also late ones.
INSERT INTO m SELECT timestamptz '2024-05-01' + i * interval '17 min', 'h' || i % 3, 'r' || i % 2, i * 37 % 103 / 4.0, CASE WHEN i % 11 > 0 THEN i END FROM generate_series(0, 299) i;
SELECT host, date_trunc('day', ts), count(*), avg(v), min(v), max(v), sum(w), count(w), approx_percentile(0.5, percentile_agg(v)), distinct_count(hyperloglog(64, region)) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'rows';
SELECT host, date_trunc('day', ts), count(*), avg(v), min(v), max(v), sum(w), count(w), approx_percentile(0.5, percentile_agg(v)), distinct_count(hyperloglog(64, region)) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
RESET layout;
-- Changes: the documents of their times are made again.
DELETE FROM m WHERE w % 5 = 0 AND ts < '2024-05-02';
UPDATE m SET v = v + 100 WHERE w % 7 = 0 AND ts < '2024-05-02 12:00';
UPDATE m SET host = 'moved' WHERE host = 'h2' AND ts >= '2024-05-03';
SET layout = 'hourly';
SELECT host, date_trunc('month', ts), count(*), avg(v), min(v), max(v), sum(w), count(w), approx_percentile(0.9, uddsketch(100, 0.01, w)) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'rows';
SELECT host, date_trunc('month', ts), count(*), avg(v), min(v), max(v), sum(w), count(w), approx_percentile(0.9, uddsketch(100, 0.01, w)) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
RESET layout;
CHECK TABLE m;
-- A range that begins and ends within buckets: the ends come from the records.
SELECT host, max(v), count(*), num_vals(percentile_agg(v)) FROM m WHERE ts >= '2024-05-01 03:30' AND ts < '2024-05-03 02:20' GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT host, max(v), count(*), num_vals(percentile_agg(v)) FROM m WHERE ts >= '2024-05-01 03:30' AND ts < '2024-05-03 02:20' GROUP BY 1 ORDER BY 1;
RESET layout;
-- A filter, a FILTER, and what a roll-up can't answer.
SELECT sum(v) FILTER (WHERE host = 'h1'), max(v) FROM m WHERE host <> 'h0';
SET layout = 'hourly';
SELECT region, max(v) FROM m GROUP BY 1;
SELECT min(w) FROM m;
SELECT max(v) FROM m WHERE ts < '2024-05-01 03:30';
SELECT approx_percentile(0.5, percentile_agg(v + 1)) FROM m;
SELECT approx_percentile(0.5, uddsketch(100, 0.02, w)) FROM m;
SELECT * FROM m LIMIT 1;
RESET layout;
-- Columns
ALTER TABLE m ADD COLUMN x int;
ALTER TABLE m RENAME COLUMN v TO value;
ALTER TABLE m DROP COLUMN w;
SET layout = 'hourly';
SELECT host, max(value), num_vals(percentile_agg(value)) FROM m GROUP BY 1 ORDER BY 1;
RESET layout;
ALTER TABLE m DROP COLUMN host;
-- The records stay.
ALTER TABLE m DROP LAYOUT rows;
VACUUM m;
REPAIR TABLE m;
TRUNCATE m;
SELECT count(*), max(value) FROM m;
DROP TABLE m;

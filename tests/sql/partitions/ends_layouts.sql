-- also: mongo
-- What the first or the last times decide, of layouts that are partitioned otherwise or not at all, of documents that hold nothing yet, and of rows that have gone.
CREATE TABLE h (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'day');
INSERT INTO h VALUES ('2024-03-02', 'b', 2), ('2024-03-02', 'b', 3), ('2024-03-02 12:00', 'a', 4), ('2024-02-29', 'a', 5), ('2024-02-29 23:59:59.999', 'c', NULL), ('2023-12-31', 'c', 6), ('1969-12-31 23:59:59.999', 'd', 7),
   ('2024-05-05 05:05', 'e', NULL), ('2024-05-05 05:04', 'e', 8), ('2024-05-06', 'f', 9), ('2024-05-06', 'f', 10);
ALTER TABLE h ADD LAYOUT months USING nested WITH (levels = 'ts, k', presum = 'ts', partition_by = 'month');
ALTER TABLE h ADD LAYOUT days USING per_day WITH (partition_by = 'month');
ALTER TABLE h ADD LAYOUT one USING nested WITH (cluster_by = 'k', levels = 'ts');
SET layout = 'months';
SELECT min(ts), max(ts), first(v, ts), last(v, ts) FROM h;
SELECT min(ts), max(ts) FROM h WHERE ts >= '2024-02-29 12:00' AND ts < '2024-05-05 05:05';
SELECT max(ts), min(ts) FROM h WHERE k = 'c';
SET layout = 'days';
SELECT min(ts), max(ts), first(v, ts), last(v, ts) FROM h;
SELECT min(ts), max(ts) FROM h WHERE ts >= '2024-02-29 12:00' AND ts < '2024-05-05 05:05';
SELECT max(ts), min(ts) FROM h WHERE k = 'c';
SET layout = 'one';
SELECT min(ts), max(ts), first(v, ts), last(v, ts) FROM h;
RESET layout;
SELECT min(ts), max(ts), last(v, ts) FROM h;
-- A partition whose rows have gone.
DELETE FROM h WHERE ts >= '2024-05-05 05:05';
SELECT max(ts), last(v, ts) FROM h;
UPDATE h SET ts = ts + interval '1 year' WHERE k = 'd';
SELECT min(ts), max(ts) FROM h;
DROP TABLE h;
-- Documents made beforehand have no rows, nor have slots that nothing was counted in.
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (style = 'hierarchical', partition_by = 'month', preallocate = '1/1000000');
INSERT INTO hits VALUES ('2024-02-29 10:30', 'a', 1), ('2024-02-29 12:00', 'a', 2), ('2024-01-05 05:05', 'b', 4);
PREALLOCATE hits FOR '1 day' FROM '2024-02-29';
SELECT min(ts), max(ts) FROM hits;
SELECT max(ts) FROM hits WHERE metric = 'b';
SELECT max(ts) FROM hits WHERE ts >= '2024-03-01';
INSERT INTO hits VALUES ('2024-03-01 23:59', 'b', 8);
SELECT min(ts), max(ts) FROM hits;
DROP TABLE hits;
-- Layouts that keep their rows for different times, put together.
CREATE TABLE r (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'day');
ALTER TABLE r ADD LAYOUT packed USING per_day WITH (partition_by = 'month');
INSERT INTO r SELECT date_trunc('minute', now()) - interval '1 day' * n, 'k' || n, n FROM generate_series(0, 120, 15) n;
ALTER TABLE r LAYOUT rows SET (expire_after = '20 days');
SELECT last(v, ts), first(v, ts), max(ts) - min(ts) AS span FROM r;
SELECT last(v, ts), first(v, ts), max(ts) - min(ts) AS span FROM r WHERE k IN ('k90', 'k60', 'k105');
DROP TABLE r;
-- A bound on one side, within documents: no server gets an infinite time.
CREATE TABLE half (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING nested WITH (levels = 'k, ts', presum = 'ts', flush_levels = 3);
INSERT INTO half VALUES ('2024-02-29 00:00', 'a', 1), ('2024-02-29 00:10', 'b', 2), ('2024-02-29 00:20', 'a', 3), ('2024-02-29 00:30', 'b', 4);
SELECT min(ts), max(ts), first(v, ts), last(v, ts) FROM half WHERE ts < '2024-02-29 00:25';
SELECT min(ts), max(ts), first(v, ts), last(v, ts) FROM half WHERE ts >= '2024-02-29 00:05';
SELECT ts, sum(v) FROM half WHERE ts < '2024-02-29 00:25' SAMPLE BY 10m FILL (NULL);
DROP TABLE half;

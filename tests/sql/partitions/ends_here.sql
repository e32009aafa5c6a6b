-- How many partitions are read by what the first or the last times decide: by EXPLAIN, as many at most, and by EXPLAIN ANALYZE, those that were.
CREATE TABLE h (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'day');
INSERT INTO h SELECT t, 'k' || extract(day FROM t), extract(hour FROM t) FROM generate_series('2024-01-01'::timestamptz, '2024-01-06 23:00', '7 hours') t;
EXPLAIN (COSTS off) SELECT max(ts) FROM h;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT max(ts) FROM h;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT min(ts), max(ts) FROM h WHERE ts >= '2024-01-02' AND ts < '2024-01-06';
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT last(v, ts) FROM h WHERE k = 'k5';
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT first(v, ts), max(ts) FROM h WHERE k <> 'k1';
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT max(ts) FROM h WHERE k = 'none';
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT ts FROM h ORDER BY ts DESC LIMIT 4;
EXPLAIN (COSTS off) SELECT max(ts), count(*) FROM h WHERE ts > '2024-01-05';
EXPLAIN (COSTS off) SELECT ts FROM h WHERE ts > '2024-01-05' ORDER BY ts;
EXPLAIN (FORMAT json, COSTS off) SELECT max(ts) FROM h WHERE ts > '2024-01-05';
-- Of layouts that could answer that one is cheapest which needs to be read least.
ALTER TABLE h ADD LAYOUT one USING nested WITH (cluster_by = 'k', levels = 'ts');
ALTER TABLE h ADD LAYOUT months USING nested WITH (levels = 'ts, k', presum = 'ts', partition_by = 'month');
INSERT INTO h SELECT t, 'z', 1 FROM generate_series('2024-01-01'::timestamptz, '2024-01-06 23:00', '1 minute') t;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT last(v, ts) FROM h;
BEGIN;
INSERT INTO h VALUES ('2030-01-01', 'g', 1), ('1950-01-01', 'g', 2);
SELECT min(ts), max(ts) FROM h;
ROLLBACK;
SELECT min(ts), max(ts) FROM h;
DROP TABLE h;

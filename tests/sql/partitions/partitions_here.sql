-- Which partitions are read, made and dropped; transactions; names of years that are longer, or before Christ.
CREATE TABLE h (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'month');
\d+ h
ALTER TABLE h ADD LAYOUT pk USING nested WITH (levels = 'ts, k', presum = 'ts', partition_by = 'day');
INSERT INTO h SELECT t, 'k' || extract(day FROM t), extract(hour FROM t) FROM generate_series('2024-01-01'::timestamptz, '2024-04-01', '7 hours') t;
\d+ h
EXPLAIN (COSTS off) SELECT * FROM h WHERE ts >= '2024-02-10' AND ts < '2024-03-02' AND k = 'k1';
EXPLAIN (COSTS off) SELECT k, sum(v), count(*) FROM h WHERE ts >= '2024-02-28' AND ts < '2024-03-01' GROUP BY k;
SET layout = 'pk';
EXPLAIN (COSTS off) SELECT k, sum(v), count(*) FROM h WHERE ts >= '2024-02-28' AND ts < '2024-03-01' GROUP BY k;
EXPLAIN (COSTS off) SELECT sum(v) FROM h WHERE ts >= '2024-02-28' AND ts < '2024-03-01';
SET layout = 'rows';
EXPLAIN (COSTS off) SELECT * FROM h ORDER BY ts DESC LIMIT 2 OFFSET 1;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT ts FROM h WHERE ts < '2024-03-01' ORDER BY ts LIMIT 3;
EXPLAIN (COSTS off) SELECT count(DISTINCT k) FROM h WHERE ts >= '2024-03-01';
EXPLAIN (COSTS off) SELECT x, (SELECT max(v) FROM h WHERE k = x AND ts > '2024-03-15') FROM (VALUES ('k1'), ('k2')) s (x);
EXPLAIN (COSTS off) SELECT x, l.* FROM (VALUES ('k1'), ('k2')) s (x), LATERAL (SELECT ts, v FROM h WHERE k = x AND ts < '2024-02-15' ORDER BY ts DESC LIMIT 2) l;
-- Partitions that don't lie beside each other are named, the first of many.
EXPLAIN (COSTS off) SELECT v FROM h WHERE ts IN ('2024-01-01', '2024-03-01', '2024-04-01');
SET layout = 'pk';
EXPLAIN (COSTS off) SELECT count(*) FROM h WHERE ts IN ('2024-01-01', '2024-01-03', '2024-01-05', '2024-01-07', '2024-01-09', '2024-01-11', '2024-01-13');
EXPLAIN (COSTS off) SELECT count(*) FROM h WHERE ts < '2024-01-03' OR ts >= '2024-03-30';
SET layout = 'rows';
EXPLAIN (COSTS off) SELECT * FROM h WHERE ts >= '2025-01-01';
EXPLAIN (FORMAT json) SELECT * FROM h WHERE ts >= '2025-01-01';
-- By what a condition can be true of, however it says it.
EXPLAIN (COSTS off) SELECT * FROM h WHERE date_trunc('month', ts, 'UTC') = '2024-02-01';
EXPLAIN (COSTS off) SELECT * FROM h WHERE ts::date = '2024-02-29';
EXPLAIN (COSTS off) SELECT * FROM h WHERE date_trunc('month', ts + interval '5 hours', '+05:30') = '2024-01-31 18:30+00';
EXPLAIN (COSTS off) SELECT * FROM h WHERE (k = 'k1' AND ts >= '2024-03-05') OR (k = 'k2' AND NOT (ts < '2024-03-01'));
EXPLAIN (COSTS off) SELECT * FROM h WHERE false;
RESET layout;
EXPLAIN INSERT INTO h VALUES ('2024-01-01', 'a', 1);
EXPLAIN (COSTS off) UPDATE h SET v = 5 WHERE ts < '2024-01-01 06:00';
-- Of the times that go, whole partitions are dropped, and the edges trimmed.
EXPLAIN (COSTS off) DELETE FROM h WHERE ts >= '2024-01-30 05:00' AND ts < '2024-03-01';
DELETE FROM h WHERE ts >= '2024-01-30 05:00' AND ts < '2024-03-01';
\d+ h
SELECT count(*), max(ts) FILTER (WHERE ts < '2024-02-15'), min(ts) FILTER (WHERE ts > '2024-02-15') FROM h;
EXPLAIN (COSTS off) DELETE FROM h WHERE ts < '2024-01-03' AND k = 'k1';
EXPLAIN (COSTS off) DELETE FROM h WHERE ts >= '2025-01-01';
DELETE FROM h WHERE ts >= '2025-01-01';
BEGIN;
INSERT INTO h VALUES ('2030-01-01', 'n', 1);
SELECT count(*), max(ts) FROM h;
SAVEPOINT s;
DELETE FROM h WHERE ts < '2024-03-01';
SELECT count(*), min(ts) FROM h;
ROLLBACK TO s;
SELECT count(*), min(ts) FROM h;
ROLLBACK;
SELECT count(*), min(ts), max(ts) FROM h;
CREATE INDEX by_k ON h (k);
INSERT INTO h VALUES ('2031-01-01', 'x', 1);
EXPLAIN (COSTS off) SELECT * FROM h WHERE k = 'x' AND ts > '2030-01-01';
DELETE FROM h;
\d+ h
DROP TABLE h;
CREATE TABLE years (ts timestamptz TIME, k text) USING rows WITH (partition_by = 'month');
INSERT INTO years VALUES ('0044-03-15 12:00 BC', 'ides'), ('12345-06-07', 'far'), ('0001-01-01', 'first'), ('0001-12-31 BC', 'before');
SELECT k FROM years ORDER BY ts;
\d+ years
-- No month or year begins just behind -infinity; documents of one are found all the same.
CREATE TABLE spans (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING per_day WITH (bucket = '1 month');
INSERT INTO spans VALUES ('2010-05-05 10:00', 'a', 1), ('2026-01-01', 'b', 2);
SELECT count(*), sum(v) FROM spans WHERE ts > '-infinity';
SELECT k FROM spans WHERE NOT (ts <= '-infinity') AND ts < '2020-01-01';
SELECT k FROM spans WHERE ts > '-infinity' AND ts < 'infinity' AND k = 'b';
SELECT count(*) FROM spans WHERE ts <= '-infinity' OR ts >= 'infinity';
DROP TABLE spans;

-- also: mongo
-- A hundred partitions: united as a tree, whose pipelines have few stages each and are nested a few levels deep.
CREATE TABLE d (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'day');
INSERT INTO d SELECT t, 'k' || extract(day FROM t) % 3, extract(month FROM t) FROM generate_series('2024-01-01'::timestamptz, '2024-04-09 12:00', '12 hours') t;
SELECT k, count(*), sum(v), round(avg(v), 3) AS avg, min(ts), max(ts) FROM d GROUP BY k ORDER BY k;
SELECT count(*) FROM d WHERE v >= 3;
SELECT date_trunc('month', ts) AS month, count(DISTINCT k), sum(v) FROM d WHERE ts >= '2024-01-10' AND ts < '2024-04-05' GROUP BY month ORDER BY month;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ts) FROM d;
SELECT ts, k FROM d ORDER BY ts DESC, k LIMIT 3 OFFSET 1;
SELECT ts, k FROM d WHERE k = 'k0' AND v > 3 ORDER BY ts, k LIMIT 2;
SELECT k, ts FROM d ORDER BY k DESC, ts DESC LIMIT 3;
SELECT min(ts), max(ts) FROM d WHERE v = 2;
SELECT a.k, sum(a.v) + sum(b.v) AS both FROM d a JOIN d b ON a.ts = b.ts AND b.v < 4 WHERE a.ts >= '2024-03-20' GROUP BY a.k ORDER BY a.k;
SELECT count(*) FROM (SELECT reverse(k) AS r, ts FROM d WHERE ts < '2024-01-15') s WHERE r = '1k';
SELECT v, count(*) FROM (SELECT v FROM d UNION ALL SELECT -v FROM d WHERE ts < '2024-02-01') s GROUP BY v ORDER BY v;
UPDATE d SET v = v + 10 WHERE k = 'k1' AND ts >= '2024-01-01' AND ts < '2024-03-15';
SELECT k, sum(v) FROM d GROUP BY k ORDER BY k;
SELECT count(*), sum(v) FROM d WHERE ts NOT BETWEEN '2024-01-20' AND '2024-03-20 06:00';

-- Pipelines of many partitions: those of a year's months stand beside each other, more are a tree.
CREATE TABLE d (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'day');
INSERT INTO d SELECT t, 'k', 1 FROM generate_series('2024-01-01'::timestamptz, '2024-06-30', '1 day') t;
EXPLAIN (VERBOSE, COSTS off) SELECT v FROM d WHERE ts < '2024-01-13';
EXPLAIN (VERBOSE, COSTS off) SELECT v FROM d WHERE ts < '2024-01-15';
-- No more of them are read than there are rows asked for.
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT ts FROM d ORDER BY ts DESC LIMIT 3;
-- In short, where they are alike: by themselves, in order, from an end, and not where they differ.
EXPLAIN (COSTS off) SELECT v FROM d WHERE ts < '2024-01-13';
EXPLAIN (COSTS off) SELECT k, sum(v) FROM d GROUP BY k;
EXPLAIN (COSTS off) SELECT ts FROM d ORDER BY ts DESC LIMIT 2;
EXPLAIN (COSTS off) SELECT max(ts) FROM d;
EXPLAIN (COSTS off) SELECT a.v FROM d a JOIN d b USING (ts) WHERE a.k = 'k' AND b.k = 'l' AND a.ts < '2024-02-01' AND b.ts < '2024-02-01';
EXPLAIN (FORMAT json, COSTS off) SELECT v FROM d WHERE ts < '2024-01-14';
DROP TABLE d;
CREATE TABLE r (v bigint);
SELECT string_agg('SELECT v FROM r WHERE v = ' || i / 13, ' UNION ALL ' ORDER BY i) AS arms FROM generate_series(1, 14) i \gset
EXPLAIN (COSTS off) :arms;
DROP TABLE r;

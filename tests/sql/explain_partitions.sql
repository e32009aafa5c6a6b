-- Pipelines of many partitions: those of a year's months stand beside each other, more are a tree.
CREATE TABLE d (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'day');
INSERT INTO d SELECT t, 'k', 1 FROM generate_series('2024-01-01'::timestamptz, '2024-06-30', '1 day') t;
EXPLAIN (VERBOSE, COSTS off) SELECT v FROM d WHERE ts < '2024-01-13';
EXPLAIN (VERBOSE, COSTS off) SELECT v FROM d WHERE ts < '2024-01-15';

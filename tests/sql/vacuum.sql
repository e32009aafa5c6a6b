-- also: mongo
-- Loads leave small documents; VACUUM merges them, and no cut answers otherwise than before.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
ALTER TABLE t ADD LAYOUT small USING nested WITH (levels = 'ts, k', presum = 'ts, k', flush_levels = 40);
ALTER TABLE t ADD LAYOUT sums USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);
INSERT INTO t SELECT ts, k, 1 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 00:19', '1 min') g (ts), (VALUES ('a'), ('b')) v (k);
INSERT INTO t SELECT ts, k, 2 FROM generate_series (timestamptz '2020-01-01 00:10', '2020-01-01 00:29', '1 min') g (ts), (VALUES ('a'), ('b')) v (k);
INSERT INTO t SELECT ts, 'a', 3 FROM generate_series (timestamptz '2020-01-01 00:10', '2020-01-01 00:12', '1 min') g (ts);
CREATE INDEX ON t (k);
CREATE VIEW answers AS SELECT date_trunc('hour', ts) AS hour, k, count(*), sum(n) FROM t GROUP BY 1, 2;
SELECT * FROM answers ORDER BY k;
VACUUM t;
CHECK TABLE t;
SELECT * FROM answers ORDER BY k;
SET layout = 'nested';
SELECT * FROM answers ORDER BY k;
SET cut = 'records';
SELECT * FROM answers ORDER BY k;
RESET cut;
SET layout = 'small';
SELECT * FROM answers ORDER BY k;
SET cut = 'records';
SELECT * FROM answers ORDER BY k;
RESET cut;
SET layout = 'sums';
SELECT * FROM answers ORDER BY k;
RESET layout;
-- Nothing is left to be done, but FULL does it anyway.
VACUUM t;
VACUUM FULL ANALYZE t;
INSERT INTO t VALUES ('2020-01-01 05:00', 'c', 1);
SELECT * FROM answers ORDER BY k, hour;
VACUUM;
CHECK TABLE t;
VACUUM nosuch;
BEGIN;
VACUUM t;
ROLLBACK;

-- also: mongo
-- Every layout of a table after the same changes.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, d text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, x double precision MEASURE) USING rows;
CREATE LAYOUT by_slot AS '{ "keeps": "sums", "key": ["k", "d"], "stores": [ { "collection": "slots", "write": "push", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "k"}, {"column": "d"} ],
   "sub": { "is": "slots", "at": "m", "bind": [ {"part": "minute", "of": "day"} ],
            "agg": { "n": "c", "measures": { "n": "n", "x": {"sum": "x", "nonnull": "xc"} } } } } } ] }';
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k, d', presum = 'ts, k');
ALTER TABLE t ADD LAYOUT by_k USING nested WITH (levels = 'k, ts', presum = 'k', cluster_by = 'd');
ALTER TABLE t ADD LAYOUT day USING per_day;
ALTER TABLE t ADD LAYOUT slot USING by_slot;
INSERT INTO t SELECT timestamptz '2020-01-01 00:00+00' + i * interval '7 min', 'k' || i % 3, 'd' || i % 5, i, CASE WHEN i % 4 > 0 THEN i / 2.0 END
   FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (250), (251), (252), (253), (254), (255), (500), (501)) AS v (i);
UPDATE t SET n = n + 1000, x = NULL WHERE k = 'k1' AND ts < '2020-01-01 01:00+00';
UPDATE t SET k = 'moved' WHERE d = 'd0';
UPDATE t SET ts = ts + interval '10 days' WHERE n = 255;
DELETE FROM t WHERE n IN (3, 500) OR x = 126;
SET layout = 'rows';
SELECT * FROM t ORDER BY ts, k, n;
SELECT date_trunc('day', ts) AS day, k, count(*), sum(n), sum(x) FROM t GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'packed';
SELECT * FROM t ORDER BY ts, k, n;
SELECT date_trunc('day', ts) AS day, k, count(*), sum(n), sum(x) FROM t GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'by_k';
SELECT * FROM t ORDER BY ts, k, n;
SELECT date_trunc('day', ts) AS day, k, count(*), sum(n), sum(x) FROM t GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'day';
SELECT * FROM t ORDER BY ts, k, n;
SELECT date_trunc('day', ts) AS day, k, count(*), sum(n), sum(x) FROM t GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'slot';
SELECT date_trunc('day', ts) AS day, k, count(*), sum(n), sum(x) FROM t GROUP BY 1, 2 ORDER BY 1, 2;
RESET layout;
-- what a layout can't hold changes nothing
UPDATE t SET ts = ts + interval '1 second' WHERE n = 5;
UPDATE t SET k = NULL WHERE n = 5;
UPDATE t SET n = random() WHERE n = 5;
DELETE FROM t WHERE random() < 2;
SELECT count(*), sum(n) FROM t;
-- sums alone
CREATE TABLE s (ts timestamptz TIME PERIOD '1 min', k text DIMENSION, d text DIMENSION, n bigint MEASURE COUNTER, x double precision MEASURE) USING by_slot WITH (collection = 'only');
INSERT INTO s VALUES ('2020-01-01', 'a', 'b', 1, 2);
DELETE FROM s WHERE k = 'a';
UPDATE s SET n = 1;
DELETE FROM t WHERE n > 5;
SELECT * FROM t ORDER BY ts;
SET layout = 'slot';
SELECT k, d, sum(n) FROM t GROUP BY k, d ORDER BY k, d;
RESET layout;
DELETE FROM t RETURNING n;
INSERT INTO t VALUES ('2020-01-01', 'a', 'b', 1, 2);
SET layout = 'packed';
SELECT * FROM t;
RESET layout;
-- Rows that come to documents of sums that were there, and that the statement had no other reason to read.
CREATE TABLE moved (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING rows;
ALTER TABLE moved ADD LAYOUT daily USING daily_metrics;
ALTER TABLE moved ADD LAYOUT parts USING daily_metrics WITH (partition_by = 'month', collection = 'moved_parts');
ALTER TABLE moved ADD LAYOUT deep USING nested WITH (levels = 'ts, metric', presum = 'ts', collection = 'moved_deep');
INSERT INTO moved SELECT timestamptz '2020-01-01 09:00+00' + i * interval '8 h', 'm' || i % 2, 1 FROM generate_series (0, 19) i;
INSERT INTO moved VALUES ('2020-03-01 00:00+00', 'm1', 7);
UPDATE moved SET ts = ts + interval '2 days' WHERE ts < '2020-01-02';
UPDATE moved SET ts = ts + interval '2 months', n = n + 1 WHERE metric = 'm1' AND ts < '2020-01-04' OR metric = 'm0' AND ts >= '2020-01-05';
CHECK TABLE moved;
SELECT date_trunc('day', ts) AS day, sum(n) FROM moved GROUP BY 1 ORDER BY 1;
UPDATE moved SET ts = '2021-01-01' WHERE n = 7;
CHECK TABLE moved;
SELECT date_trunc('month', ts) AS month, sum(n) FROM moved GROUP BY 1 ORDER BY 1;

-- also: mongo
-- The last time of an open range: no bound of the plan is an infinite time.
SET TimeZone = 'UTC';
CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v int MEASURE)
   USING nested WITH (levels = 'day, k, ts');
INSERT INTO t VALUES ('2024-01-05 03:26', 'a', 1), ('2024-01-06 12:00', 'b', 2);
SELECT max(ts) FROM t WHERE ts >= '2024-01-05 01:00';
SELECT min(ts) FROM t WHERE ts < '2024-01-06 01:00';
SELECT min(ts), max(ts) FROM t WHERE ts > '2024-01-05 05:00';

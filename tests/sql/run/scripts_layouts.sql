-- also: mongo
-- layouts and partitions that come and go in one text, or in a block
CREATE TABLE t (at timestamp TIME, host text DIMENSION, v integer MEASURE)\; INSERT INTO t VALUES ('2024-01-01 00:00', 'a', 1), ('2024-01-01 00:01', 'b', 2)\; SELECT sum(v) FROM t;
ALTER TABLE t ADD LAYOUT n USING nested\; INSERT INTO t VALUES ('2024-01-01 00:02', 'a', 3)\; SELECT host, sum(v) FROM t GROUP BY host ORDER BY host\; SELECT 1 / 0;
SELECT host, sum(v) FROM t GROUP BY host ORDER BY host;
SELECT count(*) FROM t;
CHECK TABLE t;
ALTER TABLE t ADD LAYOUT n USING nested\; INSERT INTO t VALUES ('2024-01-01 00:02', 'a', 3);
SET layout = n;
SELECT host, sum(v) FROM t GROUP BY host ORDER BY host;
RESET layout;
CHECK TABLE t;
-- several statements on both layouts, undone together
INSERT INTO t VALUES ('2024-01-02 00:02', 'a', 3)\; UPDATE t SET v = v * 10\; DELETE FROM t WHERE host = 'b'\; INSERT INTO t VALUES ('2024-01-02 00:03', 'c', 5)\; SELECT host, sum(v) FROM t GROUP BY host ORDER BY host\; SELECT 1 / 0;
SELECT host, sum(v) FROM t GROUP BY host ORDER BY host;
SELECT count(*) FROM t;
CHECK TABLE t;
ALTER TABLE t DROP LAYOUT n\; ALTER TABLE t ADD LAYOUT n USING nested\; INSERT INTO t VALUES ('2024-01-03 00:00', 'd', 6)\; SELECT 1 / 0;
CHECK TABLE t;
SELECT count(*), max(at) FROM t;
-- collections per month
CREATE TABLE p (at timestamp TIME, v integer MEASURE) USING rows WITH (partition_by = 'month')\; INSERT INTO p VALUES ('2024-01-01 00:00', 1), ('2024-02-01 00:00', 2)\; SELECT sum(v) FROM p\; SELECT 1 / 0;
\d
CREATE TABLE p (at timestamp TIME, v integer MEASURE) USING rows WITH (partition_by = 'month')\; INSERT INTO p VALUES ('2024-01-01 00:00', 1), ('2024-02-01 00:00', 2)\; SELECT sum(v) FROM p;
INSERT INTO p VALUES ('2024-03-01', 3)\; DELETE FROM p WHERE at < '2024-02-01'\; DROP TABLE p\; CREATE TABLE p (at timestamp TIME, v integer MEASURE) USING rows WITH (partition_by = 'month')\; INSERT INTO p VALUES ('2024-01-01 00:00', 9)\; SELECT 1 / 0;
SELECT at, v FROM p ORDER BY at;
BEGIN;
DELETE FROM p WHERE at < '2024-02-01';
INSERT INTO p VALUES ('2024-01-05', 7);
SELECT at, v FROM p ORDER BY at;
ROLLBACK;
SELECT at, v FROM p ORDER BY at;
TRUNCATE p\; INSERT INTO p VALUES ('2024-01-05', 7)\; SELECT 1 / 0;
SELECT at, v FROM p ORDER BY at;
CREATE TABLE q USING rows WITH (partition_by = 'month') AS SELECT at, 1 / (v - 2) AS v FROM p;
-- counters
CREATE TABLE hits (measure text DIMENSION, date timestamp TIME, hits bigint MEASURE COUNTER) USING daily_metrics\; INSERT INTO hits VALUES ('/a', '2024-01-01 10:00', 1)\; INSERT INTO hits VALUES ('/a', '2024-01-01 10:00', 2)\; SELECT sum(hits) FROM hits;
INSERT INTO hits VALUES ('/a', '2024-01-01 11:00', 4)\; INSERT INTO hits VALUES ('/b', '2024-01-01 11:00', 8)\; SELECT measure, sum(hits) FROM hits GROUP BY measure ORDER BY measure\; SELECT 1 / 0;
SELECT measure, sum(hits) FROM hits GROUP BY measure ORDER BY measure;
CHECK TABLE hits;
DROP TABLE p;
DROP TABLE hits;
DROP TABLE t;
\d

-- Counters in process: increments that lie over the documents, with what else happens to these.
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL)
   USING daily_metrics WITH (style = 'hierarchical');
INSERT INTO hits VALUES ('2020-01-01 10:00+00', 'a', 1);
INSERT INTO hits VALUES ('2020-01-01 10:01+00', 'a', 2);
INSERT INTO hits VALUES ('2020-01-01 10:01+00', 'a', 3), ('2020-01-02 00:00+00', 'b', 4);
SELECT ts, metric, sum(n) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
SELECT time_bucket('1 day', ts) AS day, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
-- A block of statements, taken back in part.
BEGIN;
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'a', 10);
SAVEPOINT s;
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'a', 100), ('2020-01-01 11:00+00', 'c', 100);
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
ROLLBACK TO s;
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
COMMIT;
BEGIN;
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'a', 100);
EXPLAIN DELETE FROM hits WHERE metric = 'b';
DELETE FROM hits WHERE metric = 'b' OR ts >= '2020-01-01 11:00+00';
SELECT ts, metric, sum(n) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'a', 7);
SELECT date_trunc('day', ts), metric, sum(n) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
ROLLBACK;
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
-- A cursor keeps what it saw.
BEGIN;
DECLARE c CURSOR FOR SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'a', 1000);
FETCH ALL FROM c;
COMMIT;
SELECT sum(n) FROM hits WHERE metric = 'a';
-- A statement that fails leaves nothing.
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'a', 1), ('2020-01-01 11:00+00', 'a', -1);
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'z', 9223372036854775807);
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'z', 1);
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
-- Another layout is filled with all that was added, and added to in the same commit.
ALTER TABLE hits ADD LAYOUT flat USING daily_metrics;
INSERT INTO hits VALUES ('2020-01-01 11:00+00', 'b', 5);
SET layout = 'flat';
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
SET layout = 'daily_metrics';
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
RESET layout;
-- When it is on disk.
SHOW synchronous_commit;
SHOW wal_writer_delay;
CREATE TABLE promised (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, n bigint MEASURE COUNTER, note bigint MEASURE COUNTER) USING daily_metrics;
EXPLAIN INSERT INTO promised VALUES ('2020-01-01', 'b', 5, 1);
SET synchronous_commit = off;
SET wal_writer_delay = '1s';
EXPLAIN INSERT INTO promised VALUES ('2020-01-01', 'b', 5, 1);
BEGIN;
EXPLAIN INSERT INTO promised VALUES ('2020-01-01', 'b', 5, 1);
ROLLBACK;
CREATE TABLE places (u text DIMENSION, ts timestamptz TIME, cell text, x double precision) USING latest WITH (tie = 'x');
EXPLAIN INSERT INTO places VALUES ('u', '2020-01-01', 'c', 1);
DROP TABLE promised, places;
INSERT INTO hits VALUES ('2020-01-01 11:01+00', 'b', 5);
SELECT sum(n) FROM hits WHERE metric = 'b';
SHOW synchronous_commit;
SHOW wal_writer_delay;
SET wal_writer_delay = 0;
SET wal_writer_delay = '11s';
SET synchronous_commit = sometimes;
SET synchronous_commit = remote_apply;
RESET wal_writer_delay;
SHOW wal_writer_delay;

-- also: mongo
-- A document of a series and minute: a second is set where nothing is, its sums are added to; null is no record there.
CREATE TABLE memory (ts timestamptz TIME PERIOD '1 s' NOT NULL, type text DIMENSION NOT NULL, value double precision MEASURE) USING minute;
INSERT INTO memory VALUES ('2013-10-10 23:06:00+00', 'used', 1), ('2013-10-10 23:06:59+00', 'used', 0), ('2013-10-10 23:07:00+00', 'used', 4), ('2013-10-10 23:06:30+00', 'free', 2.5);
INSERT INTO memory VALUES ('2013-10-10 23:06:01+00', 'used', 9), ('2013-10-10 23:06:02+00', 'used', 3);
SELECT * FROM memory ORDER BY ts, type;
SELECT date_trunc('minute', ts) AS minute, type, count(*), count(value), sum(value) FROM memory GROUP BY 1, 2 ORDER BY 1, 2;
INSERT INTO memory VALUES ('2013-10-10 23:06:03+00', 'used', 7);
SELECT date_trunc('minute', ts) AS minute, type, count(*), count(value), sum(value) FROM memory GROUP BY 1, 2 ORDER BY 1, 2;
SELECT avg(value), max(ts) FROM memory WHERE type = 'used' AND ts < '2013-10-10 23:06:01+00';
EXPLAIN (COSTS off) SELECT ts, value FROM memory WHERE value > 1;
-- One record a second, and what fails leaves nothing.
\set VERBOSITY terse
INSERT INTO memory VALUES ('2013-10-10 23:06:10+00', 'used', 1), ('2013-10-10 23:06:59+00', 'used', 1);
\set VERBOSITY default
INSERT INTO memory VALUES ('2013-10-10 23:08:10+00', 'used', 1), ('2013-10-10 23:08:10+00', 'used', 1);
\set VERBOSITY terse
INSERT INTO memory VALUES ('2013-10-10 23:06:11+00', 'used', 1), ('2013-10-10 23:06:12+00', 'used', NULL);
\set VERBOSITY default
SELECT count(*), sum(value) FROM memory WHERE type = 'free' OR ts >= '2013-10-10 23:06:05+00';
DELETE FROM memory WHERE ts = '2013-10-10 23:06:59+00';
INSERT INTO memory VALUES ('2013-10-10 23:06:59+00', 'used', 6);
UPDATE memory SET value = value + 1 WHERE type = 'used' AND ts >= '2013-10-10 23:06:59+00';
SELECT date_trunc('minute', ts) AS minute, count(*), sum(value) FROM memory WHERE ts >= '2013-10-10 23:06:02+00' GROUP BY 1 ORDER BY 1;
CHECK TABLE memory;
-- The same with an array of the seconds: late ones, and ones behind its end; what is refused leaves no document.
CREATE TABLE slots (ts timestamptz TIME PERIOD '1 s' NOT NULL, type text DIMENSION NOT NULL, value bigint MEASURE) USING minute WITH (values = 'array');
INSERT INTO slots VALUES ('2013-10-10 23:06:05+00', 'used', 1), ('2013-10-10 23:06:03+00', 'used', 0), ('2013-10-10 23:07:00+00', 'used', 4);
INSERT INTO slots VALUES ('2013-10-10 23:06:00+00', 'used', 9), ('2013-10-10 23:06:04+00', 'used', 3);
INSERT INTO slots VALUES ('2013-10-10 23:06:59+00', 'used', 7);
\set VERBOSITY terse
INSERT INTO slots VALUES ('2013-10-10 23:06:04+00', 'used', 1), ('2013-10-10 23:06:58+00', 'used', 1), ('2013-10-10 23:08:00+00', 'free', 1);
INSERT INTO slots VALUES ('2013-10-10 23:06:11+00', 'used', 1), ('2013-10-10 23:06:12+00', 'used', NULL);
\set VERBOSITY default
SELECT * FROM slots ORDER BY ts;
SELECT date_trunc('minute', ts) AS minute, type, count(*), sum(value) FROM slots GROUP BY 1, 2 ORDER BY 1, 2;
DELETE FROM slots WHERE ts = '2013-10-10 23:06:59+00';
INSERT INTO slots VALUES ('2013-10-10 23:06:59+00', 'used', 6);
UPDATE slots SET value = value + 1 WHERE ts >= '2013-10-10 23:06:59+00';
SELECT date_trunc('minute', ts) AS minute, count(*), sum(value) FROM slots GROUP BY 1 ORDER BY 1;
CHECK TABLE slots;

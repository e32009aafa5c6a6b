-- A year of a series is 13 documents of a month, which _id finds: what comes through the first $match.
CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms WITH (months = true);
INSERT INTO mem SELECT ts, 'bits', 'mem', h, extract(day FROM ts)::bigint FROM generate_series (timestamptz '2010-06-20 12:34+00', timestamptz '2011-06-21 12:34+00', '1 day') g (ts), (VALUES ('1499f25476f6'), ('00ff')) w (h);
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT date_trunc('day', ts), sum(total) FROM mem WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2010-06-21' AND ts < '2011-06-21' GROUP BY 1;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT date_trunc('hour', ts), avg(total) FROM mem WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2011-06-01' AND ts < '2011-06-21' GROUP BY 1;
-- Times before and behind all that a format can say, which some servers can't read as constants.
SELECT sum(total) FROM mem WHERE ts < '20000-01-01' AND host = '00ff';
SELECT sum(total) FROM mem WHERE ts > '0100-01-01 BC' AND host = '00ff';
SELECT sum(total) FROM mem WHERE ts < '0100-01-01 BC' AND host = '00ff';
\d+ mem
\h daily_metrics
\h mms
-- The hour that Berlin has twice is two, which the day that both lie in can't tell apart.
CREATE TABLE twice (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
INSERT INTO twice VALUES ('2015-10-25 00:10+00', 'a', 1), ('2015-10-25 01:10+00', 'a', 2);
SELECT date_trunc('hour', ts, 'Europe/Berlin'), sum(hits) FROM twice GROUP BY 1 ORDER BY 1;
SELECT extract(hour FROM ts), sum(hits) FROM twice GROUP BY 1 ORDER BY 1;
-- What ANALYZE finds in documents of days is a day long: hours aren't answered by it.
ANALYZE mem;
EXPLAIN (COSTS off) SELECT date_trunc('hour', ts) FROM mem WHERE ts >= '2011-06-21' GROUP BY 1;
SELECT date_trunc('hour', ts) FROM mem WHERE ts >= '2011-06-21' GROUP BY 1;
-- The minutes of a day are in its document; a range over a year and some minutes has whole days from documents of months, and the rest from one of a day.
INSERT INTO mem SELECT ts, 'bits', 'mem', h, extract(hour FROM ts)::bigint FROM generate_series (timestamptz '2011-06-21 00:01+00', timestamptz '2011-06-21 23:59+00', '10 min') g (ts), (VALUES ('1499f25476f6'), ('00ff')) w (h);
EXPLAIN (COSTS off) SELECT ts, sum(total) FROM mem WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2011-06-21' AND ts < '2011-06-22' GROUP BY 1;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT sum(total), count(*) FROM mem WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2010-07-01' AND ts < '2011-06-21 12:25';
SELECT sum(total), count(*) FROM mem WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2010-07-01' AND ts < '2011-06-21 12:25';
SET cut = 'minute';
SELECT sum(total), count(*) FROM mem WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2010-07-01' AND ts < '2011-06-21 12:25';
RESET cut;
-- What is written to documents that others made, and nobody has counted, says nothing of how many there are.
CREATE TABLE owned (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'shared');
INSERT INTO owned SELECT '2024-01-01'::timestamptz + i * interval '1 day', 'k', 1 FROM generate_series (0, 9) i;
CREATE TABLE other (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'shared');
INSERT INTO other VALUES ('2024-02-01', 'k', 1);
PREALLOCATE other FOR '1 day' FROM '2024-02-01';
\d other
ANALYZE other;
\d other
CREATE TABLE rows_of (ts timestamptz TIME NOT NULL, v bigint MEASURE) USING rows WITH (collection = 'lines');
INSERT INTO rows_of SELECT '2024-01-01'::timestamptz + i * interval '1 day', i FROM generate_series (0, 9) i;
CREATE TABLE too (ts timestamptz TIME NOT NULL, v bigint MEASURE) USING rows WITH (collection = 'lines');
INSERT INTO too VALUES ('2024-02-01', 1);
UPDATE too SET v = -v WHERE v > 8;
DELETE FROM too WHERE v = 3;
\d too
SELECT count(*) FROM too;

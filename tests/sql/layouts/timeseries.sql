-- A server's own time-series collection; in process the same documents, in a collection like any other.
CREATE TABLE metrics (ts timestamptz TIME NOT NULL, host text DIMENSION, app text DIMENSION, load double precision MEASURE, note text)
   USING timeseries WITH (granularity = 'minutes', collection = 'weather');
\d metrics
INSERT INTO metrics VALUES ('2020-01-01 00:00+00', 'a', 'x', 0.5, NULL), ('2020-01-01 00:00+00', 'b', 'x', 1.5, 'late'), ('2020-01-01 00:10+00', 'a', 'y', 2.5, NULL), ('2020-01-02 00:00+00', 'a', NULL, 4, NULL);
SELECT * FROM metrics ORDER BY ts, host;
-- The bounds of the time and the series are in the first $match, by which a server finds its buckets.
EXPLAIN (COSTS off) SELECT sum(load) FROM metrics WHERE host = 'a' AND ts >= '2020-01-01' AND ts < '2020-01-02' AND load > 1;
EXPLAIN (COSTS off) SELECT time_bucket('1 hour', ts), avg(load) FROM metrics WHERE host IN ('a', 'b') AND app = 'x' AND ts BETWEEN '2020-01-01' AND '2020-01-01 12:00' GROUP BY 1;
SELECT time_bucket('1 hour', ts), avg(load) FROM metrics WHERE host IN ('a', 'b') AND app = 'x' AND ts BETWEEN '2020-01-01' AND '2020-01-01 12:00' GROUP BY 1;
EXPLAIN (COSTS off) SELECT * FROM metrics WHERE ts >= '2020-01-01 00:05' ORDER BY ts DESC LIMIT 1;
EXPLAIN (COSTS off) SELECT a.ts FROM metrics a JOIN metrics b USING (ts) WHERE a.host = 'a' AND b.host = 'b' AND ts < '2020-01-02';
-- The only dimension is the metaField itself, unless that has another name.
CREATE TABLE one (ts timestamptz TIME FIELD 't', sensor bigint DIMENSION FIELD 's', v numeric MEASURE) USING timeseries;
CREATE TABLE named (ts timestamptz TIME, sensor bigint DIMENSION, v numeric MEASURE) USING timeseries WITH (meta = 'about');
CREATE TABLE none (ts timestamptz TIME, v numeric MEASURE) USING timeseries;
INSERT INTO one VALUES ('2020-01-01', 7, 1), ('2020-01-01', 8, 2);
INSERT INTO named SELECT * FROM one;
EXPLAIN (COSTS off) SELECT v FROM one WHERE sensor = 7 AND ts = '2020-01-01';
EXPLAIN (COSTS off) SELECT v FROM named WHERE sensor = 7 AND ts = '2020-01-01';
SELECT v FROM named WHERE sensor = 7 AND ts = '2020-01-01';
-- As a further layout of a table.
ALTER TABLE one ADD LAYOUT hourly USING nested WITH (levels = 'ts, sensor');
ALTER TABLE none ADD LAYOUT series USING timeseries WITH (granularity = 'hours');
INSERT INTO none VALUES ('2020-01-01', 3);
SET layout = 'series';
SELECT * FROM none;
RESET layout;
DELETE FROM metrics WHERE note = 'late';
SELECT count(*) FROM metrics;
TRUNCATE metrics;
SELECT count(*) FROM metrics;
-- What can't be.
CREATE TABLE bad (v integer MEASURE) USING timeseries;
CREATE TABLE bad (ts timestamptz TIME, v integer MEASURE) USING timeseries WITH (granularity = 'days');
CREATE TABLE bad (ts timestamptz TIME, v integer MEASURE) USING timeseries WITH (time_encoding = 'epoch_s');
CREATE TABLE bad (ts timestamptz TIME, v integer MEASURE) USING timeseries WITH (expire_after_seconds = '1 day');
CREATE TABLE bad (ts timestamptz TIME, v integer MEASURE) USING timeseries WITH (expire_after_seconds = 3600);
CREATE TABLE bad (ts timestamptz TIME, a text DIMENSION, b text DIMENSION, v integer MEASURE) USING timeseries WITH (meta = 'ts');
CREATE TABLE bad (ts timestamptz TIME, v integer MEASURE, PRIMARY KEY (ts)) USING timeseries;
CREATE TABLE bad (ts timestamptz TIME, a text DIMENSION, v integer MEASURE) USING timeseries WITH (shard_key = '_id');
CREATE TABLE bad (ts timestamptz TIME, a text DIMENSION, v integer MEASURE) USING timeseries WITH (shard_key = 'ts, a');
CREATE TABLE bad (ts timestamptz TIME, a text DIMENSION, v integer MEASURE) USING timeseries WITH (shard_key = 'a, ts hashed');
CREATE TABLE bad (ts timestamptz TIME, a text DIMENSION, v integer MEASURE) USING timeseries WITH (partition_by = 'day');
CREATE TABLE sharded (ts timestamptz TIME, a text DIMENSION, b text DIMENSION, v integer MEASURE) USING timeseries WITH (shard_key = 'a hashed, b, ts');
\h timeseries
-- first and last by numbers and texts: NaN is the greatest, texts are ordered by their bytes
CREATE TABLE by_others (id integer, n numeric, d double precision, s text, i smallint);
INSERT INTO by_others VALUES (1, 2, 'NaN', 'b', 3), (2, 10, -1.5, 'ab', NULL), (3, 'NaN', 7, 'Z', 1), (4, NULL, NULL, NULL, 2), (5, 2.00, 1e300, '', 3);
SELECT first(id, n), last(id, n), first(id, d), last(id, d), first(id, s), last(id, s), first(id, i), last(id, i) FROM by_others;
SELECT id < 4 AS g, last(s, d ORDER BY id), first(s, n) FILTER (WHERE id <> 1), last(id, n * 2) FROM by_others GROUP BY g ORDER BY g;
SELECT id < 4 AS g, last(s, d), first(s, n) FILTER (WHERE id <> 1), last(id, n * 2) FROM by_others GROUP BY g ORDER BY g;
DROP TABLE by_others;

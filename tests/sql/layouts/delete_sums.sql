-- also: mongo
-- DELETE where nothing but sums is kept: whole leaves go, the same on each layout as the records of a table that has them.
CREATE TABLE r (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING rows;
CREATE TABLE flat (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
CREATE TABLE deep (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL)
   USING daily_metrics WITH (style = 'hierarchical', inner_key = 'minute of day', partition_by = 'day');
CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING mms WITH (months = true);
ALTER TABLE mem ADD LAYOUT deep USING mms WITH (style = 'hierarchical', collection = 'mem_deep');
INSERT INTO r SELECT timestamptz '2019-12-30 00:00+00' + i * interval '131 min', 'm' || i % 3, 'h' || i % 2, i FROM generate_series (1, 60) i;
INSERT INTO flat SELECT * FROM r;
INSERT INTO deep SELECT * FROM r;
INSERT INTO mem SELECT ts, metric, 'g', host, n FROM r;
INSERT INTO mem SELECT ts, metric, 'g', host, n FROM r WHERE metric = 'm2';
CREATE VIEW differ AS
   SELECT 'flat' AS t, ts, metric, host, sum(n) FROM flat GROUP BY 2, 3, 4 UNION ALL SELECT 'deep', ts, metric, host, sum(n) FROM deep GROUP BY 2, 3, 4 UNION ALL
   SELECT 'mem', ts, item, host, sum(n) FROM mem GROUP BY 2, 3, 4
   EXCEPT (SELECT t, ts, metric, host, sum(n) * CASE WHEN t = 'mem' AND metric = 'm2' THEN 2 ELSE 1 END FROM r, (VALUES ('flat'), ('deep'), ('mem')) v (t) GROUP BY 1, 2, 3, 4);
SELECT count(*) FROM differ;
-- An edge of time; one dimension; both.
DELETE FROM r WHERE ts < '2019-12-30 10:00+00';
DELETE FROM flat WHERE ts < '2019-12-30 10:00+00';
DELETE FROM deep WHERE ts < '2019-12-30 10:00+00';
DELETE FROM mem WHERE ts < '2019-12-30 10:00+00';
SELECT count(*) FROM differ;
DELETE FROM r WHERE metric = 'm1' AND extract(hour FROM ts) >= 12 OR host = 'h0' AND ts >= '2020-01-03';
DELETE FROM flat WHERE metric = 'm1' AND extract(hour FROM ts) >= 12 OR host = 'h0' AND ts >= '2020-01-03';
DELETE FROM deep WHERE metric = 'm1' AND extract(hour FROM ts) >= 12 OR host = 'h0' AND ts >= '2020-01-03';
DELETE FROM mem WHERE item = 'm1' AND extract(hour FROM ts) >= 12 OR host = 'h0' AND ts >= '2020-01-03';
SELECT count(*) FROM differ;
-- Days and months follow, in every layout.
SELECT date_trunc('day', ts), sum(n) FROM r GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts), sum(n) FROM flat GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts), sum(n) FROM deep GROUP BY 1 ORDER BY 1;
SELECT date_trunc('month', ts), sum(n), count(*) FROM mem GROUP BY 1 ORDER BY 1;
SET layout = 'deep';
SELECT date_trunc('month', ts), sum(n), count(*) FROM mem GROUP BY 1 ORDER BY 1;
RESET layout;
CHECK TABLE flat;
CHECK TABLE deep;
CHECK TABLE mem;
-- What was added afterwards is there, and a partition may go as a whole.
INSERT INTO deep VALUES ('2019-12-30 00:01+00', 'm0', 'h0', 7), ('2020-01-01 00:01+00', 'm0', 'h0', 7);
DELETE FROM deep WHERE ts >= '2019-12-31' AND ts < '2020-01-01 01:00+00';
SELECT ts, metric, host, sum(n) FROM deep WHERE ts < '2020-01-02' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
CHECK TABLE deep;
-- Sums cannot be split into records.
DELETE FROM flat WHERE n > 10;
DELETE FROM flat WHERE host = 'h1' RETURNING *;
DELETE FROM flat USING r WHERE flat.ts = r.ts;
DELETE FROM flat WHERE random() < 0.5;
UPDATE flat SET n = 0;
UPDATE flat SET metric = 'other' WHERE metric = 'm1';
-- Where a leaf is of an hour, what the hour says is enough.
CREATE LAYOUT hours AS '{ "keeps": "sums", "key": ["k"], "stores": [ { "collection": "hours", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "k"} ],
   "sub": { "is": "map", "at": "h", "bind": [ {"part": "hour", "of": "day", "encoding": "text"} ], "agg": { "n": "c", "measures": { "n": "n" } } } } } ] }';
CREATE TABLE coarse (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING hours;
INSERT INTO coarse SELECT ts, metric, n FROM r;
DELETE FROM coarse WHERE ts >= '2020-01-01 10:30+00';
DELETE FROM coarse WHERE ts >= '2020-01-01 10:00+00';
SELECT date_trunc('hour', ts), k, sum(n), count(*) FROM coarse WHERE ts >= '2020-01-01' GROUP BY 1, 2 ORDER BY 1, 2;
CHECK TABLE coarse;
DELETE FROM mem;
SELECT sum(n), count(*) FROM mem;
DELETE FROM flat WHERE false;
DELETE FROM flat;
SELECT sum(n) FROM flat;
CHECK TABLE flat;
-- What is loaded later, and is much, is added to a partition's documents, and isn't beside them.
CREATE TABLE loads (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (partition_by = 'day');
INSERT INTO loads SELECT timestamptz '2020-01-01 00:00+00' + i * interval '1 min', 'k' || i % 2, 1 FROM generate_series (0, 2879) i;
INSERT INTO loads SELECT timestamptz '2020-01-01 00:00+00' + i * interval '1 min', 'k' || i % 2, 1 FROM generate_series (0, 2879) i;
SELECT k, sum(n) FROM loads GROUP BY 1 ORDER BY 1;
DELETE FROM loads WHERE k = 'k1' AND extract(hour FROM ts) < 5;
SELECT k, sum(n) FROM loads GROUP BY 1 ORDER BY 1;

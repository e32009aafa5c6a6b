-- args: data/counters
-- Counters as other software keeps them: a day and metric a document, made ahead, half filled, both styles of keys.
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits_flat');
SELECT metric, ts, sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
SELECT metric, date_trunc('hour', ts), sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
SELECT metric, date_trunc('day', ts), sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(DISTINCT date_trunc('day', ts)) FROM hits;
SELECT sum(hits) FROM hits WHERE metric = 'metric-1' AND ts >= '2010-10-12' AND ts < '2010-10-13';
EXPLAIN (COSTS off) SELECT sum(hits) FROM hits WHERE metric = 'metric-1' AND ts >= '2010-10-12' AND ts < '2010-10-13';
-- The first one's _id says 2010-10-10 and its date 2000-10-10: what the layout binds from is right.
SELECT date_trunc('day', ts), sum(hits) FROM hits WHERE ts < '2010-10-11' GROUP BY 1;
CREATE TABLE by_field (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits_flat', trust = 'fields');
SELECT date_trunc('day', ts), metric, sum(hits) FROM by_field GROUP BY 1, 2 ORDER BY 1, 2;
EXPLAIN (COSTS off) SELECT sum(hits) FROM by_field WHERE metric = 'metric-1' AND ts >= '2000-10-10' AND ts < '2000-10-11';
SELECT sum(hits) FROM by_field WHERE metric = 'metric-1' AND ts >= '2000-10-10' AND ts < '2000-10-11';
-- Hours and minutes in sub-documents; keyed by the minute of the day, without zeros before them.
CREATE TABLE hier (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits_hier', style = 'hierarchical');
SELECT metric, ts, sum(hits) FROM hier GROUP BY 1, 2 ORDER BY 1, 2;
SELECT date_trunc('hour', ts), sum(hits) FROM hier GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts), sum(hits) FROM hier GROUP BY 1 ORDER BY 1;
CREATE TABLE by_day (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER)
   USING daily_metrics WITH (collection = 'hits_by_day', style = 'hierarchical', inner_key = 'minute of day', padded = false);
SELECT ts, sum(hits) FROM by_day GROUP BY 1 ORDER BY 1;
-- Hours and minutes that there aren't, ids that aren't composed like this, a minute outside its hour.
CREATE TABLE wrong (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits_wrong', style = 'hierarchical');
SELECT sum(hits) FROM wrong;
CHECK TABLE wrong;
CREATE TABLE wrong_keys (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER)
   USING daily_metrics WITH (collection = 'hits_wrong_keys', style = 'hierarchical', inner_key = 'minute of day');
SET on_malformed = 'skip';
SELECT ts, sum(hits) FROM wrong GROUP BY 1;
-- Totals and counts of a host's items.
CREATE TABLE mms (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms;
SELECT ts, item, host, sum(total), count(*), avg(total) FROM mms GROUP BY 1, 2, 3 ORDER BY 1, 2;
SELECT date_trunc('hour', ts), sum(total), count(*) FROM mms GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts), grp, sum(total), count(*) FROM mms GROUP BY 1, 2 ORDER BY 1;
EXPLAIN (COSTS off) SELECT sum(total) FROM mms WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2011-06-20' AND ts < '2011-06-22';
CREATE TABLE by_hour (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms WITH (collection = 'mms_by_hour', style = 'hierarchical');
SELECT ts, sum(total), count(*) FROM by_hour GROUP BY 1 ORDER BY 1;
-- Hours and days in documents of a month: days of the month count from 1 in one collection and from 0 in the other.
CREATE TABLE moved (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL)
   USING mms WITH (style = 'hierarchical', months = true, hours_collection = 'moved_hours', days_collection = 'moved_days');
SELECT ts, sum(total), count(*) FROM moved GROUP BY 1 ORDER BY 1;
SELECT date_trunc('hour', ts), item, grp, sum(total), count(*) FROM moved GROUP BY 1, 2, 3 ORDER BY 1;
SELECT date_trunc('day', ts), host, sum(total), count(*) FROM moved GROUP BY 1, 2 ORDER BY 1;
SELECT date_trunc('month', ts), sum(total) FROM moved WHERE ts >= '2011-06-01' AND ts < '2011-06-30' GROUP BY 1;
EXPLAIN (COSTS off) SELECT date_trunc('day', ts), sum(total) FROM moved WHERE item = 'bits' AND grp = 'mem' AND host = '1499f25476f6e905ca13a6f6f9e97b32' AND ts >= '2010-07-01' AND ts < '2011-07-01' GROUP BY 1;
-- June has no 31st.
SET on_malformed = 'error';
CREATE LAYOUT days_of AS '{ "keeps": "sums", "key": ["item", "grp", "host"], "stores": [ { "collection": "late_days", "write": "inc",
   "id": [ {"trunc": "month", "encoding": {"format": "%Y%m"}}, "-", {"column": "item"}, "-", {"column": "grp"}, "-", {"column": "host"} ], "root": { "is": "document",
   "bind": [ {"trunc": "month", "from": "id"}, {"column": "item", "from": "id"}, {"column": "grp", "from": "id"}, {"column": "host", "from": "id"} ],
   "sub": { "is": "map", "at": "d", "bind": [ {"part": "day", "of": "month", "encoding": "text"} ], "agg": { "n": "n", "measures": { "total": "t" } } } } } ] }';
CREATE TABLE late (ts timestamptz TIME PERIOD '1 day' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING days_of;
-- But one that was made beforehand, and in which nothing was counted, is no fault; nor are cells without anything in them.
CREATE LAYOUT ahead_of AS '{ "keeps": "sums", "key": ["item", "grp", "host"], "stores": [ { "collection": "ahead_days", "write": "inc",
   "id": [ {"trunc": "month", "encoding": {"format": "%Y%m"}}, "-", {"column": "item"}, "-", {"column": "grp"}, "-", {"column": "host"} ], "root": { "is": "document",
   "bind": [ {"trunc": "month", "from": "id"}, {"column": "item", "from": "id"}, {"column": "grp", "from": "id"}, {"column": "host", "from": "id"} ],
   "sub": { "is": "map", "at": "d", "bind": [ {"part": "day", "of": "month", "encoding": "text"} ], "agg": { "n": "n", "measures": { "total": "t" } } } } } ] }';
CREATE TABLE ahead (ts timestamptz TIME PERIOD '1 day' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING ahead_of;
SELECT ts, count(*), sum(total) FROM ahead GROUP BY 1 ORDER BY 1;
SELECT date_trunc('month', ts), count(*), sum(total) FROM ahead WHERE ts >= '2011-06-30' GROUP BY 1 ORDER BY 1;
-- Of copies none is left out where another has counted something; the finest can be read alone.
CREATE TABLE part (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits_left_out');
SELECT date_trunc('day', ts), sum(hits) FROM part GROUP BY 1 ORDER BY 1;
CREATE TABLE finest (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits_left_out', presums = 'ignore');
SELECT date_trunc('day', ts), sum(hits) FROM finest GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS off) SELECT sum(hits) FROM finest WHERE metric = 'metric-1' AND ts >= '2010-10-10' AND ts < '2010-10-11';
CHECK TABLE part;
SET on_malformed = 'skip';
SELECT date_trunc('day', ts), sum(hits) FROM part GROUP BY 1 ORDER BY 1;
-- What can be no count, and no sum of whole numbers, is told of by whoever reads it, and not taken for something else, or for nothing.
SET on_malformed = 'error';
CREATE TABLE odd (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms WITH (collection = 'mms_odd');
SELECT count(*) FROM odd;
CHECK TABLE odd;
SET on_malformed = 'skip';
SELECT host, count(*), sum(total) FROM odd GROUP BY 1;

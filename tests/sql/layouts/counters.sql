-- also: mongo
-- Counters by day, hour and minute at once: what mtsql writes, and what each question reads.
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
CREATE TABLE deep (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits integer MEASURE COUNTER) USING daily_metrics WITH (style = 'hierarchical', padded = false);
CREATE TABLE by_minute (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL)
   USING daily_metrics WITH (style = 'hierarchical', inner_key = 'minute of day', trust = 'fields', time_encoding = 'epoch_ms');
INSERT INTO hits VALUES ('2010-10-10 00:00:10+00', 'metric-1', 2), ('2010-10-10 00:00:50+00', 'metric-1', 1), ('2010-10-10 23:59+00', 'metric-1', 5), ('2010-10-11 09:30+00', 'metric-1', 7), ('2010-10-10 12:00+00', 'a/b', 1);
INSERT INTO hits VALUES ('2010-10-10 00:00:10+00', 'metric-1', 4), ('2010-10-10 00:07+00', 'metric-1', 0), ('2010-10-12 00:00+00', '100%', 6);
SELECT ts, metric, sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
INSERT INTO deep SELECT * FROM (SELECT ts, metric, sum(hits) FROM hits GROUP BY 1, 2) q;
INSERT INTO deep VALUES ('2010-10-10 00:00+00', 'metric-1', 1), ('2010-10-13 00:00+00', 'metric-1', 1);
INSERT INTO deep VALUES ('2010-10-10 00:00+00', 'metric-1', NULL);
INSERT INTO by_minute SELECT * FROM (SELECT ts, metric, sum(hits)::bigint FROM deep GROUP BY 1, 2) q;
SELECT ts, metric, sum(hits) FROM by_minute GROUP BY 1, 2 ORDER BY 1, 2;
SELECT metric, sum(hits) FROM by_minute WHERE metric <> 'a/b' AND ts >= '2010-10-10' AND ts < '2010-10-12' GROUP BY 1 ORDER BY 1;
SELECT date_trunc('hour', ts), sum(hits) FROM hits GROUP BY 1 ORDER BY 1;
SELECT date_trunc('month', ts), metric, sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 2;
SELECT sum(hits) FROM hits WHERE ts >= '2010-10-10 00:00+00' AND ts < '2010-10-10 12:01+00';
-- A CASE over a counter is answered from sums, where its conditions are the same for the whole cell.
SELECT metric, sum(CASE WHEN ts < '2010-10-11' THEN hits ELSE 0 END) AS first, sum(CASE WHEN ts >= '2010-10-11' THEN hits END) AS later, sum(hits) FROM hits GROUP BY 1 ORDER BY 1;
SELECT sum(CASE WHEN extract(hour FROM ts) < 12 THEN hits WHEN metric = 'a/b' THEN 0 END), sum(CASE WHEN metric = 'none' THEN hits ELSE 0 END), sum(CASE WHEN metric = 'none' THEN hits END) FROM hits;
EXPLAIN (COSTS off) SELECT sum(CASE WHEN metric = 'metric-1' THEN hits ELSE 0 END) FROM hits;
SELECT sum(CASE WHEN ts < '2010-10-11' THEN hits ELSE 0 END) FROM hits WHERE metric = 'none';
SELECT avg(CASE WHEN ts < '2010-10-11' THEN hits END) FROM hits;
SELECT sum(CASE WHEN hits > 2 THEN hits END) FROM hits;
SELECT sum(CASE WHEN ts < '2010-10-11' THEN hits ELSE 1 END) FROM hits;
-- A sum that went down to 0 would be gone from one level, and there on another.
INSERT INTO hits VALUES ('2010-10-10 00:00+00', 'metric-1', 1), ('2010-10-10 00:01+00', 'metric-1', -1);
ALTER TABLE hits DROP COLUMN hits;
SELECT count(*) FROM hits;
SELECT * FROM hits;
CREATE TABLE bad (ts timestamptz TIME, metric text DIMENSION, hits bigint MEASURE) USING daily_metrics;
CREATE TABLE two (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, hits bigint MEASURE COUNTER, errors bigint MEASURE COUNTER) USING daily_metrics WITH (style = 'hierarchical');
INSERT INTO two VALUES ('2010-10-10 00:00+00', 'm', 2, 1), ('2010-10-10 00:59+00', 'm', 3, 0), ('2010-10-10 00:00+00', 'm', 4, 1);
INSERT INTO two VALUES ('2010-10-10 00:00+00', 'm', 1, 1), ('2010-10-10 13:00+00', 'n', 0, 7), ('2010-10-11 13:00+00', 'n', 0, 0);
SELECT ts, metric, sum(hits), sum(errors) FROM two GROUP BY 1, 2 ORDER BY 1, 2;
SELECT date_trunc('day', ts), sum(hits), sum(errors) FROM two GROUP BY 1 ORDER BY 1;
CREATE TABLE bad (ts timestamptz TIME, metric text DIMENSION, hits bigint MEASURE COUNTER, errors bigint MEASURE) USING daily_metrics;
CREATE TABLE bad (metric text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics;
CREATE TABLE bad (ts timestamptz TIME, metric text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics WITH (style = 'deep');
CREATE TABLE bad (ts timestamptz TIME, metric text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics WITH (inner_key = 'minute of day');
-- Totals and counts; with months = true hours and days are in documents of a month.
CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms WITH (months = true);
CREATE TABLE days (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total double precision MEASURE) USING mms WITH (style = 'hierarchical');
INSERT INTO mem SELECT ts, i, 'mem', h, extract(day FROM ts)::bigint FROM generate_series (timestamptz '2010-06-20 12:34+00', timestamptz '2011-06-21 12:34+00', '1 day') g (ts), (VALUES ('bits'), ('virtual-size')) v (i), (VALUES ('1499f25476f6'), ('00ff')) w (h);
INSERT INTO mem VALUES ('2011-06-20 12:34+00', 'bits', 'mem', '00ff', -100), ('2011-06-20 23:59:59+00', 'bits', 'mem', '00ff', 1);
SELECT ts, host, sum(total), count(*), avg(total) FROM mem WHERE ts >= '2011-06-20' AND ts < '2011-06-21' AND item = 'bits' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT date_trunc('month', ts), sum(total), count(*) FROM mem WHERE item = 'virtual-size' AND host = '00ff' GROUP BY 1 ORDER BY 1;
INSERT INTO days SELECT * FROM (SELECT ts, item, grp, host, sum(total)::float8 / 2 FROM mem WHERE ts >= '2011-06-01' GROUP BY 1, 2, 3, 4) q;
INSERT INTO days VALUES ('2011-06-20 12:34+00', 'bits', 'mem', '00ff', 0.25);
SELECT date_trunc('day', ts), sum(total), count(*) FROM days WHERE item = 'bits' AND host = '00ff' GROUP BY 1 ORDER BY 1 DESC LIMIT 3;
SELECT date_trunc('year', ts), avg(CASE WHEN host = '00ff' THEN total ELSE 0 END), count(CASE WHEN host = '00ff' THEN total END), sum(CASE WHEN extract(month FROM ts) = 6 THEN total END) FROM mem GROUP BY 1 ORDER BY 1;
-- A chart of 365 days reads 13 documents, found by their _id.
SELECT count(*), min(d), max(d), sum(t) FROM (SELECT date_trunc('day', ts) d, sum(total) t FROM mem WHERE item = 'bits' AND grp = 'mem' AND host = '00ff' AND ts >= '2010-06-21' AND ts < '2011-06-21' GROUP BY 1) q;
CREATE TABLE bad (ts timestamptz TIME, item text DIMENSION, total bigint MEASURE) USING mms;
CREATE TABLE bad (ts timestamptz TIME, item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE) USING mms WITH (days_collection = 'x');
CREATE TABLE bad (ts timestamptz TIME, item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE) USING mms WITH (time_encoding = 'date');
-- Months and days long ago, looked at as others' documents are.
CREATE TABLE old (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms WITH (months = true);
INSERT INTO old VALUES ('1969-12-31 23:59+00', 'bits', 'mem', 'h', 1), ('1970-01-01 00:00+00', 'bits', 'mem', 'h', 2), ('1996-02-29 12:00+00', 'bits', 'mem', 'h', 3), ('1999-11-30 12:00+00', 'bits', 'mem', 'h', 4), ('2000-02-29 12:00+00', 'bits', 'mem', 'h', 5);
CREATE TABLE old_again (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL)
   USING mms WITH (months = true, collection = 'old', hours_collection = 'old_month_hours', days_collection = 'old_month_days');
SELECT date_trunc('day', ts), sum(total), count(*) FROM old_again GROUP BY 1 ORDER BY 1;
SELECT date_trunc('month', ts), sum(total) FROM old_again WHERE ts < '1970-01-01' OR ts >= '1999-11-01' GROUP BY 1 ORDER BY 1;
CHECK TABLE old_again;
-- Days that others wrote, and no months: neither is one attached without the other, nor are others' documents taken for the table's own.
CREATE TABLE others (ts timestamptz TIME PERIOD '1 min', item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE NOT NULL) USING mms WITH (collection = 'days_alone');
INSERT INTO others VALUES ('2020-01-01 01:01+00', 'bits', 'mem', 'h', 4);
CREATE TABLE halves (ts timestamptz TIME PERIOD '1 min', item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE NOT NULL) USING mms WITH (collection = 'days_alone', months = true);
SELECT sum(total) FROM others;

-- Measurements of five hosts, one an hour, in three layouts of one table: rows, a document for each
-- host and day, a document for each host and month. Each month has 28 days here, so all months are
-- equally large. The last month is the one before this one.
\set QUIET on
CREATE LAYOUT by_day AS '{ "keeps": "sums", "key": ["host"], "stores": [ { "collection": "days", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "host", "at": "host"} ], "agg": { "n": "n", "measures": { "v": "v" } } } } ] }';
CREATE LAYOUT by_month AS '{ "keeps": "sums", "key": ["host"], "stores": [ { "collection": "months", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "month", "at": "month", "encoding": "date"}, {"column": "host", "at": "host"} ], "agg": { "n": "n", "measures": { "v": "v" } } } } ] }';
CREATE TABLE load (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'month');
ALTER TABLE load ADD LAYOUT days USING by_day;
ALTER TABLE load ADD LAYOUT months USING by_month;
SELECT date_trunc('month', now(), 'UTC') AS this \gset
INSERT INTO load SELECT :'this'::timestamptz - m * interval '1 month' + d * interval '1 day' + h * interval '1 hour', 'host-' || k, (d * h + m * k) % 1000
   FROM generate_series (1, 36) m, generate_series (0, 27) d, generate_series (0, 23) h, generate_series (1, 5) k;
ANALYZE load;
CREATE TEMPORARY TABLE chart AS SELECT date_trunc('month', ts, 'UTC') AS month, host, count(*), sum(v) FROM load GROUP BY 1, 2;
SET sweep_interval = 0; -- expired rows are removed only by the commands below
\unset QUIET

-- Three years of data. Each layout can answer a chart by month. The cost of each:
\compare SELECT date_trunc('month', ts, 'UTC') AS month, count(*), sum(v) FROM load GROUP BY month

-- Keep rows for a month, days for a year, months for ever. From now on a layout no longer answers for
-- older times ...
ALTER TABLE load LAYOUT rows SET (expire_after = '1 month');
ALTER TABLE load LAYOUT days SET (expire_after = '1 year');

-- ... and older data is removed: rows by whole partitions, days by documents. A session that writes
-- does it now and then. VACUUM and drop_chunks do it at once. On a server a TTL index removes the days.
VACUUM load;

-- What is stored now. A query about the last month reads nothing else:
\compare SELECT host, count(*), sum(v) FROM load WHERE ts >= :'this'::timestamptz - interval '1 month' GROUP BY host

-- Days and rows can't answer this chart any more, so mtsql doesn't use them. An answer is the same as
-- before, or there is none.
\compare SELECT date_trunc('month', ts, 'UTC') AS month, count(*), sum(v) FROM load GROUP BY month
SELECT count(*) AS differs FROM (SELECT date_trunc('month', ts, 'UTC'), host, count(*), sum(v) FROM load GROUP BY 1, 2 EXCEPT SELECT * FROM chart) d;

-- A chart of days goes back a year. A query that needs rows goes back a month. These are whole months,
-- because a document of a month has all of its rows, or none.
SELECT count(*), min(day) = :'this'::timestamptz - interval '12 months' AS a_year FROM (SELECT date_trunc('day', ts, 'UTC') AS day, sum(v) FROM load WHERE ts >= :'this'::timestamptz - interval '1 year' GROUP BY 1) d;
SELECT count(*), percentile_disc (0.9) WITHIN GROUP (ORDER BY v) FROM load WHERE ts >= :'this'::timestamptz - interval '1 month';

-- Several layouts together, each for the times for which it is cheapest: a chart of days that ends at
-- noon, and a total of everything until then.
EXPLAIN (COSTS off) SELECT date_trunc('day', ts, 'UTC') AS day, count(*), sum(v) FROM load WHERE ts >= :'this'::timestamptz - interval '1 year' AND ts < :'this'::timestamptz - interval '1 month' + interval '10 days 12 hours' GROUP BY day;
EXPLAIN (COSTS off) SELECT host, count(*), sum(v) FROM load WHERE ts < :'this'::timestamptz - interval '1 month' + interval '10 days 12 hours' GROUP BY host;

-- Queries that no layout can answer any more are refused. The message says what is kept.
\set ON_ERROR_STOP off
SELECT date_trunc('day', ts, 'UTC'), sum(v) FROM load GROUP BY 1;
SELECT * FROM load ORDER BY ts DESC LIMIT 1;
SELECT host, v FROM load WHERE ts >= :'this'::timestamptz - interval '1 month' ORDER BY ts DESC, host LIMIT 1;
UPDATE load SET v = 0 WHERE host = 'host-1';
ALTER TABLE load DROP LAYOUT months;
\set ON_ERROR_STOP on

-- A late row is counted in all layouts that keep its time. This one is counted in months.
INSERT INTO load VALUES (:'this'::timestamptz - interval '30 months', 'late', 7);
SELECT count(*), sum(v) FROM load WHERE host = 'late';

-- DELETE trims rows, and computes documents of sums again.
DELETE FROM load WHERE ts >= :'this'::timestamptz - interval '1 month' AND ts < :'this'::timestamptz - interval '1 month' + interval '36 hours';
SELECT host, count(*) FROM load GROUP BY host ORDER BY host;
CHECK TABLE load;

-- The past of a table can be dropped in all layouts, too.
SELECT drop_chunks ('load', older_than => :'this'::timestamptz - interval '24 months');
SELECT count(DISTINCT date_trunc('month', ts, 'UTC')) AS months, sum(v) FROM load;

-- And rows can expire in all layouts at once.
ALTER TABLE load SET (expire_after = '6 months');
SELECT count(DISTINCT date_trunc('month', ts, 'UTC')) AS months, sum(v) FROM load;
\d+ load

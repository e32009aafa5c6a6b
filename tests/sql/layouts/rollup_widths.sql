-- also: mongo
-- Roll-ups of 5 minutes, 6 hours, 7 days and other widths, as time_bucket has them. Each answer is that of the records.
SET timezone = 'UTC';
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE);
INSERT INTO m SELECT timestamptz '2024-02-25 22:58:10' + i * interval '97 s', 'h' || i % 2, i * 37 % 101 FROM generate_series(0, 1999) i;
ALTER TABLE m ADD LAYOUT r USING rollup WITH (bucket = '5 minutes, 6 hours, 7 days', by = 'host', keep = 'sum(v), max(v), stddev(v)');
ALTER TABLE m ADD LAYOUT s USING rollup WITH (bucket = '30 seconds', by = '');
\d+ m
SET layout = 'r';
SELECT time_bucket('5 minutes', ts), host, count(*), sum(v), max(v) FROM m WHERE ts >= '2024-02-25 23:50' AND ts < '2024-02-26 00:10' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT time_bucket('7 days', ts), count(*), sum(v), round(stddev(v)::numeric, 9) FROM m GROUP BY 1 ORDER BY 1;
SELECT time_bucket('12 hours', ts), count(*), sum(v) FROM m GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT time_bucket('5 minutes', ts), host, count(*), sum(v), max(v) FROM m WHERE ts >= '2024-02-25 23:50' AND ts < '2024-02-26 00:10' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT time_bucket('7 days', ts), count(*), sum(v), round(stddev(v)::numeric, 9) FROM m GROUP BY 1 ORDER BY 1;
SELECT time_bucket('12 hours', ts), count(*), sum(v) FROM m GROUP BY 1 ORDER BY 1;
-- The ends of a range are read from the records.
RESET layout;
SELECT count(*), sum(v), min(v) FROM m WHERE ts >= '2024-02-26 00:07:10' AND ts < '2024-02-27 13:03';
SET layout = 'rows';
SELECT count(*), sum(v), min(v) FROM m WHERE ts >= '2024-02-26 00:07:10' AND ts < '2024-02-27 13:03';
-- What the entries don't divide, and a zone with half an hour
SET layout = 'r';
SELECT time_bucket('7 minutes', ts), sum(v) FROM m GROUP BY 1;
SELECT count(*), sum(v) FROM m WHERE ts < '2024-02-26 00:07';
SELECT date_trunc('day', ts, 'Asia/Kolkata'), count(*) FROM m GROUP BY 1 ORDER BY 1;
-- Changes
DELETE FROM m WHERE v = 3;
UPDATE m SET v = v + 1 WHERE v BETWEEN 50 AND 60 AND ts < '2024-02-27';
INSERT INTO m VALUES ('2024-02-25 23:59:59.999', 'h1', 1000), ('2024-02-26', 'h1', 2000), ('2024-03-04', 'h1', 3000);
CHECK TABLE m;
SELECT time_bucket('7 days', ts), host, count(*), sum(v), max(v) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SELECT time_bucket('10 minutes', ts), count(*), sum(v) FROM m WHERE ts >= '2024-02-25 23:50' AND ts < '2024-02-26 00:10' GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT time_bucket('7 days', ts), host, count(*), sum(v), max(v) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SELECT time_bucket('10 minutes', ts), count(*), sum(v) FROM m WHERE ts >= '2024-02-25 23:50' AND ts < '2024-02-26 00:10' GROUP BY 1 ORDER BY 1;
RESET layout;
-- A level of a descriptor
CREATE LAYOUT quarters AS $${keeps: "records", stores: [{collection: "q", write: "push", root: {is: "document", bind: [{column: "host"}, {trunc: "6 hours", at: "from", encoding: "date"}],
   sub: {is: "slots", at: "q", bind: [{part: "15 minutes", of: "6 hours"}], agg: {n: "n", measures: {v: "v"}}, sub: {is: "list", at: "r", bind: [{column: "ts", at: "t", encoding: "date"}], raw: {columns: {v: "v"}}}}}}]}$$;
CREATE TABLE q (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE) USING quarters;
INSERT INTO q SELECT * FROM m;
SET cut = '15 minutes';
SELECT time_bucket('2 days', ts), count(*), sum(v) FROM q WHERE ts >= '2024-02-26 00:15' GROUP BY 1 ORDER BY 1;
SET cut = 'records';
SELECT time_bucket('2 days', ts), count(*), sum(v) FROM q WHERE ts >= '2024-02-26 00:15' GROUP BY 1 ORDER BY 1;
RESET cut;
CHECK TABLE q;
DROP TABLE m, q;
DROP LAYOUT quarters;

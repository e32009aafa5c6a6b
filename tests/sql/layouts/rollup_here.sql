-- Roll-ups: the plans, and mistakes.
SET enable_columns = off;
SET timezone = 'UTC';
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE);
INSERT INTO m SELECT timestamptz '2024-05-01' + i * interval '30 s', 'h' || i % 3, i % 101 FROM generate_series(0, 9999) i;
ALTER TABLE m ADD LAYOUT hourly USING rollup WITH (by = 'host', keep = 'sum(v), max(v), percentile_agg(v)');
ALTER TABLE m ADD LAYOUT daily USING rollup WITH (bucket = '1 day', by = '');
\d+ m
EXPLAIN (costs off) SELECT host, date_trunc('hour', ts), approx_percentile(0.9, percentile_agg(v)) FROM m GROUP BY 1, 2;
EXPLAIN (costs off) SELECT date_trunc('month', ts), avg(v), min(v) FROM m GROUP BY 1;
EXPLAIN (costs off) SELECT max(v) FROM m WHERE ts >= '2024-05-01 03:30' AND ts < '2024-05-03';
EXPLAIN (costs off) DELETE FROM m WHERE ts < '2024-05-02';
EXPLAIN (costs off) INSERT INTO m VALUES ('2024-05-01', 'h1', 1);
-- Deviations from kept states, with the records for the ends of a range
ALTER TABLE m ADD LAYOUT spread USING rollup WITH (by = 'host', keep = 'stddev(v), first(v, ts)');
EXPLAIN (costs off) SELECT host, stddev(v), avg(v), first(v, ts) FROM m WHERE ts >= '2024-05-01 03:30' AND ts < '2024-05-03' GROUP BY 1;
EXPLAIN (costs off) SELECT stddev(v) FROM m WHERE host = 'h1';
EXPLAIN (costs off) SELECT stddev(v), last(v, ts) FROM m;
ALTER TABLE m DROP LAYOUT spread;
-- A unit or the step of a bucket that the entries don't divide
EXPLAIN (costs off) SELECT time_bucket('90 minutes', ts), max(v) FROM m GROUP BY 1;
-- Mistakes
CREATE TABLE bad (ts timestamptz TIME, v float8 MEASURE) USING rollup;
CREATE TABLE bad AS SELECT now() AS ts, 1 AS v;
ALTER TABLE bad ADD LAYOUT r USING rollup;
DROP TABLE bad;
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, v float8 MEASURE);
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'nosuch(v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'max(v');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'max(x)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'max(host)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'max(v, v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'percentile_agg(host)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'percentile_agg(v) max(v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'approx_percentile(0.5, v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'counter_agg(v, ts)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'stats_agg(v), stats_agg(v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'stddev(host)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'stddev(v, v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'stddev(3)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'first(v, v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'median(v)');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '7 minutes');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '2 days');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '2 months');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '500 ms');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '-5 minutes');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '1 day 5 minutes');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '5 minutes, 300 seconds');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '90 minutes', document = 'hour');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '25 minutes', document = 'hour');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '45 minutes', document = 'hour');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '7 days', document = 'month');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '1 hour, hour');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '1 day', document = 'day');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (document = 'week');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (by = 'v');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (by = 'ts');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (bucket = '');
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'max_n(v, 3), max_n(v, 5), mcv_agg(5, host)');
\d+ t
-- Descriptors
CREATE LAYOUT l AS '{"keeps": "rollup", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "agg": {"n": "n", "measures": {"v": {"max": "max"}}}}}]}';
ALTER TABLE t ADD LAYOUT l USING l;
DROP LAYOUT l;
CREATE LAYOUT l AS '{"keeps": "rollup", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "hour", "at": "d"}], "sub": {"is": "list", "at": "h", "bind": [{"part": "45 minutes", "of": "hour"}], "agg": {"n": "n"}}}}]}';
CREATE LAYOUT l AS '{"keeps": "rollup", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "7 minutes", "at": "d"}], "agg": {"n": "n"}}}]}';
CREATE LAYOUT l AS '{"keeps": "rollup", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "day", "at": "d"}], "agg": {"measures": {"v": "s"}}}}]}';
CREATE LAYOUT l AS '{"keeps": "rollup", "key": ["host"], "stores": [{"collection": "c", "repeats": true, "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "day", "at": "d"}], "agg": {"n": "n"}}}]}';
CREATE LAYOUT l AS '{"keeps": "rollup", "key": [], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "day", "at": "d"}], "agg": {"n": "n"}}}]}';
CREATE LAYOUT l AS '{"keeps": "rollup", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "day", "at": "d"}], "agg": {"n": "n", "measures": {"v": {"max": "max"}}}, "sub": {"is": "list", "at": "h", "bind": [{"part": "hour", "of": "day"}], "agg": {"n": "n"}}}}]}';
CREATE LAYOUT l AS '{"keeps": "rollup", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "day", "at": "d"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT l AS '{"keeps": "sums", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "day", "at": "d"}], "agg": {"n": "n", "states": [{"keep": "stats_agg(v)", "at": "s"}]}}}]}';
CREATE LAYOUT l AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "agg": {"n": "n", "states": [{"keep": "stats_agg(v)"}]}, "raw": {"at": "r", "many": true, "columns": {"ts": "t", "v": "v"}}}}]}';
CREATE LAYOUT l AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "agg": {"n": "n", "states": [{"keep": "stats_agg v", "at": "s"}]}, "raw": {"at": "r", "many": true, "columns": {"ts": "t", "v": "v"}}}}]}';
CREATE LAYOUT l AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "agg": {"n": "n", "states": [{"keep": "stats_agg(v)", "at": "n"}]}, "raw": {"at": "r", "many": true, "columns": {"ts": "t", "v": "v"}}}}]}';
CREATE LAYOUT l AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "agg": {"states": []}, "raw": {"at": "r", "many": true, "columns": {"ts": "t", "v": "v"}}}}]}';
-- States in the order of time: each end of the range is a piece of its own.
CREATE TABLE e (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE, other timestamptz DIMENSION);
ALTER TABLE e ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', by = 'host', keep = 'counter_agg(ts, v)');
INSERT INTO e SELECT timestamptz '2024-05-01' + i * interval '36 s', 'h' || i % 2, i, now() FROM generate_series(0, 7199) i;
EXPLAIN (costs off) SELECT host, delta(counter_agg(ts, v)) FROM e WHERE ts >= '2024-05-01 01:25' AND ts < '2024-05-03 20:10' GROUP BY host;
EXPLAIN (costs off) SELECT delta(counter_agg(ts, v)) FROM e WHERE host = 'h1' AND (ts < '2024-05-02 01:25' OR ts >= '2024-05-02 09:25' AND ts < '2024-05-03 15:10');
EXPLAIN (costs off) SELECT delta(counter_agg(other, v)) FROM e WHERE host = 'h1' AND ts >= '2024-05-01 01:25' AND ts < '2024-05-03 20:10';
DROP TABLE e;

-- also: mongo
-- Levels of records that keep states of aggregates.
SET timezone = 'UTC';
CREATE LAYOUT by_hour AS $${keeps: "records", stores: [{collection: "m", root: {is: "document", bind: [{column: "host"}, {trunc: "day", at: "day", encoding: "date"}],
   agg: {n: "n", states: [{keep: "percentile_agg(v)", at: "p"}]},
   sub: {is: "list", at: "hours", bind: [{part: "hour", of: "day", at: "hour"}],
      agg: {n: "n", states: [{keep: "percentile_agg(v)", at: "p"}, {keep: "counter_agg(ts, v)", at: "c"}, {keep: "stats_agg(w, v)", at: "s"}, {keep: "time_weight('LOCF', ts, v)", at: "t"}]},
      sub: {is: "list", at: "r", bind: [{column: "ts", at: "t"}], raw: {many: true, at: "v", columns: {v: "v", w: "w"}}}}}}]}$$;
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE, w bigint MEASURE) USING by_hour;
INSERT INTO m SELECT timestamptz '2024-05-01' + i * interval '13 min', 'h' || i % 2, i * 37 % 101, CASE WHEN i % 5 > 0 THEN i END FROM generate_series(0, 199) i;
INSERT INTO m SELECT timestamptz '2024-05-01' + i * interval '23 min', 'h' || i % 2, i * 31 % 97, i FROM generate_series(0, 99) i;
SELECT host, approx_percentile(0.5, percentile_agg(v)), num_vals(percentile_agg(v)) FROM m GROUP BY 1 ORDER BY 1;
SET cut = 'records';
SELECT host, approx_percentile(0.5, percentile_agg(v)), num_vals(percentile_agg(v)) FROM m GROUP BY 1 ORDER BY 1;
SET cut = 'hour';
SELECT host, date_trunc('hour', ts), delta(counter_agg(ts, v)), num_resets(counter_agg(ts, v)), slope(stats_agg(w, v))::numeric(10, 6) FROM m WHERE ts < '2024-05-01 04:00' GROUP BY 1, 2 ORDER BY 1, 2;
SET cut = 'records';
SELECT host, date_trunc('hour', ts), delta(counter_agg(ts, v)), num_resets(counter_agg(ts, v)), slope(stats_agg(w, v))::numeric(10, 6) FROM m WHERE ts < '2024-05-01 04:00' GROUP BY 1, 2 ORDER BY 1, 2;
-- States of points in the order of time can't be merged across hosts, so the records answer.
RESET cut;
SELECT delta(counter_agg(ts, v)), round(average(time_weight('LOCF', ts, v))) FROM m;
SET cut = 'hour';
SELECT delta(counter_agg(ts, v)) FROM m;
SELECT delta(counter_agg(ts, v)), round(average(time_weight('LOCF', ts, v))) FROM m WHERE host = 'h1';
SELECT approx_percentile(0.5, percentile_agg(w)) FROM m;
SELECT approx_percentile(0.5, percentile_agg(DISTINCT v)) FROM m;
RESET cut;
DELETE FROM m WHERE w % 3 = 0;
UPDATE m SET v = v / 2 WHERE host = 'h1';
CHECK TABLE m;
SELECT host, approx_percentile(0.5, percentile_agg(v)), num_vals(percentile_agg(v)) FROM m GROUP BY 1 ORDER BY 1;
-- A level of a preset
CREATE TABLE n (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE, w bigint MEASURE) USING nested WITH (cluster_by = 'host, day', levels = 'hour, ts', presum = 'hour', keep = 'max(v), min(w), count(w), percentile_agg(v)');
INSERT INTO n SELECT * FROM m;
SET cut = 'hour';
SELECT date_trunc('hour', ts), max(v), min(w), count(w), approx_percentile(0.5, percentile_agg(v)) FROM n GROUP BY 1 ORDER BY 1 LIMIT 3;
SET cut = 'records';
SELECT date_trunc('hour', ts), max(v), min(w), count(w), approx_percentile(0.5, percentile_agg(v)) FROM n GROUP BY 1 ORDER BY 1 LIMIT 3;
DROP TABLE m, n;
DROP LAYOUT by_hour;

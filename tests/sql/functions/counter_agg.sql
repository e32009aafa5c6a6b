-- also: mongo
-- counter_agg and gauge_agg: changes and rates of counters that begin again, and of numbers that may fall.
SET TimeZone = 'UTC';
CREATE TABLE m (ts timestamptz TIME PERIOD '10 s' NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE) USING rows;
ALTER TABLE m ADD LAYOUT packed USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts');
-- The counter of 'a' begins again at 00:02:00; 'b' has one point, 'c' only NULL.
INSERT INTO m VALUES ('2020-01-01 00:00:00', 'a', 10), ('2020-01-01 00:01:00', 'a', 20), ('2020-01-01 00:02:00', 'a', 10), ('2020-01-01 00:03:00', 'a', 20), ('2020-01-01 00:04:00', 'a', 10), ('2020-01-01', 'b', 7), ('2020-01-01', 'c', NULL);
SELECT host, counter_agg(ts, v) FROM m GROUP BY host ORDER BY host;
SELECT host, delta(s), time_delta(s), rate(s), num_resets(s), num_changes(s), num_elements(s), first_val(s), last_val(s), first_time(s), last_time(s) FROM (SELECT host, counter_agg(ts, v) AS s FROM m GROUP BY host) AS u ORDER BY host;
SELECT host, idelta_left(s), idelta_right(s), irate_left(s), irate_right(s), round(slope(s)::numeric, 9) AS slope, round(intercept(s)::numeric) AS intercept, round(corr(s)::numeric, 9) AS corr, counter_zero_time(s) FROM (SELECT host, counter_agg(ts, v) AS s FROM m GROUP BY host) AS u ORDER BY host;
SELECT host, delta(s), rate(s), idelta_left(s), idelta_right(s), irate_right(s), num_changes(s), num_elements(s), round(slope(s)::numeric, 9) AS slope FROM (SELECT host, gauge_agg(ts, v) AS s FROM m GROUP BY host) AS u ORDER BY host;
-- The order of rows doesn't matter.
SELECT delta(counter_agg(ts, v)), rate(counter_agg(ts, v ORDER BY v)), delta(counter_agg(DISTINCT ts, v)) FROM m WHERE host = 'a';
SET layout = 'packed';
SELECT host, counter_agg(ts, v) FROM m GROUP BY host ORDER BY host;
RESET layout;
-- rollup gives what the points give, also where a counter began again between two states.
CREATE TABLE minutes AS SELECT time_bucket('2 min', ts) AS b, host, counter_agg(ts, v) AS s, gauge_agg(ts, v) AS g FROM m GROUP BY 1, 2;
SELECT host, rollup(s) FROM minutes GROUP BY host ORDER BY host;
SELECT host, delta(rollup(g)), idelta_left(rollup(g)), num_changes(rollup(g)) FROM minutes GROUP BY host ORDER BY host;
SELECT num_elements(rollup(s)) FROM minutes;
SELECT num_elements(rollup(s)) FROM (SELECT s FROM minutes WHERE host = 'a' UNION ALL SELECT s FROM minutes WHERE host = 'a') AS u;
SELECT delta(s::text::countersummary), delta(rollup(s)) FROM minutes WHERE host = 'a' GROUP BY s, b ORDER BY b;
-- Of two points at one time the smaller counts.
SELECT num_elements(s), delta(s) FROM (SELECT counter_agg(ts, v) AS s FROM (VALUES (timestamptz '2020-01-01', 1), ('2020-01-01', 5), ('2020-01-02', 9)) AS t (ts, v)) AS u;
-- Prometheus' extrapolation: the examples of TimescaleDB's Toolkit.
SELECT extrapolated_delta(with_bounds(s, '2020-01-01 00:00:00', '2020-01-01 00:02:00.001'), 'prometheus') AS delta, extrapolated_rate(with_bounds(s, '2020-01-01 00:00:00', '2020-01-01 00:02:00.001')) AS rate FROM (SELECT counter_agg(ts, v) AS s FROM m WHERE host = 'a' AND ts <= '2020-01-01 00:01:00') AS u;
SELECT extrapolated_delta(with_bounds(s, '2020-01-01 00:00', '2020-01-01 00:10')) AS far, extrapolated_delta(with_bounds(s, '2019-12-31 23:59', '2020-01-01 00:04:30')) AS not_below_zero FROM (SELECT counter_agg(ts, v) AS s FROM m WHERE host = 'a') AS u;
SELECT extrapolated_rate(with_bounds(counter_agg(ts, v), '2020-01-01', '2020-01-02')) FROM m WHERE host = 'b';
SELECT extrapolated_delta(counter_agg(ts, v)) FROM m WHERE host = 'a';
SELECT extrapolated_delta(counter_agg(ts, v), 'guess') FROM m WHERE host = 'a';
SELECT with_bounds(counter_agg(ts, v), '2020-01-01 00:01', '2020-01-02') FROM m WHERE host = 'a';
SELECT with_bounds(counter_agg(ts, v), '2020-01-01', '2020-01-01 00:04') FROM m WHERE host = 'a';
-- To the edges of each bucket, by the states beside it.
SELECT b, delta(s), interpolated_delta(s, b, '2 min', lag(s) OVER w, lead(s) OVER w), interpolated_rate(s, b, '2 min', lag(s) OVER w, lead(s) OVER w) AS rate, interpolated_delta(g, b, '2 min', lag(g) OVER w, lead(g) OVER w) AS gauge FROM minutes WHERE host = 'a' WINDOW w AS (ORDER BY b) ORDER BY b;
SELECT interpolated_delta(s, b, '1 min') FROM minutes WHERE host = 'a' ORDER BY b LIMIT 1;
SELECT interpolated_delta(s, b, '2 min', s, NULL) FROM minutes WHERE host = 'a' ORDER BY b LIMIT 1;
SELECT interpolated_delta(s, b, '2 min', NULL, s) FROM minutes WHERE host = 'a' ORDER BY b LIMIT 1;
SELECT interpolated_delta(s, NULL, '2 min'), interpolated_delta(NULL::countersummary, b, '2 min') FROM minutes WHERE host = 'a' ORDER BY b LIMIT 1;
-- Windows; times without a zone; what isn't a point or a state.
SELECT ts, delta(counter_agg(ts, v) OVER (ORDER BY ts ROWS 1 PRECEDING)) FROM m WHERE host = 'a' ORDER BY ts;
SELECT delta(counter_agg(ts::timestamp, v)) FROM m WHERE host = 'a';
SELECT counter_agg('infinity'::timestamptz, 1);
SELECT delta(counter_agg(ts, v)), rate(counter_agg(ts, v)) FROM (VALUES (timestamptz '2020-01-01', 1), ('2020-01-02', 'NaN'::float8)) AS t (ts, v);
SELECT counter_agg(v, ts) FROM m;
SELECT delta('{"k": "countersummary", "v": 1, "n": 1}'::countersummary);
SELECT delta(replace(counter_agg(ts, v)::text, '"resets": 2', '"resets": 9')::countersummary) FROM m WHERE host = 'a';
SELECT delta(replace(counter_agg(ts, v)::text, '00:04', '00:00')::countersummary) FROM m WHERE host = 'a';
DROP TABLE m, minutes;

-- The functions that read states, after ->, as in TimescaleDB's Toolkit.
SET timezone = 'UTC';
SELECT stats_agg(v) -> average(), stats_agg(v) -> stddev('pop') , percentile_agg(v) -> approx_percentile(0.5), round((percentile_agg(v) -> approx_percentile_rank(3))::numeric,2), hyperloglog(64, v) -> distinct_count(), stats_agg(v) -> sum() FROM generate_series(1, 9) t (v);
SELECT g, s -> average() AS a FROM (SELECT v % 2 g, stats_agg(v) s FROM generate_series(1, 9) t (v) GROUP BY 1) u ORDER BY s -> average(), g;
SELECT rollup(s) -> num_vals() FROM (SELECT v % 2 g, stats_agg(v) s FROM generate_series(1, 9) t (v) GROUP BY 1) u;
SELECT counter_agg(ts, v) -> with_bounds('2024-01-01'::timestamptz, '2024-01-02') -> extrapolated_rate() FROM (VALUES (timestamptz '2024-01-01 00:00', 1), ('2024-01-01 01:00', 5)) t (ts, v);
SELECT '{"a": 1}'::jsonb -> lower('A');
SELECT stats_agg(v) -> nosuch() FROM generate_series(1, 9) t (v);
SELECT stats_agg(v) -> 'average' FROM generate_series(1, 9) t (v);
SELECT stats_agg(v) -> count(*) FROM generate_series(1, 9) t (v);
SELECT max_n(v, 3) -> into_array() FROM generate_series(1, 9) t (v);
SELECT max_n(v, 3) -> into_values() FROM generate_series(1, 9) t (v);
SELECT state_agg(ts, m) -> duration_in('a') FROM (VALUES (timestamptz '2024-01-01 00:00', 'a'), ('2024-01-01 01:00', 'b')) t (ts, m);
SELECT stats_agg(v) -> abs() FROM generate_series(1, 9) t (v);
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, v bigint MEASURE);
ALTER TABLE t ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', keep = 'counter_agg(ts, v)');
INSERT INTO t SELECT timestamptz '2024-05-01' + i * interval '10 min', 'h' || i % 2, i * 3 FROM generate_series(0, 19) i;
SET layout = 'hourly';
SELECT host, counter_agg(ts, v) -> delta() AS delta, counter_agg(ts, v) -> rate() AS rate FROM t GROUP BY 1 ORDER BY 1;
DROP TABLE t;
-- What TimescaleDB has beside its Toolkit's states: a hint says what to use.
SELECT create_hypertable('t', 'ts');
SELECT add_retention_policy('t', interval '30 days');
SELECT add_compression_policy('t', interval '30 days');
SELECT timevector(timestamptz '2024-05-01', 1);
SELECT time_bucket_range('15 min'::interval, timestamptz '2024-05-01');
SELECT rolling(stats_agg(v)) OVER () FROM generate_series(1, 3) t (v);
SELECT g, average(rollup(s) OVER (ORDER BY g ROWS 1 PRECEDING)) FROM (SELECT v / 3 AS g, stats_agg(v) AS s FROM generate_series(0, 8) t (v) GROUP BY 1) u ORDER BY g;

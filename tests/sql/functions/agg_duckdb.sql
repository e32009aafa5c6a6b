-- also: mongo
-- DuckDB's aggregates: median, arg_min, arg_max, min_by, max_by, any_value.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE, v double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
INSERT INTO t VALUES ('2024-05-01 00:00+00', 'a', 1, 1.5), ('2024-05-01 00:01+00', 'a', 2, 2.5), ('2024-05-01 00:02+00', 'b', 3, NULL), ('2024-05-01 00:03+00', 'b', NULL, 4.5), ('2024-05-01 00:03+00', 'c', 6, 'NaN');
SET TimeZone = 'UTC';
SELECT median(n), median(v), median(k), median(ts), median(n::numeric), median(n * interval '1 h'), median(date '2024-01-01' + n::int) FROM t;
SELECT k, median(n), median(v) FILTER (WHERE v > 2), median(DISTINCT n % 2) FROM t GROUP BY ALL ORDER BY ALL;
SELECT ts, median(n) OVER (ORDER BY ts, k ROWS 1 PRECEDING) FROM t ORDER BY ts, k;
SELECT median(n), arg_max(n, v), any_value(n) FROM t WHERE n > 100;
-- rows whose value or key is NULL don't count; first and last count NULL values
SELECT arg_min(v, ts), arg_max(n, v), arg_max(v, n), max_by(k, n), min_by(k, n), min_by(n, k) FROM t;
SELECT last(n, ts), arg_max(n, ts) FROM t WHERE k = 'b';
SELECT k, arg_max(n, ts), arg_max(ts, n), arg_max(v, k) FROM t GROUP BY ALL ORDER BY ALL;
SELECT k, arg_max(n, v) OVER (PARTITION BY k ORDER BY ts), any_value(v) OVER (PARTITION BY k) FROM t ORDER BY k, ts;
SELECT arg_max(a, b) FROM (VALUES (1, 2), (3, 2), (NULL, 9)) x (a, b);
SELECT any_value(n), any_value(k), any_value(v > 2), any_value(ARRAY[n]), any_value(n * interval '1 h'), any_value(to_jsonb(k)) FROM t WHERE n > 2;
SELECT k, any_value(n) FROM t GROUP BY k ORDER BY k;
SET layout = 'packed';
SELECT k, median(n), arg_max(n, ts), arg_min(v, n), any_value(k), any_value(n) FROM t GROUP BY ALL ORDER BY ALL;
SELECT median(v > 1) FROM t;
SELECT arg_max(n, ts, 2) FROM t;
SELECT median(n) WITHIN GROUP (ORDER BY n) FROM t;
-- mad: the medians are 2, 1.5 and 3; NULL and no rows
SELECT mad(v), mad(v) FILTER (WHERE v < 9), mad(DISTINCT v) FROM (VALUES (1), (1), (2), (4), (9), (NULL)) AS t (v);
SELECT mad(v) FROM (VALUES ('-Infinity'::float8), (0), (1), (2), ('NaN')) AS t (v);
SELECT mad(x) FROM (VALUES (1)) AS t (x) WHERE x > 1;
SELECT x % 2 AS odd, mad(x) FROM generate_series(1, 10) AS x GROUP BY odd ORDER BY odd;
SELECT x, mad(x) OVER (ORDER BY x ROWS 2 PRECEDING) FROM (VALUES (1), (5), (6), (16)) AS t (x) ORDER BY x;
SELECT mad('a'::text);

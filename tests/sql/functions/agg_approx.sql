-- approx_count_distinct and approx_quantile: exact for few values, in bounded memory for many.
SET TimeZone = 'UTC';
CREATE TABLE t AS SELECT timestamptz '2024-01-01' + g * interval '1 min' AS ts, g AS n, sqrt(g) AS v, 'k' || g % 5000 AS k FROM generate_series(1, 30000) g;
SELECT approx_count_distinct(n % 4096), approx_count_distinct(n % 4000), approx_count_distinct(n), approx_count_distinct(k), approx_count_distinct(v) FROM t;
SELECT approx_quantile(n % 1000, ARRAY[0, 0.25, 0.5, 1]), approx_quantile(n, 0.5), approx_quantile(v, 0.5), approx_quantile(ts, 0.5), approx_quantile(ts::date, 0.5) FROM t;
-- whole numbers: not more than one in 4,096 of the range away; doubles: 0.4 % of the value
SELECT abs(approx_quantile(n::bigint, 0.9) - 27000) < 30000 / 4096, abs(approx_quantile(-n::bigint, 0.9) + 3001) < 30000 / 4096, abs(approx_quantile(n, 0.9) / 27000 - 1) < 0.004, abs(approx_count_distinct(n) - 30000) < 1500 FROM t;
SELECT n % 2 AS odd, approx_count_distinct(n % 10), approx_quantile(n % 10, 0.5) FROM t GROUP BY ALL ORDER BY ALL;
-- the same by way of temporary files
SET work_mem = '64kB';
SELECT n % 2 AS odd, approx_count_distinct(n % 10), approx_quantile(n % 10, 0.5) FROM t GROUP BY ALL ORDER BY ALL;
SELECT approx_count_distinct(n % 4096), approx_count_distinct(n % 4000), approx_count_distinct(n), approx_count_distinct(k), approx_count_distinct(v) FROM t;
SELECT sum(c), max(q) FROM (SELECT n % 300 AS g, approx_count_distinct(n) AS c, approx_quantile(n, 0.5) AS q FROM t GROUP BY ALL) s;
RESET work_mem;
SELECT approx_count_distinct(x), approx_quantile(x, 0.5), approx_quantile(x, 1) FROM (VALUES (1.5::float8), ('NaN'), (NULL), (-2), (-0.0), (0)) s (x);
SELECT approx_count_distinct(x) FROM (VALUES (interval '1 h'), ('60 min'), (NULL)) s (x);
SELECT approx_count_distinct(n), approx_quantile(n, 0.5), approx_quantile(n, ARRAY[0.5]), approx_quantile(n, NULL) FROM t WHERE n < 0;
SELECT n, approx_count_distinct(n) OVER (ORDER BY n ROWS 2 PRECEDING) FROM t ORDER BY n LIMIT 4;
SELECT approx_quantile(n, 2) FROM t;
SELECT approx_quantile(n, 'NaN') FROM t;
SELECT percentile_disc(ARRAY[0.5, 'NaN']) WITHIN GROUP (ORDER BY n) FROM t;
SELECT approx_quantile(n, v) FROM t;
SELECT approx_quantile(k, 0.5) FROM t;
-- Numerics that are the same as doubles.
SELECT approx_count_distinct(1 + x * 0.0000000000000000000000001), approx_count_distinct(x * 1.0), approx_count_distinct(x % 7 + 0.10) FROM generate_series (1, 100) AS s (x);

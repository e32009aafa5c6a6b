-- args: data/numbers
-- Documents of other programs have integers in a column of doubles, and doubles in a column of integers.
CREATE TABLE readings (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', n bigint MEASURE, f float8 MEASURE) USING rows WITH (collection = 'readings');
SELECT f, cbrt(f), sqrt(f), atan2(f, f), degrees(f), width_bucket(f, 0, 10, 5), bar(f, 0, 10, 5) || '|' AS bar FROM readings ORDER BY ts;
SELECT f, f::numeric, f::text, cbrt(f + f), greatest(f, 4.5), round(f::numeric, 1) FROM readings WHERE sqrt(f) > 1 ORDER BY ts;
SELECT n, gcd(n, 4), to_hex(n), n::text, n::numeric, chr(64 + n::int), repeat('x', n::int), to_char(n, '099') FROM readings ORDER BY ts;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY f), percentile_cont(ARRAY[0.25, 0.5]) WITHIN GROUP (ORDER BY f), median(f), median(n), sparkline(f, 0, 10, NULL) FROM readings;
SELECT approx_quantile(n, 0.5), approx_quantile(f, 0.5), approx_count_distinct(n), histogram(f, 0, 10, 2), corr(n, f) FROM readings;
SELECT column_name, min, max, q25, q50, q75 FROM (SUMMARIZE readings) s;

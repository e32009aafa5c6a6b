-- also: mongo
-- Sketches: percentiles (uddsketch, tdigest) and numbers of different values (hyperloglog).
CREATE TABLE m (ts timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE) USING rows;
INSERT INTO m SELECT ts, h, extract(minute FROM ts) * extract(hour FROM ts) - 20 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 05:59', '1 min') g (ts), (VALUES ('a'), ('b')) AS v (h);
INSERT INTO m VALUES ('2020-01-02', 'c', NULL), ('2020-01-03', 'd', 5);
-- What is stored.
SELECT uddsketch(10, 0.1, x) FROM (VALUES (-3), (0), (0.5), (8), (8.1), (NULL)) AS t (x);
SELECT uddsketch(5, 0.1, x) FROM (VALUES (-3), (0), (0.5), (8), (8.1), (100), (1000), (1e30), (-1e-300)) AS t (x);
SELECT tdigest(3, x) FROM (VALUES (1), (2), (2), (3), (4), (10), (NULL)) AS t (x);
-- The hashes of values must not change: these states are what was stored before.
SELECT hyperloglog(1024, 1), hyperloglog(1024, 1.00), hyperloglog(1024, 1::float8), hyperloglog(1024, 1::bigint);
SELECT hyperloglog(1024, 1.5), hyperloglog(1024, 1.50), hyperloglog(1024, 1.5::float8), hyperloglog(1024, 0.1000000000000000000000001);
SELECT hyperloglog(1024, 'a'::text), hyperloglog(1024, true), hyperloglog(1024, date '2020-01-01'), hyperloglog(1024, timestamptz '2020-01-01');
SELECT hyperloglog(1024, interval '1 day'), hyperloglog(1024, interval '24 hours'), hyperloglog(1024, '\x00'::bytea), hyperloglog(1024, ARRAY[1, 2]);
SELECT hyperloglog(1024, '{"a": 1, "b": 2}'::jsonb), hyperloglog(1024, '{"b": 2.0, "a": 1}'::jsonb), hyperloglog(1024, '2'::jsonb);
SELECT hyperloglog(16, x), hyperloglog(17, x) FROM generate_series (1, 40) AS t (x);
-- What is read.
SELECT host, num_vals(s), mean(s), error(s), approx_percentile(0.5, s)::numeric(9, 3) AS median, approx_percentile_rank(40, s)::numeric(9, 3) AS rank FROM (SELECT host, percentile_agg(v) AS s FROM m GROUP BY host) AS u ORDER BY host;
SELECT host, num_vals(s), mean(s), error(s)::numeric(9, 6), approx_percentile(0, s)::numeric(9, 3) AS least, approx_percentile(1, s)::numeric(9, 3) AS most FROM (SELECT host, uddsketch(20, 0.01, v) AS s FROM m GROUP BY host) AS u ORDER BY host;
SELECT host, num_vals(s), mean(s), min_val(s), max_val(s), approx_percentile(0.5, s), approx_percentile_array(ARRAY[0, 0.1, NULL, 0.9, 1], s), approx_percentile_rank(40, s)::numeric(9, 3) AS rank FROM (SELECT host, tdigest(100, v) AS s FROM m GROUP BY host) AS u ORDER BY host;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY v), percentile_cont(ARRAY[0, 0.1, 0.9, 1]) WITHIN GROUP (ORDER BY v) FROM m WHERE host = 'a';
SELECT count(DISTINCT v), distinct_count(hyperloglog(1024, v)), distinct_count(hyperloglog(32, v)), stderror(hyperloglog(1024, v)), approx_count_distinct(v) FROM m;
-- Often and seldom: a number that occurs often keeps its ranks.
SELECT approx_percentile_array(ARRAY[0.1, 0.5, 0.79, 0.9], tdigest(20, x)), approx_percentile_rank(5, tdigest(20, x)) FROM (SELECT CASE WHEN i % 10 < 8 THEN 5 ELSE i END AS x FROM generate_series (1, 1000) AS g (i)) AS t;
SELECT tdigest(100, 7), approx_percentile_array(ARRAY[0, 0.3, 1], tdigest(100, 7)), approx_percentile_rank(7, tdigest(100, 7)), approx_percentile_rank(8, tdigest(100, 7)), approx_percentile_rank('-Infinity', tdigest(100, 7));
-- The largest numbers.
SELECT approx_percentile_array(ARRAY[0, 0.5, 1], tdigest(10, x)), approx_percentile_rank(0, tdigest(10, x)) FROM (VALUES (1.7e308), (-1.7e308)) AS t (x);
SELECT approx_percentile_array(ARRAY[0, 0.4, 1], uddsketch(5, 0.9, x)) FROM (VALUES (1.7e308), (0), (5e-324::float8), (-1.7e308), (-5e-324::float8)) AS t (x);
-- Stored states, and rollup, give what the rows give.
CREATE TABLE hours AS SELECT time_bucket('1 hour', ts) AS h, host, percentile_agg(v) AS u, uddsketch(20, 0.01, v) AS w, tdigest(100, v) AS t, hyperloglog(1024, v) AS d FROM m GROUP BY 1, 2;
SELECT host, num_vals(u) = num_vals(b) AND error(u) = error(b) AND approx_percentile(0.9, u) = approx_percentile(0.9, b) AS u, error(w) = error(c) AND approx_percentile(0.9, w) = approx_percentile(0.9, c) AS w, distinct_count(d) = distinct_count(e) AS d FROM (SELECT host, rollup(u) AS u, rollup(w) AS w, rollup(d) AS d FROM hours GROUP BY host) AS h JOIN (SELECT host, percentile_agg(v) AS b, uddsketch(20, 0.01, v) AS c, hyperloglog(1024, v) AS e FROM m GROUP BY host) AS r USING (host) ORDER BY host;
SELECT host, num_vals(rollup(t)), mean(rollup(t)), approx_percentile(0.5, rollup(t)), max_val(rollup(t)) FROM hours GROUP BY host ORDER BY host;
ALTER TABLE hours ADD LAYOUT packed USING nested WITH (cluster_by = 'host', levels = 'h');
SET layout = 'packed';
SELECT host, num_vals(rollup(u)), distinct_count(rollup(d)), num_vals(rollup(t)) FROM hours GROUP BY host ORDER BY host;
RESET layout;
CHECK TABLE hours;
SELECT pg_typeof(u), pg_typeof(t), pg_typeof(d), (u::jsonb) -> 'n', to_jsonb(t) -> 'buckets', num_vals(t::text::tdigest), distinct_count(d::text::hyperloglog), num_vals(u::text::uddsketch) FROM hours WHERE host = 'd';
-- Groups that go to temporary files and come back.
SET work_mem = '64kB';
CREATE TABLE spilled AS SELECT i % 500 AS g, uddsketch(20, 0.01, i) AS u, tdigest(10, i) AS t, hyperloglog(16, i) AS h FROM generate_series (1, 50000) AS s (i) GROUP BY 1;
RESET work_mem;
SELECT count(*), sum((s.u::text = f.u::text)::int) AS u, sum((s.t::text = f.t::text)::int) AS t, sum((s.h::text = f.h::text)::int) AS h FROM spilled AS s JOIN (SELECT i % 500 AS g, uddsketch(20, 0.01, i) AS u, tdigest(10, i) AS t, hyperloglog(16, i) AS h FROM generate_series (1, 50000) AS s (i) GROUP BY 1) AS f USING (g);
-- NULL, no rows, DISTINCT, FILTER, ORDER BY, windows.
SELECT percentile_agg(v), tdigest(100, v), hyperloglog(64, v), rollup(NULL::tdigest), approx_percentile(0.5, NULL::uddsketch), approx_percentile(NULL, tdigest(10, 1)), uddsketch(NULL, 0.1, 1) FROM m WHERE host = 'c';
SELECT num_vals(percentile_agg(DISTINCT x)), num_vals(tdigest(10, x) FILTER (WHERE x > 1)), distinct_count(hyperloglog(64, x ORDER BY x)), distinct_count(hyperloglog(DISTINCT 64, ARRAY[x])) FROM (VALUES (1), (2), (2)) AS t (x);
SELECT x, num_vals(tdigest(10, x) OVER w), approx_percentile(1, tdigest(10, x) OVER w), distinct_count(hyperloglog(64, x) OVER w), num_vals(percentile_agg(x) OVER w) FROM (VALUES (1), (2), (4), (4)) AS t (x) WINDOW w AS (ORDER BY x ROWS 1 PRECEDING);
SELECT distinct_count(hyperloglog(64, x)) FROM (VALUES ('NaN'::float8), ('NaN'), ('Infinity'), (0), ('-0')) AS t (x);
SELECT distinct_count(hyperloglog(1024, x)) FROM (SELECT 1 + i * 0.0000000000000000000000001 AS x FROM generate_series (1, 100) AS g (i)) AS t;
-- Errors.
SELECT percentile_agg('NaN');
SELECT tdigest(100, '-Infinity');
SELECT uddsketch(4, 0.1, 1);
SELECT uddsketch(10001, 0.1, 1);
SELECT uddsketch(10, 0, 1);
SELECT uddsketch(10, 1, 1);
SELECT uddsketch(10, 'NaN', 1);
SELECT tdigest(0, 1);
SELECT hyperloglog(15, 1);
SELECT hyperloglog(262145, 1);
SELECT tdigest(x, x) FROM (VALUES (1), (2)) AS t (x);
SELECT uddsketch(10, x, 1) FROM (VALUES (0.1), (0.2)) AS t (x);
SELECT hyperloglog(x, 1) FROM (VALUES (16), (32)) AS t (x);
SELECT rollup(s) FROM (SELECT uddsketch(10, 0.1, 1) AS s UNION ALL SELECT uddsketch(11, 0.1, 1)) AS t;
SELECT rollup(s) FROM (SELECT tdigest(10, 1) AS s UNION ALL SELECT tdigest(11, 1)) AS t;
SELECT rollup(s) FROM (SELECT hyperloglog(16, 1) AS s UNION ALL SELECT hyperloglog(32, 1)) AS t;
SELECT approx_percentile(1.1, percentile_agg(1));
SELECT approx_percentile('NaN', tdigest(10, 1));
SELECT approx_percentile_array(ARRAY[0.5, -1], tdigest(10, 1));
SELECT percentile_agg(x) FROM (VALUES (1e308), (1e308)) AS t (x);
SELECT num_vals(rollup(s)) FROM (VALUES ('{"k": "tdigest", "v": 1, "buckets": 10, "n": 9223372036854775807, "sum": 1, "min": 1, "max": 1, "centroids": [1, 9223372036854775807]}'::tdigest), ('{"k": "tdigest", "v": 1, "buckets": 10, "n": 1, "sum": 1, "min": 1, "max": 1, "centroids": [1, 1]}')) AS t (s);
SELECT error(tdigest(10, 1));
SELECT num_vals('{"k": "tdigest", "v": 1, "buckets": 10, "n": 2, "sum": 3, "min": 1, "max": 2, "centroids": [2, 1, 1, 1]}'::tdigest);
SELECT num_vals('{"k": "uddsketch", "v": 1, "buckets": 10, "max_error": 0.1, "collapses": 0, "n": 2, "sum": 3, "negative": [], "zero": 0, "positive": [1, 1]}'::uddsketch);
SELECT distinct_count('{"k": "hyperloglog", "v": 1, "buckets": 16}'::hyperloglog);
SELECT '{"k": "tdigest", "v": 1}'::uddsketch;
DROP TABLE m, hours, spilled;

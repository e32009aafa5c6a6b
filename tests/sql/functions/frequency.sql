-- also: mongo
-- Frequent values: states, what reads them, and rollup. The counts are exact while each value has a counter.
CREATE TABLE m (ts timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL, code bigint MEASURE) USING rows;
INSERT INTO m SELECT ts, h, 200 + (extract(minute FROM ts)::bigint % 7) * (extract(minute FROM ts)::bigint % 3) * 2 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 03:59', '1 min') g (ts), (VALUES ('a'), ('b')) AS v (h);
INSERT INTO m VALUES ('2020-01-02', 'c', NULL), ('2020-01-03', 'd', 5);
SELECT host, freq_agg(0.1, code) FROM m GROUP BY host ORDER BY host;
SELECT mcv_agg(2, host), mcv_agg(2, 1.05, code) FROM m;
SELECT * FROM into_values((SELECT freq_agg(0.05, code) FROM m)) ORDER BY max_freq DESC, value;
SELECT host, value, round(min_freq::numeric, 6) AS min_freq, round(max_freq::numeric, 6) AS max_freq FROM (SELECT host, freq_agg(0.05, code) AS s FROM m GROUP BY host) AS u, into_values(s) ORDER BY host, max_freq DESC, value;
SELECT code, count(*) FROM m GROUP BY code ORDER BY 2 DESC, 1;
SELECT topn(mcv_agg(3, code)) FROM m;
SELECT topn(mcv_agg(3, code), 2) FROM m;
SELECT topn(freq_agg(0.1, code), 3) FROM m;
SELECT host, topn(mcv_agg(2, code)) FROM m GROUP BY host ORDER BY host, 2;
SELECT h FROM topn((SELECT mcv_agg(2, host) FROM m)) AS h;
SELECT min_frequency(s, 200), max_frequency(s, 200), min_frequency(s, 1), max_frequency(s, 1) FROM (SELECT freq_agg(0.01, code) AS s FROM m) AS u;
SELECT min_frequency(s, 'a'), max_frequency(s, 'x'), min_frequency(s, NULL) FROM (SELECT mcv_agg(5, host) AS s FROM m) AS u;
-- More values than counters: 7 of 20 rows are 1. The others share the counters.
SELECT freq_agg(0.3, x ORDER BY i, x) FROM (SELECT 1 AS x, i FROM generate_series(1, 7) AS i UNION ALL SELECT 10 + i, i FROM generate_series(1, 13) AS i) AS t;
SELECT topn(s, 9), max_frequency(s, 1) >= 0.35 AS found, max_frequency(s, 99) < 0.3 AS bounded FROM (SELECT freq_agg(0.3, x) AS s FROM (SELECT 1 AS x, i FROM generate_series(1, 7) AS i UNION ALL SELECT 10 + i, i FROM generate_series(1, 13) AS i) AS t) AS u;
-- Values of any type. Equal values in several forms have one counter.
SELECT raw_freq_agg(0.1, x) FROM (VALUES (1.00), (1.0), (2), ('NaN'), (NULL)) AS t (x);
SELECT * FROM into_values((SELECT raw_mcv_agg(5, x) FROM (VALUES (date '2020-01-02'), ('2020-01-01'), ('2020-01-02')) AS t (x)), NULL::date);
SELECT topn(raw_mcv_agg(2, 1.5, x), NULL::bool) FROM (VALUES (true), (true), (false)) AS t (x);
SELECT topn(raw_freq_agg(0.5, x), 5, NULL::int[]) FROM (VALUES (ARRAY[1, 2]), ('{1,2}'), ('{}')) AS t (x);
SELECT min_frequency(s, 1.000), max_frequency(s, 3::numeric) FROM (SELECT raw_freq_agg(0.1, x) AS s FROM (VALUES (1.0), (2.0)) AS t (x)) AS u;
SELECT * FROM into_values(NULL::spacesavingaggregate, NULL::date);
-- A stored state gives what the rows give.
CREATE TABLE hours AS SELECT time_bucket('1 hour', ts) AS h, host, freq_agg(0.02, code) AS f, mcv_agg(3, code) AS s, raw_mcv_agg(1, ts) AS r FROM m GROUP BY 1, 2;
SELECT host, topn(rollup(s)) FROM hours GROUP BY host ORDER BY host, 2;
SELECT max_frequency(rollup(f), 200), pg_typeof(rollup(r)) FROM hours;
SELECT max_frequency(freq_agg(0.02, code), 200) FROM m;
ALTER TABLE hours ADD LAYOUT packed USING nested WITH (cluster_by = 'host', levels = 'h');
SET layout = 'packed';
SELECT host, topn(rollup(s)) FROM hours GROUP BY host ORDER BY host, 2;
RESET layout;
CHECK TABLE hours;
-- NULL, no rows, windows, DISTINCT, FILTER.
SELECT freq_agg(0.1, code), mcv_agg(3, code), rollup(NULL::spacesavingtextaggregate) FROM m WHERE host = 'c';
SELECT topn(NULL::spacesavingtextaggregate, 1);
SELECT topn(freq_agg(0.1, 'a'), NULL);
SELECT x, max_frequency(freq_agg(0.1, x) OVER (ORDER BY x), 1) FROM (VALUES (1), (2)) AS t (x) ORDER BY x;
SELECT max_frequency(freq_agg(DISTINCT 0.1, x), 1), max_frequency(freq_agg(0.1, x) FILTER (WHERE x < 2), 1) FROM (VALUES (1), (1), (2)) AS t (x);
-- Groups that go through the disk.
SET work_mem = '64kB';
SELECT count(*), sum(max_frequency(f, k)), sum(max_frequency(r, k)) FROM (SELECT x % 3000 AS k, freq_agg(0.2, x % 3000) AS f, raw_mcv_agg(1, x % 3000) AS r FROM generate_series(1::bigint, 30000) AS t (x) GROUP BY 1) AS u;
RESET work_mem;
-- Values that aren't frequent enough.
SELECT topn(mcv_agg(3, x)) FROM generate_series(1, 1000) AS t (x);
SELECT topn(freq_agg(0.1, x), 3) FROM generate_series(1, 1000) AS t (x);
-- Errors.
SELECT freq_agg(0, 1);
SELECT freq_agg('NaN', 1);
SELECT freq_agg(1e-9, 1);
SELECT mcv_agg(0, 1);
SELECT mcv_agg(3, 1, 1);
SELECT mcv_agg(200000, 1);
SELECT freq_agg(0.5, 1.5);
SELECT raw_freq_agg(0.5, interval '1 day');
SELECT raw_mcv_agg(3, jsonb '1');
SELECT freq_agg(x, 1) FROM (VALUES (0.5), (0.1)) AS t (x);
SELECT topn(freq_agg(0.5, 1));
SELECT topn(mcv_agg(2, 1), 3);
SELECT topn(mcv_agg(2, 1), -1);
SELECT topn(raw_mcv_agg(2, 1.5), NULL::text);
SELECT min_frequency(raw_mcv_agg(2, 1.5), 1);
SELECT rollup(s) FROM (SELECT freq_agg(0.5, 1) AS s UNION ALL SELECT mcv_agg(3, 1)) AS t;
SELECT rollup(s) FROM (SELECT raw_freq_agg(0.5, 1) AS s UNION ALL SELECT raw_freq_agg(0.5, 1.5)) AS t;
SELECT topn('{"k": "spacesavingbigintaggregate", "v": 1, "n": 2, "counters": 3, "freq": 0.5, "values": [1], "counts": [1], "overs": [0]}'::spacesavingbigintaggregate, 1);
SELECT topn('{"k": "spacesavingbigintaggregate", "v": 1, "n": 2, "counters": 3, "freq": 0.5, "values": [1], "counts": [-2], "overs": [0]}'::spacesavingbigintaggregate, 1);
DROP TABLE m, hours;

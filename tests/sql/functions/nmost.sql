-- also: mongo
-- The n least and greatest values, and the rows that have them: states, what reads them, and rollup.
CREATE TABLE m (ts timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL, i bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO m SELECT ts, h, extract(minute FROM ts)::bigint * 7 % 31, (extract(minute FROM ts) * 11 % 17) / 4 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 03:59', '1 min') g (ts), (VALUES ('a'), ('b')) AS v (h);
INSERT INTO m VALUES ('2020-01-02', 'c', NULL, NULL), ('2020-01-03', 'd', 9223372036854775807, 'NaN'), ('2020-01-04', 'd', -9223372036854775808, '-Infinity');
SELECT host, min_n(i, 2), max_n(v, 2), max_n(ts, 2) FROM m GROUP BY host ORDER BY host;
SELECT host, into_array(min_n(i, 5)), into_array(max_n(i, 3)), into_array(min_n(v, 3)), into_array(max_n(v, 3)), into_array(min_n(ts, 2)) FROM m GROUP BY host ORDER BY host;
SELECT host, into_values(max_n(v, 2)) FROM m GROUP BY host ORDER BY host, 2;
SELECT host, t FROM (SELECT host, max_n(ts, 2) AS s FROM m GROUP BY host) AS u, into_values(s) AS t ORDER BY host, t;
-- An integer is a bigint or a double precision, and the latter is preferred.
SELECT pg_typeof(min_n(1, 1)), pg_typeof(min_n(1::bigint, 1)), pg_typeof(min_n(1.5, 1)), pg_typeof(min_n(date '2020-01-01', 1)), pg_typeof(into_array(min_n(1::bigint, 1)));
-- NaN is the greatest number. Equal values count, NULL doesn't.
SELECT into_array(min_n(x, 10)), into_array(max_n(x, 2)) FROM (VALUES (1), ('NaN'::float8), (NULL), ('Infinity'), (1), ('-Infinity'), (-1)) AS t (x);
SELECT min_n(x, 2), max_n(x, NULL) FROM (VALUES (NULL::bigint)) AS t (x);
-- As text, great numbers stay what they are.
SELECT into_array(max_n(x, 9)::text::minmaxnfloats) FROM (VALUES (1e300), (-1e300), (1e19), (9.5e18), (-9.5e18), (1e18), (1.5e-300)) AS t (x);
SELECT into_array(max_n(x, 9)::text::minmaxnints) FROM (VALUES (9223372036854775807), (-9223372036854775808), (0)) AS t (x);
SELECT sum(stats_agg(x)::text::statssummary1d) FROM (VALUES (1e20), (2e20)) AS t (x);
SELECT value, data FROM (SELECT min_n_by(1, x, 2)::text::minmaxnbyfloats AS s FROM (VALUES ('12345678901234567890123'), ('"\12345678901234567890123')) AS t (x)) AS u, into_values(s, NULL::text);
-- Rows: values with data. Equal values are sorted by their data.
SELECT host, value, data FROM (SELECT host, max_n_by(i, ts, 3) AS s FROM m GROUP BY host) AS u, into_values(s, NULL::timestamptz) ORDER BY host, value DESC, data;
SELECT * FROM into_values((SELECT min_n_by(v, host || i, 4) FROM m WHERE host < 'c'), NULL::text);
SELECT * FROM into_values((SELECT min_n_by(ts, v, 3) FROM m), NULL::float8) AS r (t, x);
SELECT * FROM into_values((SELECT max_n_by(x, d, 2) FROM (VALUES (1, date '2020-01-01'), (3, '2020-01-03'), (2, NULL)) AS t (x, d)), NULL::date);
SELECT value, data->>'a', data FROM into_values((SELECT max_n_by(x, d, 2) FROM (VALUES (1, jsonb '{"a": 1}'), (3, '{"a": [2]}')) AS t (x, d)), NULL::jsonb);
SELECT value, data[1] FROM into_values((SELECT min_n_by(x, ARRAY[x, 1], 2) FROM generate_series(5, 9) AS t (x)), NULL::int[]);
SELECT min_n_by(x, y::varchar(3), 1), max_n_by(x, y::numeric(5, 2), 1) FROM (VALUES (1, '2'), (2, '3')) AS t (x, y);
SELECT * FROM into_values(NULL::minmaxnbyints, NULL::int);
-- A stored state gives what the rows give.
CREATE TABLE hours AS SELECT time_bucket('1 hour', ts) AS h, host, max_n(i, 4) AS s, min_n_by(v, ts, 2) AS r FROM m GROUP BY 1, 2;
SELECT host, into_array(rollup(s)) FROM hours GROUP BY host ORDER BY host;
SELECT host, into_array(max_n(i, 4)) FROM m GROUP BY host ORDER BY host;
SELECT host, value, data FROM (SELECT host, rollup(r) AS s FROM hours GROUP BY host) AS u, into_values(s, NULL::timestamptz) ORDER BY host, value, data;
ALTER TABLE hours ADD LAYOUT packed USING nested WITH (cluster_by = 'host', levels = 'h');
SET layout = 'packed';
SELECT host, into_array(rollup(s)) FROM hours GROUP BY host ORDER BY host;
RESET layout;
CHECK TABLE hours;
-- Windows, DISTINCT, FILTER, ORDER BY.
SELECT x, into_array(max_n(x, 2) OVER (ORDER BY x ROWS 2 PRECEDING)) FROM generate_series(1, 4) AS t (x) ORDER BY x;
SELECT x, min_n_by(x, 'r' || x, 2) OVER (ORDER BY x DESC) FROM generate_series(1, 3) AS t (x) ORDER BY x;
SELECT into_array(min_n(DISTINCT x, 3)), into_array(min_n(x, 3) FILTER (WHERE x > 1)), into_array(max_n(x, 2 ORDER BY x)) FROM (VALUES (1), (1), (2), (3), (3)) AS t (x);
SELECT min_n_by(DISTINCT x, y, 3) FROM (VALUES (1, 'b'), (1, 'a'), (1, 'b')) AS t (x, y);
-- Groups that go through the disk.
SET work_mem = '64kB';
SELECT count(*), sum((into_array(m))[1]) FROM (SELECT x % 3000 AS k, max_n(x, 2) AS m FROM generate_series(1::bigint, 30000) AS t (x) GROUP BY 1) AS u;
SELECT sum(value), sum(length(data)) FROM (SELECT x % 3000 AS k, min_n_by(x, 'd' || x, 2) AS m FROM generate_series(1::bigint, 30000) AS t (x) GROUP BY 1) AS u, into_values(m, NULL::text);
RESET work_mem;
-- Errors.
SELECT min_n(x, 0) FROM (VALUES (1)) AS t (x);
SELECT min_n(x, 1000001) FROM (VALUES (1)) AS t (x);
SELECT min_n(x, x) FROM (VALUES (1), (2)) AS t (x);
SELECT min_n('a', 1);
SELECT rollup(s) FROM (SELECT min_n(1, 1) AS s UNION ALL SELECT min_n(1, 2)) AS t;
SELECT rollup(s) FROM (SELECT min_n(1, 1) AS s UNION ALL SELECT max_n(1, 1)) AS t;
SELECT rollup(s) FROM (SELECT min_n_by(1, 1, 1) AS s UNION ALL SELECT min_n_by(1, 'a'::text, 1)) AS t;
SELECT min_n_by(1, NULL, 1);
SELECT * FROM into_values((SELECT min_n_by(1, 1, 1)), NULL::text);
SELECT * FROM into_values((SELECT min_n_by(1, 1, 1)), NULL);
SELECT into_values(min_n_by(1, 1, 1), NULL::int);
SELECT into_array('{"k": "minmaxnints", "v": 1, "n": 3, "order": 1, "values": [2, 1]}'::minmaxnints);
SELECT into_array('{"k": "minmaxnints", "v": 1, "n": 3, "order": 1, "values": [1, 2, 3, 4]}'::minmaxnints);
SELECT ''::minmaxnints;
SELECT '{"k": -'::minmaxnints;
DROP TABLE m, hours;

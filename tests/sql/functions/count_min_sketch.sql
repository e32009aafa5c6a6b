-- also: mongo
-- Estimates of how often texts occur. The counters of the first sketch are those of TimescaleDB's Toolkit.
SELECT count_min_sketch(x, 0.5, 0.01) FROM (VALUES ('lorem'), ('ipsum'), ('dolor'), ('sit'), ('amet'), ('consectetur'), ('adipiscing'), ('elit')) AS t (x);
SELECT count_min_sketch(x, 0.5, 0.4) FROM (VALUES (''), ('1234567'), ('12345678'), ('ünïcode'), ('a text of more than sixteen bytes')) AS t (x);
CREATE TABLE m (ts timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL) USING rows;
INSERT INTO m SELECT ts, 'h' || extract(minute FROM ts) FROM generate_series (timestamptz '2020-01-01', '2020-01-01 03:59', '1 min') g (ts);
SELECT approx_count('h1', s), approx_count('h59', s), approx_count('x', s) FROM (SELECT count_min_sketch(host, 0.001, 0.01) AS s FROM m) AS u;
CREATE TABLE hours AS SELECT time_bucket('1 hour', ts) AS h, count_min_sketch(host, 0.01, 0.1) AS s FROM m GROUP BY 1;
SELECT approx_count('h1', rollup(s)), rollup(s)::text = (SELECT count_min_sketch(host, 0.01, 0.1)::text FROM m) AS same FROM hours;
SELECT h, approx_count('h7', s) FROM hours ORDER BY h LIMIT 1;
SELECT count_min_sketch(NULL, 0.1, 0.1), approx_count('1', NULL), approx_count(NULL, count_min_sketch('a', 0.1, 0.1));
-- Groups that go through the disk.
SET work_mem = '64kB';
SELECT count(*), sum(approx_count('x' || k, c)) FROM (SELECT x % 3000 AS k, count_min_sketch('x' || x % 3000, 0.5, 0.5) AS c FROM generate_series(1::bigint, 30000) AS t (x) GROUP BY 1) AS u;
RESET work_mem;
SELECT count_min_sketch('a', 0, 0.1);
SELECT count_min_sketch('a', 0.1, 1);
SELECT count_min_sketch('a', 1e-9, 0.1);
SELECT rollup(s) FROM (SELECT count_min_sketch('a', 0.1, 0.1) AS s UNION ALL SELECT count_min_sketch('a', 0.2, 0.1)) AS t;
SELECT approx_count('a', '{"k": "countminsketch", "v": 1, "width": 3, "depth": 1, "counters": [1, -1, 1]}'::countminsketch);
DROP TABLE m, hours;

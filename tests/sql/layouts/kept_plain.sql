-- also: mongo
-- Plain aggregates from kept states: deviations, regressions, first and last. Each answer is that of the records.
SET timezone = 'UTC';
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE, w bigint MEASURE, x numeric MEASURE, r real MEASURE, note text MEASURE);
INSERT INTO m SELECT timestamptz '2024-05-01' + i / 2 * interval '7 min', 'h' || i % 3, i * 37 % 101 / 4.0, CASE WHEN i % 11 > 0 THEN i * 1000003 END, i % 17 / 8.0, i % 5, 'n' || i % 7 FROM generate_series(0, 599) i;
-- variance and stddev are one state, and so are stats_agg and corr.
ALTER TABLE m ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour, 1 day', by = 'host', keep = 'stddev(v), var_pop(v), stddev(w), variance(w), var_pop(x), stddev(r), corr(v, w), regr_slope(v, w), first(v, ts), last(note, ts), first(w, ts)');
\d+ m
CREATE FUNCTION near(a float8, b float8) RETURNS bool LANGUAGE sql AS 'SELECT coalesce(a = b OR abs(a - b) <= 1e-12 * abs(a), a IS NULL AND b IS NULL)';
CREATE VIEW asked AS SELECT host, date_trunc('day', ts) AS day, stddev(v) AS a, var_samp(v) AS b, stddev_pop(v) AS c, var_pop(v) AS d, stddev(r) AS e, corr(v, w) AS f, covar_pop(v, w) AS g, covar_samp(v, w) AS h, regr_slope(v, w) AS i, regr_intercept(v, w) AS j, regr_r2(v, w) AS k, regr_sxx(v, w) AS l, regr_syy(v, w) AS m, regr_sxy(v, w) AS n, regr_avgx(v, w) AS o, regr_avgy(v, w) AS p,
   regr_count(v, w) AS c1, stddev(w) AS c2, variance(w) AS c3, stddev_pop(w) AS c4, var_pop(w) AS c5, stddev(x) AS c6, var_pop(x) AS c7, sum(w) AS s1, avg(w) AS s2, count(w) AS s3, sum(x) AS s4, avg(x) AS s5, sum(v) AS s6, avg(v) AS s7, count(v) AS s8, sum(r) AS s9, avg(r) AS s10, first(v, ts) AS f1, last(note, ts) AS f2, first(w, ts) AS f3, var_samp(v) FILTER (WHERE host <> 'h1') AS f4 FROM m GROUP BY 1, 2;
SET layout = 'hourly';
CREATE TABLE kept AS SELECT * FROM asked;
SET layout = 'rows';
CREATE TABLE records AS SELECT * FROM asked;
RESET layout;
-- Numbers of doubles are equal but for rounding, and all others are equal.
CREATE VIEW differing AS SELECT host, day FROM records s JOIN kept k USING (host, day) WHERE NOT (near(s.a, k.a) AND near(s.b, k.b) AND near(s.c, k.c) AND near(s.d, k.d) AND near(s.e, k.e) AND near(s.f, k.f) AND near(s.g, k.g) AND near(s.h, k.h) AND near(s.i, k.i) AND near(s.j, k.j) AND near(s.k, k.k) AND near(s.l, k.l) AND near(s.m, k.m) AND near(s.n, k.n) AND near(s.o, k.o) AND near(s.p, k.p) AND near(s.f4, k.f4))
   OR (s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7, s.s8, s.s9, s.s10, s.f1, s.f2, s.f3) IS DISTINCT FROM (k.c1, k.c2, k.c3, k.c4, k.c5, k.c6, k.c7, k.s1, k.s2, k.s3, k.s4, k.s5, k.s6, k.s7, k.s8, k.s9, k.s10, k.f1, k.f2, k.f3);
SELECT count(*) FROM kept JOIN records USING (host, day);
SELECT * FROM differing;
SELECT host, round(a::numeric, 6) AS a, round(f::numeric, 6) AS f, c2, s2, f1, f2, f3 FROM kept ORDER BY host, day LIMIT 3;
-- Changes are kept.
INSERT INTO m SELECT timestamptz '2024-05-01' + i * interval '5 min', 'h' || i % 4, i % 13, i, i % 3, NULL, NULL FROM generate_series(0, 299) i;
DELETE FROM m WHERE w % 5 = 0 AND ts < '2024-05-01 12:00';
UPDATE m SET v = v + 1 WHERE host = 'h2' AND ts < '2024-05-01 08:00';
SET layout = 'hourly';
TRUNCATE kept;
INSERT INTO kept SELECT * FROM asked;
SET layout = 'rows';
TRUNCATE records;
INSERT INTO records SELECT * FROM asked;
RESET layout;
SELECT count(*) FROM kept JOIN records USING (host, day);
SELECT * FROM differing;
CHECK TABLE m;
-- A range that begins and ends within buckets
SELECT host, round(stddev(v)::numeric, 9), stddev(w), round(corr(v, w)::numeric, 9), first(v, ts), last(note, ts) FROM m WHERE ts >= '2024-05-01 03:30' AND ts < '2024-05-01 22:20' GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT host, round(stddev(v)::numeric, 9), stddev(w), round(corr(v, w)::numeric, 9), first(v, ts), last(note, ts) FROM m WHERE ts >= '2024-05-01 03:30' AND ts < '2024-05-01 22:20' GROUP BY 1 ORDER BY 1;
SET layout = 'hourly';
-- No rows
SELECT stddev(v), stddev(w), corr(v, w), regr_count(v, w), first(v, ts), sum(x), count(x) FROM m WHERE ts >= '2030-01-01';
-- What is not kept
SELECT corr(w, v) FROM m;
SELECT last(v, ts) FROM m;
SELECT stddev(v + 1) FROM m;
SELECT stddev(DISTINCT v) FROM m;
RESET layout;
-- Levels of records keep them, too.
CREATE TABLE n (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE, w bigint MEASURE) USING nested WITH (cluster_by = 'host, day', levels = 'hour, ts', presum = 'hour', keep = 'stddev(v), stddev(w), first(v, ts), last(v, ts), covar_pop(v, w)');
INSERT INTO n SELECT ts, host, v, w FROM m WHERE host IS NOT NULL;
SET cut = 'hour';
SELECT host, round(stddev(v)::numeric, 9), variance(w), first(v, ts), last(v, ts), round(covar_pop(v, w)::numeric, 3) FROM n GROUP BY 1 ORDER BY 1;
SET cut = 'records';
SELECT host, round(stddev(v)::numeric, 9), variance(w), first(v, ts), last(v, ts), round(covar_pop(v, w)::numeric, 3) FROM n GROUP BY 1 ORDER BY 1;
RESET cut;
CHECK TABLE n;
DROP VIEW differing, asked;
DROP FUNCTION near;
DROP TABLE m, n, kept, records;

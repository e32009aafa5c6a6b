-- also: mongo
-- time_bucket_gapfill, locf and interpolate, as TimescaleDB defines them.
\pset null NULL
-- the range of WHERE: '>' begins in the bucket of its bound, '<' ends before its own
SELECT time_bucket_gapfill('1 day', t) AS d, avg(v), locf(avg(v)), interpolate(avg(v)), count(*), coalesce(sum(v), 0) FROM (VALUES (timestamptz '2022-01-01 10:00+00', 1), ('2022-01-03 12:00+00', 5), ('2022-01-06 12:00+00', 8)) x (t, v) WHERE t > '2021-12-31' AND t < '2022-01-10' GROUP BY d ORDER BY d;
SELECT time_bucket_gapfill('1 hour', t) AS h, sum(v) FROM (VALUES (timestamp '2022-01-01 01:10', 1)) x (t, v) WHERE t BETWEEN '2022-01-01 00:30' AND '2022-01-01 03:00' GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill('1 month', d) AS m, max(v) FROM (VALUES (date '2022-01-31', 1), ('2022-04-01', 2)) x (d, v) WHERE '2021-12-15' <= d AND d <= '2022-05-01' GROUP BY 1 ORDER BY 1;
-- one series a group; rows outside the range stay
SELECT time_bucket_gapfill(1, t, 1, 6) AS t, g, min(x), locf(min(x)), locf(min(x), 77) AS prev, locf(min(x), treat_null_as_missing => true) AS missing, interpolate(min(x)) FROM (VALUES (2, 1, 2), (4, 1, 9), (3, 2, NULL), (1, 2, 4), (9, 2, 4), (-3, 1, 8)) v (t, g, x) GROUP BY 1, 2 ORDER BY 2, 1;
SELECT time_bucket_gapfill(10, t, start => 0, finish => 41) AS t, upper(g) AS g, upper(g) || '!', interpolate(sum(x)) AS whole, interpolate(avg(x::float8)) AS double, round(interpolate(avg(x)), 3) AS exact, locf(min(x), length(upper(g))) FROM (VALUES (5, 'a', 1), (38, 'a', 2), (25, 'b', 7)) v (t, g, x) GROUP BY 1, upper(g) ORDER BY 2, 1;
-- no rows: all of it where there is no other key
SELECT time_bucket_gapfill(1, t, 1, 4) AS t, count(*), locf(count(*), 5::bigint), interpolate(min(x)) FROM (VALUES (1, 2)) v (t, x) WHERE false GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill(1, t, 1, 4) AS t, x, count(*) FROM (VALUES (1, 2)) v (t, x) WHERE false GROUP BY 1, 2;
-- HAVING sees groups, not gaps; a sub-select sees both
SELECT time_bucket_gapfill(1, t, 1, 5) AS t, sum(x) FROM (VALUES (1, 1), (2, 5), (3, 7)) v (t, x) GROUP BY 1 HAVING sum(x) > 4 ORDER BY 1;
SELECT count(*), count(s), sum(coalesce(s, 0)) FROM (SELECT time_bucket_gapfill(1, t, 1, 5) AS t, sum(x) AS s FROM (VALUES (1, 1), (2, 5)) v (t, x) GROUP BY 1) y;
SELECT time_bucket_gapfill(1, t, 1, 5) AS t, sum(x) AS s FROM (VALUES (1, 1), (2, 5)) v (t, x) GROUP BY 1 ORDER BY sum(x) DESC NULLS LAST, 1 DESC LIMIT 3;
SELECT DISTINCT sum(x) IS NULL AS gap FROM (VALUES (1, 1), (2, 5)) v (t, x) GROUP BY time_bucket_gapfill(1, t, 1, 5) ORDER BY 1;
-- zones: days of 23 and 25 hours, a local hour that is left out
SET timezone = 'Europe/Berlin';
SELECT time_bucket_gapfill('1 day', t, 'Europe/Berlin') AS d, count(*) FROM (VALUES (timestamptz '2022-03-27 12:00+00')) x (t) WHERE t >= '2022-03-26 00:00' AND t < '2022-03-29 00:00' GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill('1 hour', t, 'Europe/Berlin') AS h, count(*) FROM (VALUES (timestamptz '2022-03-27 01:30+00')) x (t) WHERE t >= '2022-03-27 00:00' AND t < '2022-03-27 05:00' GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill('1 month', t, 'Europe/Berlin', '2022-09-15', '2022-12-01') AS m, count(*) FROM (VALUES (timestamptz '2022-10-30 01:30+00')) x (t) GROUP BY 1 ORDER BY 1;
RESET timezone;
-- packed: the buckets are groups at the cut that answers them
CREATE TABLE m (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (levels = 'ts, host', presum = 'ts');
INSERT INTO m VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 00:01+00', 'b', 2), ('2020-01-01 00:31+00', 'a', 4), ('2020-01-01 02:00+00', 'b', 8);
SELECT time_bucket_gapfill('30 min', ts) AS t, sum(n), locf(sum(n)), interpolate(count(*)) FROM m WHERE ts >= '2020-01-01 00:00+00' AND ts < '2020-01-01 03:00+00' GROUP BY t ORDER BY t;
SELECT host, time_bucket_gapfill('1 h', ts) AS t, sum(n) FROM m WHERE ts >= '2020-01-01 00:00+00' AND ts < '2020-01-01 03:00+00' GROUP BY host, t ORDER BY host, t;
-- what isn't allowed
SELECT time_bucket_gapfill('1 h', ts) AS t, sum(n) FROM m GROUP BY t;
SELECT time_bucket_gapfill('1 h', ts) AS t, sum(n) FROM m WHERE ts > '2020-01-01' GROUP BY t;
SELECT time_bucket_gapfill('1 h', ts + interval '1 h') AS t, sum(n) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY t;
SELECT time_bucket_gapfill('1 h', ts, ts, '2020-01-02') AS t, sum(n) FROM m GROUP BY t;
SELECT time_bucket_gapfill('0 h', ts) AS t, sum(n) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY t;
SELECT time_bucket_gapfill(NULL::interval, ts) AS t, sum(n) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY t;
SELECT time_bucket_gapfill('1 ms', ts) AS t, sum(n) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY t;
SELECT time_bucket_gapfill('1 h', ts) FROM m;
SELECT time_bucket_gapfill('1 h', ts) + interval '1 h', sum(n) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY time_bucket_gapfill('1 h', ts) + interval '1 h';
SELECT time_bucket_gapfill('1 h', ts), time_bucket_gapfill('2 h', ts), sum(n) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY 1, 2;
SELECT locf(sum(n)) FROM m;
SELECT locf(n) FROM m;
SELECT time_bucket_gapfill('1 h', ts), locf(interpolate(sum(n))) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY 1;
SELECT time_bucket_gapfill('1 h', ts), locf(min(n), max(n)) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY 1;
SELECT time_bucket_gapfill('1 h', ts), sum(n) FROM m WHERE ts > '2020-01-01' AND ts < '2020-01-02' GROUP BY ROLLUP (1);
SELECT time_bucket_gapfill(1, t, 1, 5), sum(x) FROM (VALUES (1, 1), (NULL, 2)) v (t, x) GROUP BY 1;
-- keys that are equal without being the same make one series; the ends of bigint are bounds
CREATE TABLE spans (ts timestamptz TIME, i interval DIMENSION, j jsonb DIMENSION, v int MEASURE) USING rows;
INSERT INTO spans VALUES ('2020-01-01 00:00+00', '1 day', '1.0', 1), ('2020-01-03 00:00+00', '24 hours', '1', 2), ('2020-01-02 00:00+00', NULL, NULL, 9);
SELECT time_bucket_gapfill('1 day', ts) AS b, i, j, sum(v), locf(sum(v)) FROM spans WHERE ts >= '2020-01-01' AND ts < '2020-01-05' GROUP BY b, i, j ORDER BY i, b;
SELECT time_bucket_gapfill(1::bigint, v, start => 9223372036854775805, finish => 9223372036854775807) AS b, count(*) FROM spans GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill(4611686018427387904, v, start => -9223372036854775808, finish => 9) AS b, count(*) FROM spans GROUP BY b ORDER BY b;
SELECT histogram(x, 0, 10, 5) FROM (VALUES (1::float8), ('NaN')) AS q (x);
-- There are no gaps without a key.
SELECT locf(1);
SELECT interpolate(1.5);
-- small numbers; ON of inner joins has bounds, too, that of outer joins hasn't; what is computed over the rows that are there before gaps
SELECT time_bucket_gapfill(5::smallint, 13::smallint), pg_typeof(time_bucket_gapfill(5::smallint, 13::smallint));
SELECT time_bucket_gapfill(5::smallint, t, 0::smallint, 20::smallint) AS b, count(*), locf(sum(t)) FROM (VALUES (7::smallint)) v (t) GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill(5::smallint, t) AS b, count(*) FROM (VALUES (7::smallint)) v (t) WHERE t >= 0 AND t < 20 GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill(2, a.t) AS b, count(*) FROM (VALUES (1), (4)) a (t) JOIN (VALUES (1), (4), (9)) c (t) ON c.t = a.t AND a.t >= 0 AND a.t < 8 GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill(2, c.t) AS b, sum(x.n) FROM (VALUES (1), (4)) a (t) JOIN ((VALUES (1), (4)) c (t) JOIN (VALUES (1, 10), (4, 20)) x (t, n) ON x.t = c.t AND c.t BETWEEN 0 AND 5) ON a.t = c.t GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill(2, a.t) AS b, count(*) FROM (VALUES (1), (4)) a (t) LEFT JOIN (VALUES (1), (4), (9)) c (t) ON c.t = a.t AND a.t >= 0 AND a.t < 8 GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill(1, time, 1, 11), locf(avg(min(time)) OVER ()) FROM (VALUES (1), (2)) v (time) GROUP BY 1;
SELECT time_bucket_gapfill(1, time, 1, 11), 1 + interpolate(sum(min(time)) OVER ()) FROM (VALUES (1), (2)) v (time) GROUP BY 1;
SELECT time_bucket_gapfill(1, time, 1, 4) AS b, sum(locf(min(time))) OVER () FROM (VALUES (1), (2)) v (time) GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill('12 hours', d, '2020-01-01', '2020-01-03') AS b, count(*) FROM (VALUES (date '2020-01-01')) v (d) WHERE false GROUP BY b;
SELECT time_bucket_gapfill(10::smallint, t) AS b, count(*) FROM (VALUES (32767::smallint), (32750::smallint)) v (t) WHERE t > 32740 AND t < 100000 GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill(10::smallint, t) AS b, count(*) FROM (VALUES ('-32755'::smallint)) v (t) WHERE t > -40000 AND t < -32740 GROUP BY b ORDER BY b;
SELECT histogram(x, -1.79769e308, 1.79769e308, 10) FROM (VALUES (0::float8), (-1.79769e308), (1.79e308), (1.79769e308)) AS q (x);
SELECT width_bucket(0.99::float8, -1e20::float8, 1::float8, 10), width_bucket(0.99::float8, 1::float8, -1e20::float8, 10);

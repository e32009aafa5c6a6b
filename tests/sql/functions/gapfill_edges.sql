-- also: mongo
-- The look-ups of interpolate and locf at the edges, as in TimescaleDB: prev and next are records (time, value).
\pset null NULL
CREATE TABLE m (t int, k text, v int, f float8, n numeric);
INSERT INTO m VALUES (-3, 'a', 1, 1, 1), (5, 'a', 2, 2, 2), (20, 'a', 9, 9, 9), (-1, 'b', 7, 7, 7), (6, 'b', 8, 8, 8);
-- constants; prev is for the first bucket, next for those behind the last row
SELECT time_bucket_gapfill(5, t, -5, 20) AS b, interpolate(min(v)) AS none, interpolate(min(v), (-15, 0)) AS prev, interpolate(min(v), NULL, (25, 12)) AS next, interpolate(min(f), (-15, 0), (25, 12)) AS both, round(interpolate(min(n), next => (25, 12), prev => (-15, 0)), 3) AS named FROM m WHERE t BETWEEN 0 AND 10 GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill(5, t, -5, 20) AS b, k, interpolate(min(v), (-15, 0), (25, 12)) FROM m WHERE t BETWEEN 5 AND 6 GROUP BY 1, 2 ORDER BY 2, 1;
-- no rows at all, and records of NULL
SELECT time_bucket_gapfill(5, t, 0, 20) AS b, interpolate(min(f), (-5, 0), (20, 5)) FROM m WHERE false GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15) AS b, interpolate(min(f), (NULL, 0), (20, NULL)), interpolate(min(f), NULL, NULL) FROM m WHERE t = 5 GROUP BY 1 ORDER BY 1;
-- sub-selects
SELECT time_bucket_gapfill(5, t, -5, 20) AS b, interpolate(min(v), (SELECT (t, v) FROM m WHERE t < 0 ORDER BY t LIMIT 1), (SELECT (t, v) FROM m WHERE t > 10 ORDER BY t LIMIT 1)), locf(min(v), (SELECT v FROM m WHERE t < 0 ORDER BY t LIMIT 1)) FROM m WHERE t BETWEEN 0 AND 10 GROUP BY 1 ORDER BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15) AS b, interpolate(min(v), (SELECT t, v FROM m WHERE t < -100), (SELECT max(t), max(v) FROM m)) FROM m WHERE t BETWEEN 0 AND 10 GROUP BY 1 ORDER BY 1;
-- one for each group: they may use the other keys
SELECT time_bucket_gapfill(5, t, 0, 20) AS b, k, interpolate(min(v), (SELECT (x.t, x.v) FROM m x WHERE x.k = m.k AND x.t < 0 ORDER BY x.t DESC LIMIT 1), (SELECT (x.t, x.v) FROM m x WHERE x.k = m.k AND x.t > 10 ORDER BY x.t LIMIT 1)) AS v, locf(min(v), (SELECT v FROM m x WHERE x.k = m.k AND x.t < 0 ORDER BY x.t DESC LIMIT 1)) FROM m WHERE t BETWEEN 0 AND 10 GROUP BY 1, 2 ORDER BY 2, 1;
SELECT time_bucket_gapfill(5, t, 0, 10) AS b, upper(k), locf(min(v), (SELECT max(v) FROM m x WHERE upper(x.k) = upper(m.k))) FROM m WHERE t BETWEEN 0 AND 4 OR t = 6 GROUP BY 1, upper(k) ORDER BY 2, 1;
-- times
CREATE TABLE temp (ts timestamptz TIME, host text, v float8 MEASURE) USING rows;
INSERT INTO temp VALUES ('2020-01-01 00:00+00', 'a', 0), ('2020-01-01 06:00+00', 'a', 6), ('2020-01-01 12:00+00', 'a', 0);
SET TimeZone = 'UTC';
SELECT time_bucket_gapfill('2 hours', ts) AS b, interpolate(avg(v), ('2020-01-01 00:00+00', 0), (SELECT (ts, v) FROM temp WHERE ts >= '2020-01-01 10:00' ORDER BY ts LIMIT 1)) FROM temp WHERE ts >= '2020-01-01 02:00' AND ts < '2020-01-01 10:00' GROUP BY b ORDER BY b;
SELECT ts, host, locf(sum(v), (SELECT v FROM temp x WHERE x.host = temp.host AND x.ts < '2020-01-01 02:00' ORDER BY ts DESC LIMIT 1)) FROM temp SAMPLE BY 2h FROM '2020-01-01 02:00' TO '2020-01-01 09:00' FILL (NULL) ORDER BY ts;
-- what is not to be
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), 5) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), (1, 2, 3)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), (SELECT v FROM m)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), (1, 2), (3, 4), (5, 6)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), prev => (1, 2), prev => (3, 4)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), (min(t), 2)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), ('x', 2)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), (1, 'x')) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), interpolate(min(v), (SELECT (t, v) FROM m)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), locf(min(v), (SELECT v FROM m x WHERE x.k = m.k LIMIT 1)) FROM m GROUP BY 1;
SELECT time_bucket_gapfill(5, t, 0, 15), k, locf(min(v), (SELECT v FROM m x WHERE x.t < time_bucket_gapfill(5, m.t, 0, 15) LIMIT 1)) FROM m GROUP BY 1, 2;
SELECT time_bucket_gapfill(5, t, 0, 15), k, locf(min(v), (SELECT v FROM m x WHERE x.v < min(m.v) LIMIT 1)) FROM m GROUP BY 1, 2;
SELECT interpolate(min(v), (1, 2)) FROM m;

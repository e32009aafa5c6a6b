-- also: mongo
-- Window functions of time series: difference, derivative, elapsed, cumulative_sum, moving_average and others.
SET TimeZone = 'UTC';
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE, n int MEASURE);
INSERT INTO m VALUES ('2024-05-01 00:00+00', 'a', 10, 1), ('2024-05-01 00:01+00', 'a', 40, 5), ('2024-05-01 00:02+00', 'a', NULL, NULL), ('2024-05-01 00:04+00', 'a', 30, 3), ('2024-05-01 00:05+00', 'a', 35, 9);
INSERT INTO m VALUES ('2024-05-01 00:00+00', 'b', 1, 7), ('2024-05-01 00:10+00', 'b', 61, 7);
CREATE VIEW changes AS SELECT host, ts, v, difference(v) OVER w, derivative(v, ts) OVER w, elapsed(ts) OVER w FROM m WINDOW w AS (PARTITION BY host ORDER BY ts);
SELECT host, ts, v, difference(v) OVER w, non_negative_difference(v) OVER w AS rise, seasonal_difference(v, 2) OVER w AS season, difference(n) OVER w AS whole FROM m WINDOW w AS (PARTITION BY host ORDER BY ts) ORDER BY host, ts;
SELECT host, ts, v, derivative(v, ts) OVER w, derivative(v, ts, '1 min') OVER w AS per_minute, non_negative_derivative(v, ts, interval '1 min') OVER w AS growth, non_negative_derivative(v, ts) OVER w AS per_second, elapsed(ts) OVER w AS seconds, elapsed(ts, '1 hour') OVER w AS hours FROM m WINDOW w AS (PARTITION BY host ORDER BY ts) ORDER BY host, ts;
SELECT host, ts, v, cumulative_sum(v) OVER w, cumulative_sum(n) OVER w AS whole, moving_average(v, 2) OVER w, moving_average(n, 1) OVER w AS itself, exponential_moving_average(v, 0.5) OVER w AS smooth FROM m WINDOW w AS (PARTITION BY host ORDER BY ts) ORDER BY host, ts;
-- the types of the results
SELECT pg_typeof(difference(n) OVER w), pg_typeof(difference(1.5) OVER w), pg_typeof(difference(v) OVER w), pg_typeof(cumulative_sum(n) OVER w), pg_typeof(cumulative_sum(n::bigint) OVER w), pg_typeof(moving_average(n, 2) OVER w), pg_typeof(elapsed(ts) OVER w) FROM m WINDOW w AS (ORDER BY ts) LIMIT 1;
-- over the frame: the median of 1, 2, 4, 9 is 3, and their distances from it are 2, 1, 1, 6
SELECT v, zscore(v) OVER (), modified_zscore(v) OVER () FROM (VALUES (1), (2), (4), (9), (NULL)) AS t (v) ORDER BY v;
SELECT v, zscore(v) OVER w, modified_zscore(v) OVER w FROM (VALUES (1, 1), (2, 3), (3, 3), (4, 9)) AS t (i, v) WINDOW w AS (ORDER BY i ROWS 1 PRECEDING) ORDER BY i;
SELECT zscore(v) OVER (), modified_zscore(v) OVER () FROM (VALUES (5), (5)) AS t (v);
-- a forecast: 10, 20, 12, 22 give the level 15, the trend 1, and the seasons -5 and 5
SELECT i, v, holt_winters(v, 2, 0.5, 0.5, 0.5) OVER (ORDER BY i) FROM (VALUES (1, 10), (2, 20), (3, 12), (4, 22), (5, 14), (6, 24), (7, NULL), (8, 26)) AS t (i, v) ORDER BY i;
SELECT i, v, holt_winters(v, 2, 0, 0, 0) OVER (ORDER BY i) FROM (VALUES (1, 10), (2, NULL), (3, 1), (4, 2), (5, 1), (6, 2), (7, 9), (8, 9)) AS t (i, v) ORDER BY i;
-- the order descends: the derivative stays, the other signs change
SELECT ts, difference(v) OVER w, derivative(v, ts) OVER w, elapsed(ts) OVER w FROM m WHERE host = 'b' WINDOW w AS (ORDER BY ts DESC) ORDER BY ts;
-- equal times, timestamps without a zone and dates
SELECT derivative(v, ts) OVER w, non_negative_derivative(v, ts) OVER w, elapsed(ts) OVER w, cumulative_sum(v) OVER w FROM (VALUES (timestamp '2024-01-01', 1, 1), ('2024-01-01', 2, 5)) AS t (ts, i, v) WINDOW w AS (ORDER BY ts, i) ORDER BY i;
SELECT d, elapsed(d, '1 day') OVER (ORDER BY d) FROM (VALUES (date '2024-02-28'), ('2024-03-01')) AS t (d) ORDER BY d;
-- a frame counts for scores only
SELECT v, difference(v) OVER w, cumulative_sum(v) OVER w, moving_average(v, 2) OVER w FROM m WHERE host = 'a' WINDOW w AS (ORDER BY ts ROWS BETWEEN CURRENT ROW AND CURRENT ROW) ORDER BY ts;
-- over groups, in QUALIFY and ORDER BY, in views and prepared statements, of each other's results
SELECT time_bucket('5 min', ts) AS period, sum(n), difference(sum(n)) OVER (ORDER BY time_bucket('5 min', ts)) FROM m GROUP BY period ORDER BY period;
SELECT host, ts, v FROM m QUALIFY difference(v) OVER (PARTITION BY host ORDER BY ts) > 20 ORDER BY difference(v) OVER (PARTITION BY host ORDER BY ts) DESC;
SELECT * FROM changes WHERE host = 'b' ORDER BY ts;
PREPARE smooth (int) AS SELECT ts, moving_average(v, $1) OVER (ORDER BY ts) FROM m WHERE host = 'a' ORDER BY ts;
EXECUTE smooth (2);
EXECUTE smooth (0);
EXECUTE smooth (NULL);
SELECT ts, difference(d) OVER (ORDER BY ts) FROM (SELECT ts, difference(v) OVER (ORDER BY ts) AS d FROM m WHERE host = 'a') AS t ORDER BY ts;
SELECT difference(v) OVER (ORDER BY ts) FROM m WHERE host = 'c';
-- errors
SELECT difference(v) OVER (PARTITION BY host) FROM m;
SELECT exponential_moving_average(v, 0.5) OVER () FROM m;
SELECT difference(v) FROM m;
SELECT difference(host) OVER (ORDER BY ts) FROM m;
SELECT derivative(ts, v) OVER (ORDER BY ts) FROM m;
SELECT difference(random()) OVER (ORDER BY ts) FROM m;
SELECT difference(n) OVER (ORDER BY n) FROM (VALUES (-9223372036854775808), (1)) AS t (n);
SELECT moving_average(v, 0) OVER (ORDER BY ts) FROM m;
SELECT moving_average(v, n) OVER (ORDER BY ts) FROM m;
SELECT seasonal_difference(v, -1) OVER (ORDER BY ts) FROM m;
SELECT derivative(v, ts, '0 s') OVER (ORDER BY ts) FROM m;
SELECT derivative(v, ts, NULL) OVER (ORDER BY ts) FROM m;
SELECT exponential_moving_average(v, 0) OVER (ORDER BY ts), 1 FROM m;
SELECT exponential_moving_average(v, 1.5) OVER (ORDER BY ts) FROM m;
SELECT exponential_moving_average(v, 'NaN') OVER (ORDER BY ts) FROM m;
SELECT holt_winters(v, 1, 0.5, 0.5, 0.5) OVER (ORDER BY ts) FROM m;
SELECT holt_winters(v, 2, 0.5, -0.5, 0.5) OVER (ORDER BY ts) FROM m;
SELECT ts FROM m WHERE elapsed(ts) OVER (ORDER BY ts) > 1;

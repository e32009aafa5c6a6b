-- also: mongo
-- Two-step aggregates over one and two variables: states, what reads them, and rollup.
CREATE TABLE m (ts timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE, w double precision MEASURE) USING rows;
INSERT INTO m SELECT ts, h, extract(minute FROM ts), extract(hour FROM ts) FROM generate_series (timestamptz '2020-01-01', '2020-01-01 03:59', '1 min') g (ts), (VALUES ('a'), ('b')) AS v (h);
INSERT INTO m VALUES ('2020-01-02', 'c', NULL, 1), ('2020-01-03', 'd', 5, NULL);
SELECT host, stats_agg(v), stats_agg(w, v) FROM m WHERE ts >= '2020-01-02' GROUP BY host ORDER BY host;
SELECT host, num_vals(stats_agg(v)), average(stats_agg(v)), sum(stats_agg(v)), round(stddev(stats_agg(v))::numeric, 9) = round(stddev(v)::numeric, 9) AS stddev, round(variance(stats_agg(v), 'population')::numeric, 9) = round(var_pop(v)::numeric, 9) AS variance FROM m GROUP BY host ORDER BY host;
SELECT host, num_vals(s), average_y(s), average_x(s), sum_y(s), sum_x(s), round(slope(s)::numeric, 9) AS slope, round(covariance(s)::numeric, 9) AS covariance FROM (SELECT host, stats_agg(v, w) AS s FROM m GROUP BY host) AS u ORDER BY host;
SELECT round(skewness(stats_agg(x))::numeric, 9) AS skewness, round(kurtosis(stats_agg(x), 'population')::numeric, 9) AS kurtosis FROM (VALUES (7), (18), (-2), (5), (3)) AS t (x);
-- A stored state gives what the rows give.
CREATE TABLE hours AS SELECT time_bucket('1 hour', ts) AS h, host, stats_agg(v) AS s, stats_agg(v, w) AS c FROM m GROUP BY 1, 2;
SELECT host, num_vals(rollup(s)), sum(rollup(s)), average(rollup(s)), num_vals(rollup(c)) FROM hours GROUP BY host ORDER BY host;
SELECT host, num_vals(stats_agg(v)), sum(stats_agg(v)), average(stats_agg(v)) FROM m GROUP BY host ORDER BY host;
ALTER TABLE hours ADD LAYOUT packed USING nested WITH (cluster_by = 'host', levels = 'h');
SET layout = 'packed';
SELECT host, num_vals(rollup(s)), sum(rollup(s)) FROM hours GROUP BY host ORDER BY host;
RESET layout;
SELECT to_jsonb(stats_agg(x)), stats_agg(x)::jsonb -> 'n', pg_typeof(stats_agg(x)) FROM (VALUES (1), (2)) AS t (x);
CHECK TABLE hours;
-- The names sum and corr are aggregates, too.
SELECT sum(w), corr(w, w), sum(stats_agg(w)), corr(stats_agg(w, w)), sum(num_vals(s)) FROM m LEFT JOIN (SELECT stats_agg(1) AS s) AS u ON host = 'd';
SELECT h, sum(s), sum_x(c::text::statssummary2d) FROM hours WHERE host = 'a' ORDER BY h LIMIT 1;
-- NULL, no rows, one row, and numbers that aren't finite.
SELECT stats_agg(v), average(stats_agg(v)), num_vals(stats_agg(v)), rollup(NULL::statssummary1d) FROM m WHERE host = 'c';
SELECT variance(s), stddev(s), skewness(s), kurtosis(s), variance(s, 'population'), skewness(s, 'pop') FROM (SELECT stats_agg(v) AS s FROM m WHERE host = 'd') AS u;
SELECT stats_agg(x), average(stats_agg(x)), variance(stats_agg(x)) FROM (VALUES (1), ('Infinity'::float8)) AS t (x);
SELECT average(stats_agg(x)::text::statssummary1d) FROM (VALUES (1), ('NaN'::float8)) AS t (x);
SELECT stats_agg(x) FROM (VALUES (1e200), (-1e200)) AS t (x);
SELECT slope(s), intercept(s), x_intercept(s), corr(s), covariance(s), determination_coeff(s) FROM (SELECT stats_agg(x, 1) AS s FROM (VALUES (1), (2)) AS t (x)) AS u;
-- Windows, DISTINCT, FILTER.
SELECT x, average(stats_agg(x) OVER (ORDER BY x ROWS 1 PRECEDING)) FROM (VALUES (1), (2), (4), (NULL)) AS t (x) ORDER BY x;
SELECT sum(stats_agg(DISTINCT x)), sum(stats_agg(x) FILTER (WHERE x > 1)) FROM (VALUES (1), (2), (2)) AS t (x);
-- What isn't a state.
SELECT average('{"k": "statssummary1d", "v": 1}'::statssummary1d);
SELECT average('{"k": "statssummary1d", "v": 2, "n": 1, "sx": 1, "sx2": 0, "sx3": 0, "sx4": 0}'::statssummary1d);
SELECT average('{"k": "statssummary1d", "v": 1, "n": 0, "sx": 1, "sx2": 0, "sx3": 0, "sx4": 0}'::statssummary1d);
SELECT average('{"k": "statssummary1d", "v": 1, "n": "1", "sx": 1, "sx2": 0, "sx3": 0, "sx4": 0}'::statssummary1d);
SELECT average('{"k": "statssummary1d", "v": 1, "n": 2, "sx": 1.5, "sx2": 0, "sx3": 0, "sx4": 0}'::statssummary1d);
SELECT '{"k": "statssummary2d", "v": 1}'::statssummary1d;
SELECT '[1]'::statssummary1d;
SELECT kurtosis_x(stats_agg(1));
SELECT stddev(stats_agg(1), 'all');
SELECT min(stats_agg(1));
SELECT sum(sum(1));
DROP TABLE m, hours;

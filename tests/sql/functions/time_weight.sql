-- also: mongo
-- time_weight: averages and integrals over time. candlestick_agg and ohlc: prices of a period.
SET TimeZone = 'UTC';
CREATE TABLE m (ts timestamptz TIME PERIOD '10 s' NOT NULL, k text DIMENSION NOT NULL, v double precision MEASURE, w double precision MEASURE) USING rows;
ALTER TABLE m ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
INSERT INTO m VALUES ('2020-01-01 00:00', 'a', 10, 1), ('2020-01-01 00:01', 'a', 20, 2), ('2020-01-01 00:03', 'a', 5, 1), ('2020-01-01 00:07', 'a', 15, NULL), ('2020-01-01', 'b', 7, 0), ('2020-01-01', 'c', NULL, 1);
SELECT k, time_weight('LOCF', ts, v) FROM m GROUP BY k ORDER BY k;
SELECT k, average(l), average(t), integral(l), integral(t, 'minute'), integral(t, 'ms'), first_val(l), last_val(t), first_time(l), last_time(t) FROM (SELECT k, time_weight('locf', ts, v) AS l, time_weight('Linear', ts, v) AS t FROM m GROUP BY k) AS u ORDER BY k;
SET layout = 'packed';
SELECT k, average(time_weight('LOCF', ts, v)) FROM m GROUP BY k ORDER BY k;
RESET layout;
CREATE TABLE buckets AS SELECT time_bucket('2 min', ts) AS b, k, time_weight('LOCF', ts, v) AS l, time_weight('linear', ts, v) AS t, candlestick_agg(ts, v, w) AS c FROM m GROUP BY 1, 2;
SELECT k, average(rollup(l)), average(rollup(t)), integral(rollup(l)) FROM buckets GROUP BY k ORDER BY k;
-- To the edges of each bucket: LOCF needs no next state.
SELECT b, average(l), interpolated_average(l, b, '2 min', lag(l) OVER w) AS l, interpolated_average(t, b, '2 min', lag(t) OVER w, lead(t) OVER w) AS t, interpolated_integral(l, b, '2 min', lag(l) OVER w, NULL, 'minute') AS area, interpolated_integral(t, b, '2 min', unit => 'hour') AS alone FROM buckets WHERE k = 'a' WINDOW w AS (ORDER BY b) ORDER BY b;
SELECT interpolated_average(l, b, '30 s') FROM buckets WHERE k = 'a' ORDER BY b LIMIT 1;
-- What is wrong.
SELECT time_weight('mean', ts, v) FROM m;
SELECT time_weight(k, ts, v) FROM m;
SELECT rollup(s) FROM (SELECT l AS s FROM buckets WHERE k = 'b' UNION ALL SELECT t FROM buckets WHERE k = 'a' AND b > '2020-01-01') AS u;
SELECT time_weight(CASE WHEN v > 10 THEN 'LOCF' ELSE 'linear' END, ts, v) FROM m WHERE k = 'a';
SELECT integral(l, 'day') FROM buckets;
SELECT integral(l, 'fortnight') FROM buckets;
SELECT average(replace(l::text, 'LOCF', 'none')::timeweightsummary) FROM buckets;
-- Prices.
SELECT k, candlestick_agg(ts, v, w) FROM m GROUP BY k ORDER BY k;
SELECT k, open(s), high(s), low(s), close(s), open_time(s), high_time(s), low_time(s), close_time(s), volume(s), vwap(s) FROM (SELECT k, candlestick_agg(ts, v, w) AS s FROM m WHERE w IS NOT NULL GROUP BY k) AS u ORDER BY k;
SELECT open(s), close(s), volume(s), vwap(s) FROM (SELECT rollup(c) AS s FROM buckets WHERE k = 'a') AS u;
SELECT k, open(rollup(c)), high(rollup(c)), low(rollup(c)), close(rollup(c)), volume(rollup(c)) FROM buckets GROUP BY k ORDER BY k;
SELECT open(ohlc(ts, v)), close(ohlc(ts, v)), volume(ohlc(ts, v)) FROM m WHERE k = 'a';
SELECT vwap(candlestick('2020-01-01', 10, 12, 9, 12, 100)), volume(candlestick('2020-01-01', 10, 12, 9, 12, NULL)), candlestick(NULL, 1, 1, 1, 1, 1);
-- At one time the smaller price opens and the larger one closes; of equal prices the first is the highest.
SELECT open(s), close(s), high_time(s), low_time(s) FROM (SELECT ohlc(ts, v) AS s FROM (VALUES (timestamptz '2020-01-01', 2), ('2020-01-01', 1), ('2020-01-02', 2), ('2020-01-02', 1)) AS t (ts, v)) AS u;
SELECT candlestick('2020-01-01', 10, 12, 9, 13, 100);
SELECT ohlc('2020-01-01', 'NaN');
SELECT ohlc('infinity', 1);
SELECT open('{"k": "candlestick", "v": 1}'::candlestick);
SELECT open(replace(c::text, '"high"', '"hi"')::candlestick) FROM buckets WHERE k = 'a';
DROP TABLE m, buckets;

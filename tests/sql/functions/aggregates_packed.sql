-- Aggregates over layouts and cuts, and TimescaleDB's first, last and histogram.
CREATE TABLE t (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION NOT NULL, ok boolean DIMENSION NOT NULL, n bigint MEASURE, v double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, host, ok', presum = 'ts, host');
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', true, 1, 1.5), ('2020-01-01 00:00+00', 'a', true, 3, NULL), ('2020-01-01 00:00+00', 'b', false, 7, 2.5), ('2020-01-01 00:01+00', 'a', true, NULL, 4), ('2020-01-01 00:02+00', 'b', true, 12, 8),
   ('2020-01-01 00:02+00', 'c', true, 40, 0.5), ('2020-01-01 00:05+00', 'c', false, 41, 16);
\pset null NULL
SELECT host, first(n, ts), last(n, ts), last(v, ts), first(host, ts), last(ts, n) FROM t GROUP BY host ORDER BY host;
SELECT first(n, ts) FILTER (WHERE n > 5), last(n, ts) FILTER (WHERE ts < '2020-01-01 00:02+00'), first(n, ts) FILTER (WHERE false) FROM t;
SELECT histogram(v, 0, 10, 5), histogram(n, 5, 40, 2), histogram(v, 0, 10, 2) FILTER (WHERE host = 'zzz') FROM t;
SELECT host, histogram(n, 0, 50, 5) FROM t GROUP BY host ORDER BY host;
SELECT histogram(n, 0, 0, 5) FROM t;
SELECT histogram(n, 0, 10, 0) FROM t;
SELECT histogram(n, 0, n, 5) FROM t;
SELECT first(n, host) FROM t;
SELECT corr(DISTINCT n, v) FROM t;
-- bound columns are enough for some of them
SET layout = packed;
EXPLAIN SELECT bool_and(ok), bool_or(NOT ok) FROM t;
EXPLAIN SELECT last(host, ts), first(host, ts), var_pop(length(host)) FROM t;
SELECT last(host, ts), first(host, ts), var_pop(length(host)), var_samp(extract(minute FROM ts)), regr_count(1, length(host)) FROM t;
EXPLAIN SELECT stddev(n) FROM t;
EXPLAIN SELECT string_agg(host, ',') FROM t;
EXPLAIN SELECT string_agg(DISTINCT host, ',') FROM t;
SELECT string_agg(DISTINCT host, ','), bool_and(ok), bool_or(ok), string_agg(host, '' ORDER BY ts, host), stddev(n), stddev(v), percentile_cont(0.5) WITHIN GROUP (ORDER BY n), mode() WITHIN GROUP (ORDER BY ok) FROM t;
SET layout = rows;
SELECT string_agg(DISTINCT host, ','), bool_and(ok), bool_or(ok), string_agg(host, '' ORDER BY ts, host), stddev(n), stddev(v), percentile_cont(0.5) WITHIN GROUP (ORDER BY n), mode() WITHIN GROUP (ORDER BY ok) FROM t;
RESET layout;
-- a range that cuts through documents: two pieces
SELECT bool_and(ok), first(host, ts), last(host, ts), var_samp(length(host)), sum(n) FROM t WHERE ts >= '2020-01-01 00:01+00' AND ts < '2020-01-01 00:04+00';
EXPLAIN SELECT time_bucket_gapfill('1 min', ts) AS m, host, locf(count(*)) FROM t WHERE ts >= '2020-01-01 00:00+00' AND ts < '2020-01-01 00:06+00' GROUP BY m, host ORDER BY host, m;
-- sums of squares that 34 digits don't hold
SELECT var_pop(x) FROM (VALUES (9000000000000000001), (9000000000000000011), (9000000000000000012)) t(x);
SELECT var_pop(x::double precision) FROM (VALUES (9000000000000000001), (9000000000000000011), (9000000000000000012)) t(x);
-- a column without NULL is counted above the level that stores it
SET layout = 'packed'; SET cut = 'document';
SELECT count(ok), count(host), count(*) FROM t;
SELECT count(host) FILTER (WHERE true), sum(n) FROM t;
RESET cut; RESET layout;

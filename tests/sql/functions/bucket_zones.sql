-- also: mongo
-- Buckets in zones whose clocks are changed: hours and midnights that come twice, and a day that is left out.
SET timezone = 'Europe/Berlin';
CREATE TABLE t (ts timestamptz TIME PERIOD '60 s' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE t ADD LAYOUT by_ts USING nested WITH (levels = 'ts, k', presum = 'ts');
ALTER TABLE t ADD LAYOUT days USING per_day;
INSERT INTO t SELECT g, 'a', 1 FROM generate_series(timestamptz '2024-10-26 22:00+00', '2024-10-27 03:30+00', '30 min') g;
-- the repeated hour: two groups, of hours and less
SELECT time_bucket('1 hour', ts, 'Europe/Berlin') AS b, count(*), min(ts) >= time_bucket('1 hour', min(ts), 'Europe/Berlin') AS begins_before FROM t GROUP BY b ORDER BY b;
SELECT date_trunc('hour', ts, 'Europe/Berlin') AS b, sum(n) FROM t GROUP BY b ORDER BY b;
SELECT time_bucket('30 min', ts, 'Europe/Berlin', "offset" => '15 min') AS b, sum(n) FROM t WHERE ts >= '2024-10-27 00:00+00' AND ts < '2024-10-27 02:00+00' GROUP BY b ORDER BY b;
SELECT time_bucket('3 hours', ts, 'Europe/Berlin') AS b, sum(n) FROM t GROUP BY b ORDER BY b;
SELECT time_bucket('1 day', ts, 'Europe/Berlin') AS b, sum(n) FROM t GROUP BY b ORDER BY b;
-- and both in a filter
SELECT sum(n) FROM t WHERE time_bucket('1 hour', ts, 'Europe/Berlin') = '2024-10-27 02:00+02';
SELECT sum(n) FROM t WHERE time_bucket('1 hour', ts, 'Europe/Berlin') >= '2024-10-27 02:00+01';
-- gaps have the same buckets
SELECT time_bucket_gapfill('1h', ts, 'Europe/Berlin', '2024-10-26 23:00+00', '2024-10-27 02:00+00') AS b, sum(n) FROM t WHERE ts >= '2024-10-27 01:30+00' AND ts < '2024-10-27 02:00+00' GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill('1h', ts, 'Europe/Berlin') AS b, sum(n) FROM t WHERE ts >= '2025-03-30 00:00+00' AND ts < '2025-03-30 03:00+00' GROUP BY b ORDER BY b;
SELECT time_bucket_gapfill('2h', ts, 'Europe/Berlin') AS b, sum(n) FROM t WHERE ts >= '2024-10-26 22:00+00' AND ts < '2024-10-27 03:00+00' GROUP BY b ORDER BY b;
-- half an hour
SET timezone = 'Australia/Lord_Howe';
TRUNCATE t;
INSERT INTO t SELECT g, 'a', 1 FROM generate_series(timestamptz '2024-04-06 14:00+00', '2024-04-06 16:00+00', '15 min') g;
SELECT time_bucket('1 hour', ts, 'Australia/Lord_Howe') AS b, date_trunc('hour', ts) AS t, count(*) FROM t GROUP BY 1, 2 ORDER BY 1, 2;
-- midnight comes twice: date_trunc has one day, a bucket begins before its rows
SET timezone = 'America/Havana';
TRUNCATE t;
INSERT INTO t SELECT g, 'a', 1 FROM generate_series(timestamptz '2015-10-31 22:00-04', '2015-11-02 01:00-05', '1 hour') g;
SELECT date_trunc('day', ts) AS d, count(*) FROM t GROUP BY d ORDER BY d;
SELECT date_trunc('month', ts) AS d, count(*) FROM t GROUP BY d ORDER BY d;
SELECT time_bucket('1 day', ts, 'America/Havana') AS d, count(*) FROM t GROUP BY d ORDER BY d;
SELECT time_bucket('1 month', ts, 'America/Havana') AS d, count(*) FROM t GROUP BY d ORDER BY d;
SELECT time_bucket_gapfill('1 day', ts, 'America/Havana', '2015-10-31 12:00-04', '2015-11-03 01:00-05') AS d, count(*) FROM t GROUP BY d ORDER BY d;
-- the clock is set back a minute after midnight: the first of November begins, ends and begins again, though all offsets are whole hours
SET timezone = 'America/Goose_Bay';
TRUNCATE t;
INSERT INTO t VALUES ('2009-10-31 23:59-03', 'before', 1), ('2009-11-01 00:00-03', 'first minute', 2), ('2009-10-31 23:01-04', 'October again', 4), ('2009-11-01 00:00-04', 'November', 8);
SELECT date_trunc('month', ts) AS m, sum(n) FROM t GROUP BY m ORDER BY m;
SELECT time_bucket('1 month', ts, 'America/Goose_Bay') AS m, sum(n) FROM t GROUP BY m ORDER BY m;
-- no 30th of December
SET timezone = 'Pacific/Apia';
TRUNCATE t;
INSERT INTO t SELECT g, 'a', 1 FROM generate_series(timestamptz '2011-12-29 12:00-10', '2012-01-01 12:00+14', '6 hours') g;
SELECT time_bucket('1 day', ts, 'Pacific/Apia') AS d, count(*) FROM t GROUP BY d ORDER BY d;
SELECT time_bucket_gapfill('12 hours', ts, 'Pacific/Apia', '2011-12-29 12:00-10', '2011-12-31 13:00+14') AS d, count(*) FROM t WHERE false GROUP BY d ORDER BY d;
RESET timezone;
DROP TABLE t;
-- TimescaleDB's cases with an offset near a change
SELECT time_bucket('1 day', '2021-03-26 01:00+03'::timestamptz, timezone => 'Asia/Amman', "offset" => '15 minutes'::interval);
SELECT time_bucket('1 hour', '2021-03-26 01:30+03'::timestamptz, timezone => 'Asia/Amman', "offset" => '-15 minutes'::interval);
SELECT time_bucket('30 seconds', '2025-10-26 02:00+02'::timestamptz, timezone => 'Europe/Berlin', "offset" => '-15 seconds'::interval);
SELECT time_bucket('1 hour', '2025-10-26 01:00+00'::timestamptz, timezone => 'Europe/Berlin', "offset" => '15 minutes'::interval);
SELECT time_bucket('1 hour', '2024-11-03 01:30-04'::timestamptz, 'America/New_York', '2000-01-01 05:00+00'::timestamptz);

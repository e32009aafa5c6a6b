-- also: mongo
-- time_bucket by the names of its arguments, of small numbers, and of dates with an offset
SELECT time_bucket(bucket_width => interval '1 day', ts => timestamp '2020-01-01 10:00', origin => timestamp '2020-01-01 05:00');
SELECT time_bucket(interval '1 day', timestamptz '2020-01-01 10:00+00', 'Europe/Berlin', "offset" => interval '5 hours');
SELECT time_bucket(interval '1 day', timestamptz '2020-01-01 10:00+00', timezone => 'Europe/Berlin', origin => timestamptz '2020-01-01 03:00+00');
SELECT time_bucket(5::smallint, 13::smallint), pg_typeof(time_bucket(5::smallint, 13::smallint)), time_bucket(5::smallint, 13::smallint, 2::smallint), time_bucket(5, -1), time_bucket(5::bigint, 13);
SELECT time_bucket('7 days', date '2020-01-05'), time_bucket('7 days', date '2020-01-05', interval '1 day'), time_bucket('1 month', date '2020-01-05', interval '10 days');

-- also: mongo
-- time_bucket by the names of its arguments, of small numbers, and of dates with an offset
SELECT time_bucket(bucket_width => interval '1 day', ts => timestamp '2020-01-01 10:00', origin => timestamp '2020-01-01 05:00');
SELECT time_bucket(interval '1 day', timestamptz '2020-01-01 10:00+00', 'Europe/Berlin', "offset" => interval '5 hours');
SELECT time_bucket(interval '1 day', timestamptz '2020-01-01 10:00+00', timezone => 'Europe/Berlin', origin => timestamptz '2020-01-01 03:00+00');
SELECT time_bucket(5::smallint, 13::smallint), pg_typeof(time_bucket(5::smallint, 13::smallint)), time_bucket(5::smallint, 13::smallint, 2::smallint), time_bucket(5, -1), time_bucket(5::bigint, 13);
SELECT time_bucket('7 days', date '2020-01-05'), time_bucket('7 days', date '2020-01-05', interval '1 day'), time_bucket('1 month', date '2020-01-05', interval '10 days');
-- of dates: whole days
SELECT time_bucket('1 hour', date '2012-01-01');
SELECT time_bucket('25 hours', date '2012-01-01');
SELECT time_bucket('48 hours', date '2012-01-02'), time_bucket('1 week', date '2012-01-05', interval '-1 day');
SELECT time_bucket('1 day', date '2012-01-01', interval '1 hour');
SELECT time_bucket('1 week', date '2012-01-01', interval '36 hours');
SELECT time_bucket('1 week', date '2012-01-01', interval '1 month');
SELECT time_bucket('1 hour', date '2012-01-01', date '2011-01-01');
SELECT time_bucket('12 hours', d) FROM (VALUES (date '2012-01-01')) v (d);
-- months count from the origin's month
SELECT time_bucket('3 months', timestamp '2012-01-31 10:00', timestamp '2011-05-17 12:00'), time_bucket('3 months', date '2010-01-31', date '2011-05-17');
SELECT time_bucket('1 month 1 day', timestamp '2012-01-31 10:00');
SELECT time_bucket('-1 month', timestamp '2012-01-31 10:00');
-- numbers stay within their type
SELECT time_bucket(10::smallint, '-32768'::smallint);
SELECT time_bucket(10::smallint, '-32761'::smallint);
SELECT time_bucket(10::smallint, '-32760'::smallint), time_bucket(10::smallint, '32767'::smallint);
SELECT time_bucket(10::smallint, '-32768'::smallint, 1000::smallint);
SELECT time_bucket(10::smallint, '-32768'::smallint, '32767'::smallint);
SELECT time_bucket(10::smallint, '32767'::smallint, '-32768'::smallint);
SELECT time_bucket(10::smallint, '-32760'::smallint, '-9'::smallint);
SELECT time_bucket(10, '-2147483648'::int);
SELECT time_bucket(1000, '-2147483000'::int, 1);
SELECT time_bucket(1000, '-2147483648'::int, '2147483647'::int);
SELECT time_bucket(1000, '2147483647'::int, '-2147483648'::int);
SELECT time_bucket(10, '-2147483640'::int), time_bucket(10, '2147483647'::int);
SELECT time_bucket(10::bigint, '-9223372036854775808'::bigint);
SELECT time_bucket(1000::bigint, '-9223372036854775000'::bigint, 1::bigint);
SELECT time_bucket(1000::bigint, '-9223372036854775808'::bigint, '9223372036854775807'::bigint);
SELECT time_bucket(1000::bigint, '9223372036854775807'::bigint, '-9223372036854775808'::bigint);
SELECT time_bucket(10::bigint, '-9223372036854775800'::bigint), time_bucket('9223372036854775807', '9223372036854775807'::bigint);
SELECT time_bucket(10::bigint, v) FROM (VALUES ('-9223372036854775808'::bigint)) t (v);
SELECT time_bucket(0, 1);

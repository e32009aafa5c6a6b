-- also: postgres
-- Dates, times, intervals and zones: PostgreSQL's answers.
SELECT timestamptz '2015-04-11 18:32:00+00', timestamptz '2015-04-11T18:32:00.123+05:30', timestamp '2015-04-11 18:32:00', date '2015-04-11';
SELECT date_trunc('hour', timestamptz '2015-04-11 18:32:10+00'), date_trunc('week', timestamptz '2015-04-12 18:32:10+00'), date_trunc('month', timestamptz '2015-04-11 18:32:10+00'), date_trunc('quarter', timestamptz '2015-05-11 18:32:10+00');
SELECT date_trunc('day', timestamptz '2015-04-11 20:00:00+00', 'Asia/Kolkata'), date_trunc('hour', timestamptz '2015-04-11 20:15:00+00', 'Asia/Kolkata');
SELECT extract(year FROM timestamptz '2015-04-11 18:32:10.5+00'), extract(dow FROM timestamptz '2015-04-12 00:00+00'), extract(isodow FROM timestamptz '2015-04-12 00:00+00'), extract(week FROM date '2016-01-03'), extract(isoyear FROM date '2016-01-03'), extract(doy FROM date '2016-12-31');
SELECT extract(epoch FROM timestamptz '2015-04-11 18:32:10.5+00'), extract(second FROM timestamptz '2015-04-11 18:32:10.5+00'), date_part('hour', timestamptz '2015-04-11 18:32:10+00');
SELECT timestamptz '2015-01-31 00:00+00' + interval '1 month', timestamptz '2015-03-31 00:00+00' - interval '1 month', timestamptz '2015-04-11 00:00+00' + interval '1 day 2 hours 3 minutes';
SELECT timestamptz '2015-04-11 18:00+00' - timestamptz '2015-04-10 17:30+00', date '2015-04-11' - date '2015-03-11', date '2015-04-11' + 5;
SELECT interval '1 day', interval '90 minutes', interval '1 year 2 months 3 days 04:05:06', interval '-1 hour', interval '1 day' * 2, interval '1 hour' + interval '30 minutes';
SELECT timestamptz '2015-04-11 18:32+00' AT TIME ZONE 'Asia/Kolkata', timestamp '2015-04-11 18:32' AT TIME ZONE 'America/New_York';
SELECT (timestamptz '2015-04-11 20:00+00')::date, (timestamptz '2015-04-11 20:00+00' AT TIME ZONE 'Asia/Tokyo')::date;
SET timezone = 'Europe/Berlin';
SELECT timestamptz '2015-03-29 00:30+00', timestamptz '2015-03-29 01:30+00', timestamptz '2015-03-29 00:30+00' + interval '1 day', timestamptz '2015-03-29 00:30+00' + interval '24 hours';
SELECT date_trunc('day', timestamptz '2015-03-29 12:00+00'), date_trunc('day', timestamptz '2015-03-29 22:30+00'), '2015-10-25 02:30'::timestamptz, '2015-03-29 02:30'::timestamptz;
SELECT timestamptz '2015-06-01', date_trunc('month', timestamptz '2015-05-31 23:00+00');
SET timezone = 'Asia/Kathmandu';
SELECT timestamptz '2015-04-11 18:32:00+00', extract(hour FROM timestamptz '2015-04-11 18:32:00+00');
RESET timezone;
SELECT 'yesterday?'::timestamptz = current_date - 1 AS r;
SELECT '2015-02-30'::date;
SELECT timestamptz '2015-04-11 25:00+00';
SELECT date_trunc('fortnight', timestamptz '2015-04-11 18:32+00');
SET timezone = 'Mars/Olympus';
-- Halves are rounded away from zero, those of timestamps away from 2000.
SELECT '-1.5 sec'::interval(0), '-2.5 sec'::interval::interval(0), '0.5 sec'::interval(0), '-0.125 sec'::interval(2), '-0.49 sec'::interval(0);
SELECT '1999-12-31 23:59:58.5'::timestamp(0), '1969-12-31 23:59:58.5+00'::timestamptz::timestamptz(0), '2000-01-01 00:00:00.5'::timestamp(0), '1999-12-31 23:59:59.51'::timestamp(0);
SELECT x::timestamp(1), i::interval(1), t::time(1) FROM (VALUES ('1987-01-01 00:00:00.25'::timestamp, '-0.25 s'::interval, '00:00:00.25'::time)) v (x, i, t);
-- Nothing behind a colon is 0.
SELECT timestamp '2020-01-01 12:', timestamp '2020-01-01 12::30', timestamp '2020-01-01 12:.5', time '12:30:', time '1:pm', timestamptz '2020-01-01 00:+01:', date '2020-01-01 00:';
SELECT interval '1:', interval '-1::30', interval '3 1:2:', interval '1:.5', interval '1:.';
SELECT timestamp '2020-01-01 12';
SELECT timestamp '2020-01-01 12:60:';
SELECT interval '1::60.5', interval '1:60';
SELECT interval '-1:60';
CREATE TABLE ended (id integer, d date, p timestamp, z timestamptz);
INSERT INTO ended VALUES (1, '2020-01-31', '2020-01-31 03:00', '2020-02-03 04:00+00'), (2, NULL, NULL, NULL);
SELECT date_trunc('day', coalesce(p, 'infinity')), date_trunc('month', CASE WHEN z IS NULL THEN '-infinity' ELSE z END), coalesce(p, '-infinity') + '1 day', coalesce(p, '-infinity') - interval '1 month' FROM ended ORDER BY id;
SELECT coalesce(d, 'infinity') + 1, coalesce(d, '-infinity') - 1, coalesce(p, 'infinity')::date, coalesce(d, '-infinity')::timestamptz FROM ended ORDER BY id;
SELECT extract(month FROM coalesce(d, '-infinity')), extract(year FROM greatest(p, 'infinity')), date_part('year', coalesce(p, '-infinity')), date_part('dow', coalesce(z, 'infinity')) FROM ended ORDER BY id;
-- So are those that a sub-select, VALUES, a window, an aggregate or a set operation gives.
SELECT date_trunc('day', t), t + interval '1 month', t - interval '2 h', t::date FROM (SELECT coalesce(p, '-infinity') AS t FROM ended) e ORDER BY t;
SELECT date_trunc('month', t), extract(year FROM t), extract(dow FROM t), date_part('isoyear', t), t::date + 1 FROM (VALUES (timestamp '2020-02-03 04:05'), ('infinity'), ('-infinity')) v (t) ORDER BY t;
SELECT d + 1, 2 + d, d - 1, d::timestamp + interval '1 day', d::timestamptz FROM (VALUES (date 'infinity'), ('2020-01-01'), ('-infinity')) v (d) ORDER BY d;
SELECT d - date '2020-01-01' FROM (VALUES (date 'infinity')) v (d);
SELECT date_trunc('week', max(z)), max(z) + '1 day', date_trunc('year', min(p)) FROM (SELECT coalesce(z, 'infinity') AS z, coalesce(p, '-infinity') AS p FROM ended) e;
SELECT date_trunc('week', lag(z, 1, 'infinity') OVER (ORDER BY id)), first_value(z) OVER (ORDER BY id DESC) + interval '1 mon' FROM (SELECT id, coalesce(z, '-infinity') AS z FROM ended) e ORDER BY id;
SELECT date_trunc('hour', t) FROM (SELECT p AS t FROM ended WHERE id = 1 UNION ALL SELECT 'infinity') u ORDER BY 1;
SELECT date_trunc('hour', t), count(*) FROM (SELECT z AS t FROM ended WHERE id = 1 UNION SELECT '-infinity' UNION SELECT 'infinity') u GROUP BY 1 ORDER BY 1;
SELECT e.id, l.t, l.t + interval '1 day' FROM ended e, LATERAL (SELECT coalesce(e.p, 'infinity') AS t) l ORDER BY e.id;
SELECT id, (SELECT date_trunc('day', t + interval '1 day') FROM (SELECT coalesce(e.p, 'infinity') AS t) l) FROM ended e ORDER BY id;
SELECT date_trunc('day', t) FROM unnest('{2020-01-01 12:00,infinity}'::timestamp[]) u (t) ORDER BY 1;
SELECT date_trunc('day', (array_agg(p))[1]) FROM (SELECT coalesce(p, '-infinity') AS p FROM ended ORDER BY id DESC) e;
SELECT date_trunc('day', t::timestamp), t::date - 1 FROM (VALUES ('infinity'), ('2020-01-01 12:00')) v (t) ORDER BY 1;
WITH RECURSIVE days (t) AS (SELECT coalesce(p, '-infinity') FROM ended UNION ALL SELECT t + interval '1 day' FROM days WHERE t < '2020-02-01' AND t > '-infinity') SELECT t, date_trunc('month', t) FROM days ORDER BY t;
SELECT id FROM (SELECT id, coalesce(p, 'infinity') AS p FROM ended) e WHERE date_trunc('day', p) > '2021-01-01' ORDER BY id;
SELECT extract(epoch FROM t), extract(julian FROM t), to_char(t, 'YYYY'), age(t, '2020-01-01') IS NULL FROM (SELECT coalesce(p, 'infinity') AS t FROM ended WHERE id = 1) e;
-- A T may stand before a time of day; a number that is neither time nor date may not.
SELECT time 'T12:34:56.789', time 'T1234', time 't 12:34', time '2020-01-02 12:34', time '12:34 PM', time '123456';
SELECT time '12 AM 1:02:03';
SELECT time '12 0:01';
SELECT time '2020-01-02T12:34';
SELECT time 'T';

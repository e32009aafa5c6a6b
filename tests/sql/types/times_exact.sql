-- also: mongo postgres
-- Times are stored in whole milliseconds, the earlier ones; constants keep their microseconds when they are compared.
CREATE TABLE m (id int, ts timestamptz, lt timestamp);
INSERT INTO m VALUES (1, '2023-12-31 23:59:59.999+00', '2023-12-31 23:59:59.999'), (2, '2024-01-01 00:00+00', '2024-01-01'), (3, '1969-12-31 23:59:59.999+00', '1969-12-31 23:59:59.999'), (4, '1970-01-01+00', '1970-01-01'), (5, NULL, NULL);
SELECT '2024-01-01 00:00+00'::timestamptz <= '2023-12-31 23:59:59.999999+00', timestamp '1969-12-31 23:59:59.9999' < '1970-01-01', greatest(timestamp '2020-01-01 00:00:00.0001', '2020-01-01 00:00:00.0002')::text, '2020-01-01 00:00:00.0001'::timestamp IS DISTINCT FROM '2020-01-01';
SELECT (timestamp '2023-12-31 23:59:59.999999')::date, (timestamptz '2023-12-31 23:59:59.999999+00')::date, (timestamp '2023-12-31 23:59:59.999999')::time, (timestamp '1969-12-31 23:59:59.999999')::date, date_trunc('day', timestamp '1969-12-31 23:59:59.999999');
SELECT extract(epoch FROM timestamptz '1969-12-31 23:59:59.999999+00'), extract(microseconds FROM timestamp '2023-12-31 23:59:59.999999'), extract(day FROM timestamp '2023-12-31 23:59:59.999999'), extract(julian FROM timestamp '2023-12-31 12:00:00.0005');
SELECT (timestamp '2023-12-31 23:59:59.999999')::text, to_char(timestamp '2023-12-31 23:59:59.999999', 'YYYY MS US FF4'), (timestamp '2024-01-01' - timestamp '2023-12-31 23:59:59.999999'), age(timestamp '2024-01-01', timestamp '2023-12-31 23:59:59.999999');
SELECT (timestamptz '2024-01-01 00:00+00' - interval '1 microsecond')::text, (timestamp '2023-12-31 23:59:59.9996' + interval '600 microseconds')::text, (timestamp '1969-12-31 23:59:59.9996' + interval '300 microseconds')::date;
SELECT to_timestamp(1704067199.999999)::text, to_timestamp(-0.0001)::date, make_timestamp(2023, 12, 31, 23, 59, 59.999999)::date, make_timestamptz(2023, 12, 31, 23, 59, 59.999999, 'UTC')::text, to_timestamp('2023-12-31 23:59:59.999999', 'YYYY-MM-DD HH24:MI:SS.US')::text, (date '2023-12-31' + time '23:59:59.999999')::text;
SELECT (timestamp '2023-12-31 23:59:59.999999' AT TIME ZONE 'Asia/Tokyo')::text, (timestamptz '2023-12-31 23:59:59.999999+00' AT TIME ZONE 'Asia/Tokyo')::text, '2023-12-31 23:59:59.999999'::text::timestamp::date, date_trunc('microseconds', timestamp '2023-12-31 23:59:59.999999')::text, date_trunc('milliseconds', timestamp '2023-12-31 23:59:59.999999')::text;
SELECT timestamp(3) '2023-12-31 23:59:59.9996', '1999-12-31 23:59:59.9994'::timestamp(3), '2023-12-31 23:59:59.9996'::timestamp::timestamptz(0), '2023-12-31 23:59:59.99996'::timestamp(4)::text, time '23:59:59.999999', time(3) '23:59:59.9996', time '23:59:59.9999999', interval '0.9999996 s', interval(3) '0.9996 s';
-- comparisons with columns
SELECT id FROM m WHERE ts <= '2023-12-31 23:59:59.999999+00' ORDER BY id;
SELECT id FROM m WHERE ts < '2023-12-31 23:59:59.9995+00' ORDER BY id;
SELECT id FROM m WHERE ts < '2023-12-31 23:59:59.999+00' ORDER BY id;
SELECT id FROM m WHERE ts > '1969-12-31 23:59:59.9995+00' ORDER BY id;
SELECT id FROM m WHERE ts >= '1969-12-31 23:59:59.9995+00' ORDER BY id;
SELECT id FROM m WHERE ts BETWEEN '1969-12-31 23:59:59.9985+00' AND '2023-12-31 23:59:59.9995+00' ORDER BY id;
SELECT id FROM m WHERE lt NOT BETWEEN '1969-12-31 23:59:59.9995' AND '2023-12-31 23:59:59.9985' ORDER BY id;
SELECT id FROM m WHERE '2023-12-31 23:59:59.999999'::timestamp >= lt ORDER BY id;
SELECT id, ts = '2023-12-31 23:59:59.9995+00' AS e, ts <> '2023-12-31 23:59:59.9995+00' AS n, ts IN ('2024-01-01+00', '2023-12-31 23:59:59.9995+00') AS i, ts NOT IN ('2023-12-31 23:59:59.9995+00') AS o, ts IN ('2023-12-31 23:59:59.9995+00', NULL) AS u, ts IS DISTINCT FROM '2023-12-31 23:59:59.9995+00' AS d, nullif(ts, '2023-12-31 23:59:59.9995+00') IS NULL AS f FROM m ORDER BY id;
SELECT id FROM m WHERE ts = '2023-12-31 23:59:59.9995+00' OR NOT ts <> '2023-12-31 23:59:59.9995+00';
SELECT id FROM m WHERE ts <> '2023-12-31 23:59:59.9995+00' AND NOT ts = '2024-01-01 00:00:00.0001+00' ORDER BY id;
SELECT id FROM m WHERE ts = ANY (ARRAY['2023-12-31 23:59:59.9995+00', '1970-01-01+00']::timestamptz[]) OR lt = ANY ('{2024-01-01 00:00:00.0005,1969-12-31 23:59:59.999}');
SELECT id, ts < ANY (ARRAY['1969-12-31 23:59:59.9995+00'::timestamptz]) AS a, ts > ALL ('{1969-12-31 23:59:59.9985+00,1969-12-31 23:59:59.9995+00}') AS b FROM m ORDER BY id;
SELECT id FROM m WHERE (ts, id) > ('2023-12-31 23:59:59.9985+00', 1) ORDER BY id;
SELECT id, CASE ts WHEN '2024-01-01 00:00:00.0001+00' THEN 'between' WHEN '2024-01-01+00' THEN 'new year' END FROM m ORDER BY id;
SELECT count(*) FILTER (WHERE ts < '2023-12-31 23:59:59.9995+00') AS a, count(*) FILTER (WHERE ts < '2023-12-31 23:59:59.999+00') AS b, count(*) FILTER (WHERE lt >= '2023-12-31 23:59:59.9995') AS c FROM m;
SELECT date_trunc('day', ts) AS day, max(ts) > '2023-12-31 23:59:59.9985+00' AS late FROM m GROUP BY 1 HAVING max(ts) < '2024-01-01 00:00:00.0001+00' OR max(ts) IS NULL ORDER BY 1;
-- constant intervals of microseconds
SELECT id, ts + interval '999 microseconds' > '2023-12-31 23:59:59.999+00' AS a, ts - interval '1 microsecond' < '2024-01-01+00' AS b, (ts - interval '1 microsecond')::date AS c, ts + interval '500 microseconds' = ts AS d, lt - interval '1 us' + interval '1 us' = lt AS e FROM m ORDER BY id;
SELECT a.id, b.id FROM m a JOIN m b ON a.ts < b.ts + interval '1 microsecond' AND a.ts >= b.ts - interval '1 day' - interval '1 microsecond' ORDER BY 1, 2;
SELECT a.id, b.id FROM m a JOIN m b ON a.ts = b.ts + interval '1 microsecond';
-- parameters
PREPARE upto (timestamptz) AS SELECT id FROM m WHERE ts <= $1 ORDER BY id;
EXECUTE upto ('2023-12-31 23:59:59.999999+00');
PREPARE before (timestamptz) AS SELECT id FROM m WHERE ts < $1 ORDER BY id;
EXECUTE before ('2023-12-31 23:59:59.9995+00');
-- texts, and windows over ranges of microseconds
SELECT id, t::timestamptz < '2024-01-01+00' AS a, t::timestamp::date AS b FROM (VALUES (1, '2023-12-31 23:59:59.999999+00'), (2, '1969-12-31 23:59:59.9999+00')) v (id, t) ORDER BY id;
SELECT id, count(*) OVER (ORDER BY ts RANGE BETWEEN '999 microseconds' PRECEDING AND '999 microseconds' FOLLOWING) AS a, count(*) OVER (ORDER BY ts DESC RANGE BETWEEN '1001 microseconds' PRECEDING AND '500 microseconds' PRECEDING) AS b, count(*) OVER (ORDER BY lt RANGE BETWEEN '500 microseconds' FOLLOWING AND '1500 microseconds' FOLLOWING) AS c FROM m ORDER BY id;
-- series whose first value or end lies between two milliseconds
SELECT date_trunc('milliseconds', s) FROM generate_series('2024-01-01 00:00:00.0005+00'::timestamptz, '2024-01-01 00:00:02+00', '1 second') s;
SELECT date_trunc('milliseconds', s) FROM generate_series('2024-01-01'::timestamp, '2024-01-01 00:00:02.0005', '1 second') s;
SELECT date_trunc('milliseconds', s) FROM generate_series('2024-01-01 00:00:02.0005'::timestamp, '2024-01-01 00:00:00.0006', '-1 second') s;
SELECT id, array(SELECT date_trunc('milliseconds', s) FROM generate_series(lt, lt + interval '0.003 s', '1500 microseconds') s) FROM m ORDER BY id;
SELECT id, '2023-12-31 23:59:59.9995'::timestamp IN (lt, '2024-01-01') AS a, '2023-12-31 23:59:59.9995' NOT IN (lt, '2024-01-01') AS b, '2023-12-31 23:59:59.9995'::timestamp = ANY (ARRAY[lt, '2023-12-31 23:59:59.9996']) AS c, '2023-12-31 23:59:59.9995'::timestamp <> ALL (ARRAY[lt, lt + interval '500 us']) AS d FROM m ORDER BY id;
SELECT id FROM m WHERE timestamptz '2023-12-31 23:59:59.9995+00' NOT IN (ts, '2024-01-01+00') ORDER BY id;
SELECT id, (lt, id) = ('2023-12-31 23:59:59.9995', id) AS a, (lt, id) < ('2023-12-31 23:59:59.9995', id) AS b, (lt, 1) IN (('2023-12-31 23:59:59.9995', 1)) AS c, (lt, 1) IS DISTINCT FROM ('2023-12-31 23:59:59.9995', 1) AS d, CASE lt WHEN '2023-12-31 23:59:59.9995' THEN 1 ELSE 2 END AS e, nullif(lt, '2023-12-31 23:59:59.9995') AS f FROM m ORDER BY id;
UPDATE m SET id = id + 10 WHERE ts < '2023-12-31 23:59:59.9995+00';
DELETE FROM m WHERE lt > '2023-12-31 23:59:59.9995' OR ts = '1970-01-01 00:00:00.0001+00';
SELECT id FROM m ORDER BY id;

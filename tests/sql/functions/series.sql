-- also: mongo postgres
-- generate_series in FROM.
SELECT * FROM generate_series(1, 5);
SELECT * FROM generate_series(5, 1, -2) AS g;
SELECT i * 2 AS twice FROM generate_series(1, 3) AS t (i) ORDER BY 1 DESC;
SELECT * FROM generate_series(3, 1);
SELECT * FROM generate_series(NULL, 1);
SELECT * FROM generate_series(1, 2, NULL::int);
SELECT n, pg_typeof(n) FROM generate_series(1::bigint, 2) n;
SELECT n FROM generate_series(0.5, 2, 0.5) n;
SELECT n FROM generate_series(2147483646, 2147483647) n;
SELECT n FROM generate_series(9223372036854775806, 9223372036854775807) n;
SELECT count(*), sum(n), min(n), max(n) FROM generate_series(1, 300000) n;
SELECT * FROM generate_series(1, 2) WITH ORDINALITY;
SELECT * FROM generate_series('b' < 'a', true);
SET timezone = 'Europe/Berlin';
SELECT t FROM generate_series('2024-03-30 00:00+01'::timestamptz, '2024-04-01 12:00+02', '1 day') t;
SELECT t FROM generate_series('2024-03-31 00:00+01'::timestamptz, '2024-03-31 05:00+02', '1 hour') t;
SELECT t FROM generate_series('2024-01-31'::timestamp, '2024-05-31', '1 month') t;
SELECT t FROM generate_series('2024-03-01'::timestamp, '2024-02-28', '-12 hours') t;
SELECT t FROM generate_series(date '2024-01-01', date '2024-01-03', interval '1 day') t;
SET timezone = 'UTC';
SELECT t, pg_typeof(t) FROM generate_series(date '2020-01-31', timestamp '2020-04-01', interval '1 month') t;
SELECT t, pg_typeof(t) FROM generate_series('2020-01-01', timestamp '2020-01-02', interval '1 day') t;
SELECT t, pg_typeof(t) FROM generate_series(timestamp '2020-01-01', timestamptz '2020-01-02', interval '1 day') t;
-- beside tables: days without rows
CREATE TABLE m (at timestamptz, v integer);
INSERT INTO m VALUES ('2024-01-01 10:00+00', 1), ('2024-01-01 12:00+00', 2), ('2024-01-03 09:00+00', 4);
SELECT d, count(v), coalesce(sum(v), 0) AS s FROM generate_series('2024-01-01 00:00+00'::timestamptz, '2024-01-04 00:00+00', '1 day') d LEFT JOIN m ON at >= d AND at < d + interval '1 day' GROUP BY d ORDER BY d;
SELECT d, (SELECT max(v) FROM m WHERE date_trunc('day', at) = d) AS top FROM generate_series('2024-01-01 00:00+00'::timestamptz, '2024-01-03 00:00+00', '1 day') d ORDER BY d;
SELECT a, b FROM generate_series(1, 2) a CROSS JOIN generate_series(1, 2) b ORDER BY 1, 2;
SELECT n FROM generate_series((SELECT min(v) FROM m), (SELECT max(v) FROM m)) n WHERE n % 2 = 0 ORDER BY 1;
WITH h AS (SELECT g, g % 3 AS r FROM generate_series(1, 10) g) SELECT r, count(*) FROM h WHERE g > 2 GROUP BY r ORDER BY r;
-- what isn't right
SELECT * FROM generate_series(1, 5, 0);
SELECT * FROM generate_series('2024-01-01'::timestamp, '2024-01-02', '0 s');
SELECT * FROM generate_series(1.0, 'NaN', 1);
SELECT * FROM generate_series(1.0, 2, 'NaN');
SELECT * FROM generate_series(1);
SELECT * FROM generate_series('a'::text, 'b'::text);

-- Each query is drawn in UTF-8 (utf8.txt) and in ASCII (ascii.txt) by tests/shell/chart_test.py.
\echo == a line by time, with the days below the hours
SELECT t, extract(epoch FROM t)::bigint / 3600 % 24 * 10 AS watts
  FROM generate_series(timestamptz '2024-05-01', '2024-05-03', '1 hour') t
\chart height=14
\echo == two series, which characters tell apart
SELECT t, h, CASE h WHEN 'north' THEN 5 ELSE 9 END * extract(hour FROM t) AS v
  FROM generate_series(timestamptz '2024-05-01', '2024-05-01 23:00', '1 hour') t,
       unnest(ARRAY['north', 'south']) h
\chart height=12
\echo == two columns of values
SELECT g, g * g AS square, g * 5 AS line FROM generate_series(0, 10) g
\chart line x=g height=12
\echo == a NULL breaks the line, a value alone is a mark, an infinite one is counted
SELECT g, (CASE g WHEN 3 THEN NULL WHEN 5 THEN 'Infinity' ELSE g::text END)::float AS v
  FROM generate_series(0, 10) g
\chart line height=10
\echo == an hour comes twice in autumn
SET timezone = 'Europe/Berlin';
SELECT t, extract(hour FROM t) AS hour
  FROM generate_series(timestamptz '2024-10-27', '2024-10-27 05:00', '10 min') t
\chart line height=10
\echo == and is missing in spring
SELECT t, extract(hour FROM t) AS hour
  FROM generate_series(timestamptz '2024-03-31', '2024-03-31 06:00', '10 min') t
\chart line height=10
RESET timezone;
\echo == months and years
SELECT d::date AS d, extract(month FROM d) AS v
  FROM generate_series(timestamp '2022-01-01', '2024-12-01', '1 month') d
\chart height=9
\echo == milliseconds, and a logarithmic axis
SELECT timestamp '2024-05-01 12:00:00' + g * interval '1 ms' AS t, 10 ^ (g::float / 100) AS v
  FROM generate_series(0, 400, 4) g
\chart scale=log height=12
\echo == durations
SELECT g, g * interval '7 minutes' AS took FROM generate_series(0, 30) g
\chart line height=9
\echo == points
SELECT g % 7 AS x, g % 5 AS y FROM generate_series(1, 12) g
\chart height=9
\echo == bars with names
SELECT * FROM (VALUES ('kitchen', 12.5), ('bath', 4), ('Küche 東京', 7), (NULL, 0.1), ('none', NULL)) v (room, kwh)
\chart
\echo == bars below and above 0
SELECT * FROM (VALUES ('a', -3), ('b', 0), ('c', 5)) v (k, n)
\chart width=40
\echo == bars of two series
SELECT * FROM (VALUES ('a', 'x', 1), ('a', 'y', 2), ('b', 'y', 3)) v (k, s, n)
\chart width=40
\echo == bars by time
SELECT t, extract(day FROM t)::int * 10 AS v
  FROM generate_series(timestamptz '2024-05-01', '2024-05-07', '1 day') t
\chart bar height=9
\echo == bars by number, below and above 0
SELECT g, g * 10 AS v FROM generate_series(-3, 3) g
\chart bar x=g height=10
\echo == a histogram
SELECT g * g % 97 AS v FROM generate_series(1, 1000) g
\chart height=12
\echo == a histogram of tenths: no value is counted in the interval below it
SELECT g / 10.0 AS v FROM generate_series(0, 29) g
\chart bins=29 height=8
\echo == a histogram of times
SELECT timestamptz '2024-05-01' + g * g * interval '1 minute' AS t FROM generate_series(1, 100) g
\chart height=9
\echo == heat with names
SELECT * FROM (VALUES ('mon', 'a', 1), ('tue', 'a', 5), ('mon', 'b', 9), ('wed', 'b', 3)) v (day, k, n)
\chart heat
\echo == heat of hours by days
SELECT t::date AS day, extract(hour FROM t)::int AS hour, 12 - abs(12 - extract(hour FROM t)) AS v
  FROM generate_series(timestamp '2024-05-01', '2024-05-14 23:00', '3 hours') t
\chart heat
\echo == one row, no row, no value
SELECT timestamptz '2024-05-01' AS t, 5 AS v
\chart height=8
SELECT 1 AS v WHERE false
\chart
SELECT NULL::int AS v
\chart
\echo == a narrow terminal
SELECT g, g * 1000 AS v FROM generate_series(0, 20) g
\chart width=20 height=8
SELECT g, g * 1000 AS v FROM generate_series(0, 20) g
\chart width=10 height=6
\echo == a title, and the columns that are named
SELECT 'x' AS a, 1 AS b, 2 AS c
\chart bar x=1 y=c title='two of three' width=30
\echo == quadrants
\if :blocks
SELECT g, g * g AS v FROM generate_series(0, 40) g
\chart line style=blocks height=9
\endif

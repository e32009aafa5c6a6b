-- also: mongo postgres
-- Times made of numbers, and texts that are no times.
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+2'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, '-2'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+02:30'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, '-0230'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+2:30:30');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+15:59'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+002'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, 'EST5EDT'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, 'UTC+3'), make_timestamptz(1973, 7, 15, 8, 15, 55.33, 'Europe/Berlin');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '2');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+16');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+02:60');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+020304');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+1234567');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '+a');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, 'foo');
SELECT make_timestamptz(1973, 7, 15, 8, 15, 55.33, '');
SELECT id, make_timestamptz(1973, 7, 15, 8, 15, 55.33, zone) FROM (VALUES (1, '+2'), (2, '-03:30')) v (id, zone) ORDER BY id;
-- no time is behind 24:00, and a clock that is changed has no offset without a date
SELECT time '23:59:60', time '12:00:60', time '23:59:59.9999999';
SELECT time '23:59:60.01';
SELECT time '24:00:00.01';
SELECT timestamp '2020-01-01 23:59:60.5';
SELECT time '15:36:39 America/New_York';
SELECT time '2003-03-07 15:36:39 America/New_York', time '15:36:39 EST', time '15:36:39 +2';
-- an interval's seconds are given once
SELECT interval '5 seconds 5 milliseconds 5 microseconds';
SELECT interval '1:20:05 5 microseconds';
SELECT interval '5 milliseconds 1:20:05';
-- so many digits of a second
SELECT localtime(3) <= localtime + interval '1 ms', length(localtime(0)::text), localtimestamp(0) IS NOT NULL;
SELECT to_timestamp('2018-11-02 12:34:56.1', 'YYYY-MM-DD HH24:MI:SS.FF1'), to_timestamp('2018-11-02 12:34:56.123', 'YYYY-MM-DD HH24:MI:SS.FF3'), to_timestamp('2018-11-02 12:34:56.1', 'YYYY-MM-DD HH24:MI:SS.FF4');
SELECT to_timestamp('2018-11-02 12:34:56.123456', 'YYYY-MM-DD HH24:MI:SS.FF6')::text, to_timestamp('2018-11-02 12:34:56.123556', 'YYYY-MM-DD HH24:MI:SS.FF3')::text, to_timestamp('2018-11-02 12:34:56.99', 'YYYY-MM-DD HH24:MI:SS.FF1')::text;
SELECT to_timestamp('2018-11-02 12:34:56.123456789', 'YYYY-MM-DD HH24:MI:SS.FF5');

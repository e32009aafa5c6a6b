-- A monitoring service samples a host's memory now and then, in two layouts of one table. In the first, a
-- document of a day has minutes, hours and the day. In the second, documents of a month have the hours and
-- days.
CREATE TABLE load (ts timestamptz TIME PERIOD '1 min', item text DIMENSION, grp text DIMENSION, host text DIMENSION, total bigint MEASURE NOT NULL)
   USING mms WITH (style = 'hierarchical');
ALTER TABLE load ADD LAYOUT months USING mms WITH (style = 'hierarchical', months = true);
INSERT INTO load SELECT timestamptz '2020-01-01 00:07+00' + n * interval '6 hours', 'bits', 'mem', 'host-' || h, n % 1000 FROM generate_series(0, 1459) n, generate_series(1, 3) h;
ANALYZE load;

-- A chart of the year, one point for each day. Should it read a document of each day, or of each month?
\compare SELECT date_trunc('day', ts) AS day, sum(total) FROM load WHERE item = 'bits' AND grp = 'mem' AND host = 'host-1' AND ts >= '2020-01-01' AND ts < '2020-12-31' GROUP BY day

-- In both layouts the minutes of an afternoon are in the day's document.
\compare SELECT ts, sum(total) FROM load WHERE item = 'bits' AND grp = 'mem' AND host = 'host-1' AND ts >= '2020-06-11 12:00+00' AND ts < '2020-06-11 18:30+00' GROUP BY ts

-- At midnight every series needs a new document. It can be made before, with every slot 0. WITH
-- (preallocate = '1/720') lets one row in 720 make the next document of its series ...
PREALLOCATE load FOR '1 day' FROM '2020-12-30 12:00+00';
PREALLOCATE load FOR '1 day' FROM '2020-12-30 12:00+00';

-- ... and a 0 is no sample. The year still ends on the 30th.
SELECT date_trunc('day', ts) AS day, host, count(*), sum(total) FROM load WHERE ts >= '2020-12-29' GROUP BY day, host ORDER BY day DESC, host LIMIT 3;
SELECT count(*), sum(total) FROM load WHERE ts >= '2020-12-31';

-- The first hit of the new day finds its document.
INSERT INTO load VALUES ('2020-12-31 00:00+00', 'bits', 'mem', 'host-1', 5);
SELECT date_trunc('day', ts) AS day, host, count(*), sum(total) FROM load WHERE ts >= '2020-12-31' GROUP BY day, host;

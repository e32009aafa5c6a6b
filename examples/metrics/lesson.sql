-- Hits on pages are counted as they come. Each adds 1 to its page's day, hour and minute. These are three
-- numbers of one document, which holds a day of a page. In the first layout the minutes of a day are one
-- map of 1,440 keys. In the second they are maps within hours, so a reader steps over at most 24 + 60 keys.
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
ALTER TABLE hits ADD LAYOUT hierarchical USING daily_metrics WITH (style = 'hierarchical');
INSERT INTO hits VALUES ('2010-10-10 00:00:07+00', 'metric-1', 1);
INSERT INTO hits VALUES ('2010-10-10 00:00:59+00', 'metric-1', 1), ('2010-10-10 23:59:59.999+00', 'metric-1', 1), ('2010-10-11 00:00+00', 'metric-1', 1);
SELECT ts, sum(hits) FROM hits GROUP BY ts ORDER BY ts;

-- A week of five pages. Each hour is a little busier.
INSERT INTO hits SELECT timestamptz '2010-10-03 00:00+00' + n * interval '1 minute', 'metric-' || m, m * (1 + n / 60 % 24) FROM generate_series(0, 7 * 1440 - 1) n, generate_series(1, 5) m;
ANALYZE hits;

-- Charts of a week by days and by hours read sums. Only a chart of minutes reads minutes.
\compare SELECT date_trunc('day', ts) AS day, sum(hits) FROM hits WHERE metric = 'metric-1' AND ts >= '2010-10-03' AND ts < '2010-10-10' GROUP BY day
\compare SELECT date_trunc('hour', ts) AS hour, sum(hits) FROM hits WHERE metric = 'metric-1' AND ts >= '2010-10-09' AND ts < '2010-10-10' GROUP BY hour
\compare SELECT ts, sum(hits) FROM hits WHERE metric = 'metric-1' AND ts >= '2010-10-09 12:00+00' AND ts < '2010-10-09 12:30+00' GROUP BY ts

-- The _ids of all pages of one day begin alike, and _id has an index. (In mongosh the condition would be
-- the regular expression ^20101005/.)
EXPLAIN (COSTS off) SELECT metric, sum(hits) FROM hits WHERE ts >= '2010-10-05' AND ts < '2010-10-06' GROUP BY metric;
SELECT metric, sum(hits) FROM hits WHERE ts >= '2010-10-05' AND ts < '2010-10-06' GROUP BY metric ORDER BY metric;

-- An event that comes days late is counted in its own minute.
INSERT INTO hits VALUES ('2010-10-05 06:30:30+00', 'metric-5', 1000);
SELECT ts, sum(hits) FROM hits WHERE metric = 'metric-5' GROUP BY ts HAVING sum(hits) > 500;

-- The document of tomorrow can be made before its day begins. With its slots at 0 it has its final size,
-- so nothing moves when they are counted up. WITH (preallocate = '1/2000') lets one hit in 2,000 make it.
-- PREALLOCATE makes all of them. A slot of 0 is no sample, so tomorrow is no group.
PREALLOCATE hits FOR '1 day' FROM '2010-10-11';
SELECT date_trunc('day', ts) AS day, metric, sum(hits) FROM hits WHERE ts >= '2010-10-10' GROUP BY 1, 2 ORDER BY 1, 2;

-- Each sum equals the values below it, and both layouts agree.
CHECK TABLE hits;

-- also: mongo
-- Steps of the time on days and months that lie centuries away: a coarser cut answers only where they can tell no difference.
CREATE TABLE far (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics WITH (style = 'hierarchical');
INSERT INTO far VALUES ('1066-10-14 09:10+00', 'hastings', 1), ('1066-10-14 20:50+00', 'hastings', 2), ('1066-10-15 00:00+00', 'hastings', 4), ('1666-09-02 23:30+00', 'london', 8);
SELECT extract(hour FROM ts) AS hour, sum(hits) FROM far GROUP BY 1 ORDER BY 1;
SELECT time_bucket('90 min', ts) AS bucket, sum(hits) FROM far GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts, 'Asia/Tokyo') AS day, sum(hits) FROM far GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts) AS day, sum(hits) FROM far GROUP BY 1 ORDER BY 1;
-- A year's ends of the future, and both beside the present.
INSERT INTO far VALUES ('2500-12-31 12:30+00', 'later', 16), ('2500-12-31 23:30+00', 'later', 32), ('9876-12-31 23:59+00', 'last', 64);
SELECT extract(minute FROM ts) AS minute, sum(hits) FROM far WHERE ts >= '2400-01-01' GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts, 'Europe/Berlin') AS day, sum(hits) FROM far WHERE ts >= '2400-01-01' AND ts < '9000-01-01' GROUP BY 1 ORDER BY 1;
INSERT INTO far VALUES ('2011-06-20 11:30+00', 'now', 128);
SELECT extract(hour FROM ts) AS hour, sum(hits) FROM far WHERE ts < '1700-01-01' GROUP BY 1 ORDER BY 1;
SELECT date_trunc('month', ts, 'America/New_York') AS month, sum(hits) FROM far GROUP BY 1 ORDER BY 1;

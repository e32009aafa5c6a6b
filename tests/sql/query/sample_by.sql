-- also: mongo
-- SAMPLE BY, QuestDB's clause: what it gives is what time_bucket and time_bucket_gapfill give.
SET TimeZone = 'UTC';
CREATE TABLE m (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, v double precision MEASURE) USING rows;
ALTER TABLE m ADD LAYOUT packed USING nested WITH (levels = 'ts, host', presum = 'ts');
INSERT INTO m VALUES ('2020-01-01 00:00+00', 'a', 1, 1.5), ('2020-01-01 00:01+00', 'b', 2, 3), ('2020-01-01 00:31+00', 'a', 4, NULL), ('2020-01-01 02:00+00', 'b', 8, 4);
-- The time column becomes the bucket; the other columns without aggregates are the groups; rows come in order of time.
SELECT ts, sum(n) FROM m SAMPLE BY 30m;
SELECT host, ts AS t, sum(n), max(ts) FROM m SAMPLE BY 1h ORDER BY host, t;
SELECT sum(n), upper(host) FROM m SAMPLE BY '1 hour' ORDER BY 1;
SELECT extract(hour FROM ts) AS hour, ts + interval '1 min', count(*) FROM m WHERE n > 1 SAMPLE BY interval '1 hour' HAVING sum(n) > 3;
SELECT ts, sum(sum(n)) OVER (ORDER BY ts) FROM m SAMPLE BY 30m QUALIFY row_number() OVER (ORDER BY ts DESC) < 3 ORDER BY ts DESC LIMIT 1;
SELECT DISTINCT sum(n) > 3 AS much FROM m SAMPLE BY 30m ORDER BY 1;
FROM m SELECT m.ts, sum(n) SAMPLE BY 1d;
-- every unit
SELECT ts, count(*) FROM m SAMPLE BY 500T LIMIT 1;
SELECT ts, count(*) FROM m SAMPLE BY 90s LIMIT 2;
SELECT ts, count(*) FROM m SAMPLE BY 1d;
SELECT ts, count(*) FROM m SAMPLE BY 1w;
SELECT ts, count(*) FROM m SAMPLE BY 1M;
SELECT ts, count(*) FROM m SAMPLE BY 1y;
-- FILL, from the first row to the last one
SELECT ts, sum(n) FROM m SAMPLE BY 30m FILL (NONE);
SELECT ts, sum(n) FROM m SAMPLE BY 30m FILL (NULL);
SELECT ts, sum(n), sum(n) - 1 AS less, max(v), round(avg(n), 2) AS mean, count(*) FROM m SAMPLE BY 30m FILL (PREV, -1, LINEAR, NULL, 0);
SELECT ts, host, sum(n), last(v, ts) FROM m SAMPLE BY 30m FILL (PREV) ORDER BY host, ts;
SELECT ts, sum(n) FROM m WHERE n > 100 SAMPLE BY 30m FILL (NULL);
SELECT ts, max(v), first(host, ts) FROM m WHERE n BETWEEN 2 AND 8 SAMPLE BY 30m FILL ((1 + 0.5), 'none');
-- FROM and TO: what flows out
SELECT ts, sum(n) FROM m SAMPLE BY 30m FROM '2019-12-31 23:00' TO '2020-01-01 01:45' FILL (0);
SELECT ts, sum(n) FROM m SAMPLE BY 30m FROM '2020-01-01 00:15' TO '2020-01-01 02:00';
SELECT ts, sum(n) FROM m SAMPLE BY 30m FROM timestamptz '2020-01-01 01:00' - interval '2 h' FILL (NULL);
SELECT ts, sum(n) FROM m SAMPLE BY 30m TO '2020-01-01 03:00' FILL (NULL);
SELECT ts, sum(n) FROM m SAMPLE BY 30m FROM '2021-01-01' TO '2021-01-01 01:00' FILL (NULL);
SELECT ts, host, sum(n) FROM m SAMPLE BY 1h FROM '2020-01-01' TO '2020-01-01 03:00' FILL (NULL) ORDER BY host, ts;
-- WHERE: what flows in. A bound that it lacks is that of FROM and TO.
SELECT ts, sum(n) FROM m WHERE ts >= '2020-01-01 00:01' SAMPLE BY 30m FROM '2020-01-01 00:15' TO '2020-01-01 01:30' FILL (0);
SELECT ts, sum(n) FROM m WHERE ts < '2021-01-01' AND n > 1 SAMPLE BY 30m FROM '2020-01-01 00:15' TO '2020-01-01 01:45' FILL (0);
-- ALIGN
SELECT ts, sum(n) FROM m SAMPLE BY 30m ALIGN TO CALENDAR;
SELECT ts, sum(n) FROM m SAMPLE BY 30m FILL (NULL) ALIGN TO CALENDAR WITH OFFSET '00:10';
SELECT ts, sum(n) FROM m SAMPLE BY 1d ALIGN TO CALENDAR TIME ZONE 'Asia/Kolkata';
SELECT ts, sum(n) FROM m SAMPLE BY 1h FILL (NULL) ALIGN TO CALENDAR TIME ZONE 'Asia/Kolkata' WITH OFFSET '-00:10';
SELECT ts, sum(n) FROM m SAMPLE BY 1d FROM '2020-01-01' TO '2020-01-03' FILL (NULL) ALIGN TO CALENDAR TIME ZONE 'Asia/Kolkata';
SELECT ts, sum(n) FROM m SAMPLE BY 1d FROM timestamptz '2020-01-01 00:00+00' TO timestamptz '2020-01-02 00:00+00' FILL (NULL) ALIGN TO CALENDAR TIME ZONE 'Asia/Kolkata';
SELECT ts, sum(n) FROM m WHERE n > 1 SAMPLE BY 30m ALIGN TO FIRST OBSERVATION;
SELECT ts, host, sum(n) FROM m WHERE n > 1 SAMPLE BY 30m FILL (0) ALIGN TO FIRST OBSERVATION ORDER BY host, ts;
SELECT ts, sum(n) FROM m WHERE n > 100 SAMPLE BY 30m FILL (0) ALIGN TO FIRST OBSERVATION;
-- The same as written out: no rows differ.
(SELECT ts, host, sum(n) FROM m SAMPLE BY 30m EXCEPT ALL SELECT time_bucket('30 min', ts), host, sum(n) FROM m GROUP BY 1, 2) UNION ALL (SELECT time_bucket('30 min', ts), host, sum(n) FROM m GROUP BY 1, 2 EXCEPT ALL SELECT ts, host, sum(n) FROM m SAMPLE BY 30m);
WITH s AS (SELECT ts, host, sum(n), avg(v) AS v, count(*) FROM m SAMPLE BY 10m FROM '2019-12-31' TO '2020-01-02' FILL (PREV, LINEAR, 0)), w AS (SELECT time_bucket_gapfill('10 min', ts, '2019-12-31', '2020-01-02'), host, locf(sum(n)), interpolate(avg(v)), coalesce(count(*), 0) FROM m WHERE ts >= '2019-12-31' AND ts < '2020-01-02' GROUP BY 1, 2) (SELECT * FROM s EXCEPT ALL SELECT * FROM w) UNION ALL (SELECT * FROM w EXCEPT ALL SELECT * FROM s);
WITH s AS (SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM '2020-03-01' TO '2020-04-01' FILL (NULL) ALIGN TO CALENDAR TIME ZONE 'Europe/Berlin'), w AS (SELECT time_bucket_gapfill('1 h', ts, 'Europe/Berlin', timestamp '2020-03-01' AT TIME ZONE 'Europe/Berlin', timestamp '2020-04-01' AT TIME ZONE 'Europe/Berlin'), sum(n) FROM m WHERE false GROUP BY 1) SELECT (SELECT count(*) FROM s), count(*) FROM ((SELECT * FROM s EXCEPT ALL SELECT * FROM w) UNION ALL (SELECT * FROM w EXCEPT ALL SELECT * FROM s)) d;
-- over sub-selects, joins, views, prepared statements; as a source
SELECT ts, max(s) FROM (SELECT ts, sum(n) AS s FROM m SAMPLE BY 30m) x SAMPLE BY 1h;
SELECT ts, sum(x) FROM (SELECT ts, n AS x FROM m UNION ALL SELECT ts, -1 FROM m) u SAMPLE BY 1h;
SELECT ts, max(k.i), sum(n) FROM m JOIN (VALUES ('a', 1), ('b', 2)) k (h, i) ON k.h = host SAMPLE BY 1h;
WITH w AS (SELECT * FROM m WHERE host = 'a') SELECT ts, sum(n) FROM w SAMPLE BY 1h FILL (NULL);
CREATE VIEW hourly AS SELECT ts, host, sum(n) AS n, count(*) FROM m WHERE n > 0 SAMPLE BY 1h FROM '2020-01-01' TO '2020-01-02' FILL (PREV, (-1 - 1)) ALIGN TO CALENDAR TIME ZONE 'UTC' WITH OFFSET '00:00';
SELECT pg_get_viewdef('hourly'::regclass);
SELECT ts, max(n), min(count) FROM hourly SAMPLE BY 12h;
CREATE VIEW first_hours AS SELECT ts, sum(n) FROM m SAMPLE BY 1h FILL (NULL) ALIGN TO FIRST OBSERVATION;
\d+ first_hours
PREPARE sampled (timestamptz, bigint) AS SELECT ts, sum(n) FROM m SAMPLE BY 30m FROM $1 TO $1 + interval '2 h' FILL ($2);
EXECUTE sampled ('2020-01-01', 7);
CREATE TABLE half USING rows AS SELECT ts, sum(n) AS n FROM m SAMPLE BY 30m;
SELECT * FROM half ORDER BY ts;
SELECT host, h.s FROM (VALUES ('a'), ('b')) v (host), LATERAL (SELECT sum(n) AS s FROM m WHERE m.host = v.host SAMPLE BY 2h) h ORDER BY 1, 2;
-- dates, and times without a zone
CREATE TABLE days (d date TIME, v int MEASURE);
INSERT INTO days VALUES ('2020-01-01', 1), ('2020-01-04', 2), ('2020-02-01', 3);
SELECT d, sum(v) FROM days WHERE d < '2020-01-15' SAMPLE BY 1d FILL (LINEAR);
SELECT d, sum(v) FROM days SAMPLE BY 1M FROM '2019-12-01' TO '2020-03-01' FILL (0);
CREATE TABLE plain (t timestamp TIME, v int MEASURE);
INSERT INTO plain VALUES ('2020-01-01 00:00', 1), ('2020-01-01 02:00', 2);
SELECT t, sum(v) FROM plain SAMPLE BY 1h FILL (PREV);
-- The words stay names.
CREATE TABLE sample (sample int, latest int, fill int, align int, calendar int, observation int, prev int, linear int);
INSERT INTO sample VALUES (1, 2, 3, 4, 5, 6, 7, 8);
SELECT sample, latest fill, fill AS latest, align, calendar, observation, prev linear, linear prev FROM sample sample;
SELECT sample by FROM sample latest WHERE latest.latest = 2 ORDER BY sample, prev;
SELECT latest.fill FROM sample JOIN sample latest ON latest.prev = sample.prev;
-- what is not to be
SELECT ts, n FROM m SAMPLE BY 1h;
SELECT ts, n + sum(n) FROM m SAMPLE BY 1h;
SELECT sum(avg(n)) FROM m SAMPLE BY 1h;
SELECT a.ts, sum(a.n) FROM m a JOIN m b USING (host) SAMPLE BY 1h;
SELECT count(*) FROM (VALUES (now())) v (ts) SAMPLE BY 1h;
SELECT count(*) SAMPLE BY 1h;
SELECT ts, sum(n) FROM m SAMPLE BY 1h GROUP BY host;
SELECT ts, sum(n) FROM m GROUP BY host SAMPLE BY 1h;
SELECT ts, sum(n) FROM m ORDER BY ts SAMPLE BY 1h;
SELECT ts, sum(n) FROM m SAMPLE BY 5q;
SELECT ts, sum(n) FROM m SAMPLE BY 5;
SELECT ts, sum(n) FROM m SAMPLE BY '5 blue';
SELECT ts, sum(n) FROM m SAMPLE BY 0h;
SELECT ts, sum(n) FROM m SAMPLE BY '1 month 1 day';
SELECT ts, sum(n), max(n) FROM m SAMPLE BY 1h FILL (1, 2, 3);
SELECT ts, sum(n), max(n) FROM m SAMPLE BY 1h FILL (NONE, PREV);
SELECT ts, sum(n) FROM m SAMPLE BY 1h FILL ('x');
SELECT ts, max(host) FROM m SAMPLE BY 1h FILL (LINEAR);
SELECT ts, locf(sum(n)) FROM m SAMPLE BY 1h FILL (PREV);
SELECT ts, locf(sum(n)) FROM m SAMPLE BY 1h;
SELECT time_bucket_gapfill('1 h', ts, '2020-01-01', '2020-01-02'), sum(n) FROM m SAMPLE BY 1h FILL (NULL);
SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM n TO 3;
SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM 1 TO 3;
SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM max(ts);
SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM rank() OVER ();
SELECT ts, sum(n) FROM m SAMPLE BY 1h FILL ((unnest(ARRAY[1])));
SELECT ts, sum(n) FROM m SAMPLE BY 1h FILL (NULL) ALIGN TO FIRST OBSERVATION TIME ZONE 'Europe/Berlin';
SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM '2020-01-01' ALIGN TO FIRST OBSERVATION;
SELECT ts, sum(n) FROM m SAMPLE BY 1M ALIGN TO FIRST OBSERVATION;
SELECT ts, sum(n) FROM m SAMPLE BY 1h ALIGN TO CALENDAR FILL (NULL);
SELECT ts, sum(n) FROM m SAMPLE BY 1h ALIGN TO CALENDAR TIME ZONE 'Nowhere';
SELECT ts, sum(n) FROM m SAMPLE BY 1h ALIGN TO CALENDAR WITH OFFSET 'soon';
SELECT t, sum(v) FROM plain SAMPLE BY 1h ALIGN TO CALENDAR TIME ZONE 'Europe/Berlin';
SELECT d, sum(v) FROM days SAMPLE BY 1h;
SELECT ts, sum(n) FROM m SAMPLE BY 1T FROM '2020-01-01' TO '2021-01-01' FILL (0);

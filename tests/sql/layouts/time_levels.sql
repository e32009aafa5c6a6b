-- also: mongo
-- Units of time as levels: sums by hour below a day, a month of days in one document, a roll-up without the records.
SET enable_columns = off;
CREATE TABLE c (ts timestamptz TIME PERIOD '60 s', host text DIMENSION, app text DIMENSION, n bigint MEASURE, x double precision MEASURE);
INSERT INTO c SELECT timestamptz '2024-01-30 00:00+00' + g * interval '7 min', 'h' || g % 3, 'a' || g % 4, g, g / 4.0 FROM generate_series(0, 1999) g;
ALTER TABLE c ADD LAYOUT hours USING nested WITH (cluster_by = 'host, month', levels = 'day, hour, ts, app', presum = 'hour');
ALTER TABLE c ADD LAYOUT roll USING nested WITH (cluster_by = 'week', levels = 'hour, host, app', presum = 'hour', raw_values = false, nonnull = true);
CHECK TABLE c;
\d+ c
EXPLAIN (COSTS off) SELECT host, sum(n) FROM c WHERE ts >= '2024-02-01 05:00+00' GROUP BY 1;
INSERT INTO c VALUES ('2024-02-29 23:59+00', 'h1', NULL, 5, NULL), ('2024-01-30 00:14+00', 'h2', 'a2', 7, 8);
DELETE FROM c WHERE ts BETWEEN '2024-02-01 03:00+00' AND '2024-02-01 04:30+00' AND host = 'h1';
UPDATE c SET app = 'zz', n = n + 1 WHERE app = 'a3' AND ts < '2024-01-30 05:00+00';
VACUUM c;
CHECK TABLE c;
SET layout = 'roll'; SELECT date_trunc('month', ts), host, app, sum(n), count(*), avg(x) FROM c GROUP BY 1, 2, 3 ORDER BY 1,2,3;
SET layout = 'hours'; SELECT date_trunc('month', ts), host, app, sum(n), count(*), avg(x) FROM c GROUP BY 1, 2, 3 ORDER BY 1,2,3;
RESET layout;
SELECT time_bucket('1 day', ts), sum(n), count(x) FROM c GROUP BY 1 ORDER BY 1;
-- the same layout, before it exists
CREATE TABLE c2 (ts timestamptz TIME PERIOD '60 s', host text DIMENSION, n bigint MEASURE NOT NULL);
INSERT INTO c2 SELECT ts, host, n FROM c;
EXPLAIN (COSTS off, HYPOTHETICAL 'ALTER TABLE c2 ADD LAYOUT hours USING nested WITH (cluster_by = ''host, month'', levels = ''day, hour, ts'', presum = ''hour'')')
   SELECT host, sum(n) FROM c2 WHERE ts >= '2024-02-01 05:00+00' GROUP BY 1;
-- the order of units, and what may be left out
ALTER TABLE c ADD LAYOUT bad USING nested WITH (levels = 'hour, day, ts, host, app');
ALTER TABLE c ADD LAYOUT bad USING nested WITH (levels = 'week, month, ts, host, app');
ALTER TABLE c ADD LAYOUT bad USING nested WITH (levels = 'ts, hour, host, app');
ALTER TABLE c ADD LAYOUT bad USING nested WITH (levels = 'hour, host, app');
ALTER TABLE c ADD LAYOUT bad USING nested WITH (levels = 'second, ts, host, app');
ALTER TABLE c ADD LAYOUT bad USING nested WITH (cluster_by = 'day', levels = 'day, ts, host, app');
ALTER TABLE c ADD LAYOUT bad USING nested WITH (levels = 'day, ts, host, app', presum = 'hour');
-- a column of such a name is the column
CREATE TABLE d (ts timestamptz TIME, hour text DIMENSION, n bigint MEASURE) USING nested WITH (levels = 'day, hour, ts');
\d+ d

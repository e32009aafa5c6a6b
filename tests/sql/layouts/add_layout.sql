-- also: mongo
-- A new layout is made of the cheapest one that has all of it.
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
INSERT INTO hits VALUES ('2010-10-10 00:00+00', 'm', 2), ('2010-10-10 00:01+00', 'm', 1), ('2010-10-10 23:59+00', 'm', 5), ('2010-10-11 09:30+00', 'm', 7), ('2010-10-11 09:30+00', 'o', 9);
ALTER TABLE hits ADD LAYOUT deep USING daily_metrics WITH (style = 'hierarchical');
SET layout = 'deep';
SELECT ts, metric, sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
SELECT date_trunc('day', ts), sum(hits) FROM hits GROUP BY 1 ORDER BY 1;
RESET layout;
CHECK TABLE hits;
INSERT INTO hits VALUES ('2010-10-11 09:30+00', 'm', 1), ('2010-10-12 09:30+00', 'm', 4);
CHECK TABLE hits;
-- Records can't be made of sums, nor numbers that weren't kept.
ALTER TABLE hits ADD LAYOUT plain USING rows;
ALTER TABLE hits ADD LAYOUT counted USING nested WITH (levels = 'metric, ts', presum = 'ts', raw_values = false);
CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms;
INSERT INTO mem VALUES ('2011-06-20 12:34+00', 'bits', 'mem', 'h', 3), ('2011-06-20 12:34+00', 'bits', 'mem', 'h', 4), ('2011-07-21 13:00+00', 'bits', 'mem', 'h', -5), ('2011-07-21 13:00+00', 'bits', 'mem', 'i', 0);
ALTER TABLE mem ADD LAYOUT months USING mms WITH (months = true, style = 'hierarchical');
CHECK TABLE mem;
SET layout = 'months';
SELECT date_trunc('month', ts), host, sum(total), count(*), avg(total) FROM mem GROUP BY 1, 2 ORDER BY 1, 2;
RESET layout;
-- Of records and their sums, which are smaller, a layout of sums is made of these.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE, d double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT sums USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);
INSERT INTO t SELECT ts, k, nullif (i, 2), i / 4.0 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 00:03', '1 min') g (ts), (VALUES ('a'), ('b')) v (k), generate_series (1, 5) h (i);
ALTER TABLE t ADD LAYOUT again USING nested WITH (levels = 'ts, k', presum = 'ts, k', raw_values = false);
SET layout = 'again';
SELECT k, count(*), sum(n), sum(d) FROM t GROUP BY k ORDER BY k;
RESET layout;
CHECK TABLE t;
ALTER TABLE t DROP LAYOUT rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k', presum = 'ts, k');
ALTER TABLE t ADD LAYOUT by_k USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts', raw_values = false);
CHECK TABLE t;
ALTER TABLE t DROP LAYOUT nosuch;
-- Of halves no layout of whole numbers is made; where a coarser copy alone has one, REPAIR mends it.
CREATE TABLE halves (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
INSERT INTO halves VALUES ('2010-10-10 00:00+00', 'm', 2);
CREATE TABLE halves_in (_id text DIMENSION, daily double precision, midnight double precision FIELD 'minute.0000') USING rows WITH (collection = 'halves');
UPDATE halves_in SET midnight = 1.5;
ALTER TABLE halves ADD LAYOUT deep USING daily_metrics WITH (style = 'hierarchical');
REPAIR TABLE halves;
UPDATE halves_in SET midnight = 2, daily = 1.5;
CHECK TABLE halves;
REPAIR TABLE halves;
CHECK TABLE halves;

-- also: mongo
-- CHECK finds what sums, copies and layouts say otherwise than the records below them; REPAIR mends it.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, d double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k', presum = 'ts');
ALTER TABLE t ADD LAYOUT sums USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);
INSERT INTO t SELECT ts, k, extract(minute FROM ts)::bigint, extract(minute FROM ts) / 4 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 00:03', '1 min') g (ts), (VALUES ('a'), ('b')) v (k);
INSERT INTO t VALUES ('2020-01-01 00:01', 'a', 1, NULL), ('2020-01-01 00:01', 'a', 1, NULL);
CHECK TABLE t;
-- Records that only one layout has: a table over its collection knows no other.
CREATE TABLE only_rows (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, d double precision MEASURE) USING rows WITH (collection = 't', time_encoding = 'epoch_s');
DELETE FROM only_rows WHERE ts = '2020-01-01 00:02' AND k = 'b';
INSERT INTO only_rows VALUES ('2020-01-01 00:05', 'c', 7, 0.5);
UPDATE only_rows SET d = 100 WHERE ts = '2020-01-01 00:03' AND k = 'a';
CHECK LAYOUT packed OF t;
CHECK LAYOUT sums ON t;
REPAIR LAYOUT packed OF t;
CHECK LAYOUT packed OF t;
REPAIR TABLE t;
CHECK TABLE t;
SELECT k, count(*), sum(n), sum(d) FROM t GROUP BY k ORDER BY k;
SET layout = 'sums';
SELECT k, count(*), sum(n), sum(d) FROM t GROUP BY k ORDER BY k;
RESET layout;
-- The other way: the layout that is right is said.
DELETE FROM only_rows WHERE k = 'c';
REPAIR TABLE t FROM packed;
CHECK TABLE t;
SELECT count(*) FROM t WHERE k = 'c';
-- Numbers in documents: a count at the top, a sum that is gone, bounds of the time.
CREATE TABLE p (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
INSERT INTO p SELECT ts, k, 2 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 00:02', '1 min') g (ts), (VALUES ('a'), ('b')) v (k);
CREATE TABLE tops (k text, records bigint FIELD 'count', total bigint FIELD 'sum_n', first double precision FIELD 'min_ts') USING rows WITH (collection = 'p');
UPDATE tops SET records = 7, total = NULL WHERE k = 'a';
UPDATE tops SET first = first + 60 WHERE k = 'b';
\pset format unaligned
CHECK TABLE p;
\echo :SQLSTATE
REPAIR TABLE p;
CHECK TABLE p;
\pset format aligned
SELECT k, count(*), sum(n) FROM p GROUP BY k ORDER BY k;
-- Copies at several grains in one document, and stores that are copies of each other.
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;
INSERT INTO hits VALUES ('2010-10-10 00:00+00', 'm', 2), ('2010-10-10 00:01+00', 'm', 1), ('2010-10-10 23:59+00', 'm', 5), ('2010-10-11 09:30+00', 'm', 7);
CREATE TABLE days (_id text DIMENSION, daily bigint) USING rows WITH (collection = 'hits');
UPDATE days SET daily = 9 WHERE _id = '20101010/m';
SELECT sum(hits) FROM hits;
CHECK TABLE hits;
REPAIR TABLE hits;
CHECK TABLE hits;
SELECT sum(hits) FROM hits;
CREATE TABLE mem (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms WITH (months = true);
INSERT INTO mem VALUES ('2011-06-20 12:34+00', 'bits', 'mem', 'h', 3), ('2011-06-20 12:34+00', 'bits', 'mem', 'h', 4), ('2011-06-21 13:00+00', 'bits', 'mem', 'h', 5);
CHECK TABLE mem;
CREATE TABLE months (_id text DIMENSION) USING rows WITH (collection = 'mem_month_days');
DELETE FROM months;
CHECK TABLE mem;
REPAIR TABLE mem;
CHECK TABLE mem;
SELECT date_trunc('day', ts), sum(total), count(*) FROM mem GROUP BY 1 ORDER BY 1;
-- What isn't there, and what can't be.
CHECK TABLE nosuch;
CHECK LAYOUT nosuch OF t;
REPAIR TABLE t FROM nosuch;
CREATE TABLE w (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE w ADD LAYOUT sums USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);
INSERT INTO w VALUES ('2020-01-01', 'k', 1);
CREATE TABLE only_w (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows WITH (collection = 'w', time_encoding = 'epoch_s');
INSERT INTO only_w VALUES ('2020-01-01', 'k', 2);
REPAIR TABLE w FROM sums;
REPAIR TABLE w;
CHECK TABLE w;
-- Documents that others made aren't written anew.
REPAIR TABLE only_w;
ALTER TABLE only_w ADD LAYOUT sums USING nested WITH (collection = 'w_sums_2', levels = 'k, ts', presum = 'k, ts', raw_values = false);
INSERT INTO w VALUES ('2020-01-01', 'k', 4);
REPAIR TABLE only_w FROM sums;
REPAIR TABLE only_w;
CHECK TABLE only_w;
CHECK t;
REPAIR only_rows;
-- Documents that lie in another partition than that of their time are found by no condition on it, until they are made again where they belong.
CREATE TABLE parted (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE parted ADD LAYOUT days USING nested WITH (levels = 'ts, k', presum = 'ts', partition_by = 'day');
INSERT INTO parted VALUES ('2020-01-01 12:00', 'a', 1), ('2020-01-02 12:00', 'a', 2);
CREATE TABLE first_day (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (collection = 'parted_days_2020_01_01', levels = 'ts, k', presum = 'ts');
CREATE TABLE second_day (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (collection = 'parted_days_2020_01_02', levels = 'ts, k', presum = 'ts');
INSERT INTO second_day SELECT * FROM first_day;
DELETE FROM first_day;
SET layout = 'days';
SELECT sum(n), count(*) FROM parted WHERE ts < '2020-01-02';
RESET layout;
REPAIR TABLE parted;
CHECK TABLE parted;
SET layout = 'days';
SELECT sum(n), count(*) FROM parted WHERE ts < '2020-01-02';
RESET layout;
-- A sum that isn't there is no 0; bounds of documents that keep sums alone; a record without its time.
CREATE TABLE z (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, d double precision MEASURE) USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
INSERT INTO z VALUES ('2020-01-01 00:00+00', 'a', 0), ('2020-01-01 00:01+00', 'a', 0);
CREATE TABLE z_top (k text, total double precision FIELD 'sum_d') USING rows WITH (collection = 'z');
UPDATE z_top SET total = NULL;
CHECK TABLE z;
REPAIR TABLE z;
CHECK TABLE z;
CREATE TABLE zs (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);
INSERT INTO zs VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 00:01+00', 'b', 2);
CREATE TABLE zs_top (last double precision FIELD 'max_ts') USING rows WITH (collection = 'zs');
UPDATE zs_top SET last = last - 60;
CHECK TABLE zs;
REPAIR TABLE zs;
CHECK TABLE zs;
CREATE TABLE zr (ts timestamptz TIME NOT NULL, n bigint MEASURE) USING rows;
INSERT INTO zr VALUES ('2020-01-01 00:00+00', 1);
CREATE TABLE zr_in (ts timestamptz, n bigint) USING rows WITH (collection = 'zr');
UPDATE zr_in SET ts = NULL;
CHECK TABLE zr;

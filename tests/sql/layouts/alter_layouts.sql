-- also: mongo
-- Columns come and go in every layout.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, d text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, x double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, k', cluster_by = 'd', presum = 'ts');
ALTER TABLE t ADD LAYOUT day USING per_day;
ALTER TABLE t ADD LAYOUT sums USING nested WITH (levels = 'ts, k, d', presum = 'ts, k', raw_values = false);
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 'p', 1, 1.5), ('2020-01-01 00:01+00', 'b', 'p', 2, NULL), ('2020-01-02 00:00+00', 'a', 'q', 3, 2.5);
ALTER TABLE t ADD COLUMN m integer MEASURE;
ALTER TABLE t DROP LAYOUT sums;
ALTER TABLE t ADD COLUMN m integer MEASURE;
ALTER TABLE t ADD COLUMN note text;
INSERT INTO t VALUES ('2020-01-02 00:01+00', 'c', 'q', 4, NULL, 40, 'four');
ALTER TABLE t ADD COLUMN w numeric(8,2) MEASURE DEFAULT 0.5;
-- each row has its own value, which is the same in all layouts
ALTER TABLE t ADD COLUMN id uuid DEFAULT gen_random_uuid();
SET layout = 'rows';
CREATE TEMPORARY TABLE ids AS SELECT id FROM t;
SET layout = 'packed';
SELECT count(*), count(DISTINCT id) FROM t WHERE id IN (SELECT id FROM ids);
RESET layout;
ALTER TABLE t DROP COLUMN id;
ALTER TABLE t RENAME COLUMN k TO kind;
SET layout = 'rows';
SELECT * FROM t ORDER BY ts;
SET layout = 'packed';
SELECT * FROM t ORDER BY ts;
SELECT kind, sum(n), sum(m), sum(w), count(note) FROM t GROUP BY kind ORDER BY kind;
SET layout = 'day';
SELECT * FROM t ORDER BY ts;
RESET layout;
ALTER TABLE t DROP COLUMN note;
ALTER TABLE t ADD LAYOUT sums USING nested WITH (levels = 'ts, kind, d', presum = 'ts, kind', raw_values = false);
SET layout = 'sums';
SELECT kind, sum(n), sum(w) FROM t GROUP BY kind ORDER BY kind;
RESET layout;
ALTER TABLE t DROP COLUMN n;
SET layout = 'sums';
SELECT kind, count(*), sum(w) FROM t GROUP BY kind ORDER BY kind;
RESET layout;
ALTER TABLE t DROP LAYOUT sums;
ALTER TABLE t ADD COLUMN n text DEFAULT 'again';
SET layout = 'packed';
SELECT * FROM t ORDER BY ts;
SET layout = 'day';
SELECT kind, count(*), sum(x), min(n) FROM t GROUP BY kind ORDER BY kind;
RESET layout;
UPDATE t SET m = 5, n = NULL WHERE d = 'p';
SELECT * FROM t ORDER BY ts;
-- what layouts are built on
ALTER TABLE t DROP COLUMN kind;
ALTER TABLE t DROP COLUMN ts;
ALTER TABLE t ADD COLUMN again timestamptz TIME;
ALTER TABLE t ADD COLUMN e text DIMENSION;
ALTER TABLE t DROP LAYOUT packed;
ALTER TABLE t DROP LAYOUT day;
ALTER TABLE t DROP COLUMN kind;
SELECT * FROM t ORDER BY ts;
-- A column's new name stands where options name columns, and nowhere else: not in a collection, a word or a metaField of the same letters.
CREATE TABLE words (ts timestamptz TIME, day text DIMENSION, date text DIMENSION, "o'clock" bigint MEASURE NOT NULL)
   USING nested WITH (collection = 'day of date', time_encoding = 'date', partition_by = 'day', levels = 'ts, DAY,date', presum = 'day');
ALTER TABLE words ADD LAYOUT newest USING latest WITH (key = 'day, date', tie = 'o''clock', collection = 'it''s', shard_key = '_id hashed');
ALTER TABLE words ADD LAYOUT rows USING rows WITH (collection = 'date', shard_key = 'date, day hashed');
ALTER TABLE words RENAME COLUMN day TO weekday;
ALTER TABLE words RENAME COLUMN date TO on_date;
ALTER TABLE words RENAME COLUMN "o'clock" TO hours;
INSERT INTO words VALUES ('2020-01-01 12:00+00', 'Wed', '1st', 12);
\d words
SELECT * FROM words;
DROP TABLE words;

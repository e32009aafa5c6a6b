-- also: mongo postgres
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, n integer MEASURE, x numeric(6,2) MEASURE) USING rows;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1, 1.5), ('2020-01-02 00:00+00', 'b', 2, 2.25);
ALTER TABLE t ADD COLUMN note text;
SELECT * FROM t ORDER BY ts;
INSERT INTO t VALUES ('2020-01-03 00:00+00', 'c', 3, NULL, 'new');
ALTER TABLE t ADD m bigint DEFAULT 7 NOT NULL;
INSERT INTO t (ts, k) VALUES ('2020-01-04 00:00+00', 'd');
SELECT * FROM t ORDER BY ts;
SELECT k, sum(m), count(note) FROM t WHERE note IS NULL GROUP BY k ORDER BY k;
UPDATE t SET note = k || m WHERE k IN ('a', 'b');
ALTER TABLE t RENAME COLUMN k TO kind;
ALTER TABLE t RENAME note TO remark;
SELECT kind, remark FROM t ORDER BY ts;
ALTER TABLE t DROP COLUMN n;
SELECT * FROM t ORDER BY ts;
ALTER TABLE t ADD COLUMN n text;
SELECT * FROM t ORDER BY ts;
ALTER TABLE t ADD COLUMN IF NOT EXISTS n text;
ALTER TABLE t DROP COLUMN IF EXISTS nothing;
DELETE FROM t WHERE kind = 'a';
SELECT * FROM t ORDER BY ts;
ALTER TABLE t ADD COLUMN n int;
ALTER TABLE t ADD COLUMN must int NOT NULL;
ALTER TABLE t DROP COLUMN nothing;
ALTER TABLE t RENAME COLUMN nothing TO x;
ALTER TABLE t RENAME COLUMN kind TO x;
TRUNCATE t;
ALTER TABLE t ADD COLUMN must int NOT NULL;
INSERT INTO t (kind, must) VALUES ('z', 1);
SELECT * FROM t;
-- a renamed table keeps its documents, and its old name is free
CREATE TABLE readings (ts timestamptz TIME, room text DIMENSION, n integer MEASURE) USING rows;
INSERT INTO readings VALUES ('2020-01-01', 'a', 1), ('2020-01-02', 'b', 2);
ALTER TABLE readings RENAME TO readings_old;
SELECT count(*) FROM readings;
CREATE TABLE readings (ts timestamptz TIME, room text DIMENSION, n integer MEASURE) USING rows;
INSERT INTO readings SELECT ts, room, n * 10 FROM readings_old WHERE room = 'b';
SELECT * FROM readings;
SELECT sum(n) FROM readings_old;
DROP TABLE readings;
SELECT sum(n) FROM readings_old;
-- a key stays one
CREATE TABLE keyed (a integer PRIMARY KEY, b integer);
INSERT INTO keyed VALUES (1, 1), (2, 2);
\set VERBOSITY terse
ALTER TABLE keyed ALTER COLUMN a TYPE bigint USING 7;
\set VERBOSITY default
ALTER TABLE keyed ALTER COLUMN a TYPE text USING a || '!';
SELECT * FROM keyed ORDER BY a;

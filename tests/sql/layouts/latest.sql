-- also: mongo
-- History, and the last known location of each user: two layouts of one table.
CREATE TABLE loc (userid text DIMENSION NOT NULL, ts timestamptz TIME NOT NULL FIELD 't', cell text FIELD 'c', x double precision, y double precision NOT NULL) USING rows;
INSERT INTO loc VALUES ('ann', '2020-01-01 10:00+00', 'c1', 1, 2), ('ann', '2020-01-01 11:00+00', 'c2', 3, 4), ('bob', '2020-01-01 09:00+00', 'c1', 1, 2);
ALTER TABLE loc ADD LAYOUT lastknown USING latest WITH (key = 'userid', collection = 'lastknown');
-- In any order of arrival: older ones, newer ones, and of one time the greatest (cell, x, y), where a value is greater than NULL.
INSERT INTO loc VALUES ('ann', '2020-01-01 10:30+00', 'c9', 1, 2), ('bob', '2020-01-02 09:00+00', 'c7', NULL, 2), ('cy', '2020-01-02 09:00+00', 'c7', NULL, 2);
INSERT INTO loc VALUES ('ann', '2020-01-01 11:00+00', NULL, 9, 9), ('ann', '2020-01-01 11:00+00', 'c3', 1, 1), ('ann', '2020-01-01 11:00+00', 'c3', 0, 7);
INSERT INTO loc VALUES ('ann', '2020-01-01 11:00+00', 'c2', 8, 8), ('cy', '2020-01-02 09:00+00', 'c7', 'NaN', 1), ('cy', '2020-01-02 09:00+00', 'c7', 'Infinity', 3);
\d loc
-- What it answers, and what each question reads.
EXPLAIN (COSTS off) SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC;
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC;
EXPLAIN (COSTS off) SELECT DISTINCT ON (userid) userid, x FROM loc WHERE userid IN ('ann', 'cy') AND ts >= '2020-01-01 10:45+00' ORDER BY userid, ts DESC, cell DESC NULLS LAST, x DESC NULLS LAST;
SELECT DISTINCT ON (userid) userid, x FROM loc WHERE userid IN ('ann', 'cy') AND ts >= '2020-01-01 10:45+00' ORDER BY userid, ts DESC, cell DESC NULLS LAST, x DESC NULLS LAST;
EXPLAIN (COSTS off) SELECT userid, last(cell, ts), max(ts) FROM loc GROUP BY userid ORDER BY userid;
SELECT userid, last(cell, ts), max(ts) FROM loc GROUP BY userid ORDER BY userid;
EXPLAIN (COSTS off) SELECT * FROM loc WHERE userid = 'ann' ORDER BY ts DESC LIMIT 1;
SELECT * FROM loc WHERE userid = 'ann' ORDER BY ts DESC LIMIT 1;
SELECT * FROM loc ORDER BY ts DESC, userid LIMIT 1;
EXPLAIN (COSTS off) SELECT DISTINCT userid FROM loc;
EXPLAIN (COSTS off) SELECT count(DISTINCT userid), max(ts), max(ts) FILTER (WHERE userid < 'b') FROM loc WHERE ts >= '2020-01-01';
SELECT count(DISTINCT userid), max(ts), max(ts) FILTER (WHERE userid < 'b') FROM loc WHERE ts >= '2020-01-02';
SELECT u, cell FROM (VALUES ('ann'), ('bob'), ('nobody')) v (u) LEFT JOIN LATERAL (SELECT cell FROM loc WHERE userid = u ORDER BY ts DESC LIMIT 1) l ON true ORDER BY u;
-- What it doesn't, and why.
EXPLAIN (COSTS off) SELECT DISTINCT ON (userid) * FROM loc WHERE ts < '2020-01-02' ORDER BY userid, ts DESC;
SELECT DISTINCT ON (userid) * FROM loc WHERE ts < '2020-01-02' ORDER BY userid, ts DESC, cell, x;
SET layout = 'lastknown';
SELECT DISTINCT ON (userid) * FROM loc WHERE ts = '2020-01-02 09:00+00' OR ts > '2020-02-01' ORDER BY userid, ts DESC;
SELECT DISTINCT ON (userid) * FROM loc WHERE cell = 'c1' ORDER BY userid, ts DESC;
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts;
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC, cell;
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC, cell DESC;
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC, x DESC NULLS LAST;
SELECT DISTINCT ON (cell) * FROM loc ORDER BY cell, ts DESC;
SELECT * FROM loc ORDER BY ts DESC LIMIT 2;
SELECT * FROM loc WHERE userid = 'ann' ORDER BY ts DESC OFFSET 1 LIMIT 1;
SELECT * FROM loc;
SELECT count(*) FROM loc;
SELECT userid, min(ts) FROM loc GROUP BY userid;
SELECT userid, first(cell, ts) FROM loc GROUP BY userid;
SELECT userid, max(x) FROM loc GROUP BY userid;
SELECT userid, last(cell, ts) FILTER (WHERE cell <> 'c3') FROM loc GROUP BY userid;
SELECT cell, max(ts) FROM loc GROUP BY cell;
SELECT date_trunc('day', ts), count(DISTINCT userid) FROM loc GROUP BY 1;
RESET layout;
-- Where the newest record goes or changes, the next one is looked for.
DELETE FROM loc WHERE userid = 'ann' AND ts = '2020-01-01 11:00+00';
DELETE FROM loc WHERE userid = 'bob' AND ts < '2020-01-02';
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC;
UPDATE loc SET userid = 'dan', ts = ts + interval '1 day' WHERE userid = 'cy' AND y = 3;
UPDATE loc SET cell = 'c0' WHERE ts = '2020-01-01 10:30+00' RETURNING userid, cell;
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC;
DELETE FROM loc WHERE userid = 'bob';
SET layout = 'rows';
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC, cell DESC NULLS LAST, x DESC NULLS LAST;
SET layout = 'lastknown';
SELECT DISTINCT ON (userid) * FROM loc ORDER BY userid, ts DESC, cell DESC NULLS LAST, x DESC NULLS LAST;
RESET layout;
EXPLAIN (COSTS off) DELETE FROM loc WHERE userid = 'cy';
ALTER TABLE loc DROP COLUMN x;
ALTER TABLE loc ADD COLUMN z integer;
TRUNCATE loc;
SELECT max(ts), count(DISTINCT userid) FROM loc;
-- Nothing but the newest records, of a key of two columns; what decides between those of one time is said.
CREATE TABLE gauges (host text DIMENSION, slot integer DIMENSION, ts timestamptz TIME PERIOD '1 s', v numeric MEASURE, ok boolean) USING latest WITH (tie = 'ok');
INSERT INTO gauges VALUES ('h/1', 1, '2020-01-01', 1.5, true), ('h', 11, '2020-01-01', 2, false), ('h/1', 1, '2020-01-01', 9, false), ('h', 2, '2020-01-01', NULL, NULL), ('h', 2, '1969-12-31 23:59:59+00', 3, true);
INSERT INTO gauges VALUES ('h', 2, '2020-01-01 00:00:01+00', NULL, NULL), ('h', 11, '2019-12-31', 7, true);
SELECT DISTINCT ON (host, slot) * FROM gauges ORDER BY host, slot, ts DESC;
SELECT DISTINCT ON (host) * FROM gauges ORDER BY host, ts DESC, slot DESC;
EXPLAIN (COSTS off) SELECT last(v, ts) FROM gauges WHERE host = 'h' AND slot = 11;
SELECT last(v, ts) FROM gauges WHERE host = 'h' AND slot = 11;
SELECT slot, max(ts) FROM gauges WHERE host LIKE 'h%' GROUP BY slot ORDER BY slot;
SELECT count(*) FROM gauges;
SELECT avg(v) FROM gauges;
DELETE FROM gauges;
INSERT INTO gauges VALUES ('h', NULL, '2020-01-01', 1, true);
INSERT INTO gauges VALUES ('h', 1, NULL, 1, true);
ALTER TABLE gauges ADD LAYOUT history USING rows;
-- Descriptors that can't work.
CREATE TABLE bad (ts timestamptz TIME, v integer) USING latest;
CREATE TABLE bad (k text DIMENSION, v integer) USING latest;
CREATE TABLE bad (k text DIMENSION, ts timestamptz TIME, v jsonb) USING latest;
CREATE TABLE bad (k text DIMENSION, ts timestamptz TIME, v integer) USING latest WITH (key = 'k, ts');
CREATE TABLE bad (k text DIMENSION, ts timestamptz TIME, v integer) USING latest WITH (tie = 'k');
CREATE TABLE bad (k text DIMENSION, ts timestamptz TIME, v integer, PRIMARY KEY (k, ts)) USING latest;
CREATE LAYOUT half AS '{"keeps": "latest", "key": ["k"], "stores": [{"collection": "half", "write": "newer", "root": {"is": "document", "bind": [{"column": "k"}], "raw": {"columns": {"ts": "ts", "v": "v"}}}}]}';
CREATE TABLE bad (k text DIMENSION, ts timestamptz TIME, v integer) USING half;
CREATE TABLE bad (k text DIMENSION, ts timestamptz TIME, v integer) USING latest WITH (partition_by = 'day');
\h latest

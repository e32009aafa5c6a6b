-- also: mongo
-- Parallel arrays: {t: [time, …], v: [value, …]}.
CREATE LAYOUT arrays AS '{"keeps": "records", "stores": [{"collection": "c", "repeats": true, "root": {"is": "document",
   "bind": [{"column": "host"}, {"trunc": "day", "at": "day", "encoding": "date"}], "agg": {"n": "n", "measures": {"v": "sum"}},
   "sub": {"is": "arrays", "bind": [{"column": "ts", "at": "t", "encoding": "date"}], "raw": {"columns": {"v": "v", "note": "note"}}}}}]}';
CREATE TABLE samples (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE, note text) USING arrays;
INSERT INTO samples VALUES ('2024-01-31 10:00+00', 'a', 1, 'x'), ('2024-01-31 10:00:00.5+00', 'a', 2.5, NULL), ('2024-02-01 00:00+00', 'a', NULL, 'y'), ('2024-01-31 10:00+00', 'b', 4, 'x'),
   ('2024-01-31 10:00+00', 'a', 1, 'x');
CREATE TABLE docs (host text, day timestamptz, n bigint, sum double precision, t jsonb, v jsonb, note jsonb) USING rows WITH (collection = 'c');
SELECT host, n, sum, t, v, note FROM docs ORDER BY 1, 2, 3;
SELECT * FROM samples ORDER BY host, ts, v;
SELECT host, count(*), count(v), sum(v), min(v), max(note) FROM samples GROUP BY host ORDER BY host;
SELECT host, last(v, ts) FROM samples WHERE ts >= '2024-01-31 10:00+00' AND note = 'x' GROUP BY host ORDER BY host;
UPDATE samples SET v = v * 10 WHERE note = 'x' AND host = 'a';
DELETE FROM samples WHERE ts >= '2024-02-01';
SELECT host, n, sum, t, v, note FROM docs ORDER BY 1, 2, 3;
CHECK TABLE samples;
COPY samples TO STDOUT WITH (FORMAT csv);
ALTER TABLE samples ADD COLUMN more bigint;
ALTER TABLE samples DROP COLUMN note;
-- In a sub-document; what others wrote, and what is damaged.
CREATE LAYOUT others AS '{"keeps": "records", "stores": [{"collection": "t", "root": {"is": "document", "bind": [{"column": "host"}], "agg": {"n": "n"},
   "sub": {"is": "arrays", "at": "at", "bind": [{"column": "ts", "at": "s", "encoding": "epoch_s"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE TABLE theirs (host text, n bigint, at jsonb) USING rows WITH (collection = 't');
INSERT INTO theirs VALUES ('x', 2, '{"s": [1704067200, 1704067201], "v": [1, 2.5]}'), ('y', 0, '{"s": [], "v": []}'), ('z', 1, '{"s": [1704067200], "v": [null]}');
CREATE TABLE others (ts timestamptz TIME NOT NULL, host text DIMENSION, v double precision MEASURE) USING others WITH (collection = 't');
SELECT * FROM others ORDER BY host, ts;
INSERT INTO others VALUES ('2024-01-02 00:00+00', 'x', 9), ('2024-01-02 00:00+00', 'w', 8);
SELECT host, n, at FROM theirs ORDER BY host;
UPDATE theirs SET n = 5 WHERE host = 'x' AND n = 2;
CHECK TABLE others;
REPAIR TABLE others;
SELECT host, n FROM theirs WHERE host = 'x' ORDER BY n;
INSERT INTO theirs VALUES ('ragged', 2, '{"s": [1704067200, 1704067201], "v": [1]}');
SELECT count(*) FROM others;
DELETE FROM theirs WHERE host = 'ragged';
INSERT INTO theirs VALUES ('one', 2, '{"s": [1704067200, 1704067201]}');
SELECT max(v) FROM others;
DELETE FROM theirs WHERE host = 'one';
INSERT INTO theirs VALUES ('number', 1, '{"s": 1704067200, "v": 1}');
SELECT max(v) FROM others;
SET on_malformed = 'skip';
SELECT count(*), sum(v) FROM others;
CHECK TABLE others;
-- Descriptors that can't work.
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "bind": [{"column": "host", "at": "t"}], "sub": {"is": "arrays", "bind": [{"column": "ts", "at": "t"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "sub": {"is": "arrays", "at": "a", "bind": [{"column": "ts", "at": "m.t"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "sub": {"is": "arrays", "at": "a", "order": ["v"], "bind": [{"column": "ts", "at": "t"}], "raw": {"columns": {"v": "v"}}}}}]}';
-- Sums of hours, in maps of hosts, with sums stored above.
CREATE LAYOUT sums AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "s", "root": {"is": "document", "bind": [{"trunc": "day", "at": "day", "encoding": "date"}],
   "sub": {"is": "map", "at": "hosts", "bind": [{"column": "host"}], "agg": {"n": "n", "measures": {"v": "v"}},
   "sub": {"is": "arrays", "at": "hours", "bind": [{"part": "hour", "of": "day", "at": "h"}], "agg": {"n": "c", "measures": {"v": "t"}}}}}}]}';
CREATE TABLE hourly (ts timestamptz TIME PERIOD '1 hour' NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING sums;
INSERT INTO hourly VALUES ('2024-01-31 10:00+00', 'a', 1), ('2024-01-31 11:00+00', 'a', 2), ('2024-01-31 10:00+00', 'a', 3), ('2024-01-31 10:00+00', 'b', 4);
INSERT INTO hourly VALUES ('2024-01-31 11:00+00', 'a', 5);
CREATE TABLE sdocs (hosts jsonb) USING rows WITH (collection = 's');
SELECT hosts FROM sdocs;
SELECT ts, host, count(*), sum(v) FROM hourly GROUP BY 1, 2 ORDER BY 1, 2;
SELECT host, sum(v), count(*) FROM hourly GROUP BY 1 ORDER BY 1;
CHECK TABLE hourly;

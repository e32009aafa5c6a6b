-- also: mongo
-- Arrays of pairs: samples: [[time, value], …].
CREATE LAYOUT pairs AS '{"keeps": "records", "stores": [{"collection": "c", "repeats": true, "root": {"is": "document",
   "bind": [{"column": "host"}, {"trunc": "day", "at": "day", "encoding": "date"}], "agg": {"n": "n", "measures": {"v": "sum"}},
   "sub": {"is": "pairs", "at": "samples", "bind": [{"column": "ts", "at": "0", "encoding": "epoch_ms"}], "raw": {"columns": {"v": "1", "note": "2"}}}}}]}';
CREATE TABLE samples (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE, note text) USING pairs;
INSERT INTO samples VALUES ('2024-01-31 10:00+00', 'a', 1, 'x'), ('2024-01-31 10:00:00.5+00', 'a', 2.5, NULL), ('2024-02-01 00:00+00', 'a', NULL, 'y'), ('2024-01-31 10:00+00', 'b', 4, 'x'),
   ('2024-01-31 10:00+00', 'a', 1, 'x');
INSERT INTO samples VALUES ('2024-01-31 09:00+00', 'a', 7, 'late');
CREATE TABLE docs (host text, day timestamptz, n bigint, sum double precision, samples jsonb) USING rows WITH (collection = 'c');
SELECT host, day, n, sum, samples FROM docs ORDER BY 1, 2, 3;
SELECT * FROM samples ORDER BY host, ts, v;
SELECT host, count(*), count(v), sum(v), min(v), max(note) FROM samples GROUP BY host ORDER BY host;
SELECT host, last(v, ts) FROM samples WHERE ts >= '2024-01-31 10:00+00' AND note = 'x' GROUP BY host ORDER BY host;
SELECT time_bucket('1 day', ts) AS day, sum(v) FROM samples GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS off) SELECT host, max(v) FROM samples WHERE ts >= '2024-01-31 10:00+00' GROUP BY host;
EXPLAIN (COSTS off) SELECT host, sum(v) FROM samples GROUP BY host;
UPDATE samples SET v = v * 10 WHERE note = 'x' AND host = 'a';
DELETE FROM samples WHERE ts < '2024-01-31 10:00+00';
SELECT * FROM samples ORDER BY host, ts, v;
SELECT host, day, n, sum, samples FROM docs ORDER BY 1, 2, 3;
CHECK TABLE samples;
COPY samples TO STDOUT WITH (FORMAT csv);
ALTER TABLE samples ADD COLUMN more bigint;
ALTER TABLE samples DROP COLUMN note;
ALTER TABLE samples RENAME COLUMN note TO remark;
SELECT remark FROM samples WHERE host = 'b';
-- What others wrote, and what is damaged.
CREATE TABLE theirs (host text, at jsonb) USING rows WITH (collection = 't');
INSERT INTO theirs VALUES ('x', '[[1704067200000, 1], [1704067201000, 2.5]]'), ('y', '[]'), ('z', '[[1704067200000, null]]');
CREATE LAYOUT others AS '{"keeps": "records", "stores": [{"collection": "t", "root": {"is": "document", "bind": [{"column": "host"}],
   "sub": {"is": "pairs", "at": "at", "bind": [{"column": "ts", "at": "0", "encoding": "epoch_ms"}], "raw": {"columns": {"v": "1"}}}}}]}';
CREATE TABLE others (ts timestamptz TIME NOT NULL, host text DIMENSION, v double precision MEASURE) USING others WITH (collection = 't');
SELECT * FROM others ORDER BY host, ts;
INSERT INTO others VALUES ('2024-01-02 00:00+00', 'x', 9), ('2024-01-02 00:00+00', 'w', 8);
SELECT host, count(*), sum(v) FROM others GROUP BY host ORDER BY host;
INSERT INTO theirs VALUES ('short', '[[1704067200000]]');
SELECT count(*) FROM others;
DELETE FROM theirs WHERE host = 'short';
INSERT INTO theirs VALUES ('long', '[[1704067200000, 1, 2]]');
SELECT count(*) FROM others;
DELETE FROM theirs WHERE host = 'long';
INSERT INTO theirs VALUES ('flat', '[1704067200000, 1]'), ('object', '[{"0": 1704067200000, "1": 1}]'), ('text', '[["now", 1]]');
SELECT count(*) FROM others;
SET on_malformed = 'skip';
SELECT count(*), sum(v) FROM others;
CHECK TABLE others;
-- Descriptors that can't work.
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "sub": {"is": "pairs", "at": "p", "bind": [{"column": "ts", "at": "0"}], "raw": {"columns": {"v": "2"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "sub": {"is": "pairs", "at": "p", "bind": [{"column": "ts", "at": "t"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "sub": {"is": "pairs", "at": "p", "bind": [{"column": "ts", "at": "0"}], "raw": {"many": true, "at": "1", "columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "sub": {"is": "pairs", "at": "p", "bind": [{"column": "ts", "at": "0"}], "sub": {"is": "list", "at": "1", "raw": {"columns": {"v": "v"}}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "sub": {"is": "pairs", "at": "p"}}}]}';
-- Sums at positions, below a map.
CREATE LAYOUT sums AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "s", "root": {"is": "document", "bind": [{"trunc": "day", "at": "day", "encoding": "date"}],
   "sub": {"is": "map", "at": "hosts", "bind": [{"column": "host"}], "agg": {"n": "n", "measures": {"v": "v"}},
   "sub": {"is": "pairs", "at": "hours", "bind": [{"part": "hour", "of": "day", "at": "0"}], "agg": {"n": "1", "measures": {"v": "2"}}}}}}]}';
CREATE TABLE hourly (ts timestamptz TIME PERIOD '1 hour' NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING sums;
INSERT INTO hourly VALUES ('2024-01-31 10:00+00', 'a', 1), ('2024-01-31 11:00+00', 'a', 2), ('2024-01-31 10:00+00', 'a', 3), ('2024-01-31 10:00+00', 'b', 4);
CREATE TABLE sdocs (hosts jsonb) USING rows WITH (collection = 's');
SELECT hosts FROM sdocs;
SELECT ts, host, count(*), sum(v) FROM hourly GROUP BY 1, 2 ORDER BY 1, 2;
SELECT host, sum(v), count(*) FROM hourly GROUP BY 1 ORDER BY 1;
CHECK TABLE hourly;
-- An encoding that the stored values don't have is named.
CREATE TABLE dated (ts timestamptz, v bigint) USING rows WITH (collection = 'd');
INSERT INTO dated VALUES ('2024-01-01', 1);
CREATE TABLE seconds (ts timestamptz TIME, v bigint MEASURE) USING rows WITH (collection = 'd', time_encoding = 'epoch_s');

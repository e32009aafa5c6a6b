-- also: mongo
-- Calendar maps: years, their months, their days.
CREATE LAYOUT calendar AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}],
   "sub": {"is": "map", "at": "years", "bind": [{"trunc": "year", "encoding": {"format": "%Y"}}],
   "sub": {"is": "map", "at": "", "bind": [{"part": "month", "of": "year", "base": 1, "encoding": "text"}],
   "sub": {"is": "map", "at": "", "bind": [{"part": "day", "of": "month", "base": 1, "encoding": "text"}], "raw": {"columns": {"v": ""}}}}}}}]}';
CREATE TABLE days (ts timestamptz TIME PERIOD '1 day' NOT NULL, host text DIMENSION, v bigint MEASURE NOT NULL) USING calendar;
INSERT INTO days VALUES ('2024-01-31', 'a', 1), ('2024-02-29', 'a', 2), ('2024-12-31', 'a', 3), ('2023-12-31', 'a', 4), ('2024-02-29', 'b', 5), ('2025-03-01', 'b', 6);
INSERT INTO days VALUES ('2024-03-01', 'a', 7);
CREATE TABLE docs (host text, years jsonb) USING rows WITH (collection = 'c');
SELECT host, years FROM docs ORDER BY 1;
SELECT * FROM days ORDER BY ts, host;
SELECT date_trunc('month', ts) AS month, count(*), sum(v) FROM days WHERE ts >= '2024-02-01' AND ts < '2025-01-01' GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS off) SELECT sum(v) FROM days WHERE ts >= '2024-02-01' AND ts < '2024-03-01';
UPDATE days SET v = v * 10 WHERE ts = '2024-02-29' AND host = 'a';
DELETE FROM days WHERE ts < '2024-01-01';
SELECT * FROM days ORDER BY ts, host;
CHECK TABLE days;
-- Sums of months, in maps of a year.
CREATE LAYOUT months AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "m", "write": "inc", "id": [{"column": "host"}, "/", {"trunc": "year", "encoding": {"format": "%Y"}}],
   "root": {"is": "document", "bind": [{"column": "host", "from": "id"}, {"trunc": "year", "from": "id"}],
   "sub": {"is": "map", "at": "months", "bind": [{"part": "month", "of": "year", "encoding": {"kind": "text", "pad": 2}}], "agg": {"n": "n", "measures": {"v": "t"}}}}}]}';
CREATE TABLE monthly (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING months;
INSERT INTO monthly SELECT ts, host, v FROM days;
INSERT INTO monthly VALUES ('2024-02-01', 'a', 1);
SELECT date_trunc('month', ts) AS month, host, count(*), sum(v) FROM monthly GROUP BY 1, 2 ORDER BY 1, 2;
SELECT extract(year FROM ts) AS year, sum(v) FROM monthly WHERE ts >= '2024-03-01' GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts), sum(v) FROM monthly GROUP BY 1;
CHECK TABLE monthly;
-- What others wrote, and what there isn't.
INSERT INTO docs VALUES ('x', '{"2023": {"2": {"28": 1}, "12": {"1": 2}}}');
CREATE TABLE others (ts timestamptz TIME PERIOD '1 day' NOT NULL, host text DIMENSION, v bigint MEASURE NOT NULL) USING calendar WITH (collection = 'c');
SELECT ts, v FROM others WHERE host = 'x' ORDER BY ts;
INSERT INTO docs VALUES ('y', '{"2023": {"2": {"29": 1}}}');
SELECT count(*) FROM others;
INSERT INTO docs VALUES ('z', '{"2023": {"13": {"1": 1}}}');
SET on_malformed = 'skip';
SELECT count(*), sum(v) FROM others;
CHECK TABLE others;
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "bind": [{"trunc": "year", "at": "y", "encoding": "date"}],
   "sub": {"is": "map", "at": "m", "bind": [{"part": "month", "of": "year", "encoding": "text"}], "sub": {"is": "map", "at": "d", "bind": [{"part": "day", "of": "year", "encoding": "text"}], "raw": {"columns": {"v": ""}}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "b", "root": {"is": "document", "bind": [{"trunc": "year", "at": "y", "encoding": "date"}],
   "sub": {"is": "slots", "at": "m", "bind": [{"part": "month", "of": "year"}], "sub": {"is": "map", "at": "", "bind": [{"part": "day", "of": "month", "encoding": "text"}], "raw": {"columns": {"v": ""}}}}}}]}';

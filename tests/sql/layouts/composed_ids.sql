-- also: mongo
-- What is bound from a composed _id: no field holds it, or a copy that nobody reads.
CREATE LAYOUT days AS '{ "keeps": "sums", "key": ["metric"], "stores": [ { "collection": "daily", "write": "inc",
   "id": [ {"trunc": "day", "encoding": {"format": "%Y%m%d"}}, "/", {"column": "metric"} ], "root": { "is": "document",
   "bind": [ {"trunc": "day", "from": "id", "at": "metadata.date", "encoding": "date"}, {"column": "metric", "from": "id"} ],
   "alt": [ { "is": "scalar", "at": "daily", "agg": { "measures": { "hits": "" }, "zero": "absent" } },
            { "is": "map", "at": "hourly", "bind": [ {"part": "hour", "of": "day", "encoding": {"kind": "text", "pad": 2}} ], "agg": { "measures": { "hits": "" }, "zero": "absent" } } ] } } ] }';
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 hour' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING days;
INSERT INTO hits VALUES ('2024-03-01 00:01+00', 'a/b', 2), ('2024-03-01 00:41:30+00', 'a/b', 3), ('2024-03-01 13:00+00', 'a%2Fb', 7), ('2024-03-02 00:00+00', 'a', 1), ('2024-03-01 23:59+00', '100%', 4);
INSERT INTO hits VALUES ('2024-03-01 00:07+00', 'a/b', 2), ('2024-03-01 00:00+00', '', 3);
INSERT INTO hits VALUES ('10000-01-01 00:00+00', 'far', 1);
SELECT metric, date_trunc('hour', ts), sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
-- One document, all of a day, a range of days, metrics of some days: by the index on _id.
SELECT sum(hits) FROM hits WHERE metric = 'a/b' AND ts >= '2024-03-01' AND ts < '2024-03-02';
EXPLAIN (COSTS off) SELECT sum(hits) FROM hits WHERE metric = 'a/b' AND ts >= '2024-03-01' AND ts < '2024-03-02';
EXPLAIN (COSTS off) SELECT metric, sum(hits) FROM hits WHERE ts >= '2024-03-01' AND ts < '2024-03-02' GROUP BY 1;
SELECT metric, sum(hits) FROM hits WHERE ts >= '2024-03-01' AND ts < '2024-03-02' GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS off) SELECT metric, sum(hits) FROM hits WHERE ts >= '2024-03-01' AND ts < '2024-06-02' GROUP BY 1;
EXPLAIN (COSTS off) SELECT metric, sum(hits) FROM hits WHERE metric IN ('a', '100%') AND ts BETWEEN '2024-03-01' AND '2024-03-02' GROUP BY 1;
SELECT metric, sum(hits) FROM hits WHERE metric IN ('a', '100%') AND ts BETWEEN '2024-03-01' AND '2024-03-02' GROUP BY 1 ORDER BY 1;
-- Whole ids say the first filter of a column; others are asked.
EXPLAIN (COSTS off) SELECT sum(hits) FROM hits WHERE metric = 'a' AND metric >= 'a' AND ts >= '2024-03-02' AND ts < '2024-03-03';
SELECT sum(hits) FROM hits WHERE metric = 'a' AND metric >= 'a' AND ts >= '2024-03-02' AND ts < '2024-03-03';
SELECT sum(hits) FROM hits WHERE metric = 'a' AND metric > 'a' AND ts >= '2024-03-02' AND ts < '2024-03-03';
SELECT metric, sum(hits) FROM hits WHERE metric IN ('a', 'a/b') AND metric IN ('100%', 'a') AND ts >= '2024-03-01' AND ts < '2024-03-03' GROUP BY 1;
EXPLAIN (COSTS off) SELECT sum(hits) FROM hits WHERE ts >= '2024-03-02' OR ts < '2024-02-01';
SELECT sum(hits) FROM hits WHERE ts >= '2024-03-02' OR ts < '2024-02-01';
-- The measures are in fields: nothing is read of the id.
EXPLAIN (COSTS off) SELECT sum(hits) FROM hits;
-- A month of days: everything is from the id, numbers too; the time comes last.
CREATE LAYOUT months AS '{ "keeps": "sums", "key": ["host", "port"], "stores": [ { "collection": "months", "write": "inc",
   "id": [ "m:", {"column": "host"}, ".", {"column": "port", "encoding": {"kind": "text", "pad": 5}}, ".", {"trunc": "month", "encoding": {"format": "%Y%m"}} ], "root": { "is": "document",
   "bind": [ {"trunc": "month", "from": "id"}, {"column": "host", "from": "id"}, {"column": "port", "from": "id"} ],
   "sub": { "is": "map", "at": "d", "bind": [ {"part": "day", "of": "month", "base": 1, "encoding": "text"} ], "agg": { "n": "n", "measures": { "total": "t" } } } } } ] }';
CREATE TABLE traffic (ts timestamptz TIME PERIOD '1 day' NOT NULL, host text DIMENSION NOT NULL, port integer DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING months;
INSERT INTO traffic VALUES ('2024-01-01', 'www.a', 80, 5), ('2024-02-29 12:00+00', 'www.a', 80, 6), ('2024-02-29', 'www.a', 8080, 7), ('2024-03-31', 'b', 80, 1), ('2024-03-31', 'b', -1, 1), ('2023-12-31', '', 80, 2);
SELECT * FROM (SELECT ts, host, port, sum(total), count(*) FROM traffic GROUP BY 1, 2, 3) q ORDER BY ts, host, port;
SELECT host, avg(total) FROM traffic WHERE port = 80 GROUP BY host ORDER BY host;
SELECT sum(total) FROM traffic WHERE host = 'www.a' AND port IN (80, 443) AND ts >= '2024-01-15' AND ts < '2024-03-01';
EXPLAIN (COSTS off) SELECT sum(total) FROM traffic WHERE host = 'www.a' AND port IN (80, 443) AND ts >= '2024-01-15' AND ts < '2024-03-01';
EXPLAIN (COSTS off) SELECT sum(total) FROM traffic WHERE host = 'www.a';
EXPLAIN (COSTS off) SELECT sum(total) FROM traffic WHERE host = 'www.a' AND port = 80 AND ts >= '2024-01-01';
SELECT host, sum(total) FROM traffic WHERE ts >= '2024-03-01' GROUP BY host HAVING sum(total) > 1;
-- More digits than a number has.
CREATE LAYOUT wide AS '{ "keeps": "sums", "key": ["port"], "stores": [ { "collection": "widely", "write": "inc", "id": [ "p", {"column": "port", "encoding": {"kind": "text", "pad": 24}}, ".", {"trunc": "day", "encoding": {"format": "%Y%m%d"}} ], "root": { "is": "document",
   "bind": [ {"trunc": "day", "from": "id"}, {"column": "port", "from": "id"} ], "agg": { "measures": { "total": "t" } } } } ] }';
CREATE TABLE wide_traffic (ts timestamptz TIME PERIOD '1 day' NOT NULL, port bigint DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING wide;
INSERT INTO wide_traffic VALUES ('2024-01-01', 80, 5), ('2024-01-01', -80, 6), ('2024-01-01', 9223372036854775807, 7);
SELECT port, sum(total) FROM wide_traffic WHERE port IN (80, -80) GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS off) SELECT sum(total) FROM wide_traffic WHERE port = 80 AND ts >= '2024-01-01' AND ts < '2024-01-02';
SELECT sum(total) FROM wide_traffic WHERE port = 80 AND ts >= '2024-01-01' AND ts < '2024-01-02';
-- What can't be.
CREATE TABLE bad (ts timestamptz TIME PERIOD '1 day' NOT NULL, host text DIMENSION NOT NULL, port uuid DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING months;
INSERT INTO traffic VALUES ('2024-01-01', NULL, 80, 5);

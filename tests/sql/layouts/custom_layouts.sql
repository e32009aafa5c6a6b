-- also: mongo
-- Layouts that no preset makes: a day of slots, a map of a dimension above a map of hours, copies at several grains.
CREATE LAYOUT slots AS '{ "keeps": "sums", "key": ["metric"], "stores": [ { "collection": "slots", "write": "push", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "metric"} ],
   "sub": { "is": "slots", "at": "m", "bind": [ {"part": "minute", "of": "day"} ], "agg": { "measures": { "hits": "" }, "zero": "absent" } } } } ] }';
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING slots;
INSERT INTO hits VALUES ('2024-03-01 00:01+00', 'a', 2), ('2024-03-01 00:01:30+00', 'a', 3), ('2024-03-01 13:00+00', 'a', 7), ('2024-03-02 00:00+00', 'a', 1), ('2024-03-01 23:59+00', 'b', 4);
SELECT metric, date_trunc('hour', ts), sum(hits) FROM hits GROUP BY 1, 2 ORDER BY 1, 2;
SELECT sum(hits) FROM hits WHERE ts >= '2024-03-01 00:01+00' AND ts < '2024-03-01 13:01+00';
SELECT date_trunc('day', ts, 'Asia/Kolkata'), sum(hits) FROM hits GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM hits;
CREATE LAYOUT by_region AS '{ "keeps": "sums", "key": ["host", "region"], "stores": [ { "collection": "by_region", "write": "push", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": {"format": "%Y%m%d"}}, {"column": "host"} ],
   "sub": { "is": "map", "at": "r", "bind": [ {"column": "region"} ],
      "sub": { "is": "map", "at": "h", "bind": [ {"part": "hour", "of": "day", "encoding": {"kind": "text", "pad": 2}} ], "agg": { "n": "n", "measures": { "total": "t" } } } } } } ] }';
CREATE TABLE traffic (ts timestamptz TIME PERIOD '1 hour' NOT NULL, host text DIMENSION NOT NULL, region text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING by_region;
INSERT INTO traffic VALUES ('2024-03-01 00:10+00', 'h1', 'eu', 5), ('2024-03-01 00:50+00', 'h1', 'eu', 6), ('2024-03-01 09:00+00', 'h1', 'us.east', 1), ('2024-03-01 09:00+00', 'h1', '$weird', 1), ('2024-03-01 09:00+00', 'h2', '', 2);
SELECT region, sum(total), count(*), avg(total) FROM traffic GROUP BY region ORDER BY region;
SELECT ts, sum(total) FROM traffic WHERE region IN ('eu', 'us.east') GROUP BY ts ORDER BY ts;
SELECT sum(total) FROM traffic WHERE region = 'us.east' AND host = 'h1';
SELECT date_trunc('day', ts, 'Asia/Tokyo'), sum(total) FROM traffic GROUP BY 1;
SELECT date_trunc('day', ts, 'Asia/Kolkata'), sum(total) FROM traffic GROUP BY 1;
SELECT min(total) FROM traffic;
CREATE LAYOUT bad AS '{ "keeps": "records", "stores": [ { "collection": "x", "root": { "is": "document", "bind": [ {"column": "nosuch"} ], "raw": { "columns": { "total": "t" } } } } ] }';
CREATE TABLE bad (ts timestamptz TIME, total bigint MEASURE) USING bad;
CREATE LAYOUT worse AS '{ "keeps": "everything" }';
CREATE TABLE bad (ts timestamptz TIME, total bigint MEASURE) USING worse;
CREATE LAYOUT worst AS '{ "keeps": ';
-- Slots that are arrays themselves, some of whose elements are null: slots within slots, records in a slot, records that are arrays.
CREATE LAYOUT grid AS '{ "keeps": "sums", "key": ["host"], "stores": [ { "collection": "grid", "write": "push", "root": { "is": "document", "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "host"} ],
   "sub": { "is": "slots", "at": "h", "bind": [ {"part": "hour", "of": "day"} ], "sub": { "is": "slots", "at": "", "bind": [ {"part": "minute", "of": "hour"} ], "agg": { "measures": { "hits": "" }, "zero": "absent" } } } } } ] }';
CREATE TABLE minutes (ts timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL, hits bigint MEASURE COUNTER NOT NULL) USING grid;
INSERT INTO minutes VALUES ('2020-01-01 00:01+00', 'a', 3), ('2020-01-01 02:00+00', 'a', 5), ('2020-01-01 02:02+00', 'a', 6);
SELECT ts, sum(hits) FROM minutes GROUP BY ts ORDER BY ts;
SELECT date_trunc('hour', ts), sum(hits) FROM minutes WHERE ts >= '2020-01-01 00:01+00' AND ts < '2020-01-01 02:02+00' GROUP BY 1 ORDER BY 1;
CHECK TABLE minutes;
CREATE LAYOUT lists AS '{ "keeps": "records", "stores": [ { "collection": "lists", "write": "push", "root": { "is": "document", "bind": [ {"trunc": "day", "at": "day", "encoding": "date"} ],
   "sub": { "is": "slots", "at": "h", "bind": [ {"part": "hour", "of": "day"} ], "raw": { "at": "", "many": true, "columns": { "v": "" } } } } } ] }';
CREATE TABLE several (ts timestamptz TIME PERIOD '1 hour' NOT NULL, v bigint MEASURE) USING lists;
INSERT INTO several VALUES ('2020-01-01 01:00+00', 3), ('2020-01-01 01:00+00', NULL), ('2020-01-01 03:00+00', 5);
SELECT * FROM several ORDER BY ts, v;
SELECT count(*), count(v), sum(v) FROM several;
CREATE LAYOUT one_list AS '{ "keeps": "records", "stores": [ { "collection": "one_list", "write": "push", "root": { "is": "document", "bind": [ {"trunc": "day", "at": "day", "encoding": "date"} ],
   "sub": { "is": "slots", "at": "h", "bind": [ {"part": "hour", "of": "day"} ], "raw": { "columns": { "v": "" } } } } } ] }';
CREATE TABLE vectors (ts timestamptz TIME PERIOD '1 hour' NOT NULL, v bigint[] MEASURE) USING one_list;
INSERT INTO vectors VALUES ('2020-01-01 01:00+00', '{3,NULL}'), ('2020-01-01 03:00+00', '{}'), ('2020-01-01 04:00+00', '{5}');
SELECT * FROM vectors ORDER BY ts;
SELECT count(*) FROM vectors;
-- Values that aren't text as a map's keys are what they are again, and compare so.
CREATE LAYOUT keyed AS '{ "keeps": "sums", "key": ["ok", "id"], "stores": [ { "collection": "keyed", "write": "inc", "root": { "is": "document", "bind": [ {"trunc": "month", "at": "month", "encoding": "date"} ],
   "sub": { "is": "map", "at": "ok", "bind": [ {"column": "ok", "encoding": "text"} ], "sub": { "is": "map", "at": "id", "bind": [ {"column": "id", "encoding": "text"} ],
     "sub": { "is": "map", "at": "h", "bind": [ {"part": "hour", "of": "month", "encoding": "text"} ], "agg": { "n": "n", "measures": { "v": "v" } } } } } } } ] }';
CREATE TABLE keys (ts timestamptz TIME PERIOD '1 hour' NOT NULL, ok boolean DIMENSION NOT NULL, id uuid DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING keyed;
INSERT INTO keys VALUES ('2016-02-29 01:00+00', true, '20be0ffc-314a-bd53-7a50-013a65ca76d2', 3), ('2016-02-29 01:00+00', false, '20be0ffc-314a-bd53-7a50-013a65ca76d2', 4), ('2016-02-29 02:00+00', false, 'FFFFFFFF-ffff-ffff-ffff-ffffffffffff', 5);
SELECT ok, id, sum(v) FROM keys GROUP BY 1, 2 ORDER BY 1, 2;
SELECT ok, sum(v) FROM keys GROUP BY 1 ORDER BY 1;
SELECT sum(v) FILTER (WHERE ok), sum(v) FILTER (WHERE NOT ok), sum(v) FILTER (WHERE ok = false), bool_or(ok), sum(v) FILTER (WHERE id > '30be0ffc-314a-bd53-7a50-013a65ca76d2') FROM keys;
SELECT sum(v) FROM keys WHERE ok;
SELECT sum(v) FROM keys WHERE ok = false;
SELECT sum(v) FROM keys WHERE ok IS DISTINCT FROM false;
SELECT sum(v) FROM keys WHERE id = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
SELECT sum(v) FROM keys WHERE id > '30be0ffc-314a-bd53-7a50-013a65ca76d2';
-- Sums of whole numbers are exact, also those that a double can't say; sums of numerics are no doubles.
CREATE LAYOUT as_double AS '{ "keeps": "records", "stores": [ { "collection": "doubles", "write": "pack", "root": { "is": "document", "bind": [ {"trunc": "day", "at": "day", "encoding": "date"} ],
   "agg": { "n": "n", "measures": { "v": {"sum": "s", "as": "double"} } }, "sub": { "is": "list", "at": "r", "bind": [ {"column": "ts"} ], "raw": { "columns": { "v": "v" } } } } } ] }';
CREATE TABLE large (ts timestamptz TIME PERIOD '1 hour' NOT NULL, v bigint MEASURE NOT NULL) USING as_double;
INSERT INTO large VALUES ('2020-01-01 01:00+00', 9007199254740993), ('2020-01-02 01:00+00', 9223372036854775807), ('2020-01-02 02:00+00', 9223372036854775807), ('2020-01-03 01:00+00', 5);
SELECT date_trunc('day', ts), sum(v) FROM large GROUP BY 1 ORDER BY 1;
SELECT date_trunc('day', ts), sum(CASE WHEN ts >= '2020-01-02' THEN v ELSE 0 END) FROM large GROUP BY 1 ORDER BY 1;
CHECK TABLE large;
CREATE LAYOUT double_sums AS '{ "keeps": "sums", "key": ["host"], "stores": [ { "collection": "double_sums", "write": "inc", "root": { "is": "document", "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "host"} ],
   "agg": { "n": "n", "measures": { "v": {"sum": "s", "as": "double"} } } } } ] }';
CREATE TABLE large_sums (ts timestamptz TIME PERIOD '1 day' NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING double_sums;
INSERT INTO large_sums VALUES ('2020-01-01 01:00+00', 'a', 9007199254740992);
INSERT INTO large_sums VALUES ('2020-01-01 01:00+00', 'a', 1);
SELECT sum(v) FROM large_sums;
CREATE TABLE numerics (ts timestamptz TIME PERIOD '1 day' NOT NULL, host text DIMENSION NOT NULL, v numeric MEASURE NOT NULL) USING double_sums;

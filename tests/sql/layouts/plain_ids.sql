-- also: mongo
-- Composed ids that other software wrote: nothing in them is an escape.
CREATE TABLE other (_id text DIMENSION, date timestamptz FIELD 'metadata.date', metric text FIELD 'metadata.metric', daily bigint, hourly jsonb, minute jsonb) USING rows;
INSERT INTO other VALUES ('20240301//a%b', '2024-03-01', '/a%b', 2, '{"00": 2}', '{"0001": 2}'), ('20240301//a%25b', '2024-03-01', '/a%25b', 3, '{"00": 3}', '{"0001": 3}'),
   ('20240301/a%2Fb', '2024-03-01', 'a%2Fb', 4, '{"00": 4}', '{"0001": 4}'), ('20240301/a/b', '2024-03-01', 'a/b', 5, '{"00": 5}', '{"0001": 5}');
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'other');
CREATE TABLE by_fields (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'other', trust = 'fields');
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
SELECT metric, ts, sum(n) FROM by_fields GROUP BY 1, 2 ORDER BY 1;
SELECT sum(n) FROM hits WHERE metric = '/a%b' AND ts >= '2024-03-01' AND ts < '2024-03-02';
EXPLAIN (COSTS off) SELECT sum(n) FROM hits WHERE metric = '/a%b' AND ts >= '2024-03-01' AND ts < '2024-03-02';
SELECT metric, sum(n) FROM hits WHERE metric IN ('a/b', 'a%2Fb') AND ts >= '2024-03-01' GROUP BY 1 ORDER BY 1;
-- The document that the other software would have found.
INSERT INTO hits VALUES ('2024-03-01 00:01+00', '/a%b', 10), ('2024-03-01 00:02+00', 'a%2Fb', 20), ('2024-03-02 00:00+00', '100%', 1);
INSERT INTO by_fields VALUES ('2024-03-01 00:01+00', '/a%25b', 100);
SELECT _id, daily, minute FROM other ORDER BY 1;
SELECT metric, sum(n) FROM hits GROUP BY 1 ORDER BY 1;
CHECK TABLE hits;
-- A copy that says something else than the id.
INSERT INTO other VALUES ('20240303/x', '2024-03-03', 'y', 1, '{"00": 1}', '{"0001": 1}'), ('20240304/x', '2024-03-03', 'x', 1, '{"00": 1}', '{"0001": 1}');
CHECK TABLE hits;
REPAIR TABLE hits;
CHECK TABLE hits;
SELECT _id, date, metric FROM other WHERE _id >= '20240303' ORDER BY 1;
-- Of several texts none can contain what parts them.
CREATE TABLE stats (_id text DIMENSION, d text, g text, i text, dy jsonb, hy jsonb, mn jsonb) USING rows;
INSERT INTO stats VALUES ('20240301-b%2Dits-mem-h1', '20240301', 'mem', 'b%2Dits', '{"t": 5, "n": 2}', '{"0": {"t": 5, "n": 2}}', '{"1": {"t": 5, "n": 2}}');
CREATE TABLE mms (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING mms WITH (collection = 'stats');
SELECT ts, item, grp, host, sum(total), count(*) FROM mms GROUP BY 1, 2, 3, 4;
INSERT INTO mms VALUES ('2024-03-01 00:02+00', 'b%2Dits', 'mem', 'h1', 1);
INSERT INTO mms VALUES ('2024-03-01 00:02+00', 'b-its', 'mem', 'h1', 1);
INSERT INTO mms VALUES ('2024-03-01 00:02+00', 'bits', 'mem', 'h-1', 1);
SELECT _id, dy FROM stats;
SELECT sum(total) FROM mms WHERE item = 'b-its' AND grp = 'mem' AND host = 'h1';
INSERT INTO stats VALUES ('20240301-b-its-mem-h1', '20240301', 'mem', 'b-its', '{"t": 7, "n": 1}', '{"0": {"t": 7, "n": 1}}', '{"1": {"t": 7, "n": 1}}');
SELECT item, sum(total) FROM mms GROUP BY 1;
CHECK TABLE mms;
-- A descriptor can say that there are escapes, or none in a collection of its own.
CREATE LAYOUT by_escapes AS '{ "keeps": "sums", "key": ["metric"], "stores": [ { "collection": "other", "write": "inc", "escape": "percent",
   "id": [ {"trunc": "day", "encoding": {"format": "%Y%m%d"}}, "/", {"column": "metric"} ], "root": { "is": "document",
   "bind": [ {"trunc": "day", "from": "id", "at": "metadata.date", "encoding": "date"}, {"column": "metric", "from": "id", "at": "metadata.metric"} ], "alt": [ { "is": "scalar", "at": "daily", "agg": { "measures": { "n": "" }, "zero": "absent" } } ] } } ] }';
CREATE TABLE escaped (ts timestamptz TIME PERIOD '1 day' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER) USING by_escapes;
SELECT metric, sum(n) FROM escaped GROUP BY 1 ORDER BY 1;
CHECK TABLE escaped;
CREATE LAYOUT host_first AS '{ "keeps": "sums", "key": ["host", "port"], "stores": [ { "collection": "plainly", "write": "inc", "escape": "none",
   "id": [ {"column": "host"}, "-", {"column": "port", "encoding": "text"}, "-", {"trunc": "day", "encoding": {"format": "%Y-%m-%d"}} ], "root": { "is": "document",
   "bind": [ {"trunc": "day", "from": "id"}, {"column": "host", "from": "id"}, {"column": "port", "from": "id"} ], "agg": { "n": "n", "measures": { "total": "t" } } } } ] }';
CREATE TABLE plainly (ts timestamptz TIME PERIOD '1 day' NOT NULL, host text DIMENSION NOT NULL, port integer DIMENSION NOT NULL, total bigint MEASURE NOT NULL) USING host_first;
INSERT INTO plainly VALUES ('2024-03-01', 'www-1', 80, 1), ('2024-03-01', 'www-1-80', 80, 2), ('2024-03-02', '', 443, 3), ('2024-03-02', '%2D', 443, 4);
INSERT INTO plainly VALUES ('2024-03-01', 'www', -80, 1);
SELECT ts, host, port, sum(total) FROM plainly GROUP BY 1, 2, 3 ORDER BY 1, 2;
SELECT sum(total) FROM plainly WHERE host = 'www-1' AND port = 80 AND ts >= '2024-03-01' AND ts < '2024-03-02';
EXPLAIN (COSTS off) SELECT host, sum(total) FROM plainly WHERE ts >= '2024-03-02' GROUP BY 1;
CREATE LAYOUT bad AS '{ "keeps": "sums", "key": [], "stores": [ { "collection": "c", "escape": "none", "root": { "is": "document", "bind": [ {"trunc": "day", "at": "d"} ], "agg": { "measures": { "v": "t" } } } } ] }';

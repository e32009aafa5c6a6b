-- args: data/dump
-- Collections made by other software, read as they are.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE, dProcessTime double precision MEASURE) USING rows WITH (collection = 'rows');
SELECT * FROM calls ORDER BY ts, iResult;
SELECT vCmdid, count(*), sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY vCmdid;
CREATE TABLE days (ts timestamptz TIME PERIOD '60 s', iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE, dProcessTime double precision MEASURE) USING per_day WITH (collection = 'days');
SELECT * FROM days ORDER BY ts, vCmdid;
SELECT ts, sum(totalCount), sum(dProcessTime) FROM days GROUP BY ts ORDER BY ts;
CREATE TABLE packed (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE NOT NULL) USING nested WITH (collection = 'nested', cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts');
SELECT ts, count(*), sum(totalCount) FROM packed GROUP BY ts ORDER BY ts;
SELECT * FROM packed ORDER BY ts, vAppid, vCmdid;
SELECT vAppid, count(*), sum(dProcessTime) FROM packed GROUP BY vAppid ORDER BY vAppid;
CREATE TABLE memory (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE) USING minute WITH (collection = 'memory');
SELECT * FROM memory ORDER BY ts;
SELECT date_trunc('minute', ts), count(*), sum(value), max(value) FROM memory GROUP BY 1;
INSERT INTO calls VALUES ('2015-01-01', 'a', 'b', 'c', 1, 1);
CREATE TABLE odd (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE NOT NULL) USING nested WITH (collection = 'odd', cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts');
SELECT ts, sum(totalCount) FROM odd GROUP BY ts;
SET on_malformed = 'skip';
SELECT ts, sum(totalCount) FROM odd GROUP BY ts;
SELECT count(*) FROM odd;
DROP TABLE calls;
SELECT count(*) FROM calls;
-- A time off the grid of the table's period, and one that is no time.
CREATE TABLE grid (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', k text DIMENSION, v bigint MEASURE) USING rows WITH (collection = 'grid');
SELECT * FROM grid ORDER BY ts;
SET on_malformed = 'error';
SELECT * FROM grid;
-- A time outside the day that its document is said to be of, a minute beyond the day, and whole numbers that aren't.
CREATE LAYOUT strayed_days AS '{ "keeps": "records", "stores": [ { "collection": "strayed", "write": "push", "root": { "is": "document",
   "bind": [ {"column": "k"}, {"trunc": "day", "at": "day", "encoding": "epoch_s"} ],
   "sub": { "is": "list", "at": "values", "bind": [ {"column": "ts", "at": "t", "encoding": "epoch_s"} ], "raw": { "columns": { "n": "n" } } } } } ] }';
CREATE TABLE strayed (ts timestamptz TIME NOT NULL, k text DIMENSION, n bigint MEASURE) USING strayed_days;
SELECT sum(n) FROM strayed;
SELECT sum(n) FROM strayed WHERE ts >= '2015-04-12';
CHECK TABLE strayed;
CREATE LAYOUT late_minutes AS '{ "keeps": "records", "stores": [ { "collection": "late", "write": "push", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"} ],
   "sub": { "is": "list", "at": "values", "bind": [ {"part": "minute", "of": "day", "at": "m"} ], "raw": { "columns": { "n": "n" } } } } } ] }';
CREATE TABLE late (ts timestamptz TIME PERIOD '1 min' NOT NULL, n bigint MEASURE) USING late_minutes;
SELECT date_trunc('day', ts), sum(n) FROM late GROUP BY 1;
CREATE TABLE halves (ts timestamptz TIME, n bigint MEASURE) USING rows WITH (collection = 'halves');
SELECT sum(n) FROM halves;
SET on_malformed = 'skip';
SELECT ts, n FROM strayed ORDER BY ts;
SELECT * FROM late;
SELECT n, n::numeric + 1 FROM halves;
-- Of a smaller type fewer whole numbers fit.
CREATE TABLE quarters (ts timestamptz TIME, n integer MEASURE) USING rows WITH (collection = 'halves');
SELECT n FROM quarters;
-- Stored counts and sums that are missing or can't be, records that are none, values missing where the table says NOT NULL.
CREATE LAYOUT claims_of AS '{ "keeps": "records", "stores": [ { "collection": "claims", "write": "push", "root": { "is": "document", "bind": [ {"column": "k"} ], "agg": { "n": "n", "measures": { "v": "s" } },
   "sub": { "is": "list", "at": "_", "bind": [ {"column": "ts", "at": "d", "encoding": "epoch_s"} ], "agg": { "n": "c", "measures": { "v": "s" } },
      "raw": { "at": "v", "many": true, "columns": { "v": "v" } } } } } ] }';
CREATE TABLE claims (ts timestamptz TIME PERIOD '1 min', k text DIMENSION, v bigint MEASURE NOT NULL) USING claims_of;
SELECT k, sum(v), count(*) FROM claims GROUP BY k;
SELECT ts, sum(v) FROM claims GROUP BY ts;
-- A day that isn't in its format, and entries of a map that are no sub-documents.
CREATE LAYOUT regions_of AS '{ "keeps": "sums", "key": ["region"], "stores": [ { "collection": "regions", "write": "push", "root": { "is": "document", "bind": [ {"trunc": "day", "at": "day", "encoding": {"format": "%Y%m%d"}} ],
   "sub": { "is": "map", "at": "r", "bind": [ {"column": "region"} ],
      "sub": { "is": "map", "at": "h", "bind": [ {"part": "hour", "of": "day", "encoding": "text"} ], "agg": { "n": "n", "measures": { "total": "t" } } } } } } ] }';
CREATE TABLE regions (ts timestamptz TIME PERIOD '1 hour', region text DIMENSION, total bigint MEASURE NOT NULL) USING regions_of;
SELECT ts, region, sum(total), count(*) FROM regions GROUP BY ts, region;

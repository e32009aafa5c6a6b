-- args: data/published
-- Documents that other software wrote in the shapes that were published: several counters in one document, arrays of slots, made ahead, half filled, with gaps, with a field too many.
-- Counters of a day: a slot with two of them.
CREATE TABLE pages (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER, bytes bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'page_hits', style = 'hierarchical');
SELECT metric, ts, sum(hits), sum(bytes) FROM pages GROUP BY 1, 2 ORDER BY 1, 2;
SELECT metric, date_trunc('hour', ts), sum(bytes) FROM pages GROUP BY 1, 2 ORDER BY 1, 2;
SELECT date_trunc('day', ts), sum(hits), sum(bytes) FROM pages GROUP BY 1;
EXPLAIN (COSTS off) SELECT sum(bytes) FROM pages WHERE metric = 'metric-1' AND ts >= '2010-10-10' AND ts < '2010-10-11';
-- A day as an array of slots: null and 0 are no sample, and a day made ahead is no group.
CREATE LAYOUT day_of_slots AS '{ "keeps": "sums", "key": ["metric"], "stores": [ { "collection": "slots", "write": "push", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "metric"} ],
   "sub": { "is": "slots", "at": "m", "bind": [ {"part": "minute", "of": "day"} ], "agg": { "measures": { "hits": "" }, "zero": "absent" } } } } ] }';
CREATE TABLE slots (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, hits bigint MEASURE COUNTER) USING day_of_slots;
SELECT ts, metric, sum(hits) FROM slots GROUP BY 1, 2 ORDER BY 1, 2;
SELECT date_trunc('day', ts), count(DISTINCT metric), sum(hits) FROM slots GROUP BY 1 ORDER BY 1;
-- Several metrics in one document: their names are keys.
CREATE LAYOUT of_site AS '{ "keeps": "sums", "key": ["site", "metric"], "stores": [ { "collection": "sites", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": {"format": "%Y%m%d"}}, {"column": "site"} ],
   "sub": { "is": "map", "at": "metrics", "bind": [ {"column": "metric"} ],
   "alt": [ { "is": "scalar", "at": "daily", "agg": { "measures": { "hits": "" }, "zero": "absent" } },
            { "is": "map", "at": "hourly", "bind": [ {"part": "hour", "of": "day", "encoding": "text"} ], "agg": { "measures": { "hits": "" }, "zero": "absent" } },
            { "is": "map", "at": "minute", "bind": [ {"part": "minute", "of": "day", "encoding": "text"} ], "agg": { "measures": { "hits": "" }, "zero": "absent" } } ] } } } ] }';
CREATE TABLE sites (ts timestamptz TIME PERIOD '1 min' NOT NULL, site text DIMENSION, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING of_site;
SELECT date_trunc('day', ts), metric, sum(hits) FROM sites GROUP BY 1, 2 ORDER BY 1, 2;
SELECT ts, sum(hits) FROM sites WHERE metric = 'hits' AND ts >= '2010-10-10 12:00' GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS off) SELECT date_trunc('hour', ts), sum(hits) FROM sites WHERE metric = 'hits' GROUP BY 1;
-- A combination and day, t being the minute of the day from 1 to 1440, and `timestamp` some record's.
CREATE LAYOUT of_day AS '{ "keeps": "records", "stores": [ { "collection": "by_minute_of_day", "write": "push", "root": { "is": "document",
   "bind": [ {"column": "iResult"}, {"column": "vCmdid"}, {"column": "vAppid"}, {"trunc": "day", "at": "date", "encoding": {"kind": "epoch_s", "as": "double"}} ],
   "sub": { "is": "list", "at": "values", "bind": [ {"part": "minute", "of": "day", "base": 1, "at": "t"} ], "raw": { "columns": { "dProcessTime": "0", "totalCount": "1" } } } } } ] }';
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s', iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE, dProcessTime double precision MEASURE) USING of_day;
SELECT * FROM calls ORDER BY ts;
SELECT ts, count(*), sum(totalCount) FROM calls WHERE ts >= '2015-04-11 23:59' GROUP BY 1 ORDER BY 1;
-- A series and minute: values by second, half filled, made ahead; as an array; of several dimensions.
CREATE TABLE memory (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE) USING minute WITH (collection = 'memory');
SELECT * FROM memory ORDER BY ts, type;
SELECT date_trunc('minute', ts), type, count(*), sum(value) FROM memory GROUP BY 1, 2 ORDER BY 1, 2;
CREATE TABLE memory_verified (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE) USING minute WITH (collection = 'memory', presums = 'verify');
SELECT type, count(*), count(value), min(ts) FROM memory_verified WHERE ts >= '2013-10-10 23:06:00' GROUP BY 1 ORDER BY 1;
SELECT value FROM memory_verified WHERE extract(second FROM ts) = 0;
CREATE TABLE memory_array (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, host text DIMENSION, value bigint MEASURE NOT NULL) USING minute WITH (collection = 'memory_array', values = 'array');
SELECT ts, host, value FROM memory_array WHERE ts <> '2013-10-10 23:06:30' AND value > 1 ORDER BY ts;
SELECT date_trunc('minute', ts), host, count(*), sum(value), max(value) FROM memory_array GROUP BY 1, 2 ORDER BY 1, 2;
SELECT host, count(*), sum(value) FROM memory_array WHERE ts >= '2013-10-10 23:06' AND ts < '2013-10-10 23:08' GROUP BY 1 ORDER BY 1;
-- What such a document says of itself is a claim; and a minute has 60 seconds.
CREATE TABLE claims (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE NOT NULL) USING minute WITH (collection = 'memory_claims');
SELECT count(*), sum(value) FROM claims;
CREATE TABLE verified (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE NOT NULL) USING minute WITH (collection = 'memory_claims', presums = 'verify');
SELECT count(*), sum(value) FROM verified;
CREATE TABLE ignored (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE NOT NULL) USING minute WITH (collection = 'memory_claims', presums = 'ignore');
SELECT count(*), sum(value) FROM ignored;
CREATE TABLE beyond (ts timestamptz TIME PERIOD '1 s', type text DIMENSION, value bigint MEASURE) USING minute WITH (collection = 'memory_beyond');
-- Every record of a user, and the last known location: two layouts of one table, attached.
CREATE TABLE loc (UserId bigint DIMENSION NOT NULL, T timestamptz TIME NOT NULL, C text, X double precision, Y double precision) USING rows WITH (collection = 'History');
ALTER TABLE loc ADD LAYOUT last USING latest WITH (key = 'UserId', collection = 'LastKnownLocation');
\d loc
SELECT * FROM loc ORDER BY UserId, T;
EXPLAIN (COSTS off) SELECT * FROM loc WHERE UserId = 4912 ORDER BY T DESC LIMIT 1;
SELECT * FROM loc WHERE UserId = 4912 ORDER BY T DESC LIMIT 1;
SELECT DISTINCT ON (UserId) * FROM loc ORDER BY UserId, T DESC;
SELECT UserId, last(C, T), max(T) FROM loc WHERE T >= '2012-10-15' GROUP BY UserId;
CREATE TABLE seconds (UserId text DIMENSION, T timestamptz TIME PERIOD '1 s', C text, X double precision, Y double precision) USING latest WITH (collection = 'seconds');
SELECT DISTINCT ON (UserId) * FROM seconds ORDER BY UserId, T DESC;

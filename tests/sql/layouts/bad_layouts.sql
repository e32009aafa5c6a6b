-- also: mongo
-- Descriptors that can't work are refused where they are written, at the place that is wrong: what no table could make good, by CREATE LAYOUT, and what depends on the table, by CREATE TABLE.
CREATE LAYOUT bad AS '{"keeps": "records", "store": []}';
CREATE LAYOUT bad AS '{"keeps": "record", "stores": []}';
CREATE LAYOUT bad AS '{"stores": []}';
CREATE LAYOUT bad AS '{"keeps": "records", "keeps": "sums", "stores": []}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": {}}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"root": {"is": "document"}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "it''s $mine", "root": {"is": "document"}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c"}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "documents"}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "write": "increment", "root": {"is": "document"}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "flush_levels": 0, "root": {"is": "document"}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "partition": "week", "root": {"is": "document"}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "repeats": "yes", "root": {"is": "document"}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "presums": "maybe", "stores": [{"collection": "c", "root": {"is": "document"}}]}';
-- the text itself
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [}';
CREATE LAYOUT bad AS '{"keeps": "records" "stores": []}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": []} {}';
CREATE LAYOUT bad AS '["records"]';
CREATE LAYOUT bad AS '';
-- several lines, and other literals than '…'
CREATE LAYOUT bad AS '{"keeps": "records",
   "stores": [{"collection": "it''s",
      "root": {"is": "document", "bind": [{"colum": "host"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS $$
  {"keeps": "records", "stores": [{"collection": "it's", "root": {"is": "document", "bind": [{"column": "host"}], "raw": {"columns": {"v": "a..b"}}}}]} $$;
CREATE LAYOUT bad AS E'{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "list"}}]}';
-- levels
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "list", "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "sub": {"is": "document", "at": "a", "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}]}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "raw": {"columns": {"v": "v"}}, "sub": {"is": "list", "at": "a"}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "sub": {"is": "list", "at": "a", "raw": {"columns": {"v": "v"}}}, "alt": []}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "sub": {"is": "map", "at": "a", "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "sub": {"is": "slots", "at": "a", "bind": [{"column": "host"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "agg": {"measures": {"v": {"min": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "agg": {"n": "n"}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "sub": {"is": "list", "at": "a", "bind": [{"column": "host"}], "raw": {"columns": {"host": "h", "v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "agg": {"measures": {"v": "v"}}, "sub": {"is": "list", "at": "a", "bind": [{"column": "v"}], "raw": {"columns": {"w": "w"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "alt": [{"is": "list", "at": "a", "bind": [{"column": "host", "encoding": "text"}], "raw": {"columns": {"v": "v"}}},
   {"is": "list", "at": "b", "raw": {"columns": {"v": "v"}}}]}}]}';
-- the time
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"part": "hour", "of": "day"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "hour"}, {"trunc": "day"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day"}, {"part": "minute", "of": "hour"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day"}, {"part": "day", "of": "minute"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day"}, {"part": "month", "of": "epoch"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "epoch"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "part": "hour"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "of": "month"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "dy"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "month"}, {"column": "host", "encoding": "text"}], "raw": {"columns": {"v": {"at": "v", "encoding": {"kind": "native", "as": "int32"}}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "range": {"min": "a", "max": "b"}, "raw": {"columns": {"v": {"at": "v", "encoding": "text"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "range": {"min": "a"}, "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "sub": {"is": "slots", "at": "a", "bind": [{"part": "ms", "of": "day"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "partition": "day", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "month"}], "agg": {"measures": {"v": "v"}}}}]}';
-- encodings and formats
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": "txt"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": "text"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": "format"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": {"format": "%m%d"}}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": {"format": "%Y%m%d %I"}}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": {"format": "%Y%m"}}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": {"kind": "date", "format": "%Y"}}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": {"kind": "epoch_ms", "as": "int32"}}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day", "encoding": {"kind": "date", "pad": 2}}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day"}], "sub": {"is": "map", "at": "h", "bind": [{"part": "hour", "of": "day", "encoding": "date"}], "agg": {"measures": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["host"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day"}], "sub": {"is": "map", "at": "h", "bind": [{"part": "hour", "of": "day"}], "agg": {"measures": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "id": [{"column": "host", "encoding": "text"}, "/", {"column": "k"}], "root": {"is": "document", "bind": [{"column": "host", "encoding": "epoch_s"}, {"column": "k"}], "raw": {"columns": {"v": "v"}}}}]}';
-- names of fields
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "$h"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "a.$h"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "a."}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "h"}], "raw": {"columns": {"v": "h"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "h"}], "raw": {"columns": {"v": "h.v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "h"}], "range": {"min": "h", "max": "e", "encoding": "date"}, "sub": {"is": "list", "at": "m", "bind": [{"column": "ts", "at": "t", "encoding": "date"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "h"}], "range": {"min": "s", "max": "s", "encoding": "date"}, "sub": {"is": "list", "at": "m", "bind": [{"column": "ts", "at": "t", "encoding": "date"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "h"}, {"trunc": "day", "at": "s", "encoding": "date"}], "range": {"min": "b", "max": "s", "encoding": "date"}, "sub": {"is": "list", "at": "m", "bind": [{"column": "ts", "at": "t", "encoding": "date"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "h"}, {"trunc": "day", "at": "s", "encoding": "date"}], "range": {"min": "s", "max": "e", "encoding": "epoch_s"}, "sub": {"is": "list", "at": "m", "bind": [{"column": "ts", "at": "t", "encoding": "date"}], "raw": {"columns": {"v": "v"}}}}}]}';
-- an attached collection's lower bound is its day, too
CREATE LAYOUT day_is_bound AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host", "at": "h"}, {"trunc": "day", "at": "s", "encoding": "date"}], "range": {"min": "s", "max": "e", "encoding": "date"}, "sub": {"is": "list", "at": "m", "bind": [{"column": "ts", "at": "t", "encoding": "date"}], "raw": {"columns": {"v": "v"}}}}}]}';
DROP LAYOUT day_is_bound;
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "sub": {"is": "list", "at": "a", "bind": [{"column": "host", "at": "d"}], "agg": {"n": "d"}, "raw": {"at": "v", "many": true, "columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "order": ["a.b"], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "raw": {"columns": {"v": "_id"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "raw": {"columns": {"v": ""}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "raw": {"columns": {"": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "raw": {"columns": {"a.b": "a b", "c[0]": "$c"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "raw": {"at": "v", "columns": {"v": "v"}}}}]}';
-- keys and ids
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "id": [{"column": "host"}, {"column": "k"}], "root": {"is": "document", "bind": [{"column": "host"}, {"column": "k"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "id": [{"column": "host"}, "x", {"column": "k"}], "root": {"is": "document", "bind": [{"column": "host"}, {"column": "k"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "id": [{"column": "host"}, "/", {"column": "kk"}], "root": {"is": "document", "bind": [{"column": "host"}, {"column": "k"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "id": [{"column": "host"}, "/", "z"], "root": {"is": "document", "bind": [{"column": "host"}, {"column": "k"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "id": [{"column": "host"}, "/", {"column": "k", "from": "id"}], "root": {"is": "document", "bind": [{"column": "host"}, {"column": "k"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "repeats": true, "id": [{"column": "host"}], "root": {"is": "document", "bind": [{"column": "host"}], "sub": {"is": "list", "at": "a", "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "raw": {"columns": {"v": "v"}}}}, {"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "key": ["a", "a"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}], "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "sums", "key": ["v"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"trunc": "day"}], "agg": {"measures": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "tie": ["v"], "stores": [{"collection": "c", "root": {"is": "document", "raw": {"columns": {"v": "v"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "latest", "key": ["k"], "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "k", "at": "_id"}], "raw": {"columns": {"ts": "ts"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "latest", "key": ["k"], "stores": [{"collection": "c", "write": "newer", "root": {"is": "document", "bind": [{"column": "k", "at": "k"}], "raw": {"columns": {"ts": "ts"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "latest", "key": ["k"], "stores": [{"collection": "c", "write": "newer", "root": {"is": "document", "bind": [{"column": "k", "at": "_id"}], "raw": {"columns": {"ts": {"at": "ts", "encoding": {"format": "%Y%m%d%H%M%S"}}}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "preallocate": 10, "write": "inc", "root": {"is": "document", "bind": [{"trunc": "day"}], "raw": {"columns": {"ts": "ts"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "timeseries": {"timeField": "at", "granularity": "days"}, "root": {"is": "document", "raw": {"columns": {"ts": "at"}}}}]}';
CREATE LAYOUT bad AS '{"keeps": "records", "stores": [{"collection": "c", "timeseries": {"timeField": "t"}, "root": {"is": "document", "raw": {"columns": {"ts": "at"}}}}]}';
SELECT count(*) FROM pg_catalog.pg_class WHERE relname = 'bad';
-- what depends on the table
CREATE LAYOUT fine AS '{"keeps": "records", "stores": [{"collection": "fine", "root": {"is": "document", "bind": [{"column": "host"}, {"trunc": "hour", "at": "h"}],
   "sub": {"is": "map", "at": "m", "bind": [{"part": "minute", "of": "hour", "encoding": "text"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE TABLE f (host text DIMENSION, v bigint MEASURE) USING fine;
CREATE TABLE f (ts timestamptz TIME, v bigint MEASURE) USING fine;
CREATE TABLE f (ts timestamptz TIME, hots text DIMENSION, v bigint MEASURE) USING fine;
CREATE TABLE f (ts timestamptz TIME, host text DIMENSION, v bigint MEASURE) USING fine;
CREATE TABLE f (ts timestamptz TIME PERIOD '90 s', host text DIMENSION, v bigint MEASURE) USING fine;
CREATE TABLE f (ts timestamptz TIME PERIOD '60 s', host text DIMENSION, v bigint MEASURE, w bigint MEASURE) USING fine;
CREATE TABLE f (ts timestamptz TIME PERIOD '60 s', host text DIMENSION, v bigint MEASURE) USING fine;
INSERT INTO f VALUES ('2024-02-29 12:34+00', 'a', 1);
SELECT * FROM f;
CREATE TABLE g (ts timestamptz TIME PERIOD '60 s', host text DIMENSION, v bigint MEASURE) USING rows;
ALTER TABLE g ADD LAYOUT again USING fine WITH (collection = 'system.fine');
ALTER TABLE g ADD LAYOUT again USING fine WITH (collection = 'fine2');
CREATE LAYOUT two AS '{"keeps": "records", "stores": [{"collection": "two_a", "root": {"is": "document", "raw": {"columns": {"v": "v"}}}}, {"collection": "two_b", "root": {"is": "document", "raw": {"columns": {"v": "v"}}}}]}';
CREATE TABLE two (v integer) USING two WITH (collection = 'two_b');
CREATE TABLE two (v integer) USING two WITH (collection = 'two_c');

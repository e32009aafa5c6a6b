-- args: data/partitions
-- Collections of months and days that other software wrote; names that are none.
\d
CREATE TABLE history (ts timestamptz TIME FIELD 'T', UserId text DIMENSION, cell integer) USING rows WITH (collection = 'history', partition_by = 'month');
\d+ history
SELECT * FROM history ORDER BY ts;
SELECT UserId, count(*) FROM history WHERE ts >= '2024-01-15' AND ts < '2024-02-01' GROUP BY 1;
EXPLAIN (COSTS off) SELECT UserId, count(*) FROM history WHERE ts >= '2024-01-15' AND ts < '2024-02-01' GROUP BY 1;
CREATE TABLE stray (ts timestamptz TIME FIELD 'T', UserId text DIMENSION, cell integer) USING rows WITH (collection = 'stray', partition_by = 'day');
SELECT * FROM stray;
CREATE TABLE wrong (ts timestamptz TIME FIELD 'T', UserId text DIMENSION, cell integer) USING rows WITH (collection = 'wrong', partition_by = 'month');
-- A partition that a query doesn't read isn't looked at either.
CREATE TABLE half (ts timestamptz TIME FIELD 'T', UserId text DIMENSION, cell integer MEASURE) USING rows WITH (collection = 'half', partition_by = 'month');
SELECT sum(cell) FROM half WHERE ts < '2024-01-31';
SELECT sum(cell) FROM half WHERE ts >= '2024-01-31';
CHECK TABLE half;
SELECT a.cell FROM half a JOIN half b USING (ts) WHERE ts < '2024-01-31';
CREATE TABLE later (ts timestamptz TIME FIELD 'T', UserId text DIMENSION, cell integer) USING rows WITH (collection = 'later', partition_by = 'month');
SELECT * FROM later;
SET on_malformed = 'skip';
SELECT * FROM later;
CHECK TABLE later;
DELETE FROM history WHERE ts < '2024-02-01';
DROP TABLE history;
\d
-- Documents without a time, which come first or last whatever partition they lie in, and one in a newer partition than that of its time.
CREATE TABLE older (ts timestamptz TIME FIELD 'T', UserId text DIMENSION, cell integer) USING rows WITH (collection = 'older', partition_by = 'month');
SELECT ts, cell FROM older ORDER BY ts DESC, cell LIMIT 3;
SELECT ts, cell FROM older ORDER BY ts NULLS FIRST, cell LIMIT 3;
SELECT ts, cell FROM older WHERE ts < '2025-01-01' AND UserId <> 'u1' ORDER BY ts DESC LIMIT 3;
SELECT max(ts), last(cell, ts) FROM older;
SELECT min(ts), max(ts) FROM older WHERE UserId = 'u4';
SELECT max(ts) FROM older WHERE UserId = 'u2';
SELECT max(ts) FROM older WHERE UserId = 'u1';

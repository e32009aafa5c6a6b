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
CREATE TABLE later (ts timestamptz TIME FIELD 'T', UserId text DIMENSION, cell integer) USING rows WITH (collection = 'later', partition_by = 'month');
SELECT * FROM later;
SET on_malformed = 'skip';
SELECT * FROM later;
CHECK TABLE later;
DELETE FROM history WHERE ts < '2024-02-01';
DROP TABLE history;
\d

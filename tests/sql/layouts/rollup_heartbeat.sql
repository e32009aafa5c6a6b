-- also: mongo
-- Roll-ups that keep heartbeat_agg. Each answer is that of the records.
SET timezone = 'UTC';
CREATE TABLE b (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE);
ALTER TABLE b ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', by = 'host', keep = 'heartbeat_agg(ts, time_bucket(''1 hour'', ts), ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT mixed USING rollup WITH (bucket = '1 hour, 1 day', by = 'host', keep = 'heartbeat_agg(ts, TIME_BUCKET( ''1 day'' , "ts" ), ''1 day'', ''25 min'')');
INSERT INTO b SELECT timestamptz '2024-05-01' + i * interval '7 min', 'h' || i % 2, i FROM generate_series(0, 600) i WHERE i % 13 > 4;
INSERT INTO b VALUES ('2024-05-01 03:00', 'h1', 5), ('2024-05-01 02:59:59.999', 'h1', 5), ('2024-05-01 03:10', 'h0', 7);
UPDATE b SET ts = ts + interval '5 min' WHERE v % 17 = 3;
DELETE FROM b WHERE v BETWEEN 300 AND 330;
CHECK TABLE b;
SET layout = 'hourly';
SELECT host, time_bucket('1 hour', ts) AS hour, uptime(heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min')), num_gaps(heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min')) FROM b WHERE ts < '2024-05-01 05:00' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT host, uptime(rollup(a)), num_gaps(rollup(a)) FROM (SELECT host, time_bucket('1 hour', ts) AS hour, heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min') AS a FROM b GROUP BY 1, 2) AS u GROUP BY 1 ORDER BY 1;
-- Hours of several periods in one group: as over records.
SELECT uptime(heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min')) FROM b;
SET layout = 'mixed';
SELECT time_bucket('1 day', ts) AS day, uptime(heartbeat_agg(ts, time_bucket('1 day', ts), '1 day', '25 min')), num_gaps(heartbeat_agg(ts, time_bucket('1 day', ts), '1 day', '25 min')) FROM b WHERE host = 'h1' AND ts >= '2024-05-01 07:00' GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT host, time_bucket('1 hour', ts) AS hour, uptime(heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min')), num_gaps(heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min')) FROM b WHERE ts < '2024-05-01 05:00' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT host, uptime(rollup(a)), num_gaps(rollup(a)) FROM (SELECT host, time_bucket('1 hour', ts) AS hour, heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min') AS a FROM b GROUP BY 1, 2) AS u GROUP BY 1 ORDER BY 1;
SELECT uptime(heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '10 min')) FROM b;
SELECT time_bucket('1 day', ts) AS day, uptime(heartbeat_agg(ts, time_bucket('1 day', ts), '1 day', '25 min')), num_gaps(heartbeat_agg(ts, time_bucket('1 day', ts), '1 day', '25 min')) FROM b WHERE host = 'h1' AND ts >= '2024-05-01 07:00' GROUP BY 1 ORDER BY 1;
-- Other widths, and other columns, aren't kept.
SET layout = 'hourly';
SELECT host, uptime(heartbeat_agg(ts, time_bucket('2 hours', ts), '2 hours', '10 min')) FROM b GROUP BY 1, time_bucket('2 hours', ts);
RESET layout;
-- The rows of one group are of one period, in partitions, too.
CREATE TABLE p (ts timestamptz TIME NOT NULL) USING rows WITH (partition_by = 'day');
INSERT INTO p SELECT ts FROM b;
SELECT uptime(heartbeat_agg(ts, time_bucket('1 day', ts), '1 day', '10 min')) FROM p;
SELECT uptime(heartbeat_agg(ts, '2024-05-01', '7 days', '10 min')) FROM p;
-- What is refused.
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, ts, ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, time_bucket(''30 min'', ts), ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING rollup WITH (bucket = '7 days', keep = 'heartbeat_agg(ts, time_bucket(''1 month'', ts), ''31 days'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, time_bucket(''1 hour'', v), ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, time_bucket(''an hour'', ts), ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, time_bucket(''-1 hour'', ts), ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, time_bucket(''1 hour'', ts, ''UTC''), ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, ''2024-05-01'', ''1 hour'', ''10 min'')');
ALTER TABLE b ADD LAYOUT r USING nested WITH (cluster_by = 'host', levels = 'ts', keep = 'heartbeat_agg(ts, time_bucket(''1 hour'', ts), ''1 hour'', ''10 min'')');
-- A bucket that is longer than its period refuses rows that are not in it.
ALTER TABLE b ADD LAYOUT r USING rollup WITH (keep = 'heartbeat_agg(ts, time_bucket(''1 day'', ts), ''1 hour'', ''10 min'')');
DROP TABLE b, p;

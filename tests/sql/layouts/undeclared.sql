-- args: data/dump
-- Collections that nobody declared: their columns are what a sample shows.
\d days
\d claims
\d memory
SELECT * FROM grid ORDER BY _id;
SELECT k, sum(v), count(*) FROM grid GROUP BY k ORDER BY k;
SELECT timestamp_minute, type, values FROM memory;
SELECT v, timestamp::text FROM grid WHERE timestamp IS NOT NULL ORDER BY v;
-- Paths are names.
\d sensors
SELECT at.room, sensors.at.floor, value FROM sensors ORDER BY value;
SELECT s.at.room, avg(value) FROM sensors s GROUP BY at.room ORDER BY 1;
SELECT value FROM SENSORS WHERE _id = '65a000000000000000000002';
EXPLAIN SELECT value FROM sensors WHERE time >= '2024-01-01 00:01+00' AND at.floor = 2;
-- Arrays of one type are arrays.
SELECT value, tag, n FROM sensors, unnest(sensors.tags) WITH ORDINALITY AS u (tag, n) ORDER BY value, n;
SELECT value FROM sensors WHERE 'b' = ANY (tags) AND cardinality(tags) > 0;
EXPLAIN SELECT tag, count(*) FROM sensors, unnest(tags) AS tag WHERE 'b' = ANY (tags) GROUP BY tag;
SET sample_size = 0;
COPY (SELECT value FROM sensors ORDER BY value LIMIT 1) TO STDOUT;
INSERT INTO sensors VALUES (1);
SELECT vale FROM sensors;
SELECT * FROM sensor;
-- What would declare them.
\infer sensors
\infer memory
\infer nested
\infer words
\infer nothing

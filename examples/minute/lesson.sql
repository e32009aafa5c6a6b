-- Samples of five gauges, a second apart. Now and then one is missing.
CREATE TABLE gauges (ts timestamptz TIME PERIOD '1 s', type text DIMENSION NOT NULL, value bigint MEASURE NOT NULL) USING minute;
COPY gauges FROM 'gauges.csv' WITH (FORMAT csv, HEADER, EPOCH 's');
ANALYZE gauges;

-- Each document's num_samples and total_samples answer for whole minutes. No value is read.
SELECT type, date_trunc('hour', ts) AS hour, count(*), round(avg(value), 3) AS mean FROM gauges GROUP BY type, hour ORDER BY type, hour LIMIT 6;

-- The largest and smallest values need the samples.
SELECT type, min(value), max(value) FROM gauges GROUP BY type ORDER BY type;

-- A range that cuts through minutes: sums for whole minutes, samples for the two at the ends.
SELECT type, count(*), sum(value) FROM gauges WHERE ts >= '2015-04-11 18:40:30+00' AND ts < '2015-04-11 19:20:15+00' GROUP BY type ORDER BY type;

-- Seconds of one minute, as rows.
SELECT ts, value FROM gauges WHERE type = 'load' AND ts >= '2015-04-11 18:45:00+00' AND ts < '2015-04-11 18:45:05+00' ORDER BY ts;

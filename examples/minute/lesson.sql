-- Samples of five gauges, a second apart; now and then one is missing.
CREATE TABLE gauges (ts timestamptz TIME PERIOD '1 s', type text DIMENSION NOT NULL, value bigint MEASURE NOT NULL) USING minute;
COPY gauges FROM 'gauges.csv' WITH (FORMAT csv, HEADER, EPOCH 's');
ANALYZE gauges;

-- Whole minutes are answered by each document's num_samples and total_samples; no value is read.
SELECT type, date_trunc('hour', ts) AS hour, count(*), round(avg(value), 3) AS mean FROM gauges GROUP BY type, hour ORDER BY type, hour LIMIT 6;

-- Largest and smallest values need the samples themselves.
SELECT type, min(value), max(value) FROM gauges GROUP BY type ORDER BY type;

-- A range that cuts through minutes: whole minutes by their sums, the two at the ends by their samples.
SELECT type, count(*), sum(value) FROM gauges WHERE ts >= '2015-04-11 18:40:30+00' AND ts < '2015-04-11 19:20:15+00' GROUP BY type ORDER BY type;

-- Seconds of one minute, as rows.
SELECT ts, value FROM gauges WHERE type = 'load' AND ts >= '2015-04-11 18:45:00+00' AND ts < '2015-04-11 18:45:05+00' ORDER BY ts;

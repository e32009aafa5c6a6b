-- The cost of a cut: what it counts beside documents, cells and bytes.
SET enable_columns = off;
CREATE TABLE c (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL);
INSERT INTO c SELECT timestamptz '2024-01-30 00:00+00' + g / 5 * interval '1 min', 'h' || g % 5, g FROM generate_series(0, 9999) g;
ALTER TABLE c ADD LAYOUT hosts USING nested WITH (cluster_by = 'day', levels = 'host, ts', presum = '');
ANALYZE c;
-- groups: one look-up for each host of a day, one for each row of a computed key
EXPLAIN SELECT host, max(n) FROM c GROUP BY 1;
EXPLAIN SELECT date_trunc('hour', ts), host, max(n) FROM c GROUP BY 1, 2;
-- rows lie in the order of time, so a look-up for each time
EXPLAIN SELECT ts, max(n) FROM c GROUP BY 1;
-- a condition is checked once for each host, or for each record
EXPLAIN SELECT max(n) FROM c WHERE host <> 'h1';
-- the length of each array of records needs a step for each record
EXPLAIN SELECT host, count(*) FROM c GROUP BY 1;
-- the last day has records until 09:20
EXPLAIN SELECT max(n) FROM c WHERE ts >= '2024-01-31 01:00+00' AND ts < '2024-01-31 02:00+00';

-- A column of dates is cast to a time by date_trunc. A level by month answers units of months or longer, in any time zone.
CREATE TABLE d (day date TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
INSERT INTO d SELECT date '2018-09-20' + i, 'k' || i % 3, i FROM generate_series(0, 199) i;
ALTER TABLE d ADD LAYOUT months USING nested WITH (cluster_by = 'month', levels = 'k', presum = 'k', raw_values = false);
SELECT date_trunc('month', day), sum(v), count(*) FROM d GROUP BY 1 ORDER BY 1;
SELECT date_trunc('quarter', day::timestamp), sum(v) FROM d GROUP BY 1 ORDER BY 1;
-- a clock that goes forward at midnight, on November 4th, 2018
SET timezone = 'America/Sao_Paulo';
SELECT date_trunc('month', day), sum(v), count(*) FROM d GROUP BY 1 ORDER BY 1;
SELECT date_trunc('year', day), k, sum(v) FROM d GROUP BY 1, 2 ORDER BY 1, 2;
SELECT date_trunc('month', day, 'Asia/Tokyo'), sum(v), count(*) FROM d GROUP BY 1 ORDER BY 1;
SELECT date_trunc('week', day), count(*) FROM d WHERE day < '2018-10-01' GROUP BY 1 ORDER BY 1;

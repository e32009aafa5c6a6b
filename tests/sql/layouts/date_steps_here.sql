-- A column of dates is cast to a time by date_trunc. A level by month answers units of months or longer, in any time zone.
CREATE TABLE d (day date TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
INSERT INTO d SELECT date '2018-09-20' + i, 'k' || i % 3, i FROM generate_series(0, 199) i;
ALTER TABLE d ADD LAYOUT months USING nested WITH (cluster_by = 'month', levels = 'k', presum = 'k', raw_values = false);
EXPLAIN (COSTS off) SELECT date_trunc('month', day), sum(v) FROM d GROUP BY 1;
-- a clock that goes forward at midnight, on November 4th, 2018
SET timezone = 'America/Sao_Paulo';
EXPLAIN (COSTS off) SELECT date_trunc('year', day), sum(v) FROM d GROUP BY 1;
-- weeks, days and months of another time zone need the days
EXPLAIN (COSTS off) SELECT date_trunc('week', day), sum(v) FROM d GROUP BY 1;
EXPLAIN (COSTS off) SELECT date_trunc('month', day, 'Asia/Tokyo'), sum(v) FROM d GROUP BY 1;

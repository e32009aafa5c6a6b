-- What would have other values each time it is read.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, n bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 'a', 1, 1), ('2015-01-01 00:00+00', 'h1', 'b', 2, NULL), ('2015-01-01 00:30+00', 'h2', 'a', 3, 4), ('2015-01-01 01:10+00', 'h2', 'b', 4, 8);
INSERT INTO t VALUES ('2015-01-01 01:20+00', 'h1', 'a', 5, 16), ('2015-01-02 00:00+00', NULL, 'b', 6, 32), ('2015-01-02 05:00+00', 'h3', 'a', 7, 64);
WITH x AS (SELECT random() AS r) SELECT r < 2 FROM x;
WITH RECURSIVE r (x) AS (SELECT interval '1 day' UNION SELECT interval '24 hours' FROM r) SELECT count(*) FROM r;

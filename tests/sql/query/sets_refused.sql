-- What would have other values each time it is read.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, n bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 'a', 1, 1), ('2015-01-01 00:00+00', 'h1', 'b', 2, NULL), ('2015-01-01 00:30+00', 'h2', 'a', 3, 4), ('2015-01-01 01:10+00', 'h2', 'b', 4, 8);
INSERT INTO t VALUES ('2015-01-01 01:20+00', 'h1', 'a', 5, 16), ('2015-01-02 00:00+00', NULL, 'b', 6, 32), ('2015-01-02 05:00+00', 'h3', 'a', 7, 64);
WITH x AS (SELECT random() AS r) SELECT r < 2 FROM x;
WITH RECURSIVE r (x) AS (SELECT interval '1 day' UNION SELECT interval '24 hours' FROM r) SELECT count(*) FROM r;
-- a given value of rank and its like that is made before the grouping
SELECT a, rank((SELECT a)) WITHIN GROUP (ORDER BY b) FROM (VALUES (1, 1), (1, 4)) AS v (a, b) GROUP BY ROLLUP (a);
SELECT a, rank(-1 + 4) WITHIN GROUP (ORDER BY b) FROM (VALUES (1, 1), (1, 4), (1, 5), (3, 1), (3, 2)) AS v (a, b) GROUP BY ROLLUP (a) ORDER BY a;
SELECT a, cume_dist(a) WITHIN GROUP (ORDER BY b) FROM (VALUES (1, 1), (1, 4), (1, 5), (3, 1), (3, 2)) AS v (a, b) GROUP BY GROUPING SETS ((a)) ORDER BY a;
-- two output columns of one expression
SELECT x AS a, x AS b, count(*) FROM (VALUES (1), (2)) AS v (x) GROUP BY a, ROLLUP (b);
SELECT x AS a, x AS b, count(*) FROM (VALUES (1), (2)) AS v (x) GROUP BY a, b ORDER BY a;
SELECT x, x AS b, count(*) FROM (VALUES (1), (2)) AS v (x) GROUP BY x, ROLLUP (x) ORDER BY x;

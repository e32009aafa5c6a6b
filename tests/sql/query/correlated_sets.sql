-- Set operations, DISTINCT ON and grouping sets in sub-selects that refer to the query around them.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, n bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 'a', 1, 1), ('2015-01-01 00:00+00', 'h1', 'b', 2, NULL), ('2015-01-01 00:30+00', 'h2', 'a', 3, 4), ('2015-01-01 01:10+00', 'h2', 'b', 4, 8);
INSERT INTO t VALUES ('2015-01-01 01:20+00', 'h1', 'a', 5, 16), ('2015-01-02 00:00+00', NULL, 'b', 6, 32), ('2015-01-02 05:00+00', 'h3', 'a', 7, 64);
SELECT n, (SELECT count(*) FROM (SELECT host FROM t x WHERE x.n < t.n EXCEPT SELECT 'h1') s) FROM t ORDER BY n;
SELECT n FROM t WHERE EXISTS (SELECT x.n FROM t x WHERE x.host = t.host AND x.n > t.n INTERSECT SELECT 5) ORDER BY n;
SELECT n, (SELECT DISTINCT ON (x.app) x.n FROM t x WHERE x.app = t.app ORDER BY x.app, x.n DESC) AS most FROM t ORDER BY n;
SELECT n, (SELECT sum(x.n) FROM t x WHERE x.n <= t.n GROUP BY ROLLUP (x.host) ORDER BY 1 DESC LIMIT 1) FROM t ORDER BY n;

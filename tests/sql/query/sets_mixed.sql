-- also: postgres mongo
-- Set operations, DISTINCT ON, grouping sets, ties and recursion together with windows, joins, conditions from outside, views and INSERT.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, n bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 'a', 1, 1), ('2015-01-01 00:00+00', 'h1', 'b', 2, NULL), ('2015-01-01 00:30+00', 'h2', 'a', 3, 4), ('2015-01-01 01:10+00', 'h2', 'b', 4, 8);
INSERT INTO t VALUES ('2015-01-01 01:20+00', 'h1', 'a', 5, 16), ('2015-01-02 00:00+00', NULL, 'b', 6, 32), ('2015-01-02 05:00+00', 'h3', 'a', 7, 64);
SELECT host, app, sum(n), rank() OVER (ORDER BY sum(n) DESC) FROM t GROUP BY ROLLUP (host, app) ORDER BY 4, 1, 2;
SELECT host, sum(n), sum(sum(n)) OVER (PARTITION BY GROUPING (host) ORDER BY host) FROM t GROUP BY ROLLUP (host) ORDER BY GROUPING (host), host;
SELECT DISTINCT count(*) OVER (PARTITION BY host) FROM t ORDER BY 1;
SELECT DISTINCT ON (host) host, n, row_number() OVER (ORDER BY n DESC) AS place FROM t ORDER BY host, place;
SELECT host, row_number() OVER (PARTITION BY host ORDER BY n) FROM t EXCEPT ALL SELECT host, 1 FROM t ORDER BY 1, 2;
SELECT n, lag(n) OVER (ORDER BY n) FROM (SELECT n FROM t WHERE n < 4 INTERSECT SELECT n FROM t WHERE n > 1) s ORDER BY n;
SELECT count(*), sum(n) FROM (SELECT n, rank() OVER (ORDER BY app) AS r FROM t ORDER BY r FETCH FIRST 1 ROWS WITH TIES) s;
-- joins of them
SELECT a.host, b.app, a.total FROM (SELECT host, sum(n) AS total FROM t GROUP BY ROLLUP (host)) a JOIN (SELECT DISTINCT ON (host) host, app FROM t ORDER BY host, n DESC) b ON a.host = b.host ORDER BY 1;
SELECT a.n FROM (SELECT n FROM t EXCEPT SELECT 1) a JOIN (SELECT n FROM t INTERSECT ALL SELECT n FROM t WHERE host = 'h1') b USING (n) ORDER BY 1;
SELECT x.host, y.host, count(*) FROM t x JOIN t y ON x.app = y.app GROUP BY CUBE (x.host, y.host) HAVING count(*) > 3 ORDER BY 1, 2, 3;
SELECT t.n, f.k FROM t LEFT JOIN (WITH RECURSIVE r (k) AS (SELECT 1 UNION ALL SELECT k * 2 FROM r WHERE k < 8) SELECT k FROM r) f ON f.k = t.n ORDER BY 1;
-- conditions that could go inside, and mustn't where they change what is counted
SELECT * FROM (SELECT host, sum(n) AS s FROM t GROUP BY ROLLUP (host)) q WHERE host = 'h1' ORDER BY 1;
SELECT * FROM (SELECT host, sum(n) AS s FROM t GROUP BY ROLLUP (host)) q WHERE host IS NULL ORDER BY 2;
SELECT * FROM (SELECT host, app, count(*) AS c FROM t GROUP BY CUBE (host, app)) q WHERE app = 'a' ORDER BY 1, 3;
SELECT * FROM (SELECT DISTINCT ON (host) host, n FROM t ORDER BY host, n) q WHERE n > 2 ORDER BY 1;
SELECT * FROM (SELECT n FROM t ORDER BY host FETCH FIRST 1 ROWS WITH TIES) q WHERE n > 1 ORDER BY 1;
SELECT * FROM (SELECT n, app FROM t EXCEPT SELECT n, 'a' FROM t) q WHERE n > 2 ORDER BY 1;
SELECT * FROM (SELECT n % 3 AS m FROM t INTERSECT ALL SELECT n % 2 FROM t) q WHERE m = 1;
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT a.n FROM r a JOIN r b ON a.n = b.n AND a.n > 3 WHERE b.n < 5 ORDER BY 1;
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r WHERE n > 3 ORDER BY 1;
-- stored, and seen through a view
CREATE VIEW w AS SELECT host, sum(n) AS s FROM t GROUP BY ROLLUP (host) UNION ALL SELECT 'x', 0;
SELECT * FROM w ORDER BY 1, 2;
CREATE VIEW r AS WITH RECURSIVE r (k) AS (SELECT 1 UNION SELECT k + 2 FROM r WHERE k < 6) SELECT k FROM r;
SELECT * FROM r ORDER BY k;
WITH RECURSIVE q (k) AS (SELECT 1 UNION ALL SELECT q.k + 1 FROM q JOIN r ON r.k = q.k) SELECT k FROM q ORDER BY 1;
CREATE TABLE into_it (a text, b numeric);
INSERT INTO into_it SELECT host, sum(n) FROM t GROUP BY CUBE (host) EXCEPT SELECT 'h1', 8;
INSERT INTO into_it WITH RECURSIVE r (k) AS (SELECT 100 UNION ALL SELECT k + 1 FROM r WHERE k < 102) SELECT 'r', k FROM r;
SELECT * FROM into_it ORDER BY a, b;
PREPARE some (int) AS SELECT app FROM t ORDER BY app FETCH FIRST $1 ROWS WITH TIES;
EXECUTE some (1);
PREPARE steps (int) AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < $1) SELECT n FROM r INTERSECT SELECT $1 - 1;
EXECUTE steps (5);

-- also: postgres mongo
-- GROUPING SETS, ROLLUP, CUBE, GROUPING, GROUP BY DISTINCT.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, n bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 'a', 1, 1), ('2015-01-01 00:00+00', 'h1', 'b', 2, NULL), ('2015-01-01 00:30+00', 'h2', 'a', 3, 4), ('2015-01-01 01:10+00', 'h2', 'b', 4, 8);
INSERT INTO t VALUES ('2015-01-01 01:20+00', 'h1', 'a', 5, 16), ('2015-01-02 00:00+00', NULL, 'b', 6, 32), ('2015-01-02 05:00+00', 'h3', 'a', 7, 64);
SELECT host, app, sum(n) FROM t GROUP BY ROLLUP (host, app) ORDER BY GROUPING (host, app), host, app;
SELECT host, app, sum(n), count(*), GROUPING (host, app), GROUPING (app), GROUPING (app, host) FROM t GROUP BY CUBE (host, app) ORDER BY 5, 1, 2;
SELECT host, app, count(*), avg(v) FROM t GROUP BY GROUPING SETS ((host), (app), ()) ORDER BY host, app, 3;
SELECT date_trunc('day', ts) AS day, app, max(n) FROM t GROUP BY ROLLUP (day, app) ORDER BY GROUPING (date_trunc('day', ts)), day, GROUPING (app), app;
SELECT host, app, date_trunc('day', ts) AS day, sum(n) FROM t GROUP BY host, ROLLUP (app, date_trunc('day', ts)) ORDER BY host, app, day;
SELECT host, app, date_trunc('day', ts) AS day, count(*) FROM t GROUP BY ROLLUP ((host, app), 3) ORDER BY 1, 2, 3, 4;
SELECT host, app, count(*) FROM t GROUP BY GROUPING SETS (ROLLUP (host), CUBE (app), GROUPING SETS ((host, app), ())) ORDER BY 1, 2, 3;
SELECT host, app, count(*) FROM t GROUP BY CUBE (host), CUBE (app) ORDER BY 1, 2, 3;
SELECT host, count(*) FROM t GROUP BY ROLLUP (host), ROLLUP (host) ORDER BY 1, 2;
SELECT host, count(*) FROM t GROUP BY DISTINCT ROLLUP (host), ROLLUP (host) ORDER BY 1, 2;
SELECT count(*) FROM t GROUP BY GROUPING SETS ((), (), ());
SELECT count(*) FROM t GROUP BY DISTINCT GROUPING SETS ((), (), ());
-- nothing to group: the empty set has a row all the same
SELECT host, count(*), sum(n) FROM t WHERE n > 100 GROUP BY ROLLUP (host);
SELECT host, count(*) FROM t WHERE n > 100 GROUP BY GROUPING SETS (host);
SELECT host, count(*) FROM t GROUP BY GROUPING SETS ((host)) ORDER BY host;
SELECT host, app, count(*) FROM t GROUP BY (host, app), () ORDER BY 1, 2;
-- what aggregates see isn't what the grouping made NULL
SELECT host, count(host), min(host) FROM t GROUP BY ROLLUP (host) ORDER BY 1, 2;
SELECT coalesce(host, 'all') AS h, upper(host), sum(n) FROM t WHERE host IS NOT NULL GROUP BY ROLLUP (host) ORDER BY 1;
SELECT CASE WHEN GROUPING (host) = 1 THEN 'all' ELSE coalesce(host, '?') END AS h, sum(n) FROM t GROUP BY ROLLUP (host) ORDER BY GROUPING (host), host;
SELECT host || '/' || app, sum(n) * 2 + GROUPING (host) FROM t GROUP BY CUBE (host, app) ORDER BY 1, 2;
SELECT host || app AS both, count(*) FROM t GROUP BY ROLLUP (host || app) ORDER BY both;
SELECT count(DISTINCT app), count(DISTINCT host), host FROM t GROUP BY ROLLUP (host) ORDER BY host, 2;
SELECT host, sum(n) FILTER (WHERE app = 'a') FROM t GROUP BY ROLLUP (host) ORDER BY 1, 2;
-- what stands above the grouping
SELECT host, app, sum(n) FROM t GROUP BY CUBE (host, app) HAVING sum(n) > 8 ORDER BY 1, 2, 3;
SELECT host, app, sum(n) FROM t GROUP BY CUBE (host, app) HAVING GROUPING (host) = 1 AND app IS NOT NULL ORDER BY sum(n) DESC;
SELECT DISTINCT count(*) FROM t GROUP BY CUBE (host, app) ORDER BY 1;
SELECT DISTINCT ON (GROUPING (host)) host, count(*) FROM t GROUP BY ROLLUP (host) ORDER BY GROUPING (host), count(*) DESC, host;
SELECT host, sum(n) FROM t GROUP BY ROLLUP (host) ORDER BY sum(n) DESC LIMIT 2 OFFSET 1;
SELECT h, sum(s) FROM (SELECT host AS h, app, sum(n) AS s FROM t GROUP BY CUBE (host, app)) q GROUP BY h ORDER BY h;
SELECT d, sum(s) FROM (SELECT date_trunc('day', ts) AS d, n AS s FROM t WHERE app = 'a') q GROUP BY ROLLUP (d) ORDER BY d;
SELECT host, count(*) FROM t GROUP BY ROLLUP (host) EXCEPT SELECT host, count(*) FROM t GROUP BY host ORDER BY 1;
SELECT n FROM t WHERE n IN (SELECT sum(n) FROM t GROUP BY ROLLUP (app, host)) ORDER BY n;
SELECT x, count(*) FROM (VALUES (1), (2), (1)) v (x) GROUP BY ROLLUP (x) ORDER BY x;
SELECT GROUPING (host), host FROM t GROUP BY host ORDER BY host;
-- what isn't possible
SELECT host, n FROM t GROUP BY ROLLUP (host);
SELECT GROUPING (app) FROM t GROUP BY ROLLUP (host);
SELECT GROUPING (host) FROM t;
SELECT GROUPING (upper(host)) FROM t GROUP BY ROLLUP (host);
SELECT host FROM t WHERE GROUPING (host) = 0 GROUP BY host;
SELECT sum(GROUPING (host)) FROM t GROUP BY host;
SELECT GROUPING (host) AS g FROM t GROUP BY g;
SELECT count(*) FROM t GROUP BY CUBE (host, app), ROLLUP (n, count(*));
SELECT count(*) FROM t GROUP BY ROLLUP (4);
SELECT count(*) FROM t GROUP BY CUBE (host, app, n, v, ts, host || app, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7);
SELECT count(*) FROM t GROUP BY CUBE (host, app, n, v, ts, n + 1, n + 2), CUBE (n + 3, n + 4, n + 5, n + 6, n + 7, n + 8);

-- also: mongo postgres
-- WITH queries that are read more than once are computed once.
CREATE TABLE calls (at timestamptz, cmd text, n int);
INSERT INTO calls SELECT '2024-01-01 00:00+00'::timestamptz + g * interval '1 hour', 'c' || g % 3, g FROM generate_series(0, 99) g;
-- volatile: the same rows wherever they are read, also in sub-selects
WITH r AS (SELECT random() AS x FROM generate_series(1, 5)) SELECT count(*) FROM r a JOIN r b USING (x);
WITH r AS MATERIALIZED (SELECT random() AS x) SELECT (SELECT x FROM r) = (SELECT x FROM r) AS a, (SELECT x FROM r) = x AS b FROM r;
WITH r AS NOT MATERIALIZED (SELECT random() AS x) SELECT a.x = b.x AS same FROM r a, r b;
WITH r AS (SELECT random() AS x) SELECT count(*) FROM (SELECT x FROM r EXCEPT SELECT x FROM r) d;
WITH r AS (SELECT random() AS x) SELECT count(DISTINCT (SELECT x FROM r WHERE n >= 0)) FROM calls;
WITH r AS (SELECT random() AS x) SELECT count(DISTINCT l.x) FROM calls, LATERAL (SELECT x FROM r WHERE n >= 0) l;
WITH r AS (SELECT random() AS x) SELECT count(DISTINCT x), count(*) FROM (SELECT x FROM r, calls GROUP BY GROUPING SETS ((x), (x, n))) s;
-- groups, joins, set operations, windows and recursion
WITH d AS (SELECT cmd, sum(n) AS s FROM calls GROUP BY cmd) SELECT a.cmd, a.s, b.cmd, b.s FROM d a JOIN d b ON a.s < b.s ORDER BY 1, 3;
WITH d AS (SELECT cmd, sum(n) AS s FROM calls GROUP BY cmd) SELECT a.s - b.s AS more FROM d a, d b WHERE a.cmd = 'c2' AND b.cmd = 'c1';
WITH d AS MATERIALIZED (SELECT cmd, sum(n) AS s FROM calls GROUP BY cmd) SELECT cmd FROM d WHERE s = (SELECT max(s) FROM d);
WITH d AS (SELECT cmd, n FROM calls UNION SELECT 'none', 0) SELECT (SELECT count(*) FROM d), (SELECT min(n) FROM d), count(*) FROM d WHERE n < 5;
WITH w AS (SELECT n, lag(n) OVER (ORDER BY at) AS before FROM calls) SELECT count(*) FROM w a JOIN w b ON a.n = b.before;
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT a.n, b.n FROM r a JOIN r b ON a.n + b.n = 5 ORDER BY 1;
WITH RECURSIVE d AS (SELECT max(n) AS most FROM calls), r (n) AS (SELECT 96 UNION ALL SELECT r.n + 1 FROM r, d WHERE r.n < d.most) SELECT n, most FROM r, d ORDER BY 1;
-- without an end, as far as somebody reads
WITH RECURSIVE r (n) AS MATERIALIZED (SELECT 1 UNION ALL SELECT n + 1 FROM r) (SELECT n FROM r LIMIT 3) UNION ALL (SELECT n * 10 FROM r LIMIT 2);
-- what refers to the row around is computed for each
SELECT n, (WITH c AS MATERIALIZED (SELECT n * 2 AS m) SELECT sum(a.m + b.m) FROM c a, c b) AS s FROM calls WHERE n < 3 ORDER BY n;
-- one over another, and names again
WITH a AS (SELECT cmd, count(*) AS c FROM calls GROUP BY cmd), b AS (SELECT x.cmd, x.c + y.c AS c FROM a x JOIN a y USING (cmd)) SELECT x.cmd, x.c + y.c AS c FROM b x JOIN b y USING (cmd) ORDER BY 1;
WITH a AS (SELECT cmd, count(*) AS c FROM calls GROUP BY cmd) SELECT cmd, c FROM a UNION ALL (WITH a AS (SELECT 'all' AS cmd, count(*) AS c FROM a) SELECT x.cmd, y.c FROM a x, a y) ORDER BY 1;
WITH c0 AS (SELECT 1 AS a), c1 AS (SELECT x.a FROM c0 x, c0 y), c2 AS (SELECT x.a FROM c1 x, c1 y), c3 AS (SELECT x.a FROM c2 x, c2 y), c4 AS (SELECT x.a FROM c3 x, c3 y), c5 AS (SELECT x.a FROM c4 x, c4 y), c6 AS (SELECT x.a FROM c5 x, c5 y), c7 AS (SELECT x.a FROM c6 x, c6 y), c8 AS (SELECT x.a FROM c7 x, c7 y), c9 AS (SELECT x.a FROM c8 x, c8 y), c10 AS (SELECT x.a FROM c9 x, c9 y), c11 AS (SELECT x.a FROM c10 x, c10 y), c12 AS (SELECT x.a FROM c11 x, c11 y), c13 AS (SELECT x.a FROM c12 x, c12 y), c14 AS (SELECT x.a FROM c13 x, c13 y), c15 AS (SELECT x.a FROM c14 x, c14 y), c16 AS (SELECT x.a FROM c15 x, c15 y), c17 AS (SELECT x.a FROM c16 x, c16 y), c18 AS (SELECT x.a FROM c17 x, c17 y), c19 AS (SELECT x.a FROM c18 x, c18 y), c20 AS (SELECT x.a FROM c19 x, c19 y), c21 AS (SELECT x.a FROM c20 x, c20 y), c22 AS (SELECT x.a FROM c21 x, c21 y), c23 AS (SELECT x.a FROM c22 x, c22 y), c24 AS (SELECT x.a FROM c23 x, c23 y) SELECT count(*) FROM c24;

-- also: mongo
-- Names of results in expressions of the same SELECT: only where PostgreSQL finds no other meaning.
CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE) USING rows;
INSERT INTO t VALUES ('2024-05-01 00:00+00', 'a', 1), ('2024-05-01 00:01+00', 'a', 2), ('2024-05-01 00:02+00', 'b', 3);
SELECT n + 1 AS m, m * 2 AS p, p - m FROM t ORDER BY -p;
SELECT k, sum(n) AS total, count(*) AS rows, total / rows AS mean FROM t GROUP BY k HAVING total > 1 ORDER BY total + 1;
SELECT n + 1 AS m FROM t WHERE m > 2 ORDER BY m;
SELECT n + 1 AS m, rank() OVER (ORDER BY m DESC) AS r, r * 10 FROM t ORDER BY m;
SELECT n % 2 AS odd, count(*) FILTER (WHERE odd = 1), max(odd) FROM t GROUP BY odd ORDER BY 1;
SELECT upper(k) AS u, u || '!' AS "U" FROM t GROUP BY ALL ORDER BY u;
SELECT (SELECT max(n) FROM t u WHERE u.k = t.k) AS m, m - n AS less FROM t ORDER BY n;
SELECT unnest(ARRAY[1, 2]) AS u, u * 2 FROM t WHERE n = 1 ORDER BY u;
-- a column goes first
SELECT n + 1 AS n, n * 2 AS twice FROM t WHERE n = 3;
SELECT 'x' AS k, k || '.' FROM t WHERE n = 1;
SELECT (SELECT k || b.v FROM (VALUES ('!')) b (v)) AS v FROM t WHERE n = 1;
-- not before it is there, not twice, not in a sub-select
SELECT m * 2, n + 1 AS m FROM t;
SELECT n + 1 AS m, n + 2 AS m, m FROM t;
SELECT n + 1 AS m, (SELECT m) FROM t;
SELECT n AS t, t FROM t;
SELECT sum(n) AS s, max(s) FROM t;
SELECT sum(n) AS s FROM t WHERE s > 1;
SELECT rank() OVER (ORDER BY n) AS r, sum(r) FROM t;
SELECT rank() OVER (ORDER BY n) AS r FROM t WHERE r = 1;
SELECT random() AS r, r FROM t;
SELECT unnest(ARRAY[1]) AS u FROM t WHERE u > 1;
SELECT (SELECT max(n) FROM t u WHERE u.k = t.k) AS m FROM t WHERE m > 1;

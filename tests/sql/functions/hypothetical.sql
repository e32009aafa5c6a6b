-- also: mongo postgres
-- Hypothetical-set aggregates: where a row would stand.
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, v int MEASURE, w double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1, 1), ('2020-01-01 01:00+00', 'a', 2, 0.5), ('2020-01-01 02:00+00', 'a', 2, NULL), ('2020-01-01 03:00+00', 'a', 5, 'NaN'),
   ('2020-01-01 04:00+00', 'b', NULL, 1), ('2020-01-01 05:00+00', 'b', 2, 3), ('2020-01-01 06:00+00', 'c', NULL, NULL);
SELECT rank(2) WITHIN GROUP (ORDER BY v), dense_rank(2) WITHIN GROUP (ORDER BY v), percent_rank(2) WITHIN GROUP (ORDER BY v), cume_dist(2) WITHIN GROUP (ORDER BY v) FROM t;
SELECT rank(2) WITHIN GROUP (ORDER BY v DESC), dense_rank(2) WITHIN GROUP (ORDER BY v DESC), percent_rank(2) WITHIN GROUP (ORDER BY v DESC), cume_dist(2) WITHIN GROUP (ORDER BY v DESC) FROM t;
SELECT rank(3) WITHIN GROUP (ORDER BY v NULLS FIRST), dense_rank(3) WITHIN GROUP (ORDER BY v NULLS FIRST), cume_dist(3) WITHIN GROUP (ORDER BY v DESC NULLS LAST) FROM t;
SELECT rank(NULL) WITHIN GROUP (ORDER BY v), dense_rank(NULL) WITHIN GROUP (ORDER BY v), percent_rank(NULL) WITHIN GROUP (ORDER BY v), cume_dist(NULL) WITHIN GROUP (ORDER BY v DESC) FROM t;
SELECT k, rank(2) WITHIN GROUP (ORDER BY v), dense_rank(2) WITHIN GROUP (ORDER BY v), percent_rank(2) WITHIN GROUP (ORDER BY v), cume_dist(2) WITHIN GROUP (ORDER BY v) FROM t GROUP BY k ORDER BY k;
SELECT rank(2, 1.0) WITHIN GROUP (ORDER BY v, w), percent_rank(2, 'NaN') WITHIN GROUP (ORDER BY v DESC, w), cume_dist(2, 0.5) WITHIN GROUP (ORDER BY v, w DESC) FROM t;
SELECT rank(2.5) WITHIN GROUP (ORDER BY v), rank('3') WITHIN GROUP (ORDER BY v), rank('aa') WITHIN GROUP (ORDER BY k) FROM t;
SELECT rank(2) WITHIN GROUP (ORDER BY v) FILTER (WHERE k = 'a'), cume_dist(2) WITHIN GROUP (ORDER BY v) FILTER (WHERE k = 'nothing'), percent_rank(2) WITHIN GROUP (ORDER BY v) FILTER (WHERE false) FROM t;
SELECT k, rank(k) WITHIN GROUP (ORDER BY 'b') FROM t GROUP BY k HAVING rank(2) WITHIN GROUP (ORDER BY v) > 0 ORDER BY rank(2) WITHIN GROUP (ORDER BY v), k;
SELECT pg_typeof(rank(2) WITHIN GROUP (ORDER BY v)), pg_typeof(cume_dist(2) WITHIN GROUP (ORDER BY v)) FROM t;
SELECT rank(1) WITHIN GROUP (ORDER BY x) FROM (VALUES (1)) AS q (x) WHERE false;
-- A key that a set doesn't have is NULL among the given values, and a column everywhere else.
SELECT a, rank(a) WITHIN GROUP (ORDER BY b) FROM (VALUES (1, 1), (1, 4), (1, 5), (3, 1), (3, 2)) AS v (a, b) GROUP BY ROLLUP (a) ORDER BY a;
SELECT a, c, rank(a) WITHIN GROUP (ORDER BY b), rank(a, c) WITHIN GROUP (ORDER BY b, a DESC), dense_rank(c) WITHIN GROUP (ORDER BY b DESC), percent_rank(a + c) WITHIN GROUP (ORDER BY b NULLS FIRST),
   cume_dist(coalesce(a, c, 2)) WITHIN GROUP (ORDER BY b) FILTER (WHERE a + c > 2)
  FROM (VALUES (1, 1, 1), (1, 4, 1), (1, 5, 2), (3, 1, 2), (3, 2, NULL), (3, NULL, 2)) AS v (a, b, c) GROUP BY CUBE (a, c) ORDER BY a, c, 3;
SELECT a + 1 AS k, rank(a + 1) WITHIN GROUP (ORDER BY b) AS r, rank((a + 1) * 2) WITHIN GROUP (ORDER BY a + 1) AS s, count(*) FILTER (WHERE a + 1 > 2) AS n
  FROM (VALUES (1, 1), (1, 4), (3, 1), (3, 2)) AS v (a, b) GROUP BY GROUPING SETS ((a + 1), ()) HAVING rank(a + 1) WITHIN GROUP (ORDER BY b) > 1 ORDER BY rank(a + 1) WITHIN GROUP (ORDER BY b) DESC, k;
SELECT a, c, rank(a) WITHIN GROUP (ORDER BY c), rank(c) WITHIN GROUP (ORDER BY a) FROM (VALUES (1, 2), (2, 3), (3, 3)) AS v (a, c) GROUP BY GROUPING SETS ((a), (c), (a, c)) ORDER BY a, c, 3, 4;
SELECT a, rank(a) WITHIN GROUP (ORDER BY a), (SELECT rank(x.a) WITHIN GROUP (ORDER BY y) FROM (VALUES (2), (1)) AS w (y)) FROM (VALUES (1), (2)) AS x (a) GROUP BY ROLLUP (a) ORDER BY a;
CREATE TABLE solid (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v int MEASURE NOT NULL) USING rows;
INSERT INTO solid VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 01:00+00', 'a', 2), ('2020-01-01 02:00+00', 'b', 2), ('2020-01-01 03:00+00', 'b', 5);
SELECT k, rank(k) WITHIN GROUP (ORDER BY k), dense_rank(k) WITHIN GROUP (ORDER BY k DESC), cume_dist(k || 'x') WITHIN GROUP (ORDER BY k), percent_rank(length(k)) WITHIN GROUP (ORDER BY v) FROM solid GROUP BY ROLLUP (k) ORDER BY k;
SELECT date_trunc('hour', ts) AS h, rank(date_trunc('hour', ts)) WITHIN GROUP (ORDER BY ts DESC) FROM solid GROUP BY CUBE (date_trunc('hour', ts)) ORDER BY 1;

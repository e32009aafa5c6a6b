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

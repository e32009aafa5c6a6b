-- Hypothetical-set aggregates: what can't be.
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, v int MEASURE) USING rows;
SELECT rank(v) WITHIN GROUP (ORDER BY v) FROM t;
SELECT rank(1, 2) WITHIN GROUP (ORDER BY v) FROM t;
SELECT dense_rank(1, 2) WITHIN GROUP (ORDER BY v, k) FROM t;
SELECT rank(DISTINCT 1) WITHIN GROUP (ORDER BY v) FROM t;
SELECT rank('x') WITHIN GROUP (ORDER BY v) FROM t;
SELECT rank(1) WITHIN GROUP (ORDER BY nosuch) FROM t;
SELECT rank(1) FROM t;
SELECT rank("$given"(v)) WITHIN GROUP (ORDER BY v) FROM t GROUP BY v;
SELECT rank("$given"()) WITHIN GROUP (ORDER BY v) FROM t;

-- Statements whose text is short and whose queries are many: planned in little time, or refused.
CREATE VIEW v0 AS SELECT 1 AS a;
CREATE VIEW v1 AS SELECT x.a FROM v0 x, v0 y; CREATE VIEW v2 AS SELECT x.a FROM v1 x, v1 y; CREATE VIEW v3 AS SELECT x.a FROM v2 x, v2 y; CREATE VIEW v4 AS SELECT x.a FROM v3 x, v3 y;
CREATE VIEW v5 AS SELECT x.a FROM v4 x, v4 y; CREATE VIEW v6 AS SELECT x.a FROM v5 x, v5 y; CREATE VIEW v7 AS SELECT x.a FROM v6 x, v6 y; CREATE VIEW v8 AS SELECT x.a FROM v7 x, v7 y;
CREATE VIEW v9 AS SELECT x.a FROM v8 x, v8 y; CREATE VIEW v10 AS SELECT x.a FROM v9 x, v9 y; CREATE VIEW v11 AS SELECT x.a FROM v10 x, v10 y; CREATE VIEW v12 AS SELECT x.a FROM v11 x, v11 y;
CREATE VIEW v13 AS SELECT x.a FROM v12 x, v12 y; CREATE VIEW v14 AS SELECT x.a FROM v13 x, v13 y; CREATE VIEW v15 AS SELECT x.a FROM v14 x, v14 y; CREATE VIEW v16 AS SELECT x.a FROM v15 x, v15 y;
SELECT count(*) FROM v16;
-- each view has rows of its own where an expression is volatile
CREATE VIEW w0 AS SELECT random() AS a;
CREATE VIEW w1 AS SELECT x.a, x.a = y.a AS same FROM w0 x, w0 y; CREATE VIEW w2 AS SELECT x.a, x.a = y.a AS same FROM w1 x, w1 y; CREATE VIEW w3 AS SELECT x.a, x.a = y.a AS same FROM w2 x, w2 y;
CREATE VIEW w4 AS SELECT x.a, x.a = y.a AS same FROM w3 x, w3 y; CREATE VIEW w5 AS SELECT x.a, x.a = y.a AS same FROM w4 x, w4 y; CREATE VIEW w6 AS SELECT x.a, x.a = y.a AS same FROM w5 x, w5 y;
CREATE VIEW w7 AS SELECT x.a, x.a = y.a AS same FROM w6 x, w6 y; CREATE VIEW w8 AS SELECT x.a, x.a = y.a AS same FROM w7 x, w7 y; CREATE VIEW w9 AS SELECT x.a, x.a = y.a AS same FROM w8 x, w8 y;
SELECT same FROM w5;
CREATE VIEW w10 AS SELECT x.a FROM w9 x, w9 y, w9 z; CREATE VIEW w11 AS SELECT x.a FROM w10 x, w10 y, w10 z, w10 z2;
-- grouping sets of grouping sets
SELECT count(*) FROM (SELECT a, b FROM (SELECT a, b FROM (SELECT a, b FROM (SELECT a, b FROM (SELECT a, b FROM (SELECT a, b FROM (SELECT 1 AS a, 2 AS b) s1 GROUP BY CUBE (a, b)) s2 GROUP BY CUBE (a, b)) s3 GROUP BY CUBE (a, b)) s4 GROUP BY CUBE (a, b)) s5 GROUP BY CUBE (a, b)) s6 GROUP BY CUBE (a, b)) s7;
-- a condition through many levels, each of which doubles it
CREATE TABLE t (a integer, b integer); INSERT INTO t VALUES (1, 2);
SELECT a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM (SELECT a + a AS a FROM t) s1) s2) s3) s4) s5) s6) s7) s8) s9) s10) s11) s12) s13) s14) s15) s16 WHERE a > 3;
-- BETWEEN computes its value twice
SELECT count(*) FROM t WHERE ((((((((((((((((((a BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1)::int BETWEEN 0 AND 1);

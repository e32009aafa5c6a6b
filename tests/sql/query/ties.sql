-- also: postgres mongo
-- FETCH FIRST … WITH TIES: rows behind the last that ORDER BY doesn't tell from it.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, n bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 1, 1), ('2015-01-01 00:00+00', 'h1', 2, NULL), ('2015-01-01 00:30+00', 'h2', 2, 'NaN'), ('2015-01-01 01:10+00', 'h2', 2, 8);
INSERT INTO t VALUES ('2015-01-01 01:20+00', 'h1', 5, 'NaN'), ('2015-01-02 00:00+00', NULL, 6, NULL), ('2015-01-02 05:00+00', 'h3', 7, 1);
SELECT n FROM t ORDER BY n FETCH FIRST 2 ROWS WITH TIES;
SELECT n FROM t ORDER BY n FETCH FIRST ROW WITH TIES;
SELECT n FROM t ORDER BY n OFFSET 1 FETCH NEXT 2 ROWS WITH TIES;
SELECT n FROM t ORDER BY n OFFSET 2 ROWS FETCH FIRST 5 ROWS WITH TIES;
SELECT n FROM t ORDER BY n FETCH FIRST 0 ROWS WITH TIES;
SELECT n FROM t ORDER BY n FETCH FIRST 100 ROWS WITH TIES;
SELECT n FROM t ORDER BY n OFFSET 100 FETCH FIRST 1 ROWS WITH TIES;
SELECT n, host FROM (SELECT n, host FROM t ORDER BY n, host FETCH FIRST 2 ROWS WITH TIES) s ORDER BY 1, 2;
-- NULLs are ties, and so are NaNs
SELECT v FROM t ORDER BY v DESC FETCH FIRST 1 ROWS WITH TIES;
SELECT v FROM t ORDER BY v DESC NULLS LAST FETCH FIRST 1 ROWS WITH TIES;
SELECT v FROM t ORDER BY v FETCH FIRST (1 + 1) ROWS WITH TIES;
-- by what isn't put out, over groups and set operations
SELECT count(*) FROM (SELECT n FROM t ORDER BY host FETCH FIRST 1 ROWS WITH TIES) s;
SELECT max(n) FROM t GROUP BY host ORDER BY count(*) DESC FETCH FIRST 1 ROWS WITH TIES;
SELECT host, count(*) FROM t GROUP BY host ORDER BY count(*) FETCH FIRST 1 ROWS WITH TIES OFFSET 0;
SELECT host FROM t UNION ALL SELECT 'h1' ORDER BY 1 FETCH FIRST 2 ROWS WITH TIES;
(SELECT n FROM t ORDER BY n FETCH FIRST 2 ROWS WITH TIES) EXCEPT ALL SELECT 2 ORDER BY 1;
SELECT DISTINCT n FROM t ORDER BY n FETCH FIRST 2 ROWS WITH TIES;
SELECT n FROM t WHERE n IN (SELECT n FROM t ORDER BY n FETCH FIRST 2 ROWS WITH TIES) ORDER BY n;
-- what isn't possible
SELECT n FROM t ORDER BY n FETCH FIRST (NULL) ROWS WITH TIES;
SELECT i, n FROM (VALUES (interval '1 day', 2), ('24:00', 1), ('2 days', 3), ('30 days', 5), ('1 mon', 4)) AS t (i, n) ORDER BY i, n;
SELECT i, n FROM (VALUES (interval '1 day', 2), ('24:00', 1), ('2 days', 3), ('30 days', 5), ('1 mon', 4)) AS t (i, n) ORDER BY i DESC, n;
SELECT count(*), sum(n) FROM (SELECT i, n FROM (VALUES (interval '1 day', 2), ('24:00', 1), ('2 days', 3), ('30 days', 5), ('1 mon', 4)) AS t (i, n) ORDER BY i DESC FETCH FIRST ROW WITH TIES) s;
SELECT DISTINCT ON (k) k, i, n FROM (VALUES (1, interval '1 mon', 7), (1, '30 days', 6), (2, '2 days', 5), (2, '48:00', 8)) AS t (k, i, n) ORDER BY k, i, n;
-- of many rows no more are kept than are wanted, wherever the ties are
SELECT count(*), min(k), max(k), sum(g) FROM (SELECT g, g * 7 % 1009 AS k FROM generate_series(1, 50000) g ORDER BY k FETCH FIRST 120 ROWS WITH TIES) s;
SELECT count(*), min(k), max(k) FROM (SELECT g, g * 7 % 3 AS k FROM generate_series(1, 50000) g ORDER BY k DESC OFFSET 10 FETCH FIRST 120 ROWS WITH TIES) s;
SELECT count(*), min(k), max(k), sum(g) FROM (SELECT g, 50000 - g AS k FROM generate_series(1, 50000) g ORDER BY k OFFSET 5 ROWS FETCH FIRST 3000 ROWS WITH TIES) s;
SELECT count(*), sum(g) FROM (SELECT g FROM generate_series(1, 50000) g ORDER BY nullif(g % 5, 0) NULLS FIRST, g % 2 FETCH FIRST 5001 ROWS WITH TIES) s;

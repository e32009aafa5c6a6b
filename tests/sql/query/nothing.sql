-- also: mongo postgres
-- LIMIT 0 and WHERE false; what makes a row of no rows still does.
CREATE TABLE s (a int, b int);
INSERT INTO s SELECT g, g % 10 FROM generate_series(1, 300) g;
SELECT a FROM s UNION ALL SELECT a FROM s ORDER BY 1 LIMIT 0;
SELECT count(*), sum(a) FROM (SELECT a FROM s LIMIT 0) t;
SELECT count(*) FROM s WHERE false;
SELECT x, a FROM (SELECT a FROM s LIMIT 0) t FULL JOIN (VALUES (1)) v (x) ON true;
SELECT a FROM s WHERE false UNION ALL SELECT 5;
SELECT a, (SELECT b FROM s s2 WHERE s2.a = s.a LIMIT 0) FROM s ORDER BY a LIMIT 2;
WITH w AS MATERIALIZED (SELECT a FROM s WHERE false) SELECT (SELECT count(*) FROM w), (SELECT max(a) FROM w), EXISTS (SELECT FROM w);

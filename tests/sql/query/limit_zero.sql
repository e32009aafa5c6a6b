-- also: postgres
-- LIMIT 0 computes nothing of what is before it.
CREATE TABLE s (a int, b int);
INSERT INTO s SELECT g, g % 10 FROM generate_series(1, 300) g;
SELECT s1.a, 1 / (s1.a - s1.a) AS x FROM s s1 CROSS JOIN s s2 CROSS JOIN s s3 CROSS JOIN s s4 ORDER BY 1 LIMIT 0;
SELECT count(*) FROM s s1 CROSS JOIN s s2 CROSS JOIN s s3 CROSS JOIN s s4 LIMIT 0;
SELECT a FROM s UNION ALL SELECT 1 / (a - a) FROM s ORDER BY 1 LIMIT 0;

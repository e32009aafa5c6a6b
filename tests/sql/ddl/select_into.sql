-- also: mongo postgres
-- SELECT … INTO, and results without columns.
SELECT i AS id, 'n' || i AS name INTO made FROM generate_series (1, 3) i;
SELECT * FROM made ORDER BY id;
SELECT id INTO TABLE twice FROM made UNION ALL SELECT id + 10 FROM made ORDER BY id;
SELECT * FROM twice ORDER BY id;
WITH q AS (SELECT max (id) AS m FROM twice) SELECT m * 2 AS m INTO greatest_of FROM q;
SELECT * FROM greatest_of;
SELECT 1 AS x INTO made;
SELECT id, id INTO doubled FROM made;
SELECT * FROM (SELECT 1 AS x INTO nowhere) q;
INSERT INTO made SELECT 1, 'x' INTO nowhere;
SELECT count (*) FROM made;
-- no columns
SELECT;
SELECT FROM made;
SELECT FROM made WHERE false;
SELECT WHERE false;

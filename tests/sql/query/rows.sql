-- also: mongo postgres
-- Rows of values.
CREATE TABLE p (id integer, x integer, y numeric, t text);
CREATE TABLE r (a integer, b numeric, c text);
INSERT INTO p VALUES (1, 1, 2, 'a'), (2, 1, 3, 'b'), (3, 2, 1, 'c'), (4, 2, NULL, 'd'), (5, NULL, 3, 'e'), (6, NULL, NULL, NULL), (7, 3, 0, 'g');
INSERT INTO r VALUES (1, 3, 'b'), (2, 1, 'x'), (2, NULL, 'y'), (NULL, 5, 'z');
-- equal, or not
SELECT id, (x, y) = (1, 3) AS eq, (x, y) <> (1, 3) AS ne, ROW(x, y, t) = ROW(2, 1, 'c') AS r3, ROW(x) = ROW(2) AS r1 FROM p ORDER BY id;
SELECT id FROM p WHERE (x, y) = (1, 3.0) ORDER BY id;
SELECT id FROM p WHERE NOT (x, t) = (1, 'a') ORDER BY id;
-- in order: the first fields that differ decide, a NULL before that leaves it open
SELECT id, (x, y) < (2, 1) AS lt, (x, y) <= (2, 1) AS le, (x, y) > (2, 1) AS gt, (x, y) >= (2, 1) AS ge FROM p ORDER BY id;
SELECT id, (x, y, t) < (2, NULL, 'c') AS a, (x, t, y) >= (2, 'c', NULL) AS b, (NULL, x) < (1, 2) AS c FROM p ORDER BY id;
SELECT id FROM p WHERE (x, id) > (1, 2) ORDER BY x, id LIMIT 2;
SELECT id FROM p WHERE (x, y) BETWEEN (1, 3) AND (2, 5) ORDER BY id;
SELECT id FROM p WHERE (x, y) NOT BETWEEN (1, 3) AND (2, 5) ORDER BY id;
SELECT id FROM p WHERE (x, y) BETWEEN SYMMETRIC (3, 0) AND (1, 3) ORDER BY id;
-- NULL
SELECT id, (x, y) IS NULL AS a, (x, y) IS NOT NULL AS b, NOT (x, y) IS NULL AS c, (x, y) IS DISTINCT FROM (NULL, 3) AS d, (x, y) IS NOT DISTINCT FROM (2, NULL) AS e FROM p ORDER BY id;
-- lists
SELECT id, (x, y) IN ((1, 2), (2, 1)) AS a, (x, y) IN ((1, 2), (NULL, 3)) AS b, (x, y) NOT IN ((1, 2), (2, NULL)) AS c FROM p ORDER BY id;
-- sub-selects
SELECT id, (x, y) IN (SELECT a, b FROM r) AS a, (x, y) NOT IN (SELECT a, b FROM r) AS b, (x, y) = ANY (SELECT a, b FROM r WHERE b IS NOT NULL) AS c FROM p ORDER BY id;
SELECT id FROM p WHERE (x, y) IN (SELECT a, b FROM r WHERE c < t || 'z') ORDER BY id;
SELECT id FROM p WHERE (x, y) NOT IN (SELECT a, b FROM r WHERE a IS NOT NULL AND b IS NOT NULL) ORDER BY id;
SELECT id, (x, y) > ALL (SELECT a, b FROM r WHERE a < 2) AS a, (x, y) < ANY (SELECT a, b FROM r) AS b, (x, y) <> ALL (SELECT a, b FROM r WHERE a = x) AS c FROM p ORDER BY id;
SELECT id, (x, y) = (SELECT a, b FROM r WHERE c = 'b') AS a, (x, y) < (SELECT max(a), max(b) FROM r) AS b, (x, y) = (SELECT a, b FROM r WHERE c = 'none') AS c FROM p ORDER BY id;
SELECT id FROM p WHERE (x, y) >= (SELECT a, b FROM r WHERE c = t) ORDER BY id;
SELECT x, count(*) FROM p GROUP BY x HAVING (x, count(*)) IN (SELECT a, a FROM r) ORDER BY x;
SELECT CASE WHEN (x, y) IN (SELECT a, b FROM r WHERE b > 0) THEN 'in' ELSE 'out' END AS w, count(*) FROM p GROUP BY 1 ORDER BY 1;
SELECT p.id, r.c FROM p JOIN r ON (p.x, p.y) = (r.a, r.b) ORDER BY 1;
SELECT p.id, r.c FROM p LEFT JOIN r ON (p.x, p.y) >= (r.a, r.b) AND r.b < 5 ORDER BY 1, 2;
SELECT id, (x, y) = ((SELECT max(a) FROM r), 1) AS a FROM p ORDER BY id;
-- what is not to be
SELECT (1, 2) = (1, 2, 3);
SELECT (1, 2) = 3;
SELECT 3 < ROW(1, 2);
SELECT ROW() = ROW();
SELECT (1, 'a') < (1, 2);
SELECT (1, 2) = (SELECT a, b FROM r);
SELECT (1, 2) = (SELECT a FROM r);
-- assigned
UPDATE p SET (y, t) = (SELECT b, c FROM r WHERE a = x ORDER BY b LIMIT 1) WHERE id < 4;
SELECT * FROM p ORDER BY id;
UPDATE p SET (y, t) = (SELECT b, c FROM r WHERE a = x), x = x + 1 WHERE id > 3;
UPDATE p SET (y, t) = (SELECT b, c FROM r WHERE a = x AND b IS NOT NULL), x = x + 1 WHERE id > 3 RETURNING id, x, y, t;
UPDATE p SET (x, y) = ROW (7, id), t = 'r' WHERE (id, x) IN ((1, 1), (2, 2));
UPDATE p SET (x, y) = (SELECT 1, 2, 3);
UPDATE p SET (x, y) = (SELECT count(*), id) WHERE (x, t) IN (SELECT a, c FROM r);
DELETE FROM p WHERE (x, t) NOT IN (SELECT x, min(t) FROM p WHERE x IS NOT NULL AND t IS NOT NULL GROUP BY x);
SELECT * FROM p ORDER BY id;

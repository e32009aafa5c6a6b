-- also: mongo postgres
-- Joins: rows of two sides that belong together.
CREATE TABLE a (id integer, x text, v integer);
CREATE TABLE b (id integer, y text, w numeric);
CREATE TABLE c (w numeric, z text, at timestamptz);
INSERT INTO a VALUES (1, 'one', 10), (2, 'two', 20), (3, 'three', NULL), (NULL, 'null', 5), (2, 'zwei', 21);
INSERT INTO b VALUES (2, 'B2', 2.5), (3, 'B3', 3.5), (4, 'B4', NULL), (NULL, 'BN', 0), (2, 'B2b', 7);
INSERT INTO c VALUES (2.50, 'half', '2024-01-01 00:00:00+00'), (7, 'seven', '2024-01-02 00:00:00+00'), (NULL, 'none', NULL);
SELECT * FROM a JOIN b ON a.id = b.id ORDER BY 1, 2, 5;
SELECT * FROM a LEFT JOIN b ON a.id = b.id ORDER BY 1, 2, 5;
SELECT * FROM a RIGHT JOIN b ON a.id = b.id ORDER BY 4, 5, 2;
SELECT * FROM a FULL OUTER JOIN b ON a.id = b.id ORDER BY 1, 2, 4, 5;
SELECT * FROM a CROSS JOIN c ORDER BY x, z LIMIT 4;
SELECT a.*, z FROM a, c WHERE v = 10 ORDER BY z;
-- USING and NATURAL make one column of two
SELECT * FROM a JOIN b USING (id) ORDER BY 1, 2, 4;
SELECT * FROM a FULL JOIN b USING (id) ORDER BY 1, 2, 4;
SELECT id, a.id, b.id FROM a RIGHT JOIN b USING (id) ORDER BY 3, 1, 2;
SELECT * FROM a NATURAL JOIN b ORDER BY 1, 2, 4;
SELECT * FROM a NATURAL LEFT JOIN b NATURAL LEFT JOIN c ORDER BY x, y;
SELECT id, j.id FROM a JOIN b USING (id) AS j ORDER BY 1, 2;
SELECT t.id, t.p FROM (a JOIN b USING (id)) AS t (id, p) ORDER BY 1, 2;
-- conditions of WHERE and of ON
SELECT a.x, b.y FROM a LEFT JOIN b ON a.id = b.id AND b.w > 3 ORDER BY 1, 2;
SELECT a.x, b.y FROM a LEFT JOIN b ON a.id = b.id WHERE b.w > 3 ORDER BY 1, 2;
SELECT a.x, b.y FROM a LEFT JOIN b ON a.id = b.id WHERE b.id IS NULL ORDER BY 1, 2;
SELECT a.x, b.y FROM a LEFT JOIN b ON a.v > 15 AND a.id = b.id ORDER BY 1, 2;
SELECT a.x, b.y FROM a FULL JOIN b ON a.id = b.id WHERE coalesce(a.v, 0) < 20 ORDER BY 1, 2;
SELECT a.x, b.y FROM a JOIN b ON a.id < b.id ORDER BY 1, 2;
SELECT a.x, b.y FROM a LEFT JOIN b ON a.id > b.id OR b.w = 0 ORDER BY 1, 2;
SELECT a.x, b.y FROM a JOIN b ON a.id + 1 = b.id ORDER BY 1, 2;
SELECT a.x, b.y FROM a JOIN b ON false;
SELECT a.x, b.y FROM a LEFT JOIN b ON false ORDER BY 1;
SELECT x, y, z FROM a JOIN b ON a.id = b.id JOIN c ON b.w = c.w ORDER BY 1, 2, 3;
SELECT x, y, z FROM a LEFT JOIN (b JOIN c ON b.w = c.w) ON a.id = b.id ORDER BY 1, 2, 3;
SELECT x, y, z FROM a, b, c WHERE a.id = b.id AND c.w = b.w AND z <> 'half' ORDER BY 1, 2, 3;
SELECT a1.x, a2.x FROM a a1 JOIN a a2 ON a1.id = a2.id AND a1.x < a2.x;
-- over, under and beside groups
SELECT a.id, count(b.id), sum(w) FROM a LEFT JOIN b ON a.id = b.id GROUP BY a.id ORDER BY 1;
SELECT count(*), count(a.id), count(b.id) FROM a FULL JOIN b ON a.id = b.id;
SELECT count(*) FROM a, b;
SELECT g.id, g.n, x FROM (SELECT id, count(*) AS n FROM b GROUP BY id) g JOIN a ON a.id = g.id AND g.n > 1 ORDER BY 3;
WITH m AS (SELECT id, max(w) AS w FROM b GROUP BY id) SELECT b.* FROM b JOIN m USING (id, w) ORDER BY 1, 2;
SELECT DISTINCT b.id FROM a JOIN b USING (id) ORDER BY 1;
SELECT x FROM a JOIN b USING (id) UNION SELECT z FROM c JOIN b USING (w) ORDER BY 1;
SELECT x, (SELECT max(w) FROM b) FROM a JOIN c ON a.v < 20 AND z = 'seven' ORDER BY 1;
SELECT v.n, x FROM (VALUES (1), (2), (5)) v (n) LEFT JOIN a ON a.id = v.n ORDER BY 1, 2;
SELECT f.k, g.k FROM (SELECT 5 AS k WHERE false) f FULL JOIN (SELECT 7 AS k) g ON f.k = g.k;
SELECT f.k, f.m, g.k FROM (SELECT id AS k, 'same' AS m FROM a WHERE id = 1) f FULL JOIN (SELECT id AS k FROM b) g ON f.k = g.k ORDER BY 1, 3;
-- lists whose sides are linked by later ones: another order
CREATE TABLE k (x integer, y integer, r text);
CREATE TABLE l (r text, z integer);
INSERT INTO k VALUES (1, 2, 'c1'), (2, 1, 'c2'), (2, 2, 'c3'), (3, 3, NULL);
INSERT INTO l VALUES ('c1', 7), ('c3', 8), (NULL, 9);
SELECT a.x, b.y, k.r FROM a, b, k WHERE a.id = k.x AND b.id = k.y ORDER BY 1, 2, 3;
SELECT * FROM a, b, k WHERE a.id = k.x AND b.id = k.y AND a.v > 15 ORDER BY 1, 2, 3, 5;
SELECT a.x, b.y, k.r, z FROM a, b, k, l WHERE a.id = k.x AND b.id = k.y AND l.r = k.r AND z > 7 ORDER BY 1, 2, 3;
SELECT a.x, count(*), sum(z) FROM a CROSS JOIN b JOIN k ON k.x = a.id AND k.y = b.id LEFT JOIN l ON l.r = k.r GROUP BY a.x ORDER BY 1;
SELECT b.y FROM a, b WHERE EXISTS (SELECT FROM k, l WHERE k.x = a.id AND k.y = b.id AND l.r = k.r) ORDER BY 1;
SELECT o.x, q.n FROM a o LEFT JOIN (SELECT a.id, count(*) AS n FROM a, b, k WHERE a.id = k.x AND b.id = k.y GROUP BY a.id) q USING (id) ORDER BY 1;
-- beside unions
SELECT u.n, b.y FROM (SELECT id AS n FROM a UNION ALL SELECT NULL) u, b WHERE b.id = 3 ORDER BY 1, 2;
SELECT b.y, u.n FROM b LEFT JOIN (SELECT id AS n FROM a UNION ALL SELECT 4) u ON u.n = b.id ORDER BY 1, 2;
SELECT x FROM a JOIN b USING (id) UNION ALL SELECT y FROM b JOIN k ON b.id = k.x UNION SELECT 'own' ORDER BY 1;
-- equal isn't the same: 2.5 and 2.50
SELECT b.w, c.w FROM b JOIN c ON b.w = c.w WHERE b.w::text = '2.5';
SELECT b.w, c.w FROM b JOIN c USING (w) WHERE c.w::text = '2.50';
-- merged columns that an outer join above leaves without a value
CREATE TABLE nn (a integer NOT NULL, k integer NOT NULL);
CREATE TABLE nn2 (a integer NOT NULL, z integer NOT NULL);
CREATE TABLE v (b integer, d integer);
INSERT INTO nn VALUES (1, 1), (2, 2), (3, 3);
INSERT INTO nn2 VALUES (2, 20), (3, 30), (4, 40);
INSERT INTO v VALUES (1, 10), (2, 20), (NULL, 30), (3, 30), (0, 0);
SELECT v.b, coalesce(a, -1), a = 2, a IN (2, 3), a NOT IN (2, 3) FROM v LEFT JOIN (nn JOIN nn2 USING (a)) ON v.b = nn.k ORDER BY 1;
SELECT a FROM (nn JOIN nn2 USING (a)) RIGHT JOIN v ON v.b = nn.k WHERE NOT (a = 2) OR coalesce(a, 0) = 0 ORDER BY 1;
SELECT coalesce(j.a, -1), count(*) FROM v FULL JOIN (nn NATURAL JOIN nn2) j ON v.b = j.k GROUP BY coalesce(j.a, -1) ORDER BY 1;
-- under grouping sets, whose arms have one FROM between them
SELECT k, z, count(*) FROM nn JOIN nn2 USING (a) GROUP BY GROUPING SETS ((k), (z)) ORDER BY 1, 2;
SELECT k, z, count(*) FROM nn LEFT JOIN nn2 USING (a) GROUP BY GROUPING SETS ((), (z), (k)) ORDER BY 1, 2, 3;
SELECT * FROM (SELECT x, v, count(*) FROM (SELECT x, v FROM a) s GROUP BY GROUPING SETS ((x), (x, v))) g WHERE v = 10;
SELECT * FROM (SELECT x, v, count(*) FROM (SELECT x, v FROM a) s GROUP BY GROUPING SETS ((x), (v))) g WHERE v IS NULL ORDER BY 1;
SELECT * FROM v JOIN (SELECT a, k, count(*) FROM (SELECT a, k FROM nn) s GROUP BY GROUPING SETS ((a), (k))) x ON v.b = x.a WHERE v.b = 2;
-- a condition isn't taken over where it could fail
SELECT nn.a FROM nn JOIN v ON nn.a = v.b WHERE 6 / nn.a > 1 ORDER BY 1;
SELECT nn.a, v.d FROM nn LEFT JOIN v ON nn.a = v.b AND 10 / nn.a > 3 ORDER BY 1;
-- what isn't right
SELECT id FROM a, b;
SELECT a.z FROM a, b;
SELECT q.x FROM a, b;
SELECT a.x FROM a a2, b;
SELECT * FROM a JOIN b ON a.x = b.id;
SELECT * FROM a JOIN b ON a.id;
SELECT * FROM a JOIN b ON count(*) > 1;
SELECT a.x, count(*) FROM a JOIN b USING (id);
\set VERBOSITY sqlstate
SELECT * FROM (SELECT 1 AS i) x JOIN (SELECT 1 AS i) y USING (i) AS x;
\set VERBOSITY default
SELECT a.i, a.* FROM (SELECT 1 AS i, 2 AS j) x JOIN (SELECT 1 AS i) y USING (i) AS a;

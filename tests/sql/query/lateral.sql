-- also: mongo postgres
-- LATERAL: items of FROM that refer to those on their left.
CREATE TABLE d (id integer, name text, lim numeric);
CREATE TABLE m (dev integer, at timestamptz, v numeric, note text);
INSERT INTO d VALUES (1, 'one', 5), (2, 'two', 1), (3, 'three', NULL), (NULL, 'none', 2), (4, 'four', 3), (1, 'again', 4);
INSERT INTO m VALUES (1, '2024-01-01 00:00+00', 4, 'a'), (1, '2024-01-02 00:00+00', 6, 'b'), (2, '2024-01-01 00:00+00', 1, NULL), (2, '2024-01-03 00:00+00', NULL, 'c'), (NULL, '2024-01-01 00:00+00', 9, 'd'), (3, '2024-01-05 00:00+00', 3, 'e');
-- the first rows of each
SELECT name, l.* FROM d, LATERAL (SELECT at, v FROM m WHERE dev = id ORDER BY at DESC LIMIT 1) l ORDER BY name;
SELECT name, l.v FROM d LEFT JOIN LATERAL (SELECT v FROM m WHERE dev = id ORDER BY v NULLS LAST LIMIT 1) l ON true ORDER BY name;
SELECT name, l.note FROM d CROSS JOIN LATERAL (SELECT note FROM m WHERE v > lim ORDER BY v, note LIMIT 2) AS l ORDER BY name, note;
SELECT name, l.note FROM d LEFT JOIN LATERAL (SELECT note FROM m WHERE v > lim ORDER BY v, note OFFSET 1 LIMIT 2) AS l ON note <> 'd' ORDER BY name, note;
SELECT name, l.note FROM d JOIN LATERAL (SELECT note, v FROM m WHERE v > lim) AS l ON l.v < id + 5 ORDER BY name, note;
-- aggregates, which give a row where there is none
SELECT name, n, s FROM d, LATERAL (SELECT count(*) AS n, sum(v) AS s FROM m WHERE dev <= id) l ORDER BY name;
SELECT name, l.* FROM d, LATERAL (SELECT note IS NULL AS none, count(*) AS n FROM m WHERE dev = id GROUP BY 1 HAVING count(*) >= 1) l ORDER BY name, none;
SELECT name, l.* FROM d LEFT JOIN LATERAL (SELECT note, rank() OVER (ORDER BY v DESC NULLS LAST) AS r, sum(v) OVER () AS s FROM m WHERE dev = id) l ON r = 1 ORDER BY name;
SELECT name, l.x FROM d, LATERAL (SELECT DISTINCT v > lim AS x FROM m WHERE dev = id) l ORDER BY name, x;
-- expressions, one after the other
SELECT name, b, c FROM d, LATERAL (SELECT lim * 2 AS b) x, LATERAL (SELECT b + id AS c) y ORDER BY name;
SELECT name, c FROM d, LATERAL (VALUES (id), (length (name)), (7)) v (c) ORDER BY name, c;
SELECT name, c FROM d, LATERAL (SELECT id AS c UNION ALL SELECT count(*) FROM m WHERE dev = id UNION ALL SELECT dev FROM m WHERE v = lim) u ORDER BY name, c;
SELECT name, c FROM d, LATERAL (SELECT dev AS c FROM m WHERE v > lim EXCEPT SELECT id) u ORDER BY name, c;
SELECT name, c FROM d, LATERAL (WITH w AS (SELECT v FROM m WHERE dev = id) SELECT max(v) - min(v) AS c FROM w) u ORDER BY name;
-- joins, on both sides and within
SELECT d.name, e.name AS other, l.n FROM d JOIN d e ON e.id = d.id + 1, LATERAL (SELECT count(*) AS n FROM m WHERE dev IN (d.id, e.id)) l ORDER BY 1, 2;
SELECT d.name, l.* FROM d, LATERAL (SELECT m.note, e.name AS other FROM m JOIN d e ON e.id = m.dev WHERE m.v > d.lim) l ORDER BY 1, 2, 3;
SELECT d.name, l.* FROM d, LATERAL (SELECT m.note, e.name AS other FROM m LEFT JOIN d e ON e.id = m.dev AND e.lim > d.lim WHERE m.dev = d.id) l ORDER BY 1, 2, 3;
SELECT d.name, x.note, y.n FROM d, LATERAL (SELECT * FROM m WHERE dev = id) x, LATERAL (SELECT count(*) AS n FROM m z WHERE z.v < x.v AND z.dev = d.id) y ORDER BY 1, 2;
SELECT d.name, x.note, x.n FROM d, LATERAL (SELECT note, n FROM m, LATERAL (SELECT count(*) AS n FROM m z WHERE z.v < m.v AND z.dev = d.id) y WHERE dev = id) x ORDER BY 1, 2;
SELECT z.name, l.note, l.w FROM d z, (m JOIN LATERAL (SELECT m.v + z.lim AS w) k ON k.w > 5) l ORDER BY 1, 2, 3;
SELECT * FROM (SELECT 1 AS one) a LEFT JOIN (d LEFT JOIN LATERAL (SELECT v FROM m WHERE dev = id AND v > 4) l ON true) ON d.id = a.one ORDER BY name;
-- sub-selects within, and without LATERAL
SELECT name, l.x FROM d, LATERAL (SELECT (SELECT max(v) FROM m WHERE dev = d.id) AS x) l ORDER BY name;
SELECT name FROM d, LATERAL (SELECT 1 WHERE EXISTS (SELECT FROM m WHERE dev = id AND v > 3)) l ORDER BY name;
SELECT name, (SELECT string_agg(l.note, ',' ORDER BY l.note) FROM LATERAL (SELECT note FROM m WHERE dev = id) l) FROM d ORDER BY name;
SELECT name, (SELECT count(*) FROM (SELECT DISTINCT v FROM m WHERE dev = id) q) FROM d ORDER BY name;
-- grouped, windowed, limited above
SELECT l.n, count(*) FROM d, LATERAL (SELECT count(*) AS n FROM m WHERE dev = id) l GROUP BY l.n ORDER BY 1;
SELECT name, l.v, sum(l.v) OVER (ORDER BY name, l.v) FROM d, LATERAL (SELECT v FROM m WHERE dev = id) l ORDER BY 1, 2;
SELECT name FROM d, LATERAL (SELECT v FROM m WHERE dev = id) l WHERE l.v > 3 AND name < 'p' ORDER BY 1 LIMIT 2;
WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT l.j FROM r, LATERAL (SELECT i + 1 AS j WHERE i < 4) l) SELECT * FROM r ORDER BY 1;
-- what is not to be
SELECT * FROM d, (SELECT d.id) l;
SELECT * FROM d, (SELECT lim) l;
SELECT * FROM d RIGHT JOIN LATERAL (SELECT d.id) l ON true;
SELECT * FROM d FULL JOIN LATERAL (SELECT id) l ON true;
SELECT * FROM d a, d b, LATERAL (SELECT name) l;
SELECT * FROM LATERAL (SELECT d.id) l, d;
-- more rows than are answered by looks at the table itself
CREATE TABLE many (k integer, y integer);
INSERT INTO many SELECT g % 23, g FROM generate_series(1, 200) g;
SELECT o.k, count(l.y), min(l.y), max(l.y) FROM generate_series(0, 30) o(k) LEFT JOIN LATERAL (SELECT y FROM many m WHERE m.k = o.k ORDER BY y DESC LIMIT 5) l ON true GROUP BY o.k ORDER BY o.k;
SELECT sum(l.n), min(l.n), max(l.n), count(DISTINCT l.n) FROM generate_series(0, 30) o(k), LATERAL (SELECT count(*) AS n FROM many m WHERE m.y > o.k * 7) l;
SELECT count(*), sum(y) FROM generate_series(0, 30) o(k), LATERAL (SELECT y FROM many m WHERE m.k = o.k AND m.y % 10 = o.k % 10) l;
-- all columns of an item to the left, or of the query around
SELECT v.* FROM (VALUES (1, 'a'), (2, 'b')) AS t (x, y), LATERAL (SELECT t.*) AS v;
SELECT v.*, w.* FROM (VALUES (1, 'a'), (2, 'b')) AS t (x, y) JOIN (VALUES (3), (4)) AS u (z) ON z > x + 1, LATERAL (SELECT t.*, u.*, x + z) AS v, LATERAL (SELECT v.x) AS w;
SELECT (SELECT s.y FROM (SELECT t.*) AS s) FROM (VALUES (1, 'a'), (2, 'b')) AS t (x, y);
SELECT x FROM (VALUES (1, 'a'), (2, 'b')) AS t (x, y) WHERE (SELECT count(*) FROM (SELECT t.* UNION ALL SELECT 3, t.y) AS s WHERE s.x > 1) = 2;
\set VERBOSITY sqlstate
SELECT v.* FROM (VALUES (1)) AS t (x), (SELECT t.*) AS v;
\set VERBOSITY default
SELECT v.* FROM (VALUES (1)) AS t (x), LATERAL (SELECT u.*) AS v;

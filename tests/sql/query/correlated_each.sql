-- also: mongo postgres
-- Sub-selects that refer to the query around them, and are made for each of its rows.
CREATE TABLE d (id integer, name text, lim numeric);
CREATE TABLE m (dev integer, at timestamptz, v numeric, note text);
INSERT INTO d VALUES (1, 'one', 5), (2, 'two', 1), (3, 'three', NULL), (NULL, 'none', 2), (4, 'four', 3), (1, 'again', 4);
INSERT INTO m VALUES (1, '2024-01-01 00:00+00', 4, 'a'), (1, '2024-01-02 00:00+00', 6, 'b'), (2, '2024-01-01 00:00+00', 1, NULL), (2, '2024-01-03 00:00+00', NULL, 'c'), (NULL, '2024-01-01 00:00+00', 9, 'd'), (3, '2024-01-05 00:00+00', 3, 'e');
-- references anywhere, by any condition
SELECT name, (SELECT sum(v) FROM m WHERE dev > id) AS s, (SELECT count(*) FROM m WHERE dev < id OR v > lim) AS n FROM d ORDER BY name;
SELECT name, (SELECT v + lim FROM m WHERE dev = id AND note < 'b') FROM d ORDER BY name;
SELECT name, (SELECT max(v - lim) FROM m) AS x, (SELECT d.name || count(*) FROM m) AS y FROM d ORDER BY name;
SELECT name, (SELECT v FROM m WHERE dev >= id ORDER BY dev - id, v NULLS LAST LIMIT 1) FROM d ORDER BY name;
SELECT name, (SELECT v FROM m WHERE dev = id ORDER BY v OFFSET 1 LIMIT 1) FROM d ORDER BY name;
SELECT name, (SELECT note FROM m WHERE dev = id UNION SELECT name WHERE id > 3 ORDER BY 1 LIMIT 1) FROM d ORDER BY name;
SELECT name, (SELECT count(*) FROM m WHERE dev = id GROUP BY dev) FROM d ORDER BY name;
SELECT name, (SELECT count(*) FROM m WHERE dev = id HAVING count(*) > 1) FROM d ORDER BY name;
SELECT name, (SELECT max(r) FROM (SELECT rank() OVER (ORDER BY v) AS r FROM m WHERE dev = id) q) FROM d ORDER BY name;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id UNION ALL SELECT FROM m WHERE v = lim) ORDER BY name;
SELECT name FROM d WHERE EXISTS (SELECT dev FROM m WHERE v < lim GROUP BY dev HAVING count(*) > 1 OR dev = id) ORDER BY name;
SELECT name, lim IN (SELECT v FROM m WHERE dev = id ORDER BY v LIMIT 1) AS a, lim NOT IN (SELECT min(v) FROM m WHERE dev <> id GROUP BY dev) AS b FROM d ORDER BY name;
SELECT name, lim > ALL (SELECT v FROM m WHERE dev <= id UNION SELECT 0) AS a, lim < ANY (SELECT v + id FROM m) AS b FROM d ORDER BY name;
-- further out
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id AND EXISTS (SELECT FROM d e WHERE e.lim > m.v AND e.name <> d.name)) ORDER BY name;
SELECT name, (SELECT max((SELECT count(*) FROM m z WHERE z.v < m.v AND z.dev <= d.id)) FROM m WHERE m.dev = d.id) FROM d ORDER BY name;
SELECT name, (SELECT sum(v) FROM m WHERE dev = id AND v >= (SELECT avg(v) FROM m z WHERE z.dev = d.id)) FROM d ORDER BY name;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE EXISTS (SELECT FROM m z WHERE z.dev = d.id AND z.v = 6)) ORDER BY name;
-- only where CASE and COALESCE come to it
SELECT name, CASE WHEN id <> 2 THEN (SELECT max(v) FROM m WHERE dev = 2 / (id - 2) + 3) ELSE -1 END FROM d ORDER BY name;
SELECT name, CASE WHEN id > 2 THEN (SELECT v FROM m WHERE dev = id) WHEN id = 2 THEN (SELECT lim) END FROM d ORDER BY name;
SELECT name, CASE id WHEN 1 THEN 'x' ELSE (SELECT note FROM m WHERE dev = id AND v IS NOT NULL) END FROM d ORDER BY name;
SELECT name, coalesce (lim, (SELECT v FROM m WHERE dev >= id)) FROM d ORDER BY name;
SELECT name, sum(CASE WHEN id > 2 THEN (SELECT v FROM m WHERE dev = id) ELSE 1 END) FROM d GROUP BY name ORDER BY name;
-- above a grouping
SELECT id, count(*), (SELECT sum(v) FROM m WHERE dev = id) AS s FROM d GROUP BY id ORDER BY id;
SELECT id, sum(lim) FROM d GROUP BY id HAVING sum(lim) > (SELECT count(*) FROM m WHERE dev = id) ORDER BY id;
SELECT id FROM d GROUP BY id HAVING count(*) > 1 AND EXISTS (SELECT FROM m WHERE dev = id) ORDER BY id;
SELECT id FROM d GROUP BY id ORDER BY (SELECT max(v) FROM m WHERE dev < id) DESC NULLS LAST, id;
SELECT id, max(lim) IN (SELECT v + 1 FROM m WHERE dev = id) AS a, max(lim) > ALL (SELECT v FROM m WHERE dev < id) AS b FROM d GROUP BY id ORDER BY id;
SELECT id, rank() OVER (ORDER BY (SELECT count(*) FROM m WHERE dev = id) DESC, id) FROM d GROUP BY id ORDER BY id;
SELECT id, name, count(*), (SELECT count(*) FROM m WHERE dev = id) AS n FROM d GROUP BY ROLLUP (id, name) ORDER BY id, name;
SELECT (SELECT count(*) FROM m WHERE dev = id) AS n, count(*) FROM d GROUP BY n ORDER BY 1;
SELECT (SELECT count(*) FROM m WHERE dev = id) AS n, count(*) FROM d GROUP BY 1 ORDER BY 1;
SELECT DISTINCT (SELECT count(*) FROM m WHERE dev <= id) FROM d GROUP BY id ORDER BY 1;
SELECT CASE WHEN count(*) > 1 THEN (SELECT v FROM m WHERE dev >= id) END FROM d WHERE id > 2 GROUP BY id;
SELECT sum((SELECT count(*) FROM m WHERE dev <= id)), avg((SELECT max(v) FROM m WHERE dev = id)) FILTER (WHERE lim < (SELECT max(v) FROM m WHERE dev >= id)) FROM d;
SELECT name, sum((SELECT count(*) FROM m WHERE dev <= id)) OVER (ORDER BY name) FROM d ORDER BY name;
-- written twice it is one
SELECT (SELECT count(*) FROM m WHERE dev = id) AS n, count(*) FROM d GROUP BY (SELECT count(*) FROM m WHERE dev = id) ORDER BY 1;
SELECT id, (SELECT max(v) FROM m WHERE dev <= id) AS n FROM d GROUP BY id HAVING (SELECT max(v) FROM m WHERE dev <= id) > 5 ORDER BY (SELECT max(v) FROM m WHERE dev <= id), id;
-- aggregates of the query around
SELECT id, (SELECT count(*) FROM m WHERE v < max(d.lim)) AS n FROM d GROUP BY id ORDER BY id;
SELECT id FROM d GROUP BY id HAVING EXISTS (SELECT FROM m WHERE v = min(d.lim) - 1) ORDER BY id;
SELECT (SELECT max(d.lim) + max(v) FROM m) AS a, (SELECT count(d.id) FROM m WHERE note = 'a') AS b, count(*) FROM d;
SELECT id, (SELECT (SELECT sum(d.lim) + z.v FROM m z WHERE z.note = m.note) FROM m WHERE note = 'a') AS x FROM d GROUP BY id ORDER BY id;
SELECT (SELECT max(d.lim) FROM m) FROM d;
SELECT id FROM d WHERE (SELECT max(d.lim) FROM m) > 1;
SELECT sum((SELECT max(d.lim) FROM m)) FROM d;
SELECT * FROM d, LATERAL (SELECT sum(d.lim)) l;
-- rows that change
UPDATE d SET lim = (SELECT sum(v) FROM m WHERE dev <= d.id) WHERE EXISTS (SELECT FROM m WHERE dev < d.id);
SELECT * FROM d ORDER BY id, name;
DELETE FROM d WHERE lim > (SELECT avg(v) + 5 FROM m WHERE dev < d.id);
SELECT * FROM d ORDER BY id, name;
-- what is not to be
SELECT name, (SELECT v FROM m WHERE dev <= id) FROM d ORDER BY name;
SELECT name, (SELECT count(*) FROM m WHERE dev = id) FROM d GROUP BY name;
SELECT id FROM d GROUP BY id HAVING EXISTS (SELECT FROM m WHERE v > d.lim);
SELECT name, (SELECT dev, v FROM m WHERE dev <= id) FROM d;
-- a query of WITH that refers to what is around it, read by a sub-select
SELECT (WITH c (x) AS (VALUES (o.f)) SELECT (SELECT x FROM c)) FROM (VALUES (1), (2)) AS o (f) ORDER BY 1;
SELECT (WITH c (x) AS (SELECT o.f + 1) SELECT (SELECT (SELECT x FROM c) FROM c)) FROM (VALUES (1), (2)) AS o (f) ORDER BY 1;
SELECT o.f, l.* FROM (VALUES (1), (2)) AS o (f), LATERAL (WITH c (x) AS (VALUES (o.f)) SELECT (SELECT x FROM c) AS z) AS l ORDER BY 1;
SELECT (WITH RECURSIVE c (x) AS (SELECT o.f UNION ALL SELECT x + 1 FROM c WHERE x < 4) SELECT (SELECT sum(x) FROM c)) FROM (VALUES (1), (2)) AS o (f) ORDER BY 1;
SELECT f FROM (VALUES (1), (2), (3)) AS o (f) WHERE EXISTS (WITH c (x) AS (VALUES (o.f)) SELECT 1 WHERE (SELECT x FROM c) > 1) ORDER BY 1;
SELECT (WITH c (x) AS (VALUES (1)) SELECT (SELECT x FROM c) + o.f) FROM (VALUES (1), (2)) AS o (f) ORDER BY 1;

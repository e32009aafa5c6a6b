-- also: mongo postgres
-- Sub-selects that refer to the query around them.
CREATE TABLE d (id integer, name text, lim numeric);
CREATE TABLE m (dev integer, at timestamptz, v numeric, note text);
INSERT INTO d VALUES (1, 'one', 5), (2, 'two', 1), (3, 'three', NULL), (NULL, 'none', 2), (4, 'four', 3);
INSERT INTO m VALUES (1, '2024-01-01 00:00+00', 4, 'a'), (1, '2024-01-02 00:00+00', 6, 'b'), (2, '2024-01-01 00:00+00', 1, NULL), (2, '2024-01-03 00:00+00', NULL, 'c'), (NULL, '2024-01-01 00:00+00', 9, 'd'), (3, '2024-01-05 00:00+00', 3, 'e');
-- is there a row?
SELECT name FROM d WHERE EXISTS (SELECT 1 FROM m WHERE m.dev = d.id) ORDER BY 1;
SELECT name FROM d WHERE NOT EXISTS (SELECT * FROM m WHERE dev = id) ORDER BY 1;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id AND v > lim) ORDER BY 1;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE v > lim AND at > '2024-01-01 00:00+00') ORDER BY 1;
SELECT name, EXISTS (SELECT FROM m WHERE dev = id AND note = 'a') AS a FROM d ORDER BY 1;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id AND v > 3) OR lim = 2 ORDER BY 1;
SELECT count(*) FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id);
SELECT name FROM d WHERE EXISTS (SELECT dev FROM m WHERE dev = id GROUP BY dev) ORDER BY 1;
SELECT name FROM d WHERE EXISTS (SELECT count(*) FROM m WHERE dev = id) ORDER BY 1;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id LIMIT 0) ORDER BY 1;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id ORDER BY v LIMIT 3) ORDER BY 1;
-- among them?
SELECT name FROM d WHERE lim IN (SELECT v FROM m WHERE dev = id) ORDER BY 1;
SELECT name, lim IN (SELECT v FROM m WHERE dev = id) AS r FROM d ORDER BY 1;
SELECT name, lim NOT IN (SELECT v FROM m WHERE dev = id) AS r FROM d ORDER BY 1;
SELECT name, lim > ANY (SELECT v FROM m WHERE dev = id) AS r FROM d ORDER BY 1;
SELECT name, lim <= ALL (SELECT v FROM m WHERE dev = id) AS r FROM d ORDER BY 1;
SELECT name, lim < ALL (SELECT v FROM m WHERE dev <> id) AS r FROM d ORDER BY 1;
-- the value
SELECT name, (SELECT max(v) FROM m WHERE dev = id) AS top FROM d ORDER BY 1;
SELECT name, (SELECT count(*) FROM m WHERE dev = id) AS n, (SELECT count(v) + 1 FROM m WHERE dev = id) AS n1 FROM d ORDER BY 1;
SELECT name, (SELECT coalesce(sum(v), -1) FROM m WHERE dev = id AND at < '2024-01-02 00:00+00') AS s FROM d ORDER BY 1;
SELECT name FROM d WHERE lim < (SELECT avg(v) FROM m WHERE dev = id) ORDER BY 1;
SELECT a.dev, a.v FROM m a WHERE a.at = (SELECT max(b.at) FROM m b WHERE b.dev = a.dev) ORDER BY 1;
SELECT name, (SELECT note FROM m WHERE dev = id ORDER BY at DESC LIMIT 1) AS last FROM d ORDER BY 1;
SELECT name, (SELECT v FROM m WHERE dev = id ORDER BY v NULLS FIRST, at LIMIT 1) AS first FROM d ORDER BY 1;
SELECT name, (SELECT note FROM m WHERE dev = id AND v > 5) AS big FROM d ORDER BY 1;
SELECT note, (SELECT name || '!' FROM d WHERE id = dev) AS who FROM m ORDER BY at, note;
SELECT name, (SELECT note FROM m WHERE dev = id) FROM d;
SELECT name FROM d ORDER BY (SELECT sum(v) FROM m WHERE dev = id) DESC NULLS LAST, name;
SELECT sum((SELECT count(*) FROM m WHERE dev = id)) FROM d;
SELECT x.id, (SELECT count(*) FROM m WHERE dev = x.id) FROM (SELECT id FROM d WHERE id < 3) x ORDER BY 1;
SELECT d.name, m.note FROM d JOIN m ON dev = id WHERE v >= (SELECT max(v) FROM m m2 WHERE m2.dev = d.id) ORDER BY 1;
-- one within the other
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id AND v = (SELECT max(v) FROM m n WHERE n.dev = m.dev)) ORDER BY 1;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id AND v > (SELECT avg(v) FROM m)) ORDER BY 1;
SELECT * FROM d WHERE EXISTS (SELECT FROM m WHERE dev = id) AND name IN (SELECT 'two' UNION SELECT 'three') ORDER BY 1;
-- over sub-selects, unions, joins
SELECT name, 9 IN (SELECT v FROM (SELECT v, dev FROM m) s WHERE s.dev = id) AS r FROM d ORDER BY 1;
SELECT name, lim IN (SELECT v FROM (SELECT v, dev FROM m) s WHERE s.dev = id) AS r, lim NOT IN (SELECT v FROM (SELECT v, dev FROM m UNION ALL SELECT 2, 2) s WHERE s.dev = id) AS n FROM d ORDER BY 1;
SELECT name FROM d WHERE 9 NOT IN (SELECT v FROM (SELECT v, dev FROM m) s WHERE s.dev = id) ORDER BY 1;
SELECT name, 6 IN (SELECT x.v FROM m x JOIN m y ON x.dev = y.dev WHERE x.v <> d.lim AND x.note <> y.note) AS r FROM d ORDER BY 1;
SELECT name FROM d WHERE 2 > ALL (SELECT v FROM (SELECT v, dev FROM m UNION ALL SELECT lim, id FROM d) x WHERE x.dev = d.id) ORDER BY 1;
WITH w AS (SELECT dev, v FROM m) SELECT name, lim < ANY (SELECT v FROM w WHERE dev = id) AS r FROM d ORDER BY 1;
SELECT name, CASE WHEN lim > 1 THEN (SELECT max(v) FROM m WHERE dev = id) END AS top, coalesce(lim, (SELECT min(v) FROM m WHERE dev = id)) AS low FROM d ORDER BY 1;
-- what isn't right
SELECT name, (SELECT dev, v FROM m WHERE dev = id) FROM d;
SELECT name FROM d WHERE EXISTS (SELECT FROM m WHERE dev = nope);

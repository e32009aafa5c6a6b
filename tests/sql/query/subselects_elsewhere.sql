-- also: postgres
-- Sub-selects that refer to the query around them, in JOIN … ON, in VALUES and in RETURNING.
CREATE TABLE a (id integer, x integer, s text);
INSERT INTO a VALUES (1, 10, 'p'), (2, 20, 'q'), (3, NULL, 'r'), (NULL, 7, 's');
CREATE TABLE b (id integer, y integer);
INSERT INTO b VALUES (1, 5), (1, 6), (2, 7), (4, 8), (NULL, 9);
-- JOIN … ON
SELECT a.id, b.y FROM a JOIN b ON b.y = (SELECT max (c.y) FROM b c WHERE c.id = a.id) ORDER BY 1, 2;
SELECT a.id, b.y FROM a LEFT JOIN b ON b.y = (SELECT max (c.y) FROM b c WHERE c.id = a.id) ORDER BY 1, 2;
SELECT a.id, b.y FROM a RIGHT JOIN b ON b.y = (SELECT max (c.y) FROM b c WHERE c.id = a.id) ORDER BY 1, 2;
SELECT a.id, b.y FROM a LEFT JOIN b ON a.id = b.id AND EXISTS (SELECT 1 FROM b c WHERE c.y > b.y AND c.id = a.id) ORDER BY 1, 2;
SELECT a.id, b.y FROM a LEFT JOIN b ON a.id = b.id AND a.x NOT IN (SELECT c.y + 4 FROM b c WHERE c.id = b.id) ORDER BY 1, 2;
SELECT a.id, b.y FROM a RIGHT JOIN b ON EXISTS (SELECT FROM b c WHERE c.y = b.y + 1) AND a.id > b.id ORDER BY 1, 2;
SELECT * FROM a LEFT JOIN b USING (id) JOIN b c ON c.y = (SELECT min (y) FROM b d WHERE d.id = a.id AND d.y >= b.y) ORDER BY 1, 2, 3, 4;
SELECT a.id, q.n FROM a LEFT JOIN LATERAL (SELECT a.x + 1 AS n) q ON q.n > (SELECT count (*) + a.id FROM b WHERE b.id = a.id) ORDER BY 1, 2;
SELECT a.id, g FROM a LEFT JOIN generate_series (1, 3) g ON g <= (SELECT count (*) FROM b WHERE b.id = a.id) ORDER BY 1, 2;
SELECT a.id, g FROM a JOIN generate_series (1, a.id) g ON g = (SELECT min (id) FROM b WHERE b.id >= g) ORDER BY 1, 2;
SELECT a.s, count (b.y), (SELECT count (*) FROM b c WHERE c.id = max (a.id)) AS more
   FROM a LEFT JOIN b ON b.id IN (SELECT c.id FROM b c WHERE c.id <= a.id) GROUP BY a.s ORDER BY 1;
SELECT x.id, (SELECT count (*) FROM a LEFT JOIN b ON b.y > (SELECT avg (c.y) FROM b c WHERE c.id = a.id OR c.id = x.id)) AS n FROM a x ORDER BY 1;
SELECT a.id FROM a JOIN b ON id = (SELECT max (c.y) FROM b c WHERE c.id = a.id);
SELECT a.id FROM a JOIN b ON (SELECT count (nothing) FROM b c WHERE c.id = a.id) > 0;
UPDATE a SET x = 100 FROM b JOIN b c ON c.y = (SELECT max (y) FROM b d WHERE d.id = b.id) WHERE a.id = c.id AND a.id = 2;
SELECT * FROM a ORDER BY id;
-- VALUES
SELECT id, (SELECT count (*) FROM (VALUES ((SELECT count (*) FROM b WHERE b.id = a.id)), (a.x)) v (n) WHERE n > 1) AS c FROM a ORDER BY 1;
SELECT a.id, n, t FROM a, LATERAL (VALUES ((SELECT sum (y) FROM b WHERE b.id = a.id), 'sum'), (1, NULL), (2.5, a.s)) v (n, t) ORDER BY 1, 2, 3;
SELECT id FROM a WHERE 2 IN (VALUES ((SELECT count (*) FROM b WHERE b.id = a.id)), (a.id)) ORDER BY 1;
SELECT id, ARRAY (VALUES (a.id), ((SELECT max (y) FROM b WHERE b.id = a.id)) ORDER BY 1 DESC LIMIT 2) FROM a ORDER BY 1;
SELECT id, (VALUES ((SELECT count (*) FROM b WHERE b.id = a.id), 1)) FROM a;
-- RETURNING
INSERT INTO a VALUES (9, 9, 'z') RETURNING id, (SELECT count (*) FROM b WHERE b.id = a.id) AS n, (SELECT count (*) FROM a before WHERE before.id = a.id) AS before;
INSERT INTO a VALUES (1, 1, 'again') RETURNING id, (SELECT count (*) FROM b WHERE b.id = a.id) AS n, (SELECT count (*) FROM a before WHERE before.id = a.id) AS before;
UPDATE a SET x = 0 WHERE id IN (9, 2) RETURNING id, x, (SELECT x FROM a old WHERE old.id = a.id) AS old, EXISTS (SELECT FROM b WHERE b.id = a.id);
INSERT INTO a SELECT id, y, 'from b' FROM b RETURNING s || ':' || (SELECT string_agg (b.y::text, ',' ORDER BY y) FROM b WHERE b.id <= a.id) AS t;
DELETE FROM a AS gone WHERE s = 'from b' RETURNING *, (SELECT count (*) FROM a WHERE a.id < gone.id) AS below;
INSERT INTO a VALUES (5, 5, 'x') RETURNING 1 / (SELECT count (*) - 2 FROM b WHERE b.id < a.id);
SELECT count (*) FROM a;

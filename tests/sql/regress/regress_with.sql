-- also: mongo postgres
-- WITH in its breadth.
CREATE TABLE tree (id integer, parent integer, name text);
INSERT INTO tree VALUES (1, NULL, 'root'), (2, 1, 'a'), (3, 1, 'b'), (4, 2, 'aa'), (5, 2, 'ab'), (6, 3, 'ba'), (7, 6, 'baa'), (8, 99, 'lost');
WITH q (x, y) AS (SELECT 1, 2) SELECT * FROM q, q AS q2;
WITH a AS (SELECT 1 AS v), b AS (SELECT v + 1 AS v FROM a), c AS (SELECT a.v + b.v AS v FROM a, b) SELECT v FROM c;
WITH t AS (SELECT id, name FROM tree WHERE parent = 1) SELECT t.name, x.name FROM t LEFT JOIN tree x ON x.parent = t.id ORDER BY 1, 2;
WITH n AS (SELECT parent, count(*) AS c FROM tree GROUP BY parent) SELECT max(c), (SELECT parent FROM n ORDER BY c DESC, parent LIMIT 1) FROM n;
WITH RECURSIVE t (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 100) SELECT sum(n), count(*) FROM t;
WITH RECURSIVE t (n) AS (SELECT 1 UNION SELECT 10 - n FROM t) SELECT * FROM t ORDER BY n;
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t LIMIT 5;
WITH RECURSIVE t AS (SELECT 1 AS n, 'foo'::text AS s UNION ALL SELECT n + 1, s || ' bar' FROM t WHERE n < 4) SELECT n, s FROM t ORDER BY n;
WITH RECURSIVE sub AS (SELECT id, parent, name, 0 AS depth, name AS path FROM tree WHERE parent IS NULL UNION ALL SELECT t.id, t.parent, t.name, depth + 1, path || '/' || t.name FROM tree t JOIN sub s ON t.parent = s.id)
   SELECT id, depth, path FROM sub ORDER BY path;
WITH RECURSIVE up AS (SELECT id, parent, name FROM tree WHERE id = 7 UNION ALL SELECT t.id, t.parent, t.name FROM tree t, up WHERE t.id = up.parent) SELECT string_agg(name, ' < ' ORDER BY id DESC) FROM up;
WITH RECURSIVE f (a, b) AS (SELECT 0::bigint, 1::bigint UNION ALL SELECT b, a + b FROM f WHERE b < 1000) SELECT a FROM f ORDER BY a;
WITH RECURSIVE d (day) AS (SELECT DATE '2024-02-27' UNION ALL SELECT day + 1 FROM d WHERE day < '2024-03-02') SELECT day, extract(dow FROM day) FROM d ORDER BY 1;
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5), u AS (SELECT n * n AS sq FROM t) SELECT * FROM u ORDER BY sq DESC;
SELECT count(*) FROM (WITH q AS (SELECT id FROM tree WHERE id > 3) SELECT * FROM q UNION ALL SELECT 1) x;
SELECT name FROM tree WHERE id IN (WITH RECURSIVE k (n) AS (SELECT 2 UNION ALL SELECT n * 2 FROM k WHERE n < 8) SELECT n FROM k) ORDER BY id;
WITH x AS (SELECT 1 AS id) SELECT (WITH x AS (SELECT 2 AS id) SELECT id FROM x), id FROM x;
WITH tree AS (SELECT 'shadow' AS name) SELECT * FROM tree;
WITH x AS MATERIALIZED (SELECT id FROM tree), y AS NOT MATERIALIZED (SELECT id FROM x WHERE id < 3) SELECT * FROM y ORDER BY 1;
WITH x AS (SELECT 1) SELECT * FROM x UNION ALL SELECT 2 ORDER BY 1;
WITH q AS (SELECT name, rank() OVER (ORDER BY length(name), name) AS r FROM tree) SELECT * FROM q WHERE r < 4 ORDER BY r;
WITH v (a, b) AS (VALUES (1, 'x'), (2, 'y')) SELECT b FROM v WHERE a = 2;
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1.5 FROM t WHERE n < 5) SELECT * FROM t;
WITH RECURSIVE t (n) AS (SELECT n + 1 FROM t) SELECT * FROM t;
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT count(*)::int FROM t) SELECT * FROM t;
WITH x AS (SELECT 1), x AS (SELECT 2) SELECT * FROM x;
WITH x AS (SELECT * FROM y), y AS (SELECT 1) SELECT * FROM x;
WITH x (a, b) AS (SELECT 1) SELECT * FROM x;

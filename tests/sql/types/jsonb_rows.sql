-- also: postgres mongo
-- jsonb: columns of a table
CREATE TABLE t (id int, j jsonb) USING rows;
INSERT INTO t VALUES (1, '{"b":1.50,"a":{"c":"x","d":[1,2]}}'), (2, 'null'), (3, NULL), (4, '[3,null,"y"]'), (5, '"s"'), (6, '{"a":{"c":"x"}}'), (7, '{"a":{"c":null}}'), (8, '12'), (9, '{"a":{"d":[1,2],"c":"x"},"b":1.5}'), (10, '{"a.b":1,"$c":2,"":3}');
SELECT id, j, j IS NULL AS is_null, jsonb_typeof(j) AS type FROM t ORDER BY id;
SELECT id, j -> 'a' ->> 'c' AS c, j #>> '{a,d,0}' AS d, j -> 1 AS one, j ->> 2 AS two FROM t ORDER BY id;
SELECT id FROM t WHERE j -> 'a' ->> 'c' = 'x' ORDER BY id;
SELECT id FROM t WHERE j -> 'a' -> 'c' IS NULL ORDER BY id;
SELECT id FROM t WHERE j -> 'a' ->> 'c' IS NULL ORDER BY id;
SELECT id FROM t WHERE j -> 'a' ->> 'c' <> 'y' ORDER BY id;
SELECT id FROM t WHERE (j ->> 'b')::numeric > 1 ORDER BY id;
SELECT id FROM t WHERE j @> '{"a":{"c":"x"}}' ORDER BY id;
SELECT id FROM t WHERE j ? 'a' ORDER BY id;
SELECT id, j -> 'a.b' AS dot, j ->> '$c' AS dollar, j -> '' AS empty FROM t WHERE j ? '$c';
SELECT j, count(*), min(id) FROM t GROUP BY j ORDER BY j;
SELECT DISTINCT j -> 'a' -> 'c' AS c FROM t ORDER BY 1;
SELECT id, j FROM t ORDER BY j DESC, id;
SELECT a.id, b.id FROM t a JOIN t b ON a.j = b.j AND a.id < b.id;
SELECT id, rank() OVER (ORDER BY j) FROM t ORDER BY id;
SELECT j -> 'a' ->> 'c' AS c, jsonb_agg(id ORDER BY id) FROM t GROUP BY 1 ORDER BY 1;
SELECT DISTINCT ON (j) j, id FROM t ORDER BY j, id;
SELECT j FROM t WHERE id < 3 UNION SELECT j FROM t WHERE id IN (1, 9) ORDER BY 1;
UPDATE t SET j = jsonb_set(j, '{a,c}', '"z"') WHERE id = 6;
UPDATE t SET j = j || '{"n": 1}' WHERE j ? 'b';
DELETE FROM t WHERE j = 'null';
SELECT id, j FROM t WHERE id IN (1, 2, 6, 9) ORDER BY id;
DELETE FROM t WHERE j -> 'a' ->> 'c' = 'z';
SELECT count(*), count(j), count(DISTINCT j) FROM t;
-- Rows as objects.
SELECT to_jsonb(t) FROM t WHERE id < 4 ORDER BY id;
SELECT jsonb_agg(x ORDER BY x.a) FROM (VALUES (2, 'b'), (1, NULL)) x(a, b);
SELECT to_jsonb(ROW(1, 'x'::text, NULL, ROW(true))) AS r, jsonb_build_object('t', x) AS o FROM (SELECT 1 AS a, now() IS NULL AS b) x;
SELECT jsonb_agg(x) FROM (VALUES (2), (1)) x(a);
-- Fields without a name.
SELECT id, '{"":3}'::jsonb || jsonb_build_object('i', id) AS o FROM t WHERE id < 3 ORDER BY id;
SELECT id, CASE WHEN id < 3 THEN '{"a":[{"":3}]}'::jsonb END AS o FROM t ORDER BY o, id LIMIT 3;
SELECT o, count(*) FROM t, (VALUES ('{"":3}'::jsonb)) v(o) GROUP BY o;
INSERT INTO t VALUES (20, '{"":3}');
SELECT j -> '' AS c, j = '{"":3}' AS e FROM t WHERE j = '{"":3}';

-- also: mongo postgres
-- Functions that give sets: in FROM, among the results, as keys.
CREATE TABLE t (id int, tags text[], n int) USING rows;
INSERT INTO t VALUES (1, '{a,b,c}', 3), (2, '{b}', 1), (3, '{}', 0), (4, NULL, NULL), (5, '{c,NULL,a}', 2);
-- alone
SELECT * FROM unnest(ARRAY[1, 2, NULL]);
SELECT * FROM unnest(ARRAY['x', 'y']) AS u;
SELECT u.v, u.o FROM unnest(ARRAY['x', 'y']) WITH ORDINALITY AS u (v, o);
SELECT * FROM unnest('{{1,2},{3,4}}'::int[]) WITH ORDINALITY;
SELECT * FROM unnest(ARRAY[1, 2, 3], ARRAY['a', 'b']) AS u (i, s);
SELECT * FROM unnest(ARRAY[1, 2, 3], '{}'::text[], NULL::int[]) WITH ORDINALITY;
SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY['a', 'b', 'c'])) AS r (i, s);
SELECT * FROM ROWS FROM (generate_series(3, 1, -1)) WITH ORDINALITY;
SELECT * FROM unnest(NULL::int[]);
SELECT * FROM upper('abc');
SELECT * FROM generate_subscripts('{{1,2,3},{4,5,6}}'::int[], 2) s;
-- with arguments from the left
SELECT id, tag FROM t, unnest(tags) tag ORDER BY id, tag;
SELECT id, u.tag, u.k FROM t CROSS JOIN LATERAL unnest(t.tags) WITH ORDINALITY AS u (tag, k) ORDER BY id, k;
SELECT id, tag FROM t LEFT JOIN unnest(tags) tag ON true ORDER BY id, tag;
SELECT id, tag, k FROM t LEFT JOIN unnest(tags) WITH ORDINALITY u (tag, k) ON true ORDER BY id, k;
SELECT id, tag FROM t JOIN unnest(tags) tag ON tag > 'a' AND id < 5 ORDER BY 1, 2;
SELECT t.id, i FROM t, generate_series(1, n) i ORDER BY 1, 2;
SELECT t.id, i, tag FROM t, generate_series(1, n) i, unnest(tags) tag WHERE i > 1 AND tag <> 'b' ORDER BY 1, 2, 3;
SELECT a.id, b.id, tag FROM t a JOIN t b ON a.id = b.n, unnest(b.tags) tag ORDER BY 1, 2, 3;
SELECT tag, count(*), sum(id) FROM t, unnest(tags) tag GROUP BY tag ORDER BY tag;
SELECT id, x.tag, y.tag FROM t, unnest(tags) x (tag), unnest(tags) y (tag) WHERE x.tag < y.tag ORDER BY 1, 2, 3;
SELECT * FROM (SELECT id, tag FROM t, unnest(tags) tag) s WHERE tag = 'a' ORDER BY id;
SELECT t.id, u.tag, v.i FROM t CROSS JOIN unnest(tags) u (tag) JOIN (VALUES ('a', 10), ('b', 20)) v (tag, i) ON v.tag = u.tag ORDER BY 1, 2;
SELECT t.id, i FROM t, unnest(tags, ARRAY[10, 20]) u (tag, i) WHERE tag IS NULL ORDER BY id;
SELECT id, ts FROM t, generate_series(timestamp '2020-01-01', timestamp '2020-01-01' + n * interval '1 day', '1 day') ts WHERE id < 3 ORDER BY 1, 2;
SELECT a.id, u FROM t a RIGHT JOIN unnest(a.tags) u ON true;
-- among the results
SELECT unnest(ARRAY[1, 2, 3]);
SELECT generate_series(1, 3), unnest(ARRAY['a', 'b']);
SELECT id, unnest(tags) FROM t ORDER BY id;
SELECT id, unnest(tags) AS tag FROM t ORDER BY tag DESC NULLS LAST, id;
SELECT id, unnest(tags) || '!' AS tag, generate_series(1, n) FROM t ORDER BY id;
SELECT id, generate_series(1, n) g FROM t WHERE id < 3 ORDER BY id DESC LIMIT 3;
SELECT DISTINCT unnest(tags) AS tag FROM t ORDER BY tag;
SELECT unnest(tags) AS tag, count(*) FROM t GROUP BY tag ORDER BY tag;
SELECT unnest(tags) || '?' AS tag, count(*) FROM t GROUP BY 1 ORDER BY 1;
SELECT count(*), generate_series(1, 2) FROM t;
SELECT id, row_number() OVER (ORDER BY id), generate_series(1, 2) FROM t WHERE id < 3 ORDER BY 1, 3;
SELECT sum(x) FROM (SELECT unnest(ARRAY[1, 2, 3]) x) s WHERE x > 1;
SELECT generate_series(1, 2) UNION ALL SELECT generate_series(5, 6);
SELECT id FROM t WHERE id IN (SELECT unnest(ARRAY[1, 3]));
-- refused
SELECT id FROM t WHERE unnest(tags) = 'a';
SELECT count(unnest(tags)) FROM t;
SELECT id FROM t GROUP BY id HAVING unnest(ARRAY[true]);
VALUES (generate_series(1, 2));
SELECT generate_series(1, 3, 0);
SELECT 1 LIMIT generate_series(1, 2);
-- sub-selects of sets
SELECT id FROM t WHERE EXISTS (SELECT FROM unnest(tags) x WHERE x = 'a') ORDER BY id;
SELECT id, (SELECT count(*) FROM unnest(tags) x), (SELECT max(x) FROM unnest(tags) x), ARRAY(SELECT x FROM unnest(tags) x ORDER BY x DESC) FROM t ORDER BY id;
SELECT id, ARRAY(SELECT y.id FROM t y WHERE y.id < t.id ORDER BY 1 DESC LIMIT 2) FROM t ORDER BY id;
SELECT id FROM t WHERE 'b' = ANY (string_to_array(array_to_string(tags, ','), ',')) ORDER BY id;
SELECT id, cardinality(string_to_array(array_to_string(tags, ','), ',')), 'x' = ANY (string_to_array(tags[2], ',')) FROM t ORDER BY id;
SELECT t.id, u.tag, v.i FROM t, unnest(tags) u (tag) JOIN (VALUES ('a', 10), ('b', 20)) v (tag, i) ON v.tag = u.tag ORDER BY 1, 2;
SELECT id, u FROM t, unnest(ARRAY(SELECT x FROM unnest(tags) x WHERE x > 'a' ORDER BY x DESC)) u ORDER BY 1, 2;
SELECT id, u FROM t, generate_series(1, (SELECT max(y.n) FROM t y WHERE y.id <= t.id)) u WHERE id < 4 ORDER BY 1, 2;
SELECT id, x FROM t LEFT JOIN unnest(tags) AS x ON x > 'a' AND id < 5 ORDER BY 1, 2;
SELECT id, x, k FROM t LEFT JOIN unnest(tags) WITH ORDINALITY AS u (x, k) ON k = n ORDER BY 1, 2;
SELECT id, n, g FROM t LEFT JOIN generate_series(1, 2) AS g ON g = n ORDER BY 1, 2;
SELECT id, n, i FROM t LEFT JOIN unnest(ARRAY[n, n + 1]) AS u (n) USING (n) CROSS JOIN generate_series(1, 1) AS i ORDER BY 1;
SELECT coalesce(unnest(ARRAY[1]), 2);
SELECT CASE WHEN true THEN unnest(ARRAY[1]) END;

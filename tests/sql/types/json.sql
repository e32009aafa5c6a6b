-- also: mongo postgres
-- json, which keeps its text.
CREATE TABLE t (id int NOT NULL, j json, b jsonb);
INSERT INTO t VALUES (1, '{"b": 1.0,  "a": [1, {"c": null}], "b": "x\u0041"}', '{"z": 1}'), (2, ' [1, 2,3 ] ', '[1]'), (3, '"s"', NULL), (4, NULL, 'null'), (5, 'null', '1');
SELECT id, j, b FROM t ORDER BY id;
SELECT id, j -> 'a' AS a, j -> 'b' AS b, j ->> 'b' AS bt, j -> 1 AS one, j ->> -1 AS last, j #> '{a,1,c}' AS path, j #>> '{a,1}' AS text FROM t ORDER BY id;
SELECT id, json_typeof(j), json_typeof(j #> '{a,1,c}') FROM t ORDER BY id;
SELECT json_array_length('[1, [2, 3], {"a": 4}]'), json_array_length('[]');
SELECT json_array_length('{}');
SELECT json_array_length('1');
SELECT json_array_elements('[1.0, {"a":  2}, null, "x"]'), json_array_elements_text('[1.0, {"a":  2}, null, "x"]');
SELECT json_array_elements('{"a": 1}');
SELECT * FROM json_each('{"a": 1.0, "b": {"c":  2}, "a": null}');
SELECT * FROM json_each_text('{"a": 1.0, "b": {"c":  2}, "a": null, "d\"e": "x\ny"}');
SELECT json_object_keys('{"a": 1, "b": 2, "a": 3}');
SELECT json_object_keys('[1]');
SELECT json_extract_path('{"a": {"b": [1, 2]}}', 'a', 'b', '1'), json_extract_path_text('{"a": {"b": "x"}}', 'a', 'b'), json_extract_path('{"a": 1}', 'b');
SELECT t.id, e.value FROM t, json_array_elements(t.j) e WHERE t.id = 2;
-- made of other values
SELECT to_json(1), to_json(1.50), to_json(text 'a"b'), to_json(true), to_json('2020-01-02 03:04:05'::timestamp), to_json('2020-01-02 03:04:05+02'::timestamptz), to_json(date '2020-01-02'), to_json(ARRAY[[1, 2], [3, 4]]), to_json('NaN'::float8), to_json(interval '1 day');
SELECT to_json(j), to_json(b) FROM t WHERE id = 1;
SELECT row_to_json(t) FROM t ORDER BY id;
SELECT row_to_json(t, true) FROM t WHERE id = 2;
SELECT row_to_json(s) FROM (SELECT id, ARRAY[id, id] AS a, ROW(id, text 'x') AS r, NULL AS n FROM t) s ORDER BY id;
SELECT array_to_json(ARRAY[1, NULL, 3]), array_to_json(ARRAY[[1, 2], [3, 4]], true);
SELECT json_build_object('a', 1, 'b', NULL, 2, text 'x', 'j', '{"x":  1}'::json, 'jb', '{"x":  1}'::jsonb, 'arr', ARRAY[1, 2], 'row', ROW(1, 2)), json_build_object();
SELECT json_build_array(1, text 'a', NULL, '[1,  2]'::json, 1.0, true), json_build_array();
SELECT json_build_object(NULL, 1);
SELECT json_build_object('a');
SELECT json_agg(id ORDER BY id DESC), json_agg(j ORDER BY id), json_agg(b ORDER BY id) FROM t;
SELECT json_agg(t ORDER BY id) FROM t WHERE id IN (2, 3);
SELECT json_agg(r) FROM (SELECT id, id * 2 AS double FROM t ORDER BY id) r;
SELECT json_agg(ARRAY[id, 1] ORDER BY id) FROM t WHERE id < 3;
SELECT json_agg(DISTINCT id % 2), json_agg(id) FILTER (WHERE id > 9), count(j) FROM t;
SELECT coalesce(json_agg(id), '[]') FROM t WHERE id > 9;
SELECT json_object_agg(id, j ORDER BY id), json_object_agg('k' || id, id ORDER BY id) FROM t WHERE id < 4;
SELECT json_object_agg(NULL, 1) FROM t;
SELECT (SELECT json_agg(x ORDER BY x.id) FROM (SELECT u.id, u.b FROM t u WHERE u.id <= t.id) x) FROM t WHERE id = 2;
-- casts
SELECT j::text, j::jsonb, b::json, b::json::text FROM t ORDER BY id;
SELECT '{"a":1}'::text::json -> 'a', ('{"a": 1, "a": 2}'::json)::jsonb, json '[1]' -> 0;
SELECT '{"a": "\u0000"}'::json;
-- no equality, and no order
SELECT j = j FROM t;
SELECT j <> '{}' FROM t;
SELECT DISTINCT j FROM t;
SELECT j FROM t ORDER BY j;
SELECT count(*) FROM t GROUP BY j;
SELECT j FROM t UNION SELECT j FROM t;
SELECT count(DISTINCT j) FROM t;
SELECT id FROM t WHERE j IS NULL;
SELECT j FROM t WHERE id = 1 UNION ALL SELECT '{}' ORDER BY 1;
-- in statements that write
UPDATE t SET j = json_build_object('id', id) WHERE id > 3;
UPDATE t SET j = b WHERE id = 2;
SELECT id, j FROM t ORDER BY id;
SELECT * FROM json_to_record('{"a": 1, "b": "x"}') AS x (a int, b text);
SELECT * FROM json_to_recordset('[{"a": 1}, {"a": 2}]') AS x (a int);
COPY (SELECT id, j FROM t ORDER BY id) TO STDOUT;

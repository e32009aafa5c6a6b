-- also: postgres
-- jsonb: text, operators, order, casts
SELECT '{"b":1.10, "a":[1e5, {"x":null}], "cc":-0.0, "b":true}'::jsonb, '"\u00e9\n\ud83d\ude00"'::jsonb AS s, ' null '::jsonb, '[]'::jsonb, '{}'::jsonb;
SELECT 'null'::jsonb IS NULL AS json_null, NULL::jsonb IS NULL AS sql_null, ('{"a":null}'::jsonb -> 'a') IS NULL AS field, ('{"a":null}'::jsonb ->> 'a') IS NULL AS text, '{"a":1}'::jsonb -> 'b' IS NULL AS none;
SELECT 12345678901234567890::text::jsonb AS n, '1E+3'::jsonb, '1.5e-3'::jsonb, '-0'::jsonb, '0.10'::jsonb;
SELECT '{"a":[10,20,{"b":"x"}]}'::jsonb AS j, '{"a":[10,20]}'::jsonb -> 'a' -> 1 AS i, '[1,2,3]'::jsonb -> -1 AS last, '[1,2]'::jsonb -> 5 AS beyond, '{"a":1}'::jsonb -> 0 AS object, '"s"'::jsonb -> 0 AS scalar, '7'::jsonb ->> -1 AS own, '[1]'::jsonb -> 'a' AS array;
SELECT '{"a":"x"}'::jsonb ->> 'a' AS s, '{"a":{"b": 1}}'::jsonb ->> 'a' AS o, '[true,1.50]'::jsonb ->> 1 AS n, '[true]'::jsonb ->> 0 AS b;
SELECT '{"a":{"b":["x","y"]}}'::jsonb #> '{a,b}' AS p, '{"a":{"b":["x","y"]}}'::jsonb #>> '{a,b,-1}' AS t, '{"a":1}'::jsonb #> '{}' AS whole, '{"a":1}'::jsonb #> '{a,b}' AS below, '[1]'::jsonb #> '{x}' AS word, '{"a":1}'::jsonb #> ARRAY[NULL] AS nothing;
SELECT '{"a":1,"b":[1,2,{"c":3}]}'::jsonb @> '{"b":[{"c":3}]}' AS a, '[1,[2,3]]'::jsonb @> '[[2]]' AS b, '["foo"]'::jsonb @> '"foo"' AS c, '"foo"'::jsonb @> '["foo"]' AS d, '{"a":{"b":1}}'::jsonb @> '{"a":{}}' AS e, '[1,2]'::jsonb @> '[1,1]' AS f, '{"a":1}'::jsonb <@ '{"a":1.0,"b":2}' AS g, '{"a":[]}'::jsonb @> '{"a":{}}' AS h, '1'::jsonb @> '1.0' AS i, '[null]'::jsonb @> 'null' AS k;
SELECT '{"a":1}'::jsonb ? 'a' AS a, '["a","b"]'::jsonb ? 'b' AS b, '"a"'::jsonb ? 'a' AS c, '[1]'::jsonb ? '1' AS d, '{"a":1}'::jsonb ?| '{x,a}' AS e, '{"a":1}'::jsonb ?& ARRAY['x','a'] AS f, '{"a":1}'::jsonb ?& '{}' AS g, '{"a":1}'::jsonb ?| '{}' AS h;
SELECT '{"a":1,"b":2}'::jsonb || '{"b":3,"c":4}' AS a, '[1]'::jsonb || '[2,3]' AS b, '[1]'::jsonb || '{"a":1}' AS c, '1'::jsonb || '2' AS d, '{"a":1}'::jsonb || '5' AS e, 'null'::jsonb || '[]' AS f, '{}'::jsonb || '[]' AS g;
SELECT '{"a":1,"b":2}'::jsonb - 'a' AS a, '["a","b",1]'::jsonb - 'a' AS b, '[1,2,3]'::jsonb - 1 AS c, '[1,2,3]'::jsonb - -1 AS d, '[1]'::jsonb - 7 AS e, '{"a":1,"b":2,"c":3}'::jsonb - '{a,c}'::text[] AS f, '[1,{"a":[2,3]}]'::jsonb #- '{1,a,0}' AS g, '{"a":1}'::jsonb #- '{b}' AS h, '{"a":1}'::jsonb #- '{}' AS i;
SELECT '1'::jsonb - 'a';
SELECT '{}'::jsonb - 1;
SELECT '[1,2]'::jsonb #- '{x}';
SELECT '5'::jsonb #- '{x}';
-- order
SELECT x, row_number() OVER (ORDER BY x) FROM (VALUES ('{"a":1}'::jsonb), ('[1]'), ('[]'), ('2'), ('10'), ('"a"'), ('"B"'), ('true'), ('false'), ('null'), ('{}'), ('{"b":0}'), ('{"a":1,"b":2}'), ('[1,2]'), ('[[]]'), (NULL), ('{"aa":1}'), ('{"a":"x"}')) v(x) ORDER BY x;
SELECT x FROM (VALUES ('{"a":1}'::jsonb), ('[1]'), ('[]'), ('2'), (NULL), ('null')) v(x) ORDER BY x DESC;
SELECT x FROM (VALUES ('{"a":1}'::jsonb), ('[1]'), ('[]'), ('2'), (NULL), ('null')) v(x) ORDER BY x DESC NULLS LAST;
SELECT x FROM (VALUES ('{"a":1}'::jsonb), ('[1]'), ('2'), (NULL), ('null')) v(x) ORDER BY x NULLS FIRST LIMIT 3;
SELECT '{"a":1,"b":2}'::jsonb = '{"b":2.0,"a":1}' AS eq, '[1]'::jsonb < '[]' AS lt, '1'::jsonb <> '1.00' AS ne, '{}'::jsonb > '[1,2,3]' AS gt, 'null'::jsonb >= '[]' AS ge, '"a"'::jsonb <= '1' AS le;
SELECT x, count(*) FROM (VALUES ('{"a":1,"b":[]}'::jsonb), ('{"b":[],"a":1.0}'), ('1'), ('1.0'), (NULL), ('null'), (NULL)) v(x) GROUP BY x ORDER BY x;
SELECT DISTINCT x FROM (VALUES ('{"a":1,"b":2}'::jsonb), ('{"b":2,"a":1}'), ('null'), ('null'), (NULL), (NULL)) v(x) ORDER BY x;
SELECT count(DISTINCT x) FROM (VALUES ('1'::jsonb), ('1.0'), ('"1"'), ('null'), (NULL)) v(x);
SELECT '1'::jsonb UNION SELECT '1.0'::jsonb INTERSECT SELECT '1.00'::jsonb;
SELECT x FROM (VALUES ('1'::jsonb), ('[1]'), (NULL)) v(x) WHERE x IN ('1.0', '[1.0]');
SELECT a.x, b.y FROM (VALUES ('{"a":1}'::jsonb), ('2')) a(x) JOIN (VALUES ('{"a":1.0}'::jsonb), ('3')) b(y) ON a.x = b.y;
SELECT '1'::jsonb IS DISTINCT FROM '1.0' AS a, NULL::jsonb IS DISTINCT FROM 'null' AS b, nullif('{"a":1}'::jsonb, '{"a":1.0}') AS c, greatest('1'::jsonb, '[]', '{}') AS d, least('1'::jsonb, 'null') AS e;
-- casts
SELECT '1.50'::jsonb::numeric AS n, '2.5'::jsonb::int AS i, '-7'::jsonb::int8 AS l, '3'::jsonb::int2 AS s, '1e2'::jsonb::float8 AS d, '0.1'::jsonb::float4 AS r, 'true'::jsonb::bool AS b, '{"a":1}'::jsonb::text AS t, '"x"'::jsonb::text AS q, '[1]'::text::jsonb AS j;
SELECT '"1"'::jsonb::int;
SELECT 'null'::jsonb::bool;
SELECT '[]'::jsonb::numeric;
SELECT '99999999999'::jsonb::int;
-- functions
SELECT jsonb_typeof('null'), jsonb_typeof('1'), jsonb_typeof('"a"'), jsonb_typeof('true'), jsonb_typeof('[]'), jsonb_typeof('{}'), jsonb_typeof('{"a":null}'::jsonb->'a') AS field, jsonb_typeof(NULL) AS none;
SELECT jsonb_array_length('[1,[2,3],{}]'), jsonb_array_length('[]');
SELECT jsonb_array_length('{}');
SELECT jsonb_array_length('1');
SELECT jsonb_extract_path('{"a":{"b":[5,6]}}', 'a', 'b', '1') AS a, jsonb_extract_path_text('{"a":"x"}', 'a') AS b, jsonb_extract_path('{"a":1}', 'b') AS c;
SELECT jsonb_set('{"a":[1,2,3],"b":{}}', '{a,1}', '"x"') AS a, jsonb_set('{"a":1}', '{b}', '2', create_if_missing => false) AS b, jsonb_set('{"a":1}', '{b,c}', '2') AS c, jsonb_set('[1,2]', '{-1}', '9') AS d, jsonb_set('[1,2]', '{5}', '9') AS e, jsonb_set('[1,2]', '{-5}', '9') AS f, jsonb_set('[1,2]', '{5}', '9', false) AS g, jsonb_set('{"a":1}', '{}', '2') AS h, jsonb_set('[]', '{0}', '1') AS i, jsonb_set('{"a":{"b":1}}', '{a,b}', 'null') AS k;
SELECT jsonb_set('1', '{a}', '2');
SELECT jsonb_set('[1]', '{a}', '2');
SELECT jsonb_set('{"a":1}', ARRAY['a',NULL], '2'), jsonb_set('{"a":[1]}', ARRAY['a',NULL], '2');
SELECT jsonb_set_lax('{"a":1,"b":2}', '{b}', NULL) AS a, jsonb_set_lax('{"a":1,"b":2}', '{b}', NULL, true, 'delete_key') AS b, jsonb_set_lax('{"a":1,"b":2}', '{b}', NULL, true, 'return_target') AS c, jsonb_set_lax('{"a":1}', '{b}', '3', true, 'delete_key') AS d;
SELECT jsonb_set_lax('{"a":1}', '{b}', NULL, true, 'raise_exception');
SELECT jsonb_set_lax('{"a":1}', '{b}', NULL, true, 'other');
SELECT jsonb_insert('{"a":[0,1,2]}', '{a,1}', '"new"') AS a, jsonb_insert('{"a":[0,1,2]}', '{a,1}', '"new"', true) AS b, jsonb_insert('{"a":1}', '{b}', '2') AS c, jsonb_insert('[1,2]', '{9}', '3') AS d, jsonb_insert('[1,2]', '{-9}', '3') AS e, jsonb_insert('[1,2]', '{-1}', '3', true) AS f;
SELECT jsonb_insert('{"a":1}', '{a}', '2');
SELECT jsonb_strip_nulls('{"a":null,"b":{"c":null,"d":[null,{"e":null}]}}') AS s, jsonb_strip_nulls('null') AS n;
SELECT jsonb_pretty('{"a":[1,{"b":"x"},[]],"c":{}}');
SELECT jsonb_build_array(1, 1.50, 'a', true, NULL, '{"x":1}'::jsonb, date '2020-01-02', timestamp '2020-01-02 03:04:05', ARRAY[1,2], 2::float8, 'NaN'::float8, interval '1 day', 0.1::float4) AS a, jsonb_build_array() AS b;
SELECT jsonb_build_object('b', 1, 'a', NULL, 3, 'x', true, ARRAY['p','q']) AS o, jsonb_build_object() AS e;
SELECT jsonb_build_object('a');
SELECT jsonb_build_object(NULL, 1);
SELECT jsonb_build_object('{}'::jsonb, 1);
SELECT to_jsonb(1) AS i, to_jsonb('a"b'::text) AS t, to_jsonb(timestamptz '2020-01-02 03:04:05+01') AS z, to_jsonb(ARRAY[[1,2],[3,4]]) AS d, to_jsonb('{"b":1}'::jsonb) AS j, to_jsonb(NULL::int) AS n, to_jsonb(1e20::float8) AS f, to_jsonb('\x01'::bytea) AS y, to_jsonb(1.0::numeric) AS m;
SELECT jsonb_object('{a,1,b,"x y",c,NULL}') AS a, jsonb_object('{{a,1},{b,2}}') AS b, jsonb_object('{k,l}', '{1,NULL}') AS c, jsonb_object('{}') AS d;
SELECT jsonb_object('{a,b,c}');
SELECT jsonb_object('{a,b}', '{1}');
SELECT jsonb_object('{NULL,b}');
-- aggregates
SELECT g, jsonb_agg(x ORDER BY x DESC) AS down, jsonb_agg(DISTINCT x) AS d, jsonb_agg(x ORDER BY x) FILTER (WHERE x > 1) AS f, jsonb_object_agg(k, x) AS o FROM (VALUES (1, 'b', 3), (1, 'a', 1), (1, 'aa', 3), (2, 'c', NULL)) v(g, k, x) GROUP BY g ORDER BY g;
SELECT jsonb_agg(x), jsonb_object_agg('k', x) FROM (VALUES (1)) v(x) WHERE x > 1;
SELECT jsonb_agg(jsonb_build_object('x', x, 'y', y) ORDER BY x) FROM (VALUES (2, 'b'), (1, NULL)) v(x, y);
SELECT jsonb_object_agg(k, 1) FROM (VALUES ('a'), (NULL)) v(k);
SELECT x, jsonb_agg(x) OVER (ORDER BY x) AS running, jsonb_agg(x) OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS two FROM (VALUES (1), (2), (3)) v(x) ORDER BY x;
SELECT jsonb_agg(DISTINCT j) FROM (VALUES ('1'::jsonb), ('1.0'), ('null'), (NULL), ('{"a":1}')) v(j);

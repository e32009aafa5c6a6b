-- also: postgres mongo
-- Arrays from JSON: each dimension has one size, and the first value says how many dimensions there are.
SELECT * FROM jsonb_to_record('{"a":[[1,2],[3,null]],"b":[],"c":[[],[]],"d":[1,"2",3.0],"e":"{4,5}","f":[[["x"]],[["y"]]]}') AS x (a int[], b int[], c int[], d int[], e int[], f text[]);
SELECT * FROM jsonb_to_record('{"a":[[1],2]}') AS x (a int[]);
SELECT * FROM jsonb_to_record('{"a":[1,[2]]}') AS x (a int[]);
SELECT * FROM jsonb_to_record('{"a":[[1],[2,3]]}') AS x (a int[]);
SELECT * FROM jsonb_to_record('{"a":[[1],null]}') AS x (a int[]);
SELECT * FROM jsonb_to_record('{"a":[[],[1]]}') AS x (a int[]);
SELECT * FROM jsonb_to_record('{"a":[[["a"]],["b"]]}') AS x (a text[]);
SELECT * FROM jsonb_to_record('{"a":{"b":1}}') AS x (a int[]);
SELECT * FROM jsonb_to_record('{"a":[[[[[[[1]]]]]]]}') AS x (a int[]);
SELECT * FROM jsonb_to_recordset('[{"a":[1,2]},{"a":[[1],2]}]') AS x (a int[]);
-- ANY and ALL of operators that are no condition
SELECT 33 * ANY ('{1,2,3}');
SELECT 33 + ALL (ARRAY[1]);
SELECT 33 - ANY ('{}'::int[]);
SELECT x FROM (VALUES (ARRAY[1])) t (x) WHERE 1 + ANY (x);
SELECT 33 + ANY (SELECT 1);
SELECT 33 = ANY ('{1,33}') AS a, 33 <> ALL (ARRAY[1]) AS b, 'abc' LIKE ANY ('{a%,b%}') AS c;
-- OIDs
SELECT 5::oid AS a, (-1)::oid AS b, '-1'::oid AS c, 4294967295::oid AS d, (-5)::smallint::oid AS e, NULL::oid AS f;
SELECT 4567890123456789::oid;
SELECT (-1)::bigint::oid;
SELECT x::oid FROM (VALUES (4294967296)) t (x);
SELECT x::oid FROM (VALUES ('4294967296')) t (x);
SELECT pg_typeof('1'::oid), 23::oid::regtype, 'int4'::regtype::oid, 4294967295::oid::int4 AS wraps, 4294967295::oid::int8, 7::oid::text || '!', format('%s', 7::oid), '{1,4294967295}'::oid[], '{1,2}'::int[]::oid[];
SELECT 3::oid < 10 AS a, 3::oid = 3::int8 AS b, 3::oid = ANY ('{1,3}'::oid[]) AS c, 3::oid IN (1, 3) AS d, 23::oid = 'int4'::regtype AS e, 4294967295::oid > 1::int2 AS f, '3'::oid IS DISTINCT FROM 3 AS g, 3::oid = '3' AS h;
SELECT min(x), max(x), array_agg(x ORDER BY x DESC), count(DISTINCT x), pg_typeof(max(x)) FROM unnest('{26,4294967295,26}'::oid[]) x;
SELECT greatest(1::oid, 5), coalesce(NULL, 1::oid), pg_typeof(CASE WHEN true THEN 1 ELSE 2::oid END), to_jsonb(1::oid), pg_column_size(1::oid);
SELECT x, pg_typeof(x) FROM (SELECT 1 UNION SELECT 2::oid) t (x) ORDER BY x;
SELECT ' x'::oid;
SELECT ''::oid;
SELECT '-2147483649'::oid;
SELECT 1::oid + 1;
SELECT 1.5::oid;
SELECT 1::oid::int2;
SELECT sum(x) FROM unnest('{1}'::oid[]) x;
-- Infinity and NaN by a template
SELECT to_char('infinity'::float4, 'MI99.99') AS a, to_char('-infinity'::float4, '9.99PR') AS b, to_char('infinity'::float8, '99.99') AS c, to_char('-infinity'::float8, 'S0009.99999999') AS d, to_char('nan'::float4, 'FM9.99') AS e, to_char(-123.456::float4, '999.9999999') AS f;
-- LIKE of bytes
SELECT '\x6100ff'::bytea LIKE '\x6125'::bytea AS a, '\xff00'::bytea LIKE '__' AS b, 'abc'::bytea NOT LIKE 'x%' AS c, 'a%c'::bytea LIKE 'a!%c'::bytea ESCAPE '!'::bytea AS d, '\xc3a9'::bytea LIKE '_' AS e, 'é' LIKE '_' AS f, 'a%c'::bytea LIKE 'a\\%c' AS g;
SELECT 'abc'::bytea LIKE 'ab\\';
SELECT 'abc'::bytea ILIKE 'A%'::bytea;
-- Bytes joined
SELECT string_agg(x, ','::bytea) AS a, string_agg(x, '\x00'::bytea ORDER BY x DESC) AS b, string_agg(DISTINCT x, '-'::bytea) AS c, string_agg(x, NULL) AS d, string_agg(x, ','::bytea) FILTER (WHERE x > 'z') AS e FROM (VALUES ('a'::bytea), ('b'), (NULL), ('\xff'), ('a')) v (x);
-- Sizes
SELECT pg_column_size(1) AS i4, pg_column_size(1::bigint) AS i8, pg_column_size(1::smallint) AS i2, pg_column_size(true) AS bool, pg_column_size(now()) AS tz, pg_column_size(1.5::float8) AS f8, pg_column_size('2020-01-01'::date) AS date, pg_column_size('1 day'::interval) AS interval, pg_column_size('abc'::text) AS text, pg_column_size('abc'::bytea) AS bytea, pg_column_size(NULL::int) AS null;
SELECT x, pg_column_size(x) FROM (VALUES (0), (1.5), (12345678), (10000), (0.0001), (123456789.123456789), (-0.00000001), (1e100), (1e300), ('NaN')) t (x);
SELECT x, pg_column_size(x) FROM (VALUES ('{"a":1}'::jsonb), ('[]'), ('"abc"'), ('null'), ('[1,"é",null,true,[2.5,{"key":{"x":"yyy"}}]]'), ('5')) t (x);
SELECT pg_column_size(ARRAY[1,2,3]) AS a, pg_column_size('{}'::int[]) AS b, pg_column_size(ARRAY[1,NULL,3]) AS c, pg_column_size(ARRAY['a','bcd',NULL]) AS d, pg_column_size(ARRAY[[1,2],[3,4]]::bigint[]) AS e, pg_column_size(ARRAY[true,false]) AS f, pg_column_size(ARRAY[1.5,2]) AS g;
-- Functions behind operators
SELECT jsonb_contains('{"a":1,"b":2}', '{"a":1}') AS a, jsonb_contained('{"a":1}', '{"a":1,"b":2}') AS b, jsonb_exists('{"a":1}', 'a') AS c, jsonb_exists_any('{"a":1}', '{x,a}') AS d, jsonb_exists_all('{"a":1}', '{x,a}') AS e, jsonb_object_field_text('{"a":1}', 'a') AS f, jsonb_array_element('[1,2]', 1) AS g, jsonb_lt('1', '2') AS h;
SELECT arraycontains(ARRAY[1,2], ARRAY[1]) AS a, array_lt(ARRAY[1], ARRAY[2]) AS b, textlike('abc', 'a%') AS c, texticregexeq('abc', 'B') AS d, int4pl(1, 2) AS e, int8div(7::bigint, 2::bigint) AS f, float8mul(1.5, 2) AS g, numeric_sub(1.50, 1) AS h, date_mi('2020-01-03', '2020-01-01') AS i, jsonb_contains(NULL, '1') AS j;
SELECT count(*) FROM pg_stats WHERE tablename = 'nosuch' AND null_frac > 0 AND n_distinct < 0;
SELECT l.mode, l.granted FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE NOT l.granted;

-- also: mongo postgres
-- Operators and functions of arrays.
CREATE TABLE t (id int, a int[], b text[], n int, x text) USING rows;
INSERT INTO t VALUES (1, '{1,2,3}', '{a,b}', 2, 'b'), (2, '{}', '{NULL}', 1, 'a'), (3, NULL, '{}', 3, NULL), (4, '{3,NULL,1}', NULL, NULL, 'z'), (5, '{{1,2},{3,4}}', '{b,a,b}', 4, 'a'), (6, '{1,2}', '{"x y"}', 2, 'x y');
-- subscripts and slices
SELECT id, a[1], a[n], a[2][1], a[0], b[2] FROM t ORDER BY id;
SELECT id, a[1:2], a[2:], a[:1], a[:], a[2:1], a[1:1][2:2], a[2][1:1] FROM t ORDER BY id;
SELECT (ARRAY[5, 6, 7])[2], ('{{1,2},{3,4}}'::int[])[2][1], (ARRAY[1, 2, 3])[NULL], (ARRAY[1, 2])[1:NULL], (ARRAY[1.5, 2])['2'];
SELECT id, (a[2:])[1], (b[:2])[2], ((a[1:2])[1:1])[1] FROM t ORDER BY id;
SELECT (ARRAY[1, 2])['x'];
SELECT mode() WITHIN GROUP (ORDER BY 'x');
SELECT id[1] FROM t;
SELECT jsonb '{"a": [1, {"b": 2}]}' AS j, (jsonb '{"a": [1, {"b": 2}]}')['a'][1]['b'];
-- comparisons and order
SELECT ARRAY[1, 2] = ARRAY[1, 2], ARRAY[1, 2] < ARRAY[1, 3], ARRAY[1] < ARRAY[1, 0], ARRAY[NULL::int] > ARRAY[1], ARRAY[1, NULL] = ARRAY[1, NULL], ARRAY[[1, 2]] = ARRAY[1, 2], ARRAY[[1, 2]] > ARRAY[1, 2], '{NaN}'::float8[] > '{1}';
SELECT id, a FROM t ORDER BY a, id;
SELECT id, a FROM t ORDER BY a DESC NULLS LAST, id;
SELECT id, b FROM t ORDER BY b NULLS FIRST, id;
SELECT id FROM t WHERE a = ARRAY[1, 2, 3] OR a = '{3,NULL,1}' ORDER BY id;
SELECT id FROM t WHERE a <> ARRAY[1, 2, 3] ORDER BY id;
SELECT id FROM t WHERE a > ARRAY[1, 2] ORDER BY id;
SELECT id FROM t WHERE a IN (ARRAY[1, 2], ARRAY[3, NULL, 1]) ORDER BY id;
SELECT id FROM t WHERE a IS DISTINCT FROM ARRAY[1, 2] ORDER BY id;
SELECT ARRAY[interval '1 day'] = ARRAY[interval '24 h'], ARRAY[interval '1 day'] IS DISTINCT FROM ARRAY[interval '24 h'], ARRAY[interval '1 mon'] < ARRAY[interval '31 days'];
SELECT a, count(*) FROM (SELECT a FROM t UNION ALL SELECT a FROM t WHERE id < 3) s GROUP BY a ORDER BY a;
SELECT DISTINCT a[1:1] FROM t ORDER BY 1;
SELECT x.id, y.id FROM t x JOIN t y ON x.a = y.a ORDER BY 1;
SELECT x.id, y.id FROM t x JOIN t y ON x.a = y.a[1:2] AND x.id <> y.id ORDER BY 1, 2;
SELECT max(a), min(a), max(b) FROM t;
SELECT greatest(ARRAY[1, 2], ARRAY[1, NULL], NULL), least(ARRAY['b'], ARRAY['a', 'z']);
SELECT id, rank() OVER (ORDER BY a), count(*) OVER (PARTITION BY a) FROM t ORDER BY id;
SELECT nullif(ARRAY[1], ARRAY[1]), coalesce(NULL, ARRAY[1]), CASE WHEN true THEN ARRAY[1] ELSE '{2}' END;
-- containment
SELECT ARRAY[1, 4, 3] @> ARRAY[3, 1, 3], ARRAY[2, 7] <@ ARRAY[1, 7, 4, 2], ARRAY[1] && ARRAY[2, 1], ARRAY[1, NULL] @> ARRAY[NULL::int], '{}'::int[] <@ ARRAY[1], '{}'::int[] && '{}', ARRAY[[1, 2], [3, 4]] @> ARRAY[4];
SELECT id FROM t WHERE b @> ARRAY['a'] ORDER BY id;
SELECT id FROM t WHERE b && '{b,z}' ORDER BY id;
SELECT id FROM t WHERE NOT b <@ '{a,b}' ORDER BY id;
-- ANY and ALL
SELECT id FROM t WHERE id = ANY ('{1,3,7}') ORDER BY id;
SELECT id FROM t WHERE id <> ALL (ARRAY[1, 3]) ORDER BY id;
SELECT id FROM t WHERE x = ANY (b) ORDER BY id;
SELECT id, x = ANY (b), x <> ALL (b), n < ALL (a), n >= ANY (a) FROM t ORDER BY id;
SELECT 1 = ANY (NULL::int[]), NULL = ANY ('{1}'::int[]), 1 = ANY ('{2,NULL}'::int[]), 1 = ANY ('{1,NULL}'::int[]), 1 = ALL ('{}'::int[]), NULL::int = ANY ('{}'::int[]), 3 > ANY (ARRAY[[1, 2], [3, 4]]);
SELECT id FROM t WHERE x LIKE ANY (ARRAY['a%', 'z']) ORDER BY id;
SELECT id FROM t WHERE id::bigint = ANY (a) ORDER BY id;
SELECT 1 = ANY (1);
SELECT id FROM t WHERE x = ANY (a);
PREPARE p AS SELECT id FROM t WHERE id = ANY ($1) ORDER BY id;
EXECUTE p ('{2,4}');
EXECUTE p (ARRAY[1]);
-- concatenation
SELECT ARRAY[1, 2] || 3, 0 || ARRAY[1, 2], ARRAY[1] || ARRAY[2, 3], ARRAY[1, 2] || '{3}', ARRAY[1] || NULL, ARRAY[1, 2] || ARRAY[[3, 4]], ARRAY[1] || 2.5, '{}'::int[] || 1, 'a' || ARRAY['b', 'c'], ARRAY['x'] || 'y'::text;
SELECT id, a || n, n || a, b || x FROM t WHERE id <> 5 ORDER BY id;
SELECT ARRAY[[1, 2]] || ARRAY[[[3]]];
SELECT ARRAY[[1, 2], [3, 4]] || ARRAY[1];
SELECT a || 1 FROM t WHERE id = 5;
SELECT ARRAY[1] || 'x'::text;
-- functions
SELECT id, array_length(a, 1), array_length(a, 2), array_ndims(a), array_dims(a), array_lower(a, 1), array_upper(a, 2), cardinality(a) FROM t ORDER BY id;
SELECT array_append(ARRAY[1, 2], 3), array_append(NULL::int[], 1), array_append(ARRAY[1], NULL), array_prepend(0, ARRAY[1]), array_cat(ARRAY[1], ARRAY[[2], [3]]), array_cat(NULL, ARRAY[1]), array_append(ARRAY[1], 1.5);
SELECT array_remove(ARRAY[1, 2, 1, NULL], 1), array_remove(ARRAY[1, NULL, 2], NULL), array_replace(ARRAY[1, 2, 1], 1, 9), array_replace(ARRAY[[1, 2], [1, 3]], 1, NULL), array_position(ARRAY['a', 'b', NULL], NULL), array_position(ARRAY['a', 'b', 'a'], 'a', 2), array_positions(ARRAY[1, 2, 1], 1), array_position(ARRAY[1], 5);
SELECT array_remove(ARRAY[[1]], 1);
SELECT array_position(ARRAY[[1]], 1);
SELECT array_position(ARRAY[1], 1, NULL);
SELECT array_fill(7, ARRAY[2, 2]), array_fill('x'::text, ARRAY[3]), array_fill(NULL::int, ARRAY[2]), array_fill(1, '{}'), trim_array(ARRAY[1, 2, 3], 2), trim_array(ARRAY[[1, 2], [3, 4]], 1);
SELECT array_fill(1, NULL);
SELECT trim_array(ARRAY[1], 2);
SELECT array_to_string(ARRAY[1, NULL, 3], ','), array_to_string(ARRAY[1, NULL], '-', 'null'), array_to_string(ARRAY[[1, 2], [3, 4]], ' '), array_to_string(ARRAY[true, false], ','), array_to_string(ARRAY[1.50, 2], '|'), array_to_string('{}'::int[], ','), array_to_string(ARRAY[timestamptz '2020-01-01 00:00+00'], '');
SELECT string_to_array('a,b,,c', ','), string_to_array('abc', NULL), string_to_array('abc', ''), string_to_array('', ','), string_to_array(NULL, ','), string_to_array('a,b', ',', 'b'), string_to_array('aXXbXXc', 'XX'), string_to_array('äöü', NULL);
SELECT * FROM string_to_table('x,y,z', ',', 'y') WITH ORDINALITY;
SELECT regexp_match('foobarbequebaz', '(bar)(beque)'), regexp_match('abc', 'x'), regexp_match('abc', 'b(x)?'), regexp_split_to_array('hello  world', '\s+'), regexp_split_to_array('abc', ''), regexp_split_to_array(',a,', ',');
SELECT * FROM regexp_matches('foobarbequebazilbarfbonk', '(b[^b]+)(b[^b]+)', 'g') m;
SELECT regexp_matches('abc', '.', 'g'), regexp_split_to_table('a1b2c', '\d');
SELECT regexp_matches('abc', 'x');
SELECT regexp_match('abc', 'a', 'g');
SELECT width_bucket(5, ARRAY[1, 3, 4, 10]), width_bucket(now(), ARRAY['yesterday', 'today', 'tomorrow']::timestamptz[]), width_bucket(0.5, ARRAY[1, 2]), width_bucket('m', ARRAY['a', 'n']);
SELECT width_bucket(5, ARRAY[3, NULL]);
SELECT num_nulls(VARIADIC ARRAY[1, NULL, 2]), num_nonnulls(VARIADIC ARRAY[1, NULL, 2]), concat(VARIADIC ARRAY['a', 'b']), concat_ws('-', VARIADIC ARRAY[1, 2]), format('%s and %s', VARIADIC ARRAY['x', 'y']), num_nulls(VARIADIC '{}'::int[]);
SELECT id, concat_ws('+', VARIADIC a), num_nulls(VARIADIC a), concat(VARIADIC b) FROM t ORDER BY id;
SELECT concat(VARIADIC 1);
SELECT array_length(NULL, 1);
SELECT array_ndims('{1}');
-- sub-selects
SELECT ARRAY(SELECT id FROM t WHERE id < 4 ORDER BY id DESC), ARRAY(SELECT x FROM t WHERE false), ARRAY(SELECT a FROM t WHERE id = 1 OR id = 4 ORDER BY id), ARRAY(SELECT id FROM t WHERE id = 1)::text[];
SELECT ARRAY(SELECT id, n FROM t);
-- columns of tables
CREATE TABLE u (id int, f float8[], d date[], v varchar(2)[], m numeric(5, 1)[], z timestamptz[], o bool[]) USING rows;
INSERT INTO u VALUES (1, '{1,2.5}', ARRAY['2020-01-01', NULL]::date[], '{ab,c}', '{1.25,2}', ARRAY[timestamptz '2020-01-01 12:00+02'], ARRAY[true, false]);
INSERT INTO u (id, f) SELECT 2, ARRAY[1, 2];
INSERT INTO u (id, v) VALUES (3, '{abc}');
INSERT INTO u (id, m) VALUES (4, 'x');
INSERT INTO u (id, f) VALUES (5, ARRAY['a']);
INSERT INTO u (id, o) VALUES (6, ARRAY[1, 2]);
UPDATE u SET v = v || 'zz'::varchar, o = NULL WHERE id = 1;
SELECT * FROM u ORDER BY id;
DELETE FROM u WHERE f = ARRAY[1.0, 2.0];
SELECT id FROM u ORDER BY id;
SELECT cardinality(ARRAY[id]), cardinality(ARRAY[id, n]), cardinality(ARRAY[id, n, NULL]) FROM t WHERE id < 3 ORDER BY id;

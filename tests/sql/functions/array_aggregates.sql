-- also: mongo postgres
-- array_agg, and percentiles at several fractions.
SELECT id, array_agg(id) OVER (ORDER BY id), array_agg(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), array_agg(id) FILTER (WHERE id > 2) OVER (PARTITION BY id % 2) FROM generate_series(1, 5) id ORDER BY id;
SELECT array_agg(id), array_agg(id ORDER BY id DESC), array_agg(DISTINCT id % 3), array_agg(DISTINCT id % 2 ORDER BY id % 2 DESC), array_agg(id) FILTER (WHERE id > 3), array_agg(id) FILTER (WHERE id > 9), array_agg(ARRAY[id, 2]) FROM generate_series(1, 5) id;
SELECT array_agg(x), array_agg(x ORDER BY x), array_agg(DISTINCT x) FROM (VALUES ('b'), (NULL), ('a'), (NULL)) v(x);
SELECT array_agg(x) FROM (VALUES (ARRAY[1]), (NULL)) v(x);
SELECT array_agg(x) FROM (VALUES (ARRAY[1]), ('{1,2}')) v(x);
SELECT array_agg(x ORDER BY x DESC) FROM (VALUES (ARRAY[1,5]), ('{1,2}')) v(x);
SELECT id % 2 AS k, array_agg(id), array_agg(id::text ORDER BY id DESC) FROM generate_series(1, 5) id GROUP BY 1 ORDER BY 1;
SELECT array_agg(id) FROM generate_series(1, 0) id;
SELECT percentile_cont(ARRAY[0, 0.5, NULL, 1]) WITHIN GROUP (ORDER BY x), percentile_disc(ARRAY[[0.2, 0.9], [0.5, 1]]) WITHIN GROUP (ORDER BY x DESC), percentile_cont(ARRAY[0.25, 0.5]) WITHIN GROUP (ORDER BY x * interval '1 hour') FROM generate_series(1, 4) x;
SELECT percentile_cont(ARRAY[2.0]) WITHIN GROUP (ORDER BY x) FROM generate_series(1, 4) x;
SELECT percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY x) FROM generate_series(1, 0) x;
SELECT unnest(array_agg(id)) FROM generate_series(1, 3) id;
SELECT k, t FROM (SELECT id % 2 AS k, array_agg(id) AS a FROM generate_series(1, 5) id GROUP BY 1) s, unnest(a) t ORDER BY k, t;
SELECT array_agg(a) FROM (SELECT ARRAY[[[[[[1]]]]]]) x(a);
SELECT array_agg(a) FROM (SELECT ARRAY[[[[[1]]]]]) x(a);
-- DISTINCT with the order of an argument that is cast
SELECT string_agg(DISTINCT v, ',' ORDER BY v), string_agg(DISTINCT v, ',' ORDER BY v DESC), array_agg(DISTINCT v ORDER BY v DESC) FROM (VALUES ('b'::varchar), ('a'), ('b')) AS t (v);
SELECT string_agg(DISTINCT v::text, ',' ORDER BY v) FROM (VALUES (1), (2)) AS t (v);

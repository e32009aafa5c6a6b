-- What PostgreSQL has and mtsql refuses, and what is its own.
SELECT '[0:1]={1,2}'::int[];
CREATE TABLE t (id int, a int[], b text[]) USING rows;
\d t
-- A set that is made for each row has a limit; one of constants in FROM has none.
SELECT count(*) FROM (VALUES (1)) AS v (x), generate_series(x, 1000000) AS g;
SELECT count(*) FROM (VALUES (1)) AS v (x), generate_series(x, 1000001) AS g;
SELECT count(*) FROM generate_series(1, 1000001);
SELECT generate_series(timestamp '2020-01-01', 'infinity', '1 day') LIMIT 3;
SELECT * FROM generate_series(timestamp '2020-01-01', 'infinity', '1 day') LIMIT 3;
SELECT id FROM t WHERE b[1] LIKE ANY (b);
SELECT format('%s', VARIADIC b) FROM t;
\df unnest
\df array_agg
-- JSON's brackets are no array.
SELECT ARRAY['a', 'b'] @> '["b"]';
SELECT ARRAY['a', 'b'] @> '{b}';

-- What an index can serve of LIKE, ~, arrays and functions of time.
CREATE TABLE w (id int, name text, tags text[], at timestamptz TIME NOT NULL, other timestamp) USING rows;
EXPLAIN (COSTS off) SELECT id FROM w WHERE name LIKE 'c1%';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name LIKE 'c1%x';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name NOT LIKE 'c1%';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name ~ '^c1';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name ~ '^c1$';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name ~ '1.*x';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name ~ '^c1?[0-9]';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name ~ '^c1|x';
EXPLAIN (COSTS off) SELECT id FROM w WHERE name ~ '^(c1|c10)$';
EXPLAIN (COSTS off) SELECT id FROM w WHERE NOT name ~ '^(c1|c10)$';
EXPLAIN (COSTS off) SELECT id FROM w WHERE tags @> '{a,b}';
EXPLAIN (COSTS off) SELECT id FROM w WHERE tags && '{a,b}';
EXPLAIN (COSTS off) SELECT id FROM w WHERE tags <@ '{a,b}';
EXPLAIN (COSTS off) SELECT id FROM w WHERE date_trunc('day', at) = '2024-05-01';
EXPLAIN (COSTS off) SELECT id FROM w WHERE extract(year FROM other) = 2024;
DROP TABLE w;
-- a collection without a table: its arrays have one dimension
\! printf '{"_id":1,"tags":["a","b"]}\n{"_id":2,"tags":[]}\n{"_id":3,"tags":["b",null]}\n{"_id":4}\n{"_id":5,"tags":null}\n{"_id":6,"tags":["c"]}\n' > arrays.jsonl
\c arrays.jsonl
EXPLAIN (COSTS off) SELECT _id FROM arrays WHERE tags @> '{a,b}';
EXPLAIN (COSTS off) SELECT _id FROM arrays WHERE tags && '{a,b}';
EXPLAIN (COSTS off) SELECT _id FROM arrays WHERE tags <@ '{a,b}';
SELECT _id FROM arrays WHERE tags @> '{b}';
SELECT _id FROM arrays WHERE tags @> '{}';
SELECT _id FROM arrays WHERE tags @> '{b,NULL}';
SELECT _id FROM arrays WHERE tags && '{a,c,NULL}';
SELECT _id FROM arrays WHERE tags && '{}';
SELECT _id FROM arrays WHERE tags <@ '{a,b,NULL}';
SELECT _id FROM arrays WHERE NOT tags @> '{b}';
\! rm arrays.jsonl

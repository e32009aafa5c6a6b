-- also: mongo postgres
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION DEFAULT 'd', n integer MEASURE, x numeric(6,2) MEASURE, b boolean DEFAULT true) USING nested WITH (levels = 'ts, k', presum = 'ts');
CREATE TABLE u (id bigint, v varchar(3), w double precision);
-- rows, and what is returned of them
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1, 1.005), ('2020-01-01 00:00+00', DEFAULT, NULL, 2) RETURNING *;
INSERT INTO t AS z (ts, n) VALUES ('2020-01-02 00:00+00', 2 + 3) RETURNING n, z.k, n * 2 AS twice, CASE WHEN b THEN 'yes' END;
INSERT INTO u DEFAULT VALUES RETURNING id IS NULL AS none;
INSERT INTO u (id) SELECT 1 RETURNING 7;
-- of a query: by assignment
INSERT INTO t SELECT '2020-01-03 00:00+00', 'q', 7.5, 3;
INSERT INTO u SELECT n, k, x FROM t WHERE n IS NOT NULL RETURNING id, v, w;
INSERT INTO u (w, id) SELECT sum(x), count(*) FROM t;
INSERT INTO u (id, v) SELECT DISTINCT n + 100, 'abc' FROM t WHERE n < 3 ORDER BY 1;
INSERT INTO u SELECT * FROM u;
WITH big AS (SELECT id FROM u WHERE id > 100) INSERT INTO u (id, w) SELECT id + 1, 0.5 FROM big;
INSERT INTO u (id, w) VALUES (-1, (SELECT max(w) FROM u)) RETURNING *;
INSERT INTO u SELECT 1, 'x' WHERE false RETURNING *;
SELECT * FROM t ORDER BY ts, k;
SELECT id, v, w FROM u ORDER BY id, v, w;
SELECT ts, count(*), sum(x) FROM t GROUP BY ts ORDER BY ts;
-- a default that is volatile is each row's own, unless the row says something, if only NULL
CREATE TABLE own (n integer, id uuid DEFAULT gen_random_uuid(), x double precision DEFAULT random());
INSERT INTO own (n) VALUES (1), (2), (3);
INSERT INTO own VALUES (4, DEFAULT, DEFAULT), (5, DEFAULT, 7), (6, NULL, NULL);
INSERT INTO own (n) SELECT * FROM generate_series(7, 9) RETURNING id IS NOT NULL AS has_id;
INSERT INTO own SELECT n + 3, NULL, 8 FROM own WHERE n = 9 RETURNING id, x;
INSERT INTO own DEFAULT VALUES;
COPY own (n) FROM STDIN;
11
12
\.
SELECT count(*), count(id), count(DISTINCT id), count(x), count(DISTINCT x) FROM own;
INSERT INTO own (n, x) SELECT * FROM (VALUES (20, random()), (21, random()), (22, -1)) v (n, x) RETURNING n, x < 0 AS given;
SELECT count(DISTINCT x) FROM (VALUES (random()), (random()), (NULL)) v (x);
DROP TABLE own;
-- errors leave nothing
INSERT INTO u SELECT id, v || 'more', 1 FROM u;
INSERT INTO u (id, id) SELECT 1, 2;
INSERT INTO u VALUES (1), (2, 'y');
INSERT INTO u VALUES (2, 'y'), (1);
INSERT INTO u (id) VALUES (2), (DEFAULT, 'y') RETURNING *;
PREPARE uneven AS INSERT INTO u VALUES (1, $1), (2);
INSERT INTO u (id, v) SELECT 1;
INSERT INTO u (id) SELECT 1, 2;
INSERT INTO u (id) SELECT true;
INSERT INTO u (id) SELECT 'x';
INSERT INTO u (id) SELECT v FROM u;
INSERT INTO u (id) VALUES (1), (2) RETURNING sum(id);
INSERT INTO u (id) VALUES (1) RETURNING missing;
INSERT INTO u (nope) VALUES (1);
INSERT INTO u (id) VALUES (3), (9223372036854775808);
INSERT INTO u (id) VALUES (77) RETURNING sqrt (id - 78);
SELECT count(*) FROM u;
-- how many values there are is looked at before what they are
INSERT INTO u (id, v) VALUES (ARRAY[1]);
INSERT INTO u (id) VALUES (ARRAY[1], 2);
INSERT INTO u (id, v) SELECT ARRAY[id] FROM u;
INSERT INTO u (id, v, w) VALUES (ARRAY[1], 'a') RETURNING nope;
INSERT INTO u (id, v) SELECT id FROM u RETURNING nope;

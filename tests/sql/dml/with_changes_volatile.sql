-- also: postgres
-- Entries of WITH with volatile functions are computed once, whoever reads them.
CREATE TABLE t (a int, r float8);
CREATE SEQUENCE s;
WITH c AS (SELECT random() AS r), i AS (INSERT INTO t SELECT 1, r FROM c RETURNING r) SELECT i.r = c.r FROM i, c;
WITH c AS (SELECT nextval('s') AS n), i AS (INSERT INTO t SELECT n, 0 FROM c RETURNING a) SELECT i.a, c.n FROM i, c;
WITH c (k, x) AS (SELECT g, random() FROM generate_series(1, 3) g), i AS (INSERT INTO t SELECT k, x FROM c RETURNING *) SELECT c.k, i.r = c.x FROM i JOIN c ON c.k = i.a ORDER BY 1;
-- an entry over an entry, a sub-select, a query with its own WITH, a recursive query
WITH c AS (SELECT nextval('s') AS n), d AS (SELECT n * 10 AS m FROM c), i AS (INSERT INTO t SELECT m, 0 FROM d RETURNING a) SELECT i.a, d.m, c.n FROM i, c, d;
WITH c AS (SELECT (SELECT random()) AS r), i AS (INSERT INTO t SELECT 1, r FROM c RETURNING r) SELECT i.r = c.r FROM i, c;
WITH c AS (WITH x AS (SELECT random() AS r) SELECT * FROM x), i AS (INSERT INTO t SELECT 1, r FROM c RETURNING r) SELECT i.r = c.r FROM i, c;
WITH RECURSIVE c (n, r) AS (SELECT 1, random() UNION ALL SELECT n + 1, random() FROM c WHERE n < 3), i AS (INSERT INTO t SELECT n, r FROM c RETURNING *) SELECT c.n, i.r = c.r FROM i JOIN c ON c.n = i.a ORDER BY 1;
-- an entry that nothing reads is not computed
WITH c AS (SELECT nextval('s') AS n), i AS (INSERT INTO t VALUES (1, 1) RETURNING a) SELECT * FROM i;
SELECT currval('s');

-- also: mongo postgres
-- What psql does with a query's rows instead of printing them.
CREATE TABLE t (d date, k text, n int, o int) USING rows;
INSERT INTO t VALUES ('2020-01-01','a',1,3),('2020-01-01','b',2,1),('2020-01-02','a',3,3),('2020-01-02',NULL,4,2),(NULL,'b',NULL,1);
SELECT d, k, n FROM t ORDER BY n \crosstabview
SELECT d, k, n, o FROM t ORDER BY n \crosstabview d k n o
SELECT d, k, n, o FROM t ORDER BY n \crosstabview 1 2 3
SELECT d, k, n, o FROM t ORDER BY n \crosstabview
SELECT d, k, n, o FROM t ORDER BY n \crosstabview 1 1
SELECT d, k, n, o FROM t ORDER BY n \crosstabview 1 9
SELECT d, k FROM t \crosstabview
SELECT d, k, n, o FROM t ORDER BY n \crosstabview d zz
SELECT d, k, n, o AS n FROM t \crosstabview d k n
SELECT 1, 2, n FROM t ORDER BY n \crosstabview
SELECT NULL, NULL, n FROM t ORDER BY n \crosstabview
\pset null '(-)'
SELECT d, k, n FROM t ORDER BY n \crosstabview k d
SELECT d, k, n FROM t WHERE n > 100 ORDER BY n \crosstabview k d
INSERT INTO t VALUES (NULL, 'x', 1, 1) \crosstabview
SELECT 'A' AS "A", "k" AS "K", 3 AS n FROM t WHERE k = 'a' LIMIT 1 \crosstabview "A" "K" N
\pset null ''
SELECT d, k, n::numeric(8,2) AS x, 'q' AS u, NULL AS v, 1.5 AS w FROM t \gdesc
INSERT INTO t VALUES (NULL, 'x', 1, 1) RETURNING k, n + 1 AS m \gdesc
INSERT INTO t VALUES (NULL, 'x', 1, 1) \gdesc
CREATE TABLE u (a int) \gdesc
SELECT $1 AS p, 1 + $2 AS q \gdesc
SELECT count(*) FROM t;
PREPARE p (int) AS SELECT k, n FROM t WHERE n > $1;
EXECUTE p (1) \gdesc
SHOW timezone \gdesc
EXPLAIN SELECT k FROM t \gdesc
EXPLAIN SELECT nope FROM t \gdesc
EXPLAIN ANALYZE UPDATE t SET nope = 1 \gdesc
EXPLAIN EXECUTE p (1) \gdesc
EXPLAIN EXECUTE nope (1) \gdesc
DECLARE c CURSOR FOR SELECT nope FROM t \gdesc
UPDATE t SET n = 1 RETURNING * \gdesc
BEGIN;
DECLARE c CURSOR FOR SELECT k FROM t;
FETCH c \gdesc
FETCH c;
COMMIT;
SELECT 'SELECT ' || n AS a, 'SELECT ''' || k || '''' FROM t ORDER BY n \gexec
SELECT 'SELECT 1/0', 'SELECT 2' \gexec
SELECT 1 / 0;
SELECT nope FROM t;
SELECT 1 \gexec
\encoding
\encoding utf8

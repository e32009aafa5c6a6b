-- WITH RECURSIVE: what ends one that doesn't end.
SET statement_timeout = '100ms';
WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT count(*) FROM r;
RESET statement_timeout;
SET work_mem = '1MB';
WITH RECURSIVE r (n) AS (SELECT 1::bigint UNION SELECT n + 1 FROM r) SELECT count(*) FROM r;
RESET work_mem;
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, n bigint MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 1), ('2015-01-01 00:00+00', 'h1', 2);
EXPLAIN (COSTS off) WITH RECURSIVE r (n) AS (SELECT n FROM t UNION SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r ORDER BY n DESC;
with recursive x(n) as (values (1) union (with y as (select n from x where n < 5) select n + 1 from y limit (select max(n) from y))) select * from x order by 1;
with recursive x(n) as (values (1) union all (with y as (select n, random() as r from x) select a.n + 1 from y a join y b using (r) where a.n < 4)) select * from x order by 1 limit 20;

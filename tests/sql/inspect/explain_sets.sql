-- EXPLAIN of set operations, DISTINCT and grouping sets.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE) USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts');
INSERT INTO calls VALUES ('2015-04-11 18:32+00', '0', '16', 'appid1', 1, 41), ('2015-04-11 18:33+00', '0', '16', 'appid1', 2, 41), ('2015-04-11 18:33+00', '-1', '18', 'appid2', 3, NULL);
EXPLAIN (COSTS off) SELECT vAppid FROM calls EXCEPT SELECT 'appid2' ORDER BY 1;
EXPLAIN (COSTS off) SELECT sum(totalCount) FROM calls GROUP BY ts INTERSECT ALL (SELECT 1 UNION SELECT 5);
EXPLAIN (COSTS off) SELECT DISTINCT ts, vAppid, 'x' FROM calls ORDER BY vAppid DESC;
SELECT DISTINCT ts, vAppid, 'x' FROM calls ORDER BY vAppid DESC, ts;
SELECT DISTINCT 'x' FROM calls WHERE ts < '2000-01-01';
EXPLAIN (COSTS off) SELECT DISTINCT random() < 2 FROM calls;
EXPLAIN (COSTS off) SELECT DISTINCT ON (vAppid) ts, dProcessTime FROM calls ORDER BY vAppid, ts DESC, dProcessTime;
EXPLAIN (COSTS off) SELECT ts, vAppid, sum(totalCount), GROUPING (ts) FROM calls GROUP BY ROLLUP (vAppid, ts) HAVING count(*) > 1;
SELECT vAppid, count(*) FROM calls WHERE random() < 2 GROUP BY ROLLUP (vAppid);
EXPLAIN (COSTS off) SELECT vAppid FROM calls GROUP BY vAppid ORDER BY count(*), vAppid OFFSET 1 FETCH FIRST 3 ROWS WITH TIES;
SELECT vAppid FROM calls FETCH FIRST 2 ROWS WITH TIES;
SELECT vAppid FROM calls ORDER BY ts FETCH FIRST -1 ROWS WITH TIES;
EXPLAIN (COSTS off) SELECT vAppid, count(*) FROM calls TABLESAMPLE BERNOULLI (10) WHERE vCmdid = '16' GROUP BY vAppid;
EXPLAIN (COSTS off) SELECT count(*) FROM calls WHERE random() < 0.5;
SELECT count(*) FROM calls TABLESAMPLE SYSTEM (50) GROUP BY ROLLUP (vAppid);

-- EXPLAIN: the winner, the losers and why, and the pipeline.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE) USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts');
INSERT INTO calls VALUES ('2015-04-11 18:32+00', '0', '16', 'appid1', 1, 41), ('2015-04-11 18:33+00', '0', '16', 'appid1', 2, 41), ('2015-04-11 18:33+00', '-1', '18', 'appid2', 3, NULL);
EXPLAIN SELECT ts, count(*) FROM calls GROUP BY ts;
EXPLAIN SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid;
EXPLAIN SELECT vAppid, sum(totalCount) FROM calls GROUP BY vAppid;
EXPLAIN SELECT vAppid, sum(totalCount) FROM calls WHERE ts >= '2015-04-11 18:33+00' AND ts < '2015-04-11 18:34+00' GROUP BY vAppid;
EXPLAIN SELECT sum(dProcessTime) FROM calls;
EXPLAIN SELECT max(totalCount) FROM calls WHERE vAppid = 'appid1';
SET cut = 'records';
EXPLAIN SELECT ts, count(*) FROM calls GROUP BY ts;
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SET cut = 'ts';
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SET cut = 'document';
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
RESET cut;
SET enable_cuts = off;
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
RESET enable_cuts;
EXPLAIN (FORMAT JSON) SELECT count(*) FROM calls;
EXPLAIN SELECT 1;
EXPLAIN SELECT nosuch FROM calls;
-- Each use of a table with its candidates; what is measured without what changes.
EXPLAIN (COSTS off) SELECT count(*) FROM calls UNION ALL SELECT count(DISTINCT vCmdid) FROM calls;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT ts, count(*) FROM calls GROUP BY ts;
EXPLAIN (FORMAT json, ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT ts, count(*) FROM calls GROUP BY ts;
EXPLAIN (COSTS perhaps) SELECT 1;
PREPARE by_day AS SELECT date_trunc('day', ts), count(*) FROM calls WHERE ts >= $1 AND vCmdid = $2 GROUP BY 1;
EXPLAIN EXECUTE by_day ('2015-04-11 19:00+00', '16');
-- Nothing is read, so nothing is said of it.
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT 1;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT count(*) FROM calls a JOIN calls b USING (ts);
-- Parallel arrays become a list of cells.
CREATE LAYOUT arrays AS '{"keeps": "records", "stores": [{"collection": "flat", "root": {"is": "document",
   "bind": [{"column": "host"}, {"trunc": "day", "at": "day", "encoding": "date"}], "agg": {"n": "n", "measures": {"v": "sum"}},
   "sub": {"is": "arrays", "bind": [{"column": "ts", "at": "t", "encoding": "date"}], "raw": {"columns": {"v": "v", "note": "note"}}}}}]}';
CREATE TABLE samples (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE, note text) USING arrays;
EXPLAIN (COSTS off) SELECT host, max(v) FROM samples WHERE ts >= '2024-01-31 10:00+00' GROUP BY host;

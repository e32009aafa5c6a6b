-- EXPLAIN of joins: each side at its own cheapest cut, with the conditions that are about it.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE NOT NULL) USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts');
INSERT INTO calls VALUES ('2015-04-11 18:32+00', '0', '16', 'appid1', 1, 41), ('2015-04-11 18:33+00', '0', '16', 'appid1', 2, 41), ('2015-04-11 18:33+00', '-1', '18', 'appid2', 3, 7);
CREATE TABLE apps (vAppid text, name text);
INSERT INTO apps VALUES ('appid1', 'One'), ('appid3', 'Three');
EXPLAIN (COSTS off) SELECT name, n FROM (SELECT vAppid, sum(totalCount) AS n FROM calls WHERE ts >= '2015-04-11 18:32+00' GROUP BY vAppid) c JOIN apps USING (vAppid) WHERE vAppid <> 'appid2';
SELECT name, n FROM (SELECT vAppid, sum(totalCount) AS n FROM calls WHERE ts >= '2015-04-11 18:32+00' GROUP BY vAppid) c JOIN apps USING (vAppid) WHERE vAppid <> 'appid2';
-- what holds for the time of one side holds for the other's
EXPLAIN (COSTS off) SELECT a.ts, a.n, b.n FROM (SELECT ts, count(*) AS n FROM calls GROUP BY ts) a LEFT JOIN (SELECT ts, count(*) AS n FROM calls WHERE vAppid = 'appid1' GROUP BY ts) b ON a.ts = b.ts WHERE a.ts > '2015-04-11 18:32+00';
SELECT a.ts, a.n, b.n FROM (SELECT ts, count(*) AS n FROM calls GROUP BY ts) a LEFT JOIN (SELECT ts, count(*) AS n FROM calls WHERE vAppid = 'appid1' GROUP BY ts) b ON a.ts = b.ts WHERE a.ts > '2015-04-11 18:32+00';
-- conditions go into sub-selects
EXPLAIN (COSTS off) SELECT d, n FROM (SELECT date_trunc('day', ts) AS d, vAppid AS app, count(*) AS n FROM calls GROUP BY 1, 2) g WHERE d >= '2015-04-11' AND app = 'appid1' AND n > 0;
SELECT d, n FROM (SELECT date_trunc('day', ts) AS d, vAppid AS app, count(*) AS n FROM calls GROUP BY 1, 2) g WHERE d >= '2015-04-11' AND app = 'appid1' AND n > 0;
EXPLAIN (COSTS off) SELECT * FROM (SELECT vAppid, totalCount FROM calls ORDER BY totalCount LIMIT 1) f WHERE vAppid = 'appid2';
EXPLAIN (COSTS off) SELECT x FROM (SELECT vAppid AS x FROM calls UNION ALL SELECT vCmdid FROM calls) u WHERE x = '16';
-- the side with fewer rows is kept in memory, whichever it is
EXPLAIN (COSTS off) SELECT count(*) FROM (VALUES ('16'), ('18')) v (cmd) JOIN calls ON vCmdid = cmd;
EXPLAIN (COSTS off) SELECT cmd, count(vAppid) FROM (VALUES ('16'), ('17')) v (cmd) LEFT JOIN (SELECT vCmdid, vAppid FROM calls UNION ALL SELECT vAppid, vCmdid FROM calls) c ON vCmdid = cmd GROUP BY cmd;
SELECT cmd, count(vAppid) FROM (VALUES ('16'), ('17')) v (cmd) LEFT JOIN (SELECT vCmdid, vAppid FROM calls UNION ALL SELECT vAppid, vCmdid FROM calls) c ON vCmdid = cmd GROUP BY cmd ORDER BY 1;
-- sides that a later one links aren't paired before
CREATE TABLE a (x integer, p text);
CREATE TABLE b (y integer, q text);
CREATE TABLE k (x integer, y integer);
EXPLAIN (COSTS off) SELECT p, q FROM a, b, k WHERE a.x = k.x AND b.y = k.y;
-- a side is grouped before the join, where a higher cut answers that
INSERT INTO calls SELECT timestamptz '2015-04-12 00:00+00' + g * interval '1 minute', '0', '16', 'appid' || g % 3, g, 1 FROM generate_series (1, 300) g;
EXPLAIN (COSTS off) SELECT name, sum(totalCount), count(*) FROM calls JOIN apps USING (vAppid) GROUP BY name;
SELECT name, sum(totalCount), count(*) FROM calls JOIN apps USING (vAppid) GROUP BY name;

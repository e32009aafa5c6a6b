-- also: mongo
-- One table, many layouts: whatever is read, the answer is the same.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE NOT NULL) USING rows;
ALTER TABLE calls ADD LAYOUT by_day USING per_day;
ALTER TABLE calls ADD LAYOUT by_app USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', presum = 'ts', raw_values = true);
ALTER TABLE calls ADD LAYOUT by_time USING nested WITH (levels = 'ts, vAppid, iResult, vCmdid', presum = 'ts');
ALTER TABLE calls ADD LAYOUT no_raw USING nested WITH (cluster_by = 'vAppid', levels = 'ts, iResult, vCmdid', raw_values = false);
INSERT INTO calls VALUES ('2015-04-11 18:32+00', '0', '16', 'appid1', 1, 41), ('2015-04-11 18:32+00', '0', '10000', 'appid1', 1, 1), ('2015-04-11 18:32+00', '0', '10000', 'appid1', 1, 1), ('2015-04-11 18:32+00', '0', '18', 'appid1', 1, 26), ('2015-04-11 18:33+00', '-502', '16', 'appid1', 5, 7), ('2015-04-12 00:00+00', '0', '16', '', 2, 3), ('2015-04-12 00:00+00', '0', '16', 'a.b$c', 2, 3);
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SET layout = 'rows';
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid ORDER BY 1, 2;
SET layout = 'by_day';
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid ORDER BY 1, 2;
SET layout = 'by_app';
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid ORDER BY 1, 2;
SET layout = 'by_time';
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid ORDER BY 1, 2;
SET layout = 'no_raw';
SELECT ts, count(*) FROM calls GROUP BY ts ORDER BY ts;
SELECT ts, vCmdid, sum(totalCount) FROM calls WHERE vAppid <> '' GROUP BY ts, vCmdid ORDER BY 1, 2;
SELECT min(dProcessTime) FROM calls;
SELECT vCmdid, totalCount FROM calls;
-- A CASE over dimensions is no CASE over sums.
SELECT max(DISTINCT nullif(vCmdid, '10000')), min(CASE WHEN vAppid <> '' THEN vCmdid END), count(CASE WHEN iResult = '0' THEN vAppid END), count(DISTINCT nullif(vCmdid, '16')) FROM calls;
SET layout = 'by_time';
SELECT max(DISTINCT nullif(vCmdid, '10000')), min(CASE WHEN vAppid <> '' THEN vCmdid END), count(CASE WHEN iResult = '0' THEN vAppid END), count(DISTINCT nullif(vCmdid, '16')) FROM calls;
SET layout = 'rows';
SELECT max(DISTINCT nullif(vCmdid, '10000')), min(CASE WHEN vAppid <> '' THEN vCmdid END), count(CASE WHEN iResult = '0' THEN vAppid END), count(DISTINCT nullif(vCmdid, '16')) FROM calls;
RESET layout;
SELECT * FROM calls ORDER BY ts, vAppid, vCmdid, totalCount;
SELECT vAppid, date_trunc('day', ts), sum(totalCount), sum(dProcessTime), count(*) FROM calls GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) FROM calls WHERE ts >= '2015-04-11 18:33+00' AND ts < '2015-04-12 00:00+00';
SELECT sum(totalCount) FROM calls WHERE dProcessTime > 5;
DROP TABLE calls;
SELECT count(*) FROM calls;

-- Windows in plans: over which cut, how many sorts, what goes below them; and beyond work_mem.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp', iResult text DIMENSION NOT NULL, vCmdid text DIMENSION NOT NULL, vAppid text DIMENSION NOT NULL, totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE) USING nested WITH (levels = 'ts, vCmdid, iResult, vAppid', presum = 'ts, vCmdid');
INSERT INTO calls VALUES ('2020-01-01 00:00+00', '0', 'a', 'x', 1, 1.5), ('2020-01-01 00:00+00', '0', 'b', 'x', 2, 2.5), ('2020-01-01 00:01+00', '1', 'a', 'y', 4, NULL), ('2020-01-01 00:02+00', '0', 'a', 'x', 8, 0.5), ('2020-01-01 00:02+00', '0', 'b', 'y', 16, 8);
-- groups come from the cut that has their sums
SELECT ts, sum(totalCount), sum(sum(totalCount)) OVER (ORDER BY ts), lag(sum(totalCount)) OVER (ORDER BY ts) FROM calls GROUP BY ts ORDER BY ts;
EXPLAIN SELECT ts, sum(totalCount), sum(sum(totalCount)) OVER (ORDER BY ts), lag(sum(totalCount)) OVER (ORDER BY ts) FROM calls GROUP BY ts ORDER BY ts;
-- windows that share a sort, and frames that share a stage
EXPLAIN SELECT rank() OVER (PARTITION BY vCmdid ORDER BY totalCount), sum(totalCount) OVER (PARTITION BY vCmdid ORDER BY totalCount ROWS 3 PRECEDING), count(*) OVER (PARTITION BY vCmdid), ntile(2) OVER (PARTITION BY vCmdid ORDER BY totalCount, ts), row_number() OVER () FROM calls;
-- a range's ends are columns; NULLs and NaN have a rank
EXPLAIN SELECT count(*) OVER (ORDER BY dProcessTime DESC RANGE BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES) FROM calls;
-- a condition goes below the windows when it is about what they partition by
EXPLAIN SELECT * FROM (SELECT vCmdid, ts, count(*) OVER (PARTITION BY vCmdid) AS n, rank() OVER (PARTITION BY vCmdid, iResult ORDER BY ts) AS r FROM calls) s WHERE vCmdid = 'a' AND ts > '2020-01-01' AND n > 1;
SELECT * FROM (SELECT vCmdid, ts, count(*) OVER (PARTITION BY vCmdid) AS n, rank() OVER (PARTITION BY vCmdid, iResult ORDER BY ts) AS r FROM calls) s WHERE vCmdid = 'a' AND ts > '2020-01-01' AND n > 1 ORDER BY ts;
EXPLAIN SELECT rank() OVER (PARTITION BY vCmdid, iResult ORDER BY dProcessTime), count(*) OVER (PARTITION BY iResult ORDER BY vCmdid), sum(totalCount) OVER (PARTITION BY iResult, vCmdid ORDER BY dProcessTime RANGE 1 PRECEDING), count(*) OVER (PARTITION BY vCmdid) FROM calls;
EXPLAIN SELECT * FROM (SELECT vCmdid, count(*) OVER (PARTITION BY vCmdid) AS n, count(*) OVER () AS m FROM calls) s WHERE vCmdid = 'a';
-- beyond work_mem: 7,776 rows in one partition and in few
CREATE TABLE d AS SELECT CAST('2020-01-01 00:00+00' AS timestamptz) + n * interval '1 s' AS ts, n FROM (VALUES (0), (1), (2), (3), (4), (5)) AS v (n);
CREATE TABLE big AS SELECT a.ts, a.n + 6 * b.n + 36 * c.n + 216 * e.n + 1296 * f.n AS n, 'some text to make it wide ' || b.n AS t FROM d a, d b, d c, d e, d f;
SELECT sum(s), sum(m), count(DISTINCT l), min(f), max(p), sum(x), sum(k) FROM (SELECT sum(n) OVER w AS s, max(n) OVER (ORDER BY n ROWS BETWEEN 1000 PRECEDING AND 500 PRECEDING) AS m, lag(t, 700) OVER w AS l, first_value(t) OVER (PARTITION BY n % 5 ORDER BY n) AS f, percent_rank() OVER (ORDER BY t) AS p, sum(n) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS x, ntile(10) OVER (ORDER BY n DESC) AS k FROM big WINDOW w AS (ORDER BY n)) q;
SET work_mem = '64kB';
SELECT sum(s), sum(m), count(DISTINCT l), min(f), max(p), sum(x), sum(k) FROM (SELECT sum(n) OVER w AS s, max(n) OVER (ORDER BY n ROWS BETWEEN 1000 PRECEDING AND 500 PRECEDING) AS m, lag(t, 700) OVER w AS l, first_value(t) OVER (PARTITION BY n % 5 ORDER BY n) AS f, percent_rank() OVER (ORDER BY t) AS p, sum(n) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS x, ntile(10) OVER (ORDER BY n DESC) AS k FROM big WINDOW w AS (ORDER BY n)) q;
SET require_full_pushdown = on;
SELECT row_number() OVER (ORDER BY ts) FROM calls LIMIT 1;

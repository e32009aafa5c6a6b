-- EXPLAIN's tree of steps: what ran for how many rows, on every kind of item.
CREATE TABLE calls (ts timestamptz TIME PERIOD '1 min', cmd text DIMENSION, n bigint MEASURE NOT NULL) USING nested WITH (levels = 'ts, cmd', presum = 'ts');
CREATE TABLE ev (id integer DIMENSION, at timestamptz TIME, cmd text DIMENSION) USING rows;
CREATE TABLE apps (cmd text, name text);
INSERT INTO apps VALUES ('c1', 'One'), ('c2', 'Two'), ('c9', 'Nine');
INSERT INTO calls SELECT TIMESTAMPTZ '2024-01-01 00:00+00' + i * interval '1 min', 'c' || i % 3, i FROM generate_series(0, 299) i;
INSERT INTO ev VALUES (1, '2024-01-01 01:00+00', 'c1'), (2, '2024-01-01 02:30+00', 'c2'), (3, '2024-01-01 04:00+00', NULL);
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT name, sum(n) FROM calls JOIN apps USING (cmd) WHERE ts < '2024-01-01 03:00+00' GROUP BY name HAVING sum(n) > 1 ORDER BY 2 DESC LIMIT 1;
-- the right side of LATERAL: over the collection while rows are few, then over what is kept; rows of all runs
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT id, l.* FROM ev, LATERAL (SELECT ts, n FROM calls WHERE calls.cmd = ev.cmd AND ts <= ev.at AND n > 20 ORDER BY ts DESC LIMIT 2) l ORDER BY id, ts;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT g, l.* FROM generate_series(1, 100) g, LATERAL (SELECT count(*) FROM calls WHERE n < g) l;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT e.id, f.id FROM ev e LEFT JOIN ev f ON e.at < f.at AND f.id > 1 FULL JOIN apps a ON a.cmd = e.cmd;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT id, n FROM ev ASOF JOIN calls ON ev.cmd = calls.cmd AND ev.at >= calls.ts;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) (SELECT cmd FROM calls UNION SELECT cmd FROM ev) EXCEPT SELECT cmd FROM apps;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT cmd, ts, avg(n) OVER (PARTITION BY cmd ORDER BY ts ROWS 3 PRECEDING) FROM calls WHERE n > 3 UNION ALL SELECT cmd, at, 1 FROM ev;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 10) SELECT * FROM r JOIN ev ON id = x WHERE EXISTS (SELECT FROM apps WHERE apps.cmd = ev.cmd);
-- the newest row of each key
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT id, (SELECT n FROM calls v WHERE v.cmd = e.cmd ORDER BY ts DESC LIMIT 1), unnest(ARRAY[1, 2]) FROM ev e;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT * FROM (SELECT DISTINCT cmd FROM calls OFFSET 1) d WHERE cmd > 'c0';
-- what doesn't fit in work_mem
SET work_mem = '1MB';
CREATE TABLE big (k integer, v text);
INSERT INTO big SELECT i, repeat('x', 100) FROM generate_series(1, 30000) i;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT x.k FROM big x JOIN big y USING (k) ORDER BY x.v || y.v, k DESC;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT x.k FROM big x JOIN big y USING (k) ORDER BY x.v || y.v, k DESC LIMIT 20000;
-- with OFFSET and LIMIT, the sort keeps the rows of both
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT k FROM big ORDER BY v, k OFFSET 5 LIMIT 2;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT k FROM big ORDER BY v OFFSET 5 FETCH FIRST 2 ROWS WITH TIES;

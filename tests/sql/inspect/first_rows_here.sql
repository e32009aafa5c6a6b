-- The first rows by a field need a few blocks of documents. A packed layout is read as a whole.
SET enable_columns = off;
CREATE TABLE calls (ts timestamptz TIME PERIOD '1 s' NOT NULL, app text DIMENSION NOT NULL, ms double precision MEASURE NOT NULL, cost numeric MEASURE NOT NULL) USING rows;
INSERT INTO calls SELECT timestamptz '2024-05-01' + i * interval '1 second', repeat ('application ', 12) || i % 50, i * 7919 % 100003, i FROM generate_series(1, 60000) i;
ALTER TABLE calls ADD LAYOUT packed USING per_day;
ANALYZE calls;
-- one block, the last
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT ts, ms FROM calls ORDER BY ts DESC LIMIT 5;
SELECT ts, ms FROM calls ORDER BY ts DESC LIMIT 5;
-- as many blocks as rows, for each thread
EXPLAIN (COSTS off) SELECT ts, ms FROM calls ORDER BY ms DESC LIMIT 1;
SELECT ts, ms FROM calls ORDER BY ms DESC LIMIT 1;
-- more rows than there are blocks; also by an offset, or by a filter
EXPLAIN (COSTS off) SELECT ts, ms FROM calls ORDER BY ms DESC LIMIT 20;
EXPLAIN (COSTS off) SELECT ts, ms FROM calls ORDER BY ms DESC LIMIT 1 OFFSET 50;
EXPLAIN (COSTS off) SELECT ts, ms FROM calls WHERE app LIKE '%1' ORDER BY ms DESC LIMIT 1;
-- text and numeric have no ranges, and WITH TIES reads all rows
EXPLAIN (COSTS off) SELECT ts, ms FROM calls ORDER BY cost LIMIT 1;
EXPLAIN (COSTS off) SELECT ts, ms FROM calls ORDER BY app LIMIT 1;
EXPLAIN (COSTS off) SELECT ts, ms FROM calls ORDER BY ts DESC FETCH FIRST ROW WITH TIES;

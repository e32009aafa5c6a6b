-- ORDER BY … LIMIT reads the blocks that can have the first rows. Each INSERT makes a block.
CREATE TABLE m (ts timestamptz TIME NOT NULL, host text DIMENSION, v double precision MEASURE, w bigint MEASURE) USING rows;
INSERT INTO m SELECT '2024-05-01 00:00+00'::timestamptz + i * interval '1 minute', 'h' || i % 3, i % 7, i FROM generate_series (0, 59) AS g (i);
INSERT INTO m SELECT '2024-05-01 01:00+00'::timestamptz + i * interval '1 minute', 'h' || i % 3, NULL, i FROM generate_series (0, 59) AS g (i);
INSERT INTO m SELECT '2024-05-01 02:00+00'::timestamptz + i * interval '1 minute', 'h' || i % 3, i, -i FROM generate_series (0, 59) AS g (i);
INSERT INTO m SELECT '2024-05-01 02:30+00'::timestamptz + i * interval '1 minute', 'h' || i % 3, 'NaN', i FROM generate_series (0, 59) AS g (i);
-- in both directions, with ties at the end of a block, WHERE and OFFSET
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT ts, w FROM m ORDER BY ts DESC LIMIT 3;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT ts, w FROM m ORDER BY ts LIMIT 3 OFFSET 58;
SELECT ts, host, w FROM m ORDER BY ts DESC LIMIT 3;
SELECT ts, host, w FROM m ORDER BY ts, w LIMIT 3 OFFSET 58;
SELECT ts, host, w FROM m WHERE w < 0 ORDER BY ts DESC LIMIT 2;
SELECT ts, w FROM m WHERE ts < '2024-05-01 03:00+00' ORDER BY ts DESC, w FETCH FIRST 3 ROWS WITH TIES;
-- above a GROUP BY: only the blocks of the newest groups
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT time_bucket ('10 minutes', ts) AS b, count(*) FROM m GROUP BY b ORDER BY b DESC LIMIT 2;
SELECT time_bucket ('10 minutes', ts) AS b, count(*), max(w) FROM m GROUP BY b ORDER BY b DESC LIMIT 2;
SELECT date_trunc ('hour', ts) AS h, host, count(*) FROM m GROUP BY h, host ORDER BY h, host LIMIT 4;
-- not with HAVING, which drops groups
SELECT time_bucket ('10 minutes', ts) AS b, sum(w) FROM m GROUP BY b HAVING sum(w) < 0 ORDER BY b DESC LIMIT 2;
-- the largest by a measure: NULL and NaN have their places, in blocks of 64 KiB or more
CREATE TABLE big (ts timestamptz TIME NOT NULL, t text DIMENSION, v double precision MEASURE) USING rows;
INSERT INTO big SELECT '2024-05-01+00'::timestamptz + i * interval '1 s', repeat ('x', 900), i FROM generate_series (1, 100) AS g (i);
INSERT INTO big SELECT '2024-05-02+00'::timestamptz + i * interval '1 s', repeat ('x', 900), i + 50 FROM generate_series (1, 100) AS g (i);
INSERT INTO big SELECT '2024-05-03+00'::timestamptz + i * interval '1 s', repeat ('x', 900), CASE i WHEN 7 THEN NULL WHEN 8 THEN 'NaN'::float8 ELSE i / 10.0 END FROM generate_series (1, 100) AS g (i);
INSERT INTO big SELECT '2024-05-04+00'::timestamptz + i * interval '1 s', repeat ('x', 900), -i FROM generate_series (1, 100) AS g (i);
SELECT ts, v FROM big ORDER BY v DESC LIMIT 4;
SELECT ts, v FROM big ORDER BY v DESC NULLS LAST LIMIT 4;
SELECT ts, v FROM big ORDER BY v LIMIT 2;
SELECT ts, v FROM big ORDER BY v NULLS FIRST LIMIT 2;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT ts, v FROM big ORDER BY v LIMIT 2;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT count(*) FROM big WHERE v BETWEEN 120 AND 130;
SELECT count(*) FROM big WHERE v BETWEEN 120 AND 130;
-- a change brings new values
UPDATE big SET v = 1000 WHERE ts = '2024-05-04 00:00:05+00';
SELECT ts, v FROM big WHERE v <> 'NaN' ORDER BY v DESC LIMIT 1;
SET enable_skipping = off;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT ts, v FROM big ORDER BY v LIMIT 2;
SELECT ts, v FROM big ORDER BY v DESC LIMIT 4;

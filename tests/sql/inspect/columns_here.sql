-- Rows whose fields are kept as columns are cheaper to group and to filter than leaves of packed documents.
CREATE TABLE load (ts timestamptz TIME PERIOD '10 s' NOT NULL, host text DIMENSION NOT NULL, region text DIMENSION, v double precision MEASURE NOT NULL, note text MEASURE) USING rows;
INSERT INTO load SELECT timestamptz '2024-05-01' + t * interval '10 seconds', 'host ' || h, nullif ('region ' || h % 7, 'region 3'), t * 37 % 1009 / 4.0, 'note ' || t || ' of ' || h FROM generate_series(0, 1999) t, generate_series(1, 20) h;
ALTER TABLE load ADD LAYOUT packed USING nested WITH (levels = 'ts, host, region', presum = 'ts');
ANALYZE load;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT region, count(*), max(v), min(v) FROM load WHERE v > 251 AND host <> 'host 7' GROUP BY 1;
SELECT region, count(*), max(v), min(v) FROM load WHERE v > 251 AND host <> 'host 7' GROUP BY 1 ORDER BY 1;
SET enable_columns = off;
EXPLAIN (COSTS off) SELECT region, count(*), max(v), min(v) FROM load WHERE v > 251 AND host <> 'host 7' GROUP BY 1;
SELECT region, count(*), max(v), min(v) FROM load WHERE v > 251 AND host <> 'host 7' GROUP BY 1 ORDER BY 1;
RESET enable_columns;
-- texts that do not repeat have no column
SET layout = 'rows';
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT count(*) FROM load WHERE note = 'note 5 of 5';
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT count(*) FROM load WHERE region IS NULL;

-- EXPLAIN with layouts that do not exist: their estimated sizes and costs, and the plan that would use them.
SET enable_columns = off;
CREATE TABLE c (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION NOT NULL, app text DIMENSION NOT NULL, n bigint MEASURE NOT NULL);
INSERT INTO c SELECT timestamptz '2024-01-30 00:00+00' + g * interval '7 min', 'h' || g % 3, 'a' || g % 4, g FROM generate_series(0, 1999) g;
EXPLAIN (COSTS off, HYPOTHETICAL 'ALTER TABLE c ADD LAYOUT hours USING nested WITH (cluster_by = ''host'', levels = ''hour, ts, app'', presum = ''hour'')')
   SELECT time_bucket('1 hour', ts), host, sum(n) FROM c GROUP BY 1, 2;
-- several, on two tables, in a sub-select and a join
CREATE TABLE d (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE);
EXPLAIN (COSTS off, HYPOTHETICAL $$ ALTER TABLE c ADD LAYOUT days USING per_day; ALTER TABLE c ADD LAYOUT hosts USING nested WITH (cluster_by = 'host', levels = 'ts, app', presum = 'ts');
      ALTER TABLE d ADD LAYOUT newest USING latest; $$)
   SELECT host, s, v FROM (SELECT host, sum(n) AS s FROM c GROUP BY 1) x JOIN d USING (host);
EXPLAIN (FORMAT json, COSTS off, HYPOTHETICAL 'ALTER TABLE c ADD LAYOUT hosts USING nested WITH (cluster_by = ''host'', levels = ''ts, app'')') SELECT host, sum(n) FROM c GROUP BY 1;
-- nothing was made
\d+ c
-- refused
EXPLAIN (HYPOTHETICAL 'DROP TABLE c') SELECT 1 FROM c;
EXPLAIN (HYPOTHETICAL) SELECT 1 FROM c;
EXPLAIN (HYPOTHETICAL ' ;') SELECT 1 FROM c;
EXPLAIN (HYPOTHETICAL 'ALTER TABLE nosuch ADD LAYOUT x USING rows') SELECT 1 FROM c;
EXPLAIN (HYPOTHETICAL 'ALTER TABLE c ADD LAYOUT rows USING rows') SELECT 1 FROM c;
EXPLAIN (HYPOTHETICAL 'ALTER TABLE c ADD LAYOUT x USING nested WITH (levls = ''ts'')') SELECT 1 FROM c;
EXPLAIN (ANALYZE, HYPOTHETICAL 'ALTER TABLE c ADD LAYOUT x USING per_day') SELECT 1 FROM c;
EXPLAIN (HYPOTHETICAL 'ALTER TABLE c ADD LAYOUT x USING per_day') DELETE FROM c;

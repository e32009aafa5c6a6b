-- DuckDB's short forms have the plans of their long forms.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 h' NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts');
INSERT INTO t VALUES ('2024-05-01 00:00+00', 'h1', 1), ('2024-05-01 01:00+00', 'h2', 2);
EXPLAIN SELECT host, sum(n) FROM t GROUP BY ALL ORDER BY ALL DESC;
EXPLAIN SELECT host, sum(n) FROM t GROUP BY 1 ORDER BY 1 DESC, 2 DESC;
EXPLAIN FROM t SELECT * EXCLUDE (ts) REPLACE (sum(n) AS n) GROUP BY ALL;
EXPLAIN SELECT host, sum(n) AS n FROM t GROUP BY host;

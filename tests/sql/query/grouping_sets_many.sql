-- also: postgres
-- More grouping sets than one pipeline has stages for. DocumentDB takes minutes for them.
CREATE TABLE t (n bigint MEASURE) USING rows;
INSERT INTO t SELECT i FROM generate_series(1, 7) i;
SELECT count(*), sum(c) FROM (SELECT count(*) AS c FROM t GROUP BY CUBE (n + 0, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8)) s;

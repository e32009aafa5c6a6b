-- Changes of columns that only layouts know of.
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, n integer MEASURE NOT NULL) USING nested WITH (levels = 'ts, k', presum = 'ts');
ALTER TABLE t ADD LAYOUT plain USING rows;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 00:00+00', 'b', 2), ('2020-01-02 00:00+00', 'a', 3);
ALTER TABLE t ALTER n TYPE text;
ALTER TABLE t ALTER ts TYPE text;
ALTER TABLE t ALTER n TYPE double precision USING n / 2.0;
ALTER TABLE t ALTER n DROP NOT NULL;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'c', NULL);
SET layout = 'nested';
SELECT ts, sum(n), avg(n), count(n), count(*) FROM t GROUP BY ts ORDER BY ts;
EXPLAIN SELECT ts, count(n) FROM t GROUP BY ts;
SET layout = 'plain';
SELECT ts, sum(n), avg(n), count(n), count(*) FROM t GROUP BY ts ORDER BY ts;
RESET layout;
CREATE VIEW v AS SELECT n FROM t;
ALTER TABLE t ALTER n TYPE integer;
ALTER TABLE t ALTER n SET STATISTICS 100;

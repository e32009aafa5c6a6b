-- Views, where the answer is mtsql's own.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (levels = 'ts, k', presum = 'ts');
INSERT INTO t VALUES ('2020-01-01', 'a', 1);
CREATE VIEW v AS SELECT date_trunc('day', ts) AS day, sum(n) AS total FROM t GROUP BY 1;
EXPLAIN (COSTS off) SELECT total FROM v WHERE total > 0;
\d
\d v
\dt
\dv
CREATE TABLE v (a int);
ALTER TABLE t RENAME TO v;
INSERT INTO v VALUES ('2020-01-01', 1);
DELETE FROM v;
TRUNCATE v;
CREATE OR REPLACE VIEW v AS SELECT ts AS other, n FROM t;
DROP TABLE t;
SELECT * FROM v;
\d v

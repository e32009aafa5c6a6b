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
DROP TABLE t CASCADE;
SELECT * FROM v;
\d v
-- names in a view's text go on meaning what they mean
CREATE TABLE a (ts timestamptz TIME, k text DIMENSION) USING rows;
CREATE TABLE d (k text, z integer);
INSERT INTO a VALUES ('2020-01-01', 'a'), ('2020-01-02', 'b');
INSERT INTO d VALUES ('a', 1), ('b', 2);
CREATE VIEW pair AS SELECT a.*, d.z FROM a JOIN d ON a.k = d.k;
CREATE VIEW one AS SELECT * FROM d WHERE z > 0;
ALTER TABLE a ADD COLUMN z integer DEFAULT 5;
ALTER TABLE d RENAME TO dd;
ALTER TABLE d RENAME COLUMN z TO y;
DROP VIEW pair;
ALTER TABLE d ADD COLUMN w integer DEFAULT 9;
SELECT * FROM one ORDER BY 1;
DROP VIEW one;
ALTER TABLE d RENAME COLUMN z TO y;
ALTER TABLE d ADD COLUMN z integer;
ALTER TABLE d ADD COLUMN z integer FIELD 'z2' DEFAULT 3;
SELECT * FROM d ORDER BY 1;

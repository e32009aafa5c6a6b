-- Hints: what the user may have meant.
CREATE TABLE power (time timestamptz TIME, house text DIMENSION, watts bigint MEASURE) USING rows;
ALTER TABLE power ADD LAYOUT by_time USING nested WITH (levels = 'house, time');
CREATE TABLE other (a int, b int);
CREATE VIEW houses AS SELECT a FROM other;
CREATE INDEX by_house ON power (house);
SELECT * FROM power WHERE time > 1767225600;
SELECT * FROM power WHERE time BETWEEN 1 AND 2;
SELECT time + 3600 FROM power;
SELECT now() - '1 day';
SELECT * FROM power WHERE time > '1 day';
SELECT * FROM power WHERE time > 'yesterday or so';
SELECT * FROM power WHERE house = "a";
SELECT * FROM power WHERE house = "hous";
SELECT * FROM power p JOIN power q USING (hous);
SELECT house FROM power UNION SELECT house FROM power ORDER BY hous;
SET layout = 'by_tim';
SELECT count(*) FROM power;
RESET layout;
EXPLAIN (analyse2, formatt json) SELECT 1;
EXPLAIN (verbos) SELECT 1;
CHECK LAYOUT by_tim OF power;
ALTER TABLE power DROP LAYOUT by_tim;
ALTER TABLE power DROP COLUMN wats;
ALTER TABLE power RENAME COLUMN wats TO w;
ALTER TABLE power ALTER COLUMN wats SET DEFAULT 1;
CREATE INDEX ON power (hous);
COPY power (hous) TO STDOUT;
CREATE TABLE k (aa int, PRIMARY KEY (ab));
DROP TABLE powr;
DROP VIEW house;
DROP INDEX by_hous;
\d powr
\h time_bucket
-- the columns of \crosstabview in any case; \gset's names as they are, and in lower case as in psql
SELECT 'a' AS vName, 'b' AS hName, 1 AS totalCount, 2 AS x \crosstabview VNAME hname totalcount
SELECT 1 AS "A", 2 AS a, 3 AS b, 4 AS c \crosstabview A b c
SELECT 'a' AS vName, 'b' AS hName, 1 AS n \crosstabview "vname" hname n
SELECT 7 AS totalX, 9 AS a, 8 AS "A" \gset
\echo :totalX :totalx :A :a
SELECT 7 AS totalX \gset Pre_
\echo :Pre_totalX :Pre_totalx :pre_totalx
-- \watch leaves an empty buffer, also after an error
SELECT 1 \watch x
\p
SELECT nosuch \watch c=2
SELECT 2;

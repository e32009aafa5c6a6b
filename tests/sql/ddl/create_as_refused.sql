-- also: mongo
-- What can't be planned is refused without a place: that of the prepared text is none in these statements.
CREATE TABLE t (ts timestamptz TIME, n integer MEASURE) USING rows;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 1);
PREPARE refused (text) AS SELECT percentile_cont(n) WITHIN GROUP (ORDER BY n) AS p, $1 AS x FROM t GROUP BY n;
CREATE TABLE j AS EXECUTE refused ('a value, so that the text is longer than that of PREPARE up to what is wrong');
EXPLAIN EXECUTE refused ('a value, so that the text is longer than that of PREPARE up to what is wrong');
SELECT * FROM j;

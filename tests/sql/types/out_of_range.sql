-- also: mongo postgres
-- Numbers that are too large for their type, wherever they come up; what divides by zero.
CREATE TABLE t (ts timestamptz TIME, k int DIMENSION, v bigint MEASURE, d double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2020-01-02 00:00+00', 2147483647, 9223372036854775807, 1e30);
SELECT v + 1 FROM t;
SELECT k + 1 FROM t;
SELECT sum(v + 1) FROM t;
SELECT sum(k + 1) FROM t;
SELECT max(v * 2) FROM t GROUP BY k;
SELECT count(*) FROM t WHERE k * 2 > 1;
SELECT abs(-v - 1) FROM t;
SELECT d::int FROM t;
SELECT d::bigint FROM t;
SELECT sum(v + k) FROM t;
SELECT sum(v / (k - 2147483647)) FROM t;
SELECT k % (k - 2147483647) FROM t;
SELECT sum(v), avg(k) FROM t;
SELECT percentile_cont('NaN') WITHIN GROUP (ORDER BY k) FROM t;
SELECT width_bucket('NaN'::double precision, 0, 10, 5);
UPDATE t SET k = k + k;
UPDATE t SET v = v + v;
UPDATE t SET k = v;
UPDATE t SET k = k / (k - 2147483647);
DELETE FROM t WHERE k * 2 > 5;
SELECT count(*) FROM t;
SELECT v::int FROM t;

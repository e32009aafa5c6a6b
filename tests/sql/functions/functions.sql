-- Functions from outside: SQL, an aggregation-expression template.
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, a bigint MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'x', 1), ('2015-01-01 00:01+00', 'y', 20), ('2015-01-01 00:02+00', 'y', NULL);
CREATE FUNCTION doubled (bigint) RETURNS bigint LANGUAGE sql AS 'SELECT $1 * 2';
SELECT k, doubled(a) FROM t ORDER BY ts;
SELECT sum(doubled(a)) FROM t WHERE doubled(a) > 10;
CREATE FUNCTION squared (x double precision) RETURNS double precision LANGUAGE mql AS '{"$multiply": ["$1", "$1"]}';
SELECT k, squared(a) FROM t ORDER BY ts;
SELECT doubled('x');
SELECT doubled(1, 2);
CREATE FUNCTION broken (bigint) RETURNS bigint LANGUAGE sql AS 'SELECT $1 *';
CREATE FUNCTION broken (bigint) RETURNS bigint LANGUAGE cobol AS 'x';

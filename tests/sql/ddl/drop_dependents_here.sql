-- also: mongo
-- DROP and views of other schemas; PostgreSQL lists all that CASCADE drops
CREATE SCHEMA s;
CREATE TABLE s.t (a int);
CREATE VIEW v AS SELECT a FROM s.t;
DROP TABLE s.t;
DROP SCHEMA s CASCADE;
SELECT * FROM v;
-- nothing is dropped if one of several does not exist; PostgreSQL shows no position
CREATE TABLE t (a int);
CREATE VIEW v AS SELECT a FROM t;
DROP TABLE t, missing CASCADE;
SELECT * FROM v;

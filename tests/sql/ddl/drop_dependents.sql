-- also: mongo postgres
-- DROP and the views that read what it removes
CREATE TABLE t (a int, b int);
CREATE TABLE u (a int);
CREATE VIEW v AS SELECT a FROM t;
CREATE VIEW w AS SELECT a FROM v;
CREATE VIEW other AS WITH t AS (SELECT a FROM u) SELECT a, 't' AS name FROM t;
DROP TABLE t;
DROP VIEW v;
DROP VIEW v, w;
-- a name in WITH or in a text is no table
DROP TABLE t;
-- within a condition
CREATE TABLE t (a int, b int);
CREATE VIEW v AS SELECT a FROM u WHERE a IN (SELECT b FROM t) OR EXISTS (SELECT FROM t WHERE b = u.a);
DROP TABLE t RESTRICT;
DROP TABLE t CASCADE;
SELECT * FROM v;
SELECT count(*) FROM other;
-- materialized views
CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM u;
CREATE VIEW v AS SELECT n FROM m;
DROP TABLE u;
DROP MATERIALIZED VIEW m;
DROP MATERIALIZED VIEW m CASCADE;
DROP TABLE u;
DROP TABLE u CASCADE;
-- several at once
CREATE TABLE t (a int);
CREATE TABLE u (a int);
CREATE VIEW v AS SELECT a FROM u;
DROP TABLE t, u;
DROP TABLE IF EXISTS t, u CASCADE;
SELECT * FROM v;
-- nothing is dropped if one of several does not exist
CREATE TABLE t (a int);
CREATE VIEW v AS SELECT a FROM t;
DROP VIEW v, missing;
SELECT * FROM v;
DROP TABLE t, t CASCADE;

-- Options about PostgreSQL's way of storing have no effect here, and a notice says so.
CREATE TABLE f (a int) WITH (fillfactor = 70, autovacuum_enabled = off);
CREATE TABLE p (ts timestamptz TIME NOT NULL, v int MEASURE) USING nested WITH (levels = 'ts', fillfactor = 70, presum = 'ts');
CREATE TABLE g AS SELECT 1 AS x;
CREATE TABLE h WITH (fillfactor = 50) AS SELECT 1 AS x;
CREATE TABLE i (a int) WITH (fillfactors = 70);
SELECT 'trigger'::regtype, 'pg_catalog.void'::regtype::oid, 2279::regtype, pg_database_size(current_database()) >= 0 AS size;

-- What users of PostgreSQL expect here and there: hidden tables by their schema, EXPLAIN's options, units of settings, precision.
-- also: mongo
CREATE TABLE hidden (a integer, c text);
INSERT INTO hidden VALUES (1, 'x'), (2, 'y');
CREATE TEMPORARY TABLE hidden (b integer);
ANALYZE public.hidden;
ANALYZE pg_temp.hidden;
ANALYZE pg_class;
ANALYZE public.nosuch;
ANALYZE pg_temp.nosuch;
ANALYZE nowhere.hidden;
COMMENT ON COLUMN public.hidden.c IS 'below';
COMMENT ON COLUMN public.hidden.b IS 'of the other';
COMMENT ON COLUMN pg_temp.hidden.b IS 'above';
COMMENT ON COLUMN hidden.b IS 'above all';
COMMENT ON COLUMN b IS 'of nothing';
COMMENT ON TABLE public.hidden IS 'the one below';
SELECT c.relname, n.nspname = 'public' AS public, d.objsubid, d.description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relname = 'hidden' ORDER BY 2, 3;
\dt public.*
\dt pg_temp.*
\d hidden
\d public.hidden
\d pg_temp.hidden
\d pg_temp.nosuch
DROP TABLE pg_temp.hidden;
\d+ public.hid*
-- what counts only while a statement runs
EXPLAIN (TIMING) SELECT 1;
EXPLAIN (WAL on) SELECT 1;
EXPLAIN (TIMING off, WAL off, SETTINGS, BUFFERS, VERBOSE) SELECT 1;
EXPLAIN (SETTINGS maybe) SELECT 1;
EXPLAIN (NONSENSE) SELECT 1;
EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT 1;
BEGIN;
EXPLAIN DECLARE later CURSOR FOR SELECT 1;
SELECT count(*) FROM pg_cursors;
DECLARE later CURSOR FOR SELECT 1;
COMMIT;
-- a long list, in short and whole
CREATE TABLE many (a integer);
SELECT string_agg(i::text, ', ' ORDER BY i) AS list FROM generate_series(1, 105) AS i \gset
EXPLAIN SELECT a FROM many WHERE a IN (:list);
EXPLAIN (VERBOSE, COSTS off) SELECT a FROM many WHERE a IN (:list);
-- what a value's unit is
SELECT name, setting, unit, vartype, boot_val FROM pg_settings WHERE name IN ('work_mem', 'statement_timeout', 'TimeZone', 'sweep_interval', 'synchronous_commit', 'sample_size', 'enable_cuts') ORDER BY 1;
SET work_mem = '1GB';
SET statement_timeout = '1min';
SELECT name, setting, unit, reset_val, current_setting(name) FROM pg_settings WHERE name IN ('work_mem', 'statement_timeout') ORDER BY 1;
-- digits of a second
SELECT '2020-01-01'::timestamp(7), '2020-01-01'::timestamptz(9);
SELECT '10:00'::time(7), '1 day'::interval(8), '10:00'::time(6);
SELECT drop_chunks(NULL);

-- also: mongo
-- The catalog as tables: pg_catalog and information_schema, regclass and its like, functions over them.
CREATE TABLE cat_t (ts timestamptz TIME PERIOD '60 s' NOT NULL, k text DIMENSION NOT NULL, n numeric(10,2) MEASURE DEFAULT 1.5, v varchar(7), a int[]);
CREATE VIEW cat_w AS SELECT k, sum(n) AS total FROM cat_t GROUP BY k;
CREATE INDEX cat_i ON cat_t (k);
COMMENT ON TABLE cat_t IS 'a table';
COMMENT ON COLUMN cat_t.k IS 'its key';
CREATE FUNCTION cat_twice (x int) RETURNS int LANGUAGE sql AS 'SELECT 2 * x';

-- relations
SELECT relname, relkind, relnatts, relhasindex, relpersistence, oid >= 16384 AS own FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname LIKE 'cat%' ORDER BY 1;
SELECT n.nspname, count(*) > 20 AS some FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname <> 'public' GROUP BY 1 ORDER BY 1;
SELECT attnum, attname, format_type(atttypid, atttypmod), attnotnull, atthasdef, attlen FROM pg_attribute WHERE attrelid = 'cat_t'::regclass AND attnum > 0 ORDER BY attnum;
SELECT a.attname, pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum WHERE d.adrelid = 'cat_t'::regclass;
SELECT indexrelid::regclass, indrelid::regclass, indkey, indisunique FROM pg_index;
SELECT typname, typlen, typcategory, typelem::regtype, typarray::regtype FROM pg_type WHERE typname IN ('int4', '_int4', 'text', 'regclass') ORDER BY 1;

-- names and OIDs
SELECT 'cat_t'::regclass, 'public.cat_t'::regclass::oid = c.oid AS same, c.oid::regclass::text || '!', c.tableoid::regclass FROM pg_class c WHERE c.oid = 'CAT_T'::regclass;
SELECT (relnamespace::regnamespace || '.' || relname)::regclass FROM pg_class WHERE relname = 'cat_w';
SELECT 'pg_catalog.pg_class'::regclass, 'pg_class'::regclass::int, 'information_schema.tables'::regclass, 0::regclass, 4::regclass;
SELECT 'varchar(3)'::regtype, 'timestamp (3) with time zone'::regtype, '_text'::regtype, 25::regtype, 'integer'::regtype::oid, 'float8'::regtype = 701 AS same;
SELECT 'lower(text)'::regprocedure, 'current_database'::regproc, 'pg_catalog'::regnamespace, 'mtsql'::regrole::oid;
SELECT 'abs(int)'::regprocedure, 'round ( numeric, int4 )'::regprocedure, 'array_length(anyarray,int)'::regprocedure, to_regprocedure('abs(text)');
SELECT 'abs'::regprocedure;
SELECT '"Nothing"'::regclass;
SELECT current_schemas(true), current_schemas(false), current_schemas(NULL), (pg_catalog.current_schemas(true))[1];
SELECT to_regclass('cat_t'), to_regclass('nothing') IS NULL AS none, to_regtype('int'), to_regproc('nothing') IS NULL AS none, pg_typeof('cat_t'::regclass);
SELECT 'nothing'::regclass;
SELECT 'nothing'::regtype;
SELECT 'nothing'::regproc;
SELECT 'abs'::regproc;
SELECT 'nothing'::regnamespace;
SELECT relname::regclass FROM (VALUES ('cat_t'), ('no.such')) v (relname);
CREATE TABLE cat_reg (ts timestamptz TIME, c regclass);
CREATE TABLE cat_reg (ts timestamptz TIME, c oid);
CREATE TABLE cat_reg USING rows AS SELECT now() AS ts, 'cat_t'::regclass AS c;

SELECT typname, typlen, typcategory, typispreferred, typarray::regtype, format_type(oid, NULL) FROM pg_type WHERE typname = 'oid';
SELECT attname, atttypid::regtype FROM pg_attribute WHERE attrelid = 'pg_index'::regclass AND attname IN ('indexrelid', 'indkey', 'indclass', 'indisvalid') ORDER BY 1;
SELECT count(*) = count(DISTINCT oid) AS unique, pg_typeof(min(oid)) AS type, max(oid) > 0 AS some, pg_typeof(array_agg(oid)) AS list FROM pg_class;

-- functions
SELECT pg_get_viewdef('cat_w'), pg_get_viewdef('cat_w'::regclass, true), pg_get_indexdef('cat_i'::regclass), pg_get_indexdef('cat_i'::regclass, 1, true);
SELECT obj_description('cat_t'::regclass, 'pg_class'), col_description('cat_t'::regclass, 2), col_description('cat_t'::regclass, 1) IS NULL AS none;
SELECT pg_table_is_visible('cat_t'::regclass), pg_table_is_visible('information_schema.tables'::regclass), pg_table_is_visible(1) IS NULL AS none;
SELECT oid::regprocedure, pg_get_function_arguments(oid), pg_get_function_result(oid), pronamespace::regnamespace, proargtypes, proargnames, prosrc FROM pg_proc WHERE proname = 'cat_twice';
SELECT pg_get_functiondef('cat_twice'::regproc);
SELECT current_user, session_user, current_schema(), pg_is_in_recovery(), inet_server_addr() IS NULL AS none, has_table_privilege('cat_t', 'SELECT'), pg_encoding_to_char(6);
SELECT substr(version(), 1, 13), current_database() = current_catalog AS same, current_setting('TimeZone'), current_setting('no.thing', true) IS NULL AS none;
SELECT current_setting('no_thing');
INSERT INTO cat_t VALUES ('2020-01-01', 'a', 1, 'b', '{1,2}'), ('2020-01-02', 'a', 1, 'b', '{1,2}');
SELECT pg_relation_size('cat_t') > 0 AS some, pg_total_relation_size('pg_class'), pg_size_pretty(pg_table_size('cat_w'));
SELECT pg_size_pretty(10239::bigint), pg_size_pretty(10240::bigint), pg_size_pretty(-20480000::bigint), pg_size_pretty(10484735::bigint), pg_size_pretty(10484736::bigint), pg_size_pretty(9223372036854775807);
SELECT format_type(1043, 7), format_type(1700, 655366), format_type(1184, 3), format_type(1009, NULL), format_type(1, NULL), format_type(0, NULL), format_type(NULL, 1) IS NULL AS none;

-- views of the catalog
SELECT schemaname, tablename, hasindexes FROM pg_tables WHERE tablename LIKE 'cat%';
SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' AND viewname LIKE 'cat%';
SELECT tablename, indexname, indexdef FROM pg_catalog.pg_indexes;
SELECT relname, n_live_tup FROM pg_stat_user_tables WHERE relname LIKE 'cat%';
SELECT table_schema, table_name, table_type, is_insertable_into FROM information_schema.tables WHERE table_name LIKE 'cat%' ORDER BY 2;
SELECT column_name, ordinal_position AS pos, data_type, udt_name, is_nullable, column_default, numeric_precision AS p, numeric_scale AS s, character_maximum_length AS len FROM information_schema.columns
 WHERE table_schema = 'public' AND table_name = 'cat_t' ORDER BY ordinal_position;
SELECT constraint_name LIKE '2200\_%\_not_null' AS named, constraint_type FROM information_schema.table_constraints WHERE table_name = 'cat_t';
CREATE TABLE cat_k (a int, b text, v int, PRIMARY KEY (b, a));
SELECT conname, contype, conrelid::regclass, conindid::regclass, conkey, pg_get_constraintdef(oid) FROM pg_constraint;
SELECT indexrelid::regclass, indisprimary, indisunique, indkey, pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'cat_k'::regclass;
SELECT constraint_type, count(*) FROM information_schema.table_constraints WHERE table_name = 'cat_k' GROUP BY 1 ORDER BY 1;
SELECT constraint_name, column_name, ordinal_position FROM information_schema.key_column_usage ORDER BY 3;
SELECT column_name FROM information_schema.constraint_column_usage ORDER BY 1;
DROP TABLE cat_k;
SELECT schema_name FROM information_schema.schemata ORDER BY 1;
SELECT routine_name, data_type, routine_definition, external_language FROM information_schema.routines WHERE routine_schema = 'public' AND routine_name LIKE 'cat%';
SELECT parameter_name, data_type, ordinal_position FROM information_schema.parameters WHERE specific_schema = 'public' AND specific_name LIKE 'cat%';
SELECT table_name FROM information_schema.views WHERE table_schema = 'public' AND table_name LIKE 'cat%';

-- rows like any others
SELECT relkind, count(*) FILTER (WHERE relname LIKE 'cat%') AS n, row_number() OVER (ORDER BY relkind) FROM pg_class GROUP BY relkind ORDER BY 1;
WITH c AS (SELECT * FROM pg_class WHERE relkind = 'r' AND relname LIKE 'cat%') SELECT c.relname, (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid) AS columns FROM c;
SELECT c.relname FROM pg_class c (id) WHERE EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.id);
SELECT * FROM pg_atribute;
SELECT * FROM information_schema.nothing;
SELECT relnam FROM pg_class;
PREPARE cat_p (text) AS SELECT $1;
SELECT name, parameter_types::text FROM pg_prepared_statements;

-- nothing is made or changed there
CREATE TABLE pg_catalog.t (a int);
DROP TABLE information_schema.tables;
INSERT INTO pg_catalog.pg_class VALUES (1);
UPDATE pg_class SET relname = 'x';
DELETE FROM pg_catalog.pg_type;
CREATE VIEW information_schema.w AS SELECT 1 AS a;
CREATE VIEW pg_catalog.w AS SELECT 1 AS a;
CREATE TABLE elsewhere.t (a int);
ALTER TABLE pg_attribute ADD COLUMN a int;
TRUNCATE pg_catalog.pg_class;
COMMENT ON TABLE pg_class IS 'x';
CREATE INDEX ON pg_class (relname);
DROP TABLE IF EXISTS elsewhere.t;
CREATE SCHEMA s;
INSERT INTO public.cat_t VALUES ('2020-01-03', 'b', 1, 'b', '{1,2}');
SELECT count(*) FROM public.cat_t;
SELECT count(*) FROM elsewhere.cat_t;
SELECT name, abbrev, utc_offset, is_dst FROM pg_timezone_names WHERE name IN ('Asia/Tokyo', 'America/Argentina/Ushuaia', 'UTC') ORDER BY 1;
SELECT datname = current_database(), pid = pg_backend_pid(), usename = current_user, state, backend_type FROM pg_stat_activity;
SELECT relname, indexrelname, idx_scan FROM pg_stat_user_indexes ORDER BY 1, 2;
SELECT numbackends FROM pg_stat_database WHERE datname = current_database();

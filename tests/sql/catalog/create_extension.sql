-- also: mongo
-- CREATE EXTENSION, ALTER EXTENSION, DROP EXTENSION. tests/cli/extension_test.py has versions and control files of its own.
SHOW extension_path;
CREATE EXTENSION example;
CREATE TABLE t (ts timestamptz TIME, s text DIMENSION) USING rows;
INSERT INTO t VALUES ('2024-05-01', 'a b'), ('2024-05-02', 'c');
SELECT sum(word_count(s)), join_words(s ORDER BY ts DESC) FROM t;
CREATE EXTENSION IF NOT EXISTS example;
CREATE EXTENSION locality_uuid WITH VERSION '1.0' CASCADE;
SELECT id_counter(id), id_process_id(id) FROM (SELECT '20be0ffc-314a-bd53-7a50-013a65ca76d2'::uuid AS id) q;
\dx
\dx exam*
\dx+ example
SELECT extname, extversion, extnamespace::regnamespace FROM pg_extension ORDER BY 1;
SELECT * FROM pg_available_extensions ORDER BY 1;
SELECT name, version, installed, requires FROM pg_available_extension_versions ORDER BY 1;
ALTER EXTENSION example UPDATE;
ALTER EXTENSION example UPDATE TO "1.0";
-- transactions
BEGIN;
DROP EXTENSION example;
SELECT word_count('a b');
ROLLBACK;
SELECT word_count('a b');
BEGIN;
CREATE EXTENSION arcanum;
ROLLBACK;
SELECT extname FROM pg_extension ORDER BY 1;
-- errors
CREATE EXTENSION example;
CREATE EXTENSION exampel;
CREATE EXTENSION arcanum VERSION '2';
CREATE EXTENSION arcanum SCHEMA public;
CREATE FUNCTION mac_address () RETURNS text LANGUAGE sql AS $$ SELECT 'mine' $$;
CREATE EXTENSION process;
DROP FUNCTION mac_address;
-- two extensions with functions of one library
CREATE EXTENSION process;
SELECT length(mac_address()), process_counter('both', 1), id_next_number('both', 1), id_own_mac() = mac_address(), length(locality_uuid()::text);
DROP EXTENSION locality_uuid;
CREATE EXTENSION locality_uuid;
SELECT locality_uuid() <> locality_uuid(), process_counter('both', 1);
DROP EXTENSION process;
SELECT locality_uuid() <> locality_uuid();
LOAD 'process';
SELECT locality_uuid() <> locality_uuid(), process_counter('both', 1);
CREATE EXTENSION "../example";
ALTER EXTENSION example UPDATE TO '1.1';
ALTER EXTENSION arcanum UPDATE;
DROP FUNCTION id_hex;
DROP EXTENSION arcanum;
DROP EXTENSION locality_uuid, example, arcanum;
LOAD 'locality_uuid';
\dx+ nosuch
-- names that are keywords stay names
SELECT extension, version, schema FROM (VALUES (1, 2, 3)) AS version (extension, version, schema);
DROP EXTENSION IF EXISTS locality_uuid, arcanum, example RESTRICT;
SELECT word_count('a b');
LOAD 'example';
SELECT word_count('a b');
\dx
\h ALTER EXTENSION

-- also: mongo postgres
-- sequences: options, values, errors
CREATE SEQUENCE s;
SELECT nextval('s'), nextval('s'), currval('s'), lastval();
SELECT nextval('public.s'), nextval('s'::regclass);
SELECT nextval('s') FROM generate_series(1, 5);
SELECT nextval('s');
SELECT setval('s', 100), nextval('s');
SELECT setval('s', 7, false), nextval('s'), nextval('s');
SELECT last_value, start_value, min_value, max_value, increment_by, cycle, cache_size, data_type
  FROM pg_sequences WHERE sequencename = 's';
CREATE SEQUENCE IF NOT EXISTS s;
CREATE SEQUENCE s;
CREATE SEQUENCE c MAXVALUE 3 CYCLE;
SELECT nextval('c') FROM generate_series(1, 5);
CREATE SEQUENCE d INCREMENT BY -1 MINVALUE -2;
SELECT nextval('d');
SELECT nextval('d');
SELECT nextval('d');
ALTER SEQUENCE d RESTART WITH -1;
SELECT nextval('d'), currval('d');
ALTER SEQUENCE d NO MINVALUE INCREMENT -10;
SELECT nextval('d'), nextval('d');
CREATE SEQUENCE e AS smallint START WITH 5 INCREMENT 2 CACHE 1;
SELECT nextval('e'), nextval('e');
ALTER SEQUENCE e RESTART;
SELECT nextval('e');
ALTER SEQUENCE e AS integer;
SELECT data_type, max_value FROM pg_sequences WHERE sequencename = 'e';
CREATE SEQUENCE big START 9223372036854775806;
SELECT nextval('big'), nextval('big');
SELECT nextval('big');
-- errors
CREATE SEQUENCE x INCREMENT 0;
CREATE SEQUENCE x MINVALUE 5 MAXVALUE 3;
CREATE SEQUENCE x START 0;
CREATE SEQUENCE x START 9 MAXVALUE 8;
CREATE SEQUENCE x CACHE 0;
CREATE SEQUENCE x AS smallint MAXVALUE 40000;
CREATE SEQUENCE x AS text;
CREATE SEQUENCE x START 1 START 2;
\set VERBOSITY sqlstate
SELECT nextval('nosuch');
\set VERBOSITY default
\set VERBOSITY sqlstate
SELECT currval('nosuch');
\set VERBOSITY default
CREATE SEQUENCE x;
SELECT currval('x');
SELECT setval('e', 0);
ALTER SEQUENCE nosuch RESTART;
ALTER SEQUENCE IF EXISTS nosuch RESTART;
DROP SEQUENCE nosuch;
DROP SEQUENCE IF EXISTS nosuch;
BEGIN READ ONLY;
SELECT nextval('x');
ROLLBACK;
-- values are not taken back
BEGIN;
SELECT nextval('x');
ROLLBACK;
SELECT nextval('x');
ALTER SEQUENCE x RENAME TO y;
\set VERBOSITY sqlstate
SELECT nextval('x');
\set VERBOSITY default
SELECT nextval('y');
DROP SEQUENCE y, s, c;
SELECT sequencename FROM pg_sequences ORDER BY 1;
SELECT sequence_name, data_type, start_value, increment FROM information_schema.sequences ORDER BY 1;
SELECT relkind FROM pg_class WHERE relname = 'e';

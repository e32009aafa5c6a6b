-- also: postgres
-- Savepoints, cursors, and statements about temporary and other tables at once.
CREATE TABLE lasting (a integer, b text);
INSERT INTO lasting VALUES (1, 'one');
CREATE TEMP TABLE passing (a integer PRIMARY KEY, b text);
BEGIN;
INSERT INTO passing VALUES (1, 'first');
SAVEPOINT one;
INSERT INTO passing VALUES (2, 'second');
INSERT INTO lasting VALUES (2, 'two');
CREATE TEMP TABLE inner_one (a integer);
INSERT INTO inner_one SELECT a FROM passing;
SAVEPOINT two;
DROP TABLE inner_one;
DELETE FROM passing;
INSERT INTO passing VALUES (9, 'ninth'), (9, 'again');
SELECT 1;
ROLLBACK TO two;
SELECT * FROM inner_one ORDER BY a;
SELECT * FROM passing ORDER BY a;
ROLLBACK TO one;
SELECT * FROM passing;
SELECT * FROM lasting;
SELECT * FROM inner_one;
ROLLBACK TO one;
INSERT INTO passing VALUES (3, 'third');
RELEASE one;
COMMIT;
SELECT * FROM passing ORDER BY a;
-- a failed block takes all with it
BEGIN;
INSERT INTO passing VALUES (4, 'fourth');
INSERT INTO lasting VALUES (4, 'four');
SELECT 1 / 0;
COMMIT;
SELECT count(*) FROM passing;
SELECT count(*) FROM lasting;
-- and a failed statement itself
INSERT INTO passing SELECT a + 10, b FROM passing UNION ALL SELECT 1, 'taken';
SELECT count(*) FROM passing;
-- savepoints before the first temporary table of a block
BEGIN;
SAVEPOINT before;
CREATE TEMP TABLE made (a integer) ON COMMIT DELETE ROWS;
INSERT INTO made VALUES (1);
ROLLBACK TO before;
CREATE TEMP TABLE made (b integer) ON COMMIT DELETE ROWS;
INSERT INTO made VALUES (2);
SELECT * FROM made;
COMMIT;
SELECT * FROM made;
-- a cursor sees what was there
BEGIN;
DECLARE c CURSOR FOR SELECT p.a, l.b FROM passing p LEFT JOIN lasting l USING (a) ORDER BY a;
FETCH 1 FROM c;
DELETE FROM passing;
FETCH ALL FROM c;
ROLLBACK;
DECLARE h CURSOR WITH HOLD FOR SELECT a FROM passing ORDER BY a;
FETCH ALL FROM h;
CLOSE h;
PREPARE p AS INSERT INTO passing VALUES ($1, $2) RETURNING *;
EXECUTE p (7, 'seventh');
-- one snapshot
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM lasting;
INSERT INTO passing VALUES (8, 'eighth');
SELECT count(*) FROM passing;
COMMIT;
-- at once
TRUNCATE passing, lasting;
SELECT (SELECT count(*) FROM passing), (SELECT count(*) FROM lasting);
CREATE TABLE second (a integer);
BEGIN;
DROP TABLE passing, second;
ROLLBACK;
SELECT (SELECT count(*) FROM passing), (SELECT count(*) FROM second);
DROP TABLE passing, lasting, second;
SELECT relname FROM pg_class WHERE relname IN ('passing', 'lasting', 'second');
DROP TABLE IF EXISTS pg_temp.passing;
-- a temporary table hides a view, of either kind
CREATE VIEW hidden AS SELECT 1 AS a;
CREATE MATERIALIZED VIEW kept AS SELECT 1 AS a;
CREATE TEMP TABLE hidden (a integer);
CREATE TEMP TABLE kept AS SELECT 2 AS a;
\set VERBOSITY sqlstate
REFRESH MATERIALIZED VIEW hidden;
REFRESH MATERIALIZED VIEW kept;
REFRESH MATERIALIZED VIEW public.hidden;
REFRESH MATERIALIZED VIEW pg_temp.hidden;
REFRESH MATERIALIZED VIEW public.kept;
\set VERBOSITY default
SELECT k.a, p.a FROM kept k, public.kept p;
DROP TABLE hidden, kept;
REFRESH MATERIALIZED VIEW nothing_such;
REFRESH MATERIALIZED VIEW kept;
DROP MATERIALIZED VIEW kept;
DROP VIEW hidden;

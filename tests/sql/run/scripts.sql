-- also: postgres
-- several statements in one text are one transaction
CREATE TABLE s (a integer);
INSERT INTO s VALUES (1)\; SELECT 1 / 0\; INSERT INTO s VALUES (2);
SELECT count(*) AS none FROM s;
INSERT INTO s VALUES (1)\; SELECT a FROM s\; INSERT INTO s VALUES (2);
-- rows that fail when they are read, in the last statement and before
INSERT INTO s VALUES (3)\; SELECT 1 / (a - 3) AS q FROM s WHERE a = 3;
INSERT INTO s VALUES (3)\; SELECT 1 / (a - 3) AS q FROM s WHERE a = 3\; SELECT 1;
SELECT a FROM s ORDER BY a;
-- nothing of a text with a syntax error runs, and one with a semantic error is undone
INSERT INTO s VALUES (4)\; SELECT FROM WHERE;
INSERT INTO s VALUES (4)\; SELECT nothing;
SELECT a FROM s ORDER BY a;
-- BEGIN makes it a block like others, with what came before
INSERT INTO s VALUES (4)\; BEGIN\; INSERT INTO s VALUES (5);
SELECT a FROM s ORDER BY a;
ROLLBACK;
SELECT a FROM s ORDER BY a;
BEGIN\; INSERT INTO s VALUES (4)\; COMMIT\; INSERT INTO s VALUES (5)\; SELECT 1 / 0;
SELECT a FROM s ORDER BY a;
BEGIN\; INSERT INTO s VALUES (5)\; SELECT 1 / 0;
SELECT 1\; SELECT 2;
COMMIT;
SELECT a FROM s ORDER BY a;
-- COMMIT and ROLLBACK outside of a block end what has run so far
SET client_min_messages = error;
INSERT INTO s VALUES (5)\; COMMIT\; INSERT INTO s VALUES (6)\; SELECT 1 / 0;
INSERT INTO s VALUES (6)\; ROLLBACK\; INSERT INTO s VALUES (7);
RESET client_min_messages;
COMMIT\; SELECT 1 AS warned;
SELECT a FROM s ORDER BY a;
-- what needs a block like others, and what can't stand in any
INSERT INTO s VALUES (8)\; SAVEPOINT a;
INSERT INTO s VALUES (8)\; ROLLBACK TO a;
INSERT INTO s VALUES (8)\; COMMIT AND CHAIN;
INSERT INTO s VALUES (8)\; VACUUM;
INSERT INTO s VALUES (8)\; DISCARD ALL;
SELECT count(*) AS none FROM s WHERE a = 8;
-- cursors, settings and definitions
DECLARE c CURSOR FOR SELECT a FROM s WHERE a < 3 ORDER BY a\; FETCH 1 FROM c\; FETCH 1 FROM c;
FETCH c;
SET LOCAL extra_float_digits = -12\; SELECT 0.1::float8 + 0.2 AS f;
SHOW extra_float_digits;
SET extra_float_digits = 0\; SELECT 1 / 0;
SHOW extra_float_digits;
CREATE TABLE made (a integer)\; INSERT INTO made VALUES (1)\; SELECT a FROM made\; SELECT 1 / 0;
SELECT * FROM made;
-- \gset and its like are about the last result; empty statements are none
SELECT 1 AS x\; SELECT 2 AS x \gset
\echo :x
SELECT 1 AS x\; ;
;\; ;
\; -- nothing
SELECT 'SELECT 3 AS made; SELECT 4 AS made'
\gexec

-- also: mongo postgres
-- tables that come and go in one text, or in a block, with what is written to them
CREATE TABLE a (n integer)\; INSERT INTO a VALUES (1), (2)\; SELECT sum(n) FROM a;
SELECT n FROM a ORDER BY n;
-- a later statement fails: nothing of it stays
CREATE TABLE b (n integer)\; INSERT INTO b VALUES (1)\; SELECT 1 / 0;
SELECT * FROM b;
CREATE TABLE b (n integer)\; INSERT INTO b VALUES (7)\; SELECT n FROM b;
DROP TABLE b\; SELECT 1 / 0;
SELECT n FROM b;
-- rows that fail when they are read
INSERT INTO a VALUES (3)\; UPDATE a SET n = n + 10 WHERE n < 3\; DELETE FROM a WHERE n = 11\; SELECT 1 / (n - 3) AS q FROM a WHERE n = 3;
SELECT n FROM a ORDER BY n;
-- CREATE TABLE AS
CREATE TABLE c AS SELECT n * 10 AS n FROM a\; INSERT INTO c VALUES (5)\; SELECT n FROM c ORDER BY n;
CREATE TABLE d AS SELECT n FROM a\; UPDATE d SET n = 0\; SELECT nothing FROM d;
SELECT * FROM d;
-- a table takes the place of another
DROP TABLE c\; CREATE TABLE c (t text)\; INSERT INTO c VALUES ('new')\; SELECT 1 / 0;
SELECT n FROM c ORDER BY n;
INSERT INTO c VALUES (6)\; DROP TABLE c\; CREATE TABLE c (t text)\; INSERT INTO c VALUES ('one')\; DROP TABLE c\; CREATE TABLE c (t text)\; INSERT INTO c VALUES ('two')\; SELECT 1 / 0;
SELECT n FROM c ORDER BY n;
DROP TABLE c\; CREATE TABLE c (t text)\; INSERT INTO c VALUES ('new')\; SELECT t FROM c;
SELECT t FROM c;
-- TRUNCATE
TRUNCATE c\; INSERT INTO c VALUES ('newer')\; SELECT 1 / 0;
SELECT t FROM c;
TRUNCATE c\; INSERT INTO c VALUES ('newer')\; SELECT t FROM c;
SELECT t FROM c;
-- columns
ALTER TABLE a ADD COLUMN m integer DEFAULT 4\; UPDATE a SET m = n\; SELECT n, m FROM a ORDER BY n\; SELECT 1 / 0;
SELECT * FROM a ORDER BY n;
ALTER TABLE a ADD COLUMN m integer\; UPDATE a SET m = n + 1\; SELECT n, m FROM a ORDER BY n;
ALTER TABLE a RENAME TO other\; INSERT INTO other VALUES (9, 9)\; SELECT count(*) FROM a;
SELECT * FROM a ORDER BY n;
-- a key, an index, a view
CREATE TABLE k (id integer PRIMARY KEY, v text)\; INSERT INTO k VALUES (1, 'a'), (2, 'b')\; DELETE FROM k WHERE id = 1\; INSERT INTO k VALUES (1, 'c')\; SELECT * FROM k ORDER BY id;
INSERT INTO k VALUES (3, 'x')\; DELETE FROM k WHERE id = 1\; INSERT INTO k VALUES (1, 'z')\; UPDATE k SET v = 'y'\; SELECT 1 / 0;
SELECT * FROM k ORDER BY id;
CREATE INDEX k_v ON k (v)\; CREATE VIEW texts AS SELECT v FROM k\; SELECT * FROM texts ORDER BY v\; SELECT 1 / 0;
SELECT * FROM texts;
SELECT count(*) FROM pg_indexes WHERE indexname = 'k_v';
CREATE INDEX k_v ON k (v)\; CREATE VIEW texts AS SELECT v FROM k\; SELECT * FROM texts ORDER BY v;
-- the same as a block
BEGIN;
CREATE TABLE e (n integer);
INSERT INTO e VALUES (1), (2);
SELECT sum(n) FROM e;
ROLLBACK;
SELECT * FROM e;
BEGIN;
CREATE TABLE e (n integer);
INSERT INTO e VALUES (1), (2);
COMMIT;
SELECT sum(n) FROM e;
BEGIN;
DROP TABLE e;
CREATE TABLE e (t text);
INSERT INTO e VALUES ('x');
SELECT 1 / 0;
SELECT t FROM e;
COMMIT;
SELECT sum(n) FROM e;

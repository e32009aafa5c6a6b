-- also: mongo
-- a volatile function would see what its statement has changed so far
CREATE TABLE seen (a integer);
INSERT INTO seen VALUES (1), (2), (777);
CREATE FUNCTION most() RETURNS integer LANGUAGE sql AS 'SELECT max(a) FROM seen';
CREATE FUNCTION most_stable() RETURNS integer LANGUAGE sql STABLE AS 'SELECT max(a) FROM seen';
CREATE FUNCTION most_within() RETURNS integer LANGUAGE sql AS 'SELECT most_stable() + 0';
SELECT most(), most_stable(), most_within();
UPDATE seen SET a = most() + 10;
DELETE FROM seen WHERE a = most();
INSERT INTO seen SELECT most() + a FROM seen;
INSERT INTO seen VALUES (most() + 1), (most() + 1);
INSERT INTO seen VALUES (5) RETURNING most();
UPDATE seen SET a = most_within() + 10;
INSERT INTO seen VALUES (most() + 1);
UPDATE seen SET a = most_stable() + 10 WHERE a > 2 RETURNING a;
CREATE TABLE other AS SELECT most() AS m;
UPDATE other SET m = most() + 1 RETURNING m;
BEGIN;
DECLARE c CURSOR FOR SELECT most();
ROLLBACK;
DROP FUNCTION most_within, most_stable, most;
DROP TABLE seen, other;
-- a default is such a function of the row that needs it, and views and WHERE of COPY call it, too
CREATE TABLE seen (id integer, a integer);
CREATE FUNCTION next_a() RETURNS integer LANGUAGE sql AS 'SELECT coalesce(max(a), 0) + 1 FROM seen';
CREATE FUNCTION next_stable() RETURNS integer LANGUAGE sql STABLE AS 'SELECT next_a()';
CREATE VIEW the_next AS SELECT next_a() AS m;
ALTER TABLE seen ALTER COLUMN a SET DEFAULT next_a();
INSERT INTO seen VALUES (1, 1), (2, 2);
INSERT INTO seen (id) VALUES (3);
INSERT INTO seen (id) VALUES (4), (5);
INSERT INTO seen VALUES (4, DEFAULT), (5, 1);
INSERT INTO seen SELECT 4;
INSERT INTO seen SELECT 4, m FROM the_next;
UPDATE seen SET a = DEFAULT WHERE id < 3;
UPDATE seen SET a = m FROM the_next WHERE id = 1;
UPDATE seen SET a = (SELECT m FROM the_next) WHERE id = 1;
UPDATE seen SET a = next_stable() WHERE id = 1;
UPDATE seen SET a = a + 1 RETURNING next_a();
DELETE FROM seen USING the_next WHERE a = m;
DELETE FROM seen WHERE EXISTS (SELECT 1 FROM the_next WHERE m = a);
DELETE FROM seen WHERE id = 1 RETURNING next_a();
PREPARE p AS UPDATE seen SET a = next_a();
COPY seen (id) FROM stdin;
4
5
\.
COPY seen FROM stdin WHERE id > next_a();
4	4
\.
COPY seen FROM stdin WITH (FORMAT jsonl);
{"id": 4, "a": 4}
{"id": 5}
\.
COPY seen FROM stdin;
4	4
5	5
\.
BEGIN;
DECLARE c CURSOR FOR SELECT m FROM the_next;
ROLLBACK;
SELECT * FROM seen ORDER BY id;

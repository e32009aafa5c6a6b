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

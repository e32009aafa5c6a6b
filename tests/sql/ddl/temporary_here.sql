-- args: data/dump
-- A read-only target has temporary tables, too.
CREATE TEMP TABLE counts AS SELECT count(*) AS n FROM rows;
SELECT n > 0 FROM counts;
INSERT INTO counts VALUES (-1);
BEGIN;
UPDATE counts SET n = -2 WHERE n < 0;
SAVEPOINT s;
DELETE FROM counts;
ROLLBACK TO s;
COMMIT;
SELECT n FROM counts WHERE n < 0;
SELECT count(*) > 0 FROM rows r, counts c WHERE c.n = -2;
CREATE INDEX ON counts (n);
ALTER TABLE counts RENAME TO counted;
DROP TABLE counted;
CREATE TABLE lasting (a integer);

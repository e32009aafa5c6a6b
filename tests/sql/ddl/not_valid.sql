-- also: postgres
-- CHECK constraints that are NOT VALID, and VALIDATE CONSTRAINT.
CREATE TABLE t (a int PRIMARY KEY, b int);
INSERT INTO t VALUES (1, -1), (2, 2);
ALTER TABLE t ADD CONSTRAINT positive CHECK (b > 0) NOT VALID;
ALTER TABLE ONLY public.t ADD CHECK (a < 100) NOT VALID, ADD COLUMN c int;
SELECT conname, convalidated, pg_get_constraintdef(oid), pg_get_constraintdef(oid, true)
  FROM pg_constraint WHERE conrelid = 't'::regclass ORDER BY 1;
INSERT INTO t VALUES (3, -3);
UPDATE t SET b = -5 WHERE a = 2;
UPDATE t SET c = 1 WHERE a = 1;
UPDATE t SET c = 1 WHERE a = 2;
ALTER TABLE t ALTER c TYPE bigint;
ALTER TABLE t VALIDATE CONSTRAINT positive;
ALTER TABLE t VALIDATE CONSTRAINT t_a_check;
ALTER TABLE t RENAME CONSTRAINT positive TO above;
DELETE FROM t WHERE a = 1;
ALTER TABLE t VALIDATE CONSTRAINT above;
ALTER TABLE t VALIDATE CONSTRAINT above;
SELECT conname, convalidated, pg_get_constraintdef(oid) FROM pg_constraint
 WHERE conrelid = 't'::regclass ORDER BY 1;
ALTER TABLE t VALIDATE CONSTRAINT t_pkey;
ALTER TABLE t VALIDATE CONSTRAINT nosuch;
CREATE TABLE u (a int, CONSTRAINT c CHECK (a > 1) NOT VALID);
SELECT conname, convalidated FROM pg_constraint WHERE conrelid = 'u'::regclass;
INSERT INTO u VALUES (1);
ALTER TABLE t DROP CONSTRAINT above;
INSERT INTO t VALUES (3, -3);

-- also: mongo postgres
-- CHECK: of columns and tables, with names
CREATE TABLE t (id integer PRIMARY KEY, a integer CHECK (a > 0), b integer, c text
  CONSTRAINT short CHECK (length(c) < 5), CHECK (a < b), CONSTRAINT even CHECK (mod(b, 2) = 0));
INSERT INTO t VALUES (1, 1, 2, 'x'), (2, NULL, NULL, NULL);
INSERT INTO t VALUES (3, 0, 2, 'x');
INSERT INTO t VALUES (3, 4, 2, 'x');
INSERT INTO t VALUES (3, 1, 3, 'x');
INSERT INTO t VALUES (3, 1, 2, 'long text');
INSERT INTO t VALUES (NULL, 0, 3, 'long text');
INSERT INTO t VALUES (3, 0, 3, 'long text');
INSERT INTO t SELECT 10 + x, x, 4, 'y' FROM generate_series(1, 6) x;
SELECT * FROM t ORDER BY id;
UPDATE t SET a = -1 WHERE id = 1;
UPDATE t SET b = b + 1;
UPDATE t SET b = b + 2, c = 'z' RETURNING *;
UPDATE t SET c = 'too long' FROM (VALUES (1)) v (x) WHERE id = x;
INSERT INTO t VALUES (1, 0, 2, 'x') ON CONFLICT DO NOTHING;
INSERT INTO t VALUES (1, 1, 2, 'x') ON CONFLICT (id) DO UPDATE SET b = 7;
INSERT INTO t VALUES (1, 1, 2, 'x') ON CONFLICT (id) DO UPDATE SET b = excluded.b * 4 RETURNING *;
COPY t FROM STDIN;
5	1	2	x
6	1	3	x
\.
SELECT * FROM t ORDER BY id;
-- how the catalog shows them
SELECT conname, contype, conkey, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE conrelid = 't'::regclass ORDER BY conname;
SELECT relchecks FROM pg_class WHERE relname = 't';
SELECT constraint_name, constraint_type FROM information_schema.table_constraints
  WHERE table_name = 't' AND constraint_name NOT LIKE '%not_null' ORDER BY 1;
SELECT constraint_name, check_clause FROM information_schema.check_constraints
  WHERE constraint_name LIKE 't%' ORDER BY 1;
SELECT constraint_name, column_name FROM information_schema.constraint_column_usage
  WHERE table_name = 't' ORDER BY 1, 2;
-- ALTER TABLE
ALTER TABLE t ADD CHECK (id < 5);
ALTER TABLE t ADD CHECK (id > 1);
ALTER TABLE ONLY t ADD CONSTRAINT positive CHECK (b > 0);
ALTER TABLE t ADD CONSTRAINT positive CHECK (b > 1);
INSERT INTO t VALUES (4, NULL, 0, NULL);
ALTER TABLE t DROP CONSTRAINT positive;
ALTER TABLE t DROP CONSTRAINT IF EXISTS nosuch;
ALTER TABLE t DROP CONSTRAINT nosuch;
INSERT INTO t VALUES (4, NULL, 0, NULL);
ALTER TABLE t ADD COLUMN d integer CHECK (d IS NOT NULL);
ALTER TABLE t ADD COLUMN d integer DEFAULT 0 CHECK (d > 0);
ALTER TABLE t ADD COLUMN d integer NOT NULL DEFAULT 1 CHECK (d > 0);
ALTER TABLE t ADD COLUMN e integer CONSTRAINT e_small CHECK (e < 10);
UPDATE t SET d = 0 WHERE id = 1;
UPDATE t SET e = 10 WHERE id = 1;
UPDATE t SET e = 9, d = 2 WHERE id = 1 RETURNING d, e;
ALTER TABLE t DROP COLUMN a;
SELECT conname FROM pg_constraint WHERE conrelid = 't'::regclass ORDER BY 1;
ALTER TABLE t ALTER COLUMN b TYPE bigint USING b + 1;
ALTER TABLE t ALTER COLUMN b TYPE bigint;
INSERT INTO t (id, b) VALUES (20, 1);
ALTER TABLE t RENAME TO u;
INSERT INTO u (id, b) VALUES (20, 1);
-- errors of definitions
CREATE TABLE x (a integer CHECK (a));
CREATE TABLE x (a integer CHECK (nosuch > 0));
CREATE TABLE x (a integer CHECK (sum(a) > 0));
CREATE TABLE x (a integer CHECK (count(*) OVER () > 0));
CREATE TABLE x (a integer CHECK (a > (SELECT 1)));
CREATE TABLE x (a integer CHECK (generate_series(1, a) > 0));
CREATE TEMPORARY TABLE x (a integer CHECK (a > 0) CHECK (a < 10));
INSERT INTO x VALUES (10);

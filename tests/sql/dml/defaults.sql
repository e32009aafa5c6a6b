-- also: mongo postgres
-- DEFAULT: expressions in definitions, and the word in statements
CREATE TABLE t (id integer, a integer DEFAULT 1 + 2, b timestamptz DEFAULT now(),
  u uuid DEFAULT gen_random_uuid(), c text DEFAULT lower('ABC'), d date DEFAULT '2020-01-01');
INSERT INTO t (id) VALUES (1), (2);
INSERT INTO t DEFAULT VALUES;
INSERT INTO t VALUES (3, DEFAULT, DEFAULT, DEFAULT, DEFAULT, DEFAULT), (4, 7, NULL, NULL, 'x', NULL);
SELECT id, a, b = now() OR b < now(), u IS NOT NULL, c, d FROM t ORDER BY id;
SELECT count(DISTINCT u) FROM t;
UPDATE t SET a = DEFAULT, c = DEFAULT, b = DEFAULT WHERE id = 4;
UPDATE t SET (a, c) = (DEFAULT, 'y') WHERE id = 3;
SELECT id, a, b IS NULL, c FROM t WHERE id > 2 ORDER BY id;
ALTER TABLE t ALTER COLUMN a SET DEFAULT 9;
ALTER TABLE t ALTER c DROP DEFAULT;
ALTER TABLE ONLY t ALTER id SET DEFAULT 20;
INSERT INTO t DEFAULT VALUES RETURNING id, a, c, d;
SELECT column_name, column_default FROM information_schema.columns
  WHERE table_name = 't' AND column_name IN ('a', 'b', 'c', 'u') ORDER BY ordinal_position;
SELECT adnum, pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 't'::regclass AND adnum < 5
  ORDER BY adnum;
ALTER TABLE t ADD COLUMN g uuid DEFAULT gen_random_uuid();
ALTER TABLE t ADD COLUMN h integer DEFAULT 5;
SELECT count(DISTINCT g) = count(*), sum(h) = 5 * count(*) FROM t;
-- errors
CREATE TABLE x (id integer DEFAULT id + 1);
CREATE TABLE x (id integer DEFAULT (SELECT 1));
CREATE TABLE x (id integer DEFAULT count(*));
CREATE TABLE x (id integer DEFAULT sum(1) OVER ());
CREATE TABLE x (id integer DEFAULT generate_series(1, 2));
ALTER TABLE t ALTER a SET DEFAULT id;
SELECT x FROM (VALUES (DEFAULT)) v (x);
INSERT INTO t SELECT DEFAULT;

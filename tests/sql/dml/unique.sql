-- also: postgres
-- Names as PostgreSQL gives them, also for keys that are declared twice.
CREATE TABLE t (a int UNIQUE, b text, c int, CONSTRAINT pair UNIQUE (b, c));
CREATE TABLE n (a int PRIMARY KEY UNIQUE, b int UNIQUE CONSTRAINT own UNIQUE, c int CONSTRAINT first UNIQUE NOT NULL, UNIQUE (b, c), UNIQUE (c, b), UNIQUE (a), CONSTRAINT n_b_key UNIQUE (c, a));
CREATE TABLE n_a_key (a int UNIQUE);
SELECT conname, contype, pg_get_constraintdef (oid) FROM pg_constraint WHERE conrelid IN ('t'::regclass, 'n'::regclass, 'n_a_key'::regclass) ORDER BY conname;
SELECT indexrelid::regclass::text AS name, indisunique, indisprimary, indnullsnotdistinct, pg_get_indexdef (indexrelid) FROM pg_index WHERE indrelid IN ('t'::regclass, 'n'::regclass) ORDER BY name;
DROP TABLE n, n_a_key;
-- a key is there once, and NULLs differ
INSERT INTO t VALUES (1, 'x', 1), (2, 'x', 2);
INSERT INTO t VALUES (1, 'y', 1);
INSERT INTO t VALUES (3, 'z', 1), (4, 'x', 2), (5, 'z', 2);
INSERT INTO t VALUES (7, 'p', 1), (7, 'q', 1);
INSERT INTO t SELECT a + 10, b, c FROM t;
INSERT INTO t VALUES (NULL, 'x', NULL), (NULL, 'x', NULL), (NULL, NULL, 1), (NULL, NULL, 1);
SELECT * FROM t ORDER BY a, b, c;
UPDATE t SET a = 2 WHERE a = 1;
UPDATE t SET c = 1 WHERE a = 2;
UPDATE t SET c = 1 WHERE c IS NULL;
UPDATE t SET a = a + 100, b = b || '!' WHERE a IS NOT NULL;
UPDATE t SET a = a WHERE a > 0;
SELECT * FROM t ORDER BY a, b, c;
SELECT count(*) FROM t;
-- within a block
BEGIN;
INSERT INTO t VALUES (300, 'block', 1);
SAVEPOINT s;
INSERT INTO t VALUES (300, 'block', 2);
ROLLBACK TO s;
DELETE FROM t WHERE a = 300;
INSERT INTO t VALUES (300, 'block', 3);
COMMIT;
BEGIN;
INSERT INTO t VALUES (301, 'block', 4);
INSERT INTO t VALUES (300, 'block', 5);
SELECT 1;
COMMIT;
SELECT * FROM t WHERE b = 'block';
-- ON CONFLICT takes any key
INSERT INTO t VALUES (300, 'new', 1), (400, 'block', 3), (401, 'new', 1) ON CONFLICT DO NOTHING RETURNING a;
INSERT INTO t VALUES (402, 'p', 1), (403, 'p', 1), (402, 'q', 1), (NULL, 'p', NULL) ON CONFLICT DO NOTHING RETURNING a, b, c;
INSERT INTO t VALUES (300, 'changed', 9) ON CONFLICT (a) DO UPDATE SET b = excluded.b, c = t.c + excluded.c RETURNING *;
INSERT INTO t VALUES (500, 'changed', 12) ON CONFLICT (c, b) DO UPDATE SET a = excluded.a;
INSERT INTO t AS mine VALUES (1000, 'new', 1) ON CONFLICT ON CONSTRAINT pair DO UPDATE SET a = mine.a + excluded.a WHERE mine.a = 401 RETURNING *;
INSERT INTO t VALUES (NULL, 'null', 1), (NULL, 'null', 2) ON CONFLICT (a) DO UPDATE SET b = 'never';
SELECT * FROM t WHERE a > 200 OR b = 'null' ORDER BY a, c;
-- the key that isn't the target's still holds
INSERT INTO t VALUES (600, 'new', 1) ON CONFLICT (a) DO NOTHING;
INSERT INTO t VALUES (500, 'new', 1) ON CONFLICT (a) DO UPDATE SET b = excluded.b, c = excluded.c;
INSERT INTO t VALUES (700, 'x', 1), (700, 'x', 2) ON CONFLICT (a) DO UPDATE SET b = 'twice';
INSERT INTO t VALUES (1) ON CONFLICT (b) DO NOTHING;
INSERT INTO t VALUES (1) ON CONFLICT (a, b) DO NOTHING;
INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT t_b_key DO NOTHING;
INSERT INTO t VALUES (1) ON CONFLICT DO UPDATE SET b = 'x';
-- NULLS NOT DISTINCT
CREATE TABLE d (a int, b int, UNIQUE NULLS NOT DISTINCT (a, b));
INSERT INTO d VALUES (1, NULL), (NULL, 1), (NULL, NULL);
INSERT INTO d VALUES (1, NULL);
INSERT INTO d VALUES (NULL, NULL);
INSERT INTO d VALUES (2, NULL), (NULL, 1) ON CONFLICT DO NOTHING;
INSERT INTO d VALUES (1, NULL), (NULL, 1), (3, 3) ON CONFLICT (a, b) DO UPDATE SET b = 10;
SELECT * FROM d ORDER BY a, b;
-- types
CREATE TABLE y (f float8 UNIQUE, u uuid UNIQUE, d date UNIQUE, v numeric UNIQUE, i interval UNIQUE, r int[] UNIQUE, j jsonb UNIQUE, o boolean UNIQUE);
INSERT INTO y (f) VALUES ('NaN'), (0);
INSERT INTO y (f) VALUES ('NaN');
INSERT INTO y (f) VALUES (-0.0);
INSERT INTO y (u, d) VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2024-02-29');
INSERT INTO y (u) VALUES ('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11');
INSERT INTO y (d) VALUES ('2024-02-29');
INSERT INTO y (v, i, r, j) VALUES (1.1, '1 day', '{1,2}', '{"a": 1}');
INSERT INTO y (v) VALUES (1.0), (1.0);
INSERT INTO y (i) VALUES ('1 day');
INSERT INTO y (r) VALUES ('{1,2}');
INSERT INTO y (r) VALUES ('{2,1}');
INSERT INTO y (j) VALUES ('{"a": 1}');
INSERT INTO y (o) VALUES (true), (false), (NULL), (true);
SELECT count(*) FROM y;
-- mistakes
CREATE TABLE m (a int, UNIQUE (b));
CREATE TABLE m (a int, UNIQUE (a, a));
CREATE TABLE m (a int, CONSTRAINT pair UNIQUE (a));
CREATE TABLE m (a int, b int, CONSTRAINT x UNIQUE (a), CONSTRAINT x UNIQUE (b));
CREATE TABLE m (a int CONSTRAINT x CHECK (a > 0), CONSTRAINT x UNIQUE (a));
CREATE TABLE m (a int PRIMARY KEY, b int PRIMARY KEY);

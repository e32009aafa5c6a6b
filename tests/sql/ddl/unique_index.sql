-- also: postgres
CREATE TABLE t (id int, email text, gone timestamptz, active boolean, n numeric);
INSERT INTO t VALUES (1, 'a@x', NULL, true, 1), (2, 'b@x', NULL, false, 2), (3, 'a@x', '2024-01-01 00:00+00', false, 3);
-- existing rows are looked at first
CREATE UNIQUE INDEX ON t (email);
CREATE UNIQUE INDEX one ON t (active) WHERE n > 1;
ALTER TABLE t ADD UNIQUE (email, active), ADD CONSTRAINT same UNIQUE (email);
ALTER TABLE t ADD CONSTRAINT same UNIQUE (email);
ALTER TABLE t ADD PRIMARY KEY (gone);
ALTER TABLE t ADD PRIMARY KEY (email);
SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 't'::regclass;
ALTER TABLE t ADD PRIMARY KEY (id), ADD UNIQUE (email, gone);
CREATE UNIQUE INDEX CONCURRENTLY alive ON t (email) WHERE gone IS NULL;
CREATE UNIQUE INDEX IF NOT EXISTS alive ON t (id);
CREATE UNIQUE INDEX ON t (email, n) WHERE active;
CREATE UNIQUE INDEX ON t (email, n) WHERE active AND n BETWEEN 1 AND 1000 AND email LIKE '%@%';
CREATE UNIQUE INDEX ON t (n, id);
CREATE UNIQUE INDEX nulls ON t (gone, n) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX alive ON t (id);
SELECT indexrelid::regclass::text AS name, indisunique, indisprimary, indnullsnotdistinct, pg_get_expr (indpred, indrelid) IS NOT NULL AS partial FROM pg_index WHERE indrelid = 't'::regclass ORDER BY 1;
SELECT conname, contype, conkey, pg_get_constraintdef (oid) FROM pg_constraint WHERE conrelid = 't'::regclass ORDER BY conname;
SELECT constraint_name, constraint_type, nulls_distinct FROM information_schema.table_constraints WHERE table_name = 't' AND constraint_type <> 'CHECK' ORDER BY constraint_name;
SELECT constraint_name, column_name, ordinal_position FROM information_schema.key_column_usage WHERE table_name = 't' ORDER BY constraint_name, ordinal_position;
-- partial indexes
INSERT INTO t VALUES (4, 'a@x', NULL, true, 4);
INSERT INTO t VALUES (4, 'a@x', '2024-01-02 00:00+00', true, 4);
UPDATE t SET gone = NULL WHERE id = 4;
UPDATE t SET gone = '2024-01-03 00:00+00' WHERE id = 1;
UPDATE t SET gone = NULL WHERE id = 4;
INSERT INTO t VALUES (5, 'a@x', '2024-02-01 00:00+00', true, 4);
SELECT * FROM t ORDER BY id;
-- ON CONFLICT with a condition that implies the index's
INSERT INTO t VALUES (6, 'a@x', NULL, false, 60) ON CONFLICT (email) WHERE gone IS NULL DO UPDATE SET n = t.n + excluded.n, id = excluded.id RETURNING *;
INSERT INTO t AS mine VALUES (7, 'a@x', NULL, false, 70) ON CONFLICT (email) WHERE gone IS NULL AND id > 0 DO UPDATE SET n = mine.n + excluded.n WHERE mine.id = 6 RETURNING *;
INSERT INTO t VALUES (8, 'a@x', '2024-05-01 00:00+00', false, 80), (9, 'c@x', NULL, false, 90) ON CONFLICT (email) WHERE gone IS NULL DO UPDATE SET n = 0;
INSERT INTO t VALUES (10, 'a@x', NULL, NULL, 100) ON CONFLICT DO NOTHING;
INSERT INTO t VALUES (10, 'a@x', NULL, NULL, 100) ON CONFLICT (email) DO NOTHING;
INSERT INTO t VALUES (10, 'a@x', NULL, NULL, 100) ON CONFLICT (email) WHERE n > 5 DO NOTHING;
INSERT INTO t VALUES (10, 'a@x', NULL, NULL, 100) ON CONFLICT ON CONSTRAINT alive DO NOTHING;
INSERT INTO t VALUES (1, 'z@x', NULL, NULL, 100) ON CONFLICT (id) WHERE n > 5 DO NOTHING;
INSERT INTO t VALUES (10, 'a@x', NULL, NULL, 100) ON CONFLICT (email) WHERE nothing > 5 DO NOTHING;
SELECT * FROM t ORDER BY id;
-- taken away
DROP INDEX t_pkey;
ALTER TABLE t DROP CONSTRAINT alive;
DROP INDEX alive, nulls, t_email_n_idx;
INSERT INTO t VALUES (11, 'a@x', NULL, NULL, 110);
ALTER TABLE t DROP CONSTRAINT t_pkey;
INSERT INTO t VALUES (11, 'a@x', NULL, NULL, 111);
ALTER TABLE t DROP CONSTRAINT t_pkey;
ALTER TABLE t DROP CONSTRAINT IF EXISTS t_pkey;
ALTER TABLE t ALTER COLUMN id DROP NOT NULL;
ALTER TABLE t ADD CONSTRAINT key PRIMARY KEY (n);
ALTER TABLE t ADD PRIMARY KEY (id);
ALTER TABLE t ALTER COLUMN n DROP NOT NULL;
-- with columns
ALTER TABLE t ADD COLUMN code text UNIQUE;
ALTER TABLE t ADD COLUMN fixed int DEFAULT 1 UNIQUE;
INSERT INTO t (n, code) VALUES (1001, 'k'), (1002, 'k');
ALTER TABLE t RENAME COLUMN code TO label;
INSERT INTO t (n, label) VALUES (1001, 'k'), (1002, 'k');
ALTER TABLE t DROP COLUMN email;
ALTER TABLE t RENAME TO u;
SELECT indexrelid::regclass::text AS name, pg_get_indexdef (indexrelid) FROM pg_index WHERE indrelid = 'u'::regclass ORDER BY 1;
INSERT INTO u (n, label) VALUES (1001, 'k'), (1002, 'k');
-- a type that makes values equal
CREATE TABLE w (v text UNIQUE, n numeric UNIQUE);
INSERT INTO w VALUES ('1', 1), ('01', 1.2);
ALTER TABLE w ALTER COLUMN v TYPE int USING v::int;
ALTER TABLE w ALTER COLUMN n TYPE int;
SELECT * FROM w ORDER BY v;
-- mistakes
CREATE UNIQUE INDEX ON w (nothing);
CREATE UNIQUE INDEX ON w (v) WHERE nothing > 1;
CREATE UNIQUE INDEX ON w (v) WHERE n;
CREATE UNIQUE INDEX ON w (v) WHERE count(*) > 1;
CREATE UNIQUE INDEX w ON w (v);
ALTER TABLE w ADD UNIQUE (nothing);
ALTER TABLE w ADD CONSTRAINT w_v_key UNIQUE (n);
ALTER TABLE w DROP CONSTRAINT nothing;

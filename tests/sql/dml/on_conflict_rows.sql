-- also: mongo postgres
-- ON CONFLICT where each row is a document: on a server a unique index keeps keys apart.
CREATE TABLE t (id integer PRIMARY KEY, n integer NOT NULL, note text, tags integer[], j jsonb, at timestamptz) USING rows;
INSERT INTO t VALUES (1, 1, 'a', '{1,2}', '{"a":[1]}', '2020-01-01'), (2, 2, NULL, NULL, '[1]', NULL);
INSERT INTO t VALUES (1, 9, 'x'), (3, 3, 'c') ON CONFLICT DO NOTHING;
INSERT INTO t VALUES (1, 9, 'x'), (4, 3, 'c'), (4, 5, 'd') ON CONFLICT (id) DO NOTHING RETURNING *;
SELECT * FROM t ORDER BY id;
INSERT INTO t VALUES (1, 10, 'x') ON CONFLICT (id) DO UPDATE SET n = t.n + excluded.n, note = coalesce (t.note, '') || excluded.note, tags = array_append (t.tags, excluded.n), j = '[[1]]' RETURNING *;
INSERT INTO t VALUES (2, 20, 'y'), (5, 50, 'z') ON CONFLICT ON CONSTRAINT t_pkey DO UPDATE SET n = t.n + excluded.n, j = '[[1]]', at = excluded.at;
INSERT INTO t AS mine VALUES (1, 10, 'x'), (2, 20, 'y'), (5, 50, 'z') ON CONFLICT (id) DO UPDATE SET n = mine.n + excluded.n, note = DEFAULT WHERE mine.id < 2 RETURNING id, n;
SELECT * FROM t ORDER BY id;
-- what fails leaves nothing
INSERT INTO t VALUES (7, 1), (1, 0) ON CONFLICT (id) DO UPDATE SET n = 1 / excluded.n;
\set VERBOSITY terse
INSERT INTO t VALUES (7, 1), (1, 0), (0, NULL) ON CONFLICT (id) DO UPDATE SET n = 1;
\set VERBOSITY default
INSERT INTO t VALUES (1, 0), (1, 0) ON CONFLICT (id) DO UPDATE SET n = 2;
INSERT INTO t VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET n = n + 2;
INSERT INTO t VALUES (1, 0) ON CONFLICT (n) DO NOTHING;
SELECT * FROM t ORDER BY id;
-- from a query, with a sub-select, and prepared
INSERT INTO t SELECT id, n, note FROM t WHERE id < 3 ON CONFLICT (id) DO UPDATE SET (n, note) = (SELECT max(n), 'm' FROM t);
PREPARE upsert AS INSERT INTO t VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = t.n + excluded.n * $3 RETURNING id, n;
EXECUTE upsert (8, 1, 10);
EXECUTE upsert (8, 2, 10);
SELECT * FROM t ORDER BY id;
CREATE TABLE k (ts timestamptz, k text, x numeric, d double precision, PRIMARY KEY (ts, k));
INSERT INTO k VALUES ('2020-01-01', 'a', 1.50, 'NaN') ON CONFLICT (k, ts) DO UPDATE SET x = k.x + 1;
INSERT INTO k VALUES ('2020-01-01', 'a', 9, 2) ON CONFLICT (k, ts) DO UPDATE SET x = k.x + 1;
SELECT * FROM k;
TRUNCATE k;
INSERT INTO k SELECT '2020-01-01'::timestamptz + i * interval '1 minute', 'm' || i % 3, i, i FROM generate_series (1, 600) i;
INSERT INTO k SELECT '2020-01-01'::timestamptz + i * interval '1 minute', 'm' || i % 3, i, i FROM generate_series (301, 900) i ON CONFLICT (ts, k) DO UPDATE SET x = k.x + excluded.x, d = 'Infinity';
SELECT count(*), sum(x), count(*) FILTER (WHERE d = 'Infinity') AS changed FROM k;
CREATE TABLE scaled (a numeric PRIMARY KEY, n integer);
INSERT INTO scaled VALUES (1.0, 1);
INSERT INTO scaled VALUES (1.00, 2), (2, 1) ON CONFLICT (a) DO UPDATE SET n = excluded.n;
SELECT * FROM scaled ORDER BY a;

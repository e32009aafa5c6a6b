-- also: postgres
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION, n integer MEASURE, note text, PRIMARY KEY (ts, k)) USING nested WITH (levels = 'ts, k');
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1, 'first'), ('2020-01-01 00:00+00', 'b', 2, NULL), ('2020-01-02 00:00+00', 'a', 3, 'third');
-- a key is there once
INSERT INTO t VALUES ('2020-01-05 00:00+00', 'z', 9), ('2020-01-01 00:00+00', 'b', 7);
INSERT INTO t VALUES ('2020-01-05 00:00+00', 'z', 9), ('2020-01-05 00:00+00', 'z', 10);
INSERT INTO t SELECT ts, k, n FROM t;
SELECT count(*) FROM t;
UPDATE t SET k = 'a' WHERE k = 'b';
UPDATE t SET ts = '2020-01-01 00:00+00', k = 'c' WHERE ts = '2020-01-02 00:00+00';
SELECT * FROM t ORDER BY ts, k;
-- DO NOTHING
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 100), ('2020-01-03 00:00+00', 'a', 4) ON CONFLICT DO NOTHING;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 100) ON CONFLICT (k, ts) DO NOTHING RETURNING *;
INSERT INTO t VALUES ('2020-01-04 00:00+00', 'a', 5), ('2020-01-04 00:00+00', 'a', 6) ON CONFLICT ON CONSTRAINT t_pkey DO NOTHING RETURNING n;
INSERT INTO t SELECT ts + interval '1 day', k, n * 10, 'copied' FROM t ON CONFLICT DO NOTHING;
SELECT * FROM t ORDER BY ts, k;
-- DO UPDATE
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 100, 'new') ON CONFLICT (ts, k) DO UPDATE SET n = t.n + excluded.n, note = t.note || ' ' || EXCLUDED.note RETURNING *;
INSERT INTO t VALUES ('2020-01-09 00:00+00', 'a', 9) ON CONFLICT (ts, k) DO UPDATE SET n = 0 RETURNING n;
INSERT INTO t AS mine VALUES ('2020-01-01 00:00+00', 'a', 1, 'x'), ('2020-01-01 00:00+00', 'b', 50, 'y'), ('2020-02-01 00:00+00', 'a', 60, 'z')
   ON CONFLICT (ts, k) DO UPDATE SET n = excluded.n, note = DEFAULT WHERE mine.n < excluded.n;
INSERT INTO t SELECT ts, k, 1000 + n FROM t WHERE k = 'b' ON CONFLICT (ts, k) DO UPDATE SET (n, note) = (excluded.n, 'twice');
SELECT * FROM t ORDER BY ts, k;
INSERT INTO t (k, ts) VALUES ('b', '2020-01-01 00:00+00') ON CONFLICT ON CONSTRAINT t_pkey DO UPDATE SET n = coalesce (excluded.n, -1), k = 'moved';
SELECT * FROM t WHERE ts < '2020-01-02' ORDER BY ts, k;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1) ON CONFLICT (ts, k) DO UPDATE SET k = 'moved';
-- mistakes
INSERT INTO t VALUES ('2021-01-01 00:00+00', 'a', 1), ('2021-01-01 00:00+00', 'a', 2) ON CONFLICT (ts, k) DO UPDATE SET n = 0;
INSERT INTO t VALUES ('2021-01-01 00:00+00', 'a', 1) ON CONFLICT (ts) DO NOTHING;
INSERT INTO t VALUES ('2021-01-01 00:00+00', 'a', 1) ON CONFLICT (n) DO UPDATE SET n = 1;
INSERT INTO t VALUES ('2021-01-01 00:00+00', 'a', 1) ON CONFLICT DO UPDATE SET n = 1;
INSERT INTO t VALUES ('2021-01-01 00:00+00', 'a', 1) ON CONFLICT ON CONSTRAINT nothing DO NOTHING;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1) ON CONFLICT (ts, k) DO UPDATE SET n = n + 1;
INSERT INTO t VALUES ('2021-01-01 00:00+00', 'a', 1) ON CONFLICT (ts, k) DO UPDATE SET nothing = 1;
SELECT count(*) FROM t WHERE ts >= '2021-01-01';
-- within a transaction, and prepared
BEGIN;
INSERT INTO t VALUES ('2022-01-01 00:00+00', 'p', 1) ON CONFLICT DO NOTHING;
INSERT INTO t VALUES ('2022-01-01 00:00+00', 'p', 5) ON CONFLICT (ts, k) DO UPDATE SET n = t.n + excluded.n;
INSERT INTO t VALUES ('2022-01-01 00:00+00', 'p', 5);
ROLLBACK;
PREPARE upsert AS INSERT INTO t VALUES ('2022-01-01 00:00+00', $1, $2) ON CONFLICT (ts, k) DO UPDATE SET n = t.n + excluded.n * $3 RETURNING k, n;
EXECUTE upsert ('q', 1, 10);
EXECUTE upsert ('q', 2, 10);
EXECUTE upsert ('r', 3, 10);
CREATE TABLE plain (id integer PRIMARY KEY, price numeric(8,2), at timestamp, tags jsonb, d double precision) USING rows;
INSERT INTO plain VALUES (1, 1.5, '2020-01-01', '{"a": [1, 2]}', 0.1), (2, NULL, NULL, NULL, NULL);
INSERT INTO plain VALUES (1, 2.25, NULL, '{"b": null}', 1e300), (2, 9, '2020-05-05 05:05:05.5', '[]', -0.5), (3, 3, NULL, NULL, 3)
   ON CONFLICT (id) DO UPDATE SET price = excluded.price, at = excluded.at, tags = excluded.tags, d = excluded.d;
SELECT * FROM plain ORDER BY id;
CREATE TABLE keyless (a integer);
INSERT INTO keyless VALUES (1), (1) ON CONFLICT DO NOTHING;
INSERT INTO keyless VALUES (1) ON CONFLICT (a) DO NOTHING;
SELECT * FROM keyless;
-- keys that are equal though they look different
CREATE TABLE scaled (a numeric PRIMARY KEY, n integer);
INSERT INTO scaled VALUES (1.0, 1);
INSERT INTO scaled VALUES (1.00, 2) ON CONFLICT DO NOTHING;
INSERT INTO scaled VALUES (1.000, 3), (2, 1) ON CONFLICT (a) DO UPDATE SET n = excluded.n;
INSERT INTO scaled VALUES (4.0, 3), (4, 1) ON CONFLICT (a) DO UPDATE SET n = excluded.n;
SELECT * FROM scaled ORDER BY a;
CREATE TABLE zeros (a double precision PRIMARY KEY, n integer);
INSERT INTO zeros VALUES (0, 1);
INSERT INTO zeros VALUES ('-0', 2) ON CONFLICT (a) DO UPDATE SET n = excluded.n;
SELECT n FROM zeros;
CREATE TABLE lengths (a interval PRIMARY KEY, n integer);
INSERT INTO lengths VALUES ('1 mon', 1), ('-1 day', 2);
INSERT INTO lengths VALUES ('29 days 24:00', 3), ('-24:00', 4), ('24:00', 5) ON CONFLICT (a) DO UPDATE SET n = excluded.n;
SELECT * FROM lengths ORDER BY a;
-- keys whose order isn't MongoDB's
CREATE TABLE ordered (a double precision PRIMARY KEY);
INSERT INTO ordered VALUES ('NaN'), (1);
INSERT INTO ordered VALUES ('NaN'), (1);
INSERT INTO ordered VALUES (2), ('NaN'), (1) ON CONFLICT DO NOTHING;
SELECT * FROM ordered ORDER BY a;
CREATE TABLE bytes (a bytea PRIMARY KEY);
INSERT INTO bytes VALUES ('\xff'), ('\x0000');
INSERT INTO bytes VALUES ('\xff'), ('\x0000') ON CONFLICT DO NOTHING;
INSERT INTO lengths VALUES ('100 days', 1), ('3 mons', 1);
INSERT INTO lengths VALUES ('100 days', 2), ('3 mons', 2) ON CONFLICT DO NOTHING;
UPDATE lengths SET a = interval '100 days' * n WHERE a > '3 mons' OR n = 5;
SELECT * FROM lengths ORDER BY a;
-- what fails in the middle leaves nothing, and says why as SELECT does
UPDATE scaled SET n = 1 / (n - 1);
DELETE FROM scaled WHERE 1 / (n - 1) > 5;
INSERT INTO scaled VALUES (7, 7), (2, 0) ON CONFLICT (a) DO UPDATE SET n = 1 / excluded.n;
SELECT * FROM scaled ORDER BY a;
-- a row that couldn't be inserted fails before it conflicts
CREATE TABLE needs (id integer PRIMARY KEY, name text NOT NULL DEFAULT 'new', at date);
INSERT INTO needs VALUES (1, 'a', '2020-01-01');
INSERT INTO needs VALUES (1, NULL, '2020-01-02') ON CONFLICT (id) DO UPDATE SET name = 'b';
INSERT INTO needs (id, name) VALUES (NULL, 'a long name, of which only sixty-four bytes are shown, as an öäü too') ON CONFLICT DO NOTHING;
UPDATE needs SET name = NULL;
SELECT * FROM needs;
SELECT column_name, column_default FROM information_schema.columns WHERE table_name = 'needs' ORDER BY ordinal_position;
-- sub-selects of a change see what was there before the statement
CREATE TABLE pairs (a integer, b text, v integer, PRIMARY KEY (a, b));
INSERT INTO pairs VALUES (10, 'a', 1), (11, 'a', 2);
INSERT INTO pairs VALUES (10, 'a', 5), (1, 'c', 1000), (11, 'a', 7) ON CONFLICT (a, b) DO UPDATE SET v = (SELECT max(t.v) FROM pairs AS t) + excluded.v;
SELECT * FROM pairs ORDER BY a;
-- what a change makes NULL, and where it moves a row, is known from then on
CREATE TABLE moved (ts timestamptz PRIMARY KEY, n integer);
INSERT INTO moved VALUES ('2020-01-01 00:00+00', 1), ('2020-01-02 00:00+00', 2);
INSERT INTO moved VALUES ('2020-01-01 00:00+00', 5), ('2020-01-03 00:00+00', 6) ON CONFLICT (ts) DO UPDATE SET n = NULL;
INSERT INTO moved VALUES ('2020-01-02 00:00+00', 5), ('2020-01-04 00:00+00', 7) ON CONFLICT (ts) DO UPDATE SET ts = '2021-06-01 00:00+00';
SELECT count(n), count(*), max(ts) FROM moved;
SELECT * FROM moved WHERE n <> 6 ORDER BY ts;
SELECT date_trunc('year', ts) AS year, count(*) FROM moved WHERE ts >= '2021-01-01+00' GROUP BY 1;

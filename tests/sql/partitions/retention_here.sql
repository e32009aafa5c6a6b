-- drop_chunks by a time, what EXPLAIN and \d+ say of it, partitions, transactions, and who sweeps.
CREATE TABLE h (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'month');
INSERT INTO h SELECT t, 'k' || extract(day FROM t)::int % 3, 1 FROM generate_series('2024-01-01'::timestamptz, '2024-05-01', '12 hours') t;
SELECT drop_chunks ('h');
SELECT drop_chunks ('h', older_than => NULL);
SELECT drop_chunks ('h', TIMESTAMPTZ '2024-02-10');
SELECT count(*), min(ts) FROM h;
-- One collection: rows before the others may come again.
INSERT INTO h VALUES ('2024-01-05', 'again', 1);
SELECT count(*), min(ts) FROM h;
CALL drop_chunks ('h', older_than => '2024-02-01'::date);
CALL drop_chunks ('h', older_than => '2024-02-01'::date);
-- Documents that reach over that time stay, out of sight, where layouts have to agree.
ALTER TABLE h ADD LAYOUT n USING nested WITH (cluster_by = 'k');
SELECT drop_chunks ('h', older_than => '2024-03-07 08:00'::timestamp);
\d+ h
SELECT count(*), min(ts) FROM h;
CHECK TABLE h;
EXPLAIN (COSTS off) SELECT count(*) FROM h;
EXPLAIN (COSTS off) SELECT k, sum(v) FROM h WHERE ts < '2024-03-15' GROUP BY k;
EXPLAIN (COSTS off) DELETE FROM h WHERE k = 'k1';
SET layout = 'rows';
EXPLAIN (COSTS off) SELECT count(*) FROM h;
EXPLAIN (FORMAT json) SELECT v FROM h WHERE ts < '2024-02-15';
SELECT count(*), sum(v) FROM h;
SET layout = 'n';
SELECT count(*), sum(v) FROM h;
RESET layout;
BEGIN;
SELECT drop_chunks ('public.h', older_than => '2024-04-01'::timestamptz);
SELECT count(*), min(ts) FROM h;
ROLLBACK;
SELECT count(*), min(ts) FROM h;
BEGIN READ ONLY;
SELECT drop_chunks ('h', older_than => '2024-04-01'::timestamptz);
ROLLBACK;
SELECT drop_chunks ('h', older_than => NULL);
SELECT drop_chunks ('h', older_than => 5);
SELECT drop_chunks ('h', newer_than => now());
SELECT drop_chunks ('h', younger => now());
SELECT drop_chunks ('gone', now());
SELECT drop_chunks ();
SELECT 1, drop_chunks ('h');
CALL abs (1);
DROP TABLE h;
CREATE TABLE maybe (ts timestamptz TIME, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows;
ALTER TABLE maybe ADD LAYOUT n USING nested WITH (cluster_by = 'k');
INSERT INTO maybe VALUES ('2024-01-01', 'a', 1), ('2024-06-01', 'a', 2);
SELECT drop_chunks ('maybe', TIMESTAMPTZ '2024-02-10');
SELECT * FROM maybe;
DROP TABLE maybe;
CREATE TABLE timeless (k text);
SELECT drop_chunks ('timeless', now());
DROP TABLE timeless;
-- A session that writes sweeps by itself, at most every sweep_interval.
CREATE TABLE s (ts timestamptz TIME, age bigint) USING rows WITH (expire_after = '35 days');
\d+ s
INSERT INTO s SELECT now() - a * interval '10 days', a FROM generate_series(0, 9) a;
SHOW sweep_interval;
SELECT drop_chunks ('s');
INSERT INTO s SELECT now() - a * interval '10 days', a FROM generate_series(4, 9) a;
SET sweep_interval = '1ms';
SELECT pg_sleep(0.01) IS NULL;
INSERT INTO s VALUES (now(), 100);
SELECT drop_chunks ('s');
SELECT age FROM s ORDER BY age;
RESET sweep_interval;
INSERT INTO s SELECT now() - a * interval '10 days', a FROM generate_series(4, 9) a;
VACUUM;
ALTER TABLE s SET (expire_after = '7 days');
VACUUM s;
SELECT age FROM s ORDER BY age;
\h CALL
CREATE TABLE series (ts timestamptz TIME NOT NULL, k text DIMENSION, v bigint MEASURE) USING timeseries WITH (expire_after = '2 days');
INSERT INTO series SELECT now() - i * interval '9 hours', 'a', i FROM generate_series(0, 9) i;
SELECT count(*), max(v) FROM series;
SELECT drop_chunks ('series');
DROP TABLE series;
CREATE TABLE series (ts timestamptz TIME NOT NULL, v bigint MEASURE) USING timeseries WITH (expire_after = '2 days', expire_after_seconds = 5);
CREATE TABLE made USING per_day WITH (expire_after = '2 mons') AS SELECT ts, age FROM s;
DROP TABLE s;
\set VERBOSITY terse
-- A PRIMARY KEY is looked for where rows are kept (beside sums of older ones, of which there can't be new rows).
CREATE LAYOUT sums AS '{ "keeps": "sums", "key": ["k"], "stores": [ { "collection": "key_sums", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "k", "at": "k"} ], "agg": { "n": "n", "measures": { "v": "v" } } } } ] }';
CREATE TABLE key (ts timestamptz TIME, k text DIMENSION, v bigint MEASURE NOT NULL, PRIMARY KEY (k, ts)) USING rows;
ALTER TABLE key ADD LAYOUT day USING sums;
ALTER TABLE key LAYOUT rows SET (expire_after = '40 days');
INSERT INTO key SELECT date_trunc('day', now(), 'UTC') - d * interval '1 day', 'h', d FROM generate_series (0, 99) d;
INSERT INTO key SELECT date_trunc('day', now(), 'UTC') - d * interval '1 day', 'h', d FROM generate_series (0, 30) d;
SELECT count(*), sum(v) FROM key;
INSERT INTO key VALUES (date_trunc('day', now(), 'UTC'), 'h', 1), (date_trunc('day', now(), 'UTC'), 'g', 1) ON CONFLICT DO NOTHING;
INSERT INTO key VALUES (date_trunc('day', now(), 'UTC'), 'h', 1000) ON CONFLICT (k, ts) DO UPDATE SET v = excluded.v;
INSERT INTO key VALUES (now() - interval '60 days', 'h', 1) ON CONFLICT DO NOTHING;
SELECT k, count(*), sum(v) FROM key WHERE ts >= date_trunc('day', now(), 'UTC') GROUP BY k ORDER BY k;
CHECK TABLE key;
DROP TABLE key;
DROP LAYOUT sums;

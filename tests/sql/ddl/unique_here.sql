-- Keys of packed tables: every layout is checked as one table.
CREATE TABLE p (ts timestamptz TIME NOT NULL, room text DIMENSION NOT NULL, serial text, n bigint MEASURE, UNIQUE (serial), UNIQUE (ts, room)) USING nested WITH (levels = 'ts, room');
CREATE UNIQUE INDEX p_first ON p (room) WHERE n = 1;
\d p
INSERT INTO p VALUES ('2024-01-01 00:00+00', 'a', 's1', 1), ('2024-01-01 00:00+00', 'b', 's2', 1), ('2024-01-02 00:00+00', 'a', NULL, 2), ('2024-01-02 00:00+00', 'b', NULL, 3);
INSERT INTO p VALUES ('2024-01-03 00:00+00', 'a', 's1', 5);
INSERT INTO p VALUES ('2024-01-03 00:00+00', 'a', 's5', 1);
INSERT INTO p VALUES ('2024-01-01 00:00+00', 'a', 's3', 4);
UPDATE p SET serial = 's2' WHERE serial = 's1';
UPDATE p SET n = 1 WHERE n = 2;
-- rows may change places
UPDATE p SET serial = CASE serial WHEN 's1' THEN 's2' ELSE 's1' END WHERE serial IS NOT NULL;
INSERT INTO p VALUES ('2024-01-03 00:00+00', 'c', 's1', 10), ('2024-01-04 00:00+00', 'c', 's4', 20) ON CONFLICT (serial) DO UPDATE SET n = p.n + excluded.n;
INSERT INTO p VALUES ('2024-01-05 00:00+00', 'a', 's6', 1), ('2024-01-05 00:00+00', 'd', 's7', 1) ON CONFLICT (room) WHERE n = 1 DO UPDATE SET n = 100, serial = 'was ' || p.serial;
INSERT INTO p VALUES ('2024-01-06 00:00+00', 'a', 's7', 2), ('2024-01-06 00:00+00', 'd', 's8', 1), ('2024-01-06 00:00+00', 'e', 's9', 1) ON CONFLICT DO NOTHING;
SELECT * FROM p ORDER BY ts, room;
\copy p from stdin (format csv)
2024-02-01 00:00+00,x,t1,7
2024-02-01 00:00+00,y,s9,7
\.
SELECT count(*) FROM p;
-- layouts that come and go
ALTER TABLE p ADD LAYOUT rows USING rows;
ALTER TABLE p DROP LAYOUT nested;
INSERT INTO p VALUES ('2024-01-03 00:00+00', 'z', 's9', 5);
ALTER TABLE p ADD LAYOUT months USING rows WITH (partition_by = 'month');
VACUUM p;
INSERT INTO p VALUES ('2025-01-03 00:00+00', 'z', 's9', 5);
INSERT INTO p VALUES ('2025-01-03 00:00+00', 'z', 'u1', 5), ('2025-02-03 00:00+00', 'z', 'u1', 5);
TRUNCATE p;
INSERT INTO p VALUES ('2025-01-03 00:00+00', 'z', 's9', 5);
INSERT INTO p VALUES ('2025-02-03 00:00+00', 'z', 's9', 5);
-- names stay when the table or a column has another one
ALTER TABLE p RENAME TO q;
ALTER TABLE q RENAME COLUMN serial TO number;
ALTER TABLE q RENAME COLUMN n TO m;
ALTER TABLE q ALTER COLUMN n TYPE integer;
ALTER TABLE q DROP COLUMN n;
\d q
ALTER TABLE q DROP COLUMN number;
ALTER TABLE q ADD UNIQUE (ts, room);
ALTER TABLE q DROP CONSTRAINT p_ts_room_key, DROP CONSTRAINT q_ts_room_key;
\d q
-- temporary tables, materialized views, tables of a query
CREATE TEMP TABLE own (a int UNIQUE, b int);
INSERT INTO own VALUES (1, 1), (1, 2) ON CONFLICT DO NOTHING;
INSERT INTO own VALUES (1, 2);
CREATE UNIQUE INDEX ON own (b);
\d own
CREATE MATERIALIZED VIEW seen AS SELECT b AS x FROM (VALUES (1), (2)) v (b);
CREATE UNIQUE INDEX ON seen (x);
-- names are written as they are given, and compared without regard to case unless quoted
CREATE TABLE Named (A int CONSTRAINT Mine UNIQUE, "B" int UNIQUE);
INSERT INTO named VALUES (1, 1), (1, 2) ON CONFLICT ON CONSTRAINT MINE DO NOTHING;
INSERT INTO named VALUES (1, 2);
INSERT INTO named VALUES (1, 1) ON CONFLICT ON CONSTRAINT "mine" DO NOTHING;
ALTER TABLE named DROP CONSTRAINT mine;
CREATE TEMP TABLE Named (a int PRIMARY KEY, "B" int CONSTRAINT Mine UNIQUE);
INSERT INTO named VALUES (1) ON CONFLICT ON CONSTRAINT named_pkey DO NOTHING;
CREATE UNIQUE INDEX named_again ON named ("B");
DROP INDEX Named_Again;
-- what isn't there
CREATE TABLE c (ts timestamptz TIME, k text DIMENSION NOT NULL, n bigint MEASURE COUNTER, UNIQUE (k)) USING daily_metrics;
CREATE TABLE e (ts timestamptz TIME NOT NULL, k int UNIQUE) WITH (expire_after = '1 day');
CREATE TABLE e (ts timestamptz TIME NOT NULL, k int, UNIQUE (k, ts)) WITH (expire_after = '1 day');
ALTER TABLE e ADD UNIQUE (k);
CREATE TABLE f (a int UNIQUE DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE f (a int, UNIQUE (a) INITIALLY DEFERRED);
CREATE TABLE f (a json UNIQUE);
CREATE TABLE f (a int UNIQUE REFERENCES q (a));
CREATE TABLE f (a int, b int, UNIQUE (a) NOT DEFERRABLE);
CREATE UNIQUE INDEX ON f (lower(a::text));
CREATE UNIQUE INDEX ON f ((a + b));
CREATE UNIQUE INDEX ON f USING hash (b);
CREATE UNIQUE INDEX ON f (a) INCLUDE (b);
CREATE UNIQUE INDEX ON f (a) WHERE a > (SELECT 1);
CREATE UNIQUE INDEX ON f (a) WHERE now() > '2024-01-01';
CREATE UNIQUE INDEX ON f (a) WHERE (ARRAY[a])[1] > 1;
CREATE UNIQUE INDEX ON f (a, a);
ALTER TABLE f ADD COLUMN c int PRIMARY KEY;
ALTER TABLE f ADD CONSTRAINT u UNIQUE USING INDEX f_b_idx;
ALTER TABLE f RENAME CONSTRAINT f_a_key TO x;
\d f

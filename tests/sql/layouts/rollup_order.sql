-- also: mongo
-- Roll-ups that keep states of points in the order of time. Each answer is that of the records.
SET timezone = 'UTC';
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE, mode text, level bigint);
ALTER TABLE m ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', by = 'host', keep = 'counter_agg(ts, v), time_weight(''linear'', ts, v), state_agg(ts, mode), compact_state_agg(ts, level)');
INSERT INTO m SELECT timestamptz '2024-05-01' + i * interval '7 min', 'h' || i % 2, i * 37 % 101, 'm' || i / 5 % 3, i / 3 % 2 FROM generate_series(0, 99) i;
SET layout = 'hourly';
SELECT host, date_trunc('hour', ts) >= '2024-05-01 06:00' AS late, delta(counter_agg(ts, v)), num_resets(counter_agg(ts, v)), round(average(time_weight('linear', ts, v))::numeric, 6) AS average, duration_in(state_agg(ts, mode), 'm1') AS m1, duration_in(compact_state_agg(ts, level), 1) AS level FROM m GROUP BY 1, 2 ORDER BY 1, 2;
-- Rows after, between, inside and before the states of their hours, and some at the same time.
INSERT INTO m VALUES ('2024-05-01 12:00', 'h0', 3, 'm2', 1), ('2024-05-01 12:10', 'h0', 5, 'm2', 0);
INSERT INTO m VALUES ('2024-05-01 12:30', 'h0', 7, 'm1', 0), ('2024-05-01 12:05', 'h0', 9, 'm1', 1);
INSERT INTO m VALUES ('2024-05-01 12:01', 'h0', 1, 'm2', 1), ('2024-05-01 12:59', 'h0', 2, 'm1', 0), ('2024-05-01 03:13', 'h1', 4, 'm0', 0), ('2024-05-01 13:00', 'h1', 4, 'm0', 0);
INSERT INTO m VALUES ('2024-05-01 12:30', 'h0', 2, 'm1', 0), ('2024-05-01 12:00', 'h0', 6, 'm2', 1), ('2024-05-01 12:59', 'h0', NULL, NULL, NULL);
INSERT INTO m VALUES ('2024-05-01 12:30', 'h0', 2, 'm2', 0);
SELECT host, date_trunc('hour', ts) >= '2024-05-01 06:00' AS late, delta(counter_agg(ts, v)), num_resets(counter_agg(ts, v)), round(average(time_weight('linear', ts, v))::numeric, 6) AS average, duration_in(state_agg(ts, mode), 'm1') AS m1, duration_in(compact_state_agg(ts, level), 1) AS level FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'rows';
SELECT host, date_trunc('hour', ts) >= '2024-05-01 06:00' AS late, delta(counter_agg(ts, v)), num_resets(counter_agg(ts, v)), round(average(time_weight('linear', ts, v))::numeric, 6) AS average, duration_in(state_agg(ts, mode), 'm1') AS m1, duration_in(compact_state_agg(ts, level), 1) AS level FROM m GROUP BY 1, 2 ORDER BY 1, 2;
RESET layout;
-- Changes, also of times.
UPDATE m SET v = v + 1 WHERE host = 'h1' AND v > 50;
UPDATE m SET ts = ts + interval '13 hours 3 min' WHERE host = 'h0' AND ts < '2024-05-01 02:00';
DELETE FROM m WHERE v = 4;
CHECK TABLE m;
SET layout = 'hourly';
SELECT host, delta(counter_agg(ts, v)), num_changes(counter_agg(ts, v)) FROM m GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT host, delta(counter_agg(ts, v)), num_changes(counter_agg(ts, v)) FROM m GROUP BY 1 ORDER BY 1;
RESET layout;
-- States of several series can be of the same time, so the records answer.
SET layout = 'hourly';
SELECT num_elements(counter_agg(ts, v)) FROM m;
SELECT num_elements(counter_agg(ts, v)) FROM m WHERE host = 'h0' AND ts >= '2024-05-01 03:30';
RESET layout;
SELECT num_elements(counter_agg(ts, v)) FROM m;
DROP TABLE m;
-- Levels above, and copies at two grains.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, v bigint MEASURE, other timestamptz);
CREATE LAYOUT two AS '{keeps: "rollup", key: ["host"], stores: [{collection: "c", write: "push", root: {is: "document", bind: [{trunc: "day", at: "day", encoding: "date"}, {column: "host"}], agg: {n: "n", states: [{keep: "gauge_agg(ts, v)", at: "g"}]},
   alt: [{is: "list", at: "q", bind: [{part: "6 hours", of: "day", at: "q"}], agg: {n: "n", states: [{keep: "gauge_agg(ts, v)", at: "g"}]}},
         {is: "map", at: "h", bind: [{part: "hour", of: "day", encoding: "text"}], agg: {n: "n", states: [{keep: "gauge_agg(ts, v)", at: "g"}]}}]}}]}';
INSERT INTO t SELECT timestamptz '2024-05-01' + i * interval '17 min', 'a', i * 37 % 101 FROM generate_series(0, 99) i;
ALTER TABLE t ADD LAYOUT two USING two;
INSERT INTO t SELECT timestamptz '2024-05-01 00:05' + i * interval '5 hours', h, i FROM generate_series(0, 9) i, unnest(ARRAY['a', 'b']) h;
INSERT INTO t SELECT timestamptz '2024-05-01 00:03' + i * interval '2 hours', h, i FROM generate_series(0, 9) i, unnest(ARRAY['a', 'b', NULL]) h;
CHECK TABLE t;
SET layout = 'two';
SELECT host, delta(gauge_agg(ts, v)), num_changes(gauge_agg(ts, v)), idelta_left(gauge_agg(ts, v)) FROM t GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT host, delta(gauge_agg(ts, v)), num_changes(gauge_agg(ts, v)), idelta_left(gauge_agg(ts, v)) FROM t GROUP BY 1 ORDER BY 1;
RESET layout;
-- The state must be of the table's time.
ALTER TABLE t ADD LAYOUT r USING rollup WITH (keep = 'counter_agg(other, v)');
DROP TABLE t;
DROP LAYOUT two;
-- Two ways that bind different columns: a late row makes the cells of both again.
CREATE TABLE t (ts timestamptz TIME NOT NULL, host text DIMENSION, app text DIMENSION, v bigint MEASURE);
CREATE LAYOUT three AS '{keeps: "rollup", key: ["host", "app"], stores: [{collection: "c", write: "push", root: {is: "document", bind: [{trunc: "day", at: "day", encoding: "date"}],
   alt: [{is: "list", at: "q", bind: [{part: "hour", of: "day", at: "q"}, {column: "host", at: "h"}], agg: {n: "n", states: [{keep: "gauge_agg(ts, v)", at: "g"}]}},
         {is: "list", at: "p", bind: [{part: "hour", of: "day", at: "q"}, {column: "app", at: "a"}], agg: {n: "n", states: [{keep: "gauge_agg(ts, v)", at: "g"}]}}]}}]}';
ALTER TABLE t ADD LAYOUT three USING three;
INSERT INTO t SELECT timestamptz '2024-05-01' + i * interval '1 min', CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, CASE WHEN i % 3 = 0 THEN 'x' ELSE 'y' END, i FROM generate_series(0, 59) i;
INSERT INTO t VALUES ('2024-05-01 00:30:30', 'a', 'x', 5);
SET layout = 'three';
SELECT host, num_elements(gauge_agg(ts, v)) FROM t GROUP BY 1 ORDER BY 1;
SELECT app, num_elements(gauge_agg(ts, v)) FROM t GROUP BY 1 ORDER BY 1;
SET layout = 'rows';
SELECT host, num_elements(gauge_agg(ts, v)) FROM t GROUP BY 1 ORDER BY 1;
SELECT app, num_elements(gauge_agg(ts, v)) FROM t GROUP BY 1 ORDER BY 1;
RESET layout;
CHECK TABLE t;
DROP TABLE t;
DROP LAYOUT three;
-- Where records have expired, a late row can't be added. A row after the state can.
CREATE TABLE x (ts timestamptz TIME NOT NULL, v bigint MEASURE);
ALTER TABLE x ADD LAYOUT r USING rollup WITH (bucket = '1 day', keep = 'counter_agg(ts, v)');
INSERT INTO x VALUES ('2024-05-01 10:00', 1), ('2024-05-01 12:00', 3), (now(), 5);
ALTER TABLE x LAYOUT rows SET (expire_after = '30 days');
INSERT INTO x VALUES ('2024-05-01 14:00', 7);
INSERT INTO x VALUES ('2024-05-01 11:00', 2);
INSERT INTO x VALUES (now() - interval '1 ms', 4);
SELECT delta(counter_agg(ts, v)), num_elements(counter_agg(ts, v)) FROM x WHERE ts < '2024-05-02';
DROP TABLE x;
-- A range that begins and ends within hours: the hours between come from the roll-up, each end from the records.
CREATE TABLE e (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE, mode text DIMENSION, level bigint DIMENSION, other timestamptz DIMENSION);
ALTER TABLE e ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', by = 'host', keep = 'counter_agg(ts, v), gauge_agg(ts, v), time_weight(''LOCF'', ts, v), state_agg(ts, mode), compact_state_agg(ts, level), candlestick_agg(ts, v, v)');
INSERT INTO e SELECT timestamptz '2024-05-01' + i * interval '36 s', 'h' || i % 2, i * 37 % 101, 'm' || i / 25 % 3, i / 15 % 2, timestamptz '2024-05-01' - i * interval '1 min' FROM generate_series(0, 7199) i;
CREATE VIEW questions AS SELECT host, delta(counter_agg(ts, v)), num_resets(counter_agg(ts, v)) AS resets, num_changes(gauge_agg(ts, v)) AS changes, round(integral(time_weight('LOCF', ts, v))::numeric, 3) AS integral, duration_in(state_agg(ts, mode), 'm1') AS m1, duration_in(compact_state_agg(ts, level), 1) AS level, close(candlestick_agg(ts, v, v)) FROM e WHERE ts >= '2024-05-01 01:25' AND ts < '2024-05-03 20:10' GROUP BY host;
SELECT * FROM questions ORDER BY host;
SELECT host, date_trunc('day', ts) AS day, first_time(counter_agg(ts, v)) AS first, last_time(counter_agg(ts, v)) AS last, delta(counter_agg(ts, v)) FROM e WHERE ts > '2024-05-01 01:25' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT num_elements(counter_agg(ts, v)) FROM e WHERE host = 'h1' AND (ts < '2024-05-02 01:25' OR ts >= '2024-05-02 09:25' AND ts < '2024-05-03 15:10');
-- One piece more than a plan can have.
SELECT num_elements(counter_agg(ts, v)) FROM e WHERE host = 'h1' AND (ts BETWEEN '2024-05-01 01:25' AND '2024-05-01 03:25' OR ts BETWEEN '2024-05-01 05:25' AND '2024-05-01 07:25' OR ts BETWEEN '2024-05-01 09:25' AND '2024-05-01 11:25');
-- Points at other times than the TIME column aren't apart.
SELECT num_elements(counter_agg(other, v)), first_time(counter_agg(other, v)) FROM e WHERE host = 'h1' AND ts >= '2024-05-01 01:25' AND ts < '2024-05-03 20:10';
SET cut = 'records';
SELECT * FROM questions ORDER BY host;
SELECT host, date_trunc('day', ts) AS day, first_time(counter_agg(ts, v)) AS first, last_time(counter_agg(ts, v)) AS last, delta(counter_agg(ts, v)) FROM e WHERE ts > '2024-05-01 01:25' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT num_elements(counter_agg(ts, v)) FROM e WHERE host = 'h1' AND (ts < '2024-05-02 01:25' OR ts >= '2024-05-02 09:25' AND ts < '2024-05-03 15:10');
RESET cut;
DROP VIEW questions;
-- The same where the records are partitioned, and where old records have expired.
CREATE TABLE o (ts timestamptz TIME NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'day');
ALTER TABLE o ADD LAYOUT r USING rollup WITH (bucket = '1 day', keep = 'counter_agg(ts, v)', partition_by = 'month');
INSERT INTO o SELECT date_trunc('day', now()) - i * interval '8 hours 7 min', 10000 - i FROM generate_series(1, 200) i;
SELECT num_elements(counter_agg(ts, v)), delta(counter_agg(ts, v)) FROM o WHERE ts >= date_trunc('day', now()) - interval '29 days 7 hours' AND ts < date_trunc('day', now()) - interval '10 hours';
ALTER TABLE o LAYOUT rows SET (expire_after = '40 days');
SELECT num_elements(counter_agg(ts, v)), delta(counter_agg(ts, v)) FROM o WHERE ts >= date_trunc('day', now()) - interval '60 days' AND ts < date_trunc('day', now()) - interval '10 hours';
DROP TABLE o, e;

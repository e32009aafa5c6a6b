-- also: postgres
-- Dates behind the last timestamp: they can't be cast, and are later than all times when they are compared.
SELECT date '294276-12-31'::timestamp, date '294276-12-31'::timestamptz;
SELECT date '294277-01-01'::timestamp;
SELECT date '2202020-10-05'::timestamp;
SELECT date '2202020-10-05'::timestamptz;
SELECT '2202020-10-05'::date::timestamp;
SELECT date '2202020-10-05' + time '1:00';
SELECT date 'infinity'::timestamp, date '-infinity'::timestamptz, date 'infinity' + time '1:00';
SELECT date_trunc('day', date '2202020-10-05');
SELECT age(date '2202020-10-05', timestamp '2020-01-01');
SELECT array[date '2202020-10-05']::timestamp[];
SELECT coalesce(date '2202020-10-05', timestamp '2020-01-01');
SELECT date '2202020-10-05' > timestamp '2020-01-01' AS a, timestamptz '294276-12-31+00' < date '2202020-10-05' AS b, date '2202020-10-05' = timestamp '2020-01-01' AS c, date '2202020-10-05' <> timestamptz '2020-01-01+00' AS d, NULL::timestamp > date '2202020-10-05' AS e;
CREATE TABLE t (id int, d date, ts timestamptz, lt timestamp);
INSERT INTO t VALUES (1, '2202020-10-05', '2020-01-01+00', '2020-01-01'), (2, '2020-01-01', NULL, '294276-12-31');
SELECT id FROM t WHERE ts < date '2202020-10-05' ORDER BY id;
SELECT id FROM t WHERE lt <= date '2202020-10-05' ORDER BY id;
SELECT id FROM t WHERE ts >= date '2202020-10-05' OR lt = date '2202020-10-05' ORDER BY id;
SELECT id FROM t WHERE d > ts OR d > timestamptz '2020-01-02+00' ORDER BY id;
SELECT id, d + time '1:00' FROM t ORDER BY id;
SELECT id, d + time '1:00' FROM t WHERE id = 2;
INSERT INTO t VALUES (3, NULL, date '2202020-10-05', NULL);
UPDATE t SET lt = date '2202020-10-05';
SELECT count(*) FROM t;

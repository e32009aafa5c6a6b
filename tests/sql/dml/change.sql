-- also: mongo postgres
CREATE TABLE t (ts timestamptz TIME, k text DIMENSION DEFAULT 'd', n integer MEASURE, x numeric(6,2) MEASURE, note varchar(5)) USING rows;
INSERT INTO t VALUES ('2020-01-01 00:00+00', 'a', 1, 1.5), ('2020-01-01 00:00+00', 'b', 2, 2.25), ('2020-01-02 00:00+00', 'a', NULL, 4), ('2020-01-02 01:00+00', 'c', 7, 0.5),
   (NULL, 'a', 3, NULL), ('2020-01-03 00:00+00', NULL, 9, 1);
UPDATE t SET n = n + 10, note = k || '!' WHERE x > 1 RETURNING ts, k, n, note;
SELECT * FROM t ORDER BY ts, k;
UPDATE t AS z SET k = DEFAULT, x = 1.005 WHERE z.k IS NULL RETURNING z.*;
UPDATE t SET (n, note) = (5, 'five'), x = 7.777 WHERE n IN (SELECT max(n) FROM t);
UPDATE t SET ts = ts + interval '1 day' WHERE ts < '2020-01-02 00:00+00';
SELECT * FROM t ORDER BY ts, k, n;
SELECT ts, count(*), sum(n), sum(x) FROM t GROUP BY ts ORDER BY ts;
DELETE FROM t WHERE k = 'a' AND n IS NULL RETURNING *;
DELETE FROM t WHERE false;
DELETE FROM t z WHERE z.ts IS NULL OR z.x < 1 RETURNING k, n * 2 AS twice;
SELECT * FROM t ORDER BY ts, k, n;
SELECT count(*), min(ts), max(n) FROM t;
-- errors change nothing
UPDATE t SET absent = 1;
UPDATE t SET n = 1, n = 2;
UPDATE t SET n = 'x';
UPDATE t SET n = true;
UPDATE t SET n = sum(x);
UPDATE t SET n = 1 WHERE sum(x) > 1;
UPDATE t SET note = k || ' too long' WHERE n = 11;
UPDATE t SET (n, x) = (1, 2, 3);
UPDATE t AS z SET n = 1 WHERE t.k = 'a';
UPDATE t SET n = 1 RETURNING sqrt (n - 2);
DELETE FROM t RETURNING sqrt (-n);
UPDATE missing SET a = 1;
DELETE FROM t WHERE nope = 1;
DELETE FROM t WHERE n;
DELETE FROM t RETURNING nope;
SELECT * FROM t ORDER BY ts, k, n;
UPDATE t SET k = k;
DELETE FROM t;
SELECT count(*), sum(n) FROM t;
INSERT INTO t (n) VALUES (1);
SELECT * FROM t;

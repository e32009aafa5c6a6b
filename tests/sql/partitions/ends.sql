-- also: mongo
-- What the first or the last times decide, over partitions by day and month, layouts that overlap, and documents that hold nothing yet.
CREATE TABLE h (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows WITH (partition_by = 'day');
SELECT min(ts), max(ts), first(v, ts), last(v, ts) FROM h;
INSERT INTO h VALUES ('2024-03-01 23:59:59.999', 'a', 1);
SELECT min(ts), max(ts) FROM h;
INSERT INTO h VALUES ('2024-03-02', 'b', 2), ('2024-03-02', 'b', 3), ('2024-03-02 12:00', 'a', 4), ('2024-02-29', 'a', 5), ('2024-02-29 23:59:59.999', 'c', NULL), ('2023-12-31', 'c', 6), ('1969-12-31 23:59:59.999', 'd', 7),
   ('2024-05-05 05:05', 'e', NULL), ('2024-05-05 05:04', 'e', 8), ('2024-05-06', 'f', 9), ('2024-05-06', 'f', 10);
SELECT max(ts) FROM h;
SELECT min(ts) FROM h;
SELECT min(ts), max(ts), max(ts) - min(ts) AS span FROM h;
SELECT max(ts) FROM h WHERE ts < '2024-05-01';
SELECT min(ts), max(ts) FROM h WHERE ts >= '2024-02-29' AND ts < '2024-03-02';
SELECT max(ts), min(ts) FROM h WHERE k = 'a';
SELECT max(ts), min(ts) FROM h WHERE k = 'd';
SELECT max(ts), min(ts) FROM h WHERE k = 'none';
SELECT max(ts) FROM h WHERE v > 100 OR v IS NULL;
SELECT max(ts) FROM h WHERE false;
-- Each as far as it needs.
SELECT max(ts) FILTER (WHERE k = 'd') AS d, max(ts) FILTER (WHERE k = 'f') AS f, min(ts) FILTER (WHERE k = 'c') AS c, max(ts) FILTER (WHERE k = 'none') AS none FROM h;
SELECT first(v, ts), last(v, ts), first(k, ts), last(k, ts) FILTER (WHERE k < 'f') FROM h;
SELECT last(v, ts), max(ts) FROM h WHERE k = 'e';
SELECT first(v, ts) FROM h WHERE ts >= '2024-03-01' AND k = 'b';
SELECT max(DISTINCT ts), min(DISTINCT ts) FROM h;
SELECT max(ts) FROM h HAVING max(ts) > '2024-05-01';
SELECT max(ts) FROM h HAVING max(ts) < '2024-05-01';
SELECT max(ts) AS m FROM h ORDER BY m LIMIT 1;
SELECT 'x' AS x FROM h HAVING min(ts) IS NOT NULL;
SELECT max(ts) FROM h LIMIT 0;
-- Beside what needs all rows.
SELECT max(ts), count(*) FROM h;
SELECT max(ts), max(v) FROM h;
SELECT max(ts), max(ts::date), max(ts + interval '1 day') FROM h;
SELECT k, max(ts) FROM h GROUP BY k ORDER BY k;
SELECT max(ts) FROM h GROUP BY ();
SELECT max(ts), count(*) FROM h GROUP BY GROUPING SETS ((), (k)) ORDER BY 1, 2 LIMIT 3;
-- Within other queries.
SELECT k, v FROM h WHERE ts = (SELECT max(ts) FROM h) ORDER BY v;
SELECT count(*) FROM h WHERE ts >= (SELECT max(ts) FROM h WHERE ts < '2024-05-01') - interval '1 day';
SELECT m.t, h.k FROM (SELECT min(ts) AS t FROM h) m JOIN h ON h.ts = m.t;
SELECT max(ts) FROM h UNION ALL SELECT min(ts) FROM h UNION ALL SELECT max(ts) FROM h WHERE k = 'a';
WITH last AS (SELECT max(ts) AS t, min(ts) AS f FROM h WHERE k <> 'f') SELECT t, f FROM last;
SELECT x, (SELECT max(ts) FROM h WHERE k = x), (SELECT min(ts) FROM h WHERE k = x) FROM (VALUES ('a'), ('e'), ('none')) s (x) ORDER BY x;
SELECT x, l.m FROM (VALUES ('a'), ('c'), ('none')) s (x), LATERAL (SELECT max(ts) AS m FROM h WHERE k = x) l ORDER BY x;
SELECT row_number() OVER (), m FROM (SELECT max(ts) AS m FROM h) s;
-- Rows from the ends.
SELECT ts, k FROM h ORDER BY ts DESC LIMIT 1 OFFSET 2;
SELECT ts, v FROM h WHERE k = 'a' ORDER BY ts DESC, v LIMIT 2;
SELECT ts, v FROM h WHERE k = 'd' ORDER BY ts DESC LIMIT 5;
DROP TABLE h;
-- A time without a zone, and days.
CREATE TABLE d (day date TIME NOT NULL, at text DIMENSION NOT NULL) USING rows WITH (partition_by = 'month');
INSERT INTO d VALUES ('2024-01-31', 'x'), ('2024-02-01', 'y'), ('2024-04-30', 'z');
SELECT min(day), max(day), first(at, day), last(at, day) FROM d;
SELECT max(day), min(day) FROM d WHERE at = 'y';
DROP TABLE d;
CREATE TABLE l (t timestamp TIME NOT NULL, at text DIMENSION NOT NULL) USING rows WITH (partition_by = 'day');
INSERT INTO l VALUES ('2024-01-31 23:59:59.999', 'x'), ('2024-02-01', 'y'), ('2024-02-03 01:00', 'z');
SET timezone = 'America/New_York';
SELECT min(t), max(t), last(at, t) FROM l;
RESET timezone;
DROP TABLE l;

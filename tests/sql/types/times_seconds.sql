-- also: mongo
-- Seconds with fractions, of milliseconds and finer: the earlier millisecond is read and compared.
CREATE LAYOUT seconds AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document",
   "bind": [{"column": "host"}], "range": {"min": "lo", "max": "hi", "exact": true, "encoding": {"kind": "epoch_s", "as": "double"}},
   "sub": {"is": "list", "at": "r", "bind": [{"column": "ts", "at": "t", "encoding": {"kind": "epoch_s", "as": "double"}}],
           "raw": {"columns": {"v": "v", "other": {"at": "o", "encoding": {"kind": "epoch_s", "as": "double"}}}}}}}]}';
CREATE LAYOUT numbers AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document", "bind": [{"column": "host"}, {"column": "lo"}, {"column": "hi"}],
   "sub": {"is": "list", "at": "r", "raw": {"columns": {"t": "t", "v": "v", "o": "o"}}}}}]}';
CREATE TABLE theirs (host text DIMENSION, lo double precision DIMENSION, hi double precision DIMENSION, t double precision, v bigint MEASURE, o double precision) USING numbers;
INSERT INTO theirs VALUES
   ('a', 1704067199.999, 1704067199.9999997, 1704067199.999, 1, NULL),
   ('a', 1704067199.999, 1704067199.9999997, 1704067199.9995, 2, 0.0005),
   ('a', 1704067199.999, 1704067199.9999997, 1704067199.9999997, 3, 1),
   ('b', 1704067200, 1704067200.5, 1704067200, 4, NULL),
   ('b', 1704067200, 1704067200.5, 1704067200.0004, 5, NULL),
   ('b', 1704067200, 1704067200.5, 1704067200.5, 6, NULL),
   ('c', -1.0001, 0.9999, -1.0001, 7, -0.0001),
   ('c', -1.0001, 0.9999, -0.0001, 8, -1),
   ('c', -1.0001, 0.9999, 0, 9, NULL),
   ('c', -1.0001, 0.9999, 0.9999, 10, NULL);
CREATE TABLE m (ts timestamptz TIME NOT NULL, host text DIMENSION, v bigint MEASURE NOT NULL, other timestamptz) USING seconds WITH (collection = 'c');
SELECT v, ts, other FROM m ORDER BY v;
SELECT v FROM m WHERE ts = '2023-12-31 23:59:59.999+00' ORDER BY v;
SELECT v FROM m WHERE ts <> '2023-12-31 23:59:59.999+00' ORDER BY v;
SELECT v FROM m WHERE ts <= '2023-12-31 23:59:59.999+00' AND ts > '1970-01-01 00:00:00.999+00' ORDER BY v;
SELECT v FROM m WHERE ts < '2024-01-01+00' AND ts >= '1970-01-01+00' ORDER BY v;
SELECT v FROM m WHERE ts >= '2023-12-31 23:59:59.9999+00' ORDER BY v;
SELECT v FROM m WHERE ts > '2024-01-01+00' ORDER BY v;
SELECT v FROM m WHERE ts < '1970-01-01+00' ORDER BY v;
SELECT v FROM m WHERE ts IN ('2024-01-01+00', '1969-12-31 23:59:58.999+00') ORDER BY v;
SELECT v FROM m WHERE ts NOT IN ('2024-01-01+00', '1969-12-31 23:59:58.999+00') ORDER BY v;
SELECT v FROM m WHERE v > 7 AND (ts = '1969-12-31 23:59:59.999+00' OR v = 10) ORDER BY v;
SELECT v, ts = '2023-12-31 23:59:59.999+00' AS e, ts > '2023-12-31 23:59:59.999+00' AS g FROM m ORDER BY v;
SELECT v FROM m WHERE other = '1970-01-01+00' OR other <= '1969-12-31 23:59:59+00' ORDER BY v;
SELECT v FROM m WHERE other <> '1970-01-01+00' ORDER BY v;
SELECT v FROM m WHERE NOT other > '1970-01-01+00' ORDER BY v;
SELECT v FROM m WHERE other IS NULL ORDER BY v;
SELECT ts, count(*) FROM m GROUP BY ts ORDER BY ts;
SELECT count(DISTINCT ts), count(DISTINCT other), min(ts), max(ts), min(other) FROM m;
SELECT date_trunc('day', ts) AS day, sum(v) FROM m GROUP BY 1 ORDER BY 1;
SELECT time_bucket('1 s', ts) AS s, host, count(*) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SELECT ts, v FROM m ORDER BY ts, v DESC LIMIT 5;
SELECT a.v, b.v FROM m a JOIN m b ON a.ts = b.ts AND a.v < b.v ORDER BY 1, 2;
CHECK TABLE m;
-- What is written is read back, also far from now.
CREATE TABLE own (ts timestamptz TIME NOT NULL, host text DIMENSION, v bigint MEASURE NOT NULL, other timestamptz) USING seconds WITH (collection = 'own');
INSERT INTO own SELECT t + i * interval '1 millisecond', 'h', i, t - i * interval '1 millisecond'
   FROM generate_series(0, 999) i, (VALUES ('2023-12-31 23:59:59+00'::timestamptz), ('2040-01-01+00'), ('1901-01-01+00'), ('2200-12-31 23:59:59+00')) x (t);
SELECT date_trunc('second', ts) AS s, count(*), count(DISTINCT ts), min(ts), max(ts), sum(extract(milliseconds FROM ts) - v) FROM own GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM own WHERE ts = '2040-01-01 00:00:00.513+00' OR other = '2200-12-31 23:59:58.123+00';
SELECT count(*) FROM own WHERE ts > '1901-01-01 00:00:00.9985+00' AND ts <= '2040-01-01 00:00:00.001+00';
DELETE FROM own WHERE ts >= '2023-12-31 23:59:59.9985+00' AND ts < '2040-01-01 00:00:00.9985+00';
SELECT count(*), min(ts), max(ts) FROM own;
CHECK TABLE own;
-- Buckets of a day: a time just before midnight is in the day that it is stored with.
CREATE LAYOUT days AS '{"keeps": "records", "stores": [{"collection": "d", "root": {"is": "document", "bind": [{"trunc": "day", "at": "day", "encoding": "date"}],
   "sub": {"is": "list", "at": "r", "bind": [{"column": "ts", "at": "t", "encoding": {"kind": "epoch_s", "as": "double"}}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE LAYOUT day_numbers AS '{"keeps": "records", "stores": [{"collection": "d", "root": {"is": "document", "bind": [{"column": "day"}],
   "sub": {"is": "list", "at": "r", "raw": {"columns": {"t": "t", "v": "v"}}}}}]}';
CREATE TABLE day_docs (day timestamptz DIMENSION, t double precision, v bigint MEASURE) USING day_numbers;
INSERT INTO day_docs VALUES ('2023-12-31+00', 1704067199.9999997, 1), ('2023-12-31+00', 1704067199.9995, 2), ('2024-01-01+00', 1704067200.0004, 3), ('1969-12-31+00', -0.0001, 4);
CREATE TABLE d (ts timestamptz TIME NOT NULL, v bigint MEASURE NOT NULL) USING days WITH (collection = 'd');
SELECT v, ts FROM d ORDER BY v;
SELECT v FROM d WHERE ts >= '2024-01-01+00' OR ts < '1970-01-01+00' ORDER BY v;
SELECT date_trunc('day', ts) AS day, sum(v) FROM d GROUP BY 1 ORDER BY 1;
SET on_malformed = 'skip';
SELECT count(*) FROM d WHERE ts < '2024-01-01+00';
CHECK TABLE d;

-- also: mongo
-- Layouts that keep their rows for different times: rows for 30 days, days for half a year, months for five years. No date of today is shown.
\set VERBOSITY terse
SET client_min_messages = 'warning';
CREATE LAYOUT days AS '{ "keeps": "sums", "key": ["host"], "stores": [ { "collection": "days", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "day", "at": "day", "encoding": "date"}, {"column": "host", "at": "host"} ], "agg": { "n": "n", "measures": { "v": "v" } } } } ] }';
CREATE LAYOUT months AS '{ "keeps": "sums", "key": ["host"], "stores": [ { "collection": "months", "write": "inc", "root": { "is": "document",
   "bind": [ {"trunc": "month", "at": "month", "encoding": "date"}, {"column": "host", "at": "host"} ], "agg": { "n": "n", "measures": { "v": "v" } } } } ] }';
CREATE TABLE m (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
ALTER TABLE m ADD LAYOUT day USING days WITH (expire_after = '180 days');
ALTER TABLE m ADD LAYOUT month USING months WITH (expire_after = '5 years');
CREATE TABLE plain (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
INSERT INTO m SELECT now() - d * interval '1 day', 'h' || d % 3, d FROM generate_series (0, 799) d;
INSERT INTO plain SELECT ts, host, v FROM m;
ALTER TABLE m LAYOUT rows SET (expire_after = '30 days');
SELECT count(*), sum(v) FROM m;
-- A chart over all of them is what it would be with all rows; each month from where it is.
SELECT count(*) FROM (SELECT date_trunc('month', ts, 'UTC') AS t, host, count(*) AS n, sum(v) AS s, avg(v) FROM m GROUP BY 1, 2 EXCEPT
                      SELECT date_trunc('month', ts, 'UTC'), host, count(*), sum(v), avg(v) FROM plain GROUP BY 1, 2) differs;
SELECT host, count(*), sum(v) FROM m GROUP BY host ORDER BY host;
-- Its end is today; its finer part is of the last days.
SELECT count(*), sum(v) FROM m WHERE ts < now() - interval '3 days';
SELECT (SELECT sum(v) FROM m WHERE ts < date_trunc('day', now(), 'UTC') - interval '70 days') = (SELECT sum(v) FROM plain WHERE ts < date_trunc('day', now(), 'UTC') - interval '70 days') AS same;
SELECT count(*) FROM m WHERE ts >= now() - interval '20 days';
SELECT count(*) FROM (SELECT ts, host, v FROM m WHERE ts >= now() - interval '25 days' EXCEPT SELECT ts, host, v FROM plain) differs;
SELECT count(*) > 150, min(n), max(n) FROM (SELECT date_trunc('day', ts, 'UTC'), count(*) AS n FROM m WHERE ts >= date_trunc('day', now(), 'UTC') - interval '150 days' GROUP BY 1) d;
-- What only rows or days could say, of times that they are gone from.
SELECT * FROM m;
SELECT date_trunc('day', ts, 'UTC'), count(*) FROM m GROUP BY 1;
SELECT count(DISTINCT v) FROM m;
SELECT count(DISTINCT host) FROM m WHERE ts < now() - interval '3 days';
SELECT count(*) FROM (SELECT DISTINCT host FROM m WHERE ts < now() - interval '3 days') d;
SELECT sum(v) FROM m WHERE v > 10;
SELECT sum(v) FROM m WHERE v > 10 AND ts >= now() - interval '25 days';
-- What a condition can't be true of isn't asked for, whatever it looks like.
SELECT count(*) FROM (SELECT * FROM m WHERE false) r;
SELECT * FROM m LIMIT 0;
SELECT v FROM m WHERE NOT (ts < now() - interval '1 hour') OR (ts > now() - interval '2 days' AND v = 1) ORDER BY v;
SELECT v FROM m WHERE date_trunc('day', ts, 'UTC') >= date_trunc('day', now(), 'UTC') - interval '1 day' ORDER BY v;
SELECT v FROM m WHERE now() - ts < interval '30 hours' AND v >= 0 ORDER BY v;
SELECT v FROM m WHERE ts + interval '1 hour' >= now() AND coalesce (ts >= now() - interval '20 days', false) ORDER BY v;
SELECT count(*) FROM (SELECT * FROM m WHERE ts IS NULL) r;
SELECT count(*) FROM (SELECT * FROM m WHERE ts > 'infinity' OR ts IN (NULL, 'infinity')) r;
SELECT v FROM m WHERE CASE WHEN v < 3 THEN ts >= now() - interval '3 days' ELSE false END ORDER BY v;
SELECT v FROM m WHERE v < 3 AND (ts >= now() - interval '3 days' OR v < 2);
SELECT v FROM m WHERE ts NOT IN (now());
SET layout = 'rows';
SELECT count(*) FROM m;
SELECT count(*) FROM m WHERE ts >= now() - interval '20 days';
RESET layout;
-- Nothing of it depends on whether documents went.
CHECK TABLE m;
VACUUM m;
CHECK TABLE m;
SELECT count(*), sum(v) FROM m;
SELECT host, count(*), sum(v) FROM m GROUP BY host ORDER BY host;
SELECT drop_chunks ('m');
-- Late rows are counted where they are kept, once.
INSERT INTO m VALUES (now() - interval '100 days', 'late', 1), (now() - interval '2 years', 'late', 10), (now() - interval '1 day', 'late', 100);
SELECT count(*), sum(v) FROM m WHERE host = 'late';
SELECT v FROM m WHERE host = 'late' AND ts >= now() - interval '25 days';
CHECK TABLE m;
-- Changes, where records are kept.
UPDATE m SET v = v + 1000 WHERE host = 'late';
UPDATE m SET v = v + 1000 WHERE host = 'late' AND ts >= now() - interval '25 days';
DELETE FROM m WHERE ts < now() - interval '200 days';
DELETE FROM m WHERE false;
DELETE FROM m WHERE NOT (ts < now() + interval '1 day') AND host = 'late';
DELETE FROM m WHERE now() - ts < interval '0' OR (host = 'none' AND ts >= now() - interval '5 days');
UPDATE m SET v = 1 WHERE NULL;
DELETE FROM m WHERE host = 'none';
DELETE FROM m WHERE ts >= now() - interval '12 hours';
DELETE FROM m USING plain p WHERE m.ts = p.ts AND m.host = p.host AND p.ts >= now() - interval '60 hours';
SELECT count(*), sum(v) FROM m;
CHECK TABLE m;
REPAIR TABLE m;
-- What follows from the rows is mended; what was before them stays.
CREATE TABLE raw (day timestamptz TIME FIELD 'day' NOT NULL, host text FIELD 'host' NOT NULL, n integer FIELD 'n', v bigint FIELD 'v') USING rows WITH (collection = 'days', time_encoding = 'date');
UPDATE raw SET v = v + 1 WHERE day >= date_trunc('day', now(), 'UTC') - interval '9 days' AND day < date_trunc('day', now(), 'UTC') - interval '8 days';
DROP TABLE raw;
SET client_min_messages = 'error';
CHECK TABLE m \g /dev/null
REPAIR TABLE m;
SET client_min_messages = 'warning';
CHECK TABLE m;
SELECT count(*), sum(v) FROM m;
SELECT count(*) > 140 AS still FROM (SELECT date_trunc('day', ts, 'UTC') FROM m WHERE ts >= date_trunc('day', now(), 'UTC') - interval '150 days' GROUP BY 1) d;
ALTER TABLE m RENAME COLUMN v TO w;
SELECT * FROM m;
ALTER TABLE m RENAME COLUMN w TO v;
-- A layout more has what is left of what it is made of; the longest are asked first.
ALTER TABLE m ADD LAYOUT packed USING per_day;
ALTER TABLE m ADD LAYOUT monthly USING months WITH (collection = 'monthly');
ALTER TABLE m ADD LAYOUT newest USING latest WITH (key = 'host');
SET layout = 'packed';
SELECT count(*) FROM m;
SELECT count(*) FROM m WHERE ts >= now() - interval '20 days';
SET layout = 'monthly';
SELECT count(*), sum(v) FROM m;
RESET layout;
SELECT DISTINCT ON (host) host, v FROM m WHERE ts >= now() - interval '25 days' ORDER BY host, ts DESC;
SELECT DISTINCT ON (host) host, v FROM m ORDER BY host, ts DESC;
CHECK TABLE m;
-- What is gone from a layout doesn't come back; what it alone has isn't dropped by mistake.
ALTER TABLE m DROP LAYOUT monthly;
ALTER TABLE m DROP LAYOUT month;
ALTER TABLE m LAYOUT rows RESET (expire_after);
SELECT * FROM m;
SELECT count(*), sum(v) FROM m;
CHECK TABLE m;
SELECT drop_chunks ('m', older_than => interval '10 days') \g /dev/null
ALTER TABLE m DROP LAYOUT month;
SELECT count(*) < 60, count(*) > 8 FROM m;
DROP TABLE m;
DROP TABLE plain;
-- All of a table's layouts have their own: what is older than all isn't there.
CREATE TABLE x (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
ALTER TABLE x ADD LAYOUT day USING days WITH (expire_after = '60 days');
ALTER TABLE x LAYOUT rows SET (expire_after = '10 days');
INSERT INTO x SELECT now() - d * interval '1 day', 'h', 1 FROM generate_series (0, 99) d;
SELECT count(*) FROM x;
VACUUM x;
SELECT count(*) FROM x;
ALTER TABLE x SET (expire_after = '5 days');
SELECT count(*) FROM x;
SELECT count(*) FROM (SELECT * FROM x) r;
ALTER TABLE x LAYOUT day RESET (expire_after);
ALTER TABLE x RESET (expire_after);
SELECT count(*) FROM x;
CHECK TABLE x;
-- A layout of months, made of rows that begin amidst one: compared from the next month on.
CREATE TABLE z (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
ALTER TABLE z ADD LAYOUT all_rows USING per_day;
INSERT INTO z SELECT now() - d * interval '1 day', 'h', 1 FROM generate_series (0, 99) d;
ALTER TABLE z LAYOUT rows SET (expire_after = '40 days');
ALTER TABLE z LAYOUT all_rows SET (expire_after = '50 days');
ALTER TABLE z ADD LAYOUT month USING months;
SELECT count(*) FROM z;
CHECK TABLE z;
DROP TABLE z;
-- What a new layout has begins with a whole cell: it tells of all that it has, also when rows are gone.
CREATE TABLE z (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
INSERT INTO z SELECT now() - h * interval '1 hour', 'h', 1 FROM generate_series (0, 99) h;
CREATE TABLE y (ts timestamptz TIME NOT NULL, v bigint MEASURE NOT NULL) USING rows;
INSERT INTO y SELECT ts, v FROM z;
ALTER TABLE z LAYOUT rows SET (expire_after = '50 hours 30 minutes');
ALTER TABLE z ADD LAYOUT day USING days WITH (collection = 'whole_days', expire_after = '1 year');
SELECT count(*), sum(v) FROM z;
ALTER TABLE z LAYOUT rows SET (expire_after = '1 hour');
SELECT (SELECT sum(v) FROM z) = (SELECT sum(v) FROM y WHERE ts >= date_trunc('day', now() - interval '50 hours 30 minutes', 'UTC') + interval '1 day') AS of_whole_days;
VACUUM z;
CHECK TABLE z;
SELECT (SELECT sum(v) FROM z) = (SELECT sum(v) FROM y WHERE ts >= date_trunc('day', now() - interval '50 hours 30 minutes', 'UTC') + interval '1 day') AS of_whole_days;
DROP TABLE y, z;
-- A new layout's coarser unit brings nothing back, whether or not it had gone already.
CREATE TABLE z (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (expire_after = '50 hours 30 minutes');
INSERT INTO z SELECT now() - h * interval '1 hour', 'h', 1 FROM generate_series (0, 99) h;
ALTER TABLE z ADD LAYOUT day USING days WITH (collection = 'early_days');
ALTER TABLE z ADD LAYOUT packed USING per_day WITH (bucket = '1 month');
SELECT count(*), sum(v) FROM z;
SET layout = 'packed';
SELECT count(*), sum(v) FROM z;
RESET layout;
CHECK TABLE z;
DROP TABLE z;
-- Beside no rows it hides none of those that come.
CREATE TABLE y (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (expire_after = '50 hours 30 minutes');
ALTER TABLE y ADD LAYOUT packed USING per_day WITH (bucket = '1 month');
INSERT INTO y SELECT now() - interval '50 hours 30 minutes 1 second', 'h', 1;
SELECT count(*), sum(v) FROM y;
DROP TABLE y;
-- Newest rows aren't what months have of the past.
CREATE TABLE w (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
ALTER TABLE w ADD LAYOUT month USING months;
ALTER TABLE w ADD LAYOUT newest USING latest WITH (key = 'host');
INSERT INTO w SELECT now() - d * interval '1 day', 'h', 1 FROM generate_series (0, 99) d;
ALTER TABLE w LAYOUT rows SET (expire_after = '10 days');
ALTER TABLE w DROP LAYOUT month;
SELECT count(*) FROM w;
-- What was newest before it nobody knows any more.
DELETE FROM w WHERE ts >= now() - interval '1 hour';
ALTER TABLE w DROP LAYOUT newest;
DELETE FROM w WHERE ts >= now() - interval '1 hour';
SELECT count(*) FROM w;
ALTER TABLE w DROP LAYOUT rows;
DROP TABLE w;
-- Keys are told apart where rows are kept; of older times there can't be new ones.
CREATE TABLE p (ts timestamptz TIME, host text DIMENSION, v bigint MEASURE NOT NULL, PRIMARY KEY (host, ts)) USING rows;
ALTER TABLE p ADD LAYOUT month USING months;
INSERT INTO p SELECT date_trunc('day', now(), 'UTC') - d * interval '1 day', 'h', d FROM generate_series (0, 129) d;
ALTER TABLE p LAYOUT rows SET (expire_after = '40 days');
SELECT count(*), sum(v) FROM p;
INSERT INTO p VALUES (now() - interval '200 days', 'h', 1);
UPDATE p SET ts = ts - interval '100 days' WHERE ts >= date_trunc('day', now(), 'UTC') - interval '30 hours';
UPDATE p SET ts = ts - interval '1 hour' WHERE ts >= date_trunc('day', now(), 'UTC') - interval '30 hours';
UPDATE p SET host = 'g', ts = date_trunc('day', now(), 'UTC') WHERE ts >= date_trunc('day', now(), 'UTC') - interval '30 hours';
SELECT count(*), sum(v) FROM p;
CHECK TABLE p;
ALTER TABLE p DROP LAYOUT rows;
ALTER TABLE p SET (expire_after = '100 days');
INSERT INTO p VALUES (now() - interval '400 days', 'h', 1);
INSERT INTO p VALUES (now() - interval '90 days', 'h', 1);
DROP TABLE p;
-- What can't be.
ALTER TABLE x LAYOUT none SET (expire_after = '10 days');
ALTER TABLE x LAYOUT rows SET (fillfactor = 70);
ALTER TABLE x LAYOUT rows SET (expire_after = 'soon');
ALTER TABLE x LAYOUT rows RESET (expire_after = '1 day');
ALTER TABLE x ALTER COLUMN ts DROP NOT NULL;
DROP TABLE x;
CREATE TABLE x (ts timestamptz TIME, k text, PRIMARY KEY (k, ts)) USING rows;
ALTER TABLE x LAYOUT rows SET (expire_after = '10 days');
ALTER TABLE x ADD LAYOUT day USING per_day WITH (expire_after = '10 days');
CREATE TEMPORARY TABLE y (ts timestamptz TIME NOT NULL, k text) USING rows;
ALTER TABLE y LAYOUT rows SET (expire_after = '10 days');
DROP TABLE x;
CREATE MATERIALIZED VIEW mv AS SELECT now() AS ts;
ALTER TABLE mv LAYOUT rows SET (expire_after = '10 days');
ALTER TABLE mv SET (expire_after = '10 days');
ALTER TABLE mv ALTER COLUMN ts SET NOT NULL;
DROP MATERIALIZED VIEW mv;
DROP LAYOUT days, months;

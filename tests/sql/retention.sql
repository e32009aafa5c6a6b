-- also: mongo
-- Rows that are older than expire_after are in no answer, of no layout, whether or not their documents are still there. No date of today is shown.
SET client_min_messages = 'warning';
CREATE TABLE hits (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, age bigint MEASURE NOT NULL) USING rows WITH (expire_after = '92 days');
ALTER TABLE hits ADD LAYOUT day USING per_day;
ALTER TABLE hits ADD LAYOUT host USING nested WITH (cluster_by = 'host');
ALTER TABLE hits ADD LAYOUT newest USING latest WITH (key = 'host');
INSERT INTO hits SELECT now() - age * interval '1 day', CASE WHEN age > 150 THEN 'old' ELSE 'h' || age % 3 END, age FROM generate_series (0, 199, 5) age;
SELECT count(*), max(age), min(ts) >= date_trunc('day', now() - interval '92 days', 'UTC') FROM hits;
SET layout = 'rows';
SELECT host, count(*), sum(age) FROM hits GROUP BY host ORDER BY host;
SET layout = 'day';
SELECT host, count(*), sum(age) FROM hits GROUP BY host ORDER BY host;
SET layout = 'host';
SELECT host, count(*), sum(age) FROM hits GROUP BY host ORDER BY host;
SET layout = 'newest';
SELECT DISTINCT ON (host) host, age FROM hits ORDER BY host, ts DESC;
RESET layout;
CHECK TABLE hits;
-- In every position.
SELECT (SELECT count(*) FROM hits), EXISTS (SELECT FROM hits WHERE age > 100), (SELECT count(*) FROM hits a JOIN hits b USING (ts, host)) AS pairs;
CREATE VIEW seen AS SELECT age FROM hits WHERE age >= 80;
SELECT * FROM seen ORDER BY age;
PREPARE older (int) AS SELECT count(*) FROM hits WHERE age >= $1;
EXECUTE older (80);
-- What changes rows sees no others.
UPDATE hits SET age = age + 1000 WHERE age >= 85;
SELECT age FROM hits WHERE age > 80 ORDER BY age;
DELETE FROM hits WHERE age > 1000 OR age = 80;
SELECT count(*), max(age) FROM hits;
CHECK TABLE hits;
-- A row that has expired is taken, and never seen.
INSERT INTO hits VALUES (now() - interval '1 year', 'late', 365);
SELECT count(*) FROM hits WHERE host = 'late';
ALTER TABLE hits ADD LAYOUT month USING per_day WITH (bucket = '1 month');
SET layout = 'month';
SELECT count(*), max(age) FROM hits;
RESET layout;
CHECK TABLE hits;
VACUUM hits;
SELECT count(*), max(age) FROM hits;
CHECK TABLE hits;
REPAIR TABLE hits;
SELECT count(*) > 3 FROM hits WHERE ts > now() - interval '5 weeks';
-- Rows that are gone don't come back.
ALTER TABLE hits DROP LAYOUT month;
ALTER TABLE hits SET (expire_after = '10 years');
SELECT count(*), max(age) FROM hits;
INSERT INTO hits VALUES (now() - interval '1 year', 'late', 365);
SELECT count(*), max(age) FROM hits;
CHECK TABLE hits;
ALTER TABLE hits SET (expire_after = '42 days');
SELECT count(*), max(age) FROM hits;
ALTER TABLE hits RESET (expire_after);
ALTER TABLE hits RESET (expire_after);
SELECT count(*), max(age) FROM hits;
CHECK TABLE hits;
DROP VIEW seen;
DROP TABLE hits;
-- Sums alone: the horizon is an edge of their documents.
CREATE TABLE metrics (ts timestamptz TIME PERIOD '1 min', name text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics WITH (expire_after = '31 days');
INSERT INTO metrics SELECT now() - d * interval '1 day', 'm' || d % 2, 1 FROM generate_series (0, 60, 2) d;
SELECT name, sum(hits) FROM metrics GROUP BY name ORDER BY name;
SELECT count(*) FROM (SELECT date_trunc('day', ts) FROM metrics GROUP BY 1) d;
VACUUM metrics;
SELECT name, sum(hits) FROM metrics GROUP BY name ORDER BY name;
DROP TABLE metrics;
-- What can't be.
CREATE TABLE x (ts timestamptz TIME, k text) USING rows WITH (expire_after = '0 days');
CREATE TABLE x (ts timestamptz TIME, k text) USING rows WITH (expire_after = '-3 days');
CREATE TABLE x (ts timestamptz TIME, k text) USING rows WITH (expire_after = 'soon');
CREATE TABLE x (ts timestamptz TIME, k text) USING rows WITH (expire_after = 90);
CREATE TABLE x (ts timestamptz, k text) USING rows WITH (expire_after = '90 days');
CREATE TABLE x (ts timestamptz TIME, k text PRIMARY KEY) USING rows WITH (expire_after = '90 days');
CREATE TABLE x (ts timestamptz TIME, k text DIMENSION, v bigint MEASURE) USING per_day WITH (bucket = '1 week');
ALTER TABLE x SET (expire_after = '90 days');
ALTER TABLE x ALTER COLUMN ts SET NOT NULL;
ALTER TABLE x SET (expire_after = '90 days');
ALTER TABLE x ALTER COLUMN ts DROP NOT NULL;
ALTER TABLE x ADD LAYOUT m USING per_day WITH (bucket = '1 month');
ALTER TABLE x ADD LAYOUT m USING per_day WITH (bucket = '1 day', expire_after = '1 day');
ALTER TABLE x SET (expire_after = '1 day', expire_after = '2 days');
ALTER TABLE x SET (fillfactor = 70);
ALTER TABLE x RESET (expire_after = '1 day');
ALTER TABLE x SET (expire_after = NULL);
DROP TABLE x;

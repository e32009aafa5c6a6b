-- also: mongo
CREATE TABLE load (time timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, rack int DIMENSION, cpu double precision MEASURE) USING rows;
CREATE ALERT hot AS SELECT host, rack, avg(cpu) AS mean FROM load WHERE time > now() - interval '5 min' GROUP BY host, rack HAVING avg(cpu) > 90 FOR '5 min' EVERY '1 min' NOTIFY 'page "the admin" it\''s\ hot';
CREATE ALERT "Any" AS SELECT host, cpu FROM load WHERE cpu > 99;
SELECT * FROM pg_alerts ORDER BY alertname;
\dalert
\dalert+ h*
\dalert nothing
-- names
CREATE ALERT hot AS SELECT 1 AS one;
CREATE ALERT HOT AS SELECT 1 AS one;
CREATE ALERT IF NOT EXISTS hot AS SELECT 1 AS one;
CREATE OR REPLACE ALERT IF NOT EXISTS hot AS SELECT 1 AS one;
CREATE OR REPLACE ALERT any AS SELECT host FROM load LIMIT 3;
CREATE OR REPLACE ALERT "Any" AS SELECT host FROM load LIMIT 3;
SELECT alertname, definition FROM pg_alerts ORDER BY 1;
-- a new alert is valid
CREATE ALERT bad AS SELECT host FROM nothing;
CREATE ALERT bad AS SELECT nope FROM load;
CREATE ALERT bad AS SELECT host, avg(cpu) FROM load HAVING avg(cpu) > 1;
CREATE ALERT bad AS SELECT host AS state FROM load;
CREATE ALERT bad AS SELECT host, rack AS "HOST" FROM load;
CREATE ALERT bad AS SELECT host AS "a b", rack AS a_b FROM load;
CREATE ALERT bad AS SELECT FROM load;
CREATE ALERT bad AS DELETE FROM load;
CREATE ALERT bad AS SELECT host FROM load FOR 'soon';
CREATE ALERT bad AS SELECT host FROM load FOR '1 month';
CREATE ALERT bad AS SELECT host FROM load FOR '-1 s';
CREATE ALERT bad AS SELECT host FROM load FOR '200000000 days';
CREATE ALERT bad AS SELECT host FROM load EVERY '0';
CREATE ALERT bad AS SELECT host FROM load EVERY '1 s' EVERY '2 s';
CREATE ALERT bad AS SELECT host FROM load NOTIFY 'echo "a';
CREATE ALERT bad AS SELECT host FROM load NOTIFY 'echo \';
CREATE ALERT bad AS SELECT host FROM load NOTIFY echo;
CREATE TEMPORARY TABLE passing (a int);
CREATE ALERT bad AS SELECT a FROM passing;
-- changes
ALTER ALERT hot SET FOR '0' EVERY '1 day' NOTIFY '';
ALTER ALERT hot RENAME TO "Any";
ALTER ALERT hot RENAME TO hotter;
ALTER ALERT hotter DISABLE;
ALTER ALERT hot ENABLE;
ALTER ALERT IF EXISTS hot ENABLE;
ALTER ALERT hotter SET EVERY '1 year';
ALTER ALERT hotter SET;
SELECT alertname, enabled, lasting, every, notify FROM pg_alerts ORDER BY 1;
\dalert
ALTER ALERT hotter ENABLE;
-- a table that alerts read can go
DROP TABLE load;
SELECT alertname FROM pg_alerts ORDER BY 1;
DROP ALERT nothing;
DROP ALERT hottr;
DROP ALERT IF EXISTS nothing, "Any";
DROP ALERT hotter;
\dalert
-- within a transaction
BEGIN;
CREATE ALERT one AS SELECT 1 AS one;
ROLLBACK;
SELECT count(*) FROM pg_alerts;
BEGIN READ ONLY;
CREATE ALERT one AS SELECT 1 AS one;
ROLLBACK;
-- the words stay names
CREATE TABLE alert (every int, notify text, enable text, disable text);
INSERT INTO alert VALUES (1, 'a', 'b', 'c');
SELECT every, notify, enable disable FROM alert notify;
SELECT every (every > 0) AS every FROM alert every;
SELECT notify FROM alert GROUP BY notify HAVING notify > 'A';
DROP TABLE alert;

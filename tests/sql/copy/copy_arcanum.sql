-- also: mongo
-- Arcanum feeds: XML of which paths say what is kept, cell towers translated as of each event, and what becomes of records that are at fault.
CREATE TABLE cell_towers (tower int, valid_from timestamptz, valid_to timestamptz, latitude double precision, longitude double precision);
INSERT INTO cell_towers VALUES (7, NULL, '2013-06-01 00:00+00', 48.5, 11.5), (7, '2013-06-01 00:00+00', NULL, 48.75, 11.625), (9, NULL, NULL, 1, 2);
CREATE TABLE history (UserId bigint DIMENSION NOT NULL, CellTower int DIMENSION, T timestamptz TIME NOT NULL, Latitude double precision MEASURE, Longitude double precision MEASURE) USING rows;
-- It stops at the first: nothing is stored.
COPY history FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'UserId = subscriber/@id, CellTower = location/cell/@id, T = event/time', LOOKUP 'cell_towers', LOOKUP_KEY 'CellTower = tower', LOOKUP_VALID 'valid_from, valid_to');
SELECT count(*) FROM history;
-- Or goes on: a tower that is not known is NULL.
COPY history FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'UserId = subscriber/@id, CellTower = location/cell/@id, T = event/time', LOOKUP 'cell_towers', LOOKUP_KEY 'CellTower = tower', LOOKUP_VALID 'valid_from, valid_to', ON_ERROR ignore);
SELECT * FROM history ORDER BY UserId;
TRUNCATE history;
COPY history FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'UserId = subscriber/@id, CellTower = location/cell/@id, T = event/time', LOOKUP 'cell_towers', LOOKUP_KEY 'CellTower = tower', LOOKUP_VALID 'valid_from, valid_to', LOOKUP_MISSING error, ON_ERROR ignore, LOG_VERBOSITY verbose);
SELECT * FROM history ORDER BY UserId;
COPY history FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'UserId = subscriber/@id, CellTower = location/cell/@id, T = event/time', LOOKUP 'cell_towers', LOOKUP_KEY 'CellTower = tower', LOOKUP_VALID 'valid_from, valid_to', LOOKUP_MISSING error, ON_ERROR ignore, REJECT_LIMIT 2);
SELECT count(*) FROM history;
-- Columns take the record's attribute or element of their name; another element can be the record, in a namespace.
CREATE TABLE sightings (seq int, type text, created timestamptz);
COPY sightings FROM 'data/feed.xml' (FORMAT arcanum);
SELECT * FROM sightings ORDER BY seq;
TRUNCATE sightings;
COPY sightings (created) FROM 'data/feed.xml' (FORMAT arcanum, RECORD 'header', NAMESPACE 'urn:arcanum:feed:1');
COPY sightings (created) FROM 'data/feed.xml' (FORMAT arcanum, RECORD 'header', NAMESPACE 'urn:vendor');
SELECT * FROM sightings;
COPY sightings (seq, type) FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'seq = @seq, type = location/cell/@id') WHERE seq > 2;
SELECT * FROM sightings ORDER BY seq;
-- What the table itself refuses, record by record.
CREATE TABLE strict (seq int NOT NULL, type text NOT NULL);
COPY strict FROM 'data/feed.xml' (FORMAT arcanum);
COPY strict FROM 'data/feed.xml' (FORMAT arcanum, ON_ERROR ignore);
SELECT * FROM strict;
-- LOOKUP with any format.
CREATE TABLE moves (ts timestamptz TIME, tower int DIMENSION, lat double precision MEASURE);
COPY moves FROM STDIN (FORMAT csv, LOOKUP 'cell_towers', LOOKUP_KEY 'tower', LOOKUP_VALID 'valid_from, valid_to', LOOKUP_COLUMNS 'lat = latitude');
2013-05-31 23:59:59.999+00,7
2013-06-01 00:00+00,7
2013-06-02 00:00+00,
2013-06-03 00:00+00,8
\.
SELECT * FROM moves ORDER BY ts;
-- A key of several columns: a tower's number in its area; NULL in one of them finds nothing.
CREATE TABLE areas (lac int, tower int, valid_from timestamptz, valid_to timestamptz, lat double precision);
INSERT INTO areas VALUES (1, 7, NULL, '2013-06-01 00:00+00', 10), (1, 7, '2013-06-01 00:00+00', NULL, 11), (2, 7, NULL, NULL, 20), (NULL, 7, NULL, NULL, 0), (7, 1, NULL, NULL, 71);
CREATE TABLE seen (ts timestamptz TIME, lac int DIMENSION, cell int DIMENSION, lat double precision MEASURE);
COPY seen FROM STDIN (FORMAT csv, LOOKUP 'areas', LOOKUP_KEY 'cell = tower, lac', LOOKUP_VALID 'valid_from, valid_to', LOOKUP_MISSING error, ON_ERROR ignore, LOG_VERBOSITY verbose);
2013-05-31 23:59:59.999+00,1,7
2013-06-01 00:00+00,1,7
2013-06-01 00:00+00,2,7
2013-06-01 00:00+00,7,1
2013-06-01 00:00+00,3,7
2013-06-01 00:00+00,,7
\.
SELECT * FROM seen ORDER BY ts, lac, cell;
COPY seen FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'areas', LOOKUP_KEY 'cell = tower, lac');
COPY seen FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'areas', LOOKUP_KEY 'cell = tower, cell = lac', LOOKUP_VALID 'valid_from, valid_to');
COPY seen FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'areas', LOOKUP_KEY 'cell = tower, lac', LOOKUP_VALID 'valid_from, valid_to', LOOKUP_COLUMNS 'lac = lac');
-- PostgreSQL 18's options with its formats.
CREATE TABLE n (a int, b text);
COPY n FROM STDIN (ON_ERROR ignore, LOG_VERBOSITY verbose);
1	one
x	two
3	three
\.
COPY n FROM STDIN (FORMAT csv, ON_ERROR ignore, REJECT_LIMIT 1);
1,one
x,two
y,"th
ree"
\.
COPY n FROM STDIN (FORMAT csv, ON_ERROR ignore);
1,one
2
\.
COPY n FROM STDIN (FORMAT jsonl, ON_ERROR ignore);
{"a": 4, "b": "four"}
{"a": "five"}
{"a": 6
{"c": 7}
\.
SELECT * FROM n ORDER BY a;
-- What is wrong with options.
COPY n FROM STDIN (ON_ERROR sometimes);
SELECT 'data of what is refused';
\.
COPY n FROM STDIN (REJECT_LIMIT 3);
\.
COPY n FROM STDIN (ON_ERROR ignore, REJECT_LIMIT 0);
\.
COPY n FROM STDIN (LOG_VERBOSITY silent, ON_ERROR ignore, ON_ERROR stop);
\.
COPY n TO STDOUT (ON_ERROR ignore);
COPY n TO STDOUT (FORMAT arcanum);
COPY n FROM 'data/feed.xml' (FORMAT arcanum, HEADER);
COPY n FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'c = @seq');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'a = @seq/b');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'a');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, RECORD '');
COPY n FROM 'data/feed.xml' (FORMAT csv, PATHS 'a = @seq');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP_KEY 'a');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'nosuch', LOOKUP_KEY 'a = tower');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers', LOOKUP_KEY 'a = towr');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers', LOOKUP_KEY 'a = tower', LOOKUP_COLUMNS 'b = latitude');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers', LOOKUP_KEY 'a = tower');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers', LOOKUP_KEY 'a = tower', LOOKUP_VALID 'valid_from, valid_to');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers', LOOKUP_KEY 'a = tower', LOOKUP_MISSING maybe);
COPY moves (ts, lat) FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers', LOOKUP_KEY 'tower', LOOKUP_COLUMNS 'lat = latitude', LOOKUP_VALID 'valid_from, valid_to');
COPY moves FROM 'data/feed.xml' (FORMAT arcanum, LOOKUP 'cell_towers', LOOKUP_KEY 'tower', LOOKUP_COLUMNS 'lat = latitude');
-- What is no XML stops it, and nothing of what came before is stored.
COPY n FROM STDIN (FORMAT arcanum, ON_ERROR ignore);
<feed><record a="10" b="ten"/>
<record a="11"
\.
COPY n FROM STDIN (FORMAT arcanum);
<feed><record a="10" b="ten"/></fed>
\.
COPY n FROM STDIN (FORMAT arcanum);
<!DOCTYPE feed [<!ENTITY ha "ha"><!ENTITY haha "&ha;&ha;">]><feed><record a="10" b="&haha;"/></feed>
\.
SELECT count(*) FROM n;
-- What most likely isn't meant: no records, another case, another namespace, a path that leads nowhere.
COPY n FROM 'data/feed.xml' (FORMAT arcanum, RECORD 'Header');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, RECORD 'row');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, RECORD 'header', NAMESPACE 'urn:arcanum');
COPY n FROM 'data/feed.xml' (FORMAT arcanum, PATHS 'a = @seq, b = location/cell/@ID');
COPY n FROM STDIN (FORMAT arcanum);
<feed/>
\.
COPY n FROM STDIN (FORMAT arcanum, NAMESPACE 'urn:x');
<feed><record a="1"/></feed>
\.
COPY (SELECT 1) TO STDOUT (FORMAT arcanu);

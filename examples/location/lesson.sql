-- Which telephone was seen where? The first table says where a cell tower stood, and when. Some towers were moved
-- while the feed ran.
CREATE TABLE cell_towers (tower int NOT NULL, valid_from timestamptz, valid_to timestamptz, latitude double precision, longitude double precision);
COPY cell_towers FROM 'towers.csv' (HEADER);
SELECT tower, valid_from, valid_to, latitude FROM cell_towers WHERE tower BETWEEN 3 AND 4 ORDER BY tower, valid_from NULLS FIRST;

-- One table in two layouts. History has every record. LastKnownLocation has the newest record of each user.
CREATE TABLE locations (
   UserId    bigint           DIMENSION NOT NULL,
   CellTower int              DIMENSION NOT NULL FIELD 'C',
   ts        timestamptz      TIME NOT NULL FIELD 'T',
   Latitude  double precision FIELD 'Y',
   Longitude double precision FIELD 'X'
) USING rows WITH (collection = 'History');
CREATE INDEX ON locations (UserId);
ALTER TABLE locations ADD LAYOUT last USING latest WITH (key = 'UserId', collection = 'LastKnownLocation');

-- The feed is XML, and most of it is noise. Three values of a record are kept. Two more are looked up by the tower
-- and the time of the event. Faulty records are left out and counted, and the first one is shown. An unknown tower
-- has no place.
COPY locations FROM 'feed.xml' (FORMAT arcanum,
   PATHS 'UserId = subscriber/@id, CellTower = location/cell/@id, ts = event/time',
   LOOKUP 'cell_towers', LOOKUP_KEY 'CellTower = tower', LOOKUP_VALID 'valid_from, valid_to',
   ON_ERROR ignore, REJECT_LIMIT 100);
SELECT count(*), count(DISTINCT UserId) AS users, count(*) FILTER (WHERE Latitude IS NULL) AS nowhere, min(ts), max(ts) FROM locations;

-- Each event gets the place where its tower stood at that time.
SELECT Latitude, Longitude, count(*), max(ts) - min(ts) AS during FROM locations WHERE CellTower = 4 GROUP BY 1, 2 ORDER BY min(ts);

-- Where is user 17 now? One document answers. In process, columns of the history would do as well; they are left
-- out, to show what a MongoDB server would do.
SET enable_columns = off;
EXPLAIN (COSTS off) SELECT ts, CellTower, Latitude, Longitude FROM locations WHERE UserId = 17 ORDER BY ts DESC LIMIT 1;
SELECT ts, CellTower, Latitude, Longitude FROM locations WHERE UserId = 17 ORDER BY ts DESC LIMIT 1;

-- Where was user 17 before? The history answers, by its index.
EXPLAIN (COSTS off) SELECT date_trunc('minute', ts) AS minute, CellTower FROM locations WHERE UserId = 17 AND ts < '2013-05-01 10:05+00' ORDER BY ts;
SELECT date_trunc('minute', ts) AS minute, CellTower FROM locations WHERE UserId = 17 AND ts < '2013-05-01 10:05+00' ORDER BY ts;

RESET enable_columns;

-- Yesterday's feed comes late. It belongs to the history. No user's last known location becomes older by it.
CREATE TABLE before AS SELECT DISTINCT ON (UserId) UserId, ts FROM locations ORDER BY UserId, ts DESC;
COPY locations FROM 'late.xml' (FORMAT arcanum, PATHS 'UserId = subscriber/@id, CellTower = location/cell/@id, ts = event/time',
   LOOKUP 'cell_towers', LOOKUP_KEY 'CellTower = tower', LOOKUP_VALID 'valid_from, valid_to');
SELECT count(*), min(ts), max(ts) FROM locations;
SELECT count(*) AS users, count(*) FILTER (WHERE now.ts < before.ts) AS older, count(*) FILTER (WHERE before.UserId IS NULL) AS first_seen
  FROM (SELECT DISTINCT ON (UserId) UserId, ts FROM locations ORDER BY UserId, ts DESC) now LEFT JOIN before USING (UserId);

-- Both layouts agree.
SET layout = 'rows';
SELECT count(*), md5(string_agg(UserId || ' ' || ts, ',' ORDER BY UserId)) AS digest FROM (SELECT DISTINCT ON (UserId) UserId, ts FROM locations ORDER BY UserId, ts DESC) l;
SET layout = 'last';
SELECT count(*), md5(string_agg(UserId || ' ' || ts, ',' ORDER BY UserId)) AS digest FROM (SELECT DISTINCT ON (UserId) UserId, ts FROM locations ORDER BY UserId, ts DESC) l;

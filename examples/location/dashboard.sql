-- Where telephones are seen, over the newest minutes of the tables that lesson.sql makes.
\dashboard 'Telephones and cell towers' refresh=10s
\default user 17
\default range '1 hour'
\set recent 'ts > (SELECT max(ts) FROM locations) - interval ' :'range'

\panel 'Records'
SELECT count(*) AS records FROM locations WHERE :recent;

\panel 'Telephones'
SELECT count(DISTINCT UserId) AS users FROM locations WHERE :recent;

\panel 'Without a place'
SELECT count(*) AS records FROM locations WHERE Latitude IS NULL AND :recent;

\panel 'Newest record'
SELECT to_char(max(ts), 'HH24:MI:SS') AS "UTC" FROM locations WHERE :recent;

\panel 'Records a minute' wide
SELECT date_trunc('minute', ts) AS minute, count(*) AS records FROM locations WHERE :recent GROUP BY 1 ORDER BY 1
\chart line

\panel 'Where telephones were seen last'
SELECT Longitude AS longitude, Latitude AS latitude
  FROM (SELECT DISTINCT ON (UserId) UserId, Latitude, Longitude FROM locations ORDER BY UserId, ts DESC) last
 WHERE Latitude IS NOT NULL
\chart scatter x=longitude y=latitude

\panel 'Towers with most records'
SELECT 'tower ' || CellTower AS tower, count(*) AS records FROM locations WHERE :recent GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 8
\chart bar

\panel 'The user''s last places'
SELECT ts AS seen, CellTower AS tower, Latitude AS latitude, Longitude AS longitude FROM locations WHERE UserId = :user ORDER BY ts DESC LIMIT 8;

\panel 'Towers that moved'
SELECT tower, count(*) - 1 AS moves, max(valid_from) AS last FROM cell_towers GROUP BY tower HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT 8;

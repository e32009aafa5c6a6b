-- also: mongo
-- Files are tables: FROM 'file'.
SELECT * FROM 'data/files/power.csv' ORDER BY time;
SELECT * FROM 'data/files/power.csv' LIMIT 0 \gdesc
SELECT room, count(*), sum(watts) FROM 'data/files/power.csv' WHERE time < '2026-01-01 00:02' GROUP BY room ORDER BY room;
SELECT power.note, p.room FROM 'data/files/power.csv' JOIN read_csv ('data/files/power.csv') AS p USING (time) ORDER BY time;
SELECT x.room, (SELECT count(*) FROM 'data/files/power.csv' y WHERE y.room = x.room) FROM 'data/files/power.csv' x (t, room) ORDER BY t;
SELECT * FROM 'data/files/power.csv' WHERE watts = (SELECT max(watts) FROM 'data/files/power.csv');
EXPLAIN (COSTS OFF) SELECT room FROM 'data/files/power.csv' WHERE watts > 12;
-- Another encoding, delimiter, order of dates and decimal separator.
SELECT * FROM 'data/files/german.csv' ORDER BY 2;
-- Times as numbers, and compressed files. A pattern reads several files as one.
SELECT * FROM 'data/files/epoch.csv.zst' ORDER BY v;
SELECT time, room FROM 'data/files/logs/*.csv.gz' ORDER BY time;
SELECT time FROM 'data/files/logs/*' ORDER BY time;
-- Options say what the sample can't.
SELECT * FROM 'data/files/unclear.csv' ORDER BY v;
SELECT * FROM read_csv ('data/files/unclear.csv', datestyle => 'dmy', nullstr => ARRAY['', '2']) ORDER BY d;
SELECT * FROM read_csv ('data/files/power.csv', header => false, names => ARRAY['t', 'where', 'w'], types => 'w text') ORDER BY t;
SELECT * FROM read_csv ('data/files/power.csv', types => 'watts numeric') WHERE watts IS NOT NULL ORDER BY time;
-- A file beside tables, and as their source.
CREATE TABLE rooms (room text DIMENSION NOT NULL, floor bigint MEASURE NOT NULL);
INSERT INTO rooms VALUES ('kitchen', 0), ('bath', 1);
SELECT time, floor FROM 'data/files/power.csv' JOIN rooms USING (room) ORDER BY time;
SELECT room FROM rooms WHERE room NOT IN (SELECT room FROM 'data/files/power.csv' WHERE watts > 13);
CREATE TABLE power AS SELECT * FROM 'data/files/power.csv';
\d power
SELECT * FROM power ORDER BY time;
INSERT INTO power SELECT * FROM 'data/files/logs/b*.gz' WHERE room = 'bath';
SELECT count(*) FROM power;
CREATE VIEW by_room AS SELECT room, sum(watts) FROM 'data/files/power.csv' GROUP BY room;
SELECT * FROM by_room ORDER BY room;
DROP VIEW by_room;
DROP TABLE power, rooms;
PREPARE p AS SELECT time FROM 'data/files/power.csv' WHERE room = $1;
EXECUTE p ('bath');
DEALLOCATE p;
-- SUMMARIZE and DESCRIBE take a file without FROM, and a function.
DESCRIBE 'data/files/power.csv';
SUMMARIZE 'data/files/power.csv';
DESCRIBE read_csv ('data/files/power.csv', types => 'watts text');
SELECT column_name, min FROM (SUMMARIZE read_csv ('data/files/power.csv', types => 'watts text')) s;
SELECT column_name, column_type FROM (DESCRIBE 'data/files/logs/*.csv.gz') d;
CREATE VIEW summary AS SUMMARIZE 'data/files/power.csv';
SELECT column_name, q50 FROM summary;
DROP VIEW summary;
DESCRIBE generate_series (1, 3);
DESCRIBE 'data/files/pover.csv';
SUMMARIZE read_csv ('data/files/power.csv', typs => 'watts text');
SUMMARIZE 'data/files/power.csv' WHERE watts > 1;
DESCRIBE nosuch ();
-- Mistakes.
SELECT * FROM 'data/files/pover.csv';
SELECT * FROM 'data/nowhere/*.csv';
SELECT * FROM 'data/files';
SELECT * FROM 'data/files/empty.csv';
SELECT * FROM 'data/files/measured.parquet';
SELECT * FROM 'data/files/ragged.csv';
SELECT * FROM 'data/files/wide.csv';
SELECT * FROM 'data/files/cut.csv';
SELECT * FROM read_csv ('data/files/power.csv', hedder => true);
SELECT * FROM read_csv ('data/files/power.csv', header => 'maybe');
SELECT * FROM read_csv ('data/files/power.csv', types => 'watts nosuch');
SELECT * FROM read_csv ('data/files/power.csv', types => 'note bigint');
SELECT * FROM read_csv ('data/files/power.csv', true);
SELECT * FROM read_csv ();
SELECT read_csv ('data/files/power.csv');

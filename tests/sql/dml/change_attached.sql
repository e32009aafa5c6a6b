-- also: mongo
-- Documents that others made: what isn't described stays.
CREATE TABLE made (ts timestamptz TIME NOT NULL, host text DIMENSION FIELD 'tags.host', room text DIMENSION FIELD 'tags.room', v double precision MEASURE FIELD 'reading.value', unit text FIELD 'reading.unit') USING rows;
INSERT INTO made VALUES ('2020-01-01', 'a', 'kitchen', 1, 'C'), ('2020-01-02', 'b', 'hall', 2, 'F'), ('2020-01-03', 'a', NULL, 3, NULL);
CREATE TABLE seen (ts timestamptz TIME NOT NULL, host text DIMENSION FIELD 'tags.host', v double precision MEASURE FIELD 'reading.value') USING rows WITH (collection = 'made');
UPDATE seen SET v = v * 10, host = 'z' WHERE host = 'a' RETURNING *;
SELECT * FROM made ORDER BY ts;
DELETE FROM seen WHERE v = 2;
UPDATE seen SET ts = ts + interval '1 day' WHERE v = 30;
SELECT * FROM made ORDER BY ts;
CREATE TABLE packed (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL, w bigint MEASURE) USING nested WITH (cluster_by = 'host', levels = 'ts');
INSERT INTO packed VALUES ('2020-01-01', 'a', 1, 2), ('2020-01-02', 'a', 3, 4), ('2020-01-02', 'b', 5, 6);
CREATE TABLE part (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL, w bigint MEASURE) USING nested WITH (cluster_by = 'host', levels = 'ts', collection = 'packed');
UPDATE part SET v = 0;
DELETE FROM part WHERE v = 1;
DELETE FROM part WHERE host = 'b' RETURNING v;
SELECT * FROM packed ORDER BY ts;
TRUNCATE part;
SELECT count(*) FROM packed;

-- Numbers that are wrong within the levels of a packed document have their place, and are mended there.
CREATE TABLE p (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts');
INSERT INTO p SELECT ts, k, 2 FROM generate_series (timestamptz '2020-01-01', '2020-01-01 00:02', '1 min') g (ts), (VALUES ('a'), ('b')) v (k);
CREATE TABLE inside (k text, l jsonb FIELD '_') USING rows WITH (collection = 'p');
UPDATE inside SET l = jsonb_set(jsonb_set(l, '{0,c}', '9'), '{2,0}', '77') WHERE k = 'a';
\pset format unaligned
CHECK TABLE p;
REPAIR TABLE p;
CHECK TABLE p;
SELECT ts, count(*), sum(n) FROM p WHERE k = 'a' GROUP BY ts ORDER BY ts;
\pset format aligned
-- In process rows that all else is made of aren't: they stay in the partition that somebody put them in, and REPAIR says so.
CREATE TABLE parted (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'day');
INSERT INTO parted VALUES ('2020-01-01 12:00', 'a', 1), ('2020-01-02 12:00', 'a', 2);
CREATE TABLE second_day (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows WITH (collection = 'parted_2020_01_02');
INSERT INTO second_day VALUES ('2020-01-01 13:00', 'b', 3);
REPAIR TABLE parted;
ALTER TABLE parted ADD LAYOUT days USING nested WITH (levels = 'ts, k', presum = 'ts', partition_by = 'day');
REPAIR TABLE parted FROM days;
CHECK TABLE parted;
SELECT * FROM parted WHERE ts < '2020-01-02' ORDER BY ts;

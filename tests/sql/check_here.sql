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

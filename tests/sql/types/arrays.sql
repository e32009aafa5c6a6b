-- also: mongo postgres
SELECT '{1,2,NULL}'::int[];
SELECT '{{1,2},{3,4}}'::bigint[], '{"a b",c,"nu\"ll",NULL,"NULL",""}'::text[];
SELECT '{1,2'::int[];
SELECT '{{1,2},{3}}'::int[];
SELECT '{a}'::int[];
SELECT 'x'::int[];
SELECT '[1:2]={1,2}'::int[];
SELECT ARRAY[1,2,3], ARRAY['a','b'], ARRAY[1,2.5], ARRAY[[1,2],[3,4]], ARRAY[]::int[], ARRAY['1','2']::int[];
SELECT ARRAY[1,2]::text[], ARRAY[1.234,2.5]::numeric(5,1)[], '{abc,d}'::varchar(2)[], ARRAY[1,2]::text, '{1,2}'::text::int[];
SELECT ARRAY[];
SELECT ARRAY[1,'a'];
SELECT ARRAY[ARRAY[1], ARRAY[2,3]];
SELECT ARRAY[timestamptz '2020-01-01', NULL], ARRAY[interval '1 day'], '{2020-01-01}'::date[], ARRAY[1.50, 2], pg_typeof(ARRAY[1]);
CREATE TABLE t (id int, a int[], b text[]) USING rows;
INSERT INTO t VALUES (1, '{1,2}', ARRAY['x','y z']), (2, NULL, '{}'), (3, ARRAY[3,NULL], NULL), (4, '{{1,2},{3,4}}', '{NULL}');
SELECT * FROM t;
SELECT id, ARRAY[id, 5], a::text, a::bigint[], b::varchar[] FROM t WHERE a IS NULL OR id > 2;
SELECT id FROM t WHERE a IS NOT NULL;

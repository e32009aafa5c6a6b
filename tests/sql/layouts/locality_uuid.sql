-- also: mongo
-- Locality UUIDs (extensions/locality_uuid.sql): the published example and sequences, version 1, ObjectIds, and what is generated.
\set ECHO none
\i extensions/locality_uuid.sql
\set ECHO all
-- the example
SELECT id_counter(id), id_process_id(id), id_mac(id), id_time(id) FROM (SELECT '20be0ffc-314a-bd53-7a50-013a65ca76d2'::uuid AS id) q;
SELECT id_counter(id, false), id_counter(id, reversed => true) FROM (SELECT '20be0ffc-314a-bd53-7a50-013a65ca76d2'::uuid AS id) q;
SELECT locality_uuid_of(3488672514, 12618, '_____d537a50', '2012-10-15 18:58:18.450+00');
-- the sequences: the counter steps by 265,600,181 and is written from its end; or by one, and isn't
SELECT left(locality_uuid_of((2683083916 + n * 265600181) % 4294967296, 1, 'd537a50', '2012-10-15 18:58:18.450+00')::text, 9) AS id FROM generate_series(0::bigint, 4) n;
SELECT left(locality_uuid_of(4111886199 + n, 1, 'd5:37:a5:0', '2012-10-15 18:58:18.450+00', false)::text, 9) AS id FROM generate_series(0::bigint, 1) n;
SELECT id_counter(id::uuid) - lag(id_counter(id::uuid)) OVER (ORDER BY i) AS step, (id_counter(id::uuid) - lag(id_counter(id::uuid)) OVER (ORDER BY i)) & 4294967295 AS wrapped
  FROM (VALUES (1, 'c8c9cef9-314a-bd53-7a50-013a65ca76d2'), (2, '14951cfa-314a-bd53-7a50-013a65ca76d2'), (3, '6f5169fb-314a-bd53-7a50-013a65ca76d2'), (4, 'ba2da6fc-314a-bd53-7a50-013a65ca76d2')) v (i, id);
-- version 1, ObjectIds, and what is neither
SELECT id_counter(id), id_process_id(id), id_mac(id), id_time(id) FROM (SELECT '82d991c6-b098-11e2-8fc0-c82a14fffe86'::uuid AS id) q;
SELECT id_counter(id), id_process_id(id), id_mac(id), id_time(id) FROM (SELECT '51a6bdfcad894a0f768d106f'::objectid AS id) q;
SELECT id_counter(id), id_process_id(id), id_mac(id), id_time(id) FROM (SELECT 'f47ac10b-58cc-4372-a567-0e02b2c3d479'::uuid AS id) q;
SELECT id_counter(NULL::uuid), id_process_id(NULL::objectid), id_mac(NULL::uuid), id_time(NULL::uuid);
-- the first and the last of all
SELECT id, id_counter(id), id_process_id(id), id_mac(id), id_time(id)
  FROM (SELECT locality_uuid_of(c, p, m, t) AS id FROM (VALUES (0, 0, '00:00:00:00:00:00', timestamptz '1970-01-01 00:00+00'), (4294967295, 65535, 'ff:ff:ff:ff:ff:ff', '9999-12-31 23:59:59.999+00')) v (c, p, m, t)) q;
-- parts that have no place in an id
SELECT locality_uuid_of(-1, 1, 'd537a50', '2020-01-01 00:00+00');
SELECT locality_uuid_of(4294967296, 1, 'd537a50', '2020-01-01 00:00+00');
SELECT locality_uuid_of(1, 65536, 'd537a50', '2020-01-01 00:00+00');
SELECT locality_uuid_of(1, 1, 'd537a5x', '2020-01-01 00:00+00');
SELECT locality_uuid_of(1, 1, 'd537a50', '1969-12-31 23:59:59.999+00');
SELECT locality_uuid_of(NULL, 1, 'd537a50', '2020-01-01 00:00+00'), locality_uuid_of(1, 1, 'C8-2A-14-FF-FE-86', '2020-01-01 00:00+00');
SELECT id_time('20be0ffc-314a-bd53-7a50-013a65ca76d'::uuid);
SELECT id_time('20be0ffc-314a-bd53-7a50-013a65ca76d2');
-- in a table: conditions and groups by what an id says
CREATE TABLE events (id uuid PRIMARY KEY, what text);
INSERT INTO events SELECT locality_uuid_of(n * 265600181 % 4294967296, 100 + n % 3, '0d537a50', timestamptz '2020-01-01 00:00+00' + n * interval '20 minutes'), 'event ' || n FROM generate_series(0::bigint, 9) n;
SELECT id_process_id(id) AS process, count(*), min(id_time(id)), max(id_time(id)) FROM events GROUP BY 1 ORDER BY 1;
SELECT what, id FROM events WHERE id_time(id) >= '2020-01-01 02:20+00' ORDER BY id;
-- generated: of this process and machine, now, each with a counter of its own
CREATE TABLE made AS SELECT n, locality_uuid() AS id, locality_uuid_sequential() AS seq FROM generate_series(1, 1000) n;
SELECT count(DISTINCT id), count(DISTINCT id_counter(id)), count(DISTINCT left(id::text, 1)) AS spread, bool_and(id_process_id(id) = pg_backend_pid() & 65535), bool_and(right(replace(id_mac(id), ':', ''), 7) = right(replace(id_own_mac(), ':', ''), 7)) AS mac,
       bool_and(abs(extract(epoch FROM now() - id_time(id))) < 3600) AS now FROM made;
SELECT id_time(id) BETWEEN now() - interval '1 hour' AND now() + interval '1 hour' AS now FROM (SELECT locality_uuid() AS id) q;
SELECT id_time(locality_uuid());
SELECT DISTINCT (id_counter(id) - lag(id_counter(id)) OVER (ORDER BY n)) & 4294967295 AS step, (id_counter(seq, false) - lag(id_counter(seq, false)) OVER (ORDER BY n)) & 4294967295 AS sequential
  FROM made ORDER BY 1;
SELECT locality_uuid_start('2020-01-01 00:00:00+00') = locality_uuid_start('2020-01-01 00:09:59.999+00') AS same, locality_uuid_start('2020-01-01 00:10:00+00') - locality_uuid_start('2020-01-01 00:00:00+00') AS next;
-- as a column's default: each row's own
CREATE TABLE visits (id uuid DEFAULT locality_uuid() PRIMARY KEY, n integer);
INSERT INTO visits (n) SELECT generate_series(1, 100);
SELECT count(DISTINCT id), count(DISTINCT left(id::text, 1)) > 10 AS spread FROM visits;
-- counters of the process
SELECT id_next_number('a', 1), id_next_number('a', 1), id_next_number('b', 1), id_next_number('a', 1), id_next_number('a', 2);
SELECT id_next_number('a', NULL), id_next_number(repeat('x', 65), 1);

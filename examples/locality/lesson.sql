-- Ids of five kinds over two hours. Four processes make them, one each 0.6 s. A step is two minutes.
CREATE TABLE events AS
   SELECT n / 200 AS step, n % 4 AS process, n / 4 AS of_process, n % 1000 / 4 AS of_window, timestamptz '2013-03-01 08:00+00' + n * interval '0.6 seconds' AS at, n FROM generate_series(0, 11999) n;
CREATE TABLE ids (kind text, step int, id text);

-- Every digit of a random id is random. (Here it is a hash, so that the lesson is the same each time.)
INSERT INTO ids SELECT 'random (v4)', step, overlay(md5(n::text) placing '4' from 13) FROM events;

-- An ObjectId begins with the second in which it was made.
INSERT INTO ids SELECT 'ObjectId', step, id_hex(extract(epoch FROM at)::bigint, 8) || 'ad894a0f7' || process || id_hex(of_process, 6) FROM events;

-- A UUID of version 1 begins with the low part of the time in 100 ns. That part repeats every 429 seconds.
INSERT INTO ids SELECT 'UUID v1', step, id_hex(ticks & 4294967295, 8) || id_hex((ticks >> 32) & 65535, 4) || '1' || id_hex(ticks >> 48, 3) || 'b098c82a14fffe8' || process
  FROM (SELECT step, process, (extract(epoch FROM at) * 1000)::bigint * 10000 + 122192928000000000 + process AS ticks FROM events) q;

-- Locality UUIDs: each process has a counter that begins anywhere, and steps by 265,600,181. It is written
-- from its last digit ...
INSERT INTO ids SELECT 'locality', step, replace(locality_uuid_of((id_number(left(md5(process::text), 8)) + of_process * 265600181::bigint) & 4294967295, process, '0d537a50', at)::text, '-', '')
  FROM events;
-- ... or, in sequential mode, it begins at a hash of the ten minutes, and steps by one.
INSERT INTO ids SELECT 'sequential', step, replace(locality_uuid_of((locality_uuid_start(at) + of_window) & 4294967295, process, '0d537a50', at, false)::text, '-', '') FROM events;

-- A balancer keeps four shards equal. Before each step the existing ids are cut into four ranges of one size,
-- one for each shard. In the step a new id goes to the shard whose range has it.
CREATE TABLE cuts AS
   SELECT s.step, k.kind, min(i.id) FILTER (WHERE i.part = 2) AS second, min(i.id) FILTER (WHERE i.part = 3) AS third, min(i.id) FILTER (WHERE i.part = 4) AS fourth
     FROM generate_series(1, 59) s (step), (SELECT DISTINCT kind FROM ids) k,
          LATERAL (SELECT id, ntile(4) OVER (ORDER BY id) AS part FROM ids WHERE ids.kind = k.kind AND ids.step < s.step) i
    GROUP BY s.step, k.kind;
CREATE TABLE shares AS
   SELECT kind, step, shard, count(*) FILTER (WHERE shard = CASE WHEN id < second THEN 1 WHEN id < third THEN 2 WHEN id < fourth THEN 3 ELSE 4 END) / 200.0::float8 AS share
     FROM ids JOIN cuts USING (kind, step), generate_series(1, 4) shard GROUP BY kind, step, shard;

-- Where the writes went. A column is two minutes. Blank means none of the writes, ░ about a quarter or less,
-- ▒ half, ▓ three quarters, █ all.
SELECT kind, shard, string_agg(substr(' ░▒▓█', CASE WHEN share = 0 THEN 1 ELSE greatest(round(share * 4), 1)::int + 1 END, 1), '' ORDER BY step) AS "two hours" FROM shares GROUP BY kind, shard ORDER BY kind, shard;

-- The share of the busiest shard in a step (a quarter would be even), and the number of shards that hold the
-- ids of one step.
SELECT kind, round(avg(most)::numeric * 100) AS "busiest, %", round(avg(shards), 1) AS "shards a step" FROM (SELECT kind, step, max(share) AS most, count(*) FILTER (WHERE share > 0) AS shards FROM shares GROUP BY kind, step) q
 GROUP BY kind ORDER BY kind;

-- The same over both hours.
SELECT kind, round(avg(share) FILTER (WHERE shard = 1)::numeric * 100) AS "shard 1, %", round(avg(share) FILTER (WHERE shard = 2)::numeric * 100) AS "2", round(avg(share) FILTER (WHERE shard = 3)::numeric * 100) AS "3",
       round(avg(share) FILTER (WHERE shard = 4)::numeric * 100) AS "4" FROM shares GROUP BY kind ORDER BY kind;

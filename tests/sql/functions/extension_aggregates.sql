-- also: mongo
-- Aggregates of an extension: over every layout, in windows, in order, in temporary files.
LOAD 'example';
CREATE TABLE power (
   time  timestamptz TIME PERIOD '1 min' NOT NULL,
   house text DIMENSION NOT NULL,
   room  text DIMENSION,
   watts int MEASURE
) USING rows;
ALTER TABLE power ADD LAYOUT packed
   USING nested WITH (cluster_by = 'house', levels = 'time, room', presum = 'time');
INSERT INTO power
   SELECT minute, house, CASE WHEN n % 5 > 0 THEN 'r' || n % 5 END, CASE WHEN n % 7 > 0 THEN n % 40 + 1 END
     FROM generate_series(1, 600) n,
          unnest(ARRAY['north', 'south']) house,
          LATERAL (SELECT timestamptz '2024-05-01' + n * interval '1 minute') t (minute);
\set pick 'SELECT house, round(geometric_mean(watts)::numeric, 9) AS mean, geometric_mean(watts) FILTER (WHERE watts > 100) AS none FROM power GROUP BY house ORDER BY house'
:pick;
SET layout = packed;
:pick;
RESET layout;
-- the same as by functions of PostgreSQL
SELECT house, room, bool_and(abs(a - b) < 1e-9 * b) AS equal, bool_and(c = d) AS equal_text
  FROM (SELECT house, room, geometric_mean(watts) a, exp(avg(ln(watts))) b,
               join_words(watts::text ORDER BY time DESC) c, string_agg(watts::text, ' ' ORDER BY time DESC) d
          FROM power GROUP BY house, room) x
 GROUP BY house, room ORDER BY house, room NULLS FIRST LIMIT 3;
SELECT join_words(DISTINCT room ORDER BY room DESC), count(DISTINCT room), join_words(DISTINCT watts::text) FILTER (WHERE watts < 4)
  FROM power;
SELECT house, room, join_words(left(house, 1) || watts ORDER BY watts) FROM power WHERE watts < 3
 GROUP BY ROLLUP (house, room) ORDER BY house, room;
SELECT watts, round(geometric_mean(watts) OVER (ORDER BY time ROWS 2 PRECEDING)::numeric, 6) AS mean,
       join_words(watts::text) OVER w AS words, join_words(watts::text) FILTER (WHERE watts > 3) OVER w AS large
  FROM power WHERE house = 'north' AND time < '2024-05-01 00:10'
WINDOW w AS (ORDER BY time ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) ORDER BY time;
SELECT geometric_mean(watts) IS NULL AS nothing, join_words(room) FROM power WHERE false;
SELECT house FROM power GROUP BY house HAVING geometric_mean(watts) > 1 ORDER BY geometric_mean(watts), house;
SELECT (SELECT join_words(p.house ORDER BY p.house) FROM power p WHERE p.time = q.time) FROM power q WHERE watts = 3 ORDER BY time LIMIT 1;
-- beyond work_mem
SET work_mem = '1MB';
SELECT count(*), sum(length(words)), bool_and(words = n || ' ' || n + 40000) AS in_order, round(sum(mean)::numeric, 3)
  FROM (SELECT n % 40000 AS n, join_words(n::text) words, geometric_mean(n + 1) mean FROM generate_series(0, 79999) n GROUP BY n % 40000) x;
SELECT length(join_words(repeat('x', 1000))) FROM generate_series(1, 30000);
RESET work_mem;
-- errors
SELECT geometric_mean(watts - 1) FROM power;
SELECT geometric_mean();
SELECT geometric_mean(*) FROM power;
SELECT geometric_mean(1, 2);
SELECT geometric_meen(watts) FROM power;
SELECT geometric_mean(watts) WITHIN GROUP (ORDER BY watts) FROM power;
SELECT join_words(DISTINCT room ORDER BY house) FROM power;
SELECT join_words(DISTINCT room) OVER () FROM power;
SELECT geometric_mean(watts) FROM power WHERE geometric_mean(watts) > 1;
CREATE FUNCTION geometric_mean (x float8) RETURNS float8 LANGUAGE sql AS 'SELECT $1';
LOAD 'example';
SELECT proname, prokind, proargtypes FROM pg_proc WHERE proname IN ('geometric_mean', 'join_words') ORDER BY 1;
\da join_*
\h join_words

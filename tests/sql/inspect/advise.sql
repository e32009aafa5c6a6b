-- also: mongo
-- ADVISE: which layouts would serve a workload, from estimates. Nothing is built.
CREATE TABLE c (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION NOT NULL, app text DIMENSION NOT NULL, n bigint MEASURE NOT NULL);
INSERT INTO c SELECT timestamptz '2024-01-30 00:00+00' + g % 2000 * interval '1 min', 'h' || g % 13, 'a' || g % 17, g FROM generate_series(0, 9999) g;
ADVISE SELECT time_bucket('1 hour', ts), host, sum(n) FROM c GROUP BY 1, 2;
-- weights, comments, other statements, several tables
CREATE TABLE d (ts timestamptz TIME NOT NULL, "Host" text DIMENSION, v double precision MEASURE);
INSERT INTO d SELECT timestamptz '2024-01-30 00:00+00' + g * interval '1 s', 'h' || g % 5, nullif(g % 7, 0) FROM generate_series(0, 999) g;
ADVISE (max_layouts 2) $$
   SET work_mem = '1MB';
   -- weight: 10
   SELECT host, count(*) FROM c GROUP BY 1;
   /* every second, weight: 60.5 */ SELECT "Host", avg(v)
      FROM d GROUP BY 1;
   WITH h AS (SELECT host, sum(n) AS s FROM c GROUP BY 1) SELECT h.host, s, max(d.ts) FROM h JOIN d ON h.host = d."Host" GROUP BY 1, 2;
$$;
ADVISE (max_bytes '100 kB') SELECT app, max(ts), count(*) FROM c GROUP BY 1;
ADVISE (max_bytes 10) SELECT app, count(*) FROM c GROUP BY 1;
-- a layout that exists is good enough
ALTER TABLE c ADD LAYOUT apps USING nested WITH (cluster_by = 'app', levels = 'ts, host');
ADVISE (max_bytes '100 kB') SELECT app, max(ts), count(*) FROM c GROUP BY 1;
-- more dimensions than are arranged in all orders, of which the queries use two; NULLs among them
CREATE TABLE wide (ts timestamptz TIME NOT NULL, a text DIMENSION, b text DIMENSION, "C c" text DIMENSION, e integer DIMENSION, f text DIMENSION, g boolean DIMENSION, n bigint MEASURE);
INSERT INTO wide SELECT timestamptz '2024-01-30 00:00+00' + g % 300 * interval '1 min', 'a' || g % 2, 'b', 'c' || g % 3, g % 4, 'f' || g % 5, nullif(g % 2, 1)::boolean, g FROM generate_series(0, 2999) g;
ADVISE (max_layouts 1) SELECT f, "C c", sum(n) FROM wide GROUP BY 1, 2;
-- what was proposed can be built
ALTER TABLE c ADD LAYOUT sums_by_host_hour USING nested WITH (cluster_by = 'host', levels = 'hour, app', presum = 'hour', raw_values = false);
CHECK TABLE c;
-- tables without a time, or without dimensions, have nothing to arrange
CREATE TABLE plain (a integer, b text);
ADVISE SELECT a, count(*) FROM plain GROUP BY 1;
-- refused
ADVISE SELECT 1;
ADVISE '';
ADVISE 'SELECT nosuch FROM c';
ADVISE 'SELECT n FROM c; SELECT n FORM c';
-- an error is shown where it is, also in a text of several lines
ADVISE $$
   SELECT n FROM c;
   SELECT nosuch FROM c;
$$;
ADVISE 'SELECT ''x'' AS x, nosuch FROM c';
ADVISE $$ /* weight: ten */ SELECT n FROM c $$;
ADVISE $$ -- weight: -1
   SELECT n FROM c $$;
-- nothing serves a table without rows better
CREATE TABLE none (ts timestamptz TIME, k text DIMENSION, n bigint MEASURE);
ADVISE SELECT k, sum(n) FROM none GROUP BY 1;
ADVISE (max_layouts 0) SELECT n FROM c;
ADVISE (max_bytes 'many') SELECT n FROM c;
ADVISE (nosuch 1) SELECT n FROM c;
ADVISE (max_bytes '1 MB', MAX_BYTES '2 MB') SELECT n FROM c;
ADVISE INSERT INTO c SELECT * FROM c;
-- the word is no reserved one
CREATE TABLE advise (advise integer); SELECT advise FROM advise; DROP TABLE advise;
-- a single series has no dimensions
CREATE TABLE alone (ts timestamptz TIME NOT NULL, v float8 MEASURE NOT NULL) USING rows;
INSERT INTO alone SELECT '2020-01-01'::timestamptz + make_interval(hours => i), i % 17 FROM generate_series(1, 3000) i;
ADVISE 'SELECT date_trunc(''month'', ts), avg(v) FROM alone GROUP BY 1';
ADVISE 'SELECT sum(v) FROM alone WHERE ts >= ''2020-03-01'' AND ts < ''2020-03-03''';

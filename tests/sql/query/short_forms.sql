-- also: mongo
-- DuckDB's short forms: GROUP BY ALL, ORDER BY ALL, EXCLUDE, REPLACE, RENAME, FROM first, trailing commas.
CREATE TABLE t (ts timestamptz TIME PERIOD '10 min' NOT NULL, host text DIMENSION NOT NULL, app text DIMENSION, n bigint MEASURE NOT NULL, v double precision MEASURE) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (cluster_by = 'host', levels = 'ts, app', presum = 'ts');
INSERT INTO t VALUES ('2024-05-01 00:00+00', 'h1', 'a', 1, 1), ('2024-05-01 00:00+00', 'h1', 'b', 2, 2), ('2024-05-01 00:30+00', 'h2', 'a', 3, 4), ('2024-05-01 01:10+00', 'h2', NULL, 4, NULL), ('2024-05-02 05:00+00', 'h3', 'a', 7, 64), ;
SET TimeZone = 'UTC';
-- GROUP BY ALL groups by the results that have no aggregate and no window call
SELECT host, sum(n) FROM t GROUP BY ALL ORDER BY host;
SELECT upper(host) AS h, app IS NULL, count(*), max(v) FROM t GROUP BY ALL ORDER BY ALL;
SELECT date_trunc('day', ts) AS day, sum(n) * 2 + count(*) FROM t GROUP BY ALL HAVING count(*) > 1;
SELECT host, sum(n), rank() OVER (ORDER BY sum(n) DESC) FROM t GROUP BY ALL ORDER BY ALL;
SELECT 1 AS one, count(*) FROM t WHERE n > 100 GROUP BY ALL;
SELECT count(*) FROM t WHERE n > 100 GROUP BY ALL;
SELECT DISTINCT host FROM t GROUP BY ALL ORDER BY ALL DESC;
SELECT host, (SELECT count(*) FROM t u WHERE u.host = t.host), max(n) FROM t GROUP BY ALL ORDER BY ALL;
-- an aggregate of the query can be in a sub-select
SELECT host, (SELECT max(u.n) + sum(t.n) FROM t u WHERE u.host = t.host) FROM t GROUP BY ALL ORDER BY ALL;
SELECT host, (SELECT sum(t.n)), sum(n) > ALL (SELECT u.n FROM t u WHERE u.host = t.host) FROM t GROUP BY ALL ORDER BY ALL;
SELECT host, (SELECT count(*) FROM t u WHERE u.n > max(t.n)) AS more, min(n) FROM t GROUP BY ALL HAVING min(n) < 7 ORDER BY ALL;
SELECT host, (SELECT sum(t.n)) AS total FROM t GROUP BY host, 2;
SELECT host, (SELECT sum(t.n)) AS total FROM t GROUP BY host, total;
SELECT host, unnest(ARRAY[1, 2]) AS i, count(*) FROM t GROUP BY ALL ORDER BY ALL LIMIT 3;
SELECT * EXCLUDE (ts, app, n) FROM t GROUP BY ALL ORDER BY ALL;
SELECT time_bucket_gapfill('1 day', ts, '2024-05-01', '2024-05-04') AS day, sum(n) FROM t GROUP BY ALL ORDER BY ALL;
SELECT host, sum(n) FROM t GROUP BY ALL host ORDER BY 1;
SELECT host, sum(n) + n FROM t GROUP BY ALL;
SELECT host FROM t GROUP BY ALL, app;
-- ORDER BY ALL
SELECT app, v FROM t ORDER BY ALL;
SELECT app, v FROM t ORDER BY ALL DESC;
SELECT app, v FROM t ORDER BY ALL DESC NULLS LAST LIMIT 3;
SELECT host FROM t UNION SELECT app FROM t ORDER BY ALL NULLS FIRST;
VALUES (2, 'b'), (1, 'z'), (2, 'a') ORDER BY ALL;
SELECT DISTINCT ON (host) host, app FROM t ORDER BY ALL;
SELECT host FROM t ORDER BY ALL, app;
SELECT string_agg(app, ',' ORDER BY ALL) FROM t;
-- EXCLUDE, REPLACE, RENAME
SELECT * EXCLUDE (ts) FROM t ORDER BY n;
SELECT * EXCLUDE ts, host || '!' AS loud FROM t WHERE n = 1;
SELECT * EXCLUDE (ts, app) REPLACE (n * 10 AS n, upper(host) AS host) RENAME (v AS value, host AS h) FROM t WHERE n < 3 ORDER BY n;
SELECT * REPLACE n + 1 AS n EXCLUDE ts FROM t WHERE n = 7;
SELECT t.* EXCLUDE (t.ts, v), x.* RENAME column1 AS c FROM t, (VALUES (1)) x WHERE n = 1;
SELECT * EXCLUDE (a.ts, b.ts, a.v, b.v) FROM t a JOIN t b USING (host, app) WHERE a.n = 1;
SELECT * EXCLUDE (TS, "host", App) FROM t WHERE n = 1;
SELECT * EXCLUDE (ts, app, v) REPLACE (sum(n) AS n) FROM t GROUP BY ALL ORDER BY ALL;
SELECT t.n, x.* FROM t, LATERAL (SELECT t.* EXCLUDE (ts, app, v) REPLACE (t.n + 1 AS n)) x WHERE t.n < 3 ORDER BY 1;
SELECT * EXCLUDE (nn) FROM t;
SELECT * EXCLUDE (x.n) FROM t;
SELECT * REPLACE (1 AS q) FROM t;
SELECT * RENAME (q AS r) FROM t;
SELECT * EXCLUDE (n, n) FROM t;
SELECT * EXCLUDE (n) REPLACE (1 AS n) FROM t;
SELECT * EXCLUDE (n) EXCLUDE (v) FROM t;
SELECT * REPLACE (a.n + 1 AS n) FROM t a, t b;
SELECT * EXCLUDE (ts, host, app, n, v) FROM t;
SELECT n EXCLUDE (v) FROM t;
SELECT count(* EXCLUDE (n)) FROM t;
-- FROM before SELECT
FROM t WHERE n = 1;
FROM t SELECT host, n WHERE n > 2 ORDER BY n DESC LIMIT 2;
FROM t SELECT DISTINCT host ORDER BY ALL;
FROM t a JOIN t b USING (ts, host, app) SELECT count(*);
FROM (FROM t SELECT host, n) s SELECT max(n);
WITH s AS (FROM t SELECT host, sum(n) AS n GROUP BY ALL) FROM s ORDER BY ALL LIMIT 1;
SELECT host FROM t WHERE n = 1 UNION ALL FROM t SELECT app WHERE n = 2;
SELECT EXISTS (FROM t WHERE n = 7), ARRAY(FROM t SELECT n ORDER BY n), n IN (FROM t SELECT max(n)) FROM t WHERE n = 7;
FROM t WHERE n = 1 SELECT host;
-- trailing commas
SELECT host, n, FROM t, WHERE n IN (1, 2,) GROUP BY host, n, ORDER BY host, n, LIMIT 1;
VALUES (1, 2,), (3, 4,), ORDER BY 1 DESC;
CREATE TABLE u (a int, b text,);
INSERT INTO u (a, b,) SELECT n, host, FROM t WHERE n < 3 RETURNING a, b,;
UPDATE u SET a = a + 1, b = b || '.', WHERE a = 1 RETURNING *, ;
SELECT a,, b FROM u;
SELECT a FROM u,, u;
-- in views, whose text stays as it was written, and INSERT
CREATE VIEW w AS FROM t SELECT * EXCLUDE (ts, app, v) REPLACE (sum(n) AS n) GROUP BY ALL ORDER BY ALL DESC NULLS LAST;
SELECT pg_get_viewdef('w');
FROM w;
CREATE TABLE m AS SELECT * RENAME (n AS total, host AS "Host") FROM w;
FROM m ORDER BY ALL;
INSERT INTO u FROM m SELECT total, "Host";
FROM u ORDER BY ALL;
-- the words stay names where PostgreSQL has them as names
CREATE TABLE k (exclude int, replace int, rename int, "all" int, "from" int);
INSERT INTO k (exclude, replace, rename) VALUES (1, 2, 3);
SELECT exclude, replace, rename AS exclude, k.exclude AS "all", replace('abc', 'b', 'x') FROM k GROUP BY exclude, replace, rename;
SELECT 1 exclude, 2 replace, 3 rename;
SELECT k.* exclude, 1 AS x FROM k;
SELECT * EXCLUDE exclude REPLACE (7 AS replace) RENAME rename AS exclude FROM k;
SELECT exclude.exclude FROM k exclude, k replace WHERE exclude.replace = replace.replace;
SELECT 2 * replace('3', '3', '4')::int AS product;

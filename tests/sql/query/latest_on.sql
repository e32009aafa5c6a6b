-- also: mongo
-- LATEST ON, QuestDB's clause: the newest row of each key, as DISTINCT ON gives it.
SET TimeZone = 'UTC';
CREATE TABLE m (ts timestamptz TIME, host text DIMENSION NOT NULL, room text DIMENSION, n bigint MEASURE NOT NULL) USING rows;
INSERT INTO m VALUES ('2020-01-01 00:00+00', 'a', 'x', 1), ('2020-01-01 00:01+00', 'b', 'x', 2), ('2020-01-01 00:31+00', 'a', 'y', 4), ('2020-01-01 02:00+00', 'b', 'x', 8), (NULL, 'a', 'x', 99), (NULL, 'c', 'x', 7);
SELECT * FROM m LATEST ON ts PARTITION BY host ORDER BY host;
SELECT host, room, n FROM m LATEST ON ts PARTITION BY host, room ORDER BY ALL;
SELECT m.n FROM m LATEST ON m.ts PARTITION BY m.host, host ORDER BY n DESC LIMIT 1;
-- WHERE comes first, all other clauses later.
SELECT host, n FROM m WHERE n < 5 LATEST ON ts PARTITION BY host ORDER BY host;
SELECT host, n FROM (SELECT * FROM m LATEST ON ts PARTITION BY host) m WHERE n < 5 ORDER BY host;
SELECT count(*), sum(n), max(ts) FROM m LATEST ON ts PARTITION BY host;
SELECT room, count(*) FROM m LATEST ON ts PARTITION BY host GROUP BY room HAVING count(*) > 1;
SELECT host, rank() OVER (ORDER BY n) FROM m LATEST ON ts PARTITION BY host QUALIFY rank() OVER (ORDER BY n) < 3 ORDER BY 2;
SELECT a.host, b.n FROM m a JOIN m b ON a.host = b.host AND a.ts = b.ts WHERE a.n < 8 LATEST ON b.ts PARTITION BY a.host ORDER BY ALL;
SELECT host, n FROM m WHERE EXISTS (SELECT 1 FROM m x WHERE x.host = m.host AND x.n > m.n) LATEST ON ts PARTITION BY host ORDER BY 1;
SELECT v.h, l.n FROM (VALUES ('a'), ('z')) v (h) LEFT JOIN LATERAL (SELECT n FROM m WHERE host = v.h LATEST ON ts PARTITION BY host) l ON true ORDER BY 1;
-- The same as written out: no rows differ.
WITH l AS (SELECT * FROM m WHERE n < 50 LATEST ON ts PARTITION BY room, host), d AS (SELECT DISTINCT ON (room, host) * FROM m WHERE n < 50 ORDER BY room, host, ts DESC NULLS LAST) (SELECT * FROM l EXCEPT ALL SELECT * FROM d) UNION ALL (SELECT * FROM d EXCEPT ALL SELECT * FROM l);
-- The layout "latest" answers it.
CREATE TABLE loc (userid text DIMENSION NOT NULL, ts timestamptz TIME NOT NULL, cell text NOT NULL, x double precision NOT NULL) USING rows;
ALTER TABLE loc ADD LAYOUT lastknown USING latest WITH (key = 'userid');
INSERT INTO loc VALUES ('ann', '2020-01-01 10:00+00', 'c1', 1), ('ann', '2020-01-01 11:00+00', 'c2', 3), ('bob', '2020-01-01 09:00+00', 'c1', 1);
EXPLAIN (COSTS off) SELECT * FROM loc LATEST ON ts PARTITION BY userid;
SELECT * FROM loc LATEST ON ts PARTITION BY userid ORDER BY userid;
EXPLAIN (COSTS off) SELECT cell FROM loc WHERE userid = 'ann' LATEST ON ts PARTITION BY userid;
SELECT cell FROM loc WHERE userid = 'ann' LATEST ON ts PARTITION BY userid;
CREATE VIEW newest AS SELECT userid, cell FROM loc WHERE x > 0 LATEST ON ts PARTITION BY userid;
SELECT pg_get_viewdef('newest'::regclass);
SELECT * FROM newest WHERE userid = 'bob';
SELECT ts, count(*) FROM (SELECT * FROM loc LATEST ON ts PARTITION BY userid) l SAMPLE BY 1d;
-- The word stays a name.
SELECT latest.host FROM m JOIN m latest ON latest.n = m.n WHERE m.n = 1;
SELECT 1 latest ORDER BY latest;
-- what is not to be
SELECT * FROM m LATEST ON ts;
SELECT * FROM m LATEST ON ts PARTITION BY upper(host);
SELECT * FROM m LATEST ON date_trunc('day', ts) PARTITION BY host;
SELECT * FROM m LATEST ON tss PARTITION BY host;
SELECT * FROM m LATEST ON ts PARTITION BY host WHERE n > 1;
SELECT * FROM m ORDER BY ts LATEST ON ts PARTITION BY host;
SELECT ts, sum(n) FROM m LATEST ON ts PARTITION BY host SAMPLE BY 1h;
SELECT count(*) FROM m WHERE count(*) > 1 LATEST ON ts PARTITION BY host;

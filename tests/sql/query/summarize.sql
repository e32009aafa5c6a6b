-- also: mongo
-- SUMMARIZE, DESCRIBE and SHOW TABLES, as statements and as queries.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 h' NOT NULL, k text DIMENSION NOT NULL, n int MEASURE, v double precision MEASURE, b boolean, m numeric(10,2), d date, l timestamp, i interval, o time, a int[], j jsonb) USING rows;
INSERT INTO t VALUES ('2024-01-01', 'a', 1, 1.5, true, 1.5, '2024-01-01', '2024-01-01', '1 h', '10:00', '{1,2}', '{"a": 1}'), ('2024-01-02', 'b', 2, 2.5, false, 2.5, '2024-01-03', '2024-01-02', '60 min', '11:00', '{1,3}', NULL), ('2024-01-04', 'c', NULL, 'NaN', NULL, 3, '2024-01-04', NULL, NULL, NULL, NULL, NULL);
SET TimeZone = 'UTC';
SUMMARIZE t;
SUMMARIZE SELECT n, v FROM t WHERE n > 1;
SUMMARIZE FROM t SELECT n AS "It's";
SUMMARIZE VALUES (1, 'x'), (2, NULL);
SUMMARIZE SELECT n, v, ts, k FROM t WHERE n > 5;
DESCRIBE t;
CREATE TABLE p (id bigint PRIMARY KEY, note text DEFAULT 'it''s', x numeric(5,1));
ALTER TABLE p ADD COLUMN y int;
DESCRIBE p;
DESCRIBE SELECT id, note || '.' AS note, x * 2, count(*) OVER () FROM p;
CREATE VIEW w AS SELECT 1 AS one;
SHOW TABLES;
SELECT schema, name, column_names, column_types, temporary FROM (SHOW ALL TABLES) s;
-- in FROM, WITH, views, INSERT, COPY, EXECUTE
FROM (SUMMARIZE t) s SELECT column_name, q50 WHERE column_type = 'integer';
SELECT column_name FROM (DESCRIBE SELECT n, v FROM t) d ORDER BY 1;
SELECT count(*) FROM (SHOW TABLES) x WHERE name = 'w';
WITH s AS (SUMMARIZE t) SELECT max(count) FROM s;
CREATE VIEW summary AS SUMMARIZE SELECT n FROM t;
SELECT pg_get_viewdef('summary');
FROM summary;
INSERT INTO p (id, note) SELECT count, column_name FROM (SUMMARIZE SELECT n FROM t) s RETURNING *;
COPY (DESCRIBE p) TO STDOUT;
PREPARE q AS SUMMARIZE SELECT n FROM t WHERE n >= $1;
EXECUTE q (2);
-- errors
DESCRIBE nosuch;
SUMMARIZE SELECT nosuch FROM t;
SUMMARIZE;
DESCRIBE SELECT;
SUMMARIZE t WHERE n = 1;
SHOW TABLES LIKE 'x';
SHOW tables.x;
-- the words stay names where PostgreSQL has them as names
CREATE TABLE summarize (describe int, tables int);
INSERT INTO summarize (describe, tables) VALUES (1, 2);
SELECT describe, tables AS summarize FROM summarize GROUP BY describe, tables ORDER BY describe;
SELECT count(*) FROM (summarize s CROSS JOIN summarize describe);
SUMMARIZE "summarize";
SET "show" = 1;

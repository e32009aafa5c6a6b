-- also: mongo
-- enumerated types: layouts, COPY, errors and notices of mtsql's own
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE m (at timestamptz TIME NOT NULL, who text DIMENSION NOT NULL, mood mood DIMENSION, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE m ADD LAYOUT packed USING nested WITH (cluster_by = 'who', levels = 'at, mood', presum = 'at');
INSERT INTO m SELECT timestamptz '2024-05-01' + x * interval '7 min', chr(97 + x % 3), (enum_range(NULL::mood))[1 + x % 4], x FROM generate_series(0, 199) x;
INSERT INTO m VALUES ('2024-05-03', 'z', 'cross', 1);
SET layout = 'rows';
SELECT mood, count(*), sum(n) FROM m GROUP BY mood ORDER BY mood;
SELECT who, min(mood), max(mood) FROM m WHERE mood > 'sad' GROUP BY who ORDER BY who;
SELECT at, mood FROM m ORDER BY mood DESC NULLS LAST, at LIMIT 3;
SELECT sum(n) FROM m WHERE mood < 'happy';
SET layout = 'packed';
SELECT mood, count(*), sum(n) FROM m GROUP BY mood ORDER BY mood;
SELECT who, min(mood), max(mood) FROM m WHERE mood > 'sad' GROUP BY who ORDER BY who;
SELECT at, mood FROM m ORDER BY mood DESC NULLS LAST, at LIMIT 3;
SELECT sum(n) FROM m WHERE mood < 'happy';
RESET layout;
UPDATE m SET mood = 'happy' WHERE mood = 'ok' AND who = 'a';
DELETE FROM m WHERE mood >= 'ok' AND who = 'b';
SELECT who, mood, count(*) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
CHECK TABLE m;
-- the new value is in the order at once
ALTER TYPE mood ADD VALUE 'meh' AFTER 'sad';
INSERT INTO m VALUES ('2024-05-03', 'z', 'meh', 1000);
SELECT mood, max(n) FROM m GROUP BY mood ORDER BY mood;
-- COPY
CREATE TABLE c (m mood, l mood[]);
COPY c FROM STDIN;
sad	{ok,meh}
happy	\N
\.
COPY c FROM STDIN;
cross	\N
\.
COPY (SELECT * FROM c ORDER BY m DESC) TO STDOUT (FORMAT csv);
-- keys
CREATE TABLE k (m mood PRIMARY KEY, n integer);
INSERT INTO k VALUES ('ok', 1), ('sad', 2);
INSERT INTO k VALUES ('ok', 3) ON CONFLICT (m) DO UPDATE SET n = excluded.n;
SELECT * FROM k ORDER BY m;
-- errors
SELECT upper(m) FROM c;
SELECT enum_first(1);
SELECT m < ANY (l) FROM c;
ALTER TYPE mood ADD VALUE 'meh';
ALTER TYPE mood ADD VALUE 'x' BEFORE 'y';
ALTER TYPE mood RENAME VALUE 'meh' TO 'soso';
ALTER TYPE nothing ADD VALUE 'x';
ALTER TYPE int4 ADD VALUE 'x';
ALTER TYPE other.mood ADD VALUE 'x';
ALTER TYPE mood OWNER TO me;
ALTER TYPE mood SET SCHEMA s;
ALTER TYPE mood ADD ATTRIBUTE a integer;
DROP TYPE mood;
DROP TYPE mood CASCADE;
DROP TABLE m, c, k;
CREATE VIEW v AS SELECT 'ok'::mood;
ALTER TYPE mood RENAME TO feeling;
DROP TYPE mood;
DROP VIEW v;
CREATE TABLE d (t text DEFAULT 'ok'::mood::text);
DROP TYPE mood;
DROP TABLE d;
CREATE FUNCTION f (mood) RETURNS integer AS 'SELECT 1' LANGUAGE sql;
CREATE TYPE mood AS ENUM ('a');
CREATE TYPE text AS ENUM ('a');
CREATE TYPE other.x AS ENUM ('a');
CREATE TYPE twice AS ENUM ('a', 'a');
CREATE TYPE long AS ENUM ('0123456789012345678901234567890123456789012345678901234567890123');
CREATE TYPE pair AS (a integer, b integer);
CREATE TYPE span AS RANGE (subtype = float8);
CREATE TYPE shell;
\dT
\dT+
DROP TYPE mood;
\dT
SELECT NULL::mood;
-- an attached collection
CREATE TABLE t (m text) USING rows WITH (collection = 'enums_attached');
INSERT INTO t VALUES ('a');
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE u (m mood) USING rows WITH (collection = 'enums_attached');

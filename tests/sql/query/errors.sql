-- Errors: a place, PostgreSQL's wording, and a hint where something can be done.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s', vAppid text DIMENSION, totalCount bigint MEASURE) USING rows;
SELECT totalcont FROM calls;
SELECT totalCount FROM cals;
SELECT coutn(*) FROM calls;
SELECT sum(vAppid) FROM calls;
SELECT totalCount FORM calls;
SELECT * FROM calls WHERE;
SELECT * FROM calls WHERE totalCount > 1);
SELECT 'unclosed FROM calls;
';
SELECT vAppid + 1 FROM calls;
SELECT * FROM calls WHERE vAppid = 5;
SELECT * FROM calls WHERE totalCount;
SELECT * FROM calls WHERE ts > 'next tuesday';
SELECT calls.x.y FROM calls;
SELECT x.ts FROM calls;
SELECT 1
FROM calls
WHERE vAppid = 'a' AND
      nosuch > 3;
CREATE TABLE calls (a int);
CREATE TABLE bad (ts timestamptz TIME, ts text DIMENSION) USING rows;
CREATE TABLE bad (a int MEASURE) USING nestd;
CREATE TABLE bad (ts timestamptz TIME, a int MEASURE) USING rows WITH (colection = 'x');
CREATE TABLE bad (ts timestamptz TIME, a int MEASURE) USING nested WITH (cluster_by = 'b');
CREATE TABLE bad (ts timstamptz TIME) USING rows;
DROP TABLE nosuch;
ALTER TABLE calls DROP LAYOUT nosuch;
ALTER TABLE nosuch ADD LAYOUT x USING rows;
INSERT INTO calls VALUES (1, 2);
INSERT INTO calls (ts, nosuch) VALUES ('2015-01-01', 2);
INSERT INTO calls VALUES ('2015-01-01 00:00:30+00', 'a', 1);
SET layout = 'nosuch';
SELECT count(*) FROM calls;
RESET layout;
SET nosuch = 1;
SET timezone = 'Nowhere';
SELECT U&'!0041' UESCAPE '!';
SELECT U&'\00g1';
SELECT ts FROM calls LIMIT -1;
SELECT VAPPID, totalcount FROM CALLS;
SELECT "VAPPID" FROM calls;
SELECT * FROM calls, calls b;
WITH x AS (SELECT 1) SELECT * FROM x;
SELECT count(*) IGNORE NULLS OVER () FROM calls;
SELECT * FROM calls WHERE vCmdid IN (SELECT vCmdid, vAppid FROM calls);
SELECT totalCount IN (SELECT 'x') FROM calls;
SELECT count(*) FROM calls a WHERE totalCount = (SELECT max(totalCount) FROM calls b WHERE b.vAppid = a.vAppid);
SELECT (SELECT FROM calls);
-- Joins: the place, where PostgreSQL says none.
CREATE TABLE a (id integer, x text);
CREATE TABLE b (id integer, y text);
SELECT x FROM a JOIN b USING (nope);
SELECT x FROM a JOIN b USING (y);
SELECT * FROM a, a;
SELECT * FROM (a JOIN b USING (id)) AS t (p, q, r, s, t, u);
SELECT * FROM a JOIN b USING (id, id);
-- Functions that give sets.
SELECT unnest(x) FROM a;
SELECT * FROM generate_series('2020-01-01', '2020-01-02', '1h');
SELECT * FROM generate_series(1, 3, 1, 1);
-- A stored value of another type says so, whoever reads it.
CREATE TABLE o (ts timestamptz TIME, n integer MEASURE) USING rows;
CREATE TABLE o2 (ts timestamptz TIME, n text) USING rows WITH (collection = 'o');
INSERT INTO o2 VALUES ('2020-01-02', 'bad');
ALTER TABLE o ADD COLUMN q integer DEFAULT 1;
SELECT * FROM o;
-- RETURNING with other tables.
CREATE TABLE own (k text, n integer);
INSERT INTO own VALUES ('a', 1);
UPDATE own SET n = 2 FROM (SELECT 'a' AS g) u WHERE k = g RETURNING *;
UPDATE own SET n = 2 FROM (SELECT 'a' AS g) u WHERE k = g RETURNING own.*;
UPDATE own SET n = 3 RETURNING *;
-- What is assigned to, by names that aren't columns.
CREATE TABLE named (id integer, word text);
UPDATE named SET named.id = 1;
UPDATE named n SET n.id = 1;
UPDATE named SET wrd = 'a';
UPDATE named SET word.x = 'a';
INSERT INTO named (idd) VALUES (1);
-- What RETURNING can't give.
CREATE TABLE other (id integer, w text);
UPDATE named SET word = 'x' FROM other WHERE other.id = named.id RETURNING named.id, other.w;
UPDATE named SET word = 'x' FROM other WHERE other.id = named.id RETURNING upper(w);
UPDATE named SET word = 'x' FROM other WHERE other.id = named.id RETURNING ww;
DELETE FROM named USING other WHERE other.id = named.id RETURNING nobody.w;
CREATE TABLE twice (a integer, b integer, PRIMARY KEY (a, b, a));
SELECT get_byte('\x0102'::bytea, 1::bigint);
CREATE TABLE nothing ();
-- What is quoted ends with a whole character.
SELECT ('2024-01-01 ' || repeat('ä', 120))::timestamptz;

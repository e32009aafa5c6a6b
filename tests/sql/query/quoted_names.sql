-- also: postgres mongo
-- a quoted name without capitals is what PostgreSQL makes of one without quotes
CREATE TABLE Made (Abc integer, "Def" integer, ghi integer);
INSERT INTO "made" ("abc", "Def", "ghi") VALUES (1, 2, 3), (4, 5, 6);
SELECT "abc", "made"."ghi", "Def" FROM "made" ORDER BY "abc";
SELECT m."abc" AS x FROM made AS M WHERE "m"."abc" > 1 ORDER BY "x";
SELECT "m"."abc" FROM made AS M ORDER BY "m"."abc" DESC LIMIT 1;
SELECT "abc", count(*) FROM made GROUP BY "abc" ORDER BY 1;
SELECT sum("s"."abc") AS total FROM (SELECT Abc FROM made) AS S;
WITH Q AS (SELECT Abc AS Other FROM made) SELECT "q"."other" FROM "q" ORDER BY "other";
UPDATE "made" SET "abc" = "abc" + 10 WHERE "ghi" = 3 RETURNING "abc";
DELETE FROM "made" WHERE "abc" = 4;
SELECT sum("abc") OVER "w" AS s FROM made WINDOW W AS (ORDER BY "abc");
SELECT "l"."abc" FROM made AS L JOIN made AS R USING ("abc");
SELECT count(*) FROM made AS a NATURAL JOIN (SELECT Abc AS abc FROM made) AS b;
SELECT count(*) FROM (SELECT Abc AS abc FROM made) AS b NATURAL JOIN made AS a;
-- with capitals it is that name alone
SELECT "Def" FROM made;
\set VERBOSITY terse
SELECT "DEF" FROM made;
SELECT "Abd" FROM made;
SELECT "abc" FROM "mADE";
\set VERBOSITY default
SELECT 1 AS "A", 2 AS "a" ORDER BY "a", "A";
SELECT "a"."x", "A"."x" FROM (VALUES (1)) AS "A" (x), (VALUES (2)) AS "a" (x);
SELECT "x", "X" FROM (VALUES (1, 2)) AS t ("X", "x");
WITH "A" AS (SELECT 1 AS one), "a" AS (SELECT 2 AS two) SELECT * FROM "a", "A";
SELECT "a"."b" FROM (SELECT 1 AS "B", 2 AS "b") AS "a" WHERE "B" = 1;
CREATE TABLE "Two" ("abc" integer, "Abc" integer);
INSERT INTO "Two" ("Abc", "abc") VALUES (7, 8);
SELECT "abc", "Abc" FROM "Two";
CREATE TABLE "two" ("b" integer);
SELECT * FROM "two";
SELECT "abc" FROM "Two";
DROP TABLE "two";
DROP TABLE "Two";
ALTER TABLE "made" RENAME "abc" TO "xyz";
SELECT "xyz" FROM "made";
ALTER TABLE "made" DROP COLUMN "ghi";
CREATE VIEW Seen AS SELECT "xyz" FROM made;
SELECT "xyz" FROM "seen";
DROP VIEW "seen";
DROP TABLE "made";
SELECT * FROM made;
-- characters by their code points, in names and in texts
SELECT U&"\0061bc", m.u&"\+000044ef" FROM (VALUES (1, 2)) AS m (abc, "Def");
SELECT U&'d\0061t\+000061 \\ it''s \D83D\DE00' AS x, u&'a'
   'b\0063' AS y, U&'' AS z;

-- the names of schema, table, column and constraint in errors, as \set VERBOSITY verbose shows them
\set VERBOSITY verbose
CREATE TABLE room (id int PRIMARY KEY, name text NOT NULL, size int CONSTRAINT positive CHECK (size > 0), UNIQUE (name));
INSERT INTO room VALUES (1, 'attic', 5);
INSERT INTO room VALUES (1, 'cellar', 5);
INSERT INTO room VALUES (2, 'attic', 5);
INSERT INTO room VALUES (2, NULL, 5);
INSERT INTO room VALUES (2, 'cellar', -1);
UPDATE room SET size = 0;
COPY room FROM STDIN;
1	hall	1
\.
ALTER TABLE room ADD CONSTRAINT large CHECK (size > 10);
INSERT INTO room VALUES (2, 'cellar', NULL);
ALTER TABLE room ALTER size SET NOT NULL;
CREATE SCHEMA "old house";
CREATE TABLE "old house".room (id int PRIMARY KEY);
INSERT INTO "old house".room VALUES (1), (1);
CREATE TEMPORARY TABLE tent (id int NOT NULL);
INSERT INTO tent VALUES (NULL);
CREATE DOMAIN percent AS int CONSTRAINT range CHECK (VALUE BETWEEN 0 AND 100);
SELECT 101::percent;
SELECT 1 / 0;
\errverbose

-- Keys of several rows at once, in the order of labels that is not that of texts.
CREATE TYPE backwards AS ENUM ('z', 'b');
CREATE TABLE keyed (id int, e backwards UNIQUE);
INSERT INTO keyed VALUES (1, 'z');
INSERT INTO keyed VALUES (2, 'b'), (3, 'z');
COPY keyed FROM STDIN;
2	b
3	z
\.
UPDATE keyed SET e = 'b';
INSERT INTO keyed VALUES (2, 'z');
SELECT * FROM keyed ORDER BY e;

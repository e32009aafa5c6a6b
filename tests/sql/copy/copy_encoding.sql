-- also: postgres mongo
-- Files in other encodings than UTF-8, by PostgreSQL's names for them.
CREATE TABLE e (k integer, s text);
\copy e FROM 'data/win1252.csv' WITH (FORMAT csv, HEADER, ENCODING 'WIN1252')
SELECT k, s, length(s) FROM e ORDER BY k;
DELETE FROM e;
\copy e FROM 'data/win1252.csv' WITH (FORMAT csv, HEADER, ENCODING 'windows-1252')
SELECT count(*), sum(octet_length(s)) FROM e;
DELETE FROM e;
\copy e FROM 'data/win1252.csv' WITH (FORMAT csv, HEADER, ENCODING 'Latin 9')
SELECT k, s FROM e WHERE k = 1;
DELETE FROM e;
\copy e FROM 'data/koi8r.txt' WITH (ENCODING 'KOI8-R')
SELECT k, s FROM e ORDER BY k;
DELETE FROM e;
-- Bytes of a character that look like quotes and delimiters of another are none.
\copy e FROM 'data/sjis.csv' WITH (FORMAT csv, ENCODING 'SJIS')
SELECT k, s FROM e ORDER BY k;
DELETE FROM e;
-- What isn't so encoded.
\copy e FROM 'data/undefined.csv' WITH (FORMAT csv, ENCODING 'WIN1252')
\copy e FROM 'data/cut.csv' WITH (FORMAT csv, ENCODING 'EUC_JP')
SELECT count(*) FROM e;
-- Out again.
INSERT INTO e VALUES (1, 'Größe 5 €'), (2, 'Ω');
COPY (SELECT s FROM e WHERE k = 2) TO STDOUT WITH (ENCODING 'WIN1252');
COPY (SELECT k FROM e ORDER BY k) TO STDOUT WITH (ENCODING 'WIN1252');

-- Extensions: functions in C over constants and over rows, for the session and in the catalog.
LOAD 'example';
SELECT word_count('to be or not');
SELECT s, word_count(s) FROM (VALUES ('a b'), ('c'), (NULL)) v(s) ORDER BY 1;
CREATE FUNCTION words (t text) RETURNS integer LANGUAGE c IMMUTABLE STRICT AS 'example', 'word_count';
CREATE FUNCTION words_or_null (t text) RETURNS integer LANGUAGE c IMMUTABLE STRICT AS 'example.so', 'word_count';
SELECT s, words(s), words_or_null(s) FROM (VALUES ('a b'), ('c'), (NULL)) v(s) WHERE words(s) IS NULL OR words(s) > 1 ORDER BY 1;
-- not there
LOAD 'nothing';
CREATE FUNCTION nothing (t text) RETURNS integer LANGUAGE c AS 'example', 'nothing';
CREATE TABLE t (i int);
COPY t FROM 'data/forced.csv' WITH (FORMAT example);
COPY t FROM 'data/forced.csv' WITH (FORMAT nothing);

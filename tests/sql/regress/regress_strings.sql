-- also: mongo postgres
-- Text in its breadth.
SELECT 'first line'
' - next line'
   ' - third line' AS "Three lines to one";
SELECT 'it''s', E'tab\there', E'\x41\u00e4\101', $$a'b$$, $q$it's $$ nested$q$, '', 'back\slash';
SELECT trim('  x '), trim(LEADING FROM '  x '), trim(BOTH 'xy' FROM 'yxtomyx'), trim('abc' , 'ac'), btrim('xyxtrimyyx', 'xyz'), ltrim('zzzytest', 'xyz'), rtrim('testxxzx', 'xyz');
SELECT substring('1234567890' FROM 3), substring('1234567890' FROM 4 FOR 3), substring('abc' FROM -2 FOR 4), substring('abc' FROM 5), substr('alphabet', 3, 2), substring('foobar' FROM 'o(.)b'), substring('foobar', 'z');
SELECT overlay('abcdef' PLACING '45' FROM 4), overlay('yabadoo' PLACING 'daba' FROM 5 FOR 0), position('bc' IN 'abcbc'), strpos('', ''), left('abcde', 2), left('abcde', -2), right('abcde', 2), right('abcde', -2);
SELECT lower('TRÜB'), upper('straße'), initcap('hi THOMAS o''neil-x'), length('日本'), octet_length('日本'), bit_length('ä'), reverse('añb'), repeat('Pg', 3), repeat('x', 0), repeat('x', -1);
SELECT lpad('hi', 5, 'xyz'), lpad('hello', 2), rpad('hi', 5, 'xyz'), rpad('hi', 1), replace('abcabc', 'b', ''), translate('12345', '143', 'ax'), split_part('a,b,c', ',', 2), split_part('a,b,c', ',', -1), split_part('a', ',', 3), ascii('ä'), chr(228), to_hex(255), md5('');
SELECT concat('a', NULL, 1, true), concat_ws('-', 'a', NULL, '', 2), format('%s|%5s|%-5s|%I|%L|%%|%1$s', 'x', 'y', 'z', 'a b', 'q''r'), quote_ident('Foo'), quote_literal('o''r'), quote_nullable(NULL), starts_with('abc', 'ab');
SELECT 'a' || 'b' || 3, NULL || 'x', 'x' || true, 'a' || 1.50, 'x' || NULL IS NULL;
SELECT 'hawkeye' LIKE 'h%', 'hawkeye' NOT LIKE 'H%', 'indio' LIKE 'in__o', 'h%' LIKE 'h#%' ESCAPE '#', 'a\b' LIKE 'a\\b', 'abc' LIKE 'abc_', '' LIKE '%', 'aXb' ILIKE 'AxB', 'ä' ILIKE 'Ä', 'a%c' LIKE 'a%%c' ESCAPE '%';
SELECT 'abc' ~ 'b', 'abc' ~* 'B', 'abc' !~ '^b', 'abc' !~* 'X', 'foo.bar' ~ 'o\.b', 'abc' SIMILAR TO 'abc', 'abc' SIMILAR TO '_b_', 'abc' SIMILAR TO '%(b|d)%', 'abc' SIMILAR TO '(b|c)%', 'abcd' NOT SIMILAR TO '[a-c]+';
SELECT regexp_replace('foobarbaz', 'b..', 'X'), regexp_replace('foobarbaz', 'b..', 'X', 'g'), regexp_replace('foobarbaz', 'b(..)', 'X\1Y', 'g'), regexp_replace('A1b2', '[0-9]', '', 'g'), regexp_count('banana', 'an'), regexp_instr('abcabc', 'c', 1, 2), regexp_substr('foobar', 'o+'), regexp_like('Foo', 'foo', 'i');
SELECT 'abc' < 'abd', 'Z' < 'a', 'a' < 'ab', '' < 'a', 'ä' > 'z', 'abc' = 'abc ', 'a'::varchar = 'a', 'x' BETWEEN 'a' AND 'z', 'b' IN ('a', 'b');
SELECT 'abcdef'::varchar(3), CAST('toolong' AS varchar(4)), 'x'::text, pg_typeof('a' || 'b'), pg_typeof(left('x', 1)), 'true'::boolean, ' 42 '::integer, '1.50'::numeric;
SELECT encode('\x0102ff', 'hex'), encode('abc', 'base64'), decode('616263', 'hex'), convert_from('\xc3a4', 'UTF8'), convert_to('ä', 'UTF8'), '\x616263'::bytea, E'a\\000b'::bytea, length('\x0102'::bytea), get_byte('\x0102', 1), sha256('a');
CREATE TABLE st (id integer, s text, v varchar(6));
INSERT INTO st VALUES (1, 'apple', 'red'), (2, 'Banana', ''), (3, 'cherry pie', NULL), (4, NULL, 'blue'), (5, 'äpfel', 'red'), (6, '100%', 'a_b'), (7, '', 'x');
SELECT id, upper(s), length(s), left(s, 2) || '…', coalesce(v, '-'), s || v FROM st ORDER BY id;
SELECT s FROM st ORDER BY s;
SELECT s FROM st ORDER BY lower(s) DESC NULLS LAST;
SELECT id FROM st WHERE s LIKE '%\%' OR v LIKE 'a\_%' ORDER BY id;
SELECT id FROM st WHERE s ~ '^[a-zä]' ORDER BY id;
SELECT id FROM st WHERE s NOT LIKE 'a%' ORDER BY id;
SELECT id FROM st WHERE s = '' OR v = '' ORDER BY id;
SELECT v, count(*), string_agg(s, '+' ORDER BY s) FROM st GROUP BY v ORDER BY v;
SELECT max(s), min(s), count(DISTINCT v) FROM st;
SELECT id FROM st WHERE position('pp' IN s) > 0 OR right(s, 1) = 'l' ORDER BY id;
SELECT split_part(s, ' ', 1) AS first, count(*) FROM st GROUP BY 1 ORDER BY 1;
SELECT id FROM st WHERE s > 'a' AND s < 'b' ORDER BY id;
INSERT INTO st VALUES (8, 'x', 'six   ') RETURNING v || '|';
SELECT substring('abc' FROM 2 FOR -1);
SELECT chr(0);
SELECT 'a' + 'b';
SELECT 'abc' ~ '(';
SELECT decode('zz', 'hex');
SELECT '\xzz'::bytea;
SELECT split_part('a', ',', 0);
SELECT format('%z', 1);
SELECT format('%s');
SELECT repeat('x', 2000000000);
-- Patterns of LIKE that end in their escape character: an error where the text goes on there.
CREATE TABLE words (id integer, word text);
INSERT INTO words VALUES (1, 'ab'), (2, NULL);
SELECT id FROM words WHERE word LIKE 'a\';
SELECT id FROM words WHERE word NOT LIKE '%\';
SELECT word LIKE '_\' FROM words;
SELECT word ILIKE 'A%\' FROM words;
SELECT id FROM words WHERE word LIKE 'a!' ESCAPE '!';
SELECT id, word LIKE 'ab\', word LIKE '%b\', word NOT LIKE 'x_\' FROM words ORDER BY id;
SELECT id FROM words WHERE word LIKE 'ab\';
SELECT id FROM words WHERE word NOT LIKE 'ab\';
SELECT id FROM words WHERE word LIKE 'a\b';
DROP TABLE words;

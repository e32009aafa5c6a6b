-- also: postgres
-- Scalar expressions without a table: PostgreSQL's answers.
SELECT 1 + 1, 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7.0 / 2, 2 ^ 10, 1 - -1;
SELECT 10 / 4.0 AS numeric, 10 / 4::double precision AS double, 1e3, 0.1 + 0.2, 0.1::float8 + 0.2::float8;
SELECT abs(-5), round(2.5), round(-2.5), round(2.345, 2), floor(-1.5), ceil(-1.5), sign(-3), mod(10, 3), power(2, 3), sqrt(16);
SELECT 9223372036854775807 AS most, -9223372036854775808 AS least, 9007199254740993 AS beyond_double;
SELECT 9223372036854775807 + 1;
SELECT 1 / 0;
SELECT 1 % 0;
SELECT sqrt(-1);
SELECT ln(0);
SELECT true AND NULL, false AND NULL, true OR NULL, false OR NULL, NOT NULL::boolean;
SELECT NULL = NULL, NULL <> 1, NULL IS NULL, 1 IS NOT NULL, NULL IS DISTINCT FROM 1, NULL IS NOT DISTINCT FROM NULL;
SELECT 1 IN (1, 2), 3 IN (1, 2), 3 IN (1, NULL), 1 IN (1, NULL), 3 NOT IN (1, NULL), NULL IN (1);
SELECT 5 BETWEEN 1 AND 10, 5 NOT BETWEEN 1 AND 10, 5 BETWEEN 10 AND 1, NULL BETWEEN 1 AND 2;
SELECT 'abc' LIKE 'a%', 'abc' LIKE '_b_', 'abc' LIKE 'b', 'a%c' LIKE 'a\%c', 'axc' LIKE 'a\%c', 'ABC' ILIKE 'abc', 'a.c' LIKE 'a.c', 'abc' LIKE 'a.c', NULL LIKE 'a';
SELECT 'line
feed' LIKE '%e_f%', '' LIKE '', '' LIKE '%', 'a' NOT LIKE 'b', 'a$b' LIKE 'a$b';
SELECT CASE WHEN 1 > 2 THEN 'a' WHEN 2 > 1 THEN 'b' ELSE 'c' END, CASE 3 WHEN 1 THEN 'one' END, CASE WHEN NULL THEN 1 ELSE 2 END;
SELECT coalesce(NULL, NULL, 3), nullif(1, 1), nullif(1, 2), greatest(1, NULL, 3), least(2, 1);
SELECT upper('abc'), lower('ABC'), length('héllo'), 'a' || 'b' || NULL, concat('a', NULL, 'b', 1), substring('hello' FROM 2 FOR 3), substr('hello', -1, 4);
SELECT left('hello', 2), right('hello', 2), left('hello', -2), trim('  x  '), ltrim('xxa', 'x'), rtrim('axx', 'x'), replace('aaa', 'a', 'b'), strpos('hello', 'l'), lpad('7', 3, '0'), rpad('ab', 4, 'xy'), repeat('ab', 3), reverse('abc');
SELECT '12'::int, ' 42 '::bigint, '1.50'::numeric, '1e2'::float8, 12::text, 1.5::int, 2.5::int, -2.5::int, 't'::boolean, 'off'::boolean, 1::boolean;
SELECT CAST('2015-04-11' AS date), CAST('abc' AS varchar(2)), 3.14159::numeric(4, 2);
SELECT 'abc'::int;
SELECT '99999999999'::int;
SELECT 'maybe'::boolean;
SELECT 'abc' > 5;
SELECT 'a' < 'B', 'a' < 'b', '10' < '9', '' < 'a', 'Z' < 'a';
SELECT 1 = 1.0, 0.1 = 0.10, 1::float8 = 1, 'a' = 'A';
SELECT 'Infinity'::float8, '-Infinity'::float8, 'NaN'::float8, 'NaN'::float8 = 'NaN'::float8, 'NaN'::float8 > 1e300;
SELECT 1e-5::float8, 1e15::float8, 1e16::float8, 123456789.123::float8, 1.0::float8, -0.0::float8;
SELECT 'it''s', '$x', '${y}', E'tab\there', 'back\slash', $$dollar 'quoted'$$, $tag$a $$ b$tag$;
SELECT 1 AS "Mixed Case", 2 AS b, 3 "c";
SELECT 2 + 3 * 4, (2 + 3) * 4, -2 ^ 2, NOT true = false, 1 < 2 AND 2 < 3;
-- What fails while rows are read says so in SQL's words.
CREATE TABLE zero (a integer, b bigint, c numeric, d double precision);
INSERT INTO zero VALUES (1, 1, 1, 1);
SELECT 1 / (a - 1) FROM zero;
SELECT 1 % (b - 1) FROM zero;
SELECT 1 / (c - 1) FROM zero;
SELECT 1 / (d - 1) FROM zero;
SELECT sum(1 / (a - 1)) FROM zero;

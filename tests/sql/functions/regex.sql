-- also: postgres mongo
-- Regular expressions: where lines begin and end
SELECT regexp_replace(E'a\nb\n', '^', '>', 'gn') AS a, regexp_replace(E'\n\n', '^', '>', 'gw') AS b, regexp_replace(E'a\nb\n', '^', '>', 'g') AS c, regexp_replace(E'a\nb\n', '$', '<', 'gn') AS d;
SELECT regexp_count(E'a\nb\n', '^', 1, 'n') AS a, regexp_count(E'a\nb\n', '^', 1, 'p') AS b, regexp_count(E'\n', '^$', 1, 'w') AS c, regexp_count(E'a\nb\n', '\A|\Z', 1, 'n') AS d;
SELECT regexp_matches(E'a\nb\n', '^.?', 'gn');
SELECT regexp_split_to_array(E'a\n', '.$|b', 'n') AS a, regexp_replace(E'a\r\nb\r\n', 'x|[^a]?$', '[\&]', 2, 1, 'w') AS b, regexp_match(E'ba\nab', '(?w)(?:b|ba)$') AS c;
-- What a newline isn't matched by
SELECT E'a\nb' ~ 'a.b' AS a, regexp_like(E'a\nb', 'a.b', 'n') AS b, regexp_like(E'a\nb', 'a[^x]b', 'n') AS c, regexp_like(E'a\nb', 'a[^x]b', 'p') AS d, regexp_like(E'a\nb', 'a[^x]b', 'w') AS e, regexp_like(E'a\nb', 'a\Db', 'n') AS f, regexp_like(E'a\nb', 'a[^\d]b', 'n') AS g, E'a\nb' ~ '(?m)a[^]x]b' AS h;
-- What a pattern begins with
SELECT 'a.c' ~ '***=a.c' AS a, 'abc' ~ '***=a.c' AS b, 'abc' ~ '***:a.c' AS c, 'A+' ~ '(?iq)a+' AS d, 'ab' ~ '(?x) a b # no more' AS e, 'ab' ~ 'a(?#then)b' AS f;
SELECT 'a' ~ '***a';
SELECT 'a' ~ '(?z)a';
-- References and characters by number
SELECT 'aa' ~ '(a)\1' AS a, E'a\x0a' ~ 'a\12' AS b, E'aA' ~ 'a\101' AS c, 'aA' ~ 'a\x41' AS d, 'aé' ~ 'a\u00e9' AS e, E'a\1' ~ 'a\01' AS f, 'abbb' ~ '^(a)(b)\2\2$' AS g;
SELECT 'a' ~ '^\1|$()';
SELECT 'a' ~ '(a\1)';
SELECT 'aa' ~ '(a)(?=\1)';
-- Groups: none within lookarounds, and all of the match where there are none
SELECT regexp_match('abc', '(?=(a))(ab)(?<=(b))(c)') AS a, regexp_substr('xaby', 'ab', 1, 1, '', 1) AS b, regexp_instr('xaby', 'ab', 1, 1, 1, '', 1) AS c, regexp_substr('xaby', 'ab', 1, 1, '', 2) AS d, regexp_match('aab', '(a|aa)(b|ab)?') AS e;
-- Brackets
SELECT 'a-z' ~ '^[a-]+z$' AS a, ']' ~ '[]]' AS b, '^' ~ '[a^]' AS c, '-' ~ '[--/]' AS d, '\' ~ '[\\]' AS e, 'é' ~ '[[.é.]]' AS f, 'x' ~ '[[:alpha:]_]' AS g, '_' ~ '[^[:alnum:]]' AS h, '7' ~ '[\D\d]' AS i;
SELECT 'a' ~ '[c-a]';
SELECT 'a' ~ '[a-c-e]';
SELECT 'a' ~ '[\d-x]';
SELECT 'a' ~ '[[:alfa:]]';
SELECT 'a' ~ '[a';
-- Quantifiers
SELECT 'a{,2}' ~ 'a{,2}' AS a, 'aa' ~ '^a{2}$' AS b, regexp_match('aaaa', 'a{1,2}?') AS c, regexp_replace('aaaa', 'a{0}', '-', 'g') AS d, 'a{' ~ 'a{' AS e;
SELECT 'a' ~ 'a{3,2}';
SELECT 'a' ~ 'a{256}';
SELECT 'a' ~ 'a{1';
SELECT 'a' ~ 'a**';
SELECT 'a' ~ '^*';
SELECT 'a' ~ '(*a)';
-- What backtracking would try in too many ways is matched without it.
SELECT repeat ('a', 27) || 'bc' ~ '^(a|a)*b$' AS short, repeat ('a', 2700) || 'bc' ~ '^(?:a|a)*b$' AS long, repeat ('a', 2700) || 'b' ~ '^(?:a|a)*b$' AS found;
SELECT regexp_replace (repeat ('a', 27) || 'bc', '^(a|aa)*b$', 'x') AS same, regexp_count (repeat ('a', 40) || 'bc', '(a|aa)+$') AS none;
CREATE TABLE many (k int, t text);
INSERT INTO many VALUES (1, 'aaaabxc' || repeat ('a', 60)), (2, repeat ('a', 60));
SELECT k FROM many WHERE t LIKE '%a%a%a%a%b_c%' ORDER BY k;
SELECT k FROM many WHERE t NOT LIKE '%a%a%a%a%b_c%' ORDER BY k;
SELECT k FROM many WHERE t ~ 'a.*a.*a.*a.*b.c' ORDER BY k;

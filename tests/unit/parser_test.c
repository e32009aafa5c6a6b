/* The parser, by tables: what a query prints as, which other statements it accepts, what is
 * refused and where, where statements end. */
#include "base/limits.h"
#include "parser/expect.h"
#include "parser/lexer_int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

typedef struct Positive {
   const char *sql, *printed; /* printed NULL: the same */
} Positive;

typedef struct Negative {
   const char *sql, *state;
   int start, len;
   const char *message, *hint;
} Negative;

static const Positive queries[] = {
   {"SHOW TABLES", NULL},
   {"DESCRIBE (SELECT 1) UNION SELECT 2", "DESCRIBE SELECT 1 UNION SELECT 2"},
   {"SUMMARIZE t", "SUMMARIZE SELECT * FROM t"},
   {"SELECT 1", NULL},
   {"SELECT a.b.c FROM d.a.b", "SELECT a.b.c FROM a.b"},
   {"SELECT begin, commit, work AS write, read level FROM rollback AS chain",
    "SELECT begin, commit, work AS write, read AS level FROM rollback AS chain"},
   {"SELECT", NULL},
   {"SELECT FROM t", NULL},
   {"select a, b from t", "SELECT a, b FROM t"},
   {"SELECT a AS x, b y, \"C\" \"Q c\" FROM \"T t\" AS \"u\"",
    "SELECT a AS x, b AS y, \"C\" AS \"Q c\" FROM \"T t\" AS \"u\""},
   {"SELECT DISTINCT a FROM t", NULL},
   {"SELECT ALL a FROM t", "SELECT a FROM t"},
   {"SELECT DISTINCT ON (a, b) a, b, c FROM t ORDER BY a, b, c DESC", NULL},
   {"SELECT * FROM t", NULL},
   {"SELECT t.*, s.t.a, t.b FROM s.t", NULL},
   {"SELECT * EXCLUDE (a, t.b), s.t.* REPLACE (a + 1 AS a, 2 AS \"B\") RENAME (c AS \"all\") FROM t",
    NULL},
   {"SELECT * RENAME a AS b EXCLUDE t.c REPLACE (a) AS d FROM t",
    "SELECT * RENAME (a AS b) EXCLUDE (t.c) REPLACE (a AS d) FROM t"},
   {"SELECT t.* exclude, replace, a rename FROM t",
    "SELECT t.* AS exclude, replace, a AS rename FROM t"},
   {"SELECT a, b, FROM t, u, WHERE a IN (1, 2,)", "SELECT a, b FROM t, u WHERE a IN (1, 2)"},
   {"SELECT a FROM t WINDOW w AS (ORDER BY a) QUALIFY rank() OVER w = 1 AND b ORDER BY a", NULL},
   {"SELECT qualify, a qualify FROM qualify AS qualify (qualify), t qualify (a)",
    "SELECT qualify, a AS qualify FROM qualify AS qualify (qualify), t AS qualify (a)"},
   {"SELECT a AS qualify FROM t QUALIFY \"qualify\"", NULL},
   {"SELECT ts, avg(v) FROM t SAMPLE BY 1h",
    "SELECT ts, avg(v) FROM t SAMPLE BY interval '1 hour'"},
   {"SELECT ts, avg(v) FROM t AS x WHERE a SAMPLE BY 90m FROM '2024-01-01' TO now() + b FILL (PREV, "
    "LINEAR, NULL, -1, (a + 1)) ALIGN TO CALENDAR TIME ZONE 'UTC' WITH OFFSET '00:45' HAVING c "
    "WINDOW w AS () QUALIFY d ORDER BY 1",
    "SELECT ts, avg(v) FROM t AS x WHERE a SAMPLE BY interval '90 minutes' FROM '2024-01-01' TO "
    "now() + b FILL (PREV, LINEAR, NULL, -1, (a + 1)) ALIGN TO CALENDAR TIME ZONE 'UTC' WITH "
    "OFFSET '00:45' HAVING c WINDOW w AS () QUALIFY d ORDER BY 1"},
   {"SELECT a FROM t SAMPLE BY '1 day' FROM interval '1' YEAR TO MONTH FILL (NONE,) ALIGN TO "
    "CALENDAR UNION FROM t sample SAMPLE BY interval '1 hour' TO 2 ALIGN TO FIRST OBSERVATION",
    "SELECT a FROM t SAMPLE BY interval '1 day' FROM interval '1' year to month FILL (NONE) UNION "
    "SELECT * FROM t AS sample SAMPLE BY interval '1 hour' TO 2 ALIGN TO FIRST OBSERVATION"},
   {"SELECT sample, latest, fill, align, prev, linear, calendar, observation FROM t sample LATEST ON "
    "sample.ts PARTITION BY a, b GROUP BY c LIMIT 1",
    "SELECT sample, latest, fill, align, prev, linear, calendar, observation FROM t AS sample LATEST "
    "ON sample.ts PARTITION BY a, b GROUP BY c LIMIT 1"},
   {"SELECT a sample, b latest, sample by FROM t JOIN u latest ON latest.a = t.a",
    "SELECT a AS sample, b AS latest, sample AS by FROM t JOIN u AS latest ON latest.a = t.a"},
   {"SELECT a FROM (SUMMARIZE FROM t) AS s, (SHOW TABLES) AS x",
    "SELECT a FROM (SUMMARIZE SELECT * FROM t) AS s, (SHOW TABLES) AS x"},
   {"WITH s AS (DESCRIBE s.t) TABLE s", "WITH s AS (DESCRIBE SELECT * FROM s.t) SELECT * FROM s"},
   {"SELECT summarize, describe FROM (summarize AS t CROSS JOIN show AS tables)",
    "SELECT summarize, describe FROM summarize AS t CROSS JOIN show AS tables"},
   {"FROM t", "SELECT * FROM t"},
   {"FROM t JOIN u USING (a), SELECT DISTINCT a, WHERE b",
    "SELECT DISTINCT a FROM t JOIN u USING (a) WHERE b"},
   {"WITH x AS (FROM t) FROM x SELECT (FROM x) UNION FROM u",
    "WITH x AS (SELECT * FROM t) SELECT (SELECT * FROM x) FROM x UNION SELECT * FROM u"},
   {"VALUES (1, 2,), (3, 4),", "VALUES (1, 2), (3, 4)"},
   {"TABLE t", "SELECT * FROM t"},
   {"TABLE ONLY t ORDER BY 1", "SELECT * FROM ONLY t ORDER BY 1"},
   {"VALUES (1, 'a'), (2, NULL)", NULL},
   {"VALUES (1), (2) ORDER BY 1 DESC LIMIT 1", NULL},
   {"(SELECT 1)", "SELECT 1"},
   {"((SELECT 1))", "SELECT 1"},
   {"(SELECT a FROM t LIMIT 3) ORDER BY a", "SELECT a FROM t ORDER BY a LIMIT 3"},
   {"SELECT 1 UNION SELECT 2", NULL},
   {"SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3", NULL},
   {"(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3", NULL},
   {"SELECT 1 UNION (SELECT 2 UNION SELECT 3)", NULL},
   {"SELECT 1 EXCEPT ALL SELECT 2 UNION DISTINCT SELECT 3",
    "SELECT 1 EXCEPT ALL SELECT 2 UNION SELECT 3"},
   {"SELECT 1 EXCEPT (SELECT 2 ORDER BY 1 LIMIT 1) ORDER BY 1", NULL},
   {"(SELECT 1 ORDER BY 1) UNION ALL VALUES (2)", NULL},
   {"TABLE a UNION TABLE b", "SELECT * FROM a UNION SELECT * FROM b"},
   {"WITH a AS (SELECT 1) SELECT * FROM a", NULL},
   {"WITH a (x, y) AS MATERIALIZED (SELECT 1, 2), b AS NOT MATERIALIZED (TABLE a) SELECT * FROM b",
    "WITH a (x, y) AS MATERIALIZED (SELECT 1, 2), b AS NOT MATERIALIZED (SELECT * FROM a) SELECT * FROM b"},
   {"WITH RECURSIVE r (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT sum(n) FROM r",
    NULL},
   {"SELECT (WITH a AS (SELECT 1) SELECT * FROM a)", NULL},
   {"WITH a AS (WITH b AS (SELECT 1) TABLE b) (SELECT * FROM a) ORDER BY 1",
    "WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b) SELECT * FROM a ORDER BY 1"},
   {"SELECT * FROM a, b", NULL},
   {"SELECT * FROM a JOIN b ON a.x = b.x", NULL},
   {"SELECT * FROM a INNER JOIN b USING (x, y)", "SELECT * FROM a JOIN b USING (x, y)"},
   {"SELECT * FROM a JOIN b USING (x) AS j", NULL},
   {"SELECT * FROM a LEFT JOIN b ON true RIGHT OUTER JOIN c ON false",
    "SELECT * FROM a LEFT JOIN b ON TRUE RIGHT JOIN c ON FALSE"},
   {"SELECT * FROM a FULL OUTER JOIN b USING (x)", "SELECT * FROM a FULL JOIN b USING (x)"},
   {"SELECT * FROM a CROSS JOIN b", NULL},
   {"SELECT * FROM a NATURAL JOIN b", NULL},
   {"SELECT * FROM a NATURAL LEFT JOIN b", NULL},
   {"SELECT * FROM a JOIN b JOIN c ON b.x = c.x ON a.x = b.x",
    "SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x"},
   {"SELECT * FROM a JOIN (b CROSS JOIN c) ON a.x = b.x", NULL},
   {"SELECT * FROM (a JOIN b USING (x)) AS j", NULL},
   {"SELECT * FROM (a JOIN b USING (x)) JOIN c USING (y)",
    "SELECT * FROM a JOIN b USING (x) JOIN c USING (y)"},
   {"SELECT * FROM ((a CROSS JOIN b))", "SELECT * FROM a CROSS JOIN b"},
   {"SELECT * FROM (SELECT 1) AS s", NULL},
   {"SELECT * FROM (SELECT 1 AS x) s (y)", "SELECT * FROM (SELECT 1 AS x) AS s (y)"},
   {"SELECT * FROM (VALUES (1, 2), (3, 4)) AS v (a, b)", NULL},
   {"SELECT * FROM a, LATERAL (SELECT a.x) AS l", NULL},
   {"SELECT * FROM a LEFT JOIN LATERAL f(a.x) AS g ON true",
    "SELECT * FROM a LEFT JOIN LATERAL f(a.x) AS g ON TRUE"},
   {"SELECT * FROM generate_series(1, 10)", NULL},
   {"SELECT * FROM generate_series(1, 10) WITH ORDINALITY AS g (i, n)", NULL},
   {"SELECT * FROM ROWS FROM (f(1), g(2)) WITH ORDINALITY AS x", NULL},
   {"SELECT * FROM unnest(ARRAY[1, 2]) u", "SELECT * FROM unnest(ARRAY[1, 2]) AS u"},
   {"SELECT * FROM current_date AS d", NULL},
   {"SELECT * FROM ONLY t", NULL},
   {"SELECT * FROM ONLY (t) AS u", "SELECT * FROM ONLY t AS u"},
   {"SELECT * FROM t *", "SELECT * FROM t"},
   {"SELECT * FROM t AS u (a, b)", NULL},
   {"SELECT * FROM t TABLESAMPLE bernoulli(10)", NULL},
   {"SELECT * FROM t AS u TABLESAMPLE system(1.5) REPEATABLE (42)", NULL},
   {"SELECT a FROM t WHERE a > 1 GROUP BY a HAVING count(*) > 1", NULL},
   {"SELECT a FROM t GROUP BY ALL a", "SELECT a FROM t GROUP BY a"},
   {"SELECT a FROM t GROUP BY ALL", NULL},
   {"SELECT a FROM t GROUP BY ALL (a), b", "SELECT a FROM t GROUP BY a, b"},
   {"SELECT a FROM t GROUP BY a, HAVING b ORDER BY a, LIMIT 1",
    "SELECT a FROM t GROUP BY a HAVING b ORDER BY a LIMIT 1"},
   {"SELECT a FROM t ORDER BY ALL ASC", "SELECT a FROM t ORDER BY ALL"},
   {"SELECT a FROM t ORDER BY ALL DESC NULLS LAST", NULL},
   {"SELECT a FROM t GROUP BY DISTINCT a, b", NULL},
   {"SELECT a FROM t GROUP BY ()", NULL},
   {"SELECT a FROM t GROUP BY ROLLUP (a, b), CUBE (c, (d, e)), GROUPING SETS ((a), (), ROLLUP (b), GROUPING SETS (c))",
    "SELECT a FROM t GROUP BY ROLLUP (a, b), CUBE (c, (d, e)), GROUPING SETS (a, (), ROLLUP (b), GROUPING SETS (c))"},
   {"SELECT grouping(a, b) FROM t GROUP BY CUBE (a, b)", NULL},
   {"SELECT cube FROM t GROUP BY cube, rollup", NULL},
   {"SELECT a FROM t ORDER BY a ASC NULLS FIRST, b DESC NULLS LAST, c NULLS LAST, d USING >",
    "SELECT a FROM t ORDER BY a NULLS FIRST, b DESC NULLS LAST, c NULLS LAST, d USING >"},
   {"SELECT a FROM t LIMIT ALL", "SELECT a FROM t"},
   {"SELECT a FROM t LIMIT 10", NULL},
   {"SELECT a FROM t OFFSET 5 LIMIT 10", "SELECT a FROM t LIMIT 10 OFFSET 5"},
   {"SELECT a FROM t OFFSET 5 ROWS FETCH NEXT 10 ROWS ONLY", "SELECT a FROM t LIMIT 10 OFFSET 5"},
   {"SELECT a FROM t FETCH FIRST ROW ONLY", "SELECT a FROM t LIMIT 1"},
   {"SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS WITH TIES",
    "SELECT a FROM t ORDER BY a FETCH FIRST (3) ROWS WITH TIES"},
   {"SELECT a FROM t FETCH FIRST (1 + 1) ROWS ONLY", "SELECT a FROM t LIMIT 1 + 1"},
   {"SELECT a FROM t LIMIT 1 + 1 OFFSET (SELECT 2)", NULL},
   {"SELECT a FROM t FOR UPDATE", NULL},
   {"SELECT a FROM t LIMIT 1 FOR SHARE OF t NOWAIT",
    "SELECT a FROM t LIMIT 1 FOR SHARE OF t NOWAIT"},
   {"SELECT a FROM t FOR NO KEY UPDATE SKIP LOCKED LIMIT 1",
    "SELECT a FROM t LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED"},
   {"SELECT sum(a) FILTER (WHERE b > 1) FROM t", NULL},
   {"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a DESC) FROM t", NULL},
   {"SELECT string_agg(DISTINCT a, ',' ORDER BY a) FROM t", NULL},
   {"SELECT array_agg(a ORDER BY b DESC, c) FILTER (WHERE d) FROM t", NULL},
   {"SELECT count(*), count(DISTINCT a), count(ALL b) FROM t",
    "SELECT count(*), count(DISTINCT a), count(b) FROM t"},
   {"SELECT row_number() OVER () FROM t", NULL},
   {"SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b, c ORDER BY d)", NULL},
   {"SELECT sum(a) OVER (w ROWS 5 PRECEDING) FROM t WINDOW w AS (ORDER BY d), v AS (w)",
    "SELECT sum(a) OVER (w ROWS BETWEEN 5 PRECEDING AND CURRENT ROW) FROM t WINDOW w AS (ORDER BY d), v AS (w)"},
   {"SELECT sum(a) OVER (ORDER BY b RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM t", NULL},
   {"SELECT sum(a) OVER (ORDER BY b RANGE BETWEEN interval '1 day' PRECEDING AND CURRENT ROW) FROM t",
    NULL},
   {"SELECT sum(a) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM t", NULL},
   {"SELECT sum(a) OVER (GROUPS BETWEEN CURRENT ROW AND 3 FOLLOWING EXCLUDE GROUP) FROM t", NULL},
   {"SELECT sum(a) OVER (ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) FROM t",
    "SELECT sum(a) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM t"},
   {"SELECT sum(a) OVER (ROWS BETWEEN a + 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM t", NULL},
   {"SELECT sum(a) OVER (ROWS CURRENT ROW EXCLUDE NO OTHERS) FROM t",
    "SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE NO OTHERS) FROM t"},
   {"SELECT sum(a) OVER (v) FROM t WINDOW v AS ()", NULL},
   {"SELECT a + b * c - d / e % f", NULL},
   {"SELECT (a + b) * c, a - (b - c), a - b - c", NULL},
   {"SELECT -a, - -a, +a, -(-1), -a ^ 2, (-a) ^ 2, -(a ^ 2)",
    "SELECT -a, - -a, +a, - -1, -a ^ 2, -a ^ 2, - (a ^ 2)"},
   {"SELECT 2 ^ 3 ^ 4, 2 ^ (3 ^ 4)", NULL},
   {"SELECT a || b || c, a || (b || c)", NULL},
   {"SELECT a < b, a <= b, a > b, a >= b, a = b, a <> b, a != b",
    "SELECT a < b, a <= b, a > b, a >= b, a = b, a <> b, a <> b"},
   {"SELECT (a < b) = c, a = (b = c)", NULL},
   {"SELECT a AND b AND c OR d AND e OR f", NULL},
   {"SELECT a AND (b AND c), (a OR b) AND (c OR d), NOT (a AND b)",
    "SELECT a AND b AND c, (a OR b) AND (c OR d), NOT (a AND b)"},
   {"SELECT NOT a, NOT NOT a, NOT a = b, (NOT a) = b", NULL},
   {"SELECT a IS NULL, a IS NOT NULL, a ISNULL, a NOTNULL",
    "SELECT a IS NULL, a IS NOT NULL, a IS NULL, a IS NOT NULL"},
   {"SELECT a IS TRUE, a IS NOT TRUE, a IS FALSE, a IS NOT FALSE, a IS UNKNOWN, a IS NOT UNKNOWN",
    NULL},
   {"SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b", NULL},
   {"SELECT a IS NULL IS NULL", "SELECT (a IS NULL) IS NULL"},
   {"SELECT a = b IS NULL, a = (b IS NULL)", NULL},
   {"SELECT a BETWEEN 1 AND 2, a NOT BETWEEN 1 AND 2, a BETWEEN SYMMETRIC 2 AND 1, a BETWEEN ASYMMETRIC 1 AND 2",
    "SELECT a BETWEEN 1 AND 2, a NOT BETWEEN 1 AND 2, a BETWEEN SYMMETRIC 2 AND 1, a BETWEEN 1 AND 2"},
   {"SELECT a BETWEEN b AND c AND d, a BETWEEN (b AND c) AND d", NULL},
   {"SELECT a BETWEEN b + 1 AND c * 2 OR d", NULL},
   {"SELECT a BETWEEN (b AT TIME ZONE 'utc') AND c", NULL},
   {"SELECT a IN (1, 2, 3), a NOT IN (1), a IN (SELECT 1), a NOT IN (TABLE t)",
    "SELECT a IN (1, 2, 3), a NOT IN (1), a IN (SELECT 1), a NOT IN (SELECT * FROM t)"},
   {"SELECT (a, b) IN ((1, 2), (3, 4))", "SELECT (a, b) IN ((1, 2), (3, 4))"},
   {"SELECT a IN ((SELECT 1), 2)", NULL},
   {"SELECT a LIKE 'x%', a NOT LIKE 'x' ESCAPE '!', a ILIKE b, a NOT ILIKE b", NULL},
   {"SELECT a SIMILAR TO 'x', a NOT SIMILAR TO 'x' ESCAPE '#'", NULL},
   {"SELECT a LIKE b || '%' AND c", NULL},
   {"SELECT a = ANY (b), a <> ALL (SELECT 1), a > SOME (ARRAY[1]), a LIKE ANY (b), a NOT ILIKE ALL (c)",
    "SELECT a = ANY (b), a <> ALL (SELECT 1), a > ANY (ARRAY[1]), a LIKE ANY (b), a not ilike ALL (c)"},
   {"SELECT a = ANY ((SELECT b))", "SELECT a = ANY (SELECT b)"},
   {"SELECT a @> b, a ~ 'x', a !~* 'x', a -> 'b' ->> 'c', @ a, |/ 25, a & b | c", NULL},
   {"SELECT a OPERATOR(pg_catalog.+) b", "SELECT a + b"},
   {"SELECT a <@ -1, a @-1, a*-1, a=-1", "SELECT a <@ -1, a @- 1, a * -1, a = -1"},
   {"SELECT a::int, a::text::varchar(3), -a::int, (-a)::int, 'x'::\"T\", a::s.t",
    "SELECT a::int4, a::text::varchar(3), - a::int4, (-a)::int4, 'x'::\"T\", a::s.t"},
   {"SELECT CAST(a AS numeric(10, 2)), CAST(a + b AS double precision)",
    "SELECT a::numeric(10,2), (a + b)::float8"},
   {"SELECT a::int[], a::int[][], a::int ARRAY, a::int[3], a::int ARRAY[4]",
    "SELECT a::int4[], a::int4[][], a::int4[], a::int4[], a::int4[]"},
   {"SELECT a::char, a::char(3), a::character varying(4), a::character varying, a::nchar(2), a::national character(5), a::bit, a::bit(3), a::bit varying(4)",
    "SELECT a::bpchar(1), a::bpchar(3), a::varchar(4), a::varchar, a::bpchar(2), a::bpchar(5), a::bit(1), a::bit(3), a::varbit(4)"},
   {"SELECT a::int, a::integer, a::smallint, a::bigint, a::real, a::float, a::float(24), a::float(25), a::dec, a::decimal(3), a::boolean",
    "SELECT a::int4, a::int4, a::int2, a::int8, a::float4, a::float8, a::float4, a::float8, a::numeric, a::numeric(3), a::bool"},
   {"SELECT a::time, a::time(3), a::time with time zone, a::timestamp(3) without time zone, a::timestamp with time zone, a::timestamptz(3)",
    "SELECT a::time, a::time(3), a::timetz, a::timestamp(3), a::timestamptz, a::timestamptz(3)"},
   {"SELECT a::interval, a::interval day, a::interval day to second(3), a::interval(2), a::interval year to month",
    NULL},
   {"SELECT interval '1 day', interval '1' day, interval '1:2' hour to minute, interval(3) '1.5 s', interval '1' second(2)",
    NULL},
   {"SELECT date '2020-01-01', timestamp '2020-01-01 00:00', timestamp with time zone '2020-01-01', time '10:00', numeric '1.5', int4 '3'",
    "SELECT date '2020-01-01', timestamp '2020-01-01 00:00', timestamptz '2020-01-01', time '10:00', numeric '1.5', int4 '3'"},
   {"SELECT uuid 'a', s.t 'x', bit '101', char 'x', float8 '1', numeric(5, 2) '1.25', foo(3) 'x'",
    "SELECT uuid 'a', s.t 'x', bit '101', bpchar 'x', float8 '1', numeric(5,2) '1.25', foo(3) 'x'"},
   {"SELECT a AT TIME ZONE 'utc', a AT TIME ZONE 'utc' AT TIME ZONE b, a + b AT TIME ZONE 'x', (a + b) AT TIME ZONE 'x'",
    NULL},
   {"SELECT a COLLATE \"C\", a || b COLLATE \"C\", (a || b) COLLATE \"C\", a COLLATE pg_catalog.\"default\"",
    "SELECT a COLLATE \"C\", a || b COLLATE \"C\", (a || b) COLLATE \"C\", a COLLATE \"default\""},
   {"SELECT CASE WHEN a THEN 1 END, CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE 'z' END", NULL},
   {"SELECT CASE WHEN a THEN b WHEN c THEN d ELSE CASE e WHEN f THEN g END END", NULL},
   {"SELECT EXISTS (SELECT 1), NOT EXISTS (SELECT FROM t)", NULL},
   {"SELECT (SELECT 1), ((SELECT 2)), (SELECT a FROM t LIMIT 1) + 1",
    "SELECT (SELECT 1), (SELECT 2), (SELECT a FROM t LIMIT 1) + 1"},
   {"SELECT (SELECT ROW(1)).a, (SELECT ARRAY[1])[1]", NULL},
   {"SELECT ARRAY[1, 2], ARRAY[[1, 2], [3, 4]], ARRAY[]::int[], ARRAY(SELECT 1)",
    "SELECT ARRAY[1, 2], ARRAY[ARRAY[1, 2], ARRAY[3, 4]], ARRAY[]::int4[], ARRAY(SELECT 1)"},
   {"SELECT a[1], a[1][2], a[1:2], a[:], a[:3], a[2:], (ARRAY[1])[1], t.a[1], $1[2]", NULL},
   {"SELECT (a).b, (a).b.c, (t.a).b[1], (f(x)).y, a[1].b", NULL},
   {"SELECT ROW(), ROW(1), ROW(1, 2), (1, 2), (a, b) = (c, d)",
    "SELECT ROW(), ROW(1), ROW(1, 2), (1, 2), (a, b) = (c, d)"},
   {"SELECT (a, b) OVERLAPS (c, d)", "SELECT overlaps(a, b, c, d)"},
   {"SELECT $1, $2 + $10", NULL},
   {"SELECT f(), f(1), f(a, b), s.f(a), \"F\"(1), f(a => 1, b := 2), f(1, b => 2), f(VARIADIC a), f(1, VARIADIC b)",
    "SELECT f(), f(1), f(a, b), s.f(a), \"F\"(1), f(a => 1, b => 2), f(1, b => 2), f(VARIADIC a), f(1, VARIADIC b)"},
   {"SELECT coalesce(a, b), nullif(a, b), greatest(1, 2), least(a)", NULL},
   {"SELECT extract(year FROM a), extract('epoch' FROM a), extract(Hour FROM a + b), extract(foo FROM a)",
    "SELECT extract('year' FROM a), extract('epoch' FROM a), extract('hour' FROM a + b), extract('foo' FROM a)"},
   {"SELECT substring(a FROM 1), substring(a FROM 1 FOR 2), substring(a FOR 2), substring(a, 1, 2), substring(a SIMILAR b ESCAPE c)",
    "SELECT substring(a, 1), substring(a, 1, 2), substring(a, 1, 2), substring(a, 1, 2), substring(a, b, c)"},
   {"SELECT trim(a), trim(BOTH a), trim('x' FROM a), trim(LEADING 'x' FROM a), trim(TRAILING FROM a), trim(a, b)",
    "SELECT btrim(a), btrim(a), btrim(a, 'x'), ltrim(a, 'x'), rtrim(a), btrim(a, b)"},
   {"SELECT position('a' IN b), overlay(a PLACING b FROM 1), overlay(a PLACING b FROM 1 FOR 2), normalize(a)",
    "SELECT position('a' IN b), overlay(a, b, 1), overlay(a, b, 1, 2), normalize(a)"},
   {"SELECT current_date, current_time, current_timestamp, localtime, localtimestamp, current_time(3), localtimestamp(0)",
    NULL},
   {"SELECT current_user, session_user, user, current_role, current_catalog, current_schema, current_schema()",
    "SELECT current_user, session_user, user, current_role, current_catalog, current_schema(), current_schema()"},
   {"SELECT first_value(a) IGNORE NULLS OVER (ORDER BY b), lag(a, 1) RESPECT NULLS OVER w FROM t WINDOW w AS (ORDER BY b)",
    NULL},
   {"SELECT 'it''s', 'a' || 'b', '', 'ä€😀'", NULL},
   {"SELECT E'a\\n\\t\\'\\\\\\x41\\101\\u00e9\\U0001F600', E'\\uD83D\\uDE00'",
    "SELECT 'a\n\t''\\AAé😀', '😀'"},
   {"SELECT B'1010', X'1f', b'', N'x'", "SELECT B'1010', X'1f', B'', 'x'"},
   {"SELECT $$it's$$, $tag$a $$ b$tag$", "SELECT 'it''s', 'a $$ b'"},
   {"SELECT 1, 1.5, .5, 5., 1e5, 1.5E-3, .5e+2, 99999999999999999999", NULL},
   {"SELECT TRUE, false, NULL", "SELECT TRUE, FALSE, NULL"},
   {"SELECT a -- comment", "SELECT a"},
   {"SELECT /* c /* nested */ */ a", "SELECT a"},
   {"SELECT\"a\"FROM\"t\"", "SELECT \"a\" FROM \"t\""},
   {"SELECT a.b.c.d FROM a.b", NULL},
   {"SELECT year, month, day, hour, minute, second, value, name, type, key, format, data FROM t",
    NULL},
   {"SELECT a AS select, b AS from, c AS order FROM t", NULL},
   {"SELECT a is, b and, c or FROM t", "SELECT a AS is, b AS and, c AS or FROM t"},
   {"SELECT t.select, t.order FROM t", NULL},
   {"SELECT a \"select\" FROM t", "SELECT a AS \"select\" FROM t"},
   {"SELECT 1 isnan, 2 both, 3 else", "SELECT 1 AS isnan, 2 AS both, 3 AS else"},
   {"SELECT between, int, coalesce FROM t", NULL},
   {"SELECT filter, over, within FROM t", NULL},
   {"SELECT left('abc', 1), right('abc', 1), overlaps(1, 2, 3, 4)", NULL},
   {"SELECT asof, ignore, respect, period, dimension, measure, counter, field, layout FROM t",
    NULL},
   {"SELECT ignore nulls FROM t", "SELECT ignore AS nulls FROM t"},
   {"SELECT a FROM t asof", "SELECT a FROM t AS asof"},
   {"SELECT ñandú, _a, a$1, Ünï FROM täble", NULL},
   {"SELECT time_bucket('1 hour', ts) AS b, avg(v) FROM m GROUP BY b ORDER BY b", NULL},
   {"SELECT unbounded, preceding, following, partition, range, groups FROM t", NULL},
   {"SELECT a FROM t WHERE (a, b) > (1, 2) AND c IS NOT NULL OR NOT d", NULL},
   {"SELECT a.* FROM (SELECT b.* FROM b) AS a", NULL},
   {"SELECT sum(a) OVER (PARTITION BY b ORDER BY c) - sum(d) OVER () FROM t", NULL},
   {"SELECT max(a) - min(a) FILTER (WHERE b) OVER w FROM t WINDOW w AS (PARTITION BY c)", NULL},
   {"SELECT a FROM t WHERE ts >= timestamptz '2020-01-01' AND ts < timestamptz '2020-01-02' - interval '1 hour'",
    NULL},
   {"SELECT a FROM t WHERE ts BETWEEN now() - interval '1' day AND now()", NULL},
   {"SELECT a /* x */ , b -- y", "SELECT a, b"},
   {"SELECT - 1 - - 1, a --b", "SELECT -1 - -1, a"},
   {"SELECT 1 ; ", "SELECT 1"},
   {"SELECT 1;;", "SELECT 1"},
   {"SELECT a<-1, a>=-1, 1-1", "SELECT a < -1, a >= -1, 1 - 1"},
   {"SELECT 1 IN (1) = true", "SELECT 1 IN (1) = TRUE"},
   {"SELECT a NOT IN (1) IS TRUE", NULL},
   {"SELECT -1::int, - (1)", "SELECT - 1::int4, -1"},
   {"SELECT a::int + b::int * 2", "SELECT a::int4 + b::int4 * 2"},
   {"SELECT 'a' = 'b' COLLATE \"C\"", NULL},
   {"SELECT x.y FROM (SELECT 1 AS y) x WHERE EXISTS (SELECT 1 FROM z WHERE z.y = x.y)",
    "SELECT x.y FROM (SELECT 1 AS y) AS x WHERE EXISTS (SELECT 1 FROM z WHERE z.y = x.y)"},
   {"SELECT a FROM t1 UNION ALL SELECT a FROM t2 ORDER BY a LIMIT 5", NULL},
   {"SELECT count(*) FROM t HAVING count(*) > 0", NULL},
   {"SELECT DISTINCT a, b + 1 AS c FROM t WHERE d GROUP BY a, b", NULL},
   {"SELECT (((((1)))))", "SELECT 1"},
   {"SELECT f(a) OVER (), g(DISTINCT b) FROM t", NULL},
   {"SELECT a FROM t ORDER BY a + 1 DESC, lower(b), 3", NULL},
   {"SELECT a, (SELECT max(b) FROM u WHERE u.a = t.a) AS m FROM t", NULL},
   {"SELECT COUNT(*), \"COUNT\"(1)", "SELECT count(*), \"COUNT\"(1)"},
   {"SELECT * FROM a ASOF JOIN b ON a.k = b.k AND a.t >= b.t", NULL},
   {"SELECT * FROM a ASOF LEFT JOIN b USING (k, t)", NULL},
   {"SELECT * FROM a ASOF LEFT JOIN b USING (k, t) TOLERANCE 50T",
    "SELECT * FROM a ASOF LEFT JOIN b USING (k, t) TOLERANCE interval '50 milliseconds'"},
   {"SELECT * FROM a ASOF NEAREST INNER JOIN b ON a.t >= b.t TOLERANCE '1 s', c asof",
    "SELECT * FROM a ASOF NEAREST JOIN b ON a.t >= b.t TOLERANCE '1 s', c AS asof"},
   {"SELECT * FROM a ASOF NEAREST LEFT OUTER JOIN b ON a.t >= b.t TOLERANCE (2 * $1) JOIN c ON d",
    "SELECT * FROM a ASOF NEAREST LEFT JOIN b ON a.t >= b.t TOLERANCE (2 * $1) JOIN c ON d"},
   {"SELECT nearest, tolerance FROM a nearest JOIN c tolerance ON d",
    "SELECT nearest, tolerance FROM a AS nearest JOIN c AS tolerance ON d"},
   {"SELECT * FROM a ASOF INNER JOIN b ON a.t >= b.t", "SELECT * FROM a ASOF JOIN b ON a.t >= b.t"},
   {"SELECT max(x) FROM a WINDOW JOIN b ON a.k = b.k RANGE BETWEEN 1m PRECEDING AND CURRENT ROW",
    "SELECT max(x) FROM a WINDOW JOIN b ON a.k = b.k RANGE BETWEEN interval '1 minute' PRECEDING AND "
    "CURRENT ROW INCLUDE PREVAILING"},
   {"SELECT max(x) FROM a WINDOW JOIN b USING (k) RANGE BETWEEN 2 hours FOLLOWING AND $1 FOLLOWING "
    "EXCLUDE PREVAILING",
    "SELECT max(x) FROM a WINDOW JOIN b USING (k) RANGE BETWEEN interval '2 hours' FOLLOWING AND $1 "
    "FOLLOWING EXCLUDE PREVAILING"},
   {"SELECT max(x) FROM a WINDOW JOIN (SELECT sum(y) OVER (ORDER BY t RANGE BETWEEN 1 PRECEDING AND "
    "CURRENT ROW) AS x FROM b WHERE range BETWEEN 1 AND 2) AS c RANGE BETWEEN UNBOUNDED PRECEDING "
    "AND (2 * $1) FOLLOWING WINDOW JOIN d ON e RANGE BETWEEN CURRENT ROW AND '1 s' FOLLOWING "
    "WHERE range BETWEEN 1 AND 2",
    "SELECT max(x) FROM a WINDOW JOIN (SELECT sum(y) OVER (ORDER BY t RANGE BETWEEN 1 PRECEDING AND "
    "CURRENT ROW) AS x FROM b WHERE range BETWEEN 1 AND 2) AS c RANGE BETWEEN UNBOUNDED PRECEDING "
    "AND (2 * $1) FOLLOWING INCLUDE PREVAILING WINDOW JOIN d ON e RANGE BETWEEN CURRENT ROW AND "
    "'1 s' FOLLOWING INCLUDE PREVAILING WHERE range BETWEEN 1 AND 2"},
   {"SELECT * FROM (SELECT 1)", NULL},
};

/* Statements that are no queries. */
static const char *const statements[] = {
   "ALTER TABLE t ADD a int PRIMARY KEY, DROP b",
   "ALTER TABLE t ALTER COLUMN a DROP IDENTITY IF EXISTS",
   "ALTER TABLE t ALTER a SET GENERATED BY DEFAULT",
   "ALTER TABLE t ALTER a ADD GENERATED ALWAYS AS IDENTITY (START 5)",
   "ALTER TABLE t ALTER a SET GENERATED ALWAYS RESTART 5 SET CACHE 2",
   "ALTER TABLE t RENAME CONSTRAINT a TO b",
   "MERGE INTO s.t AS x USING u AS y ON x.a = y.a WHEN MATCHED AND y.b > 1 THEN DELETE WHEN "
   "MATCHED THEN UPDATE SET (a, b) = ROW(1, 2), c = DEFAULT WHEN NOT MATCHED AND y.b IS NULL THEN "
   "DO NOTHING WHEN NOT MATCHED THEN INSERT (a, b) OVERRIDING USER VALUE VALUES (1, DEFAULT)",
   "WITH q AS (SELECT 1) MERGE INTO merge USING (VALUES (1)) AS matched (a) ON TRUE WHEN MATCHED "
   "THEN DO NOTHING WHEN NOT MATCHED THEN INSERT DEFAULT VALUES",
   "SELECT drop_chunks('t')",
   "WITH RECURSIVE a (x) AS (SELECT 1) DELETE FROM t USING a WHERE t.x = a.x",
   "WITH a AS (SELECT 1) UPDATE t SET b = 1 WHERE c IN (SELECT * FROM a)",
   "WITH a AS (INSERT INTO t (b) VALUES (1) RETURNING b) DELETE FROM u USING a WHERE u.b = a.b",
   "WITH a (x) AS (UPDATE t SET b = 1 RETURNING *) INSERT INTO u SELECT * FROM a",
   "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
   "WITH a AS (INSERT INTO t SELECT 1) SELECT 2",
   "WITH q AS (SELECT 1) INSERT INTO t SELECT * FROM q",
   "SELECT 1 AS a INTO TEMP TABLE t",
   "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING RETURNING a",
   "INSERT INTO t AS u SELECT 1 ON CONFLICT (a, lower(b)) WHERE a > 1 DO UPDATE SET a = excluded.a, (b, c) = (1, DEFAULT) WHERE u.a > 2",
   "INSERT INTO t DEFAULT VALUES ON CONFLICT ON CONSTRAINT k DO NOTHING",
   "CREATE TABLE t (a int, KEY (a))",
   "CREATE MATERIALIZED VIEW IF NOT EXISTS v (a) USING rows AS SELECT 1 WITH NO DATA",
   "REFRESH MATERIALIZED VIEW CONCURRENTLY s.v WITH DATA",
   "DROP MATERIALIZED VIEW IF EXISTS a, b CASCADE",
   "ALTER MATERIALIZED VIEW a RENAME TO b",
   "CREATE ALERT IF NOT EXISTS a AS SELECT b FROM t HAVING b > 1 FOR '1 min' NOTIFY 'x' EVERY '2 s'",
   "CREATE OR REPLACE ALERT alert AS SELECT notify every FROM every notify LIMIT 1",
   "CREATE ALERT a AS (SELECT substring(b FOR '1') FROM t) EVERY '1 s'",
   "ALTER ALERT IF EXISTS a SET NOTIFY '' FOR '1 s'",
   "ALTER ALERT a RENAME TO enable",
   "ALTER ALERT disable DISABLE",
   "ALTER ALERT a ENABLE",
   "DROP ALERT IF EXISTS a, b",
   "CREATE SCHEMA a",
   "LOCK TABLE a.b, c IN ACCESS SHARE MODE",
   "lock a in access share mode",
   "CREATE SCHEMA IF NOT EXISTS \"A b\" AUTHORIZATION c",
   "CREATE SCHEMA AUTHORIZATION c",
   "ALTER SCHEMA a RENAME TO b",
   "DROP SCHEMA IF EXISTS a, b CASCADE",
   "ALTER TABLE IF EXISTS a.b SET SCHEMA c",
   "ALTER MATERIALIZED VIEW a.b SET SCHEMA c",
   "COMMENT ON MATERIALIZED VIEW a IS NULL",
   "ALTER TABLE t ALTER a TYPE numeric(3,1) USING b + 1",
   "ALTER TABLE t ALTER COLUMN type SET DATA TYPE type",
   "ALTER TABLE t ALTER a SET DEFAULT 1 + 2",
   "ALTER TABLE t ALTER a DROP DEFAULT",
   "ALTER TABLE t ALTER a SET NOT NULL",
   "ALTER TABLE t ALTER COLUMN a DROP NOT NULL",
   "BEGIN",
   "begin work isolation level read committed, read only not deferrable",
   "START TRANSACTION READ WRITE READ ONLY",
   "END TRANSACTION AND NO CHAIN",
   "ABORT AND CHAIN",
   "SAVEPOINT work",
   "RELEASE savepoint",
   "RELEASE SAVEPOINT \"S p\"",
   "ROLLBACK TRANSACTION TO begin",
   "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
   "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ",
   "SET transaction TO 1",
   "DISCARD ALL",
   "DISCARD TEMPORARY",
   "UNLISTEN *",
   "UNLISTEN a",
   "CREATE LOCAL TEMP TABLE t (a int) ON COMMIT DELETE ROWS",
   "CREATE TEMPORARY TABLE t ON COMMIT DROP AS SELECT 1 AS a",
   "DECLARE c CURSOR FOR SELECT 1",
   "DECLARE cursor INSENSITIVE NO SCROLL CURSOR WITH HOLD FOR VALUES (1)",
   "FETCH c",
   "FETCH next",
   "FETCH ALL IN all_rows",
   "FETCH LAST c",
   "FETCH -3 FROM c",
   "MOVE RELATIVE +2 IN c",
   "MOVE BACKWARD ALL FROM c",
   "CLOSE ALL",
   "CLOSE absolute",
   "CREATE VIEW v AS SHOW ALL TABLES",
   "CREATE TABLE t (a int)",
   "CREATE TABLE IF NOT EXISTS s.t (a int, b text)",
   "CREATE TABLE t (ts timestamptz TIME, d text DIMENSION, m bigint MEASURE)",
   "CREATE TABLE t (ts timestamptz TIME PERIOD '60 s' NOT NULL, d text NOT NULL DIMENSION FIELD 'D d', m float8 DEFAULT 0 MEASURE COUNTER)",
   "CREATE TABLE t (ts timestamptz PRIMARY KEY TIME, a int UNIQUE, b int NULL, c int CHECK (c > 0) CHECK (c < 9))",
   "CREATE TABLE t (a int, b int GENERATED ALWAYS AS (a * 2) STORED, c int DEFAULT -1, d text DEFAULT 'x' || 'y' NOT NULL)",
   "CREATE TABLE t (a int, b int, PRIMARY KEY (a, b))",
   "CREATE TABLE t (a int, KEY (a), b int)",
   "CREATE TABLE t (a int CONSTRAINT nn NOT NULL, CONSTRAINT pk PRIMARY KEY (a))",
   "CREATE TABLE t (a int CONSTRAINT u UNIQUE NULLS NOT DISTINCT NOT NULL UNIQUE NULLS DISTINCT, UNIQUE (a), CONSTRAINT v UNIQUE NULLS NOT DISTINCT (a) NOT DEFERRABLE, KEY (a))",
   "CREATE UNIQUE INDEX CONCURRENTLY i ON t (a, b DESC) NULLS NOT DISTINCT WHERE a > 1 AND b IS NULL",
   "CREATE UNIQUE INDEX IF NOT EXISTS i ON s.t (a)",
   "CREATE INDEX i ON t (a pg_catalog.text_ops DESC, b x) INCLUDE (c) WITH (fillfactor = 70) WHERE f(a)",
   "ALTER TABLE t ADD CHECK (a > 0) NOT VALID, VALIDATE CONSTRAINT c",
   "ALTER INDEX IF EXISTS s.i RENAME TO j",
   "SET CONSTRAINTS ALL DEFERRED",
   "SET CONSTRAINTS a, b IMMEDIATE",
   "SET constraints TO 1",
   "ALTER TABLE t ADD UNIQUE (a, b), ADD CONSTRAINT pk PRIMARY KEY (c)",
   "CREATE TABLE t (a int DEFAULT (1 > 2 AND true), time time TIME, period text, field text FIELD 'f')",
   "CREATE TABLE t (a numeric(10, 2)[], b double precision, c timestamp with time zone, d interval day to second)",
   "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min', metric text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics WITH (hierarchical = true)",
   "CREATE TABLE t (a int) USING nested WITH (cluster_by = 'x', levels = 'ts, a', n = -3, f = 1.5, w = word, on_flag = on, off_flag off, bare, list = (a, \"B b\"))",
   "CREATE TABLE t (a int) WITH (collection = 'x')",
   "CREATE TABLE t AS SELECT 1 AS a",
   "CREATE TABLE t USING rows WITH (a = 1) AS SELECT * FROM u",
   "DROP TABLE t",
   "DROP TABLE IF EXISTS t, s.u CASCADE",
   "DROP TABLE a, b RESTRICT",
   "DROP TABLE if",
   "ALTER TABLE t ADD LAYOUT by_row USING rows",
   "CHECK TABLE s.t",
   "CHECK LAYOUT l OF t",
   "REPAIR TABLE t FROM l",
   "REPAIR LAYOUT l OF t",
   "REPAIR LAYOUT l OF t FROM m",
   "VACUUM",
   "VACUUM FULL ANALYZE t",
   "ALTER TABLE s.t ADD LAYOUT USING rows WITH (a = 1, b = 'x')",
   "ALTER TABLE IF EXISTS t ADD LAYOUT IF NOT EXISTS l USING nested",
   "ALTER TABLE t DROP LAYOUT l",
   "ALTER TABLE t DROP LAYOUT IF EXISTS l",
   "ALTER TABLE t RENAME TO u",
   "COPY t FROM 'file.csv'",
   "COPY t FROM STDIN",
   "COPY s.t (a, b) TO STDOUT",
   "COPY t FROM 'f' WITH (FORMAT csv, HEADER, DELIMITER ';', NULL '')",
   "COPY t FROM 'f' (FORMAT jsonl, EPOCH 'ms', HEADER true, FORCE_NULL (a, b), QUOTE '\"')",
   "COPY t FROM 'f' CSV HEADER",
   "COPY t FROM 'f' WITH CSV HEADER DELIMITER AS ',' NULL AS 'x' QUOTE '\"' ESCAPE '\\' ENCODING 'utf8'",
   "COPY t FROM STDIN BINARY",
   "COPY t FROM 'f' WITH (format csv) WHERE a > 1",
   "COPY (SELECT a FROM t WHERE b ORDER BY c) TO 'f' WITH (FORMAT csv)",
   "COPY (VALUES (1), (2)) TO STDOUT",
   "EXPLAIN SELECT 1",
   "EXPLAIN ANALYZE SELECT 1",
   "EXPLAIN ANALYZE VERBOSE SELECT 1",
   "EXPLAIN VERBOSE SELECT 1",
   "EXPLAIN (ANALYZE, VERBOSE off, FORMAT json) SELECT 1",
   "EXPLAIN (COSTS false) INSERT INTO t VALUES (1)",
   "EXPLAIN (SELECT 1)",
   "EXPLAIN (VALUES (1))",
   "EXPLAIN CREATE TABLE t AS SELECT 1",
   "ANALYZE",
   "ANALYZE t",
   "VACUUM (VERBOSE, ANALYZE false, FULL) t (a)",
   "ANALYZE (SKIP_LOCKED) t",
   "ALTER TABLE ONLY t ADD a integer, DROP COLUMN b",
   "COPY (DELETE FROM t RETURNING a) TO STDOUT CSV FORCE QUOTE a, b",
   "CREATE TABLE t ()",
   "ANALYZE VERBOSE t (a, b)",
   "ANALYZE public.t",
   "COMMENT ON COLUMN public.t.c IS 'x'",
   "EXPLAIN DECLARE c CURSOR FOR SELECT 1",
   "SET a = 1",
   "SET a TO 'x', b, -1.5",
   "SET a.b.c = on",
   "SET a TO DEFAULT",
   "SET LOCAL a = off",
   "SET SESSION a = word",
   "SET TIME ZONE 'UTC'",
   "SET TIME ZONE -5",
   "SET TIME ZONE LOCAL",
   "SET TIME ZONE interval '-08:00' hour to minute",
   "SET session = 1",
   "RESET a",
   "RESET ALL",
   "RESET TIME ZONE",
   "SHOW a",
   "SHOW a.b",
   "SHOW ALL",
   "SHOW TIME ZONE",
   "INSERT INTO t VALUES (1, 'a'), (2, DEFAULT)",
   "INSERT INTO s.t (a, b) SELECT 1, 2",
   "INSERT INTO t DEFAULT VALUES",
   "INSERT INTO t (a) VALUES (1) RETURNING *",
   "INSERT INTO t (a) VALUES (1) RETURNING a, b + 1 AS c",
   "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",
   "INSERT INTO t AS x (a) WITH q AS (SELECT 1) SELECT * FROM q",
   "INSERT INTO t (SELECT 1)",
   "UPDATE t SET a = 1",
   "UPDATE s.t AS x SET a = b + 1, c = DEFAULT WHERE x.a > 2 RETURNING *",
   "UPDATE ONLY t x SET (a, b) = ROW(1, 2), c = 3",
   "UPDATE set SET set = 1",
   "UPDATE t SET a = u.a FROM u, v AS w WHERE t.b = u.b",
   "DELETE FROM t",
   "DELETE FROM s.t AS x USING u WHERE x.a = u.a RETURNING x.a",
   "PREPARE p AS SELECT $1",
   "PREPARE p (int, varchar(3)) AS INSERT INTO t VALUES ($1, $2)",
   "PREPARE execute AS DELETE FROM t WHERE a = $1",
   "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int4 MEASURE NOT NULL DEFAULT 1",
   "ALTER TABLE t ADD a text",
   "ALTER TABLE t ADD COLUMN layout text",
   "ALTER TABLE t DROP COLUMN IF EXISTS a CASCADE",
   "ALTER TABLE t DROP a",
   "ALTER TABLE IF EXISTS s.t RENAME a TO b",
   "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON s.t USING btree (a DESC, b)",
   "CREATE INDEX ON t (a)",
   "DROP INDEX IF EXISTS i, j CASCADE",
   "COMMENT ON TABLE s.t IS 'it''s'",
   "COMMENT ON COLUMN t.a IS NULL",
   "COMMENT ON VIEW v IS ''",
   "CREATE VIEW v AS SELECT 1",
   "CREATE OR REPLACE VIEW s.v (a, b) AS VALUES (1, 2)",
   "DROP VIEW IF EXISTS v, s.w CASCADE",
   "EXECUTE p",
   "CREATE TEMPORARY TABLE IF NOT EXISTS t (a) ON COMMIT DROP AS EXECUTE p (1, 'a') WITH NO DATA",
   "EXECUTE p (1, 'a')",
   "DEALLOCATE PREPARE p",
   "DEALLOCATE prepare",
   "DEALLOCATE ALL",
   "CALL drop_chunks('t', older_than => '1 day')",
   "ALTER TABLE t SET (expire_after = '90 days')",
   "alter table if exists t reset (expire_after)",
   "alter table t layout \"Day\" set (expire_after = '90 days')",
   "ALTER TABLE IF EXISTS s.t LAYOUT layout RESET (expire_after)",
   "PREALLOCATE t FOR '1 day'",
   "preallocate public.\"T\" for '2 h' FROM E'2020-01-01'",
   "TRUNCATE t",
   "create table t (a int constraint c check (a > 0) check (a < 5) not null, check (a <> 3), "
   "constraint d check (a is null))",
   "alter table only t add constraint c check (a > 0), drop constraint if exists d cascade",
   "create sequence if not exists a.s as int increment by -2 minvalue -5 no maxvalue start 3 "
   "cache 4 cycle owned by t.c",
   "create domain a.d int default 1 constraint c check (value > 0) not null check (value < 9)",
   "alter domain d add constraint c check (value > 0)",
   "alter domain d drop constraint if exists c cascade",
   "alter domain d set default 1 + 1",
   "alter domain d drop not null",
   "drop domain if exists d restrict",
   "create type a.t as enum ()",
   "create type t as enum ('a', 'it''s')",
   "alter type t add value if not exists 'b' before 'a'",
   "alter type t add value 'b' after 'a'",
   "alter type t rename value 'a' to 'b'",
   "alter type t rename to u",
   "drop type if exists t, a.u restrict",
   "create temp sequence s",
   "alter sequence if exists s restart no cycle no minvalue owned by none",
   "alter sequence s restart with +7",
   "alter sequence s rename to u",
   "drop sequence if exists s, a.u cascade",
   "create table t (a int generated by default as identity (sequence name x start 2), b int "
   "generated always as identity)",
   "insert into t overriding system value values (1)",
   "insert into t (a) overriding user value select 1",
   "TRUNCATE TABLE ONLY t, s.u RESTART IDENTITY CASCADE",
   "CREATE TABLE t (a, b) USING rows AS SELECT 1, 2 WITH NO DATA",
   "CREATE TABLE t AS SELECT 1 WITH DATA",
   "INSERT INTO t TABLE u",
   "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
   "CREATE OR REPLACE FUNCTION f(a int, b text DEFAULT 'x', c int = 3) RETURNS numeric(3, 1) LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT a $$",
   "CREATE FUNCTION f(int, IN x double precision) RETURNS text AS 'lib', 'sym' LANGUAGE c STABLE",
   "CREATE FUNCTION f(a int) RETURNS int VOLATILE RETURNS NULL ON NULL INPUT LANGUAGE 'mql' AS '{\"$add\": [\"$a\", 1]}'",
   "CREATE FUNCTION f(a int) RETURNS int CALLED ON NULL INPUT LANGUAGE sql AS 'x'",
   "DROP FUNCTION f",
   "DROP FUNCTION IF EXISTS f(int4, text), g CASCADE",
   "CREATE LAYOUT l AS '{\"a\": 1}'",
   "CREATE OR REPLACE LAYOUT \"L l\" AS $${}$$",
   "DROP LAYOUT l",
   "DROP LAYOUT IF EXISTS l, m",
   "LOAD 'lib.so'",
};

static const Negative negatives[] = {
   {"SELEC 1", "42601", 0, 5, "syntax error at or near \"SELEC\"", "Perhaps you meant \"select\"."},
   {"SELECT a FORM t", "42601", 14, 1, "syntax error at or near \"t\"",
    "Perhaps you meant \"from\"."},
   {"SELECT a FROM t GRUOP BY a", "42601", 22, 2, "syntax error at or near \"BY\"",
    "Perhaps you meant \"group\"."},
   {"SELECT a FROM t WHER a = 1", "42601", 21, 1, "syntax error at or near \"a\"",
    "Perhaps you meant \"where\"."},
   {"SELECT a FROM t ORDER YB a", "42601", 22, 2, "syntax error at or near \"YB\"",
    "Perhaps you meant \"by\"."},
   {"SELECT a FROM t LIMT 5", "42601", 21, 1, "syntax error at or near \"5\"",
    "Perhaps you meant \"limit\"."},
   {"SELECT a FROM t LEFT JION u ON true", "42601", 21, 4, "syntax error at or near \"JION\"",
    "Perhaps you meant \"join\"."},
   {"INSRT INTO t VALUES (1)", "42601", 0, 5, "syntax error at or near \"INSRT\"",
    "Perhaps you meant \"insert\"."},
   {"INSERT INOT t VALUES (1)", "42601", 7, 4, "syntax error at or near \"INOT\"",
    "Perhaps you meant \"into\"."},
   {"CREAT TABLE t (a int)", "42601", 0, 5, "syntax error at or near \"CREAT\"",
    "Perhaps you meant \"create\"."},
   {"CRAETE TABEL t (a int)", "42601", 0, 6, "syntax error at or near \"CRAETE\"",
    "Perhaps you meant \"create\"."},
   {"DORP TABLE t", "42601", 0, 4, "syntax error at or near \"DORP\"",
    "Perhaps you meant \"drop\"."},
   {"EXPLIAN SELECT 1", "42601", 0, 7, "syntax error at or near \"EXPLIAN\"",
    "Perhaps you meant \"explain\"."},
   {"SELECT a FROM t WHERE a BETWEN 1 AND 2", "42601", 24, 6, "syntax error at or near \"BETWEN\"",
    "Perhaps you meant \"between\"."},
   {"SELECT CASE WHEN a THNE b END", "42601", 19, 4, "syntax error at or near \"THNE\"",
    "Perhaps you meant \"then\"."},
   {"SELECT 'abc", "42601", 7, 4, "unterminated quoted string at or near \"'abc\"", ""},
   {"SELECT \"abc", "42601", 7, 4, "unterminated quoted identifier at or near \"\"abc\"", ""},
   {"SELECT $$abc", "42601", 7, 5, "unterminated dollar-quoted string at or near \"$$abc\"", ""},
   {"SELECT /* abc", "42601", 7, 6, "unterminated /* comment at or near \"/* abc\"", ""},
   {"SELECT /* a /* b */", "42601", 7, 12, "unterminated /* comment at or near \"/* a /* b */\"",
    ""},
   {"SELECT B'01", "42601", 7, 4, "unterminated bit string literal at or near \"B'01\"", ""},
   {"SELECT X'01", "42601", 7, 4, "unterminated hexadecimal string literal at or near \"X'01\"",
    ""},
   {"SELECT E'a\\'", "42601", 7, 5, "unterminated quoted string at or near \"E'a\\'\"", ""},
   {"SELECT \"\"", "42601", 7, 2, "zero-length delimited identifier at or near \"\"\"\"", ""},
   {"SELECT 1a", "42601", 7, 2, "trailing junk after numeric literal at or near \"1a\"", ""},
   {"SELECT 1.5x", "42601", 7, 4, "trailing junk after numeric literal at or near \"1.5x\"", ""},
   {"SELECT 1e5z", "42601", 7, 4, "trailing junk after numeric literal at or near \"1e5z\"", ""},
   {"SELECT 1e+", "42601", 7, 3, "trailing junk after numeric literal at or near \"1e+\"", ""},
   {"SELECT $1a", "42601", 7, 3, "trailing junk after parameter at or near \"$1a\"", ""},
   {"SELECT 12é", "42601", 7, 4, "trailing junk after numeric literal at or near \"12é\"", ""},
   {"SELECT $99999", "42601", 7, 6, "parameter number too large at or near \"$99999\"", ""},
   {"SELECT U&'x' UESCAPE '!'", "0A000", 13, 7, "UESCAPE is not supported",
    "Write the escapes with a backslash, and leave UESCAPE out."},
   {"SELECT E'\\u12'", "22025", 9, 2, "invalid Unicode escape",
    "Unicode escapes must be \\uXXXX or \\UXXXXXXXX."},
   {"SELECT E'\\ud800'", "42601", 9, 6, "invalid Unicode surrogate pair", ""},
   {"SELECT E'\\000'", "22021", 9, 4, "invalid byte sequence for encoding \"UTF8\": 0x00", ""},
   {"SELECT E'\\xff'", "22021", 7, 7, "invalid byte sequence for encoding \"UTF8\" after escapes",
    ""},
   {"SELECT (1", "42601", 9, 0, "syntax error at end of input", ""},
   {"SELECT * FROM", "42601", 13, 0, "syntax error at end of input", ""},
   {"SELECT a FROM t QUALIFY b AND", "42601", 29, 0, "syntax error at end of input", ""},
   {"SELECT a FROM t SAMPLE BY 5q", "42601", 27, 1, "unknown unit of time \"q\"",
    "The units are T (milliseconds), s, m (minutes), h, d, w, M (months) and y. An interval can "
    "also be a string: '1 hour'."},
   {"SELECT a FROM t SAMPLE BY 5 m", "42601", 26, 1, "the width lacks a unit of time",
    "The units are T (milliseconds), s, m (minutes), h, d, w, M (months) and y. An interval can "
    "also be a string: '1 hour'."},
   {"SELECT a FROM t SAMPLE BY 1h FILL (1, NONE)", "42601", 38, 4,
    "NONE cannot be combined with other values of FILL", ""},
   {"SELECT a FROM t SAMPLE BY 1h GROUP BY b", "42601", 29, 5, "syntax error at or near \"GROUP\"",
    "SAMPLE BY groups by the other columns of the select list. Leave GROUP BY out."},
   {"SELECT a FROM t SAMPLE BY 1h, 2", "42601", 28, 1, "syntax error at or near \",\"", ""},
   {"SELECT a FROM t LATEST ON b", "42601", 27, 0, "syntax error at end of input", ""},
   {"SELECT a FROM t LATEST ON b PARTITION BY c WHERE d", "42601", 43, 5,
    "syntax error at or near \"WHERE\"", "LATEST ON stands behind WHERE, and before GROUP BY."},
   {"SELECT 5m FROM t SAMPLE BY 5m", "42601", 7, 2,
    "trailing junk after numeric literal at or near \"5m\"", ""},
   {"SELECT a, ,", "42601", 10, 1, "syntax error at or near \",\"", ""},
   {"SELECT a FROM t WHERE", "42601", 21, 0, "syntax error at end of input", ""},
   {"SELECT )", "42601", 7, 1, "syntax error at or near \")\"", ""},
   {"SELECT 1 2", "42601", 9, 1, "syntax error at or near \"2\"", ""},
   {"SELECT a b c", "42601", 11, 1, "syntax error at or near \"c\"", ""},
   {"SELECT a year", "42601", 9, 4, "syntax error at or near \"year\"", ""},
   {"SELECT FROM WHERE", "42601", 12, 5, "syntax error at or near \"WHERE\"", ""},
   {"SELECT # ", "42601", 9, 0, "syntax error at end of input", ""},
   {"SELECT a = b = c", "42601", 13, 1, "syntax error at or near \"=\"", ""},
   {"SELECT a < b < c", "42601", 13, 1, "syntax error at or near \"<\"", ""},
   {"SELECT a LIKE b LIKE c", "42601", 16, 4, "syntax error at or near \"LIKE\"", ""},
   {"SELECT a IN ()", "42601", 13, 1, "syntax error at or near \")\"", ""},
   {"SELECT ARRAY[1][1]", "42601", 15, 1, "syntax error at or near \"[\"", ""},
   {"SELECT a BETWEEN b COLLATE \"C\" AND c", "42601", 19, 7, "syntax error at or near \"COLLATE\"",
    ""},
   {"SELECT a.*.b", "42601", 9, 1, "improper use of \"*\"", ""},
   {"SELECT (a).*.b", "42601", 11, 1, "improper use of \"*\"", ""},
   {"SELECT f(a => 1, 2)", "42601", 17, 1, "positional argument cannot follow named argument", ""},
   {"SELECT 1 LIMIT 1, 2", "42601", 9, 5, "LIMIT #,# syntax is not supported",
    "Use separate LIMIT and OFFSET clauses."},
   {"(SELECT 1 ORDER BY 1) ORDER BY 2", "42601", 31, 1, "multiple ORDER BY clauses not allowed",
    ""},
   {"(SELECT 1 LIMIT 1) LIMIT 2", "42601", 25, 1, "multiple LIMIT clauses not allowed", ""},
   {"SELECT 1 FETCH FIRST 1 ROW WITH TIES", "42601", 9, 27,
    "WITH TIES cannot be specified without ORDER BY clause", ""},
   {"WITH a AS (SELECT 1) (WITH b AS (SELECT 2) SELECT 3)", "42601", 0, 4,
    "multiple WITH clauses not allowed", ""},
   {"SELECT sum(a) OVER (ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW)", "42P20", 33, 9,
    "frame start cannot be UNBOUNDED FOLLOWING", ""},
   {"SELECT sum(a) OVER (ROWS 1 FOLLOWING)", "42P20", 25, 1,
    "frame starting from following row cannot end with current row", ""},
   {"SELECT (a, b) OVERLAPS (c, d, e)", "42601", 23, 9,
    "wrong number of parameters on right side of OVERLAPS expression", ""},
   {"SELECT a::float(60)", "22023", 16, 2, "precision for type float must be less than 54 bits",
    ""},
   {"SELECT a::numeric(1, 2, 3)", "42601", 24, 1, "invalid type modifier", ""},
   {"SELECT a::numeric(3, -1)", "0A000", 21, 2, "negative type modifiers are not supported", ""},
   {"SELECT UNIQUE (SELECT 1)", "0A000", 7, 6, "UNIQUE predicate is not supported", ""},
   {"SELECT grant FROM t", "42601", 7, 5, "syntax error at or near \"grant\"", ""},
   {"SELECT a grant FROM t", "42601", 9, 5, "syntax error at or near \"grant\"", ""},
   {"SELECT 1; SELECT 2", "42601", 10, 6,
    "cannot insert multiple commands into a prepared statement", ""},
   {"WITH m AS (MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE) SELECT 1", "0A000", 5, 1,
    "MERGE not supported in WITH query", ""},
   {"CREATE INDEX ON t (a, lower(b))", "0A000", 27, 1, "an index on an expression is not supported",
    "Store the expression in a column of its own."},
   {"CREATE INDEX ON t ((a + 1))", "0A000", 19, 1, "an index on an expression is not supported",
    "Store the expression in a column of its own."},
   {"CREATE INDEX ON t (a) TABLESPACE f", "0A000", 22, 10, "TABLESPACE is not supported", ""},
   {"CREATE INDEX ON t (a COLLATE \"C\")", "0A000", 21, 7, "COLLATE in an index is not supported",
    ""},
   {"COMMENT ON INDEX i IS 'x'", "0A000", 0, 16, "COMMENT ON INDEX is not supported", ""},
   {"COMMENT ON LAYOUT i IS 'x'", "0A000", 0, 17, "COMMENT ON LAYOUT is not supported", ""},
   {"WITH RECURSIVE r AS (SELECT 1) SEARCH DEPTH FIRST BY a SET b SELECT 1", "0A000", 31, 6,
    "SEARCH is not supported", ""},
   {"WITH RECURSIVE r AS (SELECT 1), s AS (SELECT 2) CYCLE a SET b USING c SELECT 1", "0A000", 48,
    5, "CYCLE is not supported", ""},
   {"PREPARE TRANSACTION 'x'", "0A000", 0, 19, "PREPARE TRANSACTION is not supported", ""},
   {"COMMIT PREPARED 'x'", "0A000", 0, 15, "COMMIT PREPARED is not supported", ""},
   {"BEGIN READ", "42601", 10, 0, "syntax error at end of input", ""},
   {"FETCH NEXT FROM", "42601", 15, 0, "syntax error at end of input", ""},
   {"FETCH 99999999999999999999 FROM c", "22003", 6, 20,
    "value \"99999999999999999999\" is out of range for type bigint", ""},
   {"GRANT SELECT ON t TO u", "0A000", 0, 5, "GRANT is not supported",
    "There are no privileges. A user of --listen can be read-only."},
   {"PREPARE p AS CREATE TABLE t AS SELECT 1", "42601", 13, 6, "syntax error at or near \"CREATE\"",
    ""},
   {"EXPLAIN (ANALYZE) LISTEN t", "0A000", 18, 6, "LISTEN is not supported",
    "There are no channels. CREATE ALERT runs a command when a query finds rows."},
   {"UPDATE t a = 1", "42601", 11, 1, "syntax error at or near \"=\"", ""},
   {"DELETE t", "42601", 7, 1, "syntax error at or near \"t\"", ""},
   {"WITH a AS (SELECT 1) INSERT INTO t WITH b AS (SELECT 2) SELECT 3", "0A000", 0, 4,
    "WITH both before INSERT and in its query is not supported", ""},
   {"WITH a AS (WITH b AS (DELETE FROM t) SELECT 1) SELECT 2", "0A000", 5, 1,
    "WITH clause containing a data-modifying statement must be at the top level", ""},
   {"ALTER VIEW v RENAME TO w", "0A000", 0, 10, "ALTER VIEW is not supported", ""},
   {"CREATE TEMP VIEW v AS SELECT 1", "0A000", 0, 16, "CREATE TEMPORARY VIEW is not supported", ""},
   {"ALTER MATERIALIZED VIEW v RENAME a TO b", "0A000", 0, 18,
    "ALTER MATERIALIZED VIEW ... RENAME COLUMN is not supported", ""},
   {"CREATE MATERIALIZED VIEW v", "42601", 26, 0, "syntax error at end of input", ""},
   {"CREATE UNIQUE INDEX i ON t (lower(a))", "0A000", 33, 1,
    "an index on an expression is not supported", "Store the expression in a column of its own."},
   {"COMMENT ON COLUMN a IS 'x'", "42601", 18, 1, "column name must be qualified", ""},
   {"CREATE UNLOGGED TABLE t (a int)", "0A000", 0, 21, "CREATE UNLOGGED TABLE is not supported",
    ""},
   {"CREATE GLOBAL TEMP TABLE t (a int)", "0A000", 0, 24,
    "CREATE GLOBAL TEMPORARY TABLE is not supported", ""},
   {"CREATE SCHEMA s CREATE TABLE t (a int)", "0A000", 16, 6,
    "a statement within CREATE SCHEMA is not supported", "Run it after CREATE SCHEMA."},
   {"ALTER SCHEMA s OWNER TO t", "0A000", 15, 5, "ALTER SCHEMA ... OWNER TO is not supported", ""},
   {"ALTER INDEX i SET (x = 1)", "0A000", 0, 11, "ALTER INDEX ... SET is not supported", ""},
   {"COMMENT ON TYPE t IS 'x'", "0A000", 0, 15, "COMMENT ON TYPE is not supported", ""},
   {"ALTER TABLE t ADD UNIQUE (a) DEFERRABLE", "0A000", 29, 10, "DEFERRABLE is not supported",
    "Leave it out: constraints are checked by each statement."},
   {"ALTER TABLE t ADD UNIQUE (a) NOT VALID", "0A000", 29, 9,
    "UNIQUE constraints cannot be marked NOT VALID", ""},
   {"ALTER TABLE IF EXISTS s.t ALTER a SET STORAGE plain", "0A000", 26, 5,
    "ALTER TABLE ... ALTER is not supported", ""},
   {"ALTER VIEW v RENAME TO w", "0A000", 0, 10, "ALTER VIEW is not supported", ""},
   {"ALTER FUNCTION f() RENAME TO g", "0A000", 0, 14, "ALTER FUNCTION is not supported", ""},
   {"SET ROLE x", "0A000", 0, 8, "SET ROLE is not supported", ""},
   {"CREATE TABLE t (a int TIME MEASURE)", "42601", 27, 7,
    "multiple roles specified for column \"a\"", ""},
   {"CREATE TABLE t (a int NULL NOT NULL)", "42601", 27, 3,
    "conflicting NULL/NOT NULL declarations for column \"a\"", ""},
   {"CREATE TABLE t (a int DEFAULT 1 DEFAULT 2)", "42601", 32, 7,
    "multiple default values specified for column \"a\"", ""},
   {"CREATE TABLE t (a int DEFAULT 1 GENERATED ALWAYS AS (1) STORED)", "42601", 32, 9,
    "both default and generation expression specified for column \"a\"", ""},
   {"CREATE TABLE t (a int DEFAULT 1 GENERATED ALWAYS AS IDENTITY)", "42601", 32, 9,
    "both default and identity specified for column \"a\"", ""},
   {"CREATE SEQUENCE s START 9223372036854775808", "22003", 24, 19,
    "value \"9223372036854775808\" is out of range for type bigint", ""},
   {"CREATE SEQUENCE s CACHE 1.5", "22P02", 24, 3, "invalid input syntax for type bigint: \"1.5\"",
    ""},
   {"ALTER SEQUENCE s OWNER TO me", "0A000", 17, 5, "ALTER SEQUENCE ... OWNER TO is not supported",
    ""},
   {"CREATE TABLE t (a int REFERENCES u)", "0A000", 22, 10, "REFERENCES is not supported",
    "Leave it out: mtsql does not check references between tables."},
   {"CREATE TABLE t (a int UNIQUE DEFERRABLE)", "0A000", 29, 10, "DEFERRABLE is not supported",
    "Leave it out: constraints are checked by each statement."},
   {"CREATE TABLE t (a int, KEY (a), PRIMARY KEY (a))", "42P17", 32, 7,
    "multiple primary keys for a table are not allowed", ""},
   {"CREATE TABLE t (a)", "42601", 18, 0, "syntax error at end of input", ""},
   {"CREATE TABLE t (select int)", "42601", 16, 6, "syntax error at or near \"select\"", ""},
   {"COPY t FROM PROGRAM 'ls'", "0A000", 12, 7, "COPY with PROGRAM is not supported", ""},
   {"COPY (SELECT 1) FROM 'x'", "42601", 16, 4, "syntax error at or near \"FROM\"", ""},
   {"CREATE FUNCTION f() LANGUAGE sql AS 'x'", "42P13", 16, 1,
    "function result type must be specified", ""},
   {"CREATE FUNCTION f() RETURNS int AS 'x'", "42P13", 16, 1, "no language specified", ""},
   {"CREATE FUNCTION f() RETURNS int LANGUAGE sql", "42P13", 16, 1, "no function body specified",
    ""},
   {"CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'x' AS 'y'", "42601", 55, 3,
    "conflicting or redundant options", ""},
   {"CREATE FUNCTION f(OUT a int) RETURNS int LANGUAGE sql AS 'x'", "0A000", 18, 3,
    "a function with OUT, INOUT or VARIADIC arguments is not supported", ""},
   {"CREATE FUNCTION f() RETURNS SETOF int LANGUAGE sql AS 'x'", "0A000", 28, 5,
    "SETOF is not supported", ""},
   {"CREATE FUNCTION f() RETURNS TABLE (a int) LANGUAGE sql AS 'x'", "0A000", 28, 5,
    "a function that returns a table is not supported", ""},
   {"FOO BAR", "42601", 0, 3, "syntax error at or near \"FOO\"", ""},
};

static MtStmt *parse (MtArena *a, const char *sql, size_t n, MtError *err)
{
   MtStmt *s = NULL;
   memset (err, 0, sizeof (*err));
   return mt_parse (a, sql, n, &s, err) ? s : NULL;
}

static MtStmt *parse_or_fail (MtArena *a, const char *sql)
{
   MtError err;
   MtStmt *s = parse (a, sql, strlen (sql), &err);
   if (!s)
      fail_msg ("%s: %s", sql, err.message);
   assert_true (s->span.start >= 0 && s->span.start + s->span.len <= (int) strlen (sql));
   return s;
}

static void test_queries (void **state)
{
   for (size_t i = 0; i < sizeof (queries) / sizeof (queries[0]); i++) {
      const Positive *t = &queries[i];
      MtArena *a = mt_arena_new ("test", NULL);
      MtBuf once = {0}, twice = {0};
      MtStmt *s = parse_or_fail (a, t->sql);
      if (s->kind != MT_STMT_SELECT)
         fail_msg ("no query: %s", t->sql);
      mt_print_select (s->select, &once);
      assert_string_equal (once.p, t->printed ? t->printed : t->sql);
      mt_print_select (parse_or_fail (a, once.p)->select, &twice);
      assert_string_equal (twice.p, once.p);
      mt_buf_free (&once);
      mt_buf_free (&twice);
      mt_arena_free (a);
   }
}

static void test_statements (void **state)
{
   for (size_t i = 0; i < sizeof (statements) / sizeof (statements[0]); i++) {
      MtArena *a = mt_arena_new ("test", NULL);
      if (parse_or_fail (a, statements[i])->kind == MT_STMT_SELECT)
         fail_msg ("a query: %s", statements[i]);
      mt_arena_free (a);
   }
}

static void test_negatives (void **state)
{
   for (size_t i = 0; i < sizeof (negatives) / sizeof (negatives[0]); i++) {
      const Negative *t = &negatives[i];
      MtArena *a = mt_arena_new ("test", NULL);
      MtError err;
      if (parse (a, t->sql, strlen (t->sql), &err) || !err.sqlstate[0])
         fail_msg ("%s: no error", t->sql);
      assert_string_equal (err.message, t->message);
      assert_string_equal (err.sqlstate, t->state);
      assert_string_equal (err.hint, t->hint);
      assert_int_equal (err.span.start, t->start);
      assert_int_equal (err.span.len, t->len);
      mt_arena_free (a);
   }
}

static void test_empty (void **state)
{
   static const char *const empty[] = {"", " ", ";", ";;", "-- x", "/* x */ ;", "\n\t"};
   for (size_t i = 0; i < sizeof (empty) / sizeof (empty[0]); i++) {
      MtArena *a = mt_arena_new ("test", NULL);
      MtStmt *s = (MtStmt *) a;
      MtError err;
      assert_true (mt_parse (a, empty[i], strlen (empty[i]), &s, &err));
      assert_null (s);
      mt_arena_free (a);
   }
}

static void test_bytes (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtError err;
   assert_null (parse (a, "SELECT '\xff'", 10, &err));
   assert_string_equal (err.sqlstate, MT_E_ENCODING);
   assert_string_equal (err.message, "invalid byte sequence for encoding \"UTF8\": 0xff");
   assert_int_equal (err.span.start, 8);
   assert_null (parse (a, "SELECT \0 1", 10, &err));
   assert_string_equal (err.sqlstate, MT_E_ENCODING);
   assert_int_equal (err.span.start, 7);
   mt_arena_free (a);
}

/* before × n, middle, after × n, parsed as one statement. */
static const char *state_of_nested (const char *before, const char *middle, const char *after,
                                    size_t n, MtError *err)
{
   static char state[6];
   MtArena *a = mt_arena_new ("test", NULL);
   MtBuf b = {0};
   mt_buf_adds (&b, "SELECT ");
   for (size_t i = 0; i < n; i++)
      mt_buf_adds (&b, before);
   mt_buf_adds (&b, middle);
   for (size_t i = 0; i < n; i++)
      mt_buf_adds (&b, after);
   MtStmt *s = parse (a, b.p, b.n, err);
   strcpy (state, s ? "00000" : err->sqlstate);
   if (s) {
      MtBuf out = {0};
      mt_print_select (s->select, &out);
      mt_buf_free (&out);
   }
   mt_buf_free (&b);
   mt_arena_free (a);
   return state;
}

static void test_depth (void **state)
{
   static const struct {
      const char *before, *middle, *after;
   } shapes[] = {{"(", "1", ")"},
                 {"-(", "1", ")"},
                 {"f(", "1", ")"},
                 {"(SELECT ", "1", ")"},
                 {"NOT ", "a", ""},
                 {"- ", "1", ""},
                 {"1+", "1", ""},
                 {"", "1", "::int"},
                 {"", "a", "[1]"},
                 {"ARRAY[", "1", "]"},
                 {"CASE WHEN a THEN ", "1", " END"},
                 {"1 UNION SELECT ", "1", ""},
                 {"EXISTS (SELECT ", "1", ")"}};
   for (size_t i = 0; i < sizeof (shapes) / sizeof (shapes[0]); i++) {
      MtError err;
      assert_string_equal (
         state_of_nested (shapes[i].before, shapes[i].middle, shapes[i].after, 450, &err), "00000");
      assert_string_equal (state_of_nested (shapes[i].before, shapes[i].middle, shapes[i].after,
                                            200000, &err),
                           MT_E_TOO_COMPLEX);
      assert_string_equal (err.message, "statement is too complex");
   }
   MtError err;
   assert_string_equal (state_of_nested ("(", "1", ")", 900, &err), "00000");
   assert_string_equal (state_of_nested ("1+", "1", "", 900, &err), "00000");
   assert_string_equal (state_of_nested ("(", "1", ")", MT_MAX_EXPR_DEPTH + 1, &err),
                        MT_E_TOO_COMPLEX);
}

static void test_long (void **state)
{
   MtError err;
   assert_string_equal (state_of_nested ("a = 1 AND ", "b", "", 200000, &err), "00000");
   assert_string_equal (state_of_nested ("a OR ", "b", "", 200000, &err), "00000");
   assert_string_equal (state_of_nested ("1, ", "2", "", 200000, &err), "00000");
   assert_string_equal (state_of_nested ("", "a IN (1", ", 1", 1, &err), MT_E_SYNTAX);
   assert_string_equal (state_of_nested ("1; ", "", "", MT_MAX_STATEMENT_BYTES / 3 + 1, &err),
                        MT_E_LIMIT);
}

static void test_scan (void **state)
{
   static const struct {
      const char *text;
      int end; /* -1: none */
      MtScanState state;
   } rows[] = {
      {"", -1, MT_SCAN_READY},
      {" \n-- x\n", -1, MT_SCAN_READY},
      {"SELECT 1", -1, MT_SCAN_CONTINUE},
      {"SELECT 1;", 9, MT_SCAN_READY},
      {"SELECT 1; SELECT 2;", 9, MT_SCAN_READY},
      {";", 1, MT_SCAN_READY},
      {"SELECT ';", -1, MT_SCAN_SINGLE_QUOTE},
      {"SELECT ';';", 11, MT_SCAN_READY},
      {"SELECT E'\\';", -1, MT_SCAN_SINGLE_QUOTE},
      {"SELECT \";", -1, MT_SCAN_DOUBLE_QUOTE},
      {"SELECT $a$;$$", -1, MT_SCAN_DOLLAR_QUOTE},
      {"SELECT $a$;$a$;", 15, MT_SCAN_READY},
      {"SELECT /* ; /* */", -1, MT_SCAN_COMMENT},
      {"SELECT /* ; /* */ */;", 21, MT_SCAN_READY},
      {"SELECT (1;", -1, MT_SCAN_PAREN},
      {"SELECT (1;);", 12, MT_SCAN_READY},
      {"SELECT );", 9, MT_SCAN_READY},
      {"SELECT 1 -- ;", -1, MT_SCAN_CONTINUE},
      {"SELECT 1 -- ;\n;", 15, MT_SCAN_READY},
      {"CREATE FUNCTION f () RETURNS int BEGIN ATOMIC SELECT 1;", -1, MT_SCAN_CONTINUE},
      {"create or replace procedure p () begin atomic select case 1 when 1 then 2 end; end;", 83,
       MT_SCAN_READY},
      {"CREATE TABLE t (begin int);", 27, MT_SCAN_READY},
      {"CREATE VIEW function AS SELECT 1 AS begin;", 42, MT_SCAN_READY}};
   for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++) {
      size_t end = 0;
      MtScanState got = MT_SCAN_READY;
      bool found = mt_scan_statement (rows[i].text, strlen (rows[i].text), &end, &got);
      assert_int_equal (found ? (int) end : -1, rows[i].end);
      assert_int_equal (got, rows[i].state);
   }
}

static bool accepts (const char *fmt, const char *word)
{
   MtArena *a = mt_arena_new ("test", NULL);
   char *sql = mt_printf (a, fmt, word);
   MtError err;
   bool ok = parse (a, sql, strlen (sql), &err) != NULL;
   mt_arena_free (a);
   return ok;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* keywords.def and the grammar's classes say the same. */
static void test_keywords (void **state)
{
   size_t n;
   const MtKeyword *k = mt_keyword_table (&n);
   for (size_t i = 0; i < n; i++) {
      if (i && strcmp (k[i - 1].word, k[i].word) >= 0)
         fail_msg ("not sorted: %s", k[i].word);
      bool column = k[i].where == MT_KW_FREE || k[i].where == MT_KW_COLUMN;
      static const char duckdb[] = " describe qualify summarize ";
      if (strstr (duckdb, k[i].word)) /* names, where the statement is one of PostgreSQL's */
         continue;
      if (accepts ("DROP LAYOUT %s", k[i].word) != column)
         fail_msg ("as a name: %s", k[i].word);
      bool postfix = strcmp (k[i].word, "isnull") == 0 || strcmp (k[i].word, "notnull") == 0;
      if (accepts ("SELECT 1 %s", k[i].word) != (k[i].bare || postfix))
         fail_msg ("as a label: %s", k[i].word);
      if (!accepts ("SELECT 1 AS %s", k[i].word))
         fail_msg ("as a label after AS: %s", k[i].word);
      bool type = k[i].where == MT_KW_FREE || k[i].where == MT_KW_TYPE;
      if (type && !accepts ("DROP FUNCTION %s", k[i].word))
         fail_msg ("as a function: %s", k[i].word);
   }
   assert_non_null (mt_keyword_find ("SeLeCt", 6));
   assert_null (mt_keyword_find ("selec", 5));
   assert_true (mt_keyword_reserved ("SELECT", 6));
   assert_false (mt_keyword_reserved ("value", 5));
}

static void test_spans (void **state)
{
   static const char sql[] = "SELECT (a + b) * c, f(x) FROM t";
   MtArena *a = mt_arena_new ("test", NULL);
   MtError err;
   MtStmt *s = parse (a, sql, strlen (sql), &err);
   assert_non_null (s);
   MtTarget *t = s->select->plain.targets;
   assert_int_equal (t->expr->span.start, 7);
   assert_int_equal (t->expr->span.len, 11);
   assert_int_equal (t->expr->op.left->span.start, 8);
   assert_int_equal (t->expr->op.left->outer.start, 7);
   assert_int_equal (t->next->expr->span.start, 20);
   assert_int_equal (t->next->expr->span.len, 4);
   assert_int_equal (s->select->plain.from->span.start, 30);
   assert_int_equal (s->span.len, (int) strlen (sql));
   mt_arena_free (a);
}

static void test_expr (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtExpr *e = NULL;
   MtError err;
   MtBuf b = {0};
   assert_true (mt_parse_expr (a, "a+1 * 2", 7, &e, &err));
   mt_print_expr (e, &b);
   assert_string_equal (b.p, "a + 1 * 2");
   assert_false (mt_parse_expr (a, "", 0, &e, &err));
   assert_string_equal (err.message, "syntax error at end of input");
   assert_false (mt_parse_expr (a, "SELECT 1", 8, &e, &err));
   assert_int_equal (err.span.start, 0);
   mt_buf_free (&b);
   mt_arena_free (a);
}

static bool expects (const MtExpected *e, const char *word, size_t n)
{
   for (size_t i = 0; i < e->keyword_count; i++)
      if (strlen (e->keywords[i]) == n && strncasecmp (e->keywords[i], word, n) == 0)
         return true;
   return false;
}

/* Checks that the grammar expects each word of a statement where it stands: as a name, or as this
 * keyword. */
static void check_words (const char *sql)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtSqlPiece *v;
   MtExpected e;
   size_t n;
   mt_parse_pieces (a, sql, strlen (sql), &v, &n);
   for (size_t k = 0; k < n && sql[v[k].start] != ';'; k++) {
      if (v[k].kind == MT_SQL_COMMENT)
         continue;
      if (!mt_parse_expect (a, sql, v[k].start, &e))
         fail_msg ("%s: not the beginning of a statement: %.*s", sql, (int) v[k].start, sql);
      size_t length = v[k].end - v[k].start;
      const char *word = sql + v[k].start;
      if (v[k].kind == MT_SQL_KEYWORD && !expects (&e, word, length))
         fail_msg ("%s: %.*s is not expected", sql, (int) length, word);
      if (v[k].kind == MT_SQL_NAME && !e.name && !expects (&e, word, length))
         fail_msg ("%s: %.*s is no name", sql, (int) length, word);
      if (*word == '\'' && !e.literal)
         fail_msg ("%s: no literal is expected", sql);
   }
   mt_arena_free (a);
}

static void test_expected (void **state)
{
   enum { EACH = 4 };
   for (size_t i = 0; i < sizeof (queries) / sizeof (queries[0]); i += EACH)
      check_words (queries[i].sql);
   for (size_t i = 0; i < sizeof (statements) / sizeof (statements[0]); i += EACH)
      check_words (statements[i]);
}

/* Words of SAMPLE BY and LATEST ON are expected where their clauses can stand. */
static void test_expected_words (void **state)
{
   static const struct {
      const char *sql, *word;
      bool expected;
   } cases[] = {
      {"SELECT a FROM t ", "sample", true},
      {"SELECT a FROM t WHERE b ", "latest", true},
      {"SELECT a FROM t ORDER BY b ", "sample", false},
      {"SELECT a FROM t SAMPLE ", "by", true},
      {"SELECT a FROM t SAMPLE BY 5m ", "fill", true},
      {"SELECT a FROM t SAMPLE BY 5m ", "from", true},
      {"SELECT a FROM t SAMPLE BY 5m ", "group", false},
      {"SELECT a FROM t SAMPLE BY 5m FROM b ", "to", true},
      {"SELECT a FROM t SAMPLE BY 5m FILL (", "linear", true},
      {"SELECT a FROM t SAMPLE BY 5m FILL (1, ", "prev", true},
      {"SELECT a FROM t SAMPLE BY 5m FILL (NONE) ALIGN TO ", "calendar", true},
      {"SELECT a FROM t SAMPLE BY 5m ALIGN TO FIRST ", "observation", true},
      {"SELECT a FROM t SAMPLE BY 5m ALIGN TO FIRST OBSERVATION ", "time", false},
      {"SELECT a FROM t LATEST ON b ", "partition", true},
      {"SELECT a FROM t ASOF ", "nearest", true},
      {"SELECT a FROM t ASOF JOIN u ON b >= c ", "tolerance", true},
      {"SELECT a FROM t JOIN u ON b >= c ", "tolerance", false},
      {"SELECT a FROM t WINDOW ", "join", true},
      {"SELECT a FROM t WINDOW JOIN u ON b = c ", "range", true},
      {"SELECT a FROM t WINDOW JOIN u RANGE BETWEEN 1m ", "preceding", true},
      {"SELECT a FROM t WINDOW JOIN u RANGE BETWEEN 1m PRECEDING AND CURRENT ROW ", "exclude",
       true},
      {"SELECT a FROM t WINDOW JOIN u RANGE BETWEEN 1m PRECEDING AND CURRENT ROW EXCLUDE ",
       "prevailing", true},
   };
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtArena *a = mt_arena_new ("test", NULL);
      MtExpected e;
      assert_true (mt_parse_expect (a, cases[i].sql, strlen (cases[i].sql), &e));
      if (expects (&e, cases[i].word, strlen (cases[i].word)) != cases[i].expected)
         fail_msg ("%s%s", cases[i].sql, cases[i].word);
      mt_arena_free (a);
   }
}

static void test_places (void **state)
{
   static const struct {
      const char *sql;
      unsigned names, literals;
   } cases[] = {
      {"SELECT * FROM ", MT_PLACE_TABLE | MT_PLACE_FUNCTION, MT_PLACE_TABLE | MT_PLACE_FUNCTION},
      {"SELECT ", MT_PLACE_COLUMN | MT_PLACE_FUNCTION, MT_PLACE_COLUMN | MT_PLACE_FUNCTION},
      {"SELECT a FROM t ", 0, 0},
      {"DROP TABLE ", MT_PLACE_TABLE, 0},
      {"CREATE TABLE ", MT_PLACE_TABLE | MT_PLACE_NEW, 0},
      {"SET ", MT_PLACE_SETTING, 0},
      {"SET a = ", MT_PLACE_SETTING_VALUE | MT_PLACE_OPTION_VALUE,
       MT_PLACE_SETTING_VALUE | MT_PLACE_OPTION_VALUE},
      {"EXPLAIN (", MT_PLACE_EXPLAIN_OPTION, 0},
      {"COPY t FROM ", 0, MT_PLACE_FILE},
      {"COPY t TO STDOUT (", MT_PLACE_OPTION, 0},
      {"SELECT a::", MT_PLACE_TYPE, 0},
      {"SELECT a FROM t SAMPLE BY 1h ALIGN TO CALENDAR TIME ZONE ", 0, MT_PLACE_ZONE},
      {"SELECT a FROM t LATEST ON ", MT_PLACE_COLUMN | MT_PLACE_FUNCTION,
       MT_PLACE_COLUMN | MT_PLACE_FUNCTION},
   };
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtArena *a = mt_arena_new ("test", NULL);
      MtExpected e;
      assert_true (mt_parse_expect (a, cases[i].sql, strlen (cases[i].sql), &e));
      assert_int_equal (e.names, cases[i].names);
      assert_int_equal (e.literals, cases[i].literals);
      assert_false (mt_parse_expect (a, "SELECT WHERE WHERE", 18, &e));
      mt_arena_free (a);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_queries),        cmocka_unit_test (test_statements),
      cmocka_unit_test (test_negatives),      cmocka_unit_test (test_empty),
      cmocka_unit_test (test_bytes),          cmocka_unit_test (test_depth),
      cmocka_unit_test (test_long),           cmocka_unit_test (test_scan),
      cmocka_unit_test (test_keywords),       cmocka_unit_test (test_spans),
      cmocka_unit_test (test_expr),           cmocka_unit_test (test_expected),
      cmocka_unit_test (test_expected_words), cmocka_unit_test (test_places),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}

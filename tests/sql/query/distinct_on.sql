-- also: postgres mongo
-- DISTINCT ON: the first row of each key in the order that ORDER BY says.
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, app text DIMENSION, n bigint MEASURE, v double precision MEASURE) USING rows;
INSERT INTO t VALUES ('2015-01-01 00:00+00', 'h1', 'a', 1, 1), ('2015-01-01 00:00+00', 'h1', 'b', 2, NULL), ('2015-01-01 00:30+00', 'h2', 'a', 3, 'NaN'), ('2015-01-01 01:10+00', 'h2', 'a.b', 4, 8);
INSERT INTO t VALUES ('2015-01-01 01:20+00', 'h1', '$b', 5, 'NaN'), ('2015-01-02 00:00+00', 'h3', 'it''s', 2, NULL), ('2015-01-02 05:00+00', 'h3', 'a', 7, 1), ('2015-01-02 05:00+00', 'h3', 'b', 2, 1);
SELECT DISTINCT ON (host) host, ts, n FROM t ORDER BY host, ts DESC, n;
SELECT DISTINCT ON (host) host, app FROM t ORDER BY host DESC, app;
SELECT DISTINCT ON (host) n FROM t ORDER BY host, n DESC;
SELECT DISTINCT ON (app, host) host, app, n FROM t ORDER BY host, app DESC, n LIMIT 3 OFFSET 1;
SELECT DISTINCT ON (date_trunc('day', ts)) date_trunc('day', ts) AS day, host, n FROM t ORDER BY day, n DESC;
SELECT DISTINCT ON (1) n % 3, n FROM t ORDER BY 1, 2 DESC;
SELECT DISTINCT ON (n % 3) n FROM t ORDER BY n % 3 DESC, n;
-- NULL is one key, NaN another; where they go among the rest is ORDER BY's
SELECT DISTINCT ON (v) v, n FROM t ORDER BY v, n;
SELECT DISTINCT ON (v) v, n FROM t ORDER BY v DESC, n DESC;
SELECT DISTINCT ON (host) host, v FROM t ORDER BY host, v DESC NULLS LAST;
SELECT DISTINCT ON (host) host, v FROM t ORDER BY host, v NULLS FIRST;
-- over groups, sub-selects, in set operations
SELECT DISTINCT ON (host) host, app, sum(n) FROM t GROUP BY host, app ORDER BY host, sum(n) DESC, app;
SELECT DISTINCT ON (count(*)) count(*), host FROM t GROUP BY host ORDER BY count(*), host;
SELECT sum(n) FROM (SELECT DISTINCT ON (host) host, n FROM t ORDER BY host, n DESC) s;
(SELECT DISTINCT ON (host) host, n FROM t ORDER BY host, n) UNION ALL (SELECT DISTINCT ON (host) host, n FROM t ORDER BY host, n DESC) ORDER BY 1, 2;
SELECT host, n FROM t WHERE n IN (SELECT DISTINCT ON (host) n FROM t ORDER BY host, n DESC) ORDER BY host;
SELECT DISTINCT ON (x, x, 1) x FROM (VALUES (1), (2), (1), (NULL)) v (x) ORDER BY x;
SELECT DISTINCT ON (host, app, n) host, app FROM t ORDER BY host;
SELECT DISTINCT ON (host) host FROM t WHERE n > 100 ORDER BY host;
-- what isn't possible
SELECT DISTINCT ON (host) host, n FROM t ORDER BY n, host;
SELECT DISTINCT ON (host, app) host, n FROM t ORDER BY host, n, app;
SELECT DISTINCT ON (host, app) host, n FROM t ORDER BY host, n;
SELECT DISTINCT ON (host) host FROM t ORDER BY n;
SELECT DISTINCT ON (3) host FROM t;
SELECT DISTINCT ON ('x') host FROM t;
SELECT DISTINCT ON (nosuch) host FROM t;
SELECT DISTINCT ON (app) host, count(*) FROM t GROUP BY host;
SELECT DISTINCT ON (count(*)) host FROM t;
-- functions that give sets: of the rows that are left, where ORDER BY has none of them
SELECT DISTINCT ON (a) a, unnest(ARRAY[b, b + 1]) FROM (VALUES (1, 10), (1, 20), (2, 30)) AS t (a, b) ORDER BY a, b;
SELECT DISTINCT ON (a) a, unnest(ARRAY[b, b + 1]) FROM (VALUES (1, 10), (1, 20), (2, 30)) AS t (a, b) ORDER BY a, b DESC LIMIT 3;
SELECT DISTINCT ON (a) a, unnest(ARRAY[a, a + 1]) FROM (VALUES (1), (1), (2)) AS t (a) ORDER BY a DESC;
SELECT count(*) FROM (SELECT DISTINCT ON (a) a, unnest(ARRAY[a, a + 1]) FROM (VALUES (1), (1), (2)) AS t (a)) AS s;
SELECT DISTINCT ON (u) a, unnest(ARRAY[b, b + 1]) AS u FROM (VALUES (1, 10), (2, 10), (2, 30)) AS t (a, b) ORDER BY u, a;
SELECT DISTINCT ON (a) a, unnest(ARRAY[b, b + 1]) AS u FROM (VALUES (1, 10), (1, 20), (2, 30)) AS t (a, b) ORDER BY a, u DESC;
SELECT DISTINCT ON (a) a, count(*), unnest(ARRAY[b, b + 1]) FROM (VALUES (1, 10), (1, 20), (1, 20), (2, 30)) AS t (a, b) GROUP BY a, b ORDER BY a, count(*) DESC;

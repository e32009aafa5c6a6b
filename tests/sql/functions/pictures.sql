-- also: mongo
-- bar, as in DuckDB, and sparkline, as in QuestDB
SELECT x, bar(x, 0, 10, 10) || '|' AS bar FROM (VALUES (-1.0), (0), (0.06), (0.13), (2.5), (5), (9.99), (10), (11), (NULL)) AS t (x);
SELECT length(bar(1, 0, 1)), bar(1, 0, 1, 2.5) || '|', bar(0.5, 1, 0, 4) || '|', bar(2, 1, 0, 4) || '|';
SELECT bar('NaN', 0, 1, 4) || '|', bar('Infinity', 0, 1, 4), bar('-Infinity', 0, 1, 4) || '|', bar(1, 0, 'NaN', 4) || '|';
SELECT bar(1, NULL, 1, 4) IS NULL, bar(1, 0, NULL, 4) IS NULL, bar(1, 0, 1, NULL) IS NULL;
SELECT bar(1, 0, 1, 0);
SELECT bar(1, 0, 1, 1001);
SELECT bar(1, 0, 1, 'NaN');
SELECT bar(1, '-Infinity', 2, 4);
SELECT bar('a', 0, 1, 4);

CREATE TABLE load (t timestamptz TIME, host text DIMENSION, v bigint MEASURE) USING rows;
INSERT INTO load SELECT timestamptz '2024-05-01' + g * interval '1 hour', CASE g % 2 WHEN 0 THEN 'a' ELSE 'b' END, g * g % 23 FROM generate_series(0, 15) g;
INSERT INTO load VALUES ('2024-05-02', 'c', 5), ('2024-05-03', 'c', NULL), ('2024-05-04', 'd', NULL);
SELECT host, bar(sum(v), 0, 100, 10) AS bar, sparkline(v ORDER BY t) FROM load GROUP BY host ORDER BY host;
SELECT sparkline(v ORDER BY t), sparkline(v ORDER BY t DESC), sparkline(v ORDER BY v, t), sparkline(DISTINCT v) FROM load WHERE host < 'c';
SELECT sparkline(v, 0, 50, 20 ORDER BY t), sparkline(v, NULL, NULL, 4 ORDER BY t), sparkline(v, 10, NULL, NULL ORDER BY t) FROM load;
SELECT host, sparkline(v ORDER BY t) FILTER (WHERE v > 5) FROM load GROUP BY host ORDER BY host;
SELECT sparkline(v) FROM load WHERE false;
SELECT sparkline(x), sparkline(x, 0, 10, NULL), sparkline(x, 3, 3, NULL) FROM (VALUES (3), (3)) AS t (x);
SELECT '[' || sparkline(x ORDER BY n) || ']' FROM (VALUES (1, 1.0::float), (2, 'NaN'), (3, 'Infinity'), (4, '-Infinity'), (5, 2)) AS t (n, x);
SELECT sparkline(x, 0, 1, 0) FROM (VALUES (1)) AS t (x);
SELECT sparkline(x, 0, 1) FROM (VALUES (1)) AS t (x);
SELECT sparkline('a'::text);
SELECT host, t, sparkline(v) OVER (PARTITION BY host ORDER BY t) FROM load WHERE t < '2024-05-01 04:00+00' ORDER BY host, t;

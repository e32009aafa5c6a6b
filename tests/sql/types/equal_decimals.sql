-- also: postgres
-- Of decimals that are equal the last one is the least and the greatest.
SELECT min(x), max(x) FROM (VALUES (1.0), (1.00), (1.000)) AS q (x);
SELECT o, min(x), max(x) FROM (VALUES (1, 1.0), (1, 1.00), (2, 2.50), (2, 2.5)) AS q (o, x) GROUP BY o ORDER BY o;
SELECT min(x) OVER (ORDER BY o), max(x) OVER (ORDER BY o) FROM (VALUES (1, 1.0), (2, 1.00), (3, 1.000)) AS q (o, x);

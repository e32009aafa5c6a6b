-- also: postgres mongo
CREATE TABLE o (k integer, g text, v integer);
INSERT INTO o VALUES (1, 'a', 10), (2, 'a', 20), (3, 'b', 30), (4, 'b', NULL);
CREATE TABLE i (k integer, w integer);
INSERT INTO i VALUES (1, 5), (2, 7), (3, 1), (5, 9);
-- an aggregate belongs to the nearest query that its argument refers to, also within sub-selects of the argument
SELECT (SELECT max((SELECT i.w FROM i WHERE i.k = o.k))) FROM o;
SELECT g, (SELECT max((SELECT i.w FROM i WHERE i.k = o.k))) FROM o GROUP BY g ORDER BY g;
SELECT (SELECT sum(v) FILTER (WHERE EXISTS (SELECT 1 FROM i WHERE i.k = o.k))) FROM o;
SELECT (SELECT count(*) FILTER (WHERE o.k IN (SELECT i.k FROM i))) FROM o;
SELECT (SELECT sum(o.v) FROM i WHERE i.k = 1) FROM o;
SELECT k, (SELECT sum(i.w) FROM i WHERE i.k = o.k) FROM o ORDER BY k;
SELECT k, (SELECT sum((SELECT max(x.w) FROM i AS x WHERE x.k <= i.k)) FROM i WHERE i.k <= o.k) AS s FROM o ORDER BY k;
SELECT (SELECT max((SELECT i.w + o.k FROM i WHERE i.k = o.k))) FROM o HAVING max(o.k) > 1;
SELECT (SELECT (SELECT sum(a.v + b.w) FROM i AS c WHERE c.k = 1) FROM i AS b WHERE b.k < 3 GROUP BY a.k) FROM o AS a WHERE a.k = 1;
SELECT (SELECT (SELECT max(a.k + (SELECT 1 WHERE b.k > 0)) FROM i AS c WHERE c.k = 1) FROM i AS b) FROM o AS a WHERE a.k = 1;
SELECT max((SELECT i.w FROM i WHERE i.k = o.k)) FROM o;
SELECT o.k FROM o GROUP BY k HAVING (SELECT max((SELECT i.w FROM i WHERE i.k = o.k))) > 4 ORDER BY k;
SELECT (SELECT count((SELECT 1)) FROM i) FROM o WHERE o.k = 1;
-- where it can't stand
SELECT k FROM o WHERE (SELECT max((SELECT i.w FROM i WHERE i.k = o.k))) > 1;
SELECT k FROM o WHERE EXISTS (SELECT 1 FROM i HAVING sum(o.k) > 1);
SELECT v, (SELECT max((SELECT i.w FROM i WHERE i.k = o.k))) FROM o;
DROP TABLE o, i;

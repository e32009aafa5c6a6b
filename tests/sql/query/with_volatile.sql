-- also: postgres
-- Entries of WITH whose volatile functions stand in a sub-select or in their own WITH.
WITH c AS (SELECT (SELECT random()) AS r) SELECT a.r = b.r FROM c a, c b;
WITH c AS (WITH x AS (SELECT random() AS r) SELECT * FROM x) SELECT a.r = b.r FROM c a, c b;
WITH c AS (SELECT random() AS r) SELECT (SELECT r FROM c) = (SELECT r FROM c);

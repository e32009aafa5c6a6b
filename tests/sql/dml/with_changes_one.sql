-- also: mongo postgres
-- One change within WITH, as on a server without transactions.
CREATE TABLE a (id int NOT NULL, v text);
INSERT INTO a VALUES (1, 'x'), (2, 'y'), (3, 'z');
WITH i AS (INSERT INTO a VALUES (4, 'n'), (5, 'm') RETURNING id, v || '!' AS w) SELECT * FROM i ORDER BY id;
WITH u AS (UPDATE a SET v = upper(v) WHERE id < 3 RETURNING id, v) SELECT count(*), max(v), array_agg(u.id ORDER BY id) FROM u;
WITH d AS (DELETE FROM a WHERE id > 3 RETURNING *), e AS (SELECT id * 10 AS t FROM d) SELECT d.*, e.t FROM d JOIN e ON e.t = d.id * 10 ORDER BY d.id;
WITH i AS (INSERT INTO a VALUES (6, 'o')) SELECT 1 AS one;
SELECT * FROM a ORDER BY id;

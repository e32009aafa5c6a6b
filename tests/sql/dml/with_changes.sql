-- also: postgres
-- INSERT, UPDATE and DELETE within WITH.
CREATE TABLE a (id int NOT NULL, v text);
CREATE TABLE b (id int NOT NULL, v text);
CREATE TABLE log (what text, n int);
INSERT INTO a VALUES (1, 'x'), (2, 'y'), (3, 'z');
WITH i AS (INSERT INTO a VALUES (4, 'n'), (5, 'm') RETURNING id, v || '!' AS w) SELECT * FROM i ORDER BY id;
WITH moved AS (DELETE FROM a WHERE id > 3 RETURNING *) INSERT INTO b SELECT * FROM moved;
SELECT * FROM a ORDER BY id;
SELECT * FROM b ORDER BY id;
WITH u AS (UPDATE a SET v = upper(v) WHERE id < 3 RETURNING id, v) SELECT count(*), max(v), array_agg(u.id ORDER BY id) FROM u;
WITH u (k, t) AS (UPDATE a SET v = v || '1' RETURNING *) SELECT u.k, u.t, b.v FROM u LEFT JOIN b ON b.id = u.k + 3 ORDER BY k;
-- each part runs once, read or not
WITH n AS (INSERT INTO log VALUES ('n', 1)) SELECT 1 AS one;
WITH n AS (INSERT INTO log VALUES ('n', 2) RETURNING n) SELECT x.n, y.n FROM n x, n y;
SELECT * FROM log ORDER BY n;
-- several parts, and parts that read earlier ones
WITH d AS (DELETE FROM b WHERE id = 4 RETURNING id, v), l AS (INSERT INTO log SELECT 'deleted ' || v, id FROM d RETURNING n) UPDATE a SET v = 'l' || l.n FROM l WHERE a.id = 1;
SELECT * FROM a ORDER BY id;
SELECT * FROM b ORDER BY id;
SELECT * FROM log ORDER BY what, n;
WITH p AS (SELECT max(id) AS m FROM a), i AS (INSERT INTO b SELECT m + 10, 'p' FROM p RETURNING *), q AS (SELECT id * 2 AS d FROM i) SELECT i.*, q.d FROM i, q;
WITH up AS (UPDATE b SET v = 'up' WHERE id = 99 RETURNING id) INSERT INTO b SELECT 99, 'new' WHERE NOT EXISTS (SELECT 1 FROM up);
WITH up AS (UPDATE b SET v = 'up' WHERE id = 99 RETURNING id) INSERT INTO b SELECT 99, 'new' WHERE NOT EXISTS (SELECT 1 FROM up);
SELECT * FROM b ORDER BY id;
WITH d AS (DELETE FROM log RETURNING *) SELECT count(*), json_agg(d ORDER BY n, what) FROM d;
-- all of it, or nothing
WITH i AS (INSERT INTO log VALUES ('lost', 1) RETURNING n) SELECT 1 / (n - 1) FROM i;
WITH i AS (INSERT INTO log VALUES ('lost', 1)) INSERT INTO a VALUES (NULL, 'z');
SELECT count(*) FROM log;
BEGIN;
WITH i AS (INSERT INTO log VALUES ('kept', 7) RETURNING *) INSERT INTO log SELECT what || '2', n + 1 FROM i RETURNING *;
ROLLBACK;
SELECT count(*) FROM log;
-- parameters
PREPARE p (int, text) AS WITH i AS (INSERT INTO log VALUES ($2, $1) RETURNING *) SELECT i.*, $1 + 1 AS next FROM i;
EXECUTE p (3, 'three');
EXECUTE p (4, 'four');
-- errors
WITH i AS (INSERT INTO log VALUES ('x', 1)) SELECT * FROM i;
SELECT * FROM (WITH i AS (INSERT INTO log VALUES ('x', 1) RETURNING *) SELECT * FROM i) s;
WITH i AS (INSERT INTO log VALUES ('x', 1) RETURNING *), i AS (SELECT 1) SELECT * FROM i;
WITH i (a, b, c) AS (INSERT INTO log VALUES ('x', 1) RETURNING *) SELECT * FROM i;
WITH i AS (INSERT INTO nothing VALUES (1)) SELECT 1;
BEGIN READ ONLY;
WITH i AS (INSERT INTO log VALUES ('x', 1) RETURNING *) SELECT * FROM i;
ROLLBACK;
COPY (WITH d AS (DELETE FROM log RETURNING *) SELECT * FROM d ORDER BY n) TO STDOUT;
SELECT count(*) FROM log;

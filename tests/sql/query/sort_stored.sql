-- also: mongo postgres
-- ORDER BY and LIMIT by stored fields: the rows, whatever serves the order. sort_stored_plans has
-- the pipelines.
CREATE TABLE ev (id bigint, at timestamptz NOT NULL, v double precision, n numeric, k int, s text);
INSERT INTO ev VALUES
   (1, '2024-01-01 00:00+00', 1.5, 1.50, 1, 'b'),
   (2, '2024-01-02 00:00+00', 'NaN', 'NaN', 1, 'B'),
   (3, '2024-01-03 00:00+00', NULL, NULL, NULL, NULL),
   (4, '2024-01-04 00:00+00', -2, -2, 2, 'a'),
   (5, '2024-01-05 00:00+00', 'Infinity', 7, 2, ''),
   (6, '2024-01-06 00:00+00', '-Infinity', -7, NULL, 'ä'),
   (7, '2024-01-07 00:00+00', 0, 0.0, 1, 'aa');
CREATE INDEX ev_at ON ev (at);
CREATE INDEX ev_k_at ON ev (k, at);
SELECT id, at FROM ev ORDER BY at DESC LIMIT 3;
SELECT id, at FROM ev ORDER BY at LIMIT 2 OFFSET 3;
SELECT id FROM ev WHERE k = 1 ORDER BY at DESC LIMIT 2;
SELECT id FROM ev WHERE k = 1 AND at < '2024-01-05' ORDER BY k, at DESC LIMIT 2;
-- NULLs, at either end
SELECT id, k FROM ev ORDER BY k, id LIMIT 4;
SELECT id, k FROM ev ORDER BY k NULLS FIRST, id LIMIT 4;
SELECT id, k FROM ev ORDER BY k DESC, id LIMIT 4;
SELECT id, k FROM ev ORDER BY k DESC NULLS LAST, id LIMIT 4;
SELECT id, k FROM ev WHERE k IS NOT NULL ORDER BY k DESC, id LIMIT 4;
SELECT id, k FROM ev WHERE k + 1 > 0 ORDER BY k, id DESC LIMIT 6;
SELECT id, k FROM ev WHERE NOT k = 2 ORDER BY k DESC, id LIMIT 6;
SELECT id, k FROM ev WHERE k > 1 OR id > 5 ORDER BY k DESC, id LIMIT 6;
SELECT id, k FROM ev WHERE k > 1 OR k < 2 ORDER BY k DESC, id LIMIT 6;
SELECT id, k FROM ev WHERE coalesce(k, 5) > 1 ORDER BY k DESC, id LIMIT 6;
-- NaN is greater than every number
SELECT id, v FROM ev ORDER BY v, id LIMIT 7;
SELECT id, v FROM ev ORDER BY v DESC, id LIMIT 3;
SELECT id, v FROM ev WHERE v > 0 ORDER BY v DESC, id LIMIT 3;
SELECT id, v FROM ev WHERE v < 5 ORDER BY v DESC, id LIMIT 3;
SELECT id, v FROM ev WHERE v BETWEEN -5 AND 5 ORDER BY v, id LIMIT 3;
SELECT id, v FROM ev WHERE v IN (0, 1.5, -2) ORDER BY v DESC LIMIT 2;
SELECT id, v FROM ev WHERE v IN (0, 'NaN', -2) ORDER BY v DESC LIMIT 2;
SELECT id, v FROM ev WHERE v <= 'NaN' ORDER BY v DESC, id LIMIT 2;
SELECT id, n FROM ev ORDER BY n DESC NULLS LAST LIMIT 3;
SELECT id, n FROM ev WHERE n < 5 ORDER BY n DESC LIMIT 3;
-- text by bytes
SELECT id, s FROM ev WHERE s IS NOT NULL ORDER BY s LIMIT 5;
SELECT id, s FROM ev ORDER BY s DESC LIMIT 3;
-- what is sorted by isn't put out, and the other way round
SELECT id FROM ev ORDER BY at DESC LIMIT 2;
SELECT upper(s) AS u, v * 2 AS w FROM ev WHERE k = 2 ORDER BY at LIMIT 2;
SELECT 1 AS one FROM ev ORDER BY at LIMIT 2;
SELECT FROM ev ORDER BY at LIMIT 2;
SELECT id, k FROM ev ORDER BY at + interval '1 day' DESC LIMIT 1;
-- sub-selects, views and unions
CREATE VIEW recent AS SELECT id, at, k * 10 AS k10, s FROM ev WHERE id <> 7;
SELECT * FROM recent ORDER BY at DESC LIMIT 2 OFFSET 1;
SELECT id FROM recent ORDER BY k10, id LIMIT 3;
SELECT * FROM (SELECT * FROM recent) x WHERE id > 2 ORDER BY at LIMIT 2;
SELECT id, at FROM ev WHERE k = 1 UNION ALL SELECT id, at FROM ev WHERE k = 2 ORDER BY at DESC LIMIT 3;
SELECT count(*), min(id) FROM (SELECT id FROM ev ORDER BY at DESC LIMIT 4) x;
SELECT id FROM ev o WHERE at = (SELECT max(at) FROM ev i WHERE i.k = o.k) ORDER BY at LIMIT 3;
SELECT id FROM ev ORDER BY at DESC FETCH FIRST 2 ROWS WITH TIES;
DROP VIEW recent;
DROP TABLE ev;

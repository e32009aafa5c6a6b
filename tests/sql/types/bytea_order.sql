-- also: mongo postgres
-- bytea is ordered byte by byte, wherever there is an order; MongoDB puts shorter binaries first.
CREATE TABLE b (id integer, y bytea);
INSERT INTO b VALUES (1, '\x00ff'), (2, '\x01'), (3, '\x'), (4, '\xff'), (5, '\x0100'), (6, NULL), (7, '\x01');
SELECT y, id FROM b ORDER BY y, id;
SELECT y, id FROM b ORDER BY y DESC, id LIMIT 3;
SELECT y, id FROM b ORDER BY y NULLS FIRST, id LIMIT 3;
SELECT y, id FROM b ORDER BY y DESC NULLS LAST, id OFFSET 4;
SELECT id FROM b WHERE y > '\x00ff' AND y <= '\x0100' ORDER BY 1;
SELECT id, greatest(y, '\x01'), least(y, '\x0100') FROM b ORDER BY 1;
SELECT id, rank() OVER (ORDER BY y), dense_rank() OVER (ORDER BY y DESC), count(*) OVER (PARTITION BY y) FROM b ORDER BY 1;
SELECT DISTINCT ON (y) y, id FROM b ORDER BY y DESC, id;
SELECT DISTINCT y FROM b ORDER BY y;
SELECT y FROM b UNION SELECT '\x0001' ORDER BY 1;
SELECT string_agg(id::text, ',' ORDER BY y, id), string_agg(id::text, ',' ORDER BY y DESC, id) FROM b;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY y), mode() WITHIN GROUP (ORDER BY y) FROM b;
SELECT y FROM b ORDER BY y FETCH FIRST 3 ROWS WITH TIES;
SELECT id FROM b WHERE y > ALL (SELECT y FROM b WHERE id = 2) ORDER BY 1;

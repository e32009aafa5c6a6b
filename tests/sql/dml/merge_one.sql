-- also: mongo postgres
-- MERGE with one kind of change, which servers run, too.
CREATE TABLE stock (id int, name text DEFAULT 'none', n int);
INSERT INTO stock VALUES (1, 'nails', 10), (2, 'bolts', 20), (2, 'bolts', 20);
MERGE INTO stock s USING (VALUES (1, 5), (3, 7)) AS d (k, m) ON s.id = d.k WHEN MATCHED THEN UPDATE SET n = n + m;
MERGE INTO stock s USING (VALUES (1, 5), (3, 7), (3, 8)) AS d (k, m) ON s.id = d.k WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED AND m > 7 THEN INSERT VALUES (k, 'nuts', m) WHEN NOT MATCHED THEN INSERT (id) VALUES (k);
SELECT * FROM stock ORDER BY id, n;
MERGE INTO stock s USING (VALUES (2), (2)) AS d (k) ON s.id = d.k WHEN MATCHED THEN UPDATE SET n = 1;
MERGE INTO stock s USING (VALUES (2)) AS d (k) ON s.id = d.k WHEN MATCHED THEN DELETE;
MERGE INTO stock s USING stock d ON s.id = d.id + 2 WHEN MATCHED AND s.n > 1 THEN UPDATE SET name = d.name WHEN MATCHED THEN UPDATE SET n = 0;
SELECT * FROM stock ORDER BY id, n;

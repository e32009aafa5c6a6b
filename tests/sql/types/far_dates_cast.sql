-- A pipeline casts dates behind the last timestamp; as a result they are refused. PostgreSQL says "date out of range for timestamp".
CREATE TABLE t (id int, d date);
INSERT INTO t VALUES (1, '2202020-10-05'), (2, '5874897-12-31'), (3, '2020-01-01');
SELECT d::timestamp FROM t WHERE id = 1;
SELECT max(d::timestamptz) FROM t;
SELECT id, d + 1 FROM t WHERE id = 2;
SELECT id FROM t WHERE d::timestamp > '2020-01-01' ORDER BY id;
SELECT d::timestamp, d::timestamp + interval '1 day' FROM t WHERE id = 3;

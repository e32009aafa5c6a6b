-- also: postgres
-- ORDER BY with a LIMIT whose rows don't fit in work_mem.
SET work_mem = '1MB';
CREATE TABLE big (k int, t text);
INSERT INTO big SELECT (i::bigint * 7919 % 20000)::int, repeat(md5(i::text), 8) FROM generate_series(1, 20000) i;
SELECT count(*), min(k), max(k), sum(k), count(DISTINCT t) FROM (SELECT k, t FROM big ORDER BY k LIMIT 10000) s;
SELECT count(*), min(k), max(k), sum(k), count(DISTINCT t) FROM (SELECT k, t FROM big ORDER BY k DESC LIMIT 10000) s;
SELECT count(*), min(k), max(k), sum(k), count(DISTINCT t) FROM (SELECT k, t FROM big ORDER BY k LIMIT 100 OFFSET 15000) s;
SELECT count(*), min(k), max(k), sum(k), count(DISTINCT t) FROM (SELECT k, t FROM big ORDER BY k % 10, k LIMIT 3000) s;
SELECT k, length(t) FROM (SELECT k, t FROM big ORDER BY k LIMIT 15000) s ORDER BY k DESC LIMIT 3;
SELECT count(*), sum(k) FROM (SELECT k, t FROM big ORDER BY k % 100, k FETCH FIRST 9000 ROWS WITH TIES) s;
SELECT count(*), sum(k) FROM (SELECT k, t FROM big ORDER BY md5(t), t LIMIT 3000) s;
SELECT count(*), sum(length(t)) FROM (SELECT k, repeat(t, 8000) AS t FROM big WHERE k < 12 ORDER BY k DESC LIMIT 5) s;

-- Names that are near to those of the session and of the query.
PREPARE monthly AS SELECT 1;
EXECUTE montly;
DEALLOCATE weekly;
EXECUTE m;
BEGIN;
DECLARE rows_of_day CURSOR FOR SELECT 1;
SAVEPOINT before_it;
FETCH row_of_day;
ROLLBACK TO before_it;
CLOSE rows_ofday;
ROLLBACK TO befor_it;
ROLLBACK TO elsewhere;
ROLLBACK;
FETCH row_of_day;
SELECT sum(v) OVER weekli, count(*) OVER weekly FROM (VALUES (1), (2)) t (v) WINDOW weekly AS (ORDER BY v);
SELECT sum(v) OVER (dayly ROWS UNBOUNDED PRECEDING) FROM (VALUES (1), (2)) t (v) WINDOW daily AS (ORDER BY v);
SELECT sum(v) OVER monthly FROM (VALUES (1), (2)) t (v) WINDOW daily AS (ORDER BY v);
-- a window can only extend one before it
SELECT sum(v) OVER w2 FROM (VALUES (1), (2)) t (v) WINDOW w2 AS (w11), w1 AS (ORDER BY v);

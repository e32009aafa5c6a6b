-- What set-returning functions of several columns in the select list can't be beside.
SELECT (json_each('{"a": 1}')).key, generate_series(1, 3);
SELECT (json_each('{"a": 1}')).key, (json_each('{"a": 2}')).value;
SELECT *, (json_each('{"a": 1}')).key FROM generate_series(1, 2) i;
SELECT upper((json_each('{"a": 1}')).key);
CREATE TABLE j (a int, d json);
INSERT INTO j VALUES (1, '{"x": 1}');
SELECT a, (json_each(max(d::text)::json)).key FROM j GROUP BY 2;
SELECT (SELECT max(j.a)), (json_each('{"a": 1}')).key FROM j;
SELECT d, (json_each(d)).key, count(*) FROM j GROUP BY a;
SELECT j.*, (json_each(max(d::text)::json)).key FROM j GROUP BY a, d;

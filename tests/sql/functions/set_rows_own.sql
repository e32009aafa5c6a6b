-- What set-returning functions of several columns in the select list can't be beside.
SELECT count(*), json_each('{"a": 1}');
SELECT (json_each('{"a": 1}')).key, generate_series(1, 3);
SELECT (json_each('{"a": 1}')).key, (json_each('{"a": 2}')).value;
SELECT (json_each('{"a": 1}')).key, row_number() OVER ();
SELECT *, (json_each('{"a": 1}')).key FROM generate_series(1, 2) i;
SELECT upper((json_each('{"a": 1}')).key);

SELECT * FROM (VALUES (1, 'one', 1.5::float8, true), (22, NULL, NULL, false), (-333, '', 'NaN', NULL)) AS t (id, "a name", "a much longer heading", b)

SELECT i AS n, 'row ' || i AS text FROM generate_series(1, 12) AS i

-- also: mongo
-- A series of which few are read isn't made whole, as PostgreSQL makes it (and writes 14 GB of it to disk).
SELECT n FROM generate_series(1, 1000000000) n LIMIT 2;
SELECT n FROM generate_series(1, 1000000000) n WHERE n % 1000 = 0 LIMIT 2;

-- Years before Christ: a constant's are PostgreSQL's, a row's are counted as MongoDB's $year and $isoWeekYear count, with a year 0.
SELECT extract(year FROM date '0044-03-15 BC'), extract(isoyear FROM date '0044-03-15 BC'), date '0044-03-15 BC';
SELECT d, extract(year FROM d), extract(isoyear FROM d) FROM (VALUES (timestamp '0044-03-15 BC'), ('0001-12-31 BC'), ('0001-01-01')) v (d) ORDER BY d;
SELECT d, date_trunc('year', d), to_char(d, 'YYYY BC') FROM (VALUES (timestamp '0044-03-15 BC'), ('0001-12-31 BC'), ('0001-01-01')) v (d) ORDER BY d;

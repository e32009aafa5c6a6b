-- also: postgres
-- Years before Christ: there is no year 0, in rows as in constants.
SELECT extract(year FROM date '0044-03-15 BC'), extract(isoyear FROM date '0044-03-15 BC'), date '0044-03-15 BC';
SELECT d, extract(year FROM d), extract(isoyear FROM d) FROM (VALUES (timestamp '0044-03-15 BC'), ('0001-12-31 BC'), ('0001-01-01')) v (d) ORDER BY d;
SELECT d, date_trunc('year', d), to_char(d, 'YYYY BC') FROM (VALUES (timestamp '0044-03-15 BC'), ('0001-12-31 BC'), ('0001-01-01')) v (d) ORDER BY d;
CREATE TABLE old (id integer, ts timestamptz, d date);
INSERT INTO old VALUES (1, '2021-01-01', '2021-01-01'), (2, '0001-01-01', '0001-01-01'), (3, '0001-12-31 BC', '0001-12-31 BC'), (4, '0044-03-15 BC', '0044-03-15 BC'), (5, '0045-12-31 23:59 BC', '0045-12-31 BC'), (6, '4713-01-01 BC', '4713-01-01 BC'), (7, '1969-12-31 12:00', '1969-12-31'), (8, '20000-03-01', '20000-03-01'), (9, NULL, NULL);
SELECT id, extract(year FROM ts), extract(isoyear FROM ts), extract(decade FROM ts), extract(century FROM ts), extract(millennium FROM ts), date_part('year', ts), date_part('isoyear', ts) FROM old ORDER BY id;
SELECT id, extract(year FROM d), extract(isoyear FROM d), extract(decade FROM d), extract(century FROM d), extract(millennium FROM d), extract(year FROM d + 1), extract(isoyear FROM ts + interval '1 day') FROM old ORDER BY id;
SELECT id, extract(month FROM ts), extract(day FROM ts), extract(hour FROM ts), extract(dow FROM ts), extract(isodow FROM ts), extract(week FROM ts), extract(doy FROM ts), extract(quarter FROM ts), extract(epoch FROM ts) FROM old ORDER BY id;
SELECT extract(year FROM ts), count(*), min(extract(isoyear FROM d)) FROM old GROUP BY 1 ORDER BY 1;
SELECT id FROM old WHERE extract(year FROM ts) = -44 OR extract(isoyear FROM d) = -1 ORDER BY id;
SET timezone = 'Europe/Berlin';
SELECT id, extract(year FROM ts), extract(isoyear FROM ts), extract(month FROM ts), extract(day FROM ts), date_trunc('year', ts) FROM old ORDER BY id;

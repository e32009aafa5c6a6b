-- also: mongo
-- Stored times are finite, in whatever column.
CREATE TABLE spans (id integer, since date, until timestamptz);
INSERT INTO spans VALUES (1, '-infinity', NULL);
INSERT INTO spans VALUES (1, '2020-01-01', NULL);
UPDATE spans SET until = 'infinity';
SELECT * FROM spans;

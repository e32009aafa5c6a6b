-- The estimate of a query that names the _ids of a layout whose _id is one column.
CREATE TABLE power (ts timestamptz TIME NOT NULL, house text DIMENSION NOT NULL, watts int MEASURE) USING rows;
ALTER TABLE power ADD LAYOUT now USING latest WITH (key = 'house');
INSERT INTO power SELECT '2024-05-01+00'::timestamptz + i * interval '1 min', 'h' || (i % 50), i FROM generate_series (0, 999) i;
EXPLAIN SELECT last (watts, ts) FROM power WHERE house = 'h7';
EXPLAIN SELECT DISTINCT ON (house) house, watts FROM power WHERE house IN ('h7', 'h8') ORDER BY house, ts DESC;
EXPLAIN SELECT DISTINCT ON (house) house, watts FROM power WHERE house > 'h7' ORDER BY house, ts DESC;
SELECT DISTINCT ON (house) house, watts FROM power WHERE house IN ('h7', 'h8') ORDER BY house, ts DESC;

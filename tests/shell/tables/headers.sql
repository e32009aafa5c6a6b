SELECT 1 AS "two
lines", 'a value that is rather long' AS "three
lines
here", 12345.678 AS "東京", E'x\ny' AS plain

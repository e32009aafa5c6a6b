SELECT 1 AS id, 'x'::text AS "two
lines" WHERE false

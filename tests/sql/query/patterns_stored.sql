-- also: mongo postgres
-- Conditions that become ranges, regular expressions and tests of elements: the rows.
-- patterns_stored_plans has the pipelines.
CREATE TABLE w (id int, name text, code varchar(10), tags text[], ns int[], at timestamptz NOT NULL);
INSERT INTO w VALUES
   (1, 'c1', 'A', '{a,b}', '{1,2}', '2023-12-31 23:59:59.999+00'),
   (2, 'c10', 'a%b', '{}', '{}', '2024-01-01 00:00+00'),
   (3, 'C1', NULL, '{b,NULL}', '{NULL}', '2024-02-29 12:00+00'),
   (4, NULL, 'c', NULL, NULL, '2024-12-31 23:59:59.999+00'),
   (5, E'c1\nx', 'cß', '{{a,b},{c,d}}', '{{1},{2}}', '2025-01-01 00:00+00'),
   (6, 'xc1', 'cÿ', '{c}', '{3,3}', '1969-12-31 12:00+00'),
   (7, 'c', E'c\U0010FFFF', '{ab}', '{12}', '2024-02-28 12:00+00'),
   (8, '', 'd', '{a,a}', '{1,1,1}', '2024-03-01 00:00+00');
SELECT id FROM w WHERE name LIKE 'c1%' ORDER BY id;
SELECT id FROM w WHERE name NOT LIKE 'c1%' ORDER BY id;
SELECT id FROM w WHERE name LIKE 'c1%x' ORDER BY id;
SELECT id FROM w WHERE name LIKE '%' ORDER BY id;
SELECT id FROM w WHERE code LIKE 'cß%' ORDER BY id;
SELECT id FROM w WHERE code LIKE 'cÿ%' ORDER BY id;
SELECT id FROM w WHERE code LIKE E'c\U0010FFFF%' ORDER BY id;
SELECT id FROM w WHERE code LIKE 'a\%%' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c1' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c1$' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c1.' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c1?$' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c[0-9]+$' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c1|x' ORDER BY id;
SELECT id FROM w WHERE name ~ '^(c1|x)' ORDER BY id;
SELECT id FROM w WHERE name ~ '1' ORDER BY id;
SELECT id FROM w WHERE name ~ '1$' ORDER BY id;
SELECT id FROM w WHERE name ~ '' ORDER BY id;
SELECT id FROM w WHERE name ~ '^$' ORDER BY id;
SELECT id FROM w WHERE name ~ 'c.*x' ORDER BY id;
SELECT id FROM w WHERE NOT name ~ '^c1' ORDER BY id;
SELECT id FROM w WHERE name !~ '^c1' ORDER BY id;
SELECT id FROM w WHERE name ~* '^c1' ORDER BY id;
SELECT id FROM w WHERE name ~ '(?i)^c1' ORDER BY id;
SELECT id FROM w WHERE name ~ '***=^c1' ORDER BY id;
-- branches, classes and repetitions
SELECT id FROM w WHERE name ~ '^(c1|c10|x)$' ORDER BY id;
SELECT id FROM w WHERE NOT name ~ '^(?:c1|c)$' ORDER BY id;
SELECT id FROM w WHERE code ~ '^(a%b|cß|\.)$' ORDER BY id;
SELECT id FROM w WHERE name ~ '^(c1|)$' ORDER BY id;
SELECT id FROM w WHERE name ~ '^(c1|c.)$' ORDER BY id;
SELECT id FROM w WHERE upper(name) ~ '^(C1|XC1)$' ORDER BY id;
SELECT id FROM w WHERE name !~ '^(c1|x)?c' ORDER BY id;
SELECT id FROM w WHERE name ~ '^x?c1?$|0$' ORDER BY id;
SELECT id FROM w WHERE lower(name) ~ '[^0-9a-f]' ORDER BY id;
SELECT id, name ~ '(c|x)[0-9]+$' FROM w ORDER BY id;
SELECT id FROM w WHERE code ~ '^a%' ORDER BY id;
SELECT id FROM w WHERE code ~ '^a\%b$' ORDER BY id;
SELECT id FROM w WHERE code ~ '^cß' ORDER BY id;
SELECT id FROM w WHERE code ~ '^cß*$' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c\d' ORDER BY id;
SELECT id FROM w WHERE name ~ '^c1' OR id = 8 ORDER BY id;
SELECT id FROM w WHERE (name ~ '^c[0-9]' AND id < 5) OR tags && '{c}' ORDER BY id;
-- arrays, also of two dimensions
SELECT id FROM w WHERE tags @> '{b}' ORDER BY id;
SELECT id FROM w WHERE tags @> '{b,a}' ORDER BY id;
SELECT id FROM w WHERE tags @> '{}' ORDER BY id;
SELECT id FROM w WHERE tags @> '{b,NULL}' ORDER BY id;
SELECT id FROM w WHERE NOT tags @> '{b}' ORDER BY id;
SELECT id FROM w WHERE tags && '{c,ab}' ORDER BY id;
SELECT id FROM w WHERE tags && '{NULL}' ORDER BY id;
SELECT id FROM w WHERE tags && '{}' ORDER BY id;
SELECT id FROM w WHERE tags <@ '{a,b,c,d}' ORDER BY id;
SELECT id FROM w WHERE '{a}' <@ tags ORDER BY id;
SELECT id FROM w WHERE ns @> '{1}' ORDER BY id;
SELECT id FROM w WHERE ns && '{3,2}' ORDER BY id;
-- functions of time
SELECT id FROM w WHERE extract(year FROM at) = 2024 ORDER BY id;
SELECT id FROM w WHERE extract(year FROM at AT TIME ZONE 'Asia/Tokyo') = 2024 ORDER BY id;
SELECT id FROM w WHERE extract(year FROM at) <> 2024 ORDER BY id;
SELECT id FROM w WHERE extract(year FROM at) < 2024 ORDER BY id;
SELECT id FROM w WHERE extract(year FROM at) >= 2024 ORDER BY id;
SELECT id FROM w WHERE extract(year FROM at) = 2024.5 ORDER BY id;
SELECT id FROM w WHERE at::date = '2024-02-29' ORDER BY id;
SELECT id FROM w WHERE date_trunc('month', at) = '2024-02-01' ORDER BY id;
SELECT id FROM w WHERE date_trunc('month', at) IN ('2024-02-01', '2024-12-01') ORDER BY id;
SELECT id FROM w WHERE name ~ '^c1(' ORDER BY id;
DROP TABLE w;

-- also: mongo postgres
-- NaN is above every number, in numerics as in doubles, stored or computed.
CREATE TABLE n (id integer, d numeric, f double precision);
INSERT INTO n VALUES (1, 'NaN', 'NaN'), (2, -0.5, -0.5), (3, 0, 0), (4, NULL, NULL), (5, 1e10, 1e10), (6, 'Infinity', 'Infinity'), (7, '-Infinity', '-Infinity');
SELECT id FROM n WHERE d < 0.00 ORDER BY 1;
SELECT id FROM n WHERE d <= 0 ORDER BY 1;
SELECT id FROM n WHERE d >= 0.00 ORDER BY 1;
SELECT id FROM n WHERE d > 0 ORDER BY 1;
SELECT id FROM n WHERE NOT d < 0 ORDER BY 1;
SELECT id FROM n WHERE d BETWEEN -1 AND 'NaN' ORDER BY 1;
SELECT id FROM n WHERE d = 'NaN' ORDER BY 1;
SELECT id FROM n WHERE f < 0 ORDER BY 1;
SELECT id FROM n WHERE f >= 0 ORDER BY 1;
SELECT id FROM n WHERE d IN ('NaN', 0) ORDER BY 1;
SELECT id FROM n WHERE d = f ORDER BY 1;
SELECT id, d < 0, f > 0, greatest(d, 1), least(f, 1) FROM n ORDER BY 1;
SELECT max(d), min(d), max(f), min(f) FROM n;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES ('Infinity'::float8), ('Infinity')) v (x);
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES ('Infinity'::float8)) v (x);

-- also: mongo
-- Stored times are finite, in whatever column.
CREATE TABLE spans (id integer, since date, until timestamptz);
INSERT INTO spans VALUES (1, '-infinity', NULL);
INSERT INTO spans VALUES (1, '2020-01-01', NULL);
UPDATE spans SET until = 'infinity';
SELECT * FROM spans;
CREATE TABLE lists (id integer, days date[], times timestamptz[]);
INSERT INTO lists VALUES (1, '{2020-01-01,-infinity}', NULL);
INSERT INTO lists VALUES (1, '{2020-01-01,NULL}', '{{2020-01-01 12:00+00},{infinity}}');
INSERT INTO lists VALUES (1, '{2020-01-01,NULL}', '{{2020-01-01 12:00+00},{NULL}}');
UPDATE lists SET days = days || 'infinity'::date;
SELECT * FROM lists;
-- PostgreSQL 15 takes them for dates here.
SELECT age(timestamp 'infinity', timestamp '2020-01-01');

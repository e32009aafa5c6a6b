-- also: mongo
-- CHECK holds the newest record of each key against the records; REPAIR makes a layout that differs again.
CREATE TABLE loc (who text DIMENSION NOT NULL, net int DIMENSION, ts timestamptz TIME, cell text, x double precision, n numeric, b bytea, u uuid, ok boolean, d date) USING rows;
ALTER TABLE loc ADD LAYOUT lastknown USING latest WITH (key = 'who, net', tie = 'x', collection = 'lastknown');
CHECK TABLE loc;
INSERT INTO loc VALUES ('ann', 1, '2020-01-01 10:00+00', 'c1', 'NaN', 1.10, '\x02', NULL, true, '2020-01-01'), ('ann', 1, '2020-01-01 10:00+00', 'c2', 'Infinity', 'NaN', '\x0101', NULL, true, '2020-01-01'),
   ('ann', 9, '2019-01-01', 'c1', 1, 2, '\x', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', false, NULL), ('bob', 1, '2020-01-03 10:00+00', 'c1', 1, 2, '\x02', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', false, NULL),
   ('bob', 1, '2020-01-03 10:00+00', 'c1', 1, 2, '\x0101', 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', true, NULL), ('cy', 1, '1960-01-01 10:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
   ('cy', 1, '1959-01-01 10:00+00', 'late', 1, 1, NULL, NULL, NULL, NULL), ('dan', 2, '2020-01-01', 'c1', 0, 1.0, NULL, NULL, NULL, NULL), ('dan', 2, '2020-01-01', 'c1', '-0', 1.00, NULL, NULL, NULL, NULL);
CHECK TABLE loc;
UPDATE loc SET x = 5 WHERE who = 'ann';
DELETE FROM loc WHERE who = 'bob' AND ok;
CHECK TABLE loc;
-- What lies in one of the two collections only.
CREATE TABLE known (who text DIMENSION NOT NULL, net int DIMENSION, ts timestamptz TIME, cell text, x double precision, n numeric, b bytea, u uuid, ok boolean, d date) USING latest WITH (key = 'who, net', tie = 'x', collection = 'lastknown');
CREATE TABLE history (who text DIMENSION NOT NULL, net int DIMENSION, ts timestamptz TIME, cell text, x double precision, n numeric, b bytea, u uuid, ok boolean, d date) USING rows WITH (collection = 'loc');
INSERT INTO known VALUES ('ann', 1, '2021-01-01', 'ahead', NULL, NULL, NULL), ('nobody', 9, '2020-01-01', 'c9', NULL, NULL, NULL), ('cy', 1, '1960-01-01 10:00+00', NULL, NULL, NULL, '\xff');
INSERT INTO history VALUES ('dan', 2, '2022-01-01', 'c2', NULL), ('eve', 3, '2020-01-01', 'c3', NULL), ('bob', 1, '2020-01-03 10:00+00', 'c1', 'NaN');
\pset format unaligned
CHECK TABLE loc;
\echo :SQLSTATE
CHECK LAYOUT lastknown OF loc;
SELECT DISTINCT ON (who, net) who, net, ts, cell FROM loc ORDER BY who, net, ts DESC;
REPAIR LAYOUT lastknown OF loc;
CHECK TABLE loc;
SELECT DISTINCT ON (who, net) who, net, ts, cell, x FROM loc ORDER BY who, net, ts DESC, x DESC NULLS LAST;
REPAIR TABLE loc;
-- Of what has no records the newest ones can't be told.
REPAIR TABLE loc FROM lastknown;
-- Documents that others made aren't made anew: what is newer among the records is brought there, and what is newer there stays.
CREATE TABLE seen (who text DIMENSION NOT NULL, ts timestamptz TIME, cell text) USING rows;
CREATE TABLE newest (who text DIMENSION NOT NULL, ts timestamptz TIME, cell text) USING latest;
INSERT INTO newest VALUES ('ann', '2020-01-01', 'c1'), ('bob', '2020-01-03', 'ahead'), ('nobody', '2020-01-01', 'c9');
CREATE TABLE feed (who text DIMENSION NOT NULL, ts timestamptz TIME, cell text) USING rows WITH (collection = 'seen');
ALTER TABLE feed ADD LAYOUT last USING latest WITH (collection = 'newest');
INSERT INTO seen VALUES ('ann', '2020-01-02', 'c2'), ('ann', '2020-01-01', 'c1'), ('bob', '2020-01-02', 'c1'), ('eve', '2020-01-05', 'c5');
CHECK TABLE feed;
REPAIR TABLE feed;
CHECK TABLE feed;
SELECT DISTINCT ON (who) * FROM newest ORDER BY who, ts DESC;
SELECT DISTINCT ON (who) * FROM feed ORDER BY who, ts DESC;

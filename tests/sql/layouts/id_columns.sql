-- also: mongo
-- A column that lies in the _id of a row's document, whatever its role.
CREATE TABLE numbered (_id bigint);
INSERT INTO numbered VALUES (1), (2), (NULL);
UPDATE numbered SET _id = 5 WHERE _id = 2;
DELETE FROM numbered WHERE _id = 1;
SELECT * FROM numbered ORDER BY 1;
CREATE TABLE keyed (_id bigint PRIMARY KEY, v text);
INSERT INTO keyed VALUES (1, 'x'), (2, 'y');
UPDATE keyed SET v = 'q' WHERE _id = 1;
SELECT * FROM keyed ORDER BY 1;
CREATE TABLE parted (a text FIELD '_id.a', b text FIELD '_id.b', v int);
INSERT INTO parted VALUES ('x', 'y', 1), ('x', 'z', 2);
SELECT * FROM parted ORDER BY v;
-- What can't lie there; of presets nobody wrote a descriptor.
CREATE TABLE bad (_id bigint MEASURE, v text);
CREATE TABLE bad (ts timestamptz TIME, _id bigint DIMENSION, v bigint MEASURE) USING nested WITH (cluster_by = '_id');
CREATE TABLE bad (ts timestamptz TIME, _id bigint DIMENSION, v bigint MEASURE) USING per_day;
CREATE TABLE bad (a text, b text FIELD 'a.b');

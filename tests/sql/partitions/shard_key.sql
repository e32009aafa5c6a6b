-- Shard keys (what a router of a cluster is told by them: tests/servers/shard_test.py); elsewhere they are kept, and a notice says so.
CREATE TABLE history (ts timestamptz TIME, user_id bigint DIMENSION, v bigint MEASURE) USING rows WITH (shard_key = 'user_id, ts');
\d history
INSERT INTO history VALUES ('2020-01-01 00:00+00', 1, 1);
UPDATE history SET v = 2, user_id = 3;
SELECT * FROM history;
ALTER TABLE history ADD LAYOUT days USING per_day WITH (shard_key = '_id hashed');
ALTER TABLE history ADD LAYOUT packed USING per_day WITH (shard_key = 'user_id');
ALTER TABLE history ADD LAYOUT packed USING nested WITH (shard_key = 'user_id hashed, _id hashed');
CREATE TABLE odd (ts timestamptz TIME, v bigint MEASURE) USING rows WITH (shard_key = 'nosuch');
CREATE TABLE odd (ts timestamptz TIME, v bigint MEASURE) USING rows WITH (shard_key = 'v');
ALTER TABLE history DROP COLUMN user_id;
ALTER TABLE history RENAME COLUMN user_id TO who;
SELECT * FROM history;
-- in a descriptor
CREATE LAYOUT by_user AS '{ "keeps": "records", "stores": [ { "collection": "u", "shard": [ {"at": "u"}, {"at": "_id", "hashed": true} ], "root": { "is": "document",
   "bind": [ {"column": "user_id", "at": "u"}, {"column": "ts", "at": "t", "encoding": "date"} ], "raw": { "columns": { "v": "v" } } } } ] }';
CREATE TABLE h2 (ts timestamptz TIME, user_id bigint DIMENSION, v bigint MEASURE) USING by_user;
CREATE LAYOUT no_such_field AS '{ "keeps": "records", "stores": [ { "collection": "u2", "shard": [ {"at": "w"} ], "root": { "is": "document",
   "bind": [ {"column": "user_id", "at": "u"}, {"column": "ts", "at": "t", "encoding": "date"} ], "raw": { "columns": { "v": "v" } } } } ] }';
CREATE TABLE h3 (ts timestamptz TIME, user_id bigint DIMENSION, v bigint MEASURE) USING no_such_field;
CREATE TABLE h3 (ts timestamptz TIME, user_id bigint DIMENSION, v bigint MEASURE) USING by_user WITH (collection = 'other', shard_key = 'user_id');
CREATE TABLE twice (ts timestamptz TIME, host text DIMENSION, v integer) USING rows WITH (shard_key = 'host, ts, host hashed');
-- Of whole rows any column but measures, arrays and jsonb: an id.
CREATE TABLE ids (id uuid, b integer, tags text[], PRIMARY KEY (id)) USING rows WITH (shard_key = 'b, id hashed');
ALTER TABLE ids DROP COLUMN b;
ALTER TABLE ids DROP COLUMN tags;
\d ids
CREATE TABLE arrays (id uuid, tags text[]) USING rows WITH (shard_key = 'tags');
CREATE TABLE documents (id uuid, doc jsonb) USING rows WITH (shard_key = 'doc');

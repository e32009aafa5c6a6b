-- also: mongo
-- CHECK with packed layouts, sequences in plans, and what is refused
CREATE TABLE day (ts timestamptz TIME, k text DIMENSION, n bigint MEASURE CHECK (n < 100))
  USING per_day;
INSERT INTO day VALUES ('2020-01-01', 'a', 5), ('2020-01-01', 'a', 500);
INSERT INTO day VALUES ('2020-01-01', 'a', 5), ('2020-01-01', 'a', 50);
UPDATE day SET n = 1000;
UPDATE day SET n = 99 RETURNING n;
ALTER TABLE day ADD CONSTRAINT not_a CHECK (k <> 'a');
ALTER TABLE day ADD CONSTRAINT not_b CHECK (k <> 'b');
INSERT INTO day VALUES ('2020-01-01', 'b', 5);
\d day
CREATE TABLE sums (ts timestamptz TIME PERIOD '1 hour' NOT NULL, k text DIMENSION NOT NULL,
  n bigint MEASURE CHECK (n > 0)) USING nested WITH (levels = 'ts, k', raw_values = false);
INSERT INTO sums VALUES ('2020-01-01', 'a', 0);
INSERT INTO sums VALUES ('2020-01-01', 'a', 1), ('2020-01-01', 'a', 2);
SELECT sum(n) FROM sums;
ALTER TABLE sums ADD CHECK (n < 3);
CREATE TABLE t (id serial, v integer CHECK (v > 0), w integer GENERATED ALWAYS AS IDENTITY);
\d t
\ds
PREPARE p AS INSERT INTO t (v, id) VALUES (1, nextval('t_id_seq')) RETURNING id;
EXECUTE p;
SELECT nextval('t_id_seq') FROM t JOIN generate_series(1, 3) g (x) ON true LIMIT 2;
SELECT nextval('t_id_seq');
SELECT v FROM t WHERE nextval('t_id_seq') > 0;
ALTER TABLE t RENAME COLUMN v TO x;
ALTER TABLE t ALTER COLUMN v TYPE text;
ALTER TABLE t ADD FOREIGN KEY (v) REFERENCES t (id);
ALTER TABLE t ADD CONSTRAINT x FOREIGN KEY (v) REFERENCES t (id);
ALTER TABLE t ADD CONSTRAINT x UNIQUE (v);
ALTER TABLE t ADD CONSTRAINT t_pkey PRIMARY KEY (id);
ALTER TABLE t DROP CONSTRAINT t_v_check;
ALTER TABLE t RENAME COLUMN v TO x;
CREATE TABLE z (a integer REFERENCES t (id));
CREATE TEMPORARY SEQUENCE s;
SELECT * FROM t_id_seq;

-- Indexes in layouts, EXPLAIN and \d; comments.
CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, k text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts', cluster_by = 'k', presum = 'ts');
INSERT INTO t VALUES ('2020-01-01', 'a', 1), ('2020-01-02', 'b', 2);
CREATE INDEX by_k ON t (k);
CREATE INDEX by_n ON t (n);
EXPLAIN (COSTS off) SELECT count(*) FROM t WHERE k = 'a';
EXPLAIN (COSTS off) SELECT ts FROM t WHERE n = 2 AND k = 'b';
EXPLAIN DELETE FROM t WHERE n > 1;
EXPLAIN (COSTS off) SELECT count(*) FROM t WHERE ts > '2020-01-01';
ALTER TABLE t RENAME COLUMN k TO kind;
COMMENT ON TABLE t IS 'what it is';
COMMENT ON COLUMN t.kind IS 'which kind';
COMMENT ON COLUMN t.n IS 'how many';
CREATE VIEW v AS SELECT n FROM t;
COMMENT ON VIEW v IS 'of t';
\d t
\d+ t
\dt+
\dv+
ALTER TABLE t DROP COLUMN n;
ALTER TABLE t RENAME TO u;
DROP VIEW v;
ALTER TABLE t DROP COLUMN n;
ALTER TABLE t RENAME TO u;
\d+ u
CREATE TABLE p (ts timestamptz TIME NOT NULL, a text DIMENSION NOT NULL, n bigint MEASURE) USING nested WITH (levels = 'ts, a');
CREATE INDEX ON p (a);
CREATE UNIQUE INDEX ON p (a);
COMMENT ON VIEW u IS 'x';
COMMENT ON COLUMN n IS 'x';
-- What an index isn't: told, not passed over in silence.
CREATE TABLE ordered (id integer, k text);
CREATE INDEX ordered_hash ON ordered USING hash (k);
CREATE INDEX ordered_down ON ordered (k DESC NULLS LAST, id);
CREATE INDEX ON ordered USING gin (k);
CREATE INDEX ON ordered USING tree (k);
CREATE INDEX ON ordered USING btree (id ASC);
CREATE INDEX ON ordered (k) WHERE id > 1;
CREATE INDEX ON ordered (lower(k));
COMMENT ON INDEX ordered_hash IS 'x';

-- Where $sort and $limit come before $project, so that an index can serve them.
CREATE TABLE ev (id bigint, at timestamptz TIME NOT NULL, v double precision, k int, s text NOT NULL) USING rows;
INSERT INTO ev VALUES (1, '2024-01-01 00:00+00', 1, 1, 'a'), (2, '2024-01-02 00:00+00', NULL, NULL, 'b');
EXPLAIN (COSTS off) SELECT * FROM ev ORDER BY at DESC LIMIT 3 OFFSET 2;
EXPLAIN (COSTS off) SELECT v, v + k AS w FROM ev WHERE s = 'a' ORDER BY s, at DESC LIMIT 3;
-- a nullable key: MongoDB's place of NULLs, or none by WHERE
EXPLAIN (COSTS off) SELECT k FROM ev ORDER BY k LIMIT 3;
EXPLAIN (COSTS off) SELECT k FROM ev ORDER BY k NULLS FIRST LIMIT 3;
EXPLAIN (COSTS off) SELECT k FROM ev ORDER BY k DESC NULLS LAST LIMIT 3;
EXPLAIN (COSTS off) SELECT k FROM ev WHERE k IS NOT NULL ORDER BY k DESC LIMIT 3;
EXPLAIN (COSTS off) SELECT k FROM ev WHERE k < 5 ORDER BY k LIMIT 3;
-- NaN
EXPLAIN (COSTS off) SELECT v FROM ev WHERE v > 5 ORDER BY v DESC LIMIT 3;
EXPLAIN (COSTS off) SELECT v FROM ev WHERE v < 5 ORDER BY v DESC LIMIT 3;
-- an expression, ties, and a whole table are ordered behind the select list
EXPLAIN (COSTS off) SELECT at FROM ev ORDER BY at + interval '1 day' LIMIT 3;
EXPLAIN (COSTS off) SELECT at FROM ev ORDER BY at FETCH FIRST 3 ROWS WITH TIES;
EXPLAIN (COSTS off) SELECT at FROM ev ORDER BY at;
-- sub-selects and unions
EXPLAIN (COSTS off) SELECT * FROM (SELECT at, v * 2 AS w FROM ev) x ORDER BY at DESC LIMIT 2 OFFSET 1;
EXPLAIN (COSTS off) SELECT at FROM ev WHERE k = 1 UNION ALL SELECT at FROM ev WHERE k = 2 ORDER BY at LIMIT 2;
DROP TABLE ev;
-- times as numbers and as text: their order is that of the times. Seconds with fractions have several
-- numbers for one time, so no key may follow.
CREATE TABLE e1 (at timestamptz TIME NOT NULL, k int NOT NULL) USING rows WITH (time_encoding = 'epoch_ms');
CREATE TABLE e2 (at timestamptz TIME NOT NULL, k int NOT NULL) USING rows WITH (time_encoding = 'epoch_s');
CREATE TABLE e3 (at timestamptz TIME NOT NULL, k int NOT NULL) USING rows WITH (time_encoding = 'text');
EXPLAIN (COSTS off) SELECT at FROM e1 ORDER BY at DESC, k LIMIT 2;
EXPLAIN (COSTS off) SELECT at FROM e2 ORDER BY at DESC, k LIMIT 2;
EXPLAIN (COSTS off) SELECT at FROM e2 ORDER BY k, at DESC LIMIT 2;
EXPLAIN (COSTS off) SELECT at FROM e3 ORDER BY at DESC, k LIMIT 2;
-- a level below: the rows of packed documents
CREATE TABLE p (at timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL)
   USING nested WITH (cluster_by = 'host', levels = 'at');
INSERT INTO p SELECT timestamptz '2024-01-01' + i * interval '1 min', 'h' || i % 2, i FROM generate_series(1, 9) i;
EXPLAIN (COSTS off) SELECT at, n FROM p ORDER BY at DESC LIMIT 2;
SELECT at, n FROM p ORDER BY at DESC LIMIT 2;

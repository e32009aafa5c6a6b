-- Conditions on what lies within a jsonb or a document: paths, so that indexes serve, and the condition itself where arrays would be looked into.
CREATE TABLE t (id int, j jsonb, d document) USING rows;
INSERT INTO t VALUES (1, '{"a":{"c":"x","n":4},"tags":["u","v"]}', '{"q":{"r":"s"}}'), (2, '{"a":[{"c":"x"}]}', '{"q":[{"r":"s"}]}'), (3, '{"a":{"c":["x"]}}', '[5]'), (4, '5', '5'), (5, '[5]', NULL), (6, '{"a":{"c":"12"}}', NULL), (7, '{"a":{"c":12}}', NULL);
EXPLAIN SELECT id FROM t WHERE j -> 'a' ->> 'c' = 'x' AND id < 9;
SELECT id FROM t WHERE j -> 'a' ->> 'c' = 'x' AND id < 9;
EXPLAIN SELECT id FROM t WHERE j #>> '{a,c}' IN ('x', 'y') OR d['q']['r'] = '"s"';
SELECT id FROM t WHERE j #>> '{a,c}' IN ('x', 'y') OR d['q']['r'] = '"s"';
EXPLAIN SELECT id FROM t WHERE j @> '{"a":{"n":4},"tags":["u"]}';
SELECT id FROM t WHERE j @> '{"a":{"n":4},"tags":["u"]}';
EXPLAIN SELECT id FROM t WHERE j['a']['n'] = '4.0';
SELECT id FROM t WHERE j['a']['n'] = '4.0';
SELECT id FROM t WHERE (d).q.r = '"s"';
SELECT id FROM t WHERE j = '5';
SELECT id FROM t WHERE d = '5';
SELECT id FROM t WHERE d IS NULL ORDER BY id;
-- A text that isn't only a string's.
EXPLAIN SELECT id FROM t WHERE j -> 'a' ->> 'c' = '12';
SELECT id FROM t WHERE j -> 'a' ->> 'c' = '12' ORDER BY id;
-- Groups and order.
EXPLAIN SELECT j, count(*) FROM t GROUP BY j ORDER BY j DESC;
EXPLAIN SELECT id, e.value FROM t, jsonb_each(j) e WHERE e.key = 'a';

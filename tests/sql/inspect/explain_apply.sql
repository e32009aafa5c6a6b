-- LATERAL items and sub-selects that are made for each row: what is read once, and what runs each time.
CREATE TABLE calls (ts timestamptz TIME PERIOD '1 min', cmd text DIMENSION, n bigint MEASURE NOT NULL) USING nested WITH (levels = 'ts, cmd', presum = 'ts');
CREATE TABLE ev (id integer DIMENSION, at timestamptz TIME, cmd text DIMENSION) USING rows;
INSERT INTO calls SELECT TIMESTAMPTZ '2024-01-01 00:00+00' + i * interval '1 min', 'c' || i % 3, i FROM generate_series(0, 299) i;
INSERT INTO ev VALUES (1, '2024-01-01 01:00+00', 'c1'), (2, '2024-01-01 02:30+00', 'c2'), (3, '2024-01-01 04:00+00', NULL);
SELECT id, l.* FROM ev, LATERAL (SELECT ts, n FROM calls WHERE calls.cmd = ev.cmd AND ts <= ev.at AND n > 20 ORDER BY ts DESC LIMIT 2) l ORDER BY id, ts;
EXPLAIN SELECT id, l.* FROM ev, LATERAL (SELECT ts, n FROM calls WHERE calls.cmd = ev.cmd AND ts <= ev.at AND n > 20 ORDER BY ts DESC LIMIT 2) l ORDER BY id, ts;
SELECT id, (SELECT sum(n) FROM calls WHERE ts >= ev.at - interval '1 hour' AND ts < ev.at) FROM ev ORDER BY id;
EXPLAIN SELECT id, (SELECT sum(n) FROM calls WHERE ts >= ev.at - interval '1 hour' AND ts < ev.at) FROM ev;
EXPLAIN SELECT cmd, count(*) FROM ev GROUP BY cmd HAVING count(*) >= (SELECT count(*) FROM calls WHERE calls.cmd > ev.cmd);
EXPLAIN SELECT id, CASE WHEN id > 1 THEN (SELECT n FROM calls WHERE ts = ev.at) END FROM ev;
EXPLAIN UPDATE ev SET cmd = (SELECT max(cmd) FROM calls WHERE ts > ev.at) WHERE id = 1;
-- what must be known before any row can't be a column of the query around
SELECT (SELECT c.n FROM calls LIMIT c.n) FROM calls c;
SELECT l.* FROM calls c, LATERAL (SELECT x FROM generate_series(1, 3) x OFFSET -c.n) l;
SELECT (SELECT sum(n) OVER (ORDER BY ts ROWS c.n PRECEDING) FROM calls LIMIT 1) FROM calls c;
SELECT (SELECT count(*) FROM calls TABLESAMPLE bernoulli (c.n)) FROM calls c;
SELECT n FROM calls LIMIT n;
SELECT n FROM calls LIMIT nn;

-- also: mongo
-- Sub-selects that read rows near each row by an index of times. What they give is what a join gives.
SET TimeZone = 'UTC';
CREATE TABLE e (id integer, at timestamptz, k text);
CREATE TABLE p (ts timestamptz, k text, v bigint, n bigint);
INSERT INTO e SELECT i, CASE WHEN i % 13 > 0 THEN timestamptz '2024-01-01' + i * interval '7 s' END, CASE WHEN i % 11 > 0 THEN 'k' || i % 3 END FROM generate_series(1, 60) AS t (i);
INSERT INTO p SELECT CASE WHEN i % 17 > 0 THEN timestamptz '2024-01-01' + i * 37 % 500 * interval '1 s' END, CASE WHEN i % 19 > 0 THEN 'k' || i % 4 END, i, i * 37 % 500 FROM generate_series(1, 200) AS t (i);
CREATE VIEW joined AS SELECT e.id, p.v, e.at, p.ts, e.k AS ek, p.k AS pk, p.n FROM e, p;
-- With a key, and without; both bounds, one bound, strict bounds, the bound on the other side.
SELECT count(*), sum(c) FROM (SELECT id, (SELECT count(*) FROM p WHERE p.k = e.k AND ts BETWEEN at - interval '20 s' AND at + interval '5 s') AS c FROM e) AS x;
SELECT count(*) FROM joined WHERE pk = ek AND ts BETWEEN at - interval '20 s' AND at + interval '5 s';
SELECT sum(c) FROM (SELECT (SELECT sum(v) FROM p WHERE ts > at - interval '20 s' AND ts < at) AS c FROM e) AS x;
SELECT sum(v) FROM joined WHERE ts > at - interval '20 s' AND ts < at;
SELECT sum(c) FROM (SELECT (SELECT sum(v) FROM p WHERE at + interval '1 min' <= ts) AS c FROM e) AS x;
SELECT sum(v) FROM joined WHERE at + interval '1 min' <= ts;
SELECT sum(c) FROM (SELECT (SELECT sum(v) FROM p WHERE p.k = e.k AND at > ts) AS c FROM e) AS x;
SELECT sum(v) FROM joined WHERE pk = ek AND at > ts;
-- A second bound on one side, and other conditions.
SELECT sum(c) FROM (SELECT (SELECT sum(v) FROM p WHERE ts >= at - interval '20 s' AND ts >= at - interval '10 s' AND ts <= at AND v % 2 = 0) AS c FROM e) AS x;
SELECT sum(v) FROM joined WHERE ts >= at - interval '10 s' AND ts <= at AND v % 2 = 0;
-- Bounds of other types.
SELECT sum(c) FROM (SELECT (SELECT sum(v) FROM p WHERE n BETWEEN id AND id + 10) AS c FROM e) AS x;
SELECT sum(v) FROM joined WHERE n BETWEEN id AND id + 10;
SELECT sum(c) FROM (SELECT (SELECT sum(v) FROM p WHERE ts + interval '1 s' * n BETWEEN at AND at + interval '1 min') AS c FROM e) AS x;
SELECT sum(v) FROM joined WHERE ts + interval '1 s' * n BETWEEN at AND at + interval '1 min';
-- The nearest rows of each; whether there are any; rows without a partner.
SELECT sum(v), count(*) FROM e, LATERAL (SELECT v FROM p WHERE p.k = e.k AND ts BETWEEN at - interval '1 min' AND at ORDER BY ts DESC, v LIMIT 2) AS q;
SELECT sum(v), count(*) FROM (SELECT v, row_number() OVER (PARTITION BY id ORDER BY ts DESC, v) AS r FROM joined WHERE pk = ek AND ts BETWEEN at - interval '1 min' AND at) AS x WHERE r < 3;
SELECT count(*), sum(id) FROM e WHERE EXISTS (SELECT FROM p WHERE p.k = e.k AND ts BETWEEN at AND at + interval '2 s');
SELECT count(DISTINCT id), sum(DISTINCT id) FROM joined WHERE pk = ek AND ts BETWEEN at AND at + interval '2 s';
SELECT count(*), count(v), sum(v) FROM e LEFT JOIN LATERAL (SELECT v FROM p WHERE p.k = e.k AND ts >= at - interval '3 s' AND ts <= at) AS q ON v > 20;
-- One within another, with the time of the outer row.
SELECT sum(c) FROM (SELECT (SELECT sum((SELECT count(*) FROM e AS f WHERE f.at BETWEEN e.at - interval '20 s' AND p.ts)) FROM p WHERE p.k = e.k AND ts BETWEEN at - interval '20 s' AND at) AS c FROM e) AS x;
SELECT count(*) FROM joined AS j, e AS f WHERE pk = ek AND ts BETWEEN j.at - interval '20 s' AND j.at AND f.at BETWEEN j.at - interval '20 s' AND ts;
DROP VIEW joined;

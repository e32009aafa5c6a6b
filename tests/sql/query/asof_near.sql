-- also: mongo
-- ASOF joins with TOLERANCE, and ASOF NEAREST JOIN. What they give is what LATERAL gives.
SET TimeZone = 'UTC';
CREATE TABLE trade (id integer, at timestamptz, sym text);
CREATE TABLE quote (ts timestamptz, s text, price numeric);
INSERT INTO trade VALUES (1, '2024-01-01 10:00+00', 'a'), (2, '2024-01-01 10:05+00', 'a'), (3, '2024-01-01 09:00+00', 'a'), (4, '2024-01-01 10:03+00', 'b'), (5, '2024-01-01 11:00+00', NULL), (6, NULL, 'a'), (7, '2024-01-01 12:00+00', 'z'), (8, '2024-01-01 10:02+00', 'a');
INSERT INTO quote VALUES ('2024-01-01 09:30+00', 'a', 1.5), ('2024-01-01 10:00+00', 'a', 2.5), ('2024-01-01 10:04+00', 'a', 3.5), ('2024-01-01 10:01+00', 'b', 9), ('2024-01-01 10:30+00', 'b', NULL), ('2024-01-01 10:00+00', NULL, 7), (NULL, 'a', 8);
-- TOLERANCE: the bound belongs to the tolerance
SELECT id, ts, price FROM trade ASOF JOIN quote ON sym = s AND at >= ts TOLERANCE '1 min' ORDER BY id;
SELECT id, ts, price FROM trade ASOF LEFT JOIN quote ON sym = s AND at >= ts TOLERANCE 60s ORDER BY id;
SELECT id, ts, price FROM trade ASOF LEFT JOIN quote ON sym = s AND at >= ts TOLERANCE interval '59.9999 s' ORDER BY id;
SELECT id, ts, price FROM trade LEFT JOIN LATERAL (SELECT * FROM quote WHERE sym = s AND at >= ts AND at - ts <= '59.9999 s' ORDER BY ts DESC LIMIT 1) q ON true ORDER BY id;
SELECT id, ts, price FROM trade ASOF LEFT JOIN quote ON sym = s AND at < ts TOLERANCE ('1 h'::interval / 2) ORDER BY id;
SELECT id, ts, price FROM trade LEFT JOIN LATERAL (SELECT * FROM quote WHERE sym = s AND at < ts AND ts - at <= '30 min' ORDER BY ts LIMIT 1) q ON true ORDER BY id;
SELECT x.i, y.j FROM generate_series(1, 9, 4) x (i) ASOF LEFT JOIN (VALUES (0), (3), (9)) y (j) ON x.i >= y.j TOLERANCE 1 ORDER BY 1;
SELECT id, price FROM trade ASOF JOIN (SELECT s AS sym, ts AS at, price FROM quote) q USING (sym, at) TOLERANCE '2 min' WHERE id > 1 ORDER BY id;
SELECT d.a, e.b FROM (VALUES (date '2024-01-05')) d (a) ASOF LEFT JOIN (VALUES (date '2024-01-03')) e (b) ON a >= b TOLERANCE '1 day' ORDER BY 1;
-- NEAREST: the row before or after, whichever is nearer; the operator decides if both are as near
SELECT id, ts, price FROM trade ASOF NEAREST JOIN quote ON sym = s AND at >= ts ORDER BY id;
SELECT id, ts, price FROM trade, LATERAL (SELECT * FROM quote WHERE sym = s AND ts IS NOT NULL AND at IS NOT NULL ORDER BY greatest(at - ts, ts - at), ts LIMIT 1) q ORDER BY id;
SELECT id, ts, price FROM trade ASOF NEAREST JOIN quote ON sym = s AND at <= ts ORDER BY id;
SELECT id, ts, price FROM trade, LATERAL (SELECT * FROM quote WHERE sym = s AND ts IS NOT NULL AND at IS NOT NULL ORDER BY greatest(at - ts, ts - at), ts DESC LIMIT 1) q ORDER BY id;
-- > and <: not at the same time
SELECT id, ts, price FROM trade ASOF NEAREST LEFT JOIN quote ON sym = s AND at > ts ORDER BY id;
SELECT id, ts, price FROM trade LEFT JOIN LATERAL (SELECT * FROM quote WHERE sym = s AND ts <> at ORDER BY greatest(at - ts, ts - at), ts LIMIT 1) q ON true ORDER BY id;
SELECT id, ts, price FROM trade ASOF NEAREST LEFT OUTER JOIN quote q ON trade.sym = q.s AND q.ts <= trade.at TOLERANCE '1 min' ORDER BY id;
SELECT id, ts, price FROM trade ASOF NEAREST INNER JOIN quote q ON trade.sym = q.s AND q.ts < trade.at TOLERANCE '2 min' WHERE price > 2 ORDER BY id;
SELECT sym, count(*), sum(price) FROM trade ASOF NEAREST JOIN quote ON sym = s AND at >= ts GROUP BY sym ORDER BY sym;
SELECT id, price, sym FROM trade ASOF NEAREST JOIN (SELECT s AS sym, ts AS at, price FROM quote) q USING (sym, at) ORDER BY id;
SELECT t.id, q.price, r.price AS late FROM trade t ASOF NEAREST LEFT JOIN quote q ON t.sym = q.s AND t.at >= q.ts ASOF LEFT JOIN quote r ON t.sym = r.s AND t.at < r.ts ORDER BY t.id;
SELECT x.i, y.j FROM generate_series(1, 9, 4) x (i) ASOF NEAREST JOIN (VALUES (0), (3), (9)) y (j) ON x.i >= y.j ORDER BY 1;
SELECT id, q.h, q.n FROM trade ASOF NEAREST JOIN (SELECT date_trunc('hour', ts) AS h, count(*) AS n FROM quote GROUP BY h) q ON trade.at >= q.h ORDER BY id;
CREATE VIEW near AS SELECT id, price FROM trade ASOF NEAREST LEFT JOIN quote ON sym = s AND at >= ts TOLERANCE 1m;
SELECT pg_get_viewdef('near'::regclass);
SELECT * FROM near ORDER BY id;
-- The words stay names.
SELECT nearest.id AS tolerance FROM trade nearest JOIN trade tolerance ON tolerance.id = nearest.id WHERE tolerance.id = 1;
SELECT asof.id nearest FROM trade asof WHERE id = 1;
-- what is not to be
SELECT * FROM trade JOIN quote ON at >= ts TOLERANCE '1 min';
SELECT * FROM trade ASOF JOIN quote ON at >= ts TOLERANCE '1 month';
SELECT * FROM trade ASOF JOIN quote ON at >= ts TOLERANCE '-1 s';
SELECT * FROM trade ASOF JOIN quote ON at >= ts TOLERANCE NULL;
SELECT * FROM trade ASOF JOIN quote ON at >= ts TOLERANCE 5;
SELECT * FROM trade ASOF JOIN quote ON at >= ts TOLERANCE 5q;
SELECT * FROM trade ASOF JOIN quote ON at >= ts TOLERANCE ('1 s'::interval * id);
SELECT * FROM trade ASOF JOIN quote ON id >= price::int TOLERANCE '1 s';
SELECT * FROM (VALUES (time '10:00')) a (t) ASOF JOIN (VALUES (time '09:00')) b (u) ON t >= u TOLERANCE '1 h';
SELECT * FROM trade ASOF NEAREST JOIN quote ON sym = s;
SELECT * FROM trade ASOF NEAREST JOIN quote ON at >= ts + interval '1 s';
SELECT * FROM trade ASOF NEAREST JOIN (SELECT ts, random() FROM quote) q ON at >= ts;
SELECT * FROM trade ASOF JOIN generate_series(1, trade.id) g (i) ON trade.id >= g.i;

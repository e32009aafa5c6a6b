-- also: mongo
-- ASOF joins: each row of the left side with the nearest of the right one. What they give is what LATERAL gives with ORDER BY … LIMIT 1.
CREATE TABLE trade (id integer, at timestamptz, sym text, qty integer);
CREATE TABLE quote (ts timestamptz, s text, price numeric);
INSERT INTO trade VALUES (1, '2024-01-01 10:00+00', 'a', 5), (2, '2024-01-01 10:05+00', 'a', 7), (3, '2024-01-01 09:00+00', 'a', 1), (4, '2024-01-01 10:03+00', 'b', 2), (5, '2024-01-01 11:00+00', NULL, 3), (6, NULL, 'a', 4), (7, '2024-01-01 12:00+00', 'z', 8);
INSERT INTO quote VALUES ('2024-01-01 09:30+00', 'a', 1.5), ('2024-01-01 10:00+00', 'a', 2.5), ('2024-01-01 10:04+00', 'a', 3.5), ('2024-01-01 10:01+00', 'b', 9), ('2024-01-01 10:30+00', 'b', NULL), ('2024-01-01 10:00+00', NULL, 7), (NULL, 'a', 8);
SELECT id, qty, ts, price FROM trade ASOF JOIN quote ON sym = s AND at >= ts ORDER BY id;
SELECT id, qty, ts, price FROM trade, LATERAL (SELECT * FROM quote WHERE sym = s AND at >= ts ORDER BY ts DESC LIMIT 1) q ORDER BY id;
SELECT id, ts, price FROM trade ASOF LEFT JOIN quote q ON trade.sym = q.s AND q.ts < trade.at ORDER BY id;
SELECT id, ts, price FROM trade LEFT JOIN LATERAL (SELECT * FROM quote WHERE sym = s AND at > ts ORDER BY ts DESC LIMIT 1) q ON true ORDER BY id;
SELECT id, ts, price FROM trade ASOF LEFT JOIN quote ON sym = s AND at <= ts ORDER BY id;
SELECT id, ts, price FROM trade LEFT JOIN LATERAL (SELECT * FROM quote WHERE sym = s AND at <= ts ORDER BY ts LIMIT 1) q ON true ORDER BY id;
SELECT id, ts, price FROM trade ASOF JOIN quote ON at < ts WHERE s = 'b' ORDER BY id;
SELECT id, ts, price FROM trade, LATERAL (SELECT * FROM quote WHERE at < ts ORDER BY ts LIMIT 1) q WHERE s = 'b' ORDER BY id;
-- with groups, conditions, other joins, sub-selects
SELECT sym, sum(qty * price) FROM trade ASOF JOIN quote ON sym = s AND at >= ts WHERE qty > 2 GROUP BY sym ORDER BY sym;
SELECT t.id, q.n FROM (SELECT id, at FROM trade WHERE qty < 5) t ASOF LEFT JOIN (SELECT date_trunc('hour', ts) AS h, count(*) AS n FROM quote GROUP BY h) q ON t.at >= q.h ORDER BY t.id;
SELECT t.id, q.price, r.price AS next FROM trade t ASOF LEFT JOIN quote q ON t.sym = q.s AND t.at >= q.ts ASOF LEFT JOIN quote r ON t.sym = r.s AND t.at < r.ts ORDER BY t.id;
SELECT id, price FROM trade ASOF JOIN (SELECT s AS sym, ts AS at, price FROM quote) q USING (sym, at) ORDER BY id;
SELECT x.i, y.j FROM generate_series(1, 9, 4) x (i) ASOF JOIN (VALUES (0), (4), (5)) y (j) ON x.i > y.j ORDER BY 1;
-- what is not to be
SELECT * FROM trade ASOF JOIN quote ON sym = s;
SELECT * FROM trade ASOF JOIN quote ON at >= ts AND id > price;
SELECT * FROM trade ASOF JOIN quote ON at >= ts AND price > 1;
SELECT * FROM trade ASOF JOIN quote ON sym >= s;
SELECT * FROM trade ASOF JOIN LATERAL (SELECT * FROM quote WHERE s = sym) q ON at >= ts;

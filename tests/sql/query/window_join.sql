-- also: mongo
-- WINDOW JOIN: aggregates over the right rows whose time is near the left row's. What they give is what LATERAL gives.
SET TimeZone = 'UTC';
CREATE TABLE trades (ts timestamptz TIME NOT NULL, sym text DIMENSION, qty bigint MEASURE);
CREATE TABLE quotes (at timestamptz TIME NOT NULL, sym text DIMENSION, bid bigint MEASURE, ask numeric MEASURE);
INSERT INTO trades VALUES ('2024-01-01 10:00', 'a', 5), ('2024-01-01 10:05', 'a', 7), ('2024-01-01 09:00', 'a', 1), ('2024-01-01 10:03', 'b', 2), ('2024-01-01 11:00', NULL, 3), ('2024-01-01 12:00', 'z', 8);
INSERT INTO quotes VALUES ('2024-01-01 09:30', 'a', 10, 1.5), ('2024-01-01 10:00', 'a', 20, 2.5), ('2024-01-01 10:01', 'a', 21, NULL), ('2024-01-01 10:04', 'a', 30, 3.5), ('2024-01-01 10:01', 'b', 40, 9), ('2024-01-01 10:30', 'b', 50, NULL), ('2024-01-01 10:00', NULL, 60, 7);
-- only the rows of the range
SELECT t.*, sum(q.bid), count(*), max(ask) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1 minute PRECEDING AND 1 minute FOLLOWING EXCLUDE PREVAILING ORDER BY ts;
SELECT t.*, w.* FROM trades t, LATERAL (SELECT sum(bid), count(*), max(ask) FROM quotes q WHERE q.sym = t.sym AND at BETWEEN ts - interval '1 min' AND ts + interval '1 min') w ORDER BY ts;
-- and the last one before it, which QuestDB includes by default
SELECT t.*, sum(q.bid), count(*), max(ask) FROM trades t WINDOW JOIN quotes q ON (t.sym = q.sym) RANGE BETWEEN 1m PRECEDING AND '1 min' FOLLOWING ORDER BY ts;
SELECT t.*, sum(q.bid), count(*), max(ask) FROM trades t WINDOW JOIN quotes q USING (sym) RANGE BETWEEN INTERVAL '1' minute PRECEDING AND interval '60 s' FOLLOWING INCLUDE PREVAILING ORDER BY ts;
SELECT t.*, w.* FROM trades t, LATERAL (SELECT sum(bid), count(*), max(ask) FROM quotes q WHERE q.sym = t.sym AND at BETWEEN coalesce((SELECT max(at) FROM quotes r WHERE r.sym = t.sym AND at <= ts - interval '1 min'), ts - interval '1 min') AND ts + interval '1 min') w ORDER BY ts;
-- ranges before and after, and without a condition
SELECT ts, t.sym, array_agg(bid ORDER BY at), first(bid, at) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1 hour PRECEDING AND 2 minutes PRECEDING EXCLUDE PREVAILING ORDER BY ts;
SELECT ts, t.sym, array_agg(bid ORDER BY at), min(at) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym AND bid > 20 RANGE BETWEEN 1s FOLLOWING AND 1d FOLLOWING EXCLUDE PREVAILING ORDER BY ts;
SELECT ts, t.sym, array_agg(bid ORDER BY at) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym AND bid > 20 RANGE BETWEEN 1 seconds FOLLOWING AND 1 days FOLLOWING ORDER BY ts;
SELECT *, count(*), count(DISTINCT q.sym) FROM trades WINDOW JOIN quotes q RANGE BETWEEN 3m PRECEDING AND CURRENT ROW EXCLUDE PREVAILING ORDER BY ts;
-- columns of both sides in one aggregate, other clauses, several joins
SELECT ts, sum(bid * qty), count(*) FILTER (WHERE bid > 4 * qty) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN '1 h' PRECEDING AND CURRENT ROW EXCLUDE PREVAILING WHERE qty > 1 ORDER BY count(*) DESC, ts LIMIT 3;
SELECT ts, sum(bid), sum(count(*)) OVER (ORDER BY ts), (SELECT count(*) FROM quotes x WHERE x.sym = t.sym) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1d PRECEDING AND CURRENT ROW WHERE EXISTS (SELECT FROM quotes y WHERE y.sym = t.sym) QUALIFY sum(count(*)) OVER () > 1 ORDER BY ts;
SELECT t.ts, sum(q.bid), avg(r.bid) FILTER (WHERE r.bid > 20) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 5m PRECEDING AND CURRENT ROW WINDOW JOIN quotes r ON r.sym = t.sym RANGE BETWEEN CURRENT ROW AND 1h FOLLOWING EXCLUDE PREVAILING ORDER BY t.ts;
SELECT day, sum(n), sum(x) FROM (SELECT ts::date AS day, count(*) AS n, sum(bid) AS x FROM trades t WINDOW JOIN (SELECT * FROM quotes WHERE ask IS NOT NULL) q ON t.sym = q.sym RANGE BETWEEN 1h PRECEDING AND 1h FOLLOWING EXCLUDE PREVAILING) w GROUP BY day;
SELECT range, ts, max(bid) FROM (SELECT 1 AS range, * FROM trades) t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE PREVAILING WHERE range BETWEEN 1 AND 2 ORDER BY ts;
SELECT h.host, (SELECT sum(n) FROM (SELECT count(*) AS n FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym AND q.sym = h.host RANGE BETWEEN 1h PRECEDING AND 1h FOLLOWING) w) FROM (VALUES ('a'), ('b')) h (host) ORDER BY 1;
-- a packed layout, which has counts and sums of each minute
CREATE TABLE packed (at timestamptz TIME PERIOD '1 min' NOT NULL, sym text DIMENSION, bid bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'sym', levels = 'at', presum = 'at');
INSERT INTO packed SELECT at, sym, bid FROM quotes;
SELECT ts, count(*), sum(bid), max(bid) FROM trades t WINDOW JOIN packed p ON t.sym = p.sym RANGE BETWEEN 1 minute PRECEDING AND 1 minute FOLLOWING EXCLUDE PREVAILING ORDER BY ts;
SELECT ts, count(*), sum(bid), max(bid) FROM trades t WINDOW JOIN packed p ON t.sym = p.sym RANGE BETWEEN 1 minute PRECEDING AND 1 minute FOLLOWING ORDER BY ts;
SELECT ts, count(*), sum(bid) FROM trades t WINDOW JOIN packed p RANGE BETWEEN 5 minutes PRECEDING AND CURRENT ROW EXCLUDE PREVAILING ORDER BY ts;
CREATE TABLE days (d date TIME NOT NULL, x int MEASURE);
INSERT INTO days VALUES ('2024-01-01', 1), ('2024-01-03', 2), ('2024-01-04', 4);
SELECT a.d, sum(b.x), count(*) FROM days a WINDOW JOIN days b RANGE BETWEEN 1d PRECEDING AND CURRENT ROW ORDER BY a.d;
CREATE VIEW near AS SELECT ts, max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1 day PRECEDING AND CURRENT ROW;
SELECT pg_get_viewdef('near'::regclass);
SELECT * FROM near ORDER BY ts;
-- what is not to be
SELECT q.bid FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT bid FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING WHERE bid > 3;
SELECT sum(bid) OVER () FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT t.ts FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT sum(t.qty) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT sum(max(bid)) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(sym) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q USING (ts) RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes t ON true RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m FOLLOWING AND 1m PRECEDING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN '-1m' PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN NULL PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1 month PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 5 PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 5 moons PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN UNBOUNDED PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym AND t.qty < q.bid RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING GROUP BY t.sym;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING SAMPLE BY 1h;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING JOIN trades u ON true;
SELECT max(bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING, trades u;
SELECT max(bid) FROM trades t WINDOW JOIN (SELECT 1 AS bid) q RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM (SELECT 1 AS bid) t WINDOW JOIN trades q RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT max(bid) FROM (trades t CROSS JOIN days d) WINDOW JOIN quotes q RANGE BETWEEN 1m PRECEDING AND 1m FOLLOWING;
SELECT count(*) FROM trades t WINDOW JOIN quotes q RANGE BETWEEN 1m PRECEDING AND CURRENT ROW WINDOW JOIN quotes r RANGE BETWEEN 1m PRECEDING AND CURRENT ROW;
SELECT sum(q.bid * r.bid) FROM trades t WINDOW JOIN quotes q RANGE BETWEEN 1m PRECEDING AND CURRENT ROW WINDOW JOIN quotes r RANGE BETWEEN 1m PRECEDING AND CURRENT ROW;
SELECT locf(max(bid)) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1m PRECEDING AND CURRENT ROW;
SELECT rank(t.qty) WITHIN GROUP (ORDER BY bid) FROM trades t WINDOW JOIN quotes q ON t.sym = q.sym RANGE BETWEEN 1d PRECEDING AND CURRENT ROW EXCLUDE PREVAILING ORDER BY ts;
